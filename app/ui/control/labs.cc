#include "control/labs.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/files.h"
#include "core/text_id.h"
#include "lab/translation.h"
#include "text/format.h"
#include "text/text.h"
#include "window/shell_open.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLabsTopic = "labs";  // topic of the notices about mistakes in them

// Every folder with files of labs, and those in which new labs may appear.
std::vector<fs::path> folders_of_labs(const lab::LabLibrary& labs) {
  std::set<fs::path> out;
  const auto add = [&](const fs::path& folder) {
    std::error_code error;
    if (folder.empty() || !fs::is_directory(folder, error)) return;
    out.insert(folder);
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      std::error_code ignored;
      if (at->is_directory(ignored)) out.insert(at->path());
    }
  };
  const lab::LabPlaces places = lab::lab_places();
  add(places.data / "labs");
  for (const fs::path& folder : places.own) add(folder);
  for (const lab::Lab& lab : labs.labs) {
    for (const fs::path& folder : {lab.folder, lab.kernel_folder, lab.solution_folder}) add(folder);
  }
  return {out.begin(), out.end()};
}

// A signature of the labs' files: names, sizes and times of modification. Ignores the temporary
// files of editors, which come and go while someone types.
std::string signature_of(const std::vector<fs::path>& folders) {
  std::string out;
  for (const fs::path& folder : folders) {
    std::error_code error;
    std::set<std::string> files;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const std::string name = at->path().filename().string(),
                        kind = at->path().extension().string();
      std::error_code ignored;
      if (name[0] == '.' || kind.empty() || kind.back() == '~' || kind == ".swp" ||
          !at->is_regular_file(ignored))
        continue;
      const auto written =
          static_cast<int64_t>(at->last_write_time(ignored).time_since_epoch().count());
      files.insert(name + " " + std::to_string(at->file_size(ignored)) + " " +
                   std::to_string(written));
    }
    out += folder.string() + "\n";
    for (const std::string& file : files) out += file + "\n";
  }
  return text_id(out);
}

// Keeps the previous version of a lab that now has mistakes,
// so that a half-written line does not close the step.
void keep_what_worked(const lab::LabLibrary& before, std::string_view open, lab::LabLibrary& now) {
  for (const lab::Lab& lab : before.labs) {
    const bool there = std::any_of(now.labs.begin(), now.labs.end(),
                                   [&](const lab::Lab& l) { return l.id == lab.id; });
    std::error_code ignored;
    if (!there && (lab.id == open || fs::exists(lab.folder / "lab.toml", ignored)))
      now.labs.push_back(lab);
  }
  std::sort(now.labs.begin(), now.labs.end(), [](const lab::Lab& a, const lab::Lab& b) {
    return std::tie(a.order, a.id) < std::tie(b.order, b.id);
  });
}

// Loads the labs in the window's language, and writes their sizes with its separators, since
// panels, findings and checks show them.
std::shared_ptr<lab::LabLibrary> load_library() {
  auto library =
      std::make_shared<lab::LabLibrary>(lab::load_labs_in(lab::lab_places(), language().id));
  for (lab::Lab& lab : library->labs) {
    for (lab::Step& step : lab.steps) {
      if (!step.exercise) continue;
      for (lab::ProblemSize& size : step.exercise->sizes) size.label = size_text(size.label);
      if (step.exercise->timed)
        step.exercise->timed->label = size_text(step.exercise->timed->label);
    }
  }
  return library;
}

}  // namespace

Labs::Labs(Shell& shell, Docks& docks, OpenWork& work, Results& results, Leaving& leaving,
           Runs& runs, Steps& steps)
    : shell_(shell),
      docks_(docks),
      work_(work),
      results_(results),
      leaving_(leaving),
      runs_(runs),
      steps_(steps) {
  CommandTable& commands = shell.commands;
  // Requested by the user, so report success as well.
  commands.on([this](const command::ReloadLabs&) {
    if (shell_.lecture.on()) {
      shell_.say(tr("End the lecture first, with Esc."));
      return;
    }
    reload();
    shell_.pictures.forget();
    watch();
    if (work_.labs->problems.empty()) {
      shell_.say(tr_count(work_.labs->labs.size(), "{} lab was read.", "{} labs were read."),
                 kLabsTopic);
    }
  });
  commands.on_work([this](const command::OpenOwnKernel& c) {
    shell_.dialog.open = Dialog::kOwnKernel;
    shell_.dialog.own_kernel.problems.clear();
    shell_.dialog.own_kernel.file.reset();
    if (!c.file.empty()) {
      shell_.dialog.own_kernel.read(c.file);
    } else {
      ask_for_file();
    }
  });
  commands.on_work([this](const command::MakeKernelLab&) {
    OwnKernelState& chosen = shell_.dialog.own_kernel;
    if (!chosen.file) return;
    Result<std::string> id = lab::create_kernel_lab(lab::lab_places(), lab::new_labs_folder(),
                                                    *chosen.file, chosen.form);
    if (!id.ok()) {
      chosen.problems = id.errors();
      return;
    }
    shell_.dialog.open = Dialog::kNone;
    chosen.file.reset();
    reload();
    watch();
    docks_.leave_home();
    steps_.open(*id, "kernel");
  });
  commands.on_work([this](const command::OpenKernelLab& c) {
    shell_.dialog.open = Dialog::kNone;
    shell_.dialog.own_kernel.file.reset();
    docks_.leave_home();
    steps_.open(c.lab, "kernel");
  });
  commands.on_work([this](const command::AskRemoveLab&) {
    const lab::Lab* lab = work_.session->lab();
    const fs::path place = lab::new_labs_folder();
    if (lab != nullptr && lab->own && lab->folder.parent_path() == place)
      shell_.dialog.open = Dialog::kRemoveLab;
    else
      shell_.say(tr("Only labs in {} can be removed: open one of them first.", place.string()));
  });
  commands.on_work([this](const command::RemoveLab&) {
    shell_.dialog.open = Dialog::kNone;
    const Result<fs::path> moved = lab::set_aside(*work_.session->lab());
    if (!moved.ok()) {
      shell_.say(moved.errors());
      return;
    }
    shell_.say(tr("The lab was moved to {}", moved->string()));
    reload(false);
    watch();
  });
  commands.on([this](const command::SetLanguage& c) {
    if (shell_.lecture.on()) {
      shell_.say(tr("A lecture has one language: end it first."));
      return;
    }
    Result<Catalogue> catalogue = load_language(data_dir(), c.id);
    if (!catalogue.ok()) {
      shell_.say(catalogue.errors());
      return;
    }
    use_language(std::move(catalogue).value());
    shell_.settings.language = c.id;
    // The labs switch as well, as far as they are translated.
    reload();
  });
}

Status Labs::start_language() {
  Result<Catalogue> english = load_language(data_dir(), "en");
  if (english.ok()) {
    use_language(*english);
  } else {
    shell_.say(english.errors());
  }
  const std::vector<std::string> known = ui::languages(data_dir());
  for (const std::string& id : known) {
    Result<Catalogue> catalogue = id == "en" ? english : load_language(data_dir(), id);
    languages_.emplace_back(id, catalogue.ok() ? catalogue->name : id);
  }
  const std::string wanted = !shell_.options.ui.language.empty() ? shell_.options.ui.language
                             : !shell_.settings.language.empty() ? shell_.settings.language
                                                                 : system_language(known);
  if (wanted == "en") return success();
  Result<Catalogue> chosen = load_language(data_dir(), wanted);
  if (chosen.ok()) {
    use_language(std::move(chosen).value());
  } else if (!shell_.options.ui.language.empty()) {
    return chosen.errors();
  } else {
    shell_.say(chosen.errors());
  }
  return success();
}

void Labs::load() {
  work_.labs = load_library();
  shell_.toasts.say_lasting(work_.labs->problems, shell_.now(), kLabsTopic);
}

void Labs::watch() {
  if (shell_.options.read_only) return;
  const std::vector<fs::path> folders = folders_of_labs(*work_.labs);
  if (!watch_) {
    watch_ = std::make_unique<FolderWatch>([this] {
      changed_ = true;
      GlWindow::wake();
    });
  }
  std::vector<fs::path> watched = folders;
  watched.push_back(user_dir());  // where the user's first lab creates the folder of labs
  watch_->watch(watched);
  signature_ = signature_of(folders);
}

void Labs::reload(bool keep_open) {
  // Owns the open step until the session has the new one.
  const std::shared_ptr<const lab::LabLibrary> before = work_.labs;
  std::shared_ptr<lab::LabLibrary> loaded = load_library();
  const bool open = keep_open && work_.session->lab() != nullptr;
  keep_what_worked(*before, open ? work_.session->lab()->id : "", *loaded);
  work_.labs = std::move(loaded);
  shell_.toasts.say_lasting(work_.labs->problems, shell_.now(), kLabsTopic);
  shell_.draw_frames(6);
  runs_.forget_solution();
  switch (work_.session->adopt(*work_.labs)) {
    case Session::Adopted::kSame:
      break;
    case Session::Adopted::kNewText:
      ++work_.text_revision;
      break;
    case Session::Adopted::kGone:
      return reopen(before);
  }
  if (work_.session->step()) work_.name_window();
  // Keep the results on screen until the run with the new rules, or in the new language, is there.
  if (results_.latest) runs_.submit();
}

void Labs::reopen(const std::shared_ptr<const lab::LabLibrary>& before) {
  std::string lab = work_.session->lab() ? work_.session->lab()->id : "";
  if (!find_lab(*work_.labs, lab)) lab.clear();  // the first one then
  if (work_.session->step()) {
    work_.leave_step();
    if (!work_.session->kept()) {  // the notices say why; the step stays open as it was
      work_.labs = before;
      return;
    }
    shell_.say(tr("The step is no longer in the lab. Your text is kept: {}",
                  work_.session->file().string()));
    runs_.forget();
  }
  auto session =
      std::make_unique<Session>(*work_.labs, shell_.options.read_only, leaving_.window_number());
  shell_.say(session->open_first(lab, "", "", ""));
  work_.session = std::move(session);
  if (work_.session->step()) {
    const std::string step = work_.session->step()->id, lab_now = work_.session->lab()->id;
    steps_.open(lab_now, step);
  }
}

std::shared_ptr<const lab::LabLibrary> Labs::take_changes_for_lecture() {
  const Lecture& lecture = shell_.lecture;
  if (!lecture.on() || !lecture.lab->own || !changed_.exchange(false)) return nullptr;
  due_after_lecture_ = true;
  std::string now = signature_of(folders_of_labs(*work_.labs));
  if (now == (lecture_signature_.empty() ? signature_ : lecture_signature_)) return nullptr;
  lecture_signature_ = std::move(now);
  shell_.pictures.forget();
  return load_library();
}

void Labs::take_changes() {
  if (shell_.lecture.on()) return;
  const bool due = std::exchange(due_after_lecture_, false);
  lecture_signature_.clear();
  if (changed_.exchange(false) || due) {
    const std::string before = signature_;
    watch();
    if (signature_ != before) {
      shell_.pictures.forget();
      reload();
      watch();  // a new lab may have its own folders
      if (work_.labs->problems.empty())
        shell_.say(tr("The labs have changed and were read again."), "labs");
    }
  }
}

}  // namespace warpshop::ui
