#include "device/worker.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "clocks.h"
#include "core/write_all.h"
#include "device/protocol.h"
#include "job_runner.h"

namespace warpshop::device {
namespace {

constexpr int kTimeLimitStatus = 124;  // the same as timeout(1)
constexpr size_t kMostPrinted = size_t{1} << 20;

// Reserves standard output for the protocol. The driver writes what kernels print to descriptor 1,
// which is redirected here to an in-memory file.
class Streams {
 public:
  Streams() {
    std::fflush(stdout);
    protocol_ = ::dup(STDOUT_FILENO);
    printed_ = ::memfd_create("printed", MFD_CLOEXEC);
    if (printed_ >= 0) ::dup2(printed_, STDOUT_FILENO);
  }
  void send(const std::string& line) const {
    if (!write_all(protocol_, line)) ::_exit(0);  // the reader is gone
  }
  std::string take_printed() const {
    if (printed_ < 0) return {};
    std::fflush(stdout);
    std::string text(kMostPrinted, '\0');
    const ssize_t got = ::pread(printed_, text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    if (::ftruncate(printed_, 0) != 0 || ::lseek(STDOUT_FILENO, 0, SEEK_SET) < 0) return text;
    return text;
  }

 private:
  int protocol_ = -1;
  int printed_ = -1;
};

// Ends the process if a job exceeds its limit: there is no other way to end a kernel.
class Watchdog {
 public:
  explicit Watchdog(const Streams& streams) : streams_(streams), thread_([this] { watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void arm(uint64_t id, double seconds) {
    const std::lock_guard lock(mutex_);
    id_ = id;
    seconds_ = seconds;
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    changed_.notify_all();
  }
  void disarm() {
    const std::lock_guard lock(mutex_);
    deadline_ = Clock::time_point::max();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void watch() {
    std::unique_lock lock(mutex_);
    while (!done_) {
      if (deadline_ == Clock::time_point::max()) {
        changed_.wait(lock);
      } else if (Clock::now() < deadline_) {
        changed_.wait_until(lock, deadline_);
      } else {
        char limit[32];
        std::snprintf(limit, sizeof limit, "%g s", seconds_);
        streams_.send(error_line(
            id_,
            {make_error(
                "gpu-timeout",
                sentence("the kernel did not finish within {limit} and was killed",
                         {{"limit", limit}}),
                sentence("the emulator shows where it loops: check it with --device emulator"))},
            true));
        ::_exit(kTimeLimitStatus);
      }
    }
  }

  const Streams& streams_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Clock::time_point deadline_ = Clock::time_point::max();
  uint64_t id_ = 0;
  double seconds_ = 0;
  bool done_ = false;
  std::thread thread_;  // last: it uses the rest
};

class Worker {
 public:
  Worker() : watchdog_(streams_) {}

  int serve() {
    streams_.send(line_of(greeting()));
    std::string line;
    while (std::getline(std::cin, line)) {
      const Result<Message> message = read_message(line);
      if (!message.ok()) {
        streams_.send(error_line(0, message.errors(), false));
        continue;
      }
      if (message.value().kind == Message::Kind::kQuit) return 0;
      if (message.value().kind != Message::Kind::kJob) continue;
      const uint64_t id = message.value().id;
      const Result<JobResult> result = run(id, message.value().job);
      watchdog_.disarm();
      if (result.ok()) {
        streams_.send(line_of(id, result.value()));
        continue;
      }
      const bool lost = gpu_ != nullptr && gpu_->lost();
      streams_.send(error_line(id, result.errors(), lost));
      // The context is lost, and cleaning it up may hang.
      if (lost) ::_exit(1);
    }
    return 0;
  }

 private:
  Hello greeting() {
    Hello hello;
    hello.protocol = kProtocolVersion;
    hello.version = WARPSHOP_VERSION;
    char host[256] = {};
    if (::gethostname(host, sizeof host - 1) == 0) hello.host = host;
    Result<compile::Compiler> compiler = compile::Compiler::load();
    if (compiler.ok()) {
      compiler_ = std::make_unique<compile::Compiler>(*compiler);
      hello.nvrtc = compiler_->version();
    } else {
      hello.problems = compiler.errors();
    }
    Result<std::shared_ptr<const Driver>> driver = Driver::load();
    if (!driver.ok()) {
      const Diagnostics& errors = driver.errors();
      hello.problems.insert(hello.problems.end(), errors.begin(), errors.end());
    } else {
      driver_ = *driver;
      hello.driver = std::to_string(driver_->version / 1000) + "." +
                     std::to_string(driver_->version % 1000 / 10);
      hello.driver_version = driver_version();
      hello.gpus = describe_gpus(*driver_, compiler_.get());
      if (hello.gpus.empty()) {
        hello.problems.push_back(
            make_error("gpu-none", sentence("the driver finds no NVIDIA GPU"),
                       sentence("the emulator needs no GPU: --device emulator")));
      }
    }
    hello_ = hello;
    return hello;
  }

  Result<JobResult> run(uint64_t id, const Job& job) {
    if (has_errors(hello_.problems)) return hello_.problems;
    if (gpu_ == nullptr || gpu_->info().index != job.gpu) {
      const GpuInfo* info = hello_.find_gpu(job.gpu);
      if (info == nullptr) {
        return make_error(
            "gpu-none",
            sentence("there is no GPU {index} here; {count} are available, numbered from 0",
                     {{"index", job.gpu}, {"count", hello_.gpus.size()}}));
      }
      runner_.reset();
      gpu_.reset();
      Result<std::unique_ptr<Gpu>> gpu = Gpu::open(driver_, *compiler_, *info);
      if (!gpu.ok()) return gpu.errors();
      gpu_ = std::move(gpu.value());
      runner_ = std::make_unique<JobRunner>(*gpu_);
    }
    JobRunner::Hooks hooks;
    hooks.on_stage = [&](std::string_view stage) {
      streams_.send(stage_line(id, stage));
      // The host limits compilation; the kernel's limit starts when it runs.
      if (stage == "run") watchdog_.arm(id, job.time_limit_s);
    };
    hooks.take_printed = [&] { return streams_.take_printed(); };
    return runner_->run(job, hooks);
  }

  Streams streams_;
  Watchdog watchdog_;
  Hello hello_;
  std::unique_ptr<compile::Compiler> compiler_;
  std::shared_ptr<const Driver> driver_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<JobRunner> runner_;
};

}  // namespace

int serve_worker() { return Worker().serve(); }

}  // namespace warpshop::device
