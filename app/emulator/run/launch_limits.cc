#include "run/launch_limits.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "analysis/names.h"
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

Dim3 dim3_of(const std::array<int, 3>& extent) {
  return {static_cast<uint32_t>(std::max(extent[0], 1)),
          static_cast<uint32_t>(std::max(extent[1], 1)),
          static_cast<uint32_t>(std::max(extent[2], 1))};
}

// Where the kernel starts: the line of its first instruction.
SourcePlace place_of_kernel(const DecodedProgram& program) {
  const ptx::Function& kernel = *program.functions[0].source;
  return kernel.body.empty() ? SourcePlace() : nearest_place(*program.module, kernel, 0);
}

// CUDA C++ Programming Guide, "Thread Block Clusters"; PTX ISA §11.7 "Cluster Dimension
// Directives".
void check_cluster(const DecodedProgram& program, const LaunchConfig& c,
                   const MachineLimits& limits, Diagnostics& bad) {
  const ptx::Function& kernel = *program.functions[0].source;
  const auto refuse_cluster = [&](Sentence message, Sentence help) {
    Diagnostic refused = refuse(std::move(message), std::move(help));
    refused.place = place_of_kernel(program);
    bad.push_back(std::move(refused));
  };
  const bool given = c.cluster.count() > 0;
  const Dim3 size = cluster_of(program, c);
  const std::vector<SentencePart> parts = {{"cluster", text_of(size)},
                                           {"blocks", size.count()},
                                           {"grid", text_of(c.grid)},
                                           {"portable", kPortableClusterBlocks},
                                           {"most", limits.max_cluster_blocks}};
  if (given && kernel.reqnctapercluster[0] > 0 && !(dim3_of(kernel.reqnctapercluster) == size)) {
    refuse_cluster(
        sentence(
            "the launch has clusters of {cluster} blocks; the kernel was compiled for {wanted}",
            {{"cluster", text_of(size)}, {"wanted", text_of(dim3_of(kernel.reqnctapercluster))}}),
        sentence("launch it without a cluster size, or with that one"));
    return;
  }
  if (!given && kernel.explicit_cluster && kernel.reqnctapercluster[0] == 0) {
    refuse_cluster(sentence("the kernel has __cluster_dims__ without numbers, but the launch gives "
                            "no cluster size"),
                   sentence("launch it with a cluster size: warpshop run --cluster, \"cluster\" in "
                            "a spec; or write the "
                            "numbers: __cluster_dims__(x, y, z)"));
    return;
  }
  if (size.count() == 1 && !given) return;
  if (limits.max_cluster_blocks == 0) {
    refuse_cluster(
        sentence("clusters of blocks: this GPU has none", parts),
        sentence("choose a GPU of compute capability 9.0 or newer, such as h200, or remove "
                 "__cluster_dims__"));
    return;
  }
  if (size.count() > limits.max_cluster_blocks) {
    refuse_cluster(sentence("a cluster of {blocks} blocks; at most {most} are possible", parts),
                   sentence("use smaller clusters: 8 blocks run on every GPU that has clusters"));
  } else if (size.count() > kPortableClusterBlocks && !c.large_clusters) {
    refuse_cluster(
        sentence("a cluster of {blocks} blocks; {portable} are possible on every GPU, and more, "
                 "up to {most} here, only if the program asks for it",
                 parts),
        sentence("use smaller clusters, or allow it: warpshop run --large-clusters, "
                 "\"large_clusters\" in a spec; in a program "
                 "cudaFuncAttributeNonPortableClusterSizeAllowed"));
  }
  if (kernel.max_cluster_rank > 0 &&
      size.count() > static_cast<uint64_t>(kernel.max_cluster_rank)) {
    refuse_cluster(
        sentence("a cluster of {blocks} blocks; the kernel's __launch_bounds__ allows {most}",
                 {{"blocks", size.count()}, {"most", kernel.max_cluster_rank}}),
        sentence("make the cluster smaller, or give the kernel larger bounds"));
  }
  if (!kernel.blocks_are_clusters && c.grid.count() > 0 &&
      (c.grid.x % size.x != 0 || c.grid.y % size.y != 0 || c.grid.z % size.z != 0)) {
    refuse_cluster(
        sentence("the grid {grid} cannot be divided into clusters of {cluster} blocks", parts),
        sentence("round every dimension of the grid up to a multiple of the cluster's, "
                 "and let blocks beyond the data do nothing but meet the others"));
  }
}

}  // namespace

Dim3 cluster_of(const DecodedProgram& program, const LaunchConfig& config) {
  if (config.cluster.count() > 0) return config.cluster;
  return dim3_of(program.functions[0].source->reqnctapercluster);
}

Dim3 grid_of(const DecodedProgram& program, const LaunchConfig& config) {
  const Dim3& grid = config.grid;
  if (!program.functions[0].source->blocks_are_clusters) return grid;
  const Dim3 size = cluster_of(program, config);
  return {grid.x * size.x, grid.y * size.y, grid.z * size.z};
}

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
  check_cluster(program, c, limits, bad);
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
                        {{"kernel", kernel_title(program.kernel)},
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
               {"kernel", kernel_title(program.kernel)},
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
  if (launch.in_clusters && !launch.options->blocks.empty()) {
    return {refuse(
        sentence("a sample of a launch in clusters cannot be run: its blocks wait for the others"),
        sentence("run all of its blocks"))};
  }
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
