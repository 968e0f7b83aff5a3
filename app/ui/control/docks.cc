#include "control/docks.h"

#include <algorithm>

#include "core/files.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "lab/findings.h"
#include "panels/panel_table.h"
#include "panels/shared_panel.h"
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

const char* verdict_panel(const lab::RunResult& result) {
  if (lab::count_findings(result).all() > 0) return "findings";
  return !result.sizes.empty() && result.sizes.front().correct ? "times" : "result";
}

Docks::Docks(Shell& shell, OpenWork& work)
    : shell_(shell), work_(work), step_text_(shell.panels.of<StepTextState>()) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::SetMode& c) {
    if (shell_.lecture.on()) shell_.apply(command::GiveLecture{});  // ends it
    if (shell_.settings.mode == c.mode) return;
    leave_home();
    save_layout();
    shell_.settings.mode = c.mode;
    forget_layout();  // a panel has other neighbours there
  });
  commands.on([this](const command::LockLayout& c) {
    shell_.settings.layout_locked = c.locked;
    shell_.say(c.locked ? tr("The layout is locked.")
                        : tr("Panels can be moved: drag the corner or the tab."));
  });
  commands.on([this](const command::ResetLayout&) {
    shell_.settings.layout_changed = false;
    forget_layout();
  });
  commands.on_work([this](const command::OpenHome&) {
    if (home_.open) {
      shell_.apply(command::CloseHome{});
      return;
    }
    if (work_.session->step()) before_home_ = panels_in_front();
    ++shell_.facts.homes;
    show_home();
  });
  commands.on([this](const command::CloseHome&) {
    if (!home_.open || !work_.session->step()) return;
    leave_home();
    focus_text();
    work_.name_window();
  });
}

void Docks::show(std::string panel) {
  if (shell_.lecture.on()) {
    // Only panels that other commands, such as the film's, request. The arrow keys step through
    // accesses even without a map.
    if (panel == "warp" || panel == "compare" || panel == "findings")
      shell_.lecture.brought = std::move(panel);
    return;
  }
  if (panel != "steps" && panel != "editor") panels_wanted_in_ = work_.session->place();
  std::erase(tabs_to_show_, panel);
  tabs_to_show_.push_back(std::move(panel));
}

void Docks::focus_text() {
  focus_panel_ = shell_.settings.mode == Mode::kAnalysis ? "editor" : "steps";
}

bool Docks::shows(std::string_view panel) const {
  const ImGuiWindow* window = panel_window(panel);
  return window && in_front(window);
}

bool Docks::gives_way_to(std::string_view panel) const {
  // While the layout settles, the front tabs are not known yet.
  if (layout_settles_ > 0) return false;
  const ImGuiWindow* window = panel_window(panel);
  // The banks panel appears with the first access to shared memory, in the transactions' dock.
  if (!window || !window->DockNode) window = panel_window("transactions");
  if (!window || !window->DockNode || !window->DockNode->VisibleWindow) return true;
  for (const char* own : {"transactions", "banks", "result", "times", "findings"}) {
    if (window->DockNode->VisibleWindow == panel_window(own)) return true;
  }
  return false;
}

std::string Docks::front_beside(std::string_view panel) const {
  const ImGuiWindow* window = panel_window(panel);
  if (!window || !window->DockNode) return "";
  for (std::string& front : panels_in_front()) {
    if (panel_window(front)->DockNode == window->DockNode) return std::move(front);
  }
  return "";
}

std::filesystem::path Docks::layout_file() const {
  return user_dir() / "layouts" /
         (std::string(name_of(shell_.settings.mode)) + "-" + std::string(name_of(*layout_)) +
          ".ini");
}

void Docks::save_layout() {
  if (!layout_ || layout_ == LayoutClass::kLecture || shell_.options.read_only ||
      !shell_.settings.layout_changed)
    return;
  size_t size = 0;
  const char* text = ImGui::SaveIniSettingsToMemory(&size);
  shell_.settings.layout_version = kLayoutVersion;
  shell_.say(write_file_atomically(layout_file(), std::string_view(text, size)));
}

void Docks::forget_layout() {
  tab_order_.clear();
  in_front_.clear();
  layout_.reset();
}

void Docks::show_home() {
  home_.open = home_.focus = true;
  shell_.window->set_title(std::string(tr("Labs")) + " – Warpshop");
  shell_.draw_frames(6);
}

void Docks::leave_home() {
  if (!home_.open) return;
  home_.open = false;
  bring_back(std::exchange(before_home_, {}));
}

void Docks::bring_back(std::vector<std::string> tabs) {
  if (tabs.empty()) tabs = {"transactions", "result"};
  tabs_to_show_.insert(tabs_to_show_.begin(), tabs.begin(), tabs.end());
  layout_settles_ = 3;
  shell_.draw_frames(6);
}

void Docks::enter_lecture() {
  save_layout();
  before_lecture_ = home_.open ? before_home_ : panels_in_front();
  if (layout_) in_front_[*layout_] = before_lecture_;
  if (layout_ && !home_.open) tab_order_[*layout_] = tab_order(dockspace_);
  layout_.reset();
}

void Docks::after_lecture(bool from_home) {
  tabs_to_show_ = std::exchange(before_lecture_, {});
  if (!from_home) return;
  const std::vector<std::string> tabs = tabs_to_show_;
  shell_.apply(command::OpenHome{});
  before_home_ = tabs;  // the student's, not the lecture's
}

void Docks::build(ImGuiID id, LayoutClass wanted, ImVec2 size) {
  const View& view = shell_.view;
  Settings& settings = shell_.settings;
  // Each layout keeps the student's tabs in front, for when it comes back.
  if (layout_ && layout_ != LayoutClass::kLecture && layout_settles_ == 0 && !home_.open &&
      read_.empty()) {
    in_front_[*layout_] = panels_in_front();
    tab_order_[*layout_] = tab_order(id);
  }
  layout_ = wanted;
  layout_rebuild_ = false;
  fitted_ = build_layout(id, settings.mode, wanted, size);
  lecture_fit_ = {};
  std::error_code error;
  if (wanted != LayoutClass::kLecture && settings.layout_changed &&
      settings.layout_version == kLayoutVersion && !shell_.options.read_only &&
      std::filesystem::is_regular_file(layout_file(), error)) {
    if (Result<std::string> text = read_file(layout_file()); text.ok()) {
      ImGui::LoadIniSettingsFromMemory(text->data(), text->size());
    }
  }
  const char* map = view.access() && view.access()->shared ? "banks" : "transactions";
  const std::vector<std::string>& before = in_front_[wanted];
  if (wanted == LayoutClass::kLecture) {
    tabs_to_show_.clear();
  } else if (!before.empty()) {
    tabs_to_show_.insert(tabs_to_show_.begin(), before.begin(), before.end());
  } else if (wanted != LayoutClass::kWide) {
    tabs_to_show_ = {map, "steps"};
  } else if (tabs_to_show_.empty()) {
    tabs_to_show_ = {map, view.result() ? verdict_panel(*view.result()) : "result"};
  }
  // Each dock starts with its first panel in front, not the last one added; a requested panel
  // follows.
  if (wanted == LayoutClass::kWide) tabs_to_show_.insert(tabs_to_show_.begin(), "counters");
  layout_settles_ = 3;
  shell_.draw_frames(6);
}

void Docks::draw_docks(float bars, bool results_come) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float top = bars + px(4), side = px(12);
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
  const bool lecture = shell_.lecture.on();
  const LayoutClass wanted = lecture ? LayoutClass::kLecture
                                     : layout_class({viewport->WorkSize.x / look().scale,
                                                     viewport->WorkSize.y / look().scale});
  if (layout_ != wanted || layout_rebuild_) {
    build(id, wanted, size);
  } else if (dock_size_.x > 0 && (dock_size_.x != size.x || dock_size_.y != size.y)) {
    resize_docks(id, dock_size_, size);
    if (wanted == LayoutClass::kWide && shell_.settings.mode == Mode::kStudent &&
        !shell_.settings.layout_changed)
      share_student(fitted_, size);
  }
  dock_size_ = size;
  ImGuiDockNodeFlags flags = ImGuiDockNodeFlags_AutoHideTabBar;
  flags |= static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoCloseButton);
  if (shell_.settings.layout_locked)
    flags |= ImGuiDockNodeFlags_NoUndocking | ImGuiDockNodeFlags_NoDockingSplit;
  // ImGui would fill the gaps between panels with these two colours.
  ImGui::PushStyleColor(ImGuiCol_Border, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32_BLACK_TRANS);
  // On a slide, a border is highlighted only while dragged, not where the mouse happens to rest.
  // Docks draw their separators in the colours of the resize grip.
  ImGui::PushStyleColor(ImGuiCol_ResizeGripHovered,
                        lecture ? 0 : ImGui::GetColorU32(ImGuiCol_ResizeGripHovered));
  // ImGui appends the tabs of panels that are drawn later than others.
  if (layout_settles_ == 1) restore_tab_order(id, tab_order_[wanted]);
  bring_new_tabs_into_sight();
  list_tabs(id);
  if (lecture) fit_lecture(shell_.view, fitted_, size, lecture_fit_);
  // Narrow tabs, so that all tabs of a dock fit: a scrolling bar would hide some.
  const bool narrow = size.x < px(1500);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(narrow ? 5 : 8, 6));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, px(narrow ? 3 : 8, 4));
  ImGui::DockSpace(id, {0, 0}, flags);
  ImGui::PopStyleVar(2);
  fill_between_panels(ImGui::DockBuilderGetNode(id), viewport->WorkPos, viewport->WorkSize);
  ImGui::PopStyleColor(3);
  ImGui::End();
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const bool dragging = ImGui::IsMouseDragging(ImGuiMouseButton_Left) &&
                        ((g.ActiveIdWindow && g.ActiveIdWindow->DockNodeAsHost) || g.MovingWindow);
  if (dragging && !shell_.options.read_only) shell_.settings.layout_changed = true;
  if (ImGui::GetIO().WantSaveIniSettings) {
    ImGui::GetIO().WantSaveIniSettings = false;
    save_layout();
  }
  give_focus();
  bring_tabs(results_come);
}

// Tabs that a kernel brings stand where they are seen, unless the student has arranged the panels.
void Docks::bring_new_tabs_into_sight() {
  if (layout_settles_ > 0 || shell_.lecture.on() || home_.open || !read_.empty()) return;
  std::vector<std::string_view> brought;
  for (const PanelRow* row : panels_of_a_run()) {
    if (row->of != PanelOf::kAnyKernel) brought.push_back(row->id);
  }
  for (const std::string_view panel : brought) {
    const ImGuiWindow* window = panel_window(panel);
    const bool is_there = window && window->WasActive && window->DockNode;
    if (!is_there) {
      brought_.erase(std::string(panel));
    } else if (brought_.emplace(panel).second && !shell_.settings.layout_changed) {
      move_tab_forward(panel, brought);
    }
  }
}

void Docks::give_focus() {
  ImGuiWindow* window = focus_panel_.empty() ? nullptr : panel_window(focus_panel_);
  if (!window) return;
  ImGui::FocusWindow(window);
  if (focus_panel_ == "editor") shell_.editor().focus = true;
  // Hide the focus mark: while it is visible on an item elsewhere, Tab would not find the panel's
  // first item.
  ImGui::SetNavCursorVisible(false);
  // Focus a tab only once it is in front, since ImGui does not know its items earlier. A lecture
  // keeps its keys from the first frame on, while the docks still pass the keyboard focus to one
  // another.
  if (shell_.lecture.on() ? layout_settles_ == 0 : in_front(window) || layout_settles_ > 0)
    focus_panel_.clear();
  shell_.draw_frames(2);
}

// A new dock selects the tab added last; ours are selected after that.
void Docks::bring_tabs(bool results_come) {
  if (layout_settles_ > 0) {
    --layout_settles_;
    return;
  }
  const View& view = shell_.view;
  for (const std::string& panel : std::exchange(tabs_to_show_, {})) {
    show_tab(panel);
    // Panels that come with the kernel may still arrive until a run has ended.
    const ImGuiWindow* window = panel_window(panel);
    const PanelRow* row = find_panel(panel);
    const bool of_some = row && row->of != PanelOf::kAnyKernel && read_.empty() && !home_.open;
    const bool comes = view.prepared ? of_some && has_panel(row->of, *view.prepared) : results_come;
    if (of_some && comes && (!window || !window->WasActive)) tabs_to_show_.push_back(panel);
    shell_.draw_frames(2);
  }
}

// In a step without a kernel, only the steps and the text are shown until the student opens another
// panel. The other docks are empty meanwhile, and get their places and sizes back afterwards.
void Docks::choose_panels() {
  const bool reads = shell_.view.reads();
  std::string page = reads ? work_.session->place() : "";
  if (reads && (page == panels_wanted_in_ || !text_can_be_alone())) page.clear();
  if (page.empty() != read_.empty()) {
    if (!page.empty()) {
      before_text_alone_ = panels_in_front();
      layout_settles_ = 3;
      shell_.draw_frames(6);
    } else {
      bring_back(std::exchange(before_text_alone_, {}));
    }
  }
  // Focus the text so that the page keys scroll it immediately.
  if (!page.empty() && page != read_ && ImGui::GetCurrentContext()->OpenPopupStack.empty())
    focus_panel_ = "editor";
  read_ = std::move(page);
  shell_.view.text_in_editor = false;
  if (!reads) return;
  shell_.editor().focus = false;
  const ImGuiWindow *editor = panel_window("editor"), *steps = panel_window("steps");
  // If both are tabs of the same dock, each shows the text.
  const bool side_by_side =
      editor && (!steps || !editor->DockNode || editor->DockNode != steps->DockNode);
  shell_.view.text_in_editor = side_by_side && in_front(editor);
}

// Keeps a panel that appears with a kernel, without being requested, from hiding the front tab of
// its dock, as a new tab would.
void Docks::keep_front_tab(const std::string& panel) {
  const ImGuiWindow* window = panel_window(panel);
  const bool is_there = window && window->WasActive;
  const bool asked_for =
      focus_panel_ == panel ||
      std::find(tabs_to_show_.begin(), tabs_to_show_.end(), panel) != tabs_to_show_.end();
  if (!is_there && !asked_for) {
    before_it_came_[panel] = panels_in_front();
  } else if (before_it_came_.count(panel) > 0) {
    const std::vector<std::string> before = std::move(before_it_came_[panel]);
    before_it_came_.erase(panel);
    for (const std::string& other : before) {
      const ImGuiWindow* beside = panel_window(other);
      const bool hidden =
          beside && beside->DockNode && beside->DockNode == window->DockNode && in_front(window);
      if (!asked_for && hidden) tabs_to_show_.push_back(other);
    }
  }
}

void Docks::draw_panels() {
  choose_panels();
  const View& view = shell_.view;
  PanelStates& states = shell_.panels;
  CommandQueue& queue = shell_.queue;
  steps_panel(view, states.of<StepsPanelState>(), step_text_, queue);
  if (view.reads()) {
    reading_panel(view, step_text_, queue);
  } else {
    editor_panel(view, shell_.editor(), queue);
  }
  if (!read_.empty()) return;
  states.of<SharedPanelState>().visible = false;
  keep_front_tab("shared");
  keep_front_tab("fragments");
  keep_front_tab("contention");
  keep_front_tab("pipeline");
  for (const PanelRow* panel : panels_of_a_run()) {
    const bool shown =
        panel->of == PanelOf::kAnyKernel || (view.prepared && has_panel(panel->of, *view.prepared));
    if (shown) panel->draw(view, states, queue);
  }
}

}  // namespace warpshop::ui
