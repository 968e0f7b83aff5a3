#include "panels/ptx_panel.h"

#include <algorithm>
#include <string_view>

#include "draw/widgets.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

bool for_the_assembler(std::string_view line) {
  return line.empty() || line.starts_with(".loc") || line.starts_with("//") || line.starts_with(".file");
}

}  // namespace

std::vector<PtxLine> ptx_lines_of(const lab::KernelRun& run) {
  std::vector<PtxLine> out;
  if (run.ptx_lines.empty()) return out;
  std::vector<std::string_view> text;
  for (size_t at = 0; at <= run.ptx.size();) {
    const size_t end = std::min(run.ptx.find('\n', at), run.ptx.size());
    text.push_back(std::string_view(run.ptx).substr(at, end - at));
    at = end + 1;
  }
  // From the entry's name to the brace that closes it.
  size_t first = static_cast<size_t>(std::max(1, run.ptx_lines.front().ptx_line)) - 1;
  while (first > 0 && text[std::min(first, text.size() - 1)].find(".entry") == std::string_view::npos) --first;
  size_t last = std::min(static_cast<size_t>(run.ptx_lines.back().ptx_line), text.size());
  while (last < text.size() && !trimmed(text[last - 1]).starts_with('}')) ++last;
  size_t cost = 0;
  for (size_t n = first; n < last; ++n) {
    const std::string_view line = trimmed(text[n]);
    const int number = static_cast<int>(n) + 1;
    while (cost < run.ptx_lines.size() && run.ptx_lines[cost].ptx_line < number) ++cost;
    const bool instruction = cost < run.ptx_lines.size() && run.ptx_lines[cost].ptx_line == number;
    if (!instruction && for_the_assembler(line)) continue;
    PtxLine& shown = out.emplace_back();
    std::string plain;
    for (char c : line) plain += c == '\t' ? ' ' : c;
    const bool indented = instruction || line.starts_with(".reg") || line.starts_with(".shared") || line.starts_with(".param");
    shown.text = (indented ? "  " : "") + plain;
    if (instruction) {
      shown.line = run.ptx_lines[cost].line;
      shown.warp_instructions = run.ptx_lines[cost].warp_instructions;
      shown.lane_instructions = run.ptx_lines[cost].lane_instructions;
    }
  }
  return out;
}

void ptx_panel(const View& view, PtxPanelState& state, CommandQueue& queue) {
  Panel panel("ptx", "PTX");
  if (!panel) return;
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  const AccessEntry* entry = view.access();
  const int film_line = view.film_line();
  const int line = film_line > 0 ? film_line : entry ? entry->line : 0;
  panel.header("PTX", line > 0 ? tr("line {}", line) : "");
  if (!run) {
    empty_panel(tr("Run the kernel to see what the compiler made of it."));
    return;
  }
  if (state.of != view.prepared) {
    state.of = view.prepared;
    state.lines = ptx_lines_of(*run);
    state.shown_line = -1;
  }
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  export_menu("PTX", [&state] {
    std::string text;
    for (const PtxLine& l : state.lines) text += l.text + "\n";
    return text;
  }, queue);
  ImGui::BeginChild("text", {0, 0}, 0, ImGuiWindowFlags_HorizontalScrollbar);
  Greyed grey(view.stale);
  const float pitch = px(19);
  ImDrawList* list = ImGui::GetWindowDrawList();
  // The lines of one CUDA line may be far apart: the first comes into sight.
  const bool scroll = line != state.shown_line;
  if (scroll) {
    state.shown_line = line;
    for (size_t n = 0; n < state.lines.size(); ++n) {
      if (line <= 0 || state.lines[n].line != line) continue;
      ImGui::SetScrollY(std::max(0.0f, pitch * static_cast<float>(n) - ImGui::GetWindowHeight() * 0.35f));
      break;
    }
  }
  const float number_width = text_size(f.code, 12, "0000").x;
  float widest = 0;
  for (const PtxLine& l : state.lines) widest = std::max(widest, static_cast<float>(l.text.size()));
  const float glyph = text_size(f.code, 12.5f, "0").x;
  const float width = std::max(content_width(), number_width + px(14) + glyph * widest);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(state.lines.size()), pitch);
  while (clipper.Step()) {
    for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
      const PtxLine& l = state.lines[static_cast<size_t>(n)];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::PushID(n);
      const bool clicked = ImGui::InvisibleButton("line", {width, pitch});
      ImGui::PopID();
      const bool hovered = ImGui::IsItemHovered() && l.line > 0;
      const bool linked = l.line > 0 && l.line == line;
      if (linked) {
        const ImU32 color = entry && entry->line == line && entry->waste() > 0 ? t.poor : t.accent;
        list->AddRectFilled(at, {at.x + width, at.y + pitch}, with_alpha(color, t.dark ? 0.15f : 0.12f));
      } else if (hovered || (l.line > 0 && l.line == view.pointing.line)) {
        list->AddRectFilled(at, {at.x + width, at.y + pitch}, t.raised);
      }
      const float y = at.y + (pitch - line_height(f.code, 12.5f)) / 2;
      // Once for the instructions of a line that follow each other.
      const bool new_line = n == clipper.DisplayStart || state.lines[static_cast<size_t>(n) - 1].line != l.line;
      if (l.line > 0 && new_line) {
        const ScaleMarks marks;
        draw_text(list, {at.x + number_width, y}, f.code, 12, linked ? t.text : t.muted, std::to_string(l.line), Align::kRight);
      }
      const bool dim = l.line > 0 && l.warp_instructions == 0;
      draw_text(list, {at.x + number_width + px(14), y}, f.code, 12.5f, dim || l.line == 0 ? t.muted : t.text, l.text);
      if (hovered) {
        queue.point_at({0, l.line});
        const double lanes = l.warp_instructions == 0 ? 0 : static_cast<double>(l.lane_instructions) / static_cast<double>(l.warp_instructions);
        tooltip(tr("Line {}", l.line),
                l.warp_instructions == 0 ? std::string(tr("Never executed."))
                                         : tr_count(l.warp_instructions, "Executed by {} warp, {1} lanes each.",
                                                    "Executed by {} warps, {1} lanes each.", fraction_text(lanes)),
                tr("Click to go to the CUDA line."));
      }
      if (clicked && l.line > 0) {
        queue.push(command::SelectLine{l.line});
        queue.push(command::GoTo{{.file = view.result()->file_name, .line = l.line, .column = 1}});
      }
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace warpshop::ui
