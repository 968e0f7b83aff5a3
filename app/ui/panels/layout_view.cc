#include "panels/layout_view.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_stdlib.h"
#include "lab/access_cost.h"
#include "lab/shared_layouts.h"
#include "maps/csv_tables.h"
#include "panels/banks_panel.h"
#include "panels/export_menu.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using models::Layout;

constexpr float kLeastCell = 2.5f, kMostCell = 28;  // unscaled pixels
constexpr uint64_t kMostBytesOfALane = 16;

struct Example {
  const char* name;
  const char* layout;
  LayoutReading reading;
};
// Four ways to keep a tile of which columns are read. Of the last, a lane reads 16 bytes, as
// ldmatrix does: Swizzle<3,3,3> of 2-byte elements is the tensor memory accelerator's 128-byte
// swizzle.
constexpr Example kExamples[] = {
    {tr_later("Rows of 32"), "(32,32):(32,1)", {.down = true}},
    {tr_later("Rows of 33, one of them padding"), "(32,32):(33,1)", {.down = true}},
    {tr_later("Swizzled by the row"), "Sw<5,0,5> o (32,32):(32,1)", {.down = true}},
    {tr_later("A tile of halves for ldmatrix"),
     "(32,64):(64,1)",
     {.element_bytes = 2, .per_lane = 8, .down = true}},
    {tr_later("The same, swizzled"),
     "Sw<3,3,3> o (32,64):(64,1)",
     {.element_bytes = 2, .per_lane = 8, .down = true}},
};

void read(LayoutViewState& state) {
  if (state.text == state.read_text) return;
  state.read_text = state.text;
  Result<Layout> layout = models::parse_layout(state.text);
  state.problem = layout.ok() ? "" : capitalized(tr(layout.errors().front().message)) + ".";
  if (!layout.ok()) return;
  state.layout = std::move(layout).value();
  state.reading.request = 0;
}

void take(LayoutViewState& state, std::string text, const LayoutReading& reading) {
  state.text = std::move(text);
  state.reading = reading;
}

// The kernel's own arrays and the examples.
void choose_layout(const View& view, LayoutViewState& state, float width) {
  if (dropdown("##examples", tr("Examples"), width)) ImGui::OpenPopup("layouts");
  if (!begin_popup_beside("layouts", ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) return;
  const lab::RunResult& result = *view.result();
  const std::vector<lab::SharedLayout> own =
      lab::shared_layouts(result.source, result.student() ? result.student()->kernel : "");
  for (const lab::SharedLayout& array : own) {
    if (ImGui::MenuItem(array.name.c_str(), array.layout.c_str()))
      take(state, array.layout, {.element_bytes = array.element_bytes});
  }
  if (!own.empty()) ImGui::Separator();
  for (const Example& example : kExamples) {
    if (ImGui::MenuItem(tr(example.name), example.layout))
      take(state, example.layout, example.reading);
  }
  ImGui::EndPopup();
}

// Of the item drawn last; not while somebody types into it.
void explain(std::string_view title, std::string_view text) {
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) tooltip(title, text);
}

// A dropdown of a few words; returns the one chosen in this frame.
std::optional<size_t> choose(const char* id, const std::vector<std::string>& words, size_t now,
                             float width) {
  std::optional<size_t> chosen;
  ImGui::PushID(id);
  ImGui::BeginGroup();
  if (dropdown("##open", words[now], width)) ImGui::OpenPopup("words");
  if (begin_popup_beside("words", ImGui::GetItemRectMin(), ImGui::GetItemRectMax())) {
    for (size_t n = 0; n < words.size(); ++n) {
      if (ImGui::MenuItem(words[n].c_str(), nullptr, n == now)) chosen = n;
    }
    ImGui::EndPopup();
  }
  ImGui::EndGroup();
  ImGui::PopID();
  return chosen;
}

// How the warp reads.
void choose_reading(LayoutViewState& state) {
  LayoutReading& reading = state.reading;
  const float between = px(8), width = (content_width() - 2 * between) / 3;
  constexpr std::array<uint64_t, 5> kBytes = {1, 2, 4, 8, 16};
  std::vector<std::string> sizes, counts;
  for (const uint64_t bytes : kBytes) sizes.push_back(tr_count(bytes, "{} byte", "{} bytes"));
  for (uint64_t count = 1; count * reading.element_bytes <= kMostBytesOfALane; count *= 2)
    counts.push_back(tr("{} per lane", count));
  const auto log2 = [](uint64_t n) { return static_cast<size_t>(std::countr_zero(n)); };
  const auto begin_again = [&] { reading.request = 0; };
  if (const auto n = choose("size", sizes, log2(reading.element_bytes), width)) {
    reading.element_bytes = kBytes[*n];
    reading.per_lane = std::min(reading.per_lane, kMostBytesOfALane / reading.element_bytes);
    begin_again();
  }
  explain(tr("An element"), tr("Its size, for the byte and bank where it lies."));
  ImGui::SameLine(0, between);
  if (const auto n = choose("count", counts, log2(reading.per_lane), width)) {
    reading.per_lane = uint64_t{1} << *n;
    begin_again();
  }
  explain(tr("Elements per lane"),
          tr("Neighbours of a row that a lane reads at once: up to 16 bytes."));
  ImGui::SameLine(0, between);
  if (const auto n = choose("order", {tr("Across"), tr("Down")}, reading.down ? 1 : 0, width)) {
    reading.down = *n == 1;
    begin_again();
  }
  explain(tr("The lanes' order"), tr("Where lane 1 reads: beside lane 0 or below it."));
}

int bank_of(const View& view, const LayoutReading& reading, uint64_t index) {
  return models::bank_of_word(lab::bank_rule_of(view.result()->gpu),
                              index * reading.element_bytes / models::kBankBytes);
}

std::string csv_of(const View& view, const LayoutViewState& state) {
  CsvTable table({"row", "column", "index", "byte", "bank", "request", "lane"});
  const Layout& layout = *state.layout;
  for (uint64_t row = 0; row < layout.rows(); ++row) {
    for (uint64_t column = 0; column < layout.columns(); ++column) {
      const uint64_t index = layout.at(row, column);
      const auto reader = reader_of(layout, state.reading, {row, column});
      table.row({std::to_string(row), std::to_string(column), std::to_string(index),
                 std::to_string(index * state.reading.element_bytes),
                 std::to_string(bank_of(view, state.reading, index)),
                 reader ? std::to_string(reader->request + 1) : "",
                 reader ? std::to_string(reader->lane) : ""});
    }
  }
  return table.text();
}

// Returns the lane that is pointed at, as a mask.
uint32_t draw_table(const View& view, LayoutViewState& state, ImVec2 room) {
  const Layout& layout = *state.layout;
  const Theme& t = *look().theme;
  const Face& face = look().fonts->code;
  const auto rows = static_cast<float>(layout.rows()),
             columns = static_cast<float>(layout.columns());
  const float cell =
      std::clamp(std::min(room.x / columns, room.y / rows), px(kLeastCell), px(kMostCell));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string widest = std::to_string(layout.last_index());
  const bool digits =
      text_size(face, kSmall, widest).x + px(2) <= cell && line_height(face, kSmall) <= cell;
  const float inset = cell > px(6) ? 1.0f : 0.0f;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (uint64_t row = 0; row < layout.rows(); ++row) {
    for (uint64_t column = 0; column < layout.columns(); ++column) {
      const ImVec2 min{at.x + cell * static_cast<float>(column),
                       at.y + cell * static_cast<float>(row)};
      const ImVec2 max{min.x + cell - inset, min.y + cell - inset};
      if (!ImGui::IsRectVisible(min, max)) continue;
      const auto reader = reader_of(layout, state.reading, {row, column});
      const bool read_now = reader && reader->request == state.reading.request;
      const ImU32 color = read_now ? lane_color(reader->lane) : mix(t.panel, t.raised, 0.7f);
      fill_cell(list, min, max, color);
      if (!digits) continue;
      const ScaleMarks marks;
      draw_text(list, {(min.x + max.x) / 2, (min.y + max.y - line_height(face, kSmall)) / 2}, face,
                kSmall, read_now ? text_on(color) : t.muted, std::to_string(layout.at(row, column)),
                Align::kCenter);
    }
  }
  ImGui::InvisibleButton("table", {cell * columns, cell * rows});
  if (!ImGui::IsItemHovered()) return 0;
  const ImVec2 mouse = ImGui::GetMousePos();
  const auto place = [&](float distance, uint64_t count) {
    return std::min(static_cast<uint64_t>(std::max(0.0f, distance / cell)), count - 1);
  };
  const LayoutCell pointed{place(mouse.y - at.y, layout.rows()),
                           place(mouse.x - at.x, layout.columns())};
  const uint64_t index = layout.at(pointed.row, pointed.column);
  const auto reader = reader_of(layout, state.reading, pointed);
  tooltip(
      tr("Row {}, column {}", pointed.row, pointed.column),
      tr("Index {}, byte {}, bank {}", with_separators(index),
         with_separators(index * state.reading.element_bytes), bank_of(view, state.reading, index)),
      reader ? tr("Read by lane {} of request {}.", reader->lane, reader->request + 1)
             : std::string(tr("Too few elements are left in the row for a lane.")));
  if (!reader) return 0;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) state.reading.request = reader->request;
  return reader->request == state.reading.request ? uint32_t{1} << reader->lane : 0;
}

void note(ImU32 color, std::string_view text) {
  paragraph(look().fonts->regular, kSmall, color, text);
}

// The request, its wavefronts, the table and the bank map.
void draw_layout(const View& view, LayoutViewState& state) {
  const uint64_t requests = layout_requests(*state.layout, state.reading);
  if (requests == 0) {
    note(look()->poor, tr("The rows are shorter than what a lane reads."));
    draw_table(view, state, ImGui::GetContentRegionAvail());
    return;
  }
  const LayoutRequest read_now = layout_request(*state.layout, state.reading);
  if (read_now.torn) {
    note(look()->poor,
         tr("The elements of lane {} do not lie side by side from a multiple of their "
            "bytes: no instruction reads them at once.",
            *read_now.torn));
    draw_table(view, state, ImGui::GetContentRegionAvail());
    return;
  }
  const emulator::AccessSite load;
  const models::GpuProfile& gpu = view.result()->gpu;
  const lab::AccessCost cost = lab::access_cost(gpu, load, true, read_now.request);
  const models::GenerationBankResult banks = lab::bank_passes_of(gpu, load, read_now.request);
  bank_headline(banks, emulator::AccessKind::kLoad, cost.cost, cost.ideal);
  note(look()->muted,
       tr("Request {} of {}: lanes 0 to {}. Click a cell to see its request.",
          state.reading.request + 1, requests, std::popcount(read_now.request.active_mask) - 1));
  const ImVec2 space = ImGui::GetContentRegionAvail(), at = ImGui::GetCursorScreenPos();
  const float between = px(16), least = px(120);
  if (space.y < space.x) {
    const float half = (space.x - between) / 2, height = std::max(space.y - px(4), least);
    const uint32_t lanes = draw_table(view, state, {half, height});
    ImGui::SetCursorScreenPos({at.x + std::max(half, ImGui::GetItemRectSize().x) + between, at.y});
    draw_bank_map(read_now.request, banks, {half, height}, 1, lanes);
  } else {
    const uint32_t lanes = draw_table(view, state, {space.x, space.y * 0.6f});
    gap(8);
    const float height = std::max(ImGui::GetContentRegionAvail().y - px(4), least);
    draw_bank_map(read_now.request, banks, {space.x, height}, 1, lanes);
  }
}

}  // namespace

bool layout_view(const View& view, LayoutViewState& state, CommandQueue& queue) {
  read(state);
  const bool back = link(tr_id("Back to the kernel's access", "back"), kLabel);
  if (state.layout) {
    export_menu(
        tr("Layout"), [&] { return csv_of(view, state); }, queue);
  }
  const float examples = px(118);
  ImGui::SetNextItemWidth(content_width() - examples - px(8));
  {
    const ScopedFont font(look().fonts->code, kLabel);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(10, 7));
    ImGui::InputText("##shape", &state.text);
    ImGui::PopStyleVar();
  }
  explain(tr("Shape and strides"),
          tr("As CuTe writes them: (32,32):(33,1) has 32 rows of 32 elements, each row 33 "
             "elements after the one above. “Sw<3,3,3> o” in front swizzles."));
  ImGui::SameLine(0, px(8));
  choose_layout(view, state, examples);
  choose_reading(state);
  if (!state.problem.empty()) note(look()->poor, state.problem);
  if (!state.layout) return back;
  Greyed grey(!state.problem.empty());
  draw_layout(view, state);
  return back;
}

}  // namespace warpshop::ui
