// Draws a frame: the docks and the gaps between them,
// the panels, the lecture, and everything on top.
#include <algorithm>
#include <cstdio>

#include "app/actions.h"
#include "app/lab_app.h"
#include "core/files.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/lecture_panels.h"
#include "panels/menu_bar.h"
#include "panels/panel_table.h"
#include "panels/top_bar.h"
#include "text/format.h"
#include "text/text.h"
#include "window/gl_fill.h"

namespace warpshop::ui {
namespace {

// Fills everything outside the panels with the window's colour.
void fill_between_panels(const ImGuiDockNode* root, ImVec2 window, ImVec2 size) {
  if (!root || !root->HostWindow) return;
  const ImU32 color = look()->window;
  ImDrawList* list = root->HostWindow->DrawList;
  list->ChannelsSetCurrent(0);
  const ImVec2 min = root->Pos, max{min.x + root->Size.x, min.y + root->Size.y};
  const ImVec2 end{window.x + size.x, window.y + size.y};
  fill_opaque(list, window, {end.x, min.y}, color);
  fill_opaque(list, {window.x, max.y}, end, color);
  fill_opaque(list, {window.x, min.y}, {min.x, max.y}, color);
  fill_opaque(list, {max.x, min.y}, {end.x, max.y}, color);
  std::vector<const ImGuiDockNode*> nodes = {root};
  while (!nodes.empty()) {
    const ImGuiDockNode* node = nodes.back();
    nodes.pop_back();
    const ImGuiDockNode *a = node->ChildNodes[0], *b = node->ChildNodes[1];
    if (!a || !b) continue;
    if (a->IsVisible && b->IsVisible) {
      const ImVec2 a_end{a->Pos.x + a->Size.x, a->Pos.y + a->Size.y};
      if (node->SplitAxis == ImGuiAxis_X) {
        fill_opaque(list, {a_end.x, a->Pos.y}, {b->Pos.x, a_end.y}, color);
      } else {
        fill_opaque(list, {a->Pos.x, a_end.y}, {a_end.x, b->Pos.y}, color);
      }
    }
    nodes.push_back(a);
    nodes.push_back(b);
  }
  list->ChannelsSetCurrent(1);
}

}  // namespace

void App::draw_dockspace(float bar_height) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float top = bar_height + px(4), side = px(12);
  const ImVec2 position{viewport->WorkPos.x + side, viewport->WorkPos.y + top};
  const ImVec2 size{viewport->WorkSize.x - 2 * side, viewport->WorkSize.y - top - side};
  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::Begin("dock_host", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus |
                   ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  const ImGuiID id = dockspace_ = ImGui::GetID("dockspace");
  const LayoutClass wanted =
      lecture_.on() ? LayoutClass::kLecture
                    : layout_class({viewport->WorkSize.x / scale_, viewport->WorkSize.y / scale_});
  if (layout_ != wanted || layout_rebuild_) {
    // Each layout keeps the student's tabs in front, for when it comes back.
    if (layout_ && layout_ != LayoutClass::kLecture && layout_settles_ == 0 && !home_.open &&
        read_.empty()) {
      in_front_[*layout_] = panels_in_front();
      tab_order_[*layout_] = tab_order(id);
    }
    layout_ = wanted;
    layout_rebuild_ = false;
    lecture_fit_ = {.docks = build_layout(id, settings_.mode, wanted, size)};
    std::error_code error;
    if (wanted != LayoutClass::kLecture && settings_.layout_changed &&
        settings_.layout_version == kLayoutVersion && !options_.read_only &&
        std::filesystem::is_regular_file(layout_file(), error)) {
      if (Result<std::string> text = read_file(layout_file()); text.ok()) {
        ImGui::LoadIniSettingsFromMemory(text->data(), text->size());
      }
    }
    const char* map = view_.access() && view_.access()->shared ? "banks" : "transactions";
    const std::vector<std::string>& before = in_front_[wanted];
    if (wanted == LayoutClass::kLecture) {
      tabs_to_show_.clear();
    } else if (!before.empty()) {
      tabs_to_show_.insert(tabs_to_show_.begin(), before.begin(), before.end());
    } else if (wanted != LayoutClass::kWide) {
      tabs_to_show_ = {map, "steps"};
    } else if (tabs_to_show_.empty()) {
      tabs_to_show_ = {map, view_.result() ? verdict_panel(*view_.result()) : "result"};
    }
    // Each dock starts with its first panel in front,
    // not the last one added; a requested panel follows.
    if (wanted == LayoutClass::kWide) tabs_to_show_.insert(tabs_to_show_.begin(), "counters");
    layout_settles_ = 3;
    frames_due_ = std::max(frames_due_, 6);
  } else if (dock_size_.x > 0 && (dock_size_.x != size.x || dock_size_.y != size.y)) {
    resize_docks(id, dock_size_, size);
  }
  dock_size_ = size;
  ImGuiDockNodeFlags flags = ImGuiDockNodeFlags_AutoHideTabBar;
  flags |= static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoCloseButton);
  if (settings_.layout_locked)
    flags |= ImGuiDockNodeFlags_NoUndocking | ImGuiDockNodeFlags_NoDockingSplit;
  // ImGui would fill the gaps between panels with these two colours.
  ImGui::PushStyleColor(ImGuiCol_Border, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32_BLACK_TRANS);
  // On a slide, a border is highlighted only while dragged, not where the mouse happens to rest.
  ImGui::PushStyleColor(ImGuiCol_SeparatorHovered,
                        lecture_.on() ? 0 : ImGui::GetColorU32(ImGuiCol_SeparatorHovered));
  // ImGui appends the tabs of panels that are drawn later than others.
  if (layout_settles_ == 1) restore_tab_order(id, tab_order_[wanted]);
  list_tabs(id);
  if (wanted == LayoutClass::kLecture) fit_lecture(view_, size, lecture_fit_);
  // Narrow tabs, so that all tabs of a dock fit: a scrolling bar would hide some.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(8, 6));
  ImGui::DockSpace(id, {0, 0}, flags);
  ImGui::PopStyleVar();
  fill_between_panels(ImGui::DockBuilderGetNode(id), viewport->WorkPos, viewport->WorkSize);
  ImGui::PopStyleColor(3);
  ImGui::End();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool dragging = ImGui::IsMouseDragging(ImGuiMouseButton_Left) &&
                        ((g.ActiveIdWindow && g.ActiveIdWindow->DockNodeAsHost) || g.MovingWindow);
  if (dragging && !options_.read_only) settings_.layout_changed = true;
  if (ImGui::GetIO().WantSaveIniSettings) {
    ImGui::GetIO().WantSaveIniSettings = false;
    save_layout();
  }
}

// Takes the keys of editing actions before the editor interprets them otherwise. The command is
// queued after the panels are drawn, so that text typed before the key comes first.
const Action* App::take_editor_keys() {
  if (!editor_.focused || dialog_.shown != Dialog::kNone) return nullptr;
  const Action* action = pressed_action(true, false, true);
  if (lecture_.on()) {
    // The lecture's page keys work wherever the keyboard focus is.
    action = ImGui::IsKeyPressed(ImGuiKey_PageDown) ? find_action("advance")
             : ImGui::IsKeyPressed(ImGuiKey_PageUp) ? find_action("scene-back")
                                                    : nullptr;
  }
  if (!action) return nullptr;
  for (const ImGuiKeyChord chord : {action->chord, action->second}) {
    const auto key = static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_);
    if (key != ImGuiKey_None)
      ImGui::SetKeyOwner(key, ImGui::GetID("editor-keys"), ImGuiInputFlags_LockThisFrame);
  }
  return action;
}

void App::draw() {
  const Action* editor_action = take_editor_keys();
  std::optional<std::pair<float, float>> free_in_bar;
  if (lecture_.on()) {
    free_in_bar = lecture_bar(view_, queue_);
  } else {
    menu_bar(view_, std::exchange(menu_asked_, false), queue_);
    top_bar(view_, queue_);
  }
  // No tour during a lecture.
  const float bars = lecture_.on()
                         ? px(kTopBarHeight)
                         : px(kWorkBarHeight) + tour_strip(tour_, px(kWorkBarHeight), queue_);
  draw_dockspace(bars);
  if (ImGuiWindow* window = focus_panel_.empty() ? nullptr : panel_window(focus_panel_)) {
    ImGui::FocusWindow(window);
    if (focus_panel_ == "editor") editor_.focus = true;
    // Hide the focus mark: while it is visible on an item
    // elsewhere, Tab would not find the panel's first item.
    ImGui::SetNavCursorVisible(false);
    // Focus a tab only once it is in front, since ImGui does not know
    // its items earlier. A lecture keeps its keys from the first frame
    // on, while the docks still pass the keyboard focus to one another.
    if (lecture_.on() ? layout_settles_ == 0 : in_front(window) || layout_settles_ > 0)
      focus_panel_.clear();
    frames_due_ = std::max(frames_due_, 2);
  }
  // A new dock selects the tab added last; select ours after that.
  if (layout_settles_ > 0) {
    --layout_settles_;
  } else {
    for (const std::string& panel : std::exchange(tabs_to_show_, {})) {
      show_tab(panel);
      // Accesses to shared memory bring their panels with
      // them, and may still arrive until a run has ended.
      const ImGuiWindow* window = panel_window(panel);
      const PanelRow* row = find_panel(panel);
      const bool of_shared = row && row->of_shared_memory && read_.empty() && !home_.open;
      const bool comes =
          view_.prepared ? view_.prepared->accesses.any_shared : busy() || run_due_s_ > 0;
      if (of_shared && comes && (!window || !window->WasActive)) tabs_to_show_.push_back(panel);
      frames_due_ = std::max(frames_due_, 2);
    }
  }
  begin_figures();
  if (lecture_.on()) {
    draw_lecture();
  } else if (home_.open) {
    home_page(view_, home_, bars, queue_);
  } else {
    draw_panels();
  }
  end_figures();
  if (editor_action) queue_.push(editor_action->command);
  const bool dialog_open = dialog_.shown != Dialog::kNone;
  dialogs(view_, dialog_, queue_);
  if (!lecture_.on()) tour_frame(tour_);
  toasts_.draw(view_.now_s, free_in_bar, queue_);
  cut_text_tooltip();
  if (show_times_) draw_frame_time();
  // Works in the list of scenes as well.
  if (lecture_.on() && (!dialog_open || dialog_.open == Dialog::kScenes)) type_scene_number();
  if (!dialog_open) {
    const ImGuiIO& io = ImGui::GetIO();
    // An open menu takes the arrows and letters. Esc only
    // closes the menu, which has already happened here.
    const bool list_open = !ImGui::GetCurrentContext()->OpenPopupStack.empty();
    const bool esc_is_its_own =
        std::exchange(list_was_open_, list_open) && ImGui::IsKeyPressed(ImGuiKey_Escape);
    if (esc_is_its_own) return;
    // A character rather than a key: where it is depends on the keyboard.
    if (lecture_.on() && !io.WantTextInput && io.InputQueueCharacters.contains('?'))
      queue_.push(command::OpenKeys{});
    if (const Action* action = pressed_action(io.WantTextInput || list_open,
                                              io.NavVisible && !arrows_walk_accesses(), false)) {
      // Alt alone moves to the tabs; suppress that if another key arrived in the same frame.
      ImGui::GetCurrentContext()->NavWindowingToggleLayer = false;
      queue_.push(action->command);
    }
  }
}

// In a step without a kernel, only the steps and the text are shown until the student opens another
// panel. The other docks are empty meanwhile, and get their places and sizes back afterwards.
void App::choose_panels() {
  const bool reads = view_.reads();
  std::string page = reads ? session_->place() : "";
  if (reads && (page == panels_wanted_in_ || !text_can_be_alone())) page.clear();
  if (page.empty() != read_.empty()) {
    if (!page.empty()) {
      before_text_alone_ = panels_in_front();
    } else {
      std::vector<std::string> tabs = std::exchange(before_text_alone_, {});
      if (tabs.empty()) tabs = {"transactions", "result"};
      tabs_to_show_.insert(tabs_to_show_.begin(), tabs.begin(), tabs.end());
    }
    layout_settles_ = 3;
    frames_due_ = std::max(frames_due_, 6);
  }
  // Focus the text so that the page keys scroll it immediately.
  if (!page.empty() && page != read_ && ImGui::GetCurrentContext()->OpenPopupStack.empty())
    focus_panel_ = "editor";
  read_ = std::move(page);
  view_.text_in_editor = false;
  if (!reads) return;
  editor_.focus = false;
  const ImGuiWindow *editor = panel_window("editor"), *steps = panel_window("steps");
  // If both are tabs of the same dock, each shows the text.
  const bool side_by_side =
      editor && (!steps || !editor->DockNode || editor->DockNode != steps->DockNode);
  view_.text_in_editor = side_by_side && in_front(editor);
}

// Keeps a panel that appears with a kernel, without being requested, from hiding the front tab of
// its dock, as a new tab would.
void App::stay_behind(const std::string& panel) {
  const ImGuiWindow* window = panel_window(panel);
  const bool is_there = window && window->WasActive;
  const bool asked_for =
      focus_panel_ == panel ||
      std::find(tabs_to_show_.begin(), tabs_to_show_.end(), panel) != tabs_to_show_.end();
  if (!is_there && !asked_for) {
    before_it_came_ = panels_in_front();
  } else if (!before_it_came_.empty()) {
    const std::vector<std::string> before = std::exchange(before_it_came_, {});
    for (const std::string& other : before) {
      const ImGuiWindow* beside = panel_window(other);
      const bool hidden =
          beside && beside->DockNode && beside->DockNode == window->DockNode && in_front(window);
      if (!asked_for && hidden) tabs_to_show_.push_back(other);
    }
  }
}

void App::draw_panels() {
  choose_panels();
  steps_panel(view_, steps_, step_text_, queue_);
  if (view_.reads()) {
    reading_panel(view_, step_text_, queue_);
  } else {
    editor_panel(view_, editor_, queue_);
  }
  if (!read_.empty()) return;
  shared_.visible = false;
  stay_behind("shared");
  for (const PanelRow* panel : panels_of_a_run()) {
    const bool shown =
        !panel->of_shared_memory || (view_.prepared && view_.prepared->accesses.any_shared);
    if (shown) panel->draw(view_, panels_, queue_);
  }
}

void App::draw_frame_time() {
  char build[16], render[16];
  std::snprintf(build, sizeof build, "%.2f", times_.build_ms);
  std::snprintf(render, sizeof render, "%.2f", times_.render_ms);
  const std::string text =
      tr("frame {} · panels {} ms · drawing {} ms · edit to result {}", times_.frames,
         local_number(build), local_number(render),
         edit_to_result_s_ > 0 ? duration_text(edit_to_result_s_) : std::string("–"));
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 at{viewport->Pos.x + px(16), viewport->Pos.y + viewport->Size.y - px(34)};
  const ImVec2 size = text_size(fonts_.code, kLabel, text);
  list->AddRectFilled({at.x - px(8), at.y - px(4)}, {at.x + size.x + px(8), at.y + size.y + px(4)},
                      look()->raised, px(6));
  draw_text(list, at, fonts_.code, kLabel, look()->text, text);
}

}  // namespace warpshop::ui
