#include "app/lab_app.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "app/actions.h"
#include "core/files.h"
#include "device/worker.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/export_menu.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kLiveOutputSeconds = 0.3;
constexpr double kRunningFrameSeconds = 1.0 / 20;  // the cores belong to the emulator
constexpr double kActiveSeconds = 0.8;  // after input, for delayed tooltips and animated changes
constexpr double kIdleSeconds = 60;
constexpr double kClockSeconds = 1;  // the lecture's clock
constexpr double kLastWaitSeconds = 2;
constexpr const char* kCompilerTopic = "compiler";  // topic of the notice that it is still busy

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

App::App(AppOptions options) : options_(std::move(options)), start_s_(steady_seconds()) {}

App::~App() {
  leave_step();
  if (session_ && !lecture_.on() && !session_->place().empty() &&
      editor_.shown == session_->place()) {
    const EditorPanelState::Left place = editor_.place();
    settings_.caret_line = static_cast<int>(place.line);
    settings_.caret_column = static_cast<int>(place.column);
    settings_.top_line = static_cast<int>(place.top);
  }
  save_layout();
  if (window_ && !options_.read_only) {
    if (!options_.own_size) {
      settings_.maximized = window_->maximized();
      if (!settings_.maximized)
        window_->size_in_window(settings_.window_width, settings_.window_height);
    }
    if (Status saved = save_settings(settings_); !saved.ok()) {
      std::fprintf(stderr, "%s\n", render(saved.errors()).c_str());
    }
  }
  // Everything is saved, so do not wait for a compiler that takes minutes.
  if (worker_ && !worker_->ends_within(kLastWaitSeconds)) std::_Exit(0);
  film_worker_.reset();
  report_worker_.reset();
  sass_worker_.reset();
  worker_.reset();
  devices_.reset();
  watch_.reset();
  labs_watch_.reset();
  system_theme_.reset();
  editor_.editor.reset();
  dialog_.diff.reset();
}

Result<std::unique_ptr<App>> App::create(AppOptions options) {
  std::unique_ptr<App> app(new App(std::move(options)));
  if (Status started = app->start(); !started.ok()) return started.errors();
  return app;
}

Status App::start() {
  register_commands();
  if (!options_.read_only) {
    LoadedSettings loaded = load_settings();
    settings_ = std::move(loaded.settings);
    toasts_.say(loaded.problems, now());
  } else {
    settings_.motion = false;
  }
  saved_settings_ = settings_;
  use_keys(settings_.keys);
  if (options_.ui.theme == "dark") settings_.theme = ThemeChoice::kDark;
  if (options_.ui.theme == "light") settings_.theme = ThemeChoice::kLight;
  if (options_.ui.theme == "system") settings_.theme = ThemeChoice::kSystem;
  for (const Mode mode : kModes) {
    if (options_.ui.mode == name_of(mode)) settings_.mode = mode;
  }
  if (Status spoken = start_language(); !spoken.ok()) return spoken;
  if (options_.ui.zoom > 0) {
    settings_.zoom = clamp_zoom(options_.ui.zoom);
    settings_.lecture_zoom = std::min(settings_.zoom, kMaxLectureZoom);
  }
  if (!options_.ui.gpu.empty()) settings_.gpu = options_.ui.gpu;
  if (!options_.own_size) {
    options_.window.width = settings_.window_width;
    options_.window.height = settings_.window_height;
    options_.window.maximized = settings_.maximized;
  }

  Result<std::unique_ptr<GlWindow>> window = GlWindow::open(options_.window);
  if (!window.ok()) return window.errors();
  window_ = std::move(window).value();

  load_labs();
  Diagnostics unreadable;
  Result<std::vector<models::GpuProfile>> gpus = models::load_gpu_profiles(data_dir(), &unreadable);
  if (!unreadable.empty()) toasts_.say(unreadable, now());
  if (gpus.ok()) {
    gpus_ = std::move(gpus).value();
  } else {
    toasts_.say(gpus.errors(), now());
  }
  if (!gpu() && !gpus_.empty()) {
    const bool asked = !options_.ui.gpu.empty();
    if (asked) {
      return models::find_gpu_profile(data_dir(), options_.ui.gpu).errors();
    }
    settings_.gpu = gpus_.front().id;
  }
  say(load_fonts(data_dir() / "fonts", fonts_));

  system_theme_ = std::make_unique<SystemTheme>([] { GlWindow::wake(); });
  system_theme_->ask();
  worker_ = std::make_unique<RunWorker>(options_.runner ? options_.runner : make_lab_runner(),
                                        [] { GlWindow::wake(); });
  film_worker_ = std::make_unique<FilmWorker>([] { GlWindow::wake(); });
  report_worker_ = std::make_unique<ReportWorker>([] { GlWindow::wake(); });
  sass_worker_ = std::make_unique<SassWorker>([] { GlWindow::wake(); });
  devices_ = std::make_unique<Devices>(
      options_.driver.value_or(!options_.read_only && device::driver_is_installed()), [this] {
        devices_changed_ = true;
        GlWindow::wake();
      });
  use_devices();
  watch_ = std::make_unique<FolderWatch>([this] {
    folder_changed_ = true;
    GlWindow::wake();
  });
  begin_beside_other_windows();
  session_ = std::make_unique<Session>(*labs_, options_.read_only, instance_.window());
  toasts_.say(session_->problems(), now());
  watch_labs();
  Status opened =
      session_->open_first(options_.ui.lab, options_.ui.step, settings_.lab, settings_.step);
  if (!opened.ok()) {
    if (!options_.ui.lab.empty()) return opened;
    say(opened);
  }
  if (session_->step()) {
    const std::string lab = session_->lab()->id, step = session_->step()->id;
    if (session_->step()->exercise && lab == settings_.lab && step == settings_.step) {
      editor_.left = {static_cast<size_t>(settings_.caret_line),
                      static_cast<size_t>(settings_.caret_column),
                      static_cast<size_t>(settings_.top_line)};
    }
    open_step(lab, step);
  }
  if (options_.ui.mode == "lecture") {
    apply(command::GiveLecture{});
    if (!lecture_.on()) return make_error("labs", "this lab has no script for a lecture");
    const auto last = lecture_.demo().scenes.size();
    open_scene(std::min(static_cast<size_t>(options_.ui.scene), last) - 1, options_.ui.revealed);
  }
  // A new student sees the page of all labs, and is offered the tour.
  if (options_.tour && options_.ui.lab.empty() && session_->all_progress().steps.empty() &&
      !lecture_.on()) {
    apply(command::OpenHome{});
    if (settings_.tour.empty()) settings_.tour_open = false;
  }
  // A student who closed the window at its last card has seen the whole tour.
  if (settings_.tour_open && options_.tour && settings_.tour != tour_steps().back().id) {
    facts_.exercise = !home_.open && session_->step() && session_->step()->exercise;
    tour_.resume(settings_.tour, facts_);
    keep_tour();
  }
  return success();
}

// Falls back to English if the selected language's file has errors, and reports each with its line.
// A language requested by name must exist.
Status App::start_language() {
  Result<Catalogue> english = load_language(data_dir(), "en");
  if (english.ok()) {
    use_language(*english);
  } else {
    toasts_.say(english.errors(), now());
  }
  const std::vector<std::string> known = languages(data_dir());
  for (const std::string& id : known) {
    Result<Catalogue> catalogue = id == "en" ? english : load_language(data_dir(), id);
    languages_.emplace_back(id, catalogue.ok() ? catalogue->name : id);
  }
  const std::string wanted = !options_.ui.language.empty() ? options_.ui.language
                             : !settings_.language.empty() ? settings_.language
                                                           : system_language(known);
  if (wanted == "en") return success();
  Result<Catalogue> chosen = load_language(data_dir(), wanted);
  if (chosen.ok()) {
    use_language(std::move(chosen).value());
  } else if (!options_.ui.language.empty()) {
    return chosen.errors();
  } else {
    toasts_.say(chosen.errors(), now());
  }
  return success();
}

double App::now() const { return steady_seconds() - start_s_; }

void App::say(const Status& status) {
  if (!status.ok()) toasts_.say(status.errors(), now());
}

// Makes every character of the text displayable, or reports once that some are not.
void App::find_font_for(std::string_view text) {
  const std::vector<ImWchar> beyond = characters_beyond(text);
  if (beyond.empty() || characters_missed_ || !fonts_.code.font) return;
  if (!std::exchange(fallback_fonts_, true)) {
    add_fallback_fonts(find_fallback_fonts(system_font_folders()), fonts_);
    frames_due_ = std::max(frames_due_, 3);
  }
  characters_missed_ = std::any_of(beyond.begin(), beyond.end(),
                                   [&](ImWchar c) { return !fonts_.code.font->IsGlyphInFont(c); });
  if (characters_missed_) {
    toasts_.say(tr("This text has characters that no font here can show. The fonts Noto Sans CJK "
                   "and Noto Emoji have most of them."),
                now());
  }
}

double App::idle_timeout() const {
  const double t = now();
  if (frames_due_ > 0 || t < active_until_s_) {
    return std::max(0.0, last_frame_s_ + kFrameSeconds - t);
  }
  double until = t + kIdleSeconds;
  if (!job_done_ || devices_->measuring()) {
    until = std::min(until, last_frame_s_ + kRunningFrameSeconds);
  }
  if (run_due_s_ > 0) until = std::min(until, run_due_s_);
  if (autosave_due_s_ > 0) until = std::min(until, autosave_due_s_);
  until = std::min(until, std::max(toasts_.next_change_s(t), last_frame_s_ + kFrameSeconds));
  if (lecture_.clock) until = std::min(until, std::max(t, last_frame_s_ + kClockSeconds));
  if (const double rests_s = mouse_rests_at_s(); rests_s > last_frame_s_)
    until = std::min(until, std::max(t, rests_s));
  if (film_playing_) until = std::min(until, std::max(t, film_due_s_));
  return std::max(0.001, until - t);
}

void App::take_events() {
  // During a lecture the student's file is not touched; it is read again afterwards.
  if (folder_changed_.exchange(false) && !lecture_.on()) {
    switch (session_->look_outside()) {
      case Session::Outside::kNothing:
        break;
      case Session::Outside::kTaken:
        text_replaced();
        toasts_.say(tr("Another program changed the file: its text was taken over."), now());
        break;
      case Session::Outside::kConflict:
        dialog_.open = Dialog::kConflict;
        break;
    }
    frames_due_ = 3;
  }
  // A lecture keeps the script with which it started.
  if (!lecture_.on() && labs_changed_.exchange(false)) {
    const std::string before = labs_signature_;
    watch_labs();
    if (labs_signature_ != before) {
      pictures_.forget();
      reload_labs();
      watch_labs();  // a new lab may have its own folders
      if (labs_->problems.empty())
        toasts_.say(tr("The labs have changed and were read again."), now(), "labs");
    }
  }
  if (window_->gained_focus()) system_theme_->ask();
  if (std::string file = window_->take_dropped_file(); !file.empty())
    queue_.push(command::OpenOwnKernel{std::move(file)});
  take_run_updates();
  take_measured();
  take_film_news();
  take_report();
  if (sass_worker_->take_news()) frames_due_ = std::max(frames_due_, 2);
  if (health_due_.valid() &&
      health_due_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    health_ = health_due_.get();
    frames_due_ = 3;
  }
}

void App::run_timers() {
  const double t = now();
  if (run_due_s_ > 0 && t >= run_due_s_) {
    run_due_s_ = 0;
    submit_run();
    frames_due_ = 3;
  }
  const bool compiling = !job_done_ && stages_.front().state == lab::StageState::kRunning;
  if (!slow_compiler_.slow(compiling, t)) {
    if (std::exchange(slow_compiler_told_, false)) toasts_.drop(kCompilerTopic);
  } else if (!std::exchange(slow_compiler_told_, true)) {
    toasts_.say_lasting({make_error("compile", tr("The compiler is still busy with your text"),
                                    tr("It cannot be interrupted. Go on editing: the newest text "
                                       "runs as soon as it is done."))},
                        t, kCompilerTopic);
  }
  play_film();
  if (other_window_due_ && layout_ && layout_settles_ == 0 && focus_panel_.empty()) {
    other_window_due_ = false;
    dialog_.open = Dialog::kOtherWindow;
    frames_due_ = std::max(frames_due_, 3);
  }
  if (autosave_due_s_ > 0 && t >= autosave_due_s_) {
    autosave_due_s_ = 0;
    say(session_->autosave());
  }
  if (!(settings_ == saved_settings_) && !options_.read_only && frames_due_ == 0) {
    saved_settings_ = settings_;
    say(save_settings(settings_));
  }
}

bool App::frame(bool wait) {
  if (window_->wants_close() && may_close()) return false;
  const bool input = window_->wait(wait ? idle_timeout() : 0);
  if (input) {
    active_until_s_ = now() + (settings_.motion ? kActiveSeconds : 0.6);
    frames_due_ = std::max(frames_due_, 3);
  }
  take_events();
  run_timers();
  const double t = now();
  const bool clock = lecture_.clock && t - last_frame_s_ >= kClockSeconds * 0.95;
  const bool rests = mouse_rests_at_s() > last_frame_s_ && mouse_rests_at_s() <= t;
  const bool due =
      !wait || clock || rests || frames_due_ > 0 || t < active_until_s_ ||
      toasts_.next_change_s(t) <= t ||
      ((!job_done_ || devices_->measuring()) && t - last_frame_s_ >= kRunningFrameSeconds * 0.95);
  if (!due) return true;
  if (wait && !input && t - last_frame_s_ < kFrameSeconds * 0.9) return true;
  draw_now();
  return true;
}

void App::draw_now() {
  if (frames_due_ > 0) --frames_due_;
  last_frame_s_ = now();
  update_look();
  if (layout_ && layout_rebuild_) save_layout();
  const double start = thread_cpu_seconds();
  window_->begin_frame();
  update_view();
  update_tour();
  draw();
  use_magnifier();
  pictures_.end_frame();
  const double built = thread_cpu_seconds();
  window_->end_frame(look()->panel);
  const double rendered = thread_cpu_seconds();
  times_.last_build_ms = (built - start) * 1e3;
  times_.last_render_ms = (rendered - built) * 1e3;
  const double weight = times_.frames < 10 ? 0.5 : 0.05;
  times_.build_ms += ((built - start) * 1e3 - times_.build_ms) * weight;
  times_.render_ms += ((rendered - built) * 1e3 - times_.render_ms) * weight;
  ++times_.frames;
  if (edited_at_s_ > 0 && latest_ && !view_.latest_stale && !latest_->preview) {
    edit_to_result_s_ = now() - edited_at_s_;
    edited_at_s_ = 0;
  }
  if (const Pointing pointing = queue_.take_pointing(); !(pointing == pointing_)) {
    pointing_ = pointing;
    frames_due_ = std::max(frames_due_, 1);
  }
  if (editor_.left_frames > 0) frames_due_ = std::max(frames_due_, 2);
  if (editor_.point_at > 0)
    frames_due_ = std::max(frames_due_, 2);  // scrolling to the line takes some frames to settle
  save_panel_picture();
  if (export_frames_ > 0 && --export_frames_ == 0 && export_asked() != ExportAsked::kNothing) {
    export_asked() = ExportAsked::kNothing;
    toasts_.say(tr("Choose a panel first: this one has nothing to export."), now());
  }
  apply_commands();
}

void App::update_look() {
  const bool dark = settings_.theme == ThemeChoice::kDark ||
                    (settings_.theme == ThemeChoice::kSystem && system_theme_->dark());
  const Theme* theme = dark ? &dark_theme() : &light_theme();
  const float zoom = lecture_.on() ? hall_zoom() : settings_.zoom;
  const float scale = zoom * window_->display_scale();
  // A tooltip would cover the slide: in a lecture they appear only while Ctrl is held.
  const bool tooltips = !lecture_.on() || ImGui::GetIO().KeyCtrl;
  look() = {theme,
            &fonts_,
            scale,
            lecture_.on() ? kHallNumber : kNumber,
            settings_.motion,
            settings_.digits,
            tooltips,
            &pictures_};
  if (theme != style_theme_ || scale != scale_) {
    if (scale_ != 0 && scale != scale_ && !settings_.layout_changed) layout_rebuild_ = true;
    style_theme_ = theme;
    scale_ = scale;
    apply_style(*theme, scale);
    ImGui::GetStyle().FontScaleMain = scale;
    frames_due_ = std::max(frames_due_, 3);
  }
}

void App::update_view() {
  const double t = now();
  follow_selection();
  view_ = {};
  view_.labs = labs_.get();
  view_.session = session_.get();
  view_.home = home_.open && !lecture_.on();
  view_.settings = &settings_;
  view_.languages = &languages_;
  view_.text_revision = text_revision_;
  view_.gpus = &gpus_;
  view_.gpu = gpu_id();
  view_.lecture = lecture_.on() ? &lecture_ : nullptr;
  view_.pen = &pen_;
  auto stale = [this](const std::shared_ptr<const PreparedResult>& of) {
    return of && (of->result.source != session_->text() || of->result.gpu.id != gpu_id());
  };
  view_.latest = latest_.get();
  view_.prepared = prepared_.get();
  view_.latest_stale = stale(latest_);
  view_.stale = stale(prepared_);
  view_.running = !job_done_;
  view_.running_since_s = job_since_s_;
  // A run that finishes quickly shows only its result.
  const bool prints =
      !job_done_ && prints_ && prints_->calls() > 0 && now() - job_since_s_ > kLiveOutputSeconds;
  view_.printing = prints ? prints_.get() : nullptr;
  view_.predicting = predicting();
  view_.line_measure = line_measure_of(settings_.line_measure);
  view_.stages = stages_;
  view_.selected = selected_;
  view_.solution = solution_.get();
  view_.selected_at_s = selected_at_s_;
  view_.film = film_.get();
  view_.film_state = film_state_.get();
  view_.film_variables = film_variables_.get();
  view_.film_step = film_step_;
  const lab::KernelRun* student = view_.result() ? view_.result()->student() : nullptr;
  view_.sass = ptx_.visible && ptx_.sass && student && student->cubin
                   ? sass_worker_->of(student->cubin)
                   : nullptr;
  view_.film_playing = film_playing_;
  view_.film_opening = film_of_.source && !film_ && film_worker_->busy();
  view_.film_leads = film_leads_;
  view_.devices = devices_.get();
  view_.compiler_missing = missing_ ? &*missing_ : nullptr;
  view_.pointing = pointing_;
  view_.history = &history_;
  view_.health = health_ ? &*health_ : nullptr;
  view_.now_s = t;
  if (t - selected_at_s_ < 0.25) active_until_s_ = std::max(active_until_s_, t + 0.05);
}

std::filesystem::path App::layout_file() const {
  return user_dir() / "layouts" /
         (std::string(name_of(settings_.mode)) + "-" + std::string(name_of(*layout_)) + ".ini");
}

void App::save_layout() {
  if (!layout_ || layout_ == LayoutClass::kLecture || options_.read_only ||
      !settings_.layout_changed)
    return;
  size_t size = 0;
  const char* text = ImGui::SaveIniSettingsToMemory(&size);
  settings_.layout_version = kLayoutVersion;
  say(write_file_atomically(layout_file(), std::string_view(text, size)));
}

}  // namespace warpshop::ui
