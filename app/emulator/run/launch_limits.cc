#include "run/launch_limits.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace warpshop::emulator {
namespace {

Diagnostic refuse(std::string message, std::string help) {
  return make_error("launch", std::move(message), std::move(help));
}

std::string text_of(const Dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

}  // namespace

Diagnostics check_config(const DecodedProgram& program, const LaunchConfig& c, const MachineLimits& limits) {
  Diagnostics bad;
  const Dim3& max_grid = limits.max_grid;
  const Dim3& max_block = limits.max_block;
  if (c.grid.count() == 0) {
    bad.push_back(refuse("the grid " + text_of(c.grid) + " has no blocks", "every dimension must be at least 1"));
  } else if (c.grid.x > max_grid.x || c.grid.y > max_grid.y || c.grid.z > max_grid.z) {
    bad.push_back(refuse("the grid " + text_of(c.grid) + " is larger than " + text_of(max_grid),
                         "use fewer blocks, or let the x dimension be the long one"));
  }
  if (c.block.count() == 0) {
    bad.push_back(refuse("the block " + text_of(c.block) + " has no threads", "every dimension must be at least 1"));
  } else if (c.block.count() > limits.max_threads_per_block) {
    bad.push_back(refuse("the block " + text_of(c.block) + " has " + std::to_string(c.block.count()) +
                             " threads; at most " + std::to_string(limits.max_threads_per_block) + " are possible",
                         "use smaller blocks and more of them"));
  } else if (c.block.x > max_block.x || c.block.y > max_block.y || c.block.z > max_block.z) {
    bad.push_back(refuse("the block " + text_of(c.block) + " is larger than " + text_of(max_block), "use another shape"));
  }
  // PTX ISA §11.4: more threads than .maxntid (of which the product counts), or another shape than .reqntid, is a
  // "runtime error or kernel launch failure".
  const ptx::Function& kernel = *program.functions[0].source;
  auto threads_of = [](const std::array<int, 3>& extent) {
    return static_cast<uint64_t>(std::max(extent[0], 1)) * static_cast<uint64_t>(std::max(extent[1], 1)) *
           static_cast<uint64_t>(std::max(extent[2], 1));
  };
  if (kernel.maxntid[0] > 0 && c.block.count() > threads_of(kernel.maxntid)) {
    bad.push_back(refuse("the block " + text_of(c.block) + " has " + std::to_string(c.block.count()) +
                             " threads; the kernel's __launch_bounds__ allows " + std::to_string(threads_of(kernel.maxntid)),
                         "make the block smaller, or give the kernel larger bounds"));
  }
  if (kernel.reqntid[0] > 0) {
    const Dim3 wanted{static_cast<uint32_t>(kernel.reqntid[0]), static_cast<uint32_t>(std::max(kernel.reqntid[1], 1)),
                      static_cast<uint32_t>(std::max(kernel.reqntid[2], 1))};
    if (!(wanted == c.block)) {
      bad.push_back(refuse("the block is " + text_of(c.block) + "; the kernel was compiled for blocks of " + text_of(wanted) + " only",
                           "launch it with that shape"));
    }
  }
  const uint64_t shared = uint64_t{program.dynamic_shared_base} * (c.dynamic_shared_bytes > 0 ? 1 : 0) +
                          (c.dynamic_shared_bytes > 0 ? c.dynamic_shared_bytes : program.static_shared_bytes);
  if (shared > limits.max_shared_bytes) {
    bad.push_back(refuse("the block needs " + std::to_string(shared) + " bytes of shared memory; at most " +
                             std::to_string(limits.max_shared_bytes) + " are possible",
                         "use smaller tiles"));
  }
  if (c.args.size() != program.params.size()) {
    bad.push_back(refuse("the kernel \"" + program.kernel + "\" takes " + std::to_string(program.params.size()) +
                             " arguments, " + std::to_string(c.args.size()) + " were given",
                         "give one argument for each parameter"));
  } else {
    for (size_t n = 0; n < c.args.size(); ++n) {
      if (c.args[n].bytes.size() == program.params[n].size_bytes) continue;
      bad.push_back(refuse("argument " + std::to_string(n + 1) + " of \"" + program.kernel + "\" has " +
                               std::to_string(c.args[n].bytes.size()) + " bytes, its parameter has " +
                               std::to_string(program.params[n].size_bytes),
                           "check the argument's type"));
    }
  }
  const uint64_t local = program.local_stride;
  if (local > limits.max_local_bytes) {
    bad.push_back(refuse("a thread needs " + std::to_string(local) + " bytes of local memory; at most " +
                             std::to_string(limits.max_local_bytes) + " are possible",
                         "make the arrays inside the kernel smaller"));
  }
  return bad;
}

}  // namespace warpshop::emulator
