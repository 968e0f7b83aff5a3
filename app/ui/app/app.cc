#include "app/app.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "app/actions.h"
#include "app/controllers.h"
#include "core/files.h"
#include "core/thread_time.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kRunningFrameSeconds = 1.0 / 20;  // the cores belong to the emulator
constexpr double kActiveSeconds = 0.8;  // after input, for delayed tooltips and animated changes
constexpr double kIdleSeconds = 60;
constexpr double kClockSeconds = 1;  // the lecture's clock

}  // namespace

App::App(AppOptions options) : shell_(std::move(options)) {}

App::~App() {
  if (!control_) return;
  control_->work.leave_step();
  keep_settings();
  if (!control_->runs.ends_within(shell_.options.last_wait_seconds)) exit_now();
}

void App::keep() {
  if (!control_) return;
  if (Session* session = control_->work.session.get(); session && session->step()) {
    shell_.say(session->autosave());
    shell_.say(session->save_progress());
  }
  keep_settings();
}

// What an option of the command line chose for this start alone is not kept, unless something else
// was chosen since.
Settings App::to_keep() const {
  Settings out = shell_.settings;
  if (out.zoom == asked_.zoom) out.zoom = own_.zoom;
  if (out.theme == asked_.theme) out.theme = own_.theme;
  if (out.mode == asked_.mode) out.mode = own_.mode;
  if (out.gpu == asked_.gpu) out.gpu = own_.gpu;
  return out;
}

void App::keep_settings() {
  const OpenWork& work = control_->work;
  Settings& settings = shell_.settings;
  const EditorPanelState& editor = shell_.editor();
  if (work.session && !shell_.lecture.on() && !work.session->place().empty() &&
      editor.shown == work.session->place()) {
    const EditorPanelState::Left place = editor.place();
    settings.caret_line = static_cast<int>(place.line);
    settings.caret_column = static_cast<int>(place.column);
    settings.top_line = static_cast<int>(place.top);
  }
  control_->docks.save_layout();
  if (!shell_.options.read_only) {
    if (!shell_.options.own_size) {
      settings.maximized = shell_.window->maximized();
      if (!settings.maximized)
        shell_.window->size_in_window(settings.window_width, settings.window_height);
    }
    if (Status saved = save_settings(to_keep()); !saved.ok())
      std::fprintf(stderr, "%s\n", render(saved.errors()).c_str());
  }
}

Result<std::unique_ptr<App>> App::create(AppOptions options) {
  options.read_only |= options.ui.notes;
  std::unique_ptr<App> app(new App(std::move(options)));
  if (Status started = app->start(); !started.ok()) return started.errors();
  return app;
}

const Session& App::session() const { return *control_->work.session; }
bool App::predicting() const { return control_->runs.predicting(); }
const Tour& App::tour() const { return control_->touring.tour(); }
bool App::is_checking_system() const { return control_->help.is_checking_system(); }
bool App::writing_report() const { return control_->exports.writing_report(); }
double App::edit_to_result_s() const { return control_->runs.edit_to_result_s(); }

bool App::busy() const {
  return control_->runs.busy() || control_->film.busy() || control_->measuring.devices().busy();
}

void App::start_settings() {
  Settings& settings = shell_.settings;
  const UiOptions& wanted = shell_.options.ui;
  if (!shell_.options.read_only || wanted.notes) {
    LoadedSettings loaded = load_settings();
    settings = std::move(loaded.settings);
    shell_.say(loaded.problems);
  } else {
    settings.motion = false;
  }
  saved_settings_ = own_ = settings;
  use_keys(settings.keys);
  if (wanted.theme == "dark") settings.theme = ThemeChoice::kDark;
  if (wanted.theme == "light") settings.theme = ThemeChoice::kLight;
  if (wanted.theme == "system") settings.theme = ThemeChoice::kSystem;
  for (const Mode mode : kModes) {
    if (wanted.mode == name_of(mode)) settings.mode = mode;
  }
  if (wanted.notes) settings.zoom = 1.5f;  // read from a lectern, not at a desk
  if (wanted.zoom > 0) settings.zoom = clamp_zoom(wanted.zoom);
  if (!wanted.gpu.empty()) settings.gpu = wanted.gpu;
  asked_ = settings;
}

Status App::load_gpus() {
  Diagnostics unreadable;
  Result<std::vector<models::GpuProfile>> gpus = models::load_gpu_profiles(data_dir(), &unreadable);
  if (!unreadable.empty()) shell_.say(unreadable);
  if (gpus.ok()) {
    shell_.gpus = std::move(gpus).value();
  } else {
    shell_.say(gpus.errors());
  }
  if (shell_.profile_of(shell_.settings.gpu) || shell_.gpus.empty()) return success();
  if (!shell_.options.ui.gpu.empty())
    return models::find_gpu_profile(data_dir(), shell_.options.ui.gpu).errors();
  shell_.settings.gpu = shell_.gpus.front().id;
  return success();
}

Status App::start() {
  start_settings();
  GlWindowOptions size = shell_.options.window;
  if (!shell_.options.own_size) {
    size.width = shell_.settings.window_width;
    size.height = shell_.settings.window_height;
    size.maximized = shell_.settings.maximized;
  }
  Result<std::unique_ptr<GlWindow>> window = GlWindow::open(size);
  if (!window.ok()) return window.errors();
  shell_.window = std::move(window).value();

  control_ = std::make_unique<Controllers>(shell_);
  shell_.commands.on([this](const command::ShowFrameTime&) { show_times_ = !show_times_; });
  shell_.commands.on([this](const command::Quit&) { shell_.window->close(); });
  if (Status spoken = control_->labs.start_language(); !spoken.ok()) return spoken;
  control_->labs.load();
  if (Status loaded = load_gpus(); !loaded.ok()) return loaded;
  control_->leaving.begin_beside_other_windows();
  OpenWork& work = control_->work;
  work.session = std::make_unique<Session>(*work.labs, shell_.options.read_only,
                                           control_->leaving.window_number());
  shell_.say(work.session->problems());
  control_->labs.watch();
  if (shell_.options.ui.notes) {
    shell_.window->set_title(std::string(tr("Notes for the speaker")) + " – Warpshop");
    return success();
  }
  if (Status opened = open_first_step(); !opened.ok()) return opened;
  begin_tour();
  return success();
}

Status App::open_first_step() {
  const UiOptions& wanted = shell_.options.ui;
  const Settings& settings = shell_.settings;
  Session& session = *control_->work.session;
  Status opened = session.open_first(wanted.lab, wanted.step, settings.lab, settings.step);
  if (!opened.ok()) {
    if (!wanted.lab.empty()) return opened;
    shell_.say(opened);
  }
  if (session.step()) {
    const std::string lab = session.lab()->id, step = session.step()->id;
    if (session.step()->exercise && lab == settings.lab && step == settings.step) {
      shell_.editor().left = {static_cast<size_t>(settings.caret_line),
                              static_cast<size_t>(settings.caret_column),
                              static_cast<size_t>(settings.top_line)};
    }
    control_->steps.open(lab, step);
  }
  if (wanted.mode != "lecture") return success();
  shell_.apply(command::GiveLecture{});
  if (!shell_.lecture.on()) return make_error("labs", "this lab has no script for a lecture");
  const auto last = shell_.lecture.demo().scenes.size();
  if (static_cast<size_t>(wanted.scene) > last) {
    return make_error("usage", "the lecture has " + std::to_string(last) +
                                   " scenes, and no scene " + std::to_string(wanted.scene));
  }
  control_->lecturing.open_scene(static_cast<size_t>(wanted.scene) - 1, wanted.revealed);
  return success();
}

// A new student sees the page of all labs, and is offered the tour.
void App::begin_tour() {
  if (!shell_.options.tour) return;
  Settings& settings = shell_.settings;
  const Session& session = *control_->work.session;
  if (shell_.options.ui.lab.empty() && session.all_progress().steps.empty() &&
      !shell_.lecture.on()) {
    shell_.apply(command::OpenHome{});
    if (settings.tour.empty()) settings.tour_open = false;
  }
  // A student who closed the window at its last card has seen the whole tour.
  if (settings.tour_open && settings.tour != tour_steps().back().id) control_->touring.begin();
}

bool App::may_close() {
  if (control_->lecturing.covers_unsaved()) shell_.apply(command::LeaveLecture{});
  if (control_->leaving.kept_or_asked(command::Quit{})) return true;
  shell_.window->keep_open();
  return false;
}

double App::idle_timeout() const {
  const double t = shell_.now();
  if (shell_.frames_due > 0 || t < shell_.active_until_s)
    return std::max(0.0, last_frame_s_ + kFrameSeconds - t);
  double until = t + kIdleSeconds;
  const auto no_later = [&](double time_s) { until = std::min(until, time_s); };
  if (!control_->results.job.done || control_->measuring.devices().measuring())
    no_later(last_frame_s_ + kRunningFrameSeconds);
  if (control_->runs.due_s() > 0) no_later(control_->runs.due_s());
  if (control_->work.autosave_due_s > 0) no_later(control_->work.autosave_due_s);
  no_later(std::max(shell_.toasts.next_change_s(t), last_frame_s_ + kFrameSeconds));
  if (shell_.options.ui.notes) no_later(t + Speaking::kLookSeconds);
  if (shell_.lecture.clock) no_later(std::max(t, last_frame_s_ + kClockSeconds));
  if (const double rests_s = control_->lecturing.mouse_rests_at_s(); rests_s > last_frame_s_)
    no_later(std::max(t, rests_s));
  if (const auto step_s = control_->film.next_step_s()) no_later(std::max(t, *step_s));
  return std::max(0.001, until - t);
}

void App::take_events() {
  control_->versions.look_outside();
  control_->labs.take_changes();
  if (auto labs = control_->labs.take_changes_for_lecture())
    control_->lecturing.take_script(std::move(labs));
  if (shell_.window->gained_focus()) control_->appearance.ask_for_theme();
  if (std::string file = shell_.window->take_dropped_file(); !file.empty())
    send(is_profile_file(file) ? Command(command::ImportProfile{std::move(file)})
                               : Command(command::OpenOwnKernel{std::move(file)}));
  control_->profiles.follow();
  control_->runs.take_updates();
  control_->measuring.take_measured();
  control_->film.take_news();
  control_->exports.take_report();
  control_->help.take_system_check();
}

void App::run_timers() {
  control_->runs.run_timers();
  control_->film.play();
  if (control_->docks.settled()) control_->leaving.show_other_window();
  control_->versions.run_timers();
  if (!(shell_.settings == saved_settings_) && !shell_.options.read_only &&
      shell_.frames_due == 0) {
    saved_settings_ = shell_.settings;
    shell_.say(save_settings(to_keep()));
  }
}

bool App::frame(bool wait) {
  if (shell_.window->wants_close() && may_close()) return false;
  const bool input = shell_.window->wait(wait ? idle_timeout() : 0);
  if (input) {
    shell_.active_until_s = shell_.now() + (shell_.settings.motion ? kActiveSeconds : 0.6);
    shell_.draw_frames(3);
  }
  take_events();
  run_timers();
  const bool notes = shell_.options.ui.notes;
  if (notes && control_->speaking.follow()) shell_.draw_frames(3);
  const double t = shell_.now(), since_s = t - last_frame_s_;
  const bool clock = (shell_.lecture.clock || notes) && since_s >= kClockSeconds * 0.95;
  const double rests_s = control_->lecturing.mouse_rests_at_s();
  const bool rests = rests_s > last_frame_s_ && rests_s <= t;
  const bool works = !control_->results.job.done || control_->measuring.devices().measuring();
  const bool due = !wait || clock || rests || shell_.frames_due > 0 || t < shell_.active_until_s ||
                   shell_.toasts.next_change_s(t) <= t ||
                   (works && since_s >= kRunningFrameSeconds * 0.95);
  if (!due) return true;
  if (wait && !input && since_s < kFrameSeconds * 0.9) return true;
  draw_now();
  return true;
}

void App::draw_now() {
  if (shell_.frames_due > 0) --shell_.frames_due;
  last_frame_s_ = shell_.now();
  if (control_->appearance.update_look() && !shell_.settings.layout_changed)
    control_->docks.rebuild();
  const double start = thread_cpu_seconds();
  shell_.window->begin_frame();
  control_->appearance.note_typing();
  update_view();
  control_->touring.update();
  draw();
  control_->lecturing.use_magnifier();
  shell_.pictures.end_frame();
  const double built = thread_cpu_seconds();
  shell_.window->end_frame(look()->panel);
  const double rendered = thread_cpu_seconds();
  times_.last_build_ms = (built - start) * 1e3;
  times_.last_render_ms = (rendered - built) * 1e3;
  const double weight = times_.frames < 10 ? 0.5 : 0.05;
  times_.build_ms += (times_.last_build_ms - times_.build_ms) * weight;
  times_.render_ms += (times_.last_render_ms - times_.render_ms) * weight;
  ++times_.frames;
  control_->runs.note_frame();
  if (const Pointing pointing = shell_.queue.take_pointing(); !(pointing == pointing_)) {
    pointing_ = pointing;
    shell_.draw_frames(1);
  }
  // Restoring the caret and scrolling to a line take some frames to settle.
  const EditorPanelState& editor = shell_.editor();
  if (editor.left_frames > 0 || editor.point_at > 0) shell_.draw_frames(2);
  control_->exports.note_frame();
  shell_.apply_queue();
}

const View& App::view() {
  update_view();
  return shell_.view;
}

void App::update_view() {
  control_->film.follow_selection();
  View& view = shell_.view;
  const OpenWork& work = control_->work;
  view = {};
  view.now_s = shell_.now();
  view.labs = work.labs.get();
  view.session = work.session.get();
  view.history = &work.history;
  view.text_revision = work.text_revision;
  view.following = shell_.following;
  view.home = control_->docks.home_open() && !shell_.lecture.on();
  view.settings = &shell_.settings;
  view.languages = &control_->labs.languages();
  view.gpus = &shell_.gpus;
  view.gpu = work.gpu_id();
  view.lecture = shell_.lecture.on() ? &shell_.lecture : nullptr;
  view.pen = &control_->lecturing.pen();
  view.line_measure = line_measure_of(shell_.settings.line_measure);
  control_->runs.show_in(view);
  control_->film.show_in(view);
  view.devices = &control_->measuring.devices();
  control_->profiles.show_in(view);
  view.pointing = pointing_;
  view.system_check = control_->help.system_check();
  if (view.now_s - view.selected_at_s < 0.25) shell_.stay_active_until(view.now_s + 0.05);
}

}  // namespace warpshop::ui
