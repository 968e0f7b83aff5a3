// Disassembles the kernel's machine code beside the window, once for each result.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "compile/sass.h"
#include "core/result.h"
#include "core/stop.h"

namespace warpshop::ui {

using Cubin = std::shared_ptr<const std::vector<uint8_t>>;
using Disassembly = Result<std::vector<compile::SassKernel>>;

class SassWorker {
 public:
  // `wake` is called from a thread when a disassembly is done.
  explicit SassWorker(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~SassWorker();
  SassWorker(const SassWorker&) = delete;
  SassWorker& operator=(const SassWorker&) = delete;

  // Of that cubin; null: it is being made. Asked for in every frame in which somebody looks.
  std::shared_ptr<const Disassembly> of(const Cubin& cubin);
  // Whether one has been made since the last call.
  bool take_news();

 private:
  std::function<void()> wake_;
  StopFlag stop_;
  std::mutex mutex_;
  bool working_ = false;
  bool fresh_ = false;
  Cubin of_;  // whose is in `made_`, or is being made
  std::shared_ptr<const Disassembly> made_;
  std::thread thread_;
};

}  // namespace warpshop::ui
