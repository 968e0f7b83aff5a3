#include <nlohmann/json.hpp>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/files.h"
#include "lab/expression.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string capability_text(const models::ComputeCapability& capability) {
  return std::to_string(capability.major) + "." + std::to_string(capability.minor);
}

Json json_of_gpu(const models::GpuProfile& gpu) {
  return {{"id", gpu.id},
          {"name", gpu.name},
          {"compute_capability", capability_text(gpu.capability)},
          {"year", gpu.year},
          {"sm_count", gpu.sm_count},
          {"max_warps_per_sm", gpu.max_warps_per_sm},
          {"max_blocks_per_sm", gpu.max_blocks_per_sm},
          {"registers_per_sm", gpu.registers_per_sm},
          {"shared_bytes_per_sm", gpu.shared_bytes_per_sm},
          {"shared_bytes_per_block", gpu.shared_bytes_per_block},
          {"memory_bandwidth_gb_s", gpu.memory_bandwidth_gb_s}};
}

}  // namespace

int gpus_command(bool json) {
  const Result<std::vector<models::GpuProfile>> gpus = models::load_gpu_profiles(data_dir());
  if (!gpus.ok()) return fail(gpus.errors());
  if (json) {
    Json list = Json::array();
    for (const models::GpuProfile& gpu : *gpus) list.push_back(json_of_gpu(gpu));
    print(Json{{"gpus", list}}.dump(2) + "\n");
    return kAllPassed;
  }
  const Paint paint = Paint::for_standard_output();
  print(paint.quiet("id          name                         year  capability  SMs  warps/SM  "
                    "shared/SM  bandwidth") +
        "\n");
  for (const models::GpuProfile& gpu : *gpus) {
    print(paint.strong(pad_right(gpu.id, 11)) + " " + pad_right(gpu.name, 28) + " " +
          pad_left(std::to_string(gpu.year), 4) + "  " +
          pad_left(capability_text(gpu.capability), 10) + "  " +
          pad_left(std::to_string(gpu.sm_count), 3) + "  " +
          pad_left(std::to_string(gpu.max_warps_per_sm), 8) + "  " +
          pad_left(lab::number_text(gpu.shared_bytes_per_sm / 1024.0) + " KiB", 9) + "  " +
          lab::number_text(gpu.memory_bandwidth_gb_s) + " GB/s\n");
  }
  return kAllPassed;
}

}  // namespace warpshop::cli
