// Loads the labs at the start, and again when one of their files or the language changes.
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "app/lab_app.h"
#include "core/files.h"
#include "core/text_id.h"
#include "lab/translation.h"
#include "text/format.h"
#include "text/text.h"

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
      files.insert(name + " " + std::to_string(at->file_size(ignored)) + " " +
                   std::to_string(at->last_write_time(ignored).time_since_epoch().count()));
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

void App::load_labs() {
  labs_ = load_library();
  toasts_.say_lasting(labs_->problems, now(), kLabsTopic);
}

void App::watch_labs() {
  if (options_.read_only) return;
  const std::vector<fs::path> folders = folders_of_labs(*labs_);
  if (!labs_watch_) {
    labs_watch_ = std::make_unique<FolderWatch>([this] {
      labs_changed_ = true;
      GlWindow::wake();
    });
  }
  std::vector<fs::path> watched = folders;
  watched.push_back(user_dir());  // where the user's first lab creates the folder of labs
  labs_watch_->watch(watched);
  labs_signature_ = signature_of(folders);
}

void App::reload_labs() {
  // Owns the open step until the session has the new one.
  const std::shared_ptr<const lab::LabLibrary> before = labs_;
  std::shared_ptr<lab::LabLibrary> loaded = load_library();
  keep_what_worked(*before, session_->lab() ? session_->lab()->id : "", *loaded);
  labs_ = std::move(loaded);
  toasts_.say_lasting(labs_->problems, now(), kLabsTopic);
  frames_due_ = std::max(frames_due_, 6);
  solution_.reset();
  solution_job_ = 0;
  switch (session_->adopt(*labs_)) {
    case Session::Adopted::kSame:
      break;
    case Session::Adopted::kNewText:
      ++text_revision_;
      break;
    case Session::Adopted::kGone: {
      const std::string lab = session_->lab() ? session_->lab()->id : "";
      if (session_->step()) {
        leave_step();
        if (!session_->kept()) {  // the notices say why; the step stays open as it was
          labs_ = before;
          return;
        }
        toasts_.say(tr("The step is no longer in the lab. Your text is kept: {}",
                       session_->file().string()),
                    now());
        forget_results();
      }
      auto session = std::make_unique<Session>(*labs_, options_.read_only, instance_.window());
      say(session->open_first(lab, "", "", ""));
      session_ = std::move(session);
      if (session_->step()) {
        const std::string step = session_->step()->id, lab_now = session_->lab()->id;
        open_step(lab_now, step);
      }
      return;
    }
  }
  if (const lab::Step* step = session_->step()) {
    window_->set_title(step->title + " – " + session_->lab()->title + " – Warpshop");
  }
  // Keep the results on screen until the run with the new rules, or in the new language, is there.
  if (latest_) submit_run();
}

// Requested by the user, so report success as well.
void App::apply(const command::ReloadLabs&) {
  if (lecture_.on()) {
    toasts_.say(tr("End the lecture first, with Esc."), now());
    return;
  }
  reload_labs();
  pictures_.forget();
  watch_labs();
  if (labs_->problems.empty()) {
    toasts_.say(tr_count(labs_->labs.size(), "{} lab was read.", "{} labs were read."), now(),
                kLabsTopic);
  }
}

void App::apply(const command::OpenOwnKernel& c) {
  dialog_.open = Dialog::kOwnKernel;
  dialog_.own_kernel.problems.clear();
  if (!c.file.empty()) dialog_.own_kernel.read(c.file);
}

void App::apply(const command::MakeKernelLab&) {
  OwnKernelState& chosen = dialog_.own_kernel;
  if (!chosen.file) return;
  Result<std::string> id =
      lab::create_kernel_lab(lab::lab_places(), lab::new_labs_folder(), *chosen.file, chosen.form);
  if (!id.ok()) {
    chosen.problems = id.errors();
    return;
  }
  dialog_.open = Dialog::kNone;
  chosen.file.reset();
  reload_labs();
  watch_labs();
  leave_home();
  open_step(*id, "kernel");
}

void App::apply(const command::OpenKernelLab& c) {
  dialog_.open = Dialog::kNone;
  dialog_.own_kernel.file.reset();
  leave_home();
  open_step(c.lab, "kernel");
}

void App::apply(const command::SetLanguage& c) {
  if (lecture_.on()) {
    toasts_.say(tr("A lecture has one language: end it first."), now());
    return;
  }
  Result<Catalogue> catalogue = load_language(data_dir(), c.id);
  if (!catalogue.ok()) {
    toasts_.say(catalogue.errors(), now());
    return;
  }
  use_language(std::move(catalogue).value());
  settings_.language = c.id;
  // The labs switch as well, as far as they are translated.
  reload_labs();
}

}  // namespace warpshop::ui
