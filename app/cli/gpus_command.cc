#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/expression.h"
#include "core/files.h"
#include "core/utc.h"
#include "lab/lab.h"
#include "lab/measured_profile.h"
#include "run_json.h"
#include "terminal.h"
#include "worker_choice.h"

namespace warpshop::cli {
namespace {

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

std::string cell_text(const models::ProfileNumber& number) {
  if (!number.origin) return "unknown";
  return number.text + (number.origin->is_assumed() ? " (assumed)" : "");
}

Json json_of_numbers(const models::GpuProfile& gpu) {
  Json numbers = Json::object();
  for (const models::ProfileNumber& number : models::profile_numbers(gpu)) {
    Json& at = numbers[std::string(number.key)];
    if (!number.origin) continue;  // null: unknown value
    at = {{"value", number.text},
          {"unit", number.unit},
          {"source", number.origin->source},
          {"confidence", number.origin->confidence},
          {"assumed", number.origin->is_assumed()},
          {"note", number.origin->note}};
  }
  return numbers;
}

// One row per number, one column per GPU.
int compare(const std::vector<std::string>& ids, bool json) {
  std::vector<models::GpuProfile> gpus;
  for (const std::string& id : ids) {
    Result<models::GpuProfile> gpu = models::find_gpu_profile(data_dir(), id);
    if (!gpu.ok()) return fail(gpu.errors());
    gpus.push_back(std::move(gpu).value());
  }
  if (json) {
    Json list = Json::array();
    for (const models::GpuProfile& gpu : gpus) {
      list.push_back(json_of_gpu(gpu));
      list.back()["numbers"] = json_of_numbers(gpu);
    }
    print(dumped({{"gpus", list}}));
    return kAllPassed;
  }
  std::vector<std::vector<models::ProfileNumber>> columns;
  std::vector<size_t> widths;
  for (const models::GpuProfile& gpu : gpus) {
    columns.push_back(models::profile_numbers(gpu));
    size_t width = gpu.id.size();
    for (const models::ProfileNumber& n : columns.back())
      width = std::max(width, cell_text(n).size());
    widths.push_back(width);
  }
  const Paint paint = Paint::for_standard_output();
  constexpr size_t kKeyWidth = 30;
  constexpr size_t kUnitWidth = 14;
  std::string head = pad_right("", kKeyWidth) + pad_right("", kUnitWidth);
  for (size_t g = 0; g < gpus.size(); ++g) head += pad_right(gpus[g].id, widths[g] + 2);
  print(paint.strong(head) + "\n");
  for (size_t row = 0; row < columns.front().size(); ++row) {
    const models::ProfileNumber& first = columns.front()[row];
    std::string line = pad_right(first.key, kKeyWidth) + pad_right(first.unit, kUnitWidth);
    for (size_t g = 0; g < gpus.size(); ++g) {
      line += pad_right(cell_text(columns[g][row]), widths[g] + 2);
    }
    print(line + "\n");
  }
  return kAllPassed;
}

// --write: a profile of the worker's GPU.
int write_profile(const GpusOptions& options) {
  const std::filesystem::path file = options.write;
  const std::string id = file.stem().string();
  if (file.extension() != ".toml" || !lab::is_lab_id(id)) {
    return fail(
        {make_error("usage", "--write " + options.write + ": a profile must be named ID.toml",
                    "an id consists of lower-case letters, digits and '-': my-gpu.toml")});
  }
  DeviceOptions device = options.device;
  if (device.device == "auto") device.device = "cuda";  // without a GPU there is nothing to write
  const Result<WorkerChoice> worker = choose_worker(device);
  if (!worker.ok()) return fail(worker.errors());
  if (worker.value().client == nullptr) {
    return fail({make_error("usage", "--write describes a GPU, which the emulator is not",
                            "leave --device emulator out")});
  }
  const Result<std::vector<models::GpuProfile>> known = models::load_gpu_profiles(data_dir());
  if (!known.ok()) return fail(known.errors());
  const Interrupt interrupt;
  device::WorkerClient& client = *worker.value().client;
  const Result<device::Hello> hello = client.hello(interrupt.flag());
  if (!hello.ok()) return fail(hello.errors());
  const Result<device::GpuInfo> gpu = device::usable_gpu(hello.value(), worker.value().gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  device::Job job;
  job.gpu = gpu.value().index;
  job.describe = true;
  job.time_limit_s = options.device.time_limit_s;
  const Result<device::JobResult> got = client.run(job, interrupt.flag());
  if (!got.ok()) return fail(got.errors());
  if (!got.value().description) {
    return fail({make_error("gpu-protocol", "the worker did not describe its GPU",
                            "install the same version of Warpshop at both ends")});
  }
  const std::string driver =
      "driver " + (hello.value().driver_version.empty() ? "" : hello.value().driver_version + " ") +
      "for CUDA " + hello.value().driver;
  const Result<lab::MeasuredProfile> profile = lab::measured_profile(
      id, *gpu, *got.value().description, driver, utc_now("%Y-%m-%d"), known.value());
  if (!profile.ok()) return fail(profile.errors());
  const Status written = write_file_atomically(file, profile.value().toml);
  if (!written.ok()) return fail(written.errors());
  // Read the file back to prove that this program can.
  if (const Result<models::GpuProfile> read = models::load_gpu_profile(file); !read.ok())
    return fail(read.errors());
  if (!profile.value().notes.empty()) print_error(render(profile.value().notes) + "\n");
  print(gpu.value().name + " is described in " + options.write + ".\n" +
        "Look at it with `warpshop gpus " + options.write + "`, use it with `--gpu " +
        options.write + "`; put it into assets/gpus to have it in every list.\n");
  return kAllPassed;
}

}  // namespace

int gpus_command(const GpusOptions& options) {
  const bool json = options.json;
  if (!options.write.empty()) return write_profile(options);
  if (!options.ids.empty()) return compare(options.ids, json);
  Diagnostics unreadable;
  const Result<std::vector<models::GpuProfile>> gpus =
      models::load_gpu_profiles(data_dir(), &unreadable);
  if (!gpus.ok()) return fail(gpus.errors());
  if (!unreadable.empty()) print_error(render(unreadable) + "\n");  // the others are usable
  if (json) {
    Json list = Json::array();
    for (const models::GpuProfile& gpu : *gpus) list.push_back(json_of_gpu(gpu));
    print(dumped({{"gpus", list}}));
    return kAllPassed;
  }
  const Paint paint = Paint::for_standard_output();
  size_t id_width = 0;
  size_t name_width = 0;
  for (const models::GpuProfile& gpu : *gpus) {
    id_width = std::max(id_width, gpu.id.size());
    name_width = std::max(name_width, gpu.name.size());
  }
  print(paint.quiet(pad_right("id", id_width) + "  " + pad_right("name", name_width) +
                    "  year  capability  SMs  warps/SM  shared/SM  bandwidth") +
        "\n");
  for (const models::GpuProfile& gpu : *gpus) {
    print(paint.strong(pad_right(gpu.id, id_width)) + "  " + pad_right(gpu.name, name_width) +
          "  " + pad_left(std::to_string(gpu.year), 4) + "  " +
          pad_left(capability_text(gpu.capability), 10) + "  " +
          pad_left(std::to_string(gpu.sm_count), 3) + "  " +
          pad_left(std::to_string(gpu.max_warps_per_sm), 8) + "  " +
          pad_left(number_text(gpu.shared_bytes_per_sm / 1024.0) + " KiB", 9) + "  " +
          number_text(gpu.memory_bandwidth_gb_s) + " GB/s\n");
  }
  return kAllPassed;
}

}  // namespace warpshop::cli
