#include "panels/fragments_panel.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/linked.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using emulator::Fragment;
using emulator::TensorProduct;

constexpr float kMostFragmentCell = 26;
constexpr float kCellWithLane = 15;  // the least in which a lane's number is drawn

struct NamedFragment {
  const char* name;
  const Fragment* of;
};

std::string csv_of(const TensorProduct& product) {
  CsvTable table({"matrix", "row", "column", "lane", "register", "element"});
  const auto add = [&](const char* name, const Fragment& fragment) {
    for (int row = 0; row < fragment.rows; ++row) {
      for (int column = 0; column < fragment.columns; ++column) {
        const Fragment::Element& e = fragment.at(row, column);
        table.row({name, std::to_string(row), std::to_string(column), std::to_string(e.lane),
                   std::to_string(e.reg), std::to_string(e.element)});
      }
    }
  };
  if (product.a) add("A", *product.a);
  if (product.b) add("B", *product.b);
  add("D", product.d);
  return table.text();
}

std::string element_words(const Fragment& fragment, const Fragment::Element& e) {
  if (fragment.element_bits >= 32 || fragment.element_bits == 1)
    return tr("lane {}, register {}", e.lane, e.reg);
  const int first = e.element * fragment.element_bits;
  return tr("lane {}, register {}, bits {} to {}", e.lane, e.reg, first,
            first + fragment.element_bits - 1);
}

// Draws a matrix with its name; pointing at an element marks its lane in all of them.
void draw_fragment(const View& view, const NamedFragment& named, ImVec2 at, float cell, int line,
                   CommandQueue& queue) {
  const Fragment& fragment = *named.of;
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Face& face = look().fonts->medium;
  const ImVec2 size{cell * static_cast<float>(fragment.columns),
                    cell * static_cast<float>(fragment.rows)};
  const float inset = cell > px(6) ? 1.0f : 0.0f;
  for (int row = 0; row < fragment.rows; ++row) {
    for (int column = 0; column < fragment.columns; ++column) {
      const int lane = fragment.at(row, column).lane;
      const ImVec2 min{at.x + cell * static_cast<float>(column),
                       at.y + cell * static_cast<float>(row)};
      const ImVec2 max{min.x + cell - inset, min.y + cell - inset};
      const bool strong = view.strong(lane);
      const ImU32 color = strong ? lane_color(lane) : mix(t.panel, lane_color(lane), 0.3f);
      fill_cell(list, min, max, color);
      if (cell < px(kCellWithLane) || !strong) continue;
      const ScaleMarks marks;
      draw_text(list, {(min.x + max.x) / 2, (min.y + max.y - line_height(face, kSmall)) / 2}, face,
                kSmall, text_on(color), std::to_string(lane), Align::kCenter);
    }
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton(named.name, size);
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const int column = std::clamp(static_cast<int>((mouse.x - at.x) / cell), 0, fragment.columns - 1);
  const int row = std::clamp(static_cast<int>((mouse.y - at.y) / cell), 0, fragment.rows - 1);
  const Fragment::Element& e = fragment.at(row, column);
  point_and_jump(view, {.lanes = 1u << e.lane, .line = line}, queue);
  tooltip(tr("{}, row {}, column {}", named.name, row, column), element_words(fragment, e));
}

void choose(const std::vector<TensorProduct>& products, FragmentsPanelState& state) {
  const std::string& name = products[state.shown].instruction;
  if (products.size() == 1) {
    draw_text_cut(ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), look().fonts->code,
                  12.5f, look()->text, name, content_width());
    ImGui::Dummy({content_width(), px(20)});
    return;
  }
  if (dropdown("##instruction", name, content_width())) ImGui::OpenPopup("instructions");
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  if (!begin_popup_beside("instructions", min, max)) return;
  for (size_t n = 0; n < products.size(); ++n) {
    if (ImGui::MenuItem(products[n].instruction.c_str(), nullptr, n == state.shown))
      state.shown = n;
  }
  ImGui::EndPopup();
}

// Where the matrices stand, in elements, without names and gaps.
struct Arrangement {
  int columns = 0, rows = 0;
  int across = 0, down = 0;  // matrices beside and above one another
  float cell(ImVec2 space, float name, float gap_between) const {
    const float x = space.x - gap_between * static_cast<float>(across - 1);
    const float y =
        space.y - name * static_cast<float>(down) - gap_between * static_cast<float>(down - 1);
    return std::min(x / static_cast<float>(columns), y / static_cast<float>(rows));
  }
};

void draw_product(const View& view, const TensorProduct& product, CommandQueue& queue) {
  const int line = product.lines.empty() ? 0 : product.lines.front();
  const NamedFragment a{"A", product.a ? &*product.a : nullptr},
      b{"B", product.b ? &*product.b : nullptr}, d{"D", &product.d};
  const Face& face = look().fonts->regular;
  const float name = line_height(face, kSmall) + px(4), gap_between = px(18);
  const ImVec2 at = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  // B above D, so that a row of A meets a column of B in their sum; in a low panel side by side.
  const int of_a = a.of ? a.of->columns : 0;
  const Arrangement corner{of_a + d.of->columns, (b.of ? b.of->rows : 0) + d.of->rows, 2, 2};
  const Arrangement row{of_a + (b.of ? b.of->columns : 0) + d.of->columns,
                        std::max(d.of->rows, b.of ? b.of->rows : 0), 3, 1};
  const float in_corner = corner.cell(space, name, gap_between),
              in_row = row.cell(space, name, gap_between);
  // The panel scrolls where elements would be too small to point at, down but not across.
  const bool row_fits = px(4) * static_cast<float>(row.columns) + 2 * gap_between <= space.x;
  const bool beside = b.of != nullptr && row_fits && in_row > 1.2f * in_corner;
  const float cell = std::clamp(beside ? in_row : in_corner, px(4), px(kMostFragmentCell));
  const auto width = [&](int columns) {
    return columns == 0 ? 0 : cell * static_cast<float>(columns) + gap_between;
  };
  const auto draw = [&](const NamedFragment& named, float x, float y) {
    if (named.of == nullptr) return;
    const std::string words = std::string(named.name) + "  " + std::to_string(named.of->rows) +
                              " × " + std::to_string(named.of->columns);
    draw_text_cut(ImGui::GetWindowDrawList(), {at.x + x, at.y + y}, face, kSmall, look()->muted,
                  words, width(named.of->columns));
    draw_fragment(view, named, {at.x + x, at.y + y + name}, cell, line, queue);
  };
  const float above =
      b.of && !beside ? cell * static_cast<float>(b.of->rows) + name + gap_between : 0;
  const float to_d = width(of_a) + (beside ? width(b.of->columns) : 0);
  draw(a, 0, above);
  draw(b, width(of_a), 0);
  draw(d, to_d, above);
  // Rounded down: what fits exactly needs no scroll bar.
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(
      {std::floor(to_d + cell * static_cast<float>(d.of->columns)),
       std::floor(above + name + cell * static_cast<float>(beside ? row.rows : d.of->rows))});
}

}  // namespace

void fragments_panel(const View& view, FragmentsPanelState& state, CommandQueue& queue) {
  Panel panel("fragments", tr("Fragments"), ImGuiWindowFlags_HorizontalScrollbar);
  if (!panel) return;
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  if (run == nullptr || run->tensor_products.empty()) {
    panel.header(tr("Fragments"));
    empty_panel(tr("This kernel uses no tensor cores."));
    return;
  }
  state.shown = std::min(state.shown, run->tensor_products.size() - 1);
  const TensorProduct& product = run->tensor_products[state.shown];
  const size_t lines = product.lines.size();
  panel.header(tr("Fragments"), lines == 0 ? "" : tr("line {}", product.lines.front()));
  Greyed grey(view.stale);
  export_menu(
      tr("Fragments"), [&] { return csv_of(product); }, queue);
  choose(run->tensor_products, state);
  if (!product.a || !product.b) {
    paragraph(look().fonts->regular, kSmall, look()->muted,
              tr("The other factors are read from shared memory. Of the sums, these are the first "
                 "warp's; three more warps have 16 rows each."));
  }
  draw_product(view, product, queue);
}

}  // namespace warpshop::ui
