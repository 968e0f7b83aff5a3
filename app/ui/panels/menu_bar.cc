#include "panels/menu_bar.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "app/actions.h"
#include "app/any_command.h"
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
};

Choice switched(bool on, Command off) { return {on, std::move(off)}; }

// Returns the current choice for a command; empty for commands that just perform an action.
std::optional<Choice> choice_of(const Command& command, const View& view) {
  const Settings& s = *view.settings;
  const AnyCommand& any = command.any();
  if (const auto* c = std::get_if<command::SetTheme>(&any)) return Choice{s.theme == c->choice, {}};
  if (const auto* c = std::get_if<command::SetMode>(&any)) return Choice{s.mode == c->mode, {}};
  if (const auto* c = std::get_if<command::SetLineMeasure>(&any))
    return Choice{s.line_measure == id_of(c->measure), {}};
  if (std::holds_alternative<command::SetWrap>(any))
    return switched(s.wrap, command::SetWrap{false});
  if (std::holds_alternative<command::SetMotion>(any))
    return switched(s.motion, command::SetMotion{false});
  if (std::holds_alternative<command::SetDigits>(any))
    return switched(s.digits, command::SetDigits{false});
  if (std::holds_alternative<command::SetAutoRun>(any))
    return switched(s.auto_run, command::SetAutoRun{false});
  if (std::holds_alternative<command::LockLayout>(any))
    return switched(s.layout_locked, command::LockLayout{false});
  return std::nullopt;
}

// A switch is one entry with a tick; its counterpart, "off", is only in the palette.
bool is_off(const Command& command) {
  return std::visit(
      [](const auto& c) {
        if constexpr (requires { c.on; }) return !c.on;
        if constexpr (requires { c.locked; }) return !c.locked;
        return false;
      },
      command.any());
}

void entries_of(const View& view, const MenuOf& menu, CommandQueue& queue) {
  bool first = true;
  for (const std::string_view group : menu.groups) {
    if (!std::exchange(first, false)) ImGui::Separator();
    std::optional<size_t> choices;  // kind of alternatives that the previous entry was one of
    for (const Action& action : actions()) {
      if (action.group != group || is_off(action.command)) continue;
      const std::optional<Choice> choice = choice_of(action.command, view);
      const bool one_of_several = choice && !choice->otherwise;
      const std::optional<size_t> kind =
          one_of_several ? std::optional(action.command.any().index()) : std::nullopt;
      if (std::exchange(choices, kind) != kind) ImGui::Separator();
      const std::string title(tr(action.title));
      if (!ImGui::MenuItem(title.c_str(), chord_text(action.chord).c_str(),
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
