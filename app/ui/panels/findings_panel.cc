#include "panels/findings_panel.h"

#include <algorithm>
#include <optional>

#include "draw/panel.h"
#include "draw/widgets.h"
#include "lab/findings.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

struct Item {
  std::string title;  // "out-of-bounds · global write"
  std::string message;
  std::string help;
  SourcePlace place;
  Severity severity = Severity::kError;
  uint64_t count = 1;
  std::optional<size_t> finding;  // index at the first size, whose warps have films
};

std::string title_of(const Diagnostic& d) {
  if (d.kind != "compile") return std::string(d.kind.name());
  return d.severity == Severity::kError     ? tr("does not compile")
         : d.severity == Severity::kWarning ? tr("compiler warning")
                                            : tr("compiler note");
}

// "Warning: race · shared read": the severity is stated, not just coloured.
std::string title_of(const emulator::Finding& finding) {
  std::string title(tr(name_of(finding.kind)));
  if (!finding.access.empty())
    title += " · " + std::string(tr(finding.space + " " + finding.access));
  if (finding.severity == Severity::kWarning) return tr("Warning: {}", title);
  if (finding.severity == Severity::kNote) return tr("Note: {}", title);
  return title;
}

std::vector<Item> items_of(const lab::RunResult& result) {
  std::vector<Item> items;
  const auto at_size = [&](size_t size) {
    return size == 0 ? std::string() : " · " + tr("at {}", result.sizes[size].size.label);
  };
  for (const lab::ProblemAt& at : lab::problems_of(result)) {
    const Diagnostic& d = *at.problem;
    items.push_back(
        {title_of(d) + at_size(at.size), tr(d.message), tr(d.help), d.place, d.severity, 1, {}});
  }
  for (const lab::FoundAt& at : lab::findings_of(result.sizes)) {
    const emulator::Finding& finding = *at.finding;
    Item item{title_of(finding) + at_size(at.size),
              tr(finding.message),
              tr(finding.cause),
              finding.place,
              finding.severity,
              finding.count,
              {}};
    const lab::KernelRun& run = result.sizes[at.size].student;
    if (at.size == 0 && run.films)
      item.finding = static_cast<size_t>(&finding - run.findings.data());
    items.push_back(std::move(item));
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.severity < b.severity; });
  return items;
}

std::string csv_of(const std::vector<Item>& items) {
  CsvTable table({"finding", "line", "times", "message", "help"});
  for (const Item& item : items) {
    table.row({item.title, item.place.line > 0 ? std::to_string(item.place.line) : "",
               std::to_string(item.count), item.message, item.help});
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
  std::string where;
  if (item.place.line > 0) where = tr("line {}", item.place.line);
  if (item.count > 1)
    where = tr("{} times", with_separators(item.count)) + (where.empty() ? "" : " · ") + where;
  // Beside the title, or on a row of its own if both do not fit.
  const float row = line_height(f.medium, kLabel);
  const bool beside =
      text_size(f.medium, kLabel, item.title).x + px(16) + text_size(f.regular, kLabel, where).x <=
      inner;
  const float head = beside || where.empty() ? row : 2 * row;
  const float height = pad * 1.6f + head + height_of(item.message) + height_of(item.help) +
                       (item.finding ? px(26) : 0);
  ImGui::SetNextItemAllowOverlap();
  const bool pressed = ImGui::InvisibleButton("finding", {width, height});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height},
                      hovered ? mix(t.raised, t.line, 0.5f) : t.raised, px(8));
  // Filled for an error, hollow for a warning, grey for a note.
  const bool fails = item.severity != Severity::kNote && item.title != tr("compiler warning");
  const ImVec2 bar_min{at.x, at.y + px(8)}, bar_max{at.x + px(3.5f), at.y + height - px(8)};
  if (item.severity == Severity::kWarning && fails) {
    list->AddRect(bar_min, bar_max, t.poor, px(1.5f), px(1));
  } else {
    list->AddRectFilled(bar_min, bar_max, fails ? t.poor : t.muted, px(1.5f));
  }
  float y = at.y + pad * 0.8f;
  const float x = at.x + pad + px(4);
  const ImU32 title = fails ? t.poor_on_raised : t.muted;
  draw_text(list, {x, y}, f.medium, kLabel, title, item.title);
  if (beside) {
    draw_text(list, {at.x + width - pad, y}, f.regular, kLabel, t.muted, where, Align::kRight);
  } else {
    draw_text(list, {x, y + row}, f.regular, kLabel, t.muted, where);
  }
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
    if (link(tr_id("Play the warp that did it", "play"), kLabel))
      queue.push(command::FilmOfFinding{*item.finding});
    ImGui::SetCursorScreenPos(after);
    ImGui::Dummy({0, 0});
  }
  if (hovered && item.place.line > 0) queue.point_at({0, item.place.line});
  if (hovered && item.place.line > 0) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pressed && item.place.line > 0) queue.push(command::GoTo{item.place});
  ImGui::PopID();
}

}  // namespace

void findings_panel(const View& view, CommandQueue& queue) {
  const lab::RunResult* result = view.latest ? &view.latest->result : nullptr;
  const lab::FindingCounts counts = result ? lab::count_findings(*result) : lab::FindingCounts();
  Panel panel("findings",
              counts.all() > 0 ? tr("Findings  {}", counts.all()) : std::string(tr("Findings")));
  if (!panel) return;
  const std::vector<Item> items = result ? items_of(*result) : std::vector<Item>();
  panel.header(tr("Findings"), counts.all() > 0 ? tr(counts.words()) : std::string());
  if (items.empty()) {
    empty_panel(
        result ? tr("Nothing was found wrong.")
               : tr("Errors, races and accesses out of bounds appear here."),
        result ? tr("Every access was checked: bounds, alignment, uninitialised reads and races.")
               : "");
    return;
  }
  export_menu(
      tr("Findings"), [&] { return csv_of(items); }, queue);
  ImGui::BeginChild("list", {0, 0}, ImGuiChildFlags_NavFlattened);
  std::optional<Greyed> grey(view.latest_stale);
  int id = 0;
  for (const Item& item : items) draw_item(item, id++, queue);
  if (lab::more_findings(*result)) {
    gap(2);
    paragraph(look().fonts->regular, kLabel, look()->muted,
              tr("There are more. Fix these first, then run again."));
    gap(4);
  }
  grey.reset();
  ImGui::EndChild();
}

}  // namespace warpshop::ui
