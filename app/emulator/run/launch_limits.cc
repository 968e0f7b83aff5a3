#include "run/launch_limits.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analysis/source_place.h"
#include "checks/words.h"
#include "run/suspended_blocks.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

Diagnostic refuse(Sentence message, Sentence help) {
  return make_error("launch", std::move(message), std::move(help));
}

// Where the function with the most local memory starts.
SourcePlace place_of_local_memory(const DecodedProgram& program) {
  const auto most = std::max_element(program.functions.begin(), program.functions.end(),
                                     [](const DecodedFunction& a, const DecodedFunction& b) {
                                       return a.local_bytes < b.local_bytes;
                                     });
  const ptx::Function& function = *most->source;
  return function.body.empty() ? SourcePlace() : nearest_place(*program.module, function, 0);
}

}  // namespace

Diagnostics check_config(const DecodedProgram& program, const LaunchConfig& c,
                         const MachineLimits& limits) {
  Diagnostics bad;
  const Dim3& max_grid = limits.max_grid;
  const Dim3& max_block = limits.max_block;
  if (c.grid.count() == 0) {
    bad.push_back(refuse(sentence("the grid {grid} has no blocks", {{"grid", text_of(c.grid)}}),
                         sentence("every dimension must be at least 1")));
  } else if (c.grid.x > max_grid.x || c.grid.y > max_grid.y || c.grid.z > max_grid.z) {
    bad.push_back(refuse(sentence("the grid {grid} is larger than {most}",
                                  {{"grid", text_of(c.grid)}, {"most", text_of(max_grid)}}),
                         sentence("use fewer blocks, or let the x dimension be the long one")));
  }
  if (c.block.count() == 0) {
    bad.push_back(
        refuse(sentence("the block {block} has no threads", {{"block", text_of(c.block)}}),
               sentence("every dimension must be at least 1")));
  } else if (c.block.count() > limits.max_threads_per_block) {
    bad.push_back(
        refuse(sentence("the block {block} has {threads} threads; at most {most} are possible",
                        {{"block", text_of(c.block)},
                         {"threads", c.block.count()},
                         {"most", limits.max_threads_per_block}}),
               sentence("use smaller blocks and more of them")));
  } else if (c.block.x > max_block.x || c.block.y > max_block.y || c.block.z > max_block.z) {
    bad.push_back(refuse(sentence("the block {block} is larger than {most}",
                                  {{"block", text_of(c.block)}, {"most", text_of(max_block)}}),
                         sentence("use another shape")));
  }
  // PTX ISA §11.4: exceeding the product of .maxntid, or differing from .reqntid, is a "runtime
  // error or kernel launch failure".
  const ptx::Function& kernel = *program.functions[0].source;
  auto threads_of = [](const std::array<int, 3>& extent) {
    return static_cast<uint64_t>(std::max(extent[0], 1)) *
           static_cast<uint64_t>(std::max(extent[1], 1)) *
           static_cast<uint64_t>(std::max(extent[2], 1));
  };
  if (kernel.maxntid[0] > 0 && c.block.count() > threads_of(kernel.maxntid)) {
    bad.push_back(refuse(
        sentence(
            "the block {block} has {threads} threads; the kernel's __launch_bounds__ allows {most}",
            {{"block", text_of(c.block)},
             {"threads", c.block.count()},
             {"most", threads_of(kernel.maxntid)}}),
        sentence("make the block smaller, or give the kernel larger bounds")));
  }
  if (kernel.reqntid[0] > 0) {
    const Dim3 wanted{static_cast<uint32_t>(kernel.reqntid[0]),
                      static_cast<uint32_t>(std::max(kernel.reqntid[1], 1)),
                      static_cast<uint32_t>(std::max(kernel.reqntid[2], 1))};
    if (!(wanted == c.block)) {
      bad.push_back(refuse(
          sentence("the block is {block}; the kernel was compiled for blocks of {wanted} only",
                   {{"block", text_of(c.block)}, {"wanted", text_of(wanted)}}),
          sentence("launch it with that shape")));
    }
  }
  const uint64_t shared =
      uint64_t{program.dynamic_shared_base} * (c.dynamic_shared_bytes > 0 ? 1 : 0) +
      (c.dynamic_shared_bytes > 0 ? c.dynamic_shared_bytes : program.static_shared_bytes);
  if (shared > limits.max_shared_bytes) {
    bad.push_back(refuse(
        sentence("the block needs {bytes} bytes of shared memory; at most {most} are possible",
                 {{"bytes", shared}, {"most", limits.max_shared_bytes}}),
        sentence("use smaller tiles")));
  }
  if (c.args.size() != program.params.size()) {
    bad.push_back(
        refuse(sentence("the kernel \"{kernel}\" takes {wanted} arguments, {given} were given",
                        {{"kernel", program.kernel},
                         {"wanted", program.params.size()},
                         {"given", c.args.size()}}),
               sentence("give one argument for each parameter")));
  } else {
    for (size_t n = 0; n < c.args.size(); ++n) {
      if (c.args[n].bytes.size() == program.params[n].size_bytes) continue;
      bad.push_back(refuse(
          sentence(
              "argument {number} of \"{kernel}\" has {bytes} bytes, its parameter has {wanted}",
              {{"number", n + 1},
               {"kernel", program.kernel},
               {"bytes", c.args[n].bytes.size()},
               {"wanted", program.params[n].size_bytes}}),
          sentence("check the argument's type")));
    }
  }
  const uint64_t local = program.local_stride;
  if (local > limits.max_local_bytes) {
    Diagnostic refused =
        refuse(sentence("a thread needs {bytes} bytes of local memory; at most {most} are possible",
                        {{"bytes", local}, {"most", limits.max_local_bytes}}),
               sentence("make the arrays inside the kernel smaller"));
    refused.place = place_of_local_memory(program);
    bad.push_back(std::move(refused));
  }
  return bad;
}

Diagnostics check_cooperative(const Launch& launch) {
  if (!launch.config->cooperative) return {};
  const MachineLimits& limits = launch.options->limits;
  if (!launch.options->blocks.empty()) {
    return {refuse(
        sentence("a sample of a cooperative launch cannot be run: its blocks wait for the others"),
        sentence("run all of its blocks"))};
  }
  // CUDA C++ Programming Guide, "Grid Synchronization": otherwise
  // cudaErrorCooperativeLaunchTooLarge.
  const uint64_t most = resident_blocks(launch);
  if (launch.total_blocks <= most) return {};
  return {refuse(sentence("a cooperative launch needs all its {blocks} blocks on the GPU at the "
                          "same time; {most} fit: {per_sm} per SM on {sms} SMs",
                          {{"blocks", launch.total_blocks},
                           {"most", most},
                           {"per_sm", most / limits.multiprocessors},
                           {"sms", limits.multiprocessors}}),
                 sentence("launch at most that many blocks and let each thread do more, in a loop "
                          "over the grid's size"))};
}

}  // namespace warpshop::emulator
