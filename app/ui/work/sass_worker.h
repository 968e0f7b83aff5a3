// Disassembles the kernel's machine code in the background, once per result.
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
  // `wake` is called on a background thread when a disassembly is done.
  explicit SassWorker(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~SassWorker();
  SassWorker(const SassWorker&) = delete;
  SassWorker& operator=(const SassWorker&) = delete;

  // The disassembly of that cubin; null while it is being
  // made. Called in every frame in which a panel shows it.
  std::shared_ptr<const Disassembly> of(const Cubin& cubin);
  // True if one has been finished since the last call.
  bool take_news();

 private:
  std::function<void()> wake_;
  StopFlag stop_;
  std::mutex mutex_;
  bool working_ = false;
  bool fresh_ = false;
  Cubin of_;  // the cubin whose disassembly is in `made_` or being made
  std::shared_ptr<const Disassembly> made_;
  std::thread thread_;
};

}  // namespace warpshop::ui
