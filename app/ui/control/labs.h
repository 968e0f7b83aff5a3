// Loads the labs at the start, and again when one of their files or the language changes.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/shell.h"
#include "control/docks.h"
#include "control/leaving.h"
#include "control/open_work.h"
#include "control/results.h"
#include "control/runs.h"
#include "control/steps.h"
#include "core/folder_watch.h"

namespace warpshop::ui {

class Labs {
 public:
  Labs(Shell& shell, Docks& docks, OpenWork& work, Results& results, Leaving& leaving, Runs& runs,
       Steps& steps);

  // Falls back to English if the selected language's file has errors, and reports each with its
  // line. A language requested by name must exist.
  Status start_language();
  void load();
  void watch();
  void take_changes();
  // Changed labs while a lecture of one's own lab is given, for its script; the student's step
  // follows when it is over. Null: nothing has changed.
  std::shared_ptr<const lab::LabLibrary> take_changes_for_lecture();
  const std::vector<std::pair<std::string, std::string>>& languages() const { return languages_; }

 private:
  // Keeps the open step, its text and its results; without `keep_open`, only if its lab is there.
  void reload(bool keep_open = true);
  void reopen(const std::shared_ptr<const lab::LabLibrary>& before);  // the step is gone

  Shell& shell_;
  Docks& docks_;
  OpenWork& work_;
  Results& results_;
  Leaving& leaving_;
  Runs& runs_;
  Steps& steps_;
  std::vector<std::pair<std::string, std::string>> languages_;  // id and name
  std::atomic<bool> changed_{false};
  std::unique_ptr<FolderWatch> watch_;
  std::string signature_;          // of the files from which the labs were loaded
  std::string lecture_signature_;  // of those from which the lecture's script was read again
  bool due_after_lecture_ = false;
};

}  // namespace warpshop::ui
