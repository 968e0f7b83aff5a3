#include "control/profiles.h"

#include <utility>

#include "core/files.h"
#include "text/text.h"

namespace warpshop::ui {

namespace fs = std::filesystem;

bool is_profile_file(const fs::path& file) {
  const fs::path extension = file.extension();
  return extension == ".csv" || extension == ".ncu-rep" || extension == ".nsight-cuprof-report";
}

Profiles::Profiles(Shell& shell, Docks& docks, OpenWork& work, Results& results)
    : shell_(shell), docks_(docks), work_(work), results_(results) {
  CommandTable& commands = shell.commands;
  commands.on_work([this](const command::ImportProfile& c) {
    if (!work_.has_kernel()) {
      shell_.say(tr("This step has no kernel to compare a profile with."));
      return;
    }
    shell_.dialog.profile_problems.clear();
    if (c.file.empty()) {
      shell_.dialog.open = Dialog::kProfile;
    } else {
      import_file(c.file);
    }
  });
  commands.on_work([this](const command::RemoveProfile&) {
    if (!imported_) {
      shell_.say(tr("No profile was imported for this step."));
      return;
    }
    const std::string name = imported_->profile.file;
    imported_.reset();
    if (!shell_.options.read_only) remove_copies({});
    shell_.say(tr("The profile {} was removed.", name));
  });
}

fs::path Profiles::folder() const {
  return user_dir() / "profiles" / work_.session->lab()->id / work_.session->step()->id;
}

// A file that cannot be used changes nothing: its problems are shown in the dialog.
void Profiles::import_file(const std::string& file) {
  Result<lab::Profile> profile = lab::load_profile(file);
  if (!profile.ok()) {
    shell_.dialog.profile_problems = profile.errors();
    shell_.dialog.profiles.path = file;
    shell_.dialog.open = Dialog::kProfile;
    return;
  }
  if (!shell_.options.read_only) shell_.say(keep(file));
  shell_.dialog.open = Dialog::kNone;
  docks_.leave_home();
  imported_ = ImportedProfile{std::move(*profile), {}, {}};
  compared_.reset();
  compare();
  shell_.say(tr_count(imported_->profile.launches.size(), "{1}: {} launch was read.",
                      "{1}: {} launches were read.", imported_->profile.file));
  // Above the counters as well, but they may be scrolled.
  if (!imported_->problems.empty()) shell_.say(imported_->problems);
  docks_.show("counters");
}

Status Profiles::keep(const fs::path& file) const {
  const Result<std::string> text = read_file(file);
  if (!text.ok()) return text.errors();
  const fs::path copy = folder() / file.filename();
  const Status written = write_file_atomically(copy, *text);
  if (written.ok()) remove_copies(copy);
  return written;
}

void Profiles::remove_copies(const fs::path& except) const {
  std::error_code error;
  for (fs::directory_iterator at(folder(), error), end; !error && at != end; at.increment(error)) {
    if (at->path() == except || !is_profile_file(at->path())) continue;
    std::error_code failed;
    fs::remove(at->path(), failed);
    if (failed) {
      shell_.say(Diagnostics{
          make_error("file", tr("cannot remove {}: {}", at->path().string(), failed.message()))});
    }
  }
}

void Profiles::follow() {
  const std::string place = work_.has_kernel() ? work_.session->place() : "";
  if (place == place_) return;
  place_ = place;
  imported_.reset();
  compared_.reset();
  if (place.empty() || shell_.options.read_only) return;
  std::error_code error;
  for (fs::directory_iterator at(folder(), error), end; !error && at != end; at.increment(error)) {
    if (!is_profile_file(at->path())) continue;
    Result<lab::Profile> profile = lab::load_profile(at->path());
    if (profile.ok()) {
      imported_ = ImportedProfile{std::move(*profile), {}, {}};
    } else {
      shell_.say(profile.errors());
    }
    return;
  }
}

void Profiles::compare() {
  if (!imported_ || !results_.prepared || compared_ == results_.prepared) return;
  compared_ = results_.prepared;
  imported_->sizes.clear();
  imported_->problems.clear();
  Result<std::vector<lab::ProfiledSize>> sizes =
      lab::compare_profile(imported_->profile, compared_->result);
  if (sizes.ok()) {
    imported_->sizes = std::move(*sizes);
  } else {
    imported_->problems = sizes.errors();
  }
}

void Profiles::show_in(View& view) {
  compare();
  if (imported_ && !shell_.lecture.on()) view.profile = &*imported_;
}

}  // namespace warpshop::ui
