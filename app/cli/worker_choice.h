// --device and --worker: whether a kernel goes to a real GPU, and through which worker.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "device/worker_client.h"

namespace warpshop::cli {

struct DeviceOptions {
  std::string device = "auto";  // auto, emulator, cuda, cuda:N
  std::string worker;           // the command line that starts it; empty: $WARPSHOP_WORKER, or here
  double time_limit_s = 10;     // after which a kernel on the GPU is killed
  double wait_s = 60;           // for the worker's first line: a cluster's queue may need more
};

struct WorkerChoice {
  std::shared_ptr<device::WorkerClient> client;  // none: the emulator alone
  int gpu = -1;                                  // -1: the first that can be used
  double time_limit_s = 10;
  bool required = false;  // false: a missing GPU is no error
};

// `auto` takes a GPU where there is a driver or a worker is named. Error: a command line that is
// none, or --worker beside --device emulator.
Result<WorkerChoice> choose_worker(const DeviceOptions& options);

}  // namespace warpshop::cli
