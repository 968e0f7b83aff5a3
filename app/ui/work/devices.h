// Where kernels can be measured: this machine's GPUs and the workers of the settings, one of which
// is chosen. Each worker has a link of its own, which lives as long as it is listed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "work/device_link.h"

namespace warpshop::ui {

// Names of places that are no worker's command line.
inline constexpr const char* kEmulatorAlone = "emulator";
inline constexpr const char* kHere = "here";  // this machine's GPUs
inline constexpr const char* kAutomatic =
    "auto";  // kHere where there is a driver, else kEmulatorAlone

struct DeviceRow {
  std::string place;  // kEmulatorAlone, kHere, or the command line of a worker
  int gpu = -1;       // -1: the first that can be used
  std::string name;   // "NVIDIA H200", or the command line before a worker has said what it has
  std::string where;  // "this machine", "node7 · ssh node7 warpshop worker"
  LinkState state = LinkState::kOff;
  std::string detail;  // what is wrong, or what was
  std::string help;    // the fix
  bool chosen = false;
};

// The words of a worker's command line. Error: it is none, or its program is not on this machine.
Result<std::vector<std::string>> worker_command(const std::string& text);

class Devices {
 public:
  // `here`: this machine has a driver. `wake` as of DeviceLink.
  Devices(bool here, std::function<void()> wake);

  // As the settings have it: the workers, the chosen place and GPU. The chosen place's worker is
  // started; links of workers that are listed no more are ended.
  void use(const std::vector<std::string>& workers, const std::string& place, int gpu);
  void connect(const std::string& place);  // "try again", and to see which GPUs it has

  // The emulator first, then each GPU that is known; a worker before its hello is one row.
  std::vector<DeviceRow> rows() const;
  DeviceRow chosen() const;
  bool measures() const { return link_ != nullptr; }  // a place other than the emulator is chosen

  void measure(MeasureJob job);  // on the chosen GPU
  void drop();
  void stop();
  bool busy() const;
  bool measuring() const;  // the chosen worker starts, works or is started again
  std::vector<MeasureUpdate> poll();

 private:
  DeviceLink& link_of(const std::string& place);

  bool here_;
  std::function<void()> wake_;
  std::vector<std::string> places_;  // kHere, then the workers
  std::map<std::string, std::unique_ptr<DeviceLink>> links_;
  std::string place_ = kEmulatorAlone;
  int gpu_ = -1;
  DeviceLink* link_ = nullptr;  // of place_; null: the emulator alone
};

}  // namespace warpshop::ui
