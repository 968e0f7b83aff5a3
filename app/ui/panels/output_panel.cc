#include "panels/output_panel.h"

#include <algorithm>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

std::string dim_words(const Dim3& d) {
  return std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z);
}

std::string writer_words(const OutputLine& line) {
  return "(" + dim_words(line.block) + ") (" + dim_words(line.thread) + ")";
}

std::string output_csv(const std::vector<OutputLine>& lines) {
  CsvTable table({"block", "thread", "text"});
  for (const OutputLine& line : lines)
    table.row({dim_words(line.block), dim_words(line.thread), line.text});
  return table.text();
}

void draw_lines(const std::vector<OutputLine>& lines) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  size_t widest_text = 0, widest_writer = 0;
  for (const OutputLine& line : lines) {
    widest_text = std::max(widest_text, line.text.size());
    widest_writer = std::max(widest_writer, writer_words(line).size());
  }
  const float pitch = px(18), glyph = text_size(f.code, 12.5f, "0").x;
  const float column = glyph * static_cast<float>(widest_writer) + px(16);
  const float width =
      std::max(content_width(), column + glyph * static_cast<float>(widest_text + 1));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()), pitch);
  while (clipper.Step()) {
    for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
      const OutputLine& line = lines[static_cast<size_t>(n)];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::Dummy({width, pitch});
      if (ImGui::IsItemHovered()) {
        tooltip(line.text.empty() ? std::string(tr("An empty line")) : line.text,
                tr("Printed by thread ({}) of block ({}).", dim_words(line.thread),
                   dim_words(line.block)));
      }
      ImDrawList* list = ImGui::GetWindowDrawList();
      const float y = at.y + (pitch - line_height(f.code, 12.5f)) / 2;
      draw_text(list, {at.x, y}, f.code, 12.5f, t.muted, writer_words(line));
      draw_text(list, {at.x + column, y}, f.code, 12.5f, t.text, line.text);
    }
  }
  ImGui::PopStyleVar();
}

// Takes in what was printed since the last frame.
void follow(const View& view, OutputPanelState& state) {
  if (view.printing != nullptr) {
    if (state.live_calls == view.printing->calls()) return;
    state.live_calls = view.printing->calls();
    emulator::LivePrints::Text text = view.printing->text();
    state.of = nullptr;
    state.lines = output_lines(text);
    state.dropped = text.dropped;
    state.printed = std::move(text.text);
    return;
  }
  const lab::KernelRun* run = view.prepared ? view.result()->student() : nullptr;
  // Compare the text too: another result may have been allocated at the same address.
  static const std::string kNothing;
  const std::string& printed = run ? run->printed : kNothing;
  if (state.live_calls == 0 && state.of == view.prepared && state.printed == printed) return;
  state.live_calls = 0;
  state.of = view.prepared;
  state.printed = printed;
  state.lines = run ? output_lines(*run) : std::vector<OutputLine>();
  state.dropped = run ? run->printed_dropped : 0;
}

std::string dropped_words(const OutputPanelState& state) {
  if (state.live_calls > 0) {
    return tr_count(state.dropped,
                    "{} further call of printf is counted only while the kernel runs.",
                    "{} further calls of printf are counted only while the kernel runs.");
  }
  return tr_count(state.dropped, "{} call of printf was cut: the buffer of 1 MiB is full.",
                  "{} calls of printf were cut: the buffer of 1 MiB is full.");
}

}  // namespace

void output_panel(const View& view, OutputPanelState& state, CommandQueue& queue) {
  follow(view, state);
  const bool live = state.live_calls > 0;
  // Show a dot until the panel has been in front with this text.
  const bool fresh = !state.printed.empty() && state.printed != state.seen;
  const std::string count = with_separators(state.lines.size());
  Panel panel("output", state.lines.empty() ? std::string(tr("Output"))
                        : fresh             ? tr("Output  {} •", count)
                                            : tr("Output  {}", count));
  if (!panel) return;
  state.seen = state.printed;
  panel.header(tr("Output"), state.lines.empty() ? std::string()
                             : live              ? std::string(tr("the kernel is running"))
                                    : tr("at {}", view.result()->sizes.front().size.label));
  if (state.lines.empty()) {
    empty_panel(
        !view.prepared ? tr("What the kernel prints appears here.")
                       : tr("The kernel printed nothing."),
        tr("printf(\"%d\\n\", i) in the kernel writes a line here for each thread that calls it."));
    return;
  }
  export_menu(
      tr("Output"), [&] { return output_csv(state.lines); }, queue);
  const Greyed grey_head(view.stale && !live);
  if (state.dropped > 0) {
    paragraph(look().fonts->regular, kLabel, live ? look()->muted : look()->poor,
              dropped_words(state));
    gap(4);
  }
  label(look().fonts->regular, 12, look()->muted, tr("block, thread, and what it printed"));
  gap(2);
  ImGui::BeginChild("lines", {0, 0}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_HorizontalScrollbar);
  {
    const Greyed grey(view.stale && !live);
    draw_lines(state.lines);
  }
  ImGui::EndChild();
}

}  // namespace warpshop::ui
