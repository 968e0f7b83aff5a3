// --device and --worker: whether a kernel runs on a real GPU, and through which worker.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "device/worker_client.h"

namespace warpshop::cli {

struct DeviceOptions {
  std::string device = "auto";  // auto, emulator, cuda, cuda:N
  std::string worker;        // the command that starts it; empty: $WARPSHOP_WORKER, or this machine
  double time_limit_s = 10;  // after which a kernel on the GPU is killed
  double wait_s = 60;        // until the worker's first line; a cluster's queue may need more
};

struct WorkerChoice {
  std::shared_ptr<device::WorkerClient> client;  // null: the emulator only
  int gpu = -1;                                  // -1: the first usable one
  double time_limit_s = 10;
  bool required = false;  // false: a missing GPU is not an error
};

// `auto` uses a GPU if there is a driver or a worker is named. Error: an invalid command, or
// --worker with --device emulator.
Result<WorkerChoice> choose_worker(const DeviceOptions& options);

}  // namespace warpshop::cli
