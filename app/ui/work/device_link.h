// A GPU worker and the thread that communicates with it, so that the window waits for neither. A
// lost worker is restarted; the status reports what happened.
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
  kOff,       // not requested yet
  kStarting,  // waiting for the worker's hello
  kReady,
  kMeasuring,
  kRetrying,  // the worker was lost and is restarting
  kRefused,   // not available; `problem` gives the reason and the fix
};
std::string_view name_of(LinkState state);  // "ready", …

struct LinkStatus {
  LinkState state = LinkState::kOff;
  std::string stage;                   // while measuring: "compile", "run", …
  int place_in_queue = 0;              // while other students' jobs go first
  std::optional<device::Hello> hello;  // the newest; none before the first
  std::optional<Diagnostic> problem;   // the reason for kRefused; else for the last loss
  int restarts = 0;                    // number of times that a lost worker was restarted
};

struct MeasureJob {
  uint64_t run = 0;                             // number of the run that produced the result
  std::shared_ptr<const lab::LabLibrary> labs;  // keeps `step` alive
  const lab::Step* step = nullptr;
  std::shared_ptr<const PreparedResult> of;  // the launches that the emulator ran
  int gpu = -1;                              // -1: the first usable one
};

struct MeasureUpdate {
  uint64_t run = 0;
  lab::Measured measured;  // everything known so far
  bool finished = false;
};

class DeviceLink {
 public:
  // `wake` is called on the thread whenever there is something to poll or the status has changed.
  DeviceLink(device::WorkerOptions options, std::function<void()> wake);
  ~DeviceLink();
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;

  // Starts the worker unless it is running; retries after kRefused.
  void connect();
  // The newest job wins: a running job ends after its current size. A job for the same run with
  // more sizes continues from there.
  void measure(MeasureJob job);
  // Drops all jobs so far: a running job ends after
  // its current size, and its result is not reported.
  void drop();
  // Stops the running job by ending the worker: nothing else can stop a kernel.
  void stop();

  LinkStatus status() const;
  bool busy() const;  // starting, measuring, or with something to poll
  std::vector<MeasureUpdate> poll();

 private:
  void work();
  bool ready();  // connects if needed; false: not available
  void watch();  // checks that the idle worker is still alive
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
  bool superseded_ = false;  // the running job is no longer wanted
  bool quit_ = false;
  StopFlag stop_;
  std::vector<MeasureUpdate> updates_;
  const device::WorkerOptions options_;
  // Used by the thread only.
  device::WorkerClient client_;
  uint64_t measured_run_ = 0;
  lab::Measured measured_;
  std::thread thread_;  // last, since it uses the other members
};

}  // namespace warpshop::ui
