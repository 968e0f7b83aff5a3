// Kernels whose time the model would get wrong by a factor, so that it says why instead.
#pragma once

#include <optional>

#include "core/diagnostic.h"
#include "emulator/program.h"

namespace warpshop::timing {

// Nothing: the kernel's time can be predicted.
std::optional<Diagnostic> why_not_predicted(const emulator::Program& program);

}  // namespace warpshop::timing
