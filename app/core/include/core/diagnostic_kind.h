// What a diagnostic is about: a row of core/diagnostic_kinds.def. A misspelled name does not
// compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpshop {

class DiagnosticKind {
 public:
  // "usage", "lab-file", …: a name of the table.
  template <size_t size>
  consteval DiagnosticKind(const char (&name)[size])  // NOLINT: implicit, so that a name is a kind
      : row_(row_named({name, size - 1})) {}

  // Empty if no row has this name.
  static constexpr std::optional<DiagnosticKind> named(std::string_view name) {
    for (size_t row = 0; row < kNames.size(); ++row) {
      if (kNames[row] == name) return DiagnosticKind(static_cast<uint8_t>(row));
    }
    return std::nullopt;
  }

  constexpr std::string_view name() const { return kNames[row_]; }

  constexpr bool operator==(const DiagnosticKind&) const = default;

 private:
  explicit constexpr DiagnosticKind(uint8_t row) : row_(row) {}

  // Not a constant, hence a compile-time error, if there is no such row.
  static constexpr uint8_t row_named(std::string_view name) { return named(name).value().row_; }

  static constexpr std::array kNames = {
#define WARPSHOP_KIND(name, about) std::string_view(name),
#include "core/diagnostic_kinds.def"
#undef WARPSHOP_KIND
  };

  uint8_t row_ = 0;
};

}  // namespace warpshop
