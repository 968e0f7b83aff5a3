// What a memory instruction is about to do, as far as the checks need it.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/module.h"

namespace warpshop::emulator {

enum class AccessIntent : uint8_t { kRead, kWrite, kAtomic };

// The verb in findings.
constexpr std::string_view verb(AccessIntent intent) {
  switch (intent) {
    case AccessIntent::kRead:
      return "read";
    case AccessIntent::kWrite:
      return "write";
    case AccessIntent::kAtomic:
      return "atomic";
  }
  return "";
}

inline bool read_only(ptx::Space space) {
  return space == ptx::Space::kConst || space == ptx::Space::kParam;
}

// The values that a store is about to write, for checking whether two writes differ.
class StoreValues {
 public:
  virtual ~StoreValues() = default;
  virtual void lane(int lane, uint8_t* to) const = 0;  // the bytes of one lane's access
  // Whole words of all 32 lanes, if check_access may defer the store (CheckedAccess::waits).
  virtual const uint32_t* words() const { return nullptr; }
};

}  // namespace warpshop::emulator
