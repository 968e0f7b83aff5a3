// A value, or the diagnostics that explain why there is none. C++20 has no std::expected; this is
// the small part of it that we need.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "core/diagnostic.h"

namespace warpshop {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(Diagnostic error)
      : state_(std::in_place_index<1>, Diagnostics{std::move(error)}) {}            // NOLINT
  Result(Diagnostics errors) : state_(std::in_place_index<1>, std::move(errors)) {  // NOLINT
    assert(!std::get<1>(state_).empty());
  }

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Precondition: !ok().
  const Diagnostics& errors() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Diagnostics> state_;
};

// The result of an action that returns no value.
struct Nothing {};
using Status = Result<Nothing>;
inline Status success() { return Nothing{}; }

}  // namespace warpshop
