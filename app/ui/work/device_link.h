// A GPU worker and the thread that talks with it, so that the window waits for neither. A worker
// that is lost is started again; what happened is said in the status.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/stop.h"
#include "device/worker_client.h"
#include "lab/measure.h"
#include "maps/prepared_result.h"

namespace warpshop::ui {

enum class LinkState {
  kOff,       // nobody has asked for it yet
  kStarting,  // until the worker's hello
  kReady,
  kMeasuring,
  kRetrying,  // the worker was lost and is started again
  kRefused,   // it cannot be had; `problem` says why, and the fix
};
std::string_view name_of(LinkState state);  // "ready", …

struct LinkStatus {
  LinkState state = LinkState::kOff;
  std::string stage;                   // while measuring: "compile", "run", …
  std::optional<device::Hello> hello;  // the newest; none before the first
  std::optional<Diagnostic> problem;   // of kRefused; else of the last loss
  int restarts = 0;                    // workers that were started because one was lost
};

struct MeasureJob {
  uint64_t run = 0;                             // the number of the run whose result it is
  std::shared_ptr<const lab::LabLibrary> labs;  // keeps `step` alive
  const lab::Step* step = nullptr;
  std::shared_ptr<const PreparedResult> of;  // what the emulator launched
  int gpu = -1;                              // -1: the first that can be used
};

struct MeasureUpdate {
  uint64_t run = 0;
  lab::Measured measured;  // all that is known so far
  bool finished = false;
};

class DeviceLink {
 public:
  // `wake` is called from the thread whenever there is something to poll or the status has changed.
  DeviceLink(device::WorkerOptions options, std::function<void()> wake);
  ~DeviceLink();
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;

  // Starts the worker unless it runs; after kRefused tries again.
  void connect();
  // The newest job wins: one that runs ends after the size that it measures. A job of the same run,
  // with more sizes, goes on where that stands.
  void measure(MeasureJob job);
  // Nothing more of the jobs so far: what runs ends after its size and is not told of.
  void drop();
  // Ends what runs by ending the worker, as nothing else ends a kernel.
  void stop();

  LinkStatus status() const;
  bool busy() const;  // starting, measuring, or with something to poll
  std::vector<MeasureUpdate> poll();

 private:
  void work();
  bool ready();  // connects where that is needed; false: it cannot be had
  void watch();  // whether the idle worker is still there
  void measure_now(MeasureJob job);
  void set(LinkState state, std::string stage = {}, std::optional<Diagnostic> problem = {});
  void post(MeasureUpdate update);

  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  LinkStatus status_;
  std::optional<MeasureJob> next_;
  bool connect_ = false;
  bool running_ = false;
  uint64_t running_run_ = 0;
  bool superseded_ = false;  // the job that runs is not wanted any more
  bool quit_ = false;
  StopFlag stop_;
  std::vector<MeasureUpdate> updates_;
  // The thread's own.
  device::WorkerClient client_;
  uint64_t measured_run_ = 0;
  lab::Measured measured_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace warpshop::ui
