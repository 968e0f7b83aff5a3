// The profile of Nsight Compute that was imported for the open step. A copy of the file is kept in
// user_dir()/profiles/LAB/STEP/ until it is removed or replaced.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/shell.h"
#include "control/docks.h"
#include "control/open_work.h"
#include "control/results.h"
#include "state/imported_profile.h"

namespace warpshop::ui {

// By its name: a CSV file, or a report that was not exported yet.
bool is_profile_file(const std::filesystem::path& file);

class Profiles {
 public:
  Profiles(Shell& shell, Docks& docks, OpenWork& work, Results& results);

  void follow();  // the open step
  void show_in(View& view);

 private:
  std::filesystem::path folder() const;  // of the open step's copy
  void import_file(const std::string& file);
  Status keep(const std::filesystem::path& file) const;
  void remove_copies(const std::filesystem::path& except) const;
  void compare();  // with the results on screen, if either has changed

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  Results& results_;
  std::string place_;  // whose profile is loaded: "lab/step"
  std::optional<ImportedProfile> imported_;
  std::shared_ptr<const PreparedResult> compared_;  // what the comparison points into
};

}  // namespace warpshop::ui
