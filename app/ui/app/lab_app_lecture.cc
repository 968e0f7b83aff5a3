// Gives a lecture: the script's scenes run in their own
// session, so that the student's work is not touched.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/lab_app.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/panel_table.h"
#include "panels/top_bar.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kFullScreenSeconds = 1;  // a window needs less to fill the screen
constexpr double kRestSeconds = 10;       // after which the mouse points at nothing

}  // namespace

// Scales text to the screen's height, since in a lecture hall the resolution does not matter: a
// line always takes the same fraction of the height; at 1,000 pixels, twice its size on a desk.
float App::hall_zoom() const {
  int width = 0, height = 0;
  window_->size(width, height);
  const float dense = window_->display_scale();
  const float hall =
      std::min(static_cast<float>(height) / 500, static_cast<float>(width) / 800) / dense;
  return std::clamp(settings_.lecture_zoom * hall, kMinZoom, std::max(kMaxZoom, hall));
}

void App::open_scene(size_t scene, bool revealed) {
  focus_panel_ = "scene";  // the next keys go to the lecture, not to the kernel
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
  worker_->stop();
  run_due_s_ = autosave_due_s_ = 0;
  if (session_->step() == nullptr || session_->step()->id != current.step) {
    forget_results();
    say(session_->open(lecture_.lab->id, current.step));
    use_step_gpu();
  }
  session_->edit(lecture_.kernel());
  editor_.point_at = line_to_show(current);
  editor_.pointed_frames = 0;
  ++text_revision_;
  window_->set_title(current.title + " – " + lecture_.demo().title + " – Warpshop");
  submit_run();
}

void App::take_scene_result() {
  const lab::Scene& scene = lecture_.current();
  if (!prepared_) return;
  if (!scene.number.empty()) {
    const Result<lab::SceneNumber> number = lab::scene_number(scene, prepared_->result);
    lecture_.number = number.ok() ? std::optional(*number) : std::nullopt;
  }
  // No access is marked unless the lecturer has opened a panel that needs one.
  if (scene.whole_run && !lab::panel_needs_access(lecture_.brought)) {
    selected_.reset();
    return;
  }
  const std::optional<size_t> access = scene_access(scene, prepared_->accesses, prepared_->result);
  if (access == selected_) return;
  selected_ = access;
  selected_at_s_ = now();
}

void App::apply(const command::GiveLecture& c) {
  if (lecture_.on()) {
    end_lecture();
    return;
  }
  const lab::Lab* lab = session_->lab();
  // On the page of all labs, no lab is the open one.
  const std::string& wanted = c.lab.empty() && home_.open ? left_last_ : c.lab;
  for (const lab::Lab& other : labs_->labs) {
    if (other.id == wanted) lab = &other;
  }
  if (!lab || !lab->demo) {
    Diagnostics mistakes;
    for (const Diagnostic& d : labs_->problems) {
      const std::filesystem::path file = d.place.file;
      if (lab && file.filename() == "demo.toml" && file.parent_path().filename() == lab->id)
        mistakes.push_back(d);
    }
    if (mistakes.empty()) {
      toasts_.say(tr("This lab has no script for a lecture."), now());
    } else {
      toasts_.say(mistakes, now());
    }
    return;
  }
  leave_step();
  save_layout();
  before_lecture_ = home_.open ? before_home_ : panels_in_front();
  if (layout_) in_front_[*layout_] = before_lecture_;
  if (layout_ && !home_.open) tab_order_[*layout_] = tab_order(dockspace_);
  lecture_ = {};
  lecture_.lab = lab;
  lecture_.run_after = latest_ != nullptr;
  lecture_.started_s = now();
  pen_ = {};
  // Show the slide full screen, but keep a window size that was requested explicitly.
  lecture_.full_screen_before = window_->full_screen();
  if (!options_.own_size) window_->set_full_screen(true);
  lecture_.still_until_s = options_.own_size ? 0 : now() + kFullScreenSeconds;
  student_session_ = std::move(session_);
  session_ = std::make_unique<Session>(*labs_, true);
  forget_results();
  block_ = 0;
  dialog_.open = Dialog::kNone;
  layout_.reset();
  const auto left = left_lectures_.find(lab->id);
  // The script may have changed since.
  const bool goes_on = left != left_lectures_.end() &&
                       (left->second.scene > 0 || left->second.revealed) &&
                       left->second.scene + 1 < lab->demo->scenes.size();
  if (goes_on) lecture_.seen = left->second.seen;
  open_scene(goes_on ? left->second.scene : 0, goes_on && left->second.revealed);
  if (goes_on)
    toasts_.say(tr("On with scene {}. 1 and Enter begin anew.", lecture_.scene + 1), now());
  lecture_.goes_on = goes_on;
}

void App::apply(const command::LeaveLecture&) {
  if (!lecture_.on()) {
    toasts_.clear();
    frames_due_ = std::max(frames_due_, 3);
    return;
  }
  // Close one thing per call.
  if (editor_.focused) {
    focus_panel_ = "scene";
    return;
  }
  if (light_again()) return;
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
  if (now() > lecture_.leave_until_s) {
    constexpr double kSeconds = 4;
    lecture_.leave_until_s = now() + kSeconds;
    toasts_.say(tr("Esc again ends the lecture."), now(), "leave");
    return;
  }
  toasts_.drop("leave");
  end_lecture();
}

void App::end_lecture() {
  window_->set_full_screen(lecture_.full_screen_before);
  left_last_ = lecture_.lab->id;
  left_lectures_[left_last_] = lecture_;
  const bool run = std::exchange(lecture_, {}).run_after;
  pen_ = {};
  session_ = std::move(student_session_);
  layout_.reset();
  editor_.shown.clear();  // the student's undo must not lead into the script's texts
  const std::string lab = session_->lab()->id, step = session_->step()->id;
  forget_results();
  const bool from_home = home_.open;
  open_step(lab, step);
  tabs_to_show_ = std::exchange(before_lecture_, {});
  if (from_home) {
    const std::vector<std::string> tabs = tabs_to_show_;
    apply(command::OpenHome{});
    before_home_ = tabs;  // the student's, not the lecture's
  }
  if (run) submit_run();
}

void App::apply(const command::Advance&) {
  if (!lecture_.on() || light_again()) return;
  focus_panel_ = "scene";
  lecture_.typed = 0;
  if (!lecture_.brought.empty()) {  // first back to the scene's own panel
    put_back_panel();
    return;
  }
  if (lecture_.hidden()) {
    lecture_.revealed = true;
    lecture_.seen.insert(lecture_.scene);
    selected_at_s_ = now();  // draws the map lane by lane, for everyone to see
    return;
  }
  apply(command::MoveScene{1});
}

void App::apply(const command::MoveScene& c) {
  if (!lecture_.on() || light_again()) return;
  const auto wanted = static_cast<int64_t>(lecture_.scene) + c.by;
  if (wanted < 0 || wanted >= static_cast<int64_t>(lecture_.demo().scenes.size())) {
    toasts_.say(c.by > 0 ? tr("This is the last scene. F5 ends the lecture.")
                         : tr("This is the first scene."),
                now());
    return;
  }
  open_scene(static_cast<size_t>(wanted), lecture_.seen.contains(static_cast<size_t>(wanted)));
}

void App::apply(const command::GoToScene& c) {
  lecture_.typed = 0;
  if (!lecture_.on() || light_again()) return;
  if (c.scene >= lecture_.demo().scenes.size()) {
    toasts_.say(tr("There are {} scenes.", lecture_.demo().scenes.size()), now());
    return;
  }
  // Starting over, as the notice of a resumed lecture offers: the scenes ask their questions again.
  if (c.scene == 0 && lecture_.goes_on) lecture_.seen.clear();
  open_scene(c.scene, lecture_.seen.contains(c.scene));
}

void App::apply(const command::OpenScenes&) {
  if (!lecture_.on()) return;
  lecture_.typed = 0;
  dialog_.open = Dialog::kScenes;
}

void App::apply(const command::ToggleLaser&) { lecture_.laser = lecture_.on() && !lecture_.laser; }
void App::apply(const command::ToggleBlank&) {
  lecture_.blank = lecture_.on() && !lecture_.blank;
  if (lecture_.blank) {
    pen_.darken();
  } else {
    pen_.lighten();
  }
}
// On a dark screen a scene must not change unseen: the key only lights the screen.
bool App::light_again() {
  if (!lecture_.blank) return false;
  apply(command::ToggleBlank{});
  return true;
}

void App::apply(const command::TogglePen&) { pen_.on = lecture_.on() && !pen_.on; }
void App::apply(const command::NextPenColor&) { pen_.color = (pen_.color + 1) % Pen::kColors; }
void App::apply(const command::ChoosePenColor& c) { pen_.color = c.color; }
void App::apply(const command::WipePen&) { pen_.wipe(); }

void App::apply(const command::KeepPen&) {
  if (!lecture_.on()) return;
  pen_.keep = !pen_.keep;
  toasts_.say(
      pen_.keep ? tr("Drawings stay when the scene changes.") : tr("Drawings go with their scene."),
      now());
}

void App::apply(const command::Magnify&) {
  if (!lecture_.on()) return;
  lecture_.magnified = lecture_.magnified == 0  ? 2
                       : lecture_.magnified < 4 ? lecture_.magnified + 1
                                                : 0;
}

void App::apply(const command::RestoreKernel&) {
  if (!lecture_.on()) return;
  focus_panel_ = "scene";
  if (!lecture_.edited()) return;
  lecture_.edits.erase(lecture_.scene);
  session_->edit(lecture_.kernel());
  text_replaced();
}

void App::apply(const command::ToggleClock&) { lecture_.clock = lecture_.on() && !lecture_.clock; }

void App::put_back_panel() {
  lecture_.brought.clear();
  if (lecture_.current().whole_run) selected_.reset();  // it was the panel's
}

void App::bring_panel(const std::string& panel) {
  const bool own = panel == panel_of(lecture_.current()) && !lecture_.hidden();
  if (own || panel == lecture_.brought) {
    put_back_panel();
  } else {
    lecture_.brought = panel;
    if (!selected_ && prepared_ && lab::panel_needs_access(panel)) take_scene_result();
  }
}

// Digits, then Enter, as with remotes and in other programs.
void App::type_scene_number() {
  if (ImGui::GetIO().WantTextInput || ImGui::GetIO().KeyMods != 0) return;
  for (int digit = 0; digit < 10; ++digit) {
    const auto key = static_cast<ImGuiKey>(ImGuiKey_0 + digit),
               pad = static_cast<ImGuiKey>(ImGuiKey_Keypad0 + digit);
    if (!ImGui::IsKeyPressed(key, false) && !ImGui::IsKeyPressed(pad, false)) continue;
    lecture_.typed = (lecture_.typed * 10 + digit) % 1000;
    frames_due_ = std::max(frames_due_, 2);
  }
  if (lecture_.typed == 0) return;
  if (ImGui::IsKeyPressed(ImGuiKey_Backspace, false)) lecture_.typed /= 10;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow))
    lecture_.typed = 0;
  if (enter_pressed()) {
    if (dialog_.open == Dialog::kScenes) queue_.push(command::CloseDialog{});
    queue_.push(command::GoToScene{static_cast<size_t>(lecture_.typed - 1)});
  }
}

double App::mouse_rests_at_s() const {
  return lecture_.on() && lecture_.pointed_s > 0 ? lecture_.pointed_s + kRestSeconds : 0;
}

void App::draw_lecture() {
  // A map dims what the mouse does not point at. It points at something once it has moved in this
  // scene, and not if it merely rests there.
  const ImGuiIO& io = ImGui::GetIO();
  const bool moves = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  if (ImGui::IsAnyMouseDown() || (moves && view_.now_s > lecture_.still_until_s))
    lecture_.pointed_s = view_.now_s;
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* const hovered = g.HoveredWindow;
  if (view_.now_s >= mouse_rests_at_s() && !io.KeyCtrl) g.HoveredWindow = nullptr;
  if (lecture_.hidden()) {
    // The figures beside the lines would give away the answer.
    View covered = view_;
    covered.behind_curtain = view_.prepared;
    covered.latest = covered.prepared = nullptr;
    covered.latest_stale = covered.stale = false;
    covered.selected.reset();
    editor_panel(covered, editor_, queue_);
  } else {
    editor_panel(view_, editor_, queue_);
  }
  if (const PanelRow* shown = find_panel(lecture_.panel())) shown->draw(view_, panels_, queue_);
  scene_panel(view_, queue_);
  figures_panel(view_);
  g.HoveredWindow = hovered;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 min = viewport->Pos, max{min.x + viewport->Size.x, min.y + viewport->Size.y};
  if (lecture_.blank) ImGui::GetForegroundDrawList()->AddRectFilled(min, max, IM_COL32_BLACK);
  // Leave the bar accessible. Dialogs are above the pen's drawings.
  if (dialog_.open == Dialog::kNone && ImGui::GetCurrentContext()->OpenPopupStack.empty()) {
    pen_.draw({min.x, min.y + px(kTopBarHeight)}, max);
  }
  if (lecture_.laser) {
    laser_.draw(view_.now_s);
    if (laser_.moving()) active_until_s_ = std::max(active_until_s_, view_.now_s + 0.05);
  }
}

// Magnifies the part of the window around the mouse; at the edges the lens stays inside.
void App::use_magnifier() {
  if (!lecture_.on() || lecture_.magnified == 0 || !ImGui::IsMousePosValid()) {
    window_->magnify(std::nullopt);
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
  window_->magnify(lens);
}

}  // namespace warpshop::ui
