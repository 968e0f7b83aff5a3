// The program behind the window. Owns everything, hands the panels a View, and applies their
// commands after each frame.
#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command_table.h"
#include "app/commands.h"
#include "app/view.h"
#include "draw/laser_pointer.h"
#include "draw/pen.h"
#include "draw/pictures.h"
#include "panels/coalescer_panel.h"
#include "panels/dialogs.h"
#include "panels/dram_panel.h"
#include "panels/editor_panel.h"
#include "panels/home_page.h"
#include "panels/lecture_panels.h"
#include "panels/panel_states.h"
#include "panels/ptx_panel.h"
#include "panels/registers_panel.h"
#include "panels/roofline_panel.h"
#include "panels/scheduler_panel.h"
#include "panels/shared_panel.h"
#include "panels/steps_panel.h"
#include "panels/toasts.h"
#include "panels/tour_card.h"
#include "panels/warp_panel.h"
#include "state/folder_watch.h"
#include "state/instance_lock.h"
#include "state/lecture.h"
#include "state/session.h"
#include "state/settings.h"
#include "state/slow_compiler.h"
#include "ui/app.h"
#include "window/fallback_font.h"
#include "window/fonts.h"
#include "window/gl_window.h"
#include "window/layout.h"
#include "window/system_theme.h"
#include "work/devices.h"
#include "work/film_worker.h"
#include "work/report_worker.h"
#include "work/run_worker.h"
#include "work/sass_worker.h"

namespace warpshop::ui {

struct Action;

struct AppOptions {
  UiOptions ui;
  GlWindowOptions window;
  bool own_size = false;   // use the size in `window`; else the size from the settings
  bool read_only = false;  // write nothing, and do not read the settings
  bool solution = false;   // start with the worked solution as the text, for pictures
  bool skeleton = false;
  bool tour = false;           // offer the tour on first use
  RunWorker::Factory runner;   // empty: lab::Runner
  std::optional<bool> driver;  // whether this machine has an NVIDIA driver; none: detect
};

// CPU time of the window's thread in milliseconds, averaged over the last frames.
struct FrameTimes {
  double build_ms = 0;   // our panels and ImGui
  double render_ms = 0;  // submitting the frame to OpenGL, and drawing it if in software
  int frames = 0;        // drawn since the start
  double last_build_ms = 0, last_render_ms = 0;  // of the last frame only
};

class App {
 public:
  static Result<std::unique_ptr<App>> create(AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // Waits for something to do and draws a frame if needed; without `wait`, draws one now. False
  // once the window is closed.
  bool frame(bool wait = true);
  // Draws a frame now, needed or not.
  void draw_now();

  void send(Command command) { queue_.push(std::move(command)); }
  const Session& session() const { return *session_; }
  const View& view() const { return view_; }
  const Lecture& lecture() const { return lecture_; }
  const Settings& settings() const { return settings_; }
  const TextEditor* editor() const { return editor_.editor.get(); }  // null until it has been drawn
  const std::vector<Toast>& notices() const { return toasts_.all(); }
  const SchedulerPanelState& schedulers() const { return schedulers_; }
  const RooflinePanelState& roofline() const { return roofline_; }
  // Ignores predictions: nothing waits for them.
  bool busy() const {
    return (worker_->busy() && !predicting()) || run_due_s_ > 0 || film_worker_->busy() ||
           devices_->busy();
  }
  bool predicting() const {
    return worker_->busy() && job_done_ && !job_stopped_ && job_ != 0 && !solution_runs_;
  }
  const Tour& tour() const { return tour_; }
  GlWindow& window() { return *window_; }
  FrameTimes times() const { return times_; }
  bool looking_at_health() const { return health_due_.valid(); }
  bool writing_report() const { return report_worker_->busy(); }
  // Time from the last edit to the frame that shows its result; 0 before the first.
  double edit_to_result_s() const { return edit_to_result_s_; }

 private:
  explicit App(AppOptions options);
  Status start();

  // lab_app.cc
  double now() const;
  double idle_timeout() const;
  void take_events();
  // The panel that shows a run's main outcome: why it does not run, its speed, or what is wrong
  // with its results.
  static const char* verdict_panel(const lab::RunResult& result);
  // True if the front tab of that panel's dock was chosen automatically.
  static bool chosen_by_result(std::string_view panel);
  void take_run_updates();
  void run_timers();
  void update_look();
  void update_view();
  void save_layout();
  void say(const Status& status);
  void find_font_for(std::string_view text);
  void save_picture(const Picture& picture, const std::string& name);
  void save_panel_picture();
  std::filesystem::path layout_file() const;
  Status start_language();

  // lab_app_labs.cc
  void load_labs();
  void watch_labs();
  void reload_labs();  // keeps the open step, its text and its results
  void apply(const command::ReloadLabs&);
  void apply(const command::OpenOwnKernel&);
  void apply(const command::MakeKernelLab&);
  void apply(const command::OpenKernelLab&);
  void apply(const command::SetLanguage&);

  // lab_app_leaving.cc
  void begin_beside_other_windows();
  bool may_close();
  // Saves the text. If that fails, asks the student and sends `then` again after their answer.
  bool kept_or_asked(Command then);
  void apply(const command::RetryUnsaved&);
  void apply(const command::SaveElsewhere&);
  void apply(const command::LeaveUnsaved&);
  void apply(const command::OpenProgress&);
  void apply(const command::ExportProgress&);
  void apply(const command::ImportProgress&);
  void apply(const command::OpenWorkFolder&);
  void apply(const command::OpenPath&);
  void say_saved(std::string text, const std::filesystem::path& path);  // with a link that opens it

  // lab_app_draw.cc
  void draw();
  const Action* take_editor_keys();
  void draw_panels();
  void choose_panels();
  void stay_behind(const std::string& panel);
  void draw_dockspace(float bar_height);
  void draw_frame_time();

  // lab_app_film.cc
  void follow_selection();  // opens the selected access's film if a panel shows it
  void take_film_news();
  void play_film();
  void show_film_step(size_t step);  // in the maps and the editor too
  void close_film();
  // Searches forwards or backwards from that step; none: from before the first.
  void run_to_line(const command::FilmToLine& c, std::optional<size_t> from);
  void apply(const command::MoveFilm&);
  void apply(const command::SeekFilm&);
  void apply(const command::PlayFilm&);
  void apply(const command::FilmToLine&);
  void apply(const command::FilmOfFinding&);
  void apply(const command::FilmOfElement&);
  void apply(const command::MoveTimeline&);

  // lab_app_devices.cc
  void use_devices();  // as configured in the settings
  void take_measured();
  void measure_result();  // measures the newest result on the chosen device
  void put_measured(lab::Measured measured);
  void apply(const command::OpenDevices&);
  void apply(const command::SelectDevice&);
  void apply(const command::ConnectDevice&);
  void apply(const command::AddWorker&);
  void apply(const command::RemoveWorker&);

  // lab_app_commands.cc
  template <typename... C>
  void handle();  // registers apply() for these commands
  template <typename... C>
  void handle_work();
  void register_commands();
  void apply_commands();
  void apply(const command::OpenStep&);
  void apply(const command::OpenHome&);
  void apply(const command::CloseHome&);
  void apply(const command::MoveStep&);
  void apply(const command::AnswerQuestion&);
  void apply(const command::ShowHint&);
  void apply(const command::EditText&);
  void apply(const command::EditorGesture&);
  void apply(const command::SetWrap&);
  void apply(const command::Save&);
  void apply(const command::AskReset&);
  void apply(const command::Reset&);
  void apply(const command::AskSolution&);
  void apply(const command::ShowSolution&);
  void apply(const command::TakeSolution&);
  void apply(const command::ResolveConflict&);
  void apply(const command::TakeVersion&);
  void apply(const command::OpenChanges&);
  void apply(const command::RestorePassed&);
  void apply(const command::PinBaseline&);
  void apply(const command::PinLatest&);
  void apply(const command::Run&);
  void apply(const command::Stop&);
  void apply(const command::SelectGpu&);
  void apply(const command::SelectSecondGpu&);
  void apply(const command::StepSecondGpu&);
  void apply(const command::SelectBlock&);
  void apply(const command::StepBlock&);
  void apply(const command::SelectAccess&);
  void apply(const command::SelectGlobalAccess&);
  void apply(const command::StepAccess&);
  void apply(const command::StepWarp&);
  void apply(const command::SelectLine&);
  void apply(const command::StepMoment&);
  void apply(const command::SelectEditorLine&);
  void apply(const command::GoToAccess&);
  void apply(const command::StepGpu&);
  void apply(const command::GoTo&);
  void apply(const command::SetMode&);
  void apply(const command::GiveLecture&);
  void apply(const command::Advance&);
  void apply(const command::MoveScene&);
  void apply(const command::GoToScene&);
  void apply(const command::OpenScenes&);
  void apply(const command::ToggleLaser&);
  void apply(const command::ToggleBlank&);
  void apply(const command::TogglePen&);
  void apply(const command::NextPenColor&);
  void apply(const command::ChoosePenColor&);
  void apply(const command::WipePen&);
  void apply(const command::KeepPen&);
  void apply(const command::Magnify&);
  void apply(const command::ToggleClock&);
  void apply(const command::RestoreKernel&);
  void apply(const command::ToggleFullScreen&);
  void apply(const command::LeaveLecture&);
  void apply(const command::SetTheme&);
  void apply(const command::Zoom&);
  void apply(const command::StepZoom&);
  void apply(const command::SetMotion&);
  void apply(const command::SetDigits&);
  void apply(const command::SetLineMeasure&);
  void apply(const command::SetAutoRun&);
  void apply(const command::LockLayout&);
  void apply(const command::ResetLayout&);
  void apply(const command::FocusPanel&);
  void apply(const command::ShowStage&);
  void apply(const command::OpenMenu&);
  void apply(const command::OpenPalette&);
  void apply(const command::OpenGlossary& c);
  void apply(const command::OpenKeys&);
  void apply(const command::SetKey&);
  void apply(const command::ResetKeys&);
  void apply(const command::OpenDoctor&);
  void apply(const command::CloseDialog&);
  void apply(const command::CopyText&);
  void apply(const command::HandIn&);  // lab_app_report.cc
  void apply(const command::WriteReport&);
  void leave_nothing_unsaved();
  void take_report();
  void apply(const command::SavePicture&);
  void apply(const command::SavePanelPicture&);
  void apply(const command::ExportPanel&);
  void apply(const command::ExplainFigures&);
  void begin_figures();  // lab_app_moments.cc
  void end_figures();
  void apply(const command::ShowFrameTime&);
  void apply(const command::Quit&);
  void open_step(const std::string& lab, const std::string& step);
  void show_solution();
  void leave_step();
  void show_home();
  void leave_home();                   // restores the panels as they were
  void show_panel(std::string panel);  // its tab to the front, without the keyboard focus
  void text_replaced();
  void submit_run();
  void take_result(const RunUpdate& update);
  void select(size_t entry, bool show);
  const models::GpuProfile* gpu() const;
  const models::GpuProfile* profile_of(std::string_view id) const;  // null if unknown
  const std::string& gpu_id() const;  // the scene's, else the step's, else the settings'
  void use_step_gpu();
  void forget_results();

  // lab_app_tour.cc
  void update_tour();
  void keep_tour();  // saves it in the settings, and makes its panel visible
  void apply(const command::ShowTour&);
  void apply(const command::SkipTour&);
  void apply(const command::LeaveTour&);

  // lab_app_lecture.cc
  void open_scene(size_t scene, bool revealed);
  void take_scene_result();
  void end_lecture();
  bool light_again();  // true if the screen was dark
  // Shows a panel instead of the map; called again with the same panel, restores the scene's own.
  void bring_panel(const std::string& panel);
  void put_back_panel();
  void type_scene_number();
  void draw_lecture();
  double mouse_rests_at_s() const;  // when it has not moved for long; 0: already
  void use_magnifier();
  float hall_zoom() const;
  float& zoom();
  void set_zoom(float zoom);

  AppOptions options_;
  Settings settings_, saved_settings_;
  std::vector<std::pair<std::string, std::string>> languages_;  // id and name
  Pictures pictures_;  // declared before the window, so destroyed after it
  std::unique_ptr<GlWindow> window_;
  std::shared_ptr<const lab::LabLibrary> labs_;
  std::vector<models::GpuProfile> gpus_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Session> student_session_;  // while a lecture is given
  std::unique_ptr<RunWorker> worker_;
  std::unique_ptr<FolderWatch> watch_;
  std::atomic<bool> folder_changed_{false};
  std::unique_ptr<FolderWatch> labs_watch_;
  std::atomic<bool> labs_changed_{false};
  std::string labs_signature_;  // of the files from which the labs were loaded
  InstanceLock instance_;
  // A notice of another window is pending until the first
  // panel has the keyboard focus, which closes dialogs.
  bool other_window_due_ = false;
  std::optional<Command> after_unsaved_;  // waits for the student's answer in the dialog
  std::unique_ptr<SystemTheme> system_theme_;
  Fonts fonts_;
  bool fallback_fonts_ = false;     // have been searched for
  bool characters_missed_ = false;  // the notice about characters without a font was shown
  Toasts toasts_;
  std::string saved_;  // the file or folder saved last
  CommandQueue queue_;
  CommandTable commands_;
  View view_;

  std::shared_ptr<const PreparedResult> latest_, prepared_;  // see View
  std::optional<Diagnostics> missing_;
  Stages stages_;
  SlowCompiler slow_compiler_;
  bool slow_compiler_told_ = false;
  uint64_t job_ = 0;  // the newest one submitted
  bool job_done_ = true;
  bool job_stopped_ = false;   // by the user, while it ran
  uint64_t solution_job_ = 0;  // the run of the worked solution; 0: none requested
  bool solution_runs_ = false;
  std::shared_ptr<const PreparedResult> solution_;
  double job_since_s_ = 0;
  std::shared_ptr<emulator::LivePrints> prints_;  // of job_, until its first result
  // If the open step is about one GPU: that GPU, or the
  // one chosen in the step. Empty: the settings decide.
  std::string step_gpu_;
  uint64_t block_ = 0;  // linear index of the block whose accesses are recorded
  std::optional<size_t> selected_;
  struct WantedAccess {  // in a block that is being run again
    uint64_t job = 0;
    command::SelectGlobalAccess access;
  };
  std::optional<WantedAccess> wanted_access_;
  double selected_at_s_ = 0;
  uint64_t text_revision_ = 1;

  std::unique_ptr<Devices> devices_;
  std::atomic<bool> devices_changed_{false};
  lab::Measured measured_;     // of `measured_run_`, as far as known
  uint64_t measured_run_ = 0;  // the run sent to the device; 0: none
  size_t measured_sizes_ = 0;  // sizes that the run had at that time

  std::unique_ptr<ReportWorker> report_worker_;
  std::unique_ptr<SassWorker> sass_worker_;

  std::unique_ptr<FilmWorker> film_worker_;
  struct FilmOf {  // the last request
    std::shared_ptr<const lab::FilmSource> source;
    uint64_t block = 0;
    uint32_t warp = 0;
    bool operator==(const FilmOf&) const = default;
  };
  FilmOf film_of_;
  std::shared_ptr<const lab::FilmScript> film_;
  std::shared_ptr<const emulator::ReplayState> film_state_;
  std::shared_ptr<const lab::VariableState> film_variables_;
  size_t film_step_ = 0;
  std::optional<size_t> film_follows_;  // the selected access that film_step_ corresponds to
  std::optional<command::FilmOfFinding> film_finding_;  // to be shown once the film is open
  std::optional<command::FilmToLine> film_to_line_;     // likewise
  bool film_seeks_writer_ = false;  // searching for the thread that wrote an element
  bool film_from_start_ = false;    // the film being opened starts at its first step
  bool film_asked_ = false;         // requested by an action; otherwise visible panels request it
  bool film_leads_ = false;
  bool film_playing_ = false;
  double film_due_s_ = 0;  // when to play the next step

  HomePageState home_;
  std::vector<std::string> before_home_;  // panels that were in front
  bool menu_asked_ = false;               // open the menus in the next frame
  StepsPanelState steps_;
  StepTextState step_text_;
  // "lab/step" whose text was shown alone in the last frame; empty: none.
  std::string read_;
  // "lab/step" without a kernel for which the student has opened other panels.
  std::string panels_wanted_in_;
  std::vector<std::string> before_text_alone_;  // panels that were in front
  std::vector<std::string> before_lecture_;     // likewise
  ImGuiID dockspace_ = 0;
  std::map<LayoutClass, std::vector<std::string>> tab_order_;  // as it was left
  std::map<LayoutClass, std::vector<std::string>> in_front_;   // likewise, in the other layouts
  std::map<std::string, Lecture> left_lectures_;  // by lab: their state when they ended
  std::string left_last_;                         // the lab whose lecture ended last
  std::vector<std::string> before_it_came_;       // likewise, before a panel that a kernel brought
  PanelStates panels_;
  LectureFit lecture_fit_;
  EditorPanelState& editor_ = panels_.of<EditorPanelState>();
  CoalescerPanelState& coalescer_ = panels_.of<CoalescerPanelState>();
  WarpPanelState& warp_ = panels_.of<WarpPanelState>();
  RegistersPanelState& registers_ = panels_.of<RegistersPanelState>();
  SharedPanelState& shared_ = panels_.of<SharedPanelState>();
  PtxPanelState& ptx_ = panels_.of<PtxPanelState>();
  SchedulerPanelState& schedulers_ = panels_.of<SchedulerPanelState>();
  RooflinePanelState& roofline_ = panels_.of<RooflinePanelState>();
  DramPanelState& dram_ = panels_.of<DramPanelState>();
  DialogState dialog_;
  Lecture lecture_;
  LaserPointer laser_;
  Pen pen_;
  Pointing pointing_;
  RunHistory history_;
  std::future<std::vector<lab::HealthLine>> health_due_;
  std::optional<std::vector<lab::HealthLine>> health_;
  Tour tour_;
  TourFacts facts_;
  bool list_was_open_ = false;  // a menu or another pop-up was open in the previous frame
  // The current run is of the same text: its result does not bring a panel to the front.
  bool panels_stay_ = false;
  bool run_asked_ = false;  // the current run was requested, not started by a pause in typing

  double start_s_ = 0;
  double edited_at_s_ = 0;
  double edit_to_result_s_ = 0;
  double run_due_s_ = 0;  // when the pause in typing ends; 0: nothing to run
  double autosave_due_s_ = 0;
  double active_until_s_ = 0;  // draw frames at full rate until then
  int frames_due_ = 3;         // frames to draw unconditionally
  double last_frame_s_ = 0;
  float scale_ = 0;  // of the current style
  const Theme* style_theme_ = nullptr;
  std::optional<LayoutClass> layout_;
  bool layout_rebuild_ = false;
  int layout_settles_ = 0;  // frames until a new dock has settled on its tabs
  ImVec2 dock_size_{0, 0};
  std::string focus_panel_;                // takes the keyboard in the next frame
  std::vector<std::string> tabs_to_show_;  // come to the front in the next frame
  std::optional<command::SavePanelPicture> panel_picture_;
  int panel_picture_frames_ = 0;  // frames until it is taken
  int export_frames_ = 0;         // frames in which a panel may answer ExportPanel
  bool show_times_ = false;
  bool figures_wanted_ = false;  // the next frame records its figures for ExplainFigures
  std::vector<ShownMetric> figures_;
  FrameTimes times_;
};

}  // namespace warpshop::ui
