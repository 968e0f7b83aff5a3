#include "control/lecturing.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/lecture_code_size.h"
#include "panels/lecture_panels.h"
#include "panels/panel_table.h"
#include "panels/top_bar.h"
#include "text/text.h"
#include "window/another_window.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

constexpr double kFullScreenSeconds = 1;  // a window needs less to fill the screen
constexpr double kRestSeconds = 10;       // after which the mouse points at nothing

// Unscaled: with less, a panel's words leave no room for its picture.
constexpr ImVec2 kLeastPanel{350, 400};

// Where a magnified lecture leaves a panel less room than that, what it shows is less magnified.
Look fitted_to(std::string_view panel, Look look) {
  const ImGuiWindow* window = panel_window(panel);
  if (!window || !window->DockNode) return look;
  const ImVec2 size = window->DockNode->Size;
  const float room = std::min(size.x / kLeastPanel.x, size.y / kLeastPanel.y);
  look.scale = std::min(look.scale, std::max(room, look.scale / hall_magnification()));
  return look;
}

// While it lives, everything is drawn as that panel has room for: what the panel draws by itself
// and what ImGui draws for it.
class Fitted {
 public:
  explicit Fitted(std::string_view panel) : before_(look()), font_scale_(font_scale()) {
    use_look(fitted_to(panel, before_));
    font_scale() *= look().scale / before_.scale;
  }
  ~Fitted() {
    use_look(before_);
    font_scale() = font_scale_;
  }
  Fitted(const Fitted&) = delete;
  Fitted& operator=(const Fitted&) = delete;

 private:
  static float& font_scale() { return ImGui::GetStyle().FontScaleMain; }

  const Look before_;
  const float font_scale_;
};

}  // namespace

Lecturing::Lecturing(Shell& shell, Docks& docks, OpenWork& work, Results& results, Runs& runs,
                     Steps& steps, Versions& versions)
    : shell_(shell),
      docks_(docks),
      work_(work),
      results_(results),
      runs_(runs),
      steps_(steps),
      versions_(versions),
      lecture_(shell.lecture),
      editor_(shell.editor()) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::GiveLecture& c) {
    if (lecture_.on()) {
      end();
    } else {
      give(c.lab);
    }
  });
  commands.on([this](const command::LeaveLecture&) { leave(); });
  commands.on([this](const command::MoveScene& c) { move_scene(c.by); });
  commands.on([this](const command::ToggleBlank&) { toggle_blank(); });
  commands.on([this](const command::Advance&) {
    if (!lecture_.on() || light_again()) return;
    docks_.focus("scene");
    lecture_.typed = 0;
    if (!lecture_.brought.empty()) {  // first back to the scene's own panel
      put_back_panel();
      return;
    }
    if (lecture_.hidden()) {
      lecture_.revealed = true;
      lecture_.seen.insert(lecture_.scene);
      results_.selected_at_s = shell_.now();  // draws the map lane by lane, for everyone to see
      return;
    }
    move_scene(1);
  });
  commands.on([this](const command::GoToScene& c) {
    lecture_.typed = 0;
    if (!lecture_.on() || light_again()) return;
    docks_.focus("scene");
    if (c.scene >= lecture_.demo().scenes.size()) {
      shell_.say(tr("There are {} scenes.", lecture_.demo().scenes.size()));
      return;
    }
    // Starting over, as the notice of a resumed lecture offers: the scenes ask their questions
    // again.
    if (c.scene == 0 && lecture_.goes_on) lecture_.seen.clear();
    open_scene(c.scene, lecture_.seen.contains(c.scene));
  });
  commands.on([this](const command::OpenScenes&) {
    if (!lecture_.on()) return;
    lecture_.typed = 0;
    shell_.dialog.open = Dialog::kScenes;
  });
  commands.on([this](const command::OpenSpeakerNotes&) {
    if (lecture_.on()) shell_.dialog.open = Dialog::kSpeakerNotes;
  });
  commands.on([this](const command::OpenNotesWindow&) {
    std::vector<std::string> arguments = {"--notes", "--language", language().id};
    shell_.say(open_another_window(arguments)
                   ? tr("The notes open in a window of their own: move it to your own screen, then "
                        "click on the slide to give it the keys.")
                   : tr("No second window can be opened here."));
  });
  commands.on([this](const command::OpenInstructorNotes&) {
    if (work_.session->lab() != nullptr) shell_.dialog.open = Dialog::kInstructor;
  });
  commands.on(
      [this](const command::ToggleLaser&) { lecture_.laser = lecture_.on() && !lecture_.laser; });
  commands.on([this](const command::TogglePen&) { pen_.on = lecture_.on() && !pen_.on; });
  commands.on(
      [this](const command::NextPenColor&) { pen_.color = (pen_.color + 1) % Pen::kColors; });
  commands.on([this](const command::ChoosePenColor& c) { pen_.color = c.color; });
  commands.on([this](const command::WipePen&) { pen_.wipe(); });
  commands.on([this](const command::KeepPen&) {
    if (!lecture_.on()) return;
    pen_.keep = !pen_.keep;
    shell_.say(pen_.keep ? tr("Drawings stay when the scene changes.")
                         : tr("Drawings go with their scene."));
  });
  commands.on([this](const command::Magnify&) {
    if (!lecture_.on()) return;
    lecture_.magnified = lecture_.magnified == 0  ? 2
                         : lecture_.magnified < 4 ? lecture_.magnified + 1
                                                  : 0;
  });
  commands.on([this](const command::RestoreKernel&) {
    if (!lecture_.on()) return;
    docks_.focus("scene");
    if (!lecture_.edited()) return;
    lecture_.edits.erase(lecture_.scene);
    work_.session->edit(lecture_.kernel());
    versions_.text_replaced();
  });
  commands.on(
      [this](const command::ToggleClock&) { lecture_.clock = lecture_.on() && !lecture_.clock; });
}

Lecturing::~Lecturing() {
  if (!told_.lab.empty()) forget_lecture_place();
}

void Lecturing::open_scene(size_t scene, bool revealed) {
  docks_.focus("scene");  // the next keys go to the lecture, not to the kernel
  lecture_.scene = scene;
  lecture_.revealed = revealed;
  if (revealed) lecture_.seen.insert(scene);
  lecture_.goes_on = false;
  lecture_.leave_until_s = lecture_.pointed_s = 0;
  lecture_.brought.clear();
  lecture_.typed = 0;
  if (!pen_.keep) pen_.wipe();
  lecture_.number.reset();
  const lab::Scene& current = lecture_.current();
  // The class compares a kernel with the previous one,
  // so its maps stay until the new ones are there.
  runs_.pause();
  if (work_.session->step() == nullptr || work_.session->step()->id != current.step) {
    runs_.forget();
    shell_.say(work_.session->open(lecture_.lab->id, current.step));
    work_.use_step_gpu();
  }
  work_.session->edit(lecture_.kernel());
  editor_.point_at = line_to_show(current);
  editor_.pointed_frames = 0;
  ++work_.text_revision;
  shell_.window->set_title(current.title + " – " + lecture_.demo().title + " – Warpshop");
  runs_.submit();
}

void Lecturing::give(const std::string& wanted_lab) {
  const lab::Lab* lab = work_.session->lab();
  // On the page of all labs, no lab is the open one.
  const std::string& wanted = wanted_lab.empty() && docks_.home_open() ? left_last_ : wanted_lab;
  for (const lab::Lab& other : work_.labs->labs) {
    if (other.id == wanted) lab = &other;
  }
  if (!lab || !lab->demo) {
    Diagnostics mistakes;
    for (const Diagnostic& d : work_.labs->problems) {
      const std::filesystem::path file = d.place.file;
      if (lab && file.filename() == "demo.toml" && file.parent_path().filename() == lab->id)
        mistakes.push_back(d);
    }
    if (mistakes.empty()) {
      shell_.say(tr("This lab has no script for a lecture."));
    } else {
      shell_.say(mistakes);
    }
    return;
  }
  begin(*lab);
}

void Lecturing::begin(const lab::Lab& lab) {
  work_.leave_step();
  docks_.enter_lecture();
  lecture_ = {};
  lecture_.lab = &lab;
  lecture_.run_after = results_.latest != nullptr;
  lecture_.started_s = shell_.now();
  started_ = std::time(nullptr);
  pen_ = {};
  // Show the slide full screen, but keep a window size that was requested explicitly.
  lecture_.full_screen_before = shell_.window->full_screen();
  if (!shell_.options.own_size) shell_.window->set_full_screen(true);
  lecture_.still_until_s = shell_.options.own_size ? 0 : shell_.now() + kFullScreenSeconds;
  student_session_ = std::move(work_.session);
  work_.session = std::make_unique<Session>(*work_.labs, true);
  runs_.forget();
  runs_.use_first_block();
  shell_.dialog.open = Dialog::kNone;
  const auto left = left_lectures_.find(lab.id);
  // The script may have changed since.
  const bool goes_on = left != left_lectures_.end() &&
                       (left->second.scene > 0 || left->second.revealed) &&
                       left->second.scene + 1 < lab.demo->scenes.size();
  if (goes_on) lecture_.seen = left->second.seen;
  open_scene(goes_on ? left->second.scene : 0, goes_on && left->second.revealed);
  if (goes_on) shell_.say(tr("On with scene {}. 1 and Enter begin anew.", lecture_.scene + 1));
  lecture_.goes_on = goes_on;
}

void Lecturing::take_script(std::shared_ptr<const lab::LabLibrary> labs) {
  const auto found =
      std::find_if(labs->labs.begin(), labs->labs.end(),
                   [this](const lab::Lab& lab) { return lab.id == lecture_.lab->id; });
  const auto mistake =
      std::find_if(labs->problems.begin(), labs->problems.end(), [this](const Diagnostic& d) {
        return std::filesystem::path(d.place.file).parent_path() == lecture_.lab->folder;
      });
  if (mistake != labs->problems.end()) {
    const std::filesystem::path file = mistake->place.file;
    shell_.say(tr("The lecture goes on as it was: {}", file.filename().string() + ":" +
                                                           std::to_string(mistake->place.line) +
                                                           ": " + tr(mistake->message)),
               "script");
    return;
  }
  if (found == labs->labs.end() || !found->demo ||
      work_.session->adopt(*labs) == Session::Adopted::kGone) {
    shell_.say(tr("The lecture goes on as it was: {}", tr("its step is no longer in the lab")),
               "script");
    return;
  }
  lecture_.lab = &*found;
  // The former script's lab is in use until the scene is open.
  const auto before = std::exchange(script_labs_, std::move(labs));
  open_scene(std::min(lecture_.scene, lecture_.demo().scenes.size() - 1), lecture_.revealed);
  shell_.say(tr("The script has changed and was read again."), "script");
}

void Lecturing::leave() {
  if (!lecture_.on()) {
    shell_.toasts.clear();
    shell_.draw_frames(3);
    return;
  }
  // Close one thing per call.
  if (editor_.focused) {
    docks_.focus("scene");
    return;
  }
  if (light_again()) return;
  if (editor_.find.mode != FindBarState::Mode::kClosed) {
    editor_.find.mode = FindBarState::Mode::kClosed;
    return;
  }
  if (lecture_.typed > 0) {
    lecture_.typed = 0;
    return;
  }
  if (lecture_.magnified > 0) {
    lecture_.magnified = 0;
    return;
  }
  if (pen_.on) {
    pen_.on = false;
    return;
  }
  if (!lecture_.brought.empty()) {
    put_back_panel();
    return;
  }
  if (shell_.now() > lecture_.leave_until_s) {
    constexpr double kSeconds = 4;
    lecture_.leave_until_s = shell_.now() + kSeconds;
    shell_.say(tr("Esc again ends the lecture."), "leave");
    return;
  }
  shell_.toasts.drop("leave");
  end();
}

void Lecturing::end() {
  shell_.window->set_full_screen(lecture_.full_screen_before);
  left_last_ = lecture_.lab->id;
  left_lectures_[left_last_] = lecture_;
  const bool run = std::exchange(lecture_, {}).run_after;
  pen_ = {};
  told_ = {};
  forget_lecture_place();
  work_.session = std::move(student_session_);
  docks_.relayout();
  editor_.shown.clear();  // the student's undo must not lead into the script's texts
  const std::string lab = work_.session->lab()->id, step = work_.session->step()->id;
  runs_.forget();
  const bool from_home = docks_.home_open();
  steps_.open(lab, step);
  docks_.after_lecture(from_home);
  script_labs_.reset();
  if (run) runs_.submit();
}

void Lecturing::move_scene(int by) {
  if (!lecture_.on() || light_again()) return;
  docks_.focus("scene");  // even if there is no such scene: the key leaves the kernel
  const auto wanted = static_cast<int64_t>(lecture_.scene) + by;
  if (wanted < 0 || wanted >= static_cast<int64_t>(lecture_.demo().scenes.size())) {
    shell_.say(by > 0 ? tr("This is the last scene. F5 ends the lecture.")
                      : tr("This is the first scene."));
    return;
  }
  open_scene(static_cast<size_t>(wanted), lecture_.seen.contains(static_cast<size_t>(wanted)));
}

void Lecturing::toggle_blank() {
  lecture_.blank = lecture_.on() && !lecture_.blank;
  if (lecture_.blank) {
    pen_.darken();
  } else {
    pen_.lighten();
  }
}

// On a dark screen a scene must not change unseen: the key only lights the screen.
bool Lecturing::light_again() {
  if (!lecture_.blank) return false;
  toggle_blank();
  return true;
}

void Lecturing::put_back_panel() {
  lecture_.brought.clear();
  if (lecture_.current().whole_run) results_.selected.reset();  // it was the panel's
}

void Lecturing::bring_panel(const std::string& panel) {
  const bool own = panel == panel_of(lecture_.current()) && !lecture_.hidden();
  if (own || panel == lecture_.brought) {
    put_back_panel();
  } else {
    lecture_.brought = panel;
    if (!results_.selected && results_.prepared && lab::panel_needs_access(panel))
      results_.select_scene_access();
  }
}

// Digits, then Enter, as with remotes and in other programs.
void Lecturing::type_scene_number() {
  if (ImGui::GetIO().WantTextInput || ImGui::GetIO().KeyMods != 0) return;
  for (int digit = 0; digit < 10; ++digit) {
    const auto key = static_cast<ImGuiKey>(ImGuiKey_0 + digit),
               pad = static_cast<ImGuiKey>(ImGuiKey_Keypad0 + digit);
    if (!ImGui::IsKeyPressed(key, false) && !ImGui::IsKeyPressed(pad, false)) continue;
    lecture_.typed = (lecture_.typed * 10 + digit) % 1000;
    shell_.draw_frames(2);
  }
  if (lecture_.typed == 0) return;
  if (ImGui::IsKeyPressed(ImGuiKey_Backspace, false)) lecture_.typed /= 10;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow))
    lecture_.typed = 0;
  if (enter_pressed()) {
    if (shell_.dialog.open == Dialog::kScenes) shell_.queue.push(command::CloseDialog{});
    shell_.queue.push(command::GoToScene{static_cast<size_t>(lecture_.typed - 1)});
  }
}

double Lecturing::mouse_rests_at_s() const {
  return lecture_.on() && lecture_.pointed_s > 0 ? lecture_.pointed_s + kRestSeconds : 0;
}

void Lecturing::tell_place() {
  LecturePlace now{lecture_.lab->id, lecture_.scene, lecture_.revealed, started_};
  if (shell_.options.read_only || now == told_) return;
  told_ = std::move(now);
  shell_.say(keep_lecture_place(told_));
}

void Lecturing::draw() {
  const View& view = shell_.view;
  tell_place();
  // A map dims what the mouse does not point at. It points at something once it has moved in this
  // scene, and not if it merely rests there.
  const ImGuiIO& io = ImGui::GetIO();
  const bool moves = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  if (ImGui::IsAnyMouseDown() || (moves && view.now_s > lecture_.still_until_s))
    lecture_.pointed_s = view.now_s;
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* const hovered = g.HoveredWindow;
  if (view.now_s >= mouse_rests_at_s() && !io.KeyCtrl) g.HoveredWindow = nullptr;
  if (lecture_.hidden()) {
    // The figures beside the lines would give away the answer.
    View covered = view;
    covered.behind_curtain = view.prepared;
    covered.latest = covered.prepared = nullptr;
    covered.latest_stale = covered.stale = false;
    covered.selected.reset();
    editor_panel(covered, editor_, shell_.queue);
  } else {
    editor_panel(view, editor_, shell_.queue);
  }
  if (const PanelRow* shown = find_panel(lecture_.panel())) {
    const Fitted fitted(shown->id);
    shown->draw(view, shell_.panels, shell_.queue);
  }
  scene_panel(view, shell_.queue);
  figures_panel(view);
  g.HoveredWindow = hovered;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 min = viewport->Pos, max{min.x + viewport->Size.x, min.y + viewport->Size.y};
  if (lecture_.blank) ImGui::GetForegroundDrawList()->AddRectFilled(min, max, IM_COL32_BLACK);
  // Leave the bar accessible. Dialogs are above the pen's drawings.
  if (shell_.dialog.open == Dialog::kNone && ImGui::GetCurrentContext()->OpenPopupStack.empty()) {
    pen_.draw({min.x, min.y + px(kTopBarHeight)}, max);
  }
  if (lecture_.laser) {
    laser_.draw(view.now_s);
    if (laser_.moving()) shell_.stay_active_until(view.now_s + 0.05);
  }
}

// Magnifies the part of the window around the mouse; at the edges the lens stays inside.
void Lecturing::use_magnifier() {
  if (!lecture_.on() || lecture_.magnified == 0 || !ImGui::IsMousePosValid()) {
    shell_.window->magnify(std::nullopt);
    return;
  }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  Lens lens;
  lens.at = ImGui::GetMousePos();
  lens.factor = static_cast<float>(lecture_.magnified);
  const ImVec2 size{viewport->Size.x * 0.5f, viewport->Size.y * 0.45f};
  const ImVec2 last{viewport->Size.x - size.x, viewport->Size.y - size.y};
  lens.min = {std::clamp(lens.at.x - size.x / 2, 0.0f, last.x),
              std::clamp(lens.at.y - size.y / 2, 0.0f, last.y)};
  lens.max = {lens.min.x + size.x, lens.min.y + size.y};
  lens.ground = look()->panel;
  lens.border = look()->accent;
  lens.thickness = px(2);
  shell_.window->magnify(lens);
}

}  // namespace warpshop::ui
