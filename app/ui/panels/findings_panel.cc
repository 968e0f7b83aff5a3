#include "panels/findings_panel.h"

#include <algorithm>
#include <optional>

#include "draw/widgets.h"
#include "lab/findings.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

struct Item {
  std::string title;    // "out-of-bounds · write"
  std::string message;
  std::string help;
  SourcePlace place;
  Severity severity = Severity::kError;
  uint64_t count = 1;
  std::optional<size_t> finding;  // of the first size, whose warps have films
};

std::vector<Item> items_of(const lab::RunResult& result) {
  std::vector<Item> items;
  auto add = [&items](const Diagnostic& d) {
    std::string title = d.kind;
    if (d.kind == "compile") {
      title = d.severity == Severity::kError     ? tr("does not compile")
              : d.severity == Severity::kWarning ? tr("compiler warning")
                                                 : tr("compiler note");
    }
    items.push_back({std::move(title), tr(d.message), tr(d.help), d.place, d.severity, 1, {}});
  };
  for (const Diagnostic& d : result.diagnostics) add(d);
  bool first_size = true;
  for (const lab::SizeResult& size : result.sizes) {
    const std::string where = first_size ? "" : " · " + tr("at {}", size.size.label);
    first_size = false;
    for (const Diagnostic& d : size.problems) {
      add(d);
      items.back().title += where;
    }
    for (const emulator::Finding& finding : size.student.findings) {
      Item item;
      item.title = std::string(tr(name_of(finding.kind)));
      if (!finding.access.empty()) item.title += " · " + std::string(tr(finding.space + " " + finding.access));
      // Said once: what the smaller sizes found already is not said again for the larger.
      const bool known = std::any_of(items.begin(), items.end(), [&](const Item& other) {
        return other.place == finding.place && other.title.starts_with(item.title);
      });
      if (known) continue;
      item.title += where;
      item.message = tr(finding.message);
      item.help = tr(finding.cause);
      item.place = finding.place;
      item.severity = finding.severity;
      item.count = finding.count;
      if (&size == &result.sizes.front() && size.student.films) {
        item.finding = static_cast<size_t>(&finding - size.student.findings.data());
      }
      items.push_back(std::move(item));
    }
  }
  return items;
}

std::string csv_of(const std::vector<Item>& items) {
  CsvTable table({"finding", "line", "times", "message", "help"});
  for (const Item& item : items) {
    table.row({item.title, item.place.line > 0 ? std::to_string(item.place.line) : "", std::to_string(item.count), item.message, item.help});
  }
  return table.text();
}

void draw_item(const Item& item, int id, CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImGui::PushID(id);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), pad = px(12), inner = width - 2 * pad - px(14);
  auto height_of = [&](const std::string& text) {
    return text.empty() ? 0.0f : wrapped_height(f.regular, kLabel, text, inner) + px(4);
  };
  const float head = line_height(f.medium, kLabel);
  const float height = pad * 1.6f + head + height_of(item.message) + height_of(item.help) +
                       (item.finding ? px(26) : 0);
  ImGui::SetNextItemAllowOverlap();
  const bool pressed = ImGui::InvisibleButton("finding", {width, height});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height},
                      hovered ? mix(t.raised, t.line, 0.5f) : t.raised, px(8));
  const bool error = item.severity == Severity::kError;
  const ImU32 color = error ? t.poor : t.muted;
  list->AddRectFilled({at.x, at.y + px(8)}, {at.x + px(3), at.y + height - px(8)}, color, px(1.5f));
  float y = at.y + pad * 0.8f;
  const float x = at.x + pad + px(4);
  const ImU32 title = error ? t.poor_on_raised : t.muted;
  draw_text(list, {x, y}, f.medium, kLabel, title, item.title);
  std::string where;
  if (item.place.line > 0) where = tr("line {}", item.place.line);
  if (item.count > 1) where = tr("{} times", with_separators(item.count)) + (where.empty() ? "" : " · ") + where;
  draw_text(list, {at.x + width - pad, y}, f.regular, kLabel, t.muted, where, Align::kRight);
  y += head + px(4);
  auto text = [&](const std::string& what, ImU32 text_color) {
    draw_text_wrapped(list, {x, y}, f.regular, kLabel, text_color, what, inner);
    y += height_of(what);
  };
  text(item.message, t.text);
  text(item.help, t.muted);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  if (item.finding) {
    ImGui::SetCursorScreenPos({x, y});
    if (link(tr_id("Play the warp that did it", "play"), kLabel)) queue.push(command::FilmOfFinding{*item.finding});
    ImGui::SetCursorScreenPos(after);
    ImGui::Dummy({0, 0});
  }
  if (hovered && item.place.line > 0) queue.point_at({0, item.place.line});
  if (hovered && item.place.line > 0) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pressed && item.place.line > 0) queue.push(command::GoTo{item.place});
  ImGui::PopID();
}

}  // namespace

int error_count(const lab::RunResult& result) {
  int errors = 0;
  for (const Item& item : items_of(result)) errors += item.severity == Severity::kError;
  return errors;
}

void findings_panel(const View& view, CommandQueue& queue) {
  const lab::RunResult* result = view.latest ? &view.latest->result : nullptr;
  const int errors = result ? error_count(*result) : 0;
  Panel panel("findings", errors > 0 ? tr("Findings  {}", errors) : std::string(tr("Findings")));
  if (!panel) return;
  panel.header(tr("Findings"), {});
  const std::vector<Item> items = result ? items_of(*result) : std::vector<Item>();
  if (items.empty()) {
    empty_panel(result ? tr("Nothing was found wrong.")
                              : tr("Errors, races and accesses out of bounds appear here."),
                result ? tr("Every access was checked: bounds, alignment, uninitialised reads and races.")
                              : "");
    return;
  }
  export_menu(tr("Findings"), [&] { return csv_of(items); }, queue);
  ImGui::BeginChild("list", {0, 0}, ImGuiChildFlags_NavFlattened);
  std::optional<Greyed> grey(view.latest_stale);
  int id = 0;
  for (const Item& item : items) draw_item(item, id++, queue);
  if (lab::more_findings(*result)) {
    gap(2);
    paragraph(look().fonts->regular, kLabel, look()->muted, tr("There are more. Mend these first, and run again."));
    gap(4);
  }
  const lab::KernelRun* run = result->student();
  if (run && !run->printed.empty()) {
    label(look().fonts->medium, kLabel, look()->muted, tr("Printed by the kernel"));
    paragraph(look().fonts->code, kLabel, look()->text, run->printed);
  }
  grey.reset();
  ImGui::EndChild();
}

}  // namespace warpshop::ui
