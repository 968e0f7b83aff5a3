#include "panels/menu_bar.h"

#include <optional>
#include <string>
#include <typeindex>
#include <utility>

#include "app/actions.h"
#include "draw/spots.h"
#include "draw/widgets.h"
#include "panels/step_marks.h"
#include "text/text.h"
#include "window/fonts.h"

namespace warpshop::ui {
namespace {

void labs_menu(const View& view, CommandQueue& queue) {
  if (view.labs->labs.size() < 2 || !ImGui::BeginMenu(tr("Labs"))) return;
  for (const lab::Lab& lab : view.labs->labs) {
    if (!lab.steps.empty() && lab_row(view, lab, px(320)))
      queue.push(command::OpenStep{lab.id, ""});
  }
  ImGui::EndMenu();
}

void recent_menu(const View& view, CommandQueue& queue) {
  if (view.settings->recent.size() < 2 || !ImGui::BeginMenu(tr("Recent"))) return;
  for (const std::string& recent : view.settings->recent) {
    for (const lab::Lab& lab : view.labs->labs) {
      for (const lab::Step& step : lab.steps) {
        if (recent != lab.id + "/" + step.id) continue;
        const std::string name = lab.title + " › " + step.title + "##" + recent;
        if (ImGui::MenuItem(name.c_str(), nullptr, &step == view.session->step()))
          queue.push(command::OpenStep{lab.id, step.id});
      }
    }
  }
  ImGui::EndMenu();
}

void language_menu(const View& view, CommandQueue& queue) {
  if (view.languages->size() < 2 || !ImGui::BeginMenu(tr("Language"))) return;
  for (const auto& [id, name] : *view.languages) {
    if (ImGui::MenuItem(name.c_str(), nullptr, language().id == id))
      queue.push(command::SetLanguage{id});
  }
  ImGui::EndMenu();
}

struct Choice {
  bool chosen = false;  // has a tick
  // What choosing a ticked switch does; empty for one of several alternatives, of which one is
  // always chosen.
  std::optional<Command> otherwise;
  bool off = false;  // turns a switch off, which is only in the palette
};

template <typename C>
std::optional<Choice> switched(const Command& command, bool C::*to, bool on) {
  const C* c = command.get_if<C>();
  return c ? std::optional(Choice{on, C{false}, !(c->*to)}) : std::nullopt;
}

// Returns the current choice for a command; empty for commands that just perform an action.
std::optional<Choice> choice_of(const Command& command, const View& view) {
  const Settings& s = *view.settings;
  if (const auto* c = command.get_if<command::SetTheme>()) return Choice{s.theme == c->choice, {}};
  if (const auto* c = command.get_if<command::SetMode>()) return Choice{s.mode == c->mode, {}};
  if (const auto* c = command.get_if<command::SetLineMeasure>())
    return Choice{s.line_measure == id_of(c->measure), {}};
  if (auto on = switched(command, &command::SetWrap::on, s.wrap)) return on;
  if (auto on = switched(command, &command::SetEverything::on, s.everything)) return on;
  if (auto on = switched(command, &command::SetMotion::on, s.motion)) return on;
  if (auto on = switched(command, &command::SetDigits::on, s.digits)) return on;
  if (auto on = switched(command, &command::SetAutoRun::on, s.auto_run)) return on;
  return switched(command, &command::LockLayout::locked, s.layout_locked);
}

void entries_of(const View& view, const MenuOf& menu, CommandQueue& queue) {
  bool first = true;
  for (const std::string_view group : menu.groups) {
    if (!std::exchange(first, false)) ImGui::Separator();
    std::optional<std::type_index> choices;  // kind of alternatives that the previous entry was
    for (const Action& action : actions()) {
      if (action.group != group) continue;
      const std::optional<Choice> choice = choice_of(action.command, view);
      if (choice && choice->off) continue;
      const bool one_of_several = choice && !choice->otherwise;
      const std::optional<std::type_index> kind =
          one_of_several ? std::optional(std::type_index(action.command.type())) : std::nullopt;
      if (std::exchange(choices, kind) != kind) ImGui::Separator();
      const std::string title(tr(action.title));
      if (!ImGui::MenuItem(title.c_str(), chord_label(action.chord).c_str(),
                           choice && choice->chosen))
        continue;
      queue.push(choice && choice->chosen && choice->otherwise ? *choice->otherwise
                                                               : action.command);
    }
  }
  if (menu.title == tr_later("Lab")) {
    ImGui::Separator();
    labs_menu(view, queue);
    recent_menu(view, queue);
  } else if (menu.title == tr_later("View")) {
    ImGui::Separator();
    language_menu(view, queue);
  }
}

}  // namespace

const std::vector<MenuOf>& menus() {
  static const std::vector<MenuOf> all = {
      {tr_later("File"), {tr_later("File")}},
      {tr_later("Edit"), {tr_later("Editor"), tr_later("Edit")}},
      {tr_later("Lab"), {tr_later("Lab")}},
      {tr_later("Run"), {tr_later("Run")}},
      {tr_later("Maps"), {tr_later("Maps")}},
      {tr_later("Film"), {tr_later("Film")}},
      {tr_later("Panels"), {tr_later("Go")}},
      {tr_later("View"), {tr_later("View")}},
      {tr_later("Lecture"), {tr_later("Lecture")}},
      {tr_later("Help"), {tr_later("Help")}},
  };
  return all;
}

void menu_bar(const View& view, bool open_first, CommandQueue& queue) {
  const Theme& t = *look().theme;
  ImGui::PushStyleColor(ImGuiCol_MenuBarBg, t.window);
  ImGui::PushStyleColor(ImGuiCol_Border, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(8, 4));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ScopedFont font(look().fonts->regular, kLabel);
  if (ImGui::BeginMainMenuBar()) {
    ImGui::PopStyleVar(2);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(8, 8));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(18, 6));
    ImGui::SetCursorPosX(px(18));
    // ImGui adds the spacing twice between two menus.
    float width = px(18);
    for (const MenuOf& menu : menus())
      width += text_size(look().fonts->regular, kLabel, tr(menu.title)).x + 2 * px(18);
    const bool fits = width <= ImGui::GetWindowWidth();
    if (open_first)
      ImGui::OpenPopup(fits ? std::string(tr(menus().front().title)).c_str() : tr("Menu"));
    // If the titles do not fit into a narrow window, put all menus into one.
    if (fits || ImGui::BeginMenu(tr("Menu"))) {
      for (const MenuOf& menu : menus()) {
        if (!ImGui::BeginMenu(std::string(tr(menu.title)).c_str())) continue;
        entries_of(view, menu, queue);
        ImGui::EndMenu();
      }
      if (!fits) ImGui::EndMenu();
    }
    ImGui::PopStyleVar(2);
    ImGui::EndMainMenuBar();
  } else {
    ImGui::PopStyleVar(2);
  }
  ImGui::PopStyleColor(2);
}

}  // namespace warpshop::ui
