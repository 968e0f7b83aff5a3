#include "emulator/finding.h"

namespace warpshop::emulator {

DiagnosticKind diagnostic_kind_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::kOutOfBounds:
      return "out-of-bounds";
    case FindingKind::kMisaligned:
      return "misaligned";
    case FindingKind::kRace:
      return "race";
    case FindingKind::kUninitialised:
      return "uninitialised";
    case FindingKind::kDivergentBarrier:
      return "divergent-barrier";
    case FindingKind::kSyncwarpMask:
      return "syncwarp-mask";
    case FindingKind::kAssert:
      return "assert";
    case FindingKind::kTrap:
      return "trap";
    case FindingKind::kTimeout:
      return "timeout";
    case FindingKind::kUnsupported:
      return "unsupported";
    case FindingKind::kDeadlock:
      return "deadlock";
    case FindingKind::kInvalidFree:
      return "invalid-free";
    case FindingKind::kLeak:
      return "leak";
    case FindingKind::kBadCall:
      return "bad-call";
    case FindingKind::kTexture:
      return "texture";
    case FindingKind::kStackOverflow:
      return "stack-overflow";
    case FindingKind::kDivisionByZero:
      return "division-by-zero";
    case FindingKind::kRemovedCode:
      return "removed-code";
  }
  return "trap";
}

std::string_view name_of(FindingKind kind) { return diagnostic_kind_of(kind).name(); }

}  // namespace warpshop::emulator
