// Runs on a real GPU: once the emulator's result is shown, the same launch goes to the selected
// worker, and its measurements are added to the result when they arrive.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "app/shell.h"
#include "control/docks.h"
#include "control/open_work.h"
#include "control/results.h"
#include "work/devices.h"

namespace warpshop::ui {

class Measuring {
 public:
  Measuring(Shell& shell, Docks& docks, OpenWork& work, Results& results);

  void measure();  // the newest result, on the chosen device
  void take_measured();
  // What is known, into a new version of the same result, or into its stages only.
  void put_again();
  void put_stage();
  void drop() { devices_.drop(); }  // the measurement in flight
  void stop() { devices_.stop(); }
  void forget();
  const Devices& devices() const { return devices_; }

 private:
  void use_devices();  // as configured in the settings
  void put(lab::Measured measured);
  void select(const std::string& place, int gpu);

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  Results& results_;
  std::atomic<bool> changed_{false};
  Devices devices_;
  lab::Measured measured_;  // of `run_`, as far as known
  uint64_t run_ = 0;        // sent to the device; 0: none
  size_t sizes_ = 0;        // that the run had at that time
};

}  // namespace warpshop::ui
