// Where kernels can be measured: this machine's GPUs and the workers in the settings, one of which
// is selected. Each worker has its own link, which lives as long as the worker is listed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "work/device_link.h"

namespace warpshop::ui {

// Names of places other than workers' command lines.
inline constexpr const char* kEmulatorAlone = "emulator";
inline constexpr const char* kHere = "here";  // this machine's GPUs
// kHere if there is a driver, else kEmulatorAlone.
inline constexpr const char* kAutomatic = "auto";

struct DeviceRow {
  std::string place;  // kEmulatorAlone, kHere, or the command line of a worker
  int gpu = -1;       // -1: the first usable one
  std::string name;   // "NVIDIA H200", or the command line until the worker has reported its GPUs
  std::string where;  // "this machine", "node7 · ssh node7 warpshop worker"
  LinkState state = LinkState::kOff;
  int place_in_queue = 0;  // of the job, where others share the GPU; 0: it does not wait
  std::string detail;      // what is or was wrong
  std::string help;        // the fix
  bool chosen = false;
};

// Splits a worker's command line into words. Error: not
// a command line, or its program is not on this machine.
Result<std::vector<std::string>> worker_command(const std::string& text);

class Devices {
 public:
  // `here`: this machine has a driver. `wake`: see DeviceLink. `shared`: what is here is a class's
  // GPU, which nobody uses without asking for it.
  Devices(bool here, std::function<void()> wake, bool shared = false);
  bool is_shared() const { return shared_; }

  // Applies the settings: the workers, the selected place and GPU. Starts the selected place's
  // worker and ends the links of workers that are no longer listed.
  void use(const std::vector<std::string>& workers, const std::string& place, int gpu);
  void connect(const std::string& place);  // retries, or finds out which GPUs it has

  // The emulator first, then each known GPU; a worker is a single row until its hello.
  std::vector<DeviceRow> rows() const;
  DeviceRow chosen() const;
  bool measures() const { return link_ != nullptr; }  // a place other than the emulator is selected

  void measure(MeasureJob job);  // on the selected GPU
  void drop();
  void stop();
  bool busy() const;
  bool measuring() const;  // the selected worker is starting, measuring or restarting
  std::vector<MeasureUpdate> poll();

 private:
  DeviceLink& link_of(const std::string& place);

  std::string here_text() const;

  bool here_;
  bool shared_;
  std::function<void()> wake_;
  std::vector<std::string> places_;  // kHere, then the workers
  std::map<std::string, std::unique_ptr<DeviceLink>> links_;
  std::string place_ = kEmulatorAlone;
  int gpu_ = -1;
  DeviceLink* link_ = nullptr;  // the link of place_; null: emulator only
};

}  // namespace warpshop::ui
