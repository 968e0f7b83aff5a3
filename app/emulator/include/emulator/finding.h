// What the emulator finds wrong in a running kernel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"
#include "emulator/access.h"

namespace warpshop::emulator {

enum class FindingKind : uint8_t {
  kOutOfBounds,
  kMisaligned,
  kRace,
  kUninitialised,
  kDivergentBarrier,
  kSyncwarpMask,
  kAssert,
  kTrap,
  kTimeout,
  kUnsupported,
  kDeadlock,
  kInvalidFree,
  kLeak,
  kBadCall,
  kTexture,
  kStackOverflow,
  kDivisionByZero,
  kRemovedCode,
};
DiagnosticKind diagnostic_kind_of(FindingKind kind);
std::string_view name_of(FindingKind kind);  // "out-of-bounds", …

struct ThreadPlace {
  Dim3 block;
  Dim3 thread;
};

struct Finding {
  FindingKind kind = FindingKind::kOutOfBounds;
  Severity severity = Severity::kError;
  std::string space;   // "global", "shared", "local", …; empty when none applies
  std::string access;  // "read", "write", "atomic"; empty when none applies
  SourcePlace place;   // the student's line
  int ptx_line = 0;
  ThreadPlace who;  // the first thread that did it
  uint64_t address = 0;
  uint32_t size_bytes = 0;
  std::string allocation;      // nearest allocation or variable, empty when none
  int64_t distance_bytes = 0;  // from its nearest end: > 0 past the end, < 0 before the start
  uint64_t count = 1;          // how often, over all threads
  // The second party: the other access of a race, or the barrier at which the other warps wait.
  std::optional<SourcePlace> other_place;
  std::optional<ThreadPlace> other_who;
  std::string other_access;
  Sentence message;  // one sentence with index, size and thread
  Sentence cause;    // its usual cause
};

}  // namespace warpshop::emulator
