#include "worker_choice.h"

#include <charconv>
#include <cstdlib>

#include "core/child_process.h"
#include "device/worker.h"

namespace warpshop::cli {

Result<WorkerChoice> choose_worker(const DeviceOptions& options) {
  WorkerChoice out;
  out.time_limit_s = options.time_limit_s;
  if (options.device == "emulator") {
    if (options.worker.empty()) return out;
    return make_error("usage", "--worker names a GPU's worker, and --device emulator uses none",
                      "leave one of them out");
  }
  if (options.device.starts_with("cuda:")) {
    const char* begin = options.device.data() + 5;
    const char* end = options.device.data() + options.device.size();
    const auto [at, error] = std::from_chars(begin, end, out.gpu);
    if (error != std::errc() || at != end || out.gpu < 0) {
      return make_error("usage", "--device " + options.device + ": expected cuda:N, N from 0");
    }
  }
  std::string command = options.worker;
  const char* environment = std::getenv("WARPSHOP_WORKER");
  if (command.empty() && environment != nullptr) command = environment;
  out.required = options.device != "auto" || !command.empty();
  if (!out.required && !device::driver_is_installed()) return out;
  device::WorkerOptions worker;
  worker.start_limit_s = options.wait_s;
  if (!command.empty()) {
    Result<std::vector<std::string>> words = split_command(command);
    if (!words.ok()) return words.errors();
    worker.command = std::move(*words);
  }
  out.client = std::make_shared<device::WorkerClient>(std::move(worker));
  return out;
}

}  // namespace warpshop::cli
