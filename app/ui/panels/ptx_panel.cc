#include "panels/ptx_panel.h"

#include <algorithm>
#include <string_view>

#include "core/ascii.h"
#include "core/lines.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

bool for_the_assembler(std::string_view line) {
  return line.empty() || line.starts_with(".loc") || line.starts_with("//") ||
         line.starts_with(".file");
}

// Draws lines of code in the layout. Marks those of the CUDA line and the film's instruction in
// `now`, and scrolls to them when they have changed.
void code_list(const View& view, const char* id, ImVec2 size, const std::vector<PtxLine>& lines,
               const ShownCode& now, ShownCode& shown, CommandQueue& queue) {
  ImGui::BeginChild(id, size, 0, ImGuiWindowFlags_HorizontalScrollbar);
  Greyed grey(view.stale);
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const AccessEntry* entry = view.access();
  const float pitch = px(19);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int line = now.line;
  const auto scroll_to = [&](auto wanted) {
    const auto found = std::find_if(lines.begin(), lines.end(), wanted);
    if (found == lines.end()) return;
    const float top = pitch * static_cast<float>(found - lines.begin());
    const float height = ImGui::GetWindowHeight();
    // An instruction in sight stays where it is.
    if (now.ptx_line <= 0 || top < ImGui::GetScrollY() ||
        top + 2 * pitch > ImGui::GetScrollY() + height)
      ImGui::SetScrollY(std::max(0.0f, top - height * 0.35f));
  };
  if (now.ptx_line > 0 && now.ptx_line != shown.ptx_line) {
    scroll_to([&](const PtxLine& l) { return l.ptx_line == now.ptx_line; });
  } else if (line > 0 && line != shown.line) {
    // The instructions of a CUDA line may be far apart; scroll to the first.
    scroll_to([&](const PtxLine& l) { return l.line == line; });
  }
  shown = now;
  const float number_width = text_size(f.code, 12, "0000").x;
  float widest = 0;
  for (const PtxLine& l : lines) widest = std::max(widest, static_cast<float>(l.text.size()));
  const float glyph = text_size(f.code, 12.5f, "0").x;
  const float width = std::max(content_width(), number_width + px(14) + glyph * widest);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()), pitch);
  while (clipper.Step()) {
    for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
      const PtxLine& l = lines[static_cast<size_t>(n)];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::PushID(n);
      const bool clicked = ImGui::InvisibleButton("line", {width, pitch});
      ImGui::PopID();
      const bool hovered = ImGui::IsItemHovered() && l.line > 0;
      const bool linked = l.line > 0 && l.line == line;
      if (linked) {
        const ImU32 color = entry && entry->line == line && entry->waste() > 0 ? t.poor : t.accent;
        list->AddRectFilled(at, {at.x + width, at.y + pitch},
                            with_alpha(color, t.dark ? 0.15f : 0.12f));
      } else if (hovered || (l.line > 0 && l.line == view.pointing.line)) {
        list->AddRectFilled(at, {at.x + width, at.y + pitch}, t.raised);
      }
      if (now.ptx_line > 0 && l.ptx_line == now.ptx_line) {
        list->AddRectFilled(at, {at.x + width, at.y + pitch}, with_alpha(t.accent, 0.3f));
        list->AddRectFilled(at, {at.x + px(3), at.y + pitch}, t.accent);
      }
      const float y = at.y + (pitch - line_height(f.code, 12.5f)) / 2;
      // Show the line number once per run of instructions from the same line.
      const bool new_line =
          n == clipper.DisplayStart || lines[static_cast<size_t>(n) - 1].line != l.line;
      if (l.line > 0 && new_line) {
        const ScaleMarks marks;
        draw_text(list, {at.x + number_width, y}, f.code, 12, linked ? t.text : t.muted,
                  std::to_string(l.line), Align::kRight);
      }
      const bool dim = l.counted && l.line > 0 && l.warp_instructions == 0;
      draw_text(list, {at.x + number_width + px(14), y}, f.code, 12.5f,
                dim || l.line == 0 ? t.muted : t.text, l.text);
      if (hovered) {
        queue.point_at({0, l.line});
        const double lanes = l.warp_instructions == 0
                                 ? 0
                                 : static_cast<double>(l.lane_instructions) /
                                       static_cast<double>(l.warp_instructions);
        tooltip(tr("Line {}", l.line),
                !l.counted ? std::string()
                : l.warp_instructions == 0
                    ? std::string(tr("Never executed."))
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

// Draws the machine code's part of the panel: the list, or why there is none.
void sass_part(const View& view, PtxPanelState& state, const lab::KernelRun& run,
               const ShownCode& now, CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  if (!run.cubin)
    return paragraph(f.regular, kLabel, t.muted,
                     tr("The compiler made no machine code for this GPU."));
  if (!view.sass)
    return paragraph(f.regular, kLabel, t.muted, tr("nvdisasm is reading the machine code…"));
  if (state.sass_of != view.sass) {
    state.sass_of = view.sass;
    state.sass_lines = view.sass->ok() ? sass_lines_of(run, **view.sass) : std::vector<PtxLine>();
    state.shown_sass = {-1, -1};
  }
  if (!view.sass->ok()) {
    const Diagnostic& problem = view.sass->errors().front();
    paragraph(f.regular, kLabel, t.text, tr(problem.message));
    if (!problem.help.empty()) paragraph(f.regular, kLabel, t.muted, tr(problem.help));
    return;
  }
  code_list(view, "sass", {0, 0}, state.sass_lines, now, state.shown_sass, queue);
}

}  // namespace

std::vector<PtxLine> sass_lines_of(const lab::KernelRun& run,
                                   const std::vector<compile::SassKernel>& kernels) {
  std::vector<PtxLine> out;
  if (run.ptx_lines.empty()) return out;
  const int first = run.ptx_lines.front().ptx_line, last = run.ptx_lines.back().ptx_line;
  const auto here = [&](const compile::SassLine& l) {
    return l.ptx_line >= first && l.ptx_line <= last;
  };
  for (const compile::SassKernel& kernel : kernels) {
    if (std::none_of(kernel.lines.begin(), kernel.lines.end(), here)) continue;
    for (const compile::SassLine& l : kernel.lines) {
      PtxLine& shown = out.emplace_back();
      shown.counted = false;
      shown.text = (l.address < 0 ? "" : "  ") + l.text;
      const auto cost = std::lower_bound(
          run.ptx_lines.begin(), run.ptx_lines.end(), l.ptx_line,
          [](const lab::PtxLineCost& c, int ptx_line) { return c.ptx_line < ptx_line; });
      if (l.address >= 0 && cost != run.ptx_lines.end() && cost->ptx_line == l.ptx_line) {
        shown.line = cost->line;
        shown.ptx_line = l.ptx_line;
      }
    }
    break;
  }
  return out;
}

std::vector<PtxLine> ptx_lines_of(const lab::KernelRun& run) {
  std::vector<PtxLine> out;
  if (run.ptx_lines.empty()) return out;
  const std::vector<std::string_view> text = split_lines(run.ptx);
  // From the entry's name to its closing brace.
  size_t first = static_cast<size_t>(std::max(1, run.ptx_lines.front().ptx_line)) - 1;
  while (first > 0 &&
         text[std::min(first, text.size() - 1)].find(".entry") == std::string_view::npos)
    --first;
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
    const bool indented = instruction || line.starts_with(".reg") || line.starts_with(".shared") ||
                          line.starts_with(".param");
    shown.text = (indented ? "  " : "") + plain;
    if (instruction) {
      shown.line = run.ptx_lines[cost].line;
      shown.ptx_line = number;
      shown.warp_instructions = run.ptx_lines[cost].warp_instructions;
      shown.lane_instructions = run.ptx_lines[cost].lane_instructions;
    }
  }
  return out;
}

void ptx_panel(const View& view, PtxPanelState& state, CommandQueue& queue) {
  Panel panel("ptx", "PTX");
  state.visible = static_cast<bool>(panel);
  if (!panel) return;
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  const AccessEntry* entry = view.access();
  const int film_line = view.film_line();
  const int line = film_line > 0 ? film_line : entry ? entry->line : 0;
  const lab::FilmInstruction* instruction = view.film_instruction();
  const ShownCode now{line, instruction ? instruction->ptx_line : 0};
  panel.header("PTX", line > 0 ? tr("line {}", line) : "");
  if (!run) {
    empty_panel(tr("Run the kernel to see what the compiler made of it."));
    return;
  }
  if (state.of != view.prepared) {
    state.of = view.prepared;
    state.lines = ptx_lines_of(*run);
    state.shown = {-1, -1};
  }
  export_menu(
      "PTX",
      [&state] {
        std::string text;
        for (const PtxLine& l : state.lines) text += l.text + "\n";
        for (const PtxLine& l : state.sass ? state.sass_lines : std::vector<PtxLine>())
          text += l.text + "\n";
        return text;
      },
      queue);
  if (link(state.sass ? tr("Hide the machine code") : tr("Show the machine code (SASS)"), kLabel))
    state.sass = !state.sass;
  if (!state.sass) {
    code_list(view, "text", {0, 0}, state.lines, now, state.shown, queue);
    return;
  }
  // Side by side if there is room, otherwise stacked.
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool beside = room.x >= px(520);
  const ImVec2 half =
      beside ? ImVec2{(room.x - px(12)) / 2, room.y} : ImVec2{room.x, (room.y - px(8)) / 2};
  code_list(view, "text", half, state.lines, now, state.shown, queue);
  if (beside) ImGui::SameLine(0, px(12));
  ImGui::BeginChild("machine_code", half);
  sass_part(view, state, *run, now, queue);
  ImGui::EndChild();
}

}  // namespace warpshop::ui
