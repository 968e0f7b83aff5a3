// A page reaches no GPU of its own for CUDA.
#include "device/worker.h"

namespace warpshop::device {

bool driver_is_installed() { return false; }

}  // namespace warpshop::device
