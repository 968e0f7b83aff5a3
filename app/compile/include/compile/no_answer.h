// Why a compilation in another process has no answer.
#pragma once

#include <cstdint>

#include "compile/compiler.h"
#include "core/diagnostic.h"
#include "core/sentence.h"

namespace warpshop::compile {

struct NoAnswer {
  enum class Why : uint8_t {
    kNotStarted,  // the system cannot start a process; `how` says why
    kStopped,     // by the caller's flag
    kWaits,       // it neither works nor ends, as when reading a pipe without a writer
    kLate,        // it has used its processor time
    kMemory,      // it needs more than it may use
    kKilled,      // from outside, as Linux does when memory runs out
    kCrashed,
  };
  Why why = Why::kCrashed;
  Sentence how;  // "was killed by signal 11 (Segmentation fault)"
};

// Explains it to the author of the source. `most_bytes`: the memory limit of the process.
Diagnostic explain(const NoAnswer& none, const CompileInput& input, uint64_t most_bytes);

}  // namespace warpshop::compile
