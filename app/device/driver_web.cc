// A page reaches no GPU of its own for CUDA, but the one of its class, if that has one
// (core/child_process_web.cc).
#include <emscripten.h>

#include "device/worker.h"

namespace warpshop::device {

bool driver_is_installed() {
  return MAIN_THREAD_EM_ASM_INT({ return Module["classGpu"] ? 1 : 0; }) != 0;
}

bool driver_is_of_a_class() { return true; }

}  // namespace warpshop::device
