#include <cstring>
#include <memory>
#include <string>

#include "core/diagnostic.h"
#include "emulator/launch.h"
#include "fuzz_targets.h"
#include "launch_small.h"
#include "ptx/parser.h"

namespace warpshop::fuzz {

void run_ptx(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  launch_small(text, {});
}

}  // namespace warpshop::fuzz
