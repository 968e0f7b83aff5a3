// `warpshop watch`: checks at each save, in the student's own editor.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "background_check.h"
#include "cli/main_cli.h"
#include "commands.h"
#include "core/files.h"
#include "core/folder_watch.h"
#include "keyboard.h"
#include "lab/step_text.h"
#include "terminal.h"
#include "watch_screen.h"
#include "watched_lab.h"

namespace warpshop::cli {
namespace {

namespace fs = std::filesystem;

// Folders on other machines do not report changes: the files' times are compared as well.
constexpr int kLookMs = 500;

// A file's state, to tell whether it was saved.
struct Stamp {
  fs::file_time_type time{};
  uintmax_t size = 0;
  bool operator==(const Stamp&) const = default;
};

Stamp stamp_of(const fs::path& file) {
  std::error_code error;
  Stamp stamp;
  stamp.time = fs::last_write_time(file, error);
  stamp.size = error ? 0 : fs::file_size(file, error);
  return stamp;
}

enum class View { kExercise, kText, kList, kAskSolution, kSolution };

class Watch {
 public:
  Watch(const WatchOptions& options, const lab::Lab& lab, std::vector<WatchedExercise> exercises,
        models::GpuProfile gpu, lab::Runner runner, size_t first)
      : options_(options),
        lab_(lab),
        exercises_(std::move(exercises)),
        gpu_(std::move(gpu)),
        progress_(lab),
        check_(std::move(runner)),
        paint_(Paint::for_standard_output()),
        changes_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        folders_([this] {
          const uint64_t one = 1;
          [[maybe_unused]] const auto written = ::write(changes_.get(), &one, sizeof one);
        }),
        now_(first) {
    for (const WatchedExercise& exercise : exercises_) stamps_.push_back(stamp_of(exercise.file));
  }

  int run() {
    problem_ = progress_.problems();
    watch_folders();
    if (!keyboard_.is_there() && !options_.step_named && finished()) {
      print(screen().bar() + screen().all_passed());
      return kAllPassed;
    }
    if (options_.step_named || !progress_.passed(step())) {
      open(now_);
    } else {
      open_next();
    }
    while (!quits_ && signals_seen_.end == 0) wait();
    keyboard_.restore();
    return signals_seen_.end == 0 ? kAllPassed : 128 + signals_seen_.end;
  }

 private:
  const lab::Step& step() const { return *exercises_[now_].step; }

  bool finished() const {
    return std::all_of(exercises_.begin(), exercises_.end(),
                       [&](const WatchedExercise& one) { return progress_.passed(*one.step); });
  }

  WatchScreen screen() const {
    return {lab_, exercises_, progress_, static_cast<size_t>(terminal_width()), paint_};
  }

  void watch_folders() {
    std::vector<fs::path> folders;
    for (const WatchedExercise& exercise : exercises_) {
      const fs::path folder = exercise.file.parent_path();
      if (std::find(folders.begin(), folders.end(), folder) == folders.end())
        folders.push_back(folder);
    }
    folders_.watch(folders);
  }

  void wait() {
    std::array<pollfd, 4> fds = {
        pollfd{signals_.descriptor(), POLLIN, 0}, pollfd{changes_.get(), POLLIN, 0},
        pollfd{check_.descriptor(), POLLIN, 0},
        pollfd{keyboard_.is_there() ? STDIN_FILENO : -1, POLLIN, 0}};  // -1 is skipped
    ::poll(fds.data(), fds.size(), kLookMs);
    signals_seen_ = signals_.take();
    if (signals_seen_.end != 0) return;
    if (signals_seen_.continued) keyboard_.take();
    if (signals_seen_.resized || signals_seen_.continued) show();
    if (keyboard_.is_there()) take_keys((fds[3].revents & (POLLHUP | POLLERR)) != 0);
    if (quits_) return;
    uint64_t count = 0;
    if (::read(changes_.get(), &count, sizeof count) > 0) watch_folders();
    look_at_files();
    if (std::optional<lab::RunResult> result = check_.take()) take_result(std::move(*result));
  }

  // Saving an earlier exercise goes back to it; a later one waits for its turn.
  void look_at_files() {
    for (size_t i = 0; i < exercises_.size(); ++i) {
      const Stamp stamp = stamp_of(exercises_[i].file);
      if (stamp == stamps_[i]) continue;
      stamps_[i] = stamp;
      if (i > now_) continue;
      if (i < now_ || view_ != View::kExercise) {
        open(i);
      } else {
        check();
      }
      return;  // the others' turn comes in a moment
    }
  }

  void open(size_t exercise) {
    now_ = exercise;
    text_.reset();
    view_ = View::kExercise;
    check();
  }

  // The next exercise that is not passed, wrapping around after the last.
  void open_next() {
    const size_t count = exercises_.size();
    size_t next = (now_ + 1) % count;
    for (size_t i = 0; i < count && progress_.passed(*exercises_[next].step); ++i)
      next = (next + 1) % count;
    if (next == now_ && count == 1) say("This is the only exercise here.");
    open(next);
  }

  // Reads the file and checks its text, unless that is what was checked last.
  void check(bool again = false) {
    const WatchedExercise& exercise = exercises_[now_];
    Result<std::string> text = read_file(exercise.file);
    if (!text.ok()) {
      // Some editors remove a file before they write it.
      problem_ = text.errors();
      text_.reset();
      result_.reset();
      show();
      return;
    }
    if (!again && text_ == *text) return show();
    text_ = *text;
    result_.reset();
    lab::RunRequest request;
    request.lab = &lab_;
    request.step = exercise.step;
    request.source = std::move(*text);
    request.file_name = exercise.shown;
    request.gpu = gpu_;
    request.instruction_budget = options_.budget;
    request.timeline_warps = 0;
    check_.start(std::move(request));
    show();
  }

  void take_result(lab::RunResult result) {
    if (result.stopped) return;
    // An untouched skeleton is no attempt.
    if (result.source != step().exercise->skeleton) note(progress_.note_run(step(), result));
    result_ = std::move(result);
    show();
    if (!result_->passed || keyboard_.is_there()) return;
    if (finished()) {
      quits_ = true;
      return;
    }
    print("\n");
    open_next();
  }

  void take_keys(bool hung_up) {
    quits_ |= hung_up;
    while (const std::optional<Key> key = keyboard_.read()) {
      if (key->kind == KeyKind::kEnd) quits_ = true;
      if (quits_) return;
      take_key(*key);
    }
  }

  void take_key(const Key& key) {
    const bool is_character = key.kind == KeyKind::kCharacter;
    if (is_character && key.character == 'q') {
      quits_ = true;
    } else if (view_ == View::kList) {
      take_list_key(key);
    } else if (view_ == View::kAskSolution) {
      if (is_character && key.character == 'y') {
        note(progress_.note_solution(step()));
        view_ = View::kSolution;
      } else {
        view_ = View::kExercise;
      }
      show();
    } else if (view_ == View::kSolution || view_ == View::kText) {
      view_ = View::kExercise;
      show();
    } else if (is_character) {
      take_command(key.character);
    }
  }

  void take_list_key(const Key& key) {
    const char c = key.kind == KeyKind::kCharacter ? key.character : '\0';
    const size_t count = exercises_.size();
    if (key.kind == KeyKind::kUp || c == 'k') {
      chosen_ = (chosen_ + count - 1) % count;
    } else if (key.kind == KeyKind::kDown || c == 'j') {
      chosen_ = (chosen_ + 1) % count;
    } else if (key.kind == KeyKind::kEnter) {
      return open(chosen_);
    } else {
      view_ = View::kExercise;
    }
    show();
  }

  void take_command(char c) {
    switch (c) {
      case 'h':
        show_hint();
        break;
      case 'n':
        open_next();
        break;
      case 'r':
        check(true);
        break;
      case 'l':
        chosen_ = now_;
        view_ = View::kList;
        show();
        break;
      case 's':
        ask_solution();
        break;
      case 't':
        view_ = View::kText;
        show();
        break;
      default:
        break;
    }
  }

  void show_hint() {
    const size_t hints = step().exercise->hints.size();
    if (static_cast<size_t>(progress_.of(step()).hints_shown) < hints) {
      note(progress_.note_hint(step()));
    } else {
      say(hints == 0 ? "This exercise has no hints." : "There are no more hints.");
    }
    show();
  }

  void ask_solution() {
    const lab::StepProgress progress = progress_.of(step());
    if (!step().exercise->has_solution()) {
      say("There is no solution: the kernel is yours.");
    } else {
      const bool known = progress.passed || progress.solution_shown;
      view_ = known ? View::kSolution : View::kAskSolution;
    }
    show();
  }

  void say(const std::string& text) { said_ = text; }

  void note(const Status& status) {
    if (!status.ok()) problem_ = status.errors();
  }

  void show() {
    if (keyboard_.is_there()) clear_screen();
    const WatchScreen screen = this->screen();
    std::string out;
    switch (view_) {
      case View::kExercise:
        out = exercise_view(screen);
        break;
      case View::kText:
        out = std::string(lab::parts_of(step().text).before) + "\n" +
              keys({{"any key", "back"}, {"q", "quit"}});
        break;
      case View::kList:
        out = screen.list(chosen_) + "\n" +
              keys({{"↑↓", "choose"}, {"Enter", "open"}, {"any other key", "back"}, {"q", "quit"}});
        break;
      case View::kAskSolution:
        out = screen.heading(now_) + "\n" + solution_question() +
              keys({{"y", "show the solution"}, {"any other key", "not yet"}, {"q", "quit"}});
        break;
      case View::kSolution:
        out = paint_.strong("The worked solution") + "\n\n" + step().exercise->solution + "\n" +
              keys({{"any key", "back"}, {"q", "quit"}});
        break;
    }
    if (!problem_.empty()) print_error(render(problem_) + "\n");
    problem_.clear();
    print(out);
    if (!said_.empty()) print(said_ + "\n");
    said_.clear();
    std::fflush(stdout);
  }

  std::string exercise_view(const WatchScreen& screen) const {
    const bool has_keys = keyboard_.is_there();
    if (!has_keys && !result_) return text_ ? screen.heading(now_) : std::string();
    std::string out = has_keys ? screen.heading(now_) : std::string();
    out += "\n" + (result_ ? screen.verdict(*result_)
                   : text_ ? paint_.quiet("checking …") + "\n"
                           : std::string());
    const std::string hints = screen.hints(step());
    const bool passed = result_ && result_->passed;
    if (has_keys && !passed && !hints.empty()) out += "\n" + hints;
    out += "\n" + screen.bar();
    if (finished()) out += screen.all_passed();
    if (!has_keys) return out;
    return out + keys({{"t", "whole text"},
                       {"h", "hint"},
                       {"n", passed ? "next exercise" : "skip"},
                       {"l", "list"},
                       {"s", "solution"},
                       {"r", "check again"},
                       {"q", "quit"}});
  }

  std::string solution_question() const {
    const auto shown = static_cast<size_t>(progress_.of(step()).hints_shown);
    const size_t hints = step().exercise->hints.size();
    const size_t left = hints - std::min(hints, shown);
    return std::string("Look at the solution? You learn most from your own attempt") +
           (left == 0   ? std::string()
            : left == 1 ? ", and 1 hint is left"
                        : ", and " + std::to_string(left) + " hints are left") +
           ". Your file stays as it is.\n\n";
  }

  std::string keys(const std::vector<std::pair<std::string, std::string>>& all) const {
    std::string out;
    for (const auto& [key, what] : all)
      out += (out.empty() ? "" : "   ") + paint_.strong(key) + " " + paint_.quiet(what);
    return out + "\n";
  }

  const WatchOptions& options_;
  const lab::Lab& lab_;
  std::vector<WatchedExercise> exercises_;
  models::GpuProfile gpu_;
  WatchedProgress progress_;
  BackgroundCheck check_;
  TerminalSignals signals_;
  Keyboard keyboard_;
  Paint paint_;
  Descriptor changes_;  // written to by `folders_`
  FolderWatch folders_;
  TerminalSignals::Seen signals_seen_;
  std::vector<Stamp> stamps_;             // of the exercises' files
  size_t now_ = 0;                        // the exercise shown
  std::optional<std::string> text_;       // checked, or being checked
  std::optional<lab::RunResult> result_;  // of `text_`; none: not yet
  View view_ = View::kExercise;
  size_t chosen_ = 0;  // in the list
  bool quits_ = false;
  Diagnostics problem_;  // shown once
  std::string said_;     // likewise
};

// The exercises that the options name, and the one to start with.
Result<std::vector<WatchedExercise>> exercises_of(const WatchOptions& options, const lab::Lab& lab,
                                                  const lab::Step* step) {
  if (options.file.empty()) {
    std::error_code ignored;
    return watched_exercises(
        lab, options.dir.empty() ? fs::path() : fs::absolute(path_as_typed(options.dir), ignored));
  }
  if (step == nullptr) {
    return make_error(
        "usage",
        "a file needs the step that it is for: warpshop watch " + lab.id + "/STEP " + options.file,
        "to list the steps: warpshop labs");
  }
  return std::vector{watched_file(*step, path_as_typed(options.file))};
}

}  // namespace

int watch_command(const WatchOptions& given) {
  WatchOptions options = given;
  const LabPlace place = split_place(options.place);
  const Result<lab::Lab> lab = lab_named(place.lab);
  if (!lab.ok()) return fail(lab.errors());
  const lab::Step* step = nullptr;
  if (!place.step.empty()) {
    const Result<const lab::Step*> named = step_named(*lab, place.step);
    if (!named.ok()) return fail(named.errors());
    step = *named;
    if (!step->exercise) {
      return fail({make_error(
          "usage", "the step " + options.place + " is for reading: there is nothing to check")});
    }
    options.step_named = true;
  }
  Result<std::vector<WatchedExercise>> exercises = exercises_of(options, *lab, step);
  if (!exercises.ok()) return fail(exercises.errors());
  const Result<models::GpuProfile> gpu = gpu_named(options.gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) {
    print_error(render(runner.errors()) + "\n");
    return kToolFailed;
  }
  size_t written = 0;
  for (WatchedExercise& exercise : *exercises) {
    const Status missing = write_if_missing(exercise);
    if (!missing.ok()) return fail(missing.errors());
    written += exercise.is_written ? 1 : 0;
  }
  if (written > 0) {
    print(std::to_string(written) + (written == 1 ? " file" : " files") + " to start from: " +
          (exercises->size() == 1 ? exercises->front().file : exercises->front().file.parent_path())
              .string() +
          "\n");
  }
  size_t first = 0;
  for (size_t i = 0; i < exercises->size(); ++i) {
    if ((*exercises)[i].step == step) first = i;
  }
  return Watch(options, *lab, std::move(*exercises), *gpu, std::move(*runner), first).run();
}

}  // namespace warpshop::cli
