#include "draw/markdown_view.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <memory>
#include <numeric>

#include "draw/draw.h"
#include "draw/formula_view.h"
#include "draw/pictures.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/picture_files.h"
#include "text/cuda_language.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

using LinkHandler = std::function<void(const std::string&)>;

struct TextStyle {
  float em = kBody;
  ImU32 color = 0;
  bool strong = false;        // headings, header cells
  float line_factor = 1.22f;  // line pitch ÷ height of the face
};

// A word or a run of spaces within one inline.
struct Piece {
  std::string_view text;
  const Inline* from = nullptr;
  float width = 0;
  float pad_left = 0, pad_right = 0;  // inside `width`
  std::shared_ptr<const FormulaBox> formula;
  bool space = false;
  bool new_line = false;
};

const Face& face_of(const Inline& run, const TextStyle& style) {
  const Fonts& f = *look().fonts;
  if (run.code) return f.code;
  if (style.strong || run.bold) return run.italic ? f.bold_italic : f.bold;
  return run.italic ? f.italic : f.regular;
}

bool is_strong(const Inline& run, const TextStyle& style) { return style.strong || run.bold; }

// A formula is a single piece, scaled down if it is wider than a line.
Piece formula_piece(const Inline& run, const TextStyle& style, float width) {
  FormulaBox box = formula_in_line(*run.formula, style.em, is_strong(run, style));
  if (px(box.width) > width) {
    const float fit = std::max(0.5f, width / px(box.width) * 0.985f);
    box = formula_in_line(*run.formula, style.em * fit, is_strong(run, style));
  }
  Piece piece;
  piece.text = run.text;
  piece.from = &run;
  piece.new_line = run.new_line;
  piece.width = px(box.width);
  piece.formula = std::make_shared<const FormulaBox>(std::move(box));
  return piece;
}

// `width`: width of a line.
std::vector<Piece> pieces_of(const std::vector<Inline>& text, const TextStyle& style, float width) {
  std::vector<Piece> pieces;
  for (const Inline& run : text) {
    if (run.formula) {
      pieces.push_back(formula_piece(run, style, width));
      continue;
    }
    const std::string_view all = run.text;
    bool first = true;
    for (size_t at = 0; at < all.size();) {
      const bool space = all[at] == ' ';
      size_t end = at;
      while (end < all.size() && (all[end] == ' ') == space) ++end;
      Piece piece;
      piece.text = all.substr(at, end - at);
      piece.from = &run;
      piece.space = space;
      piece.new_line = first && run.new_line;
      piece.width = text_size(face_of(run, style), style.em, piece.text).x;
      if (run.code) {  // the background of code has margins
        piece.pad_left = at == 0 ? px(3) : 0;
        piece.pad_right = end == all.size() ? px(3) : 0;
        piece.width += piece.pad_left + piece.pad_right;
      }
      pieces.push_back(piece);
      first = false;
      at = end;
    }
  }
  return pieces;
}

// Range of pieces in one wrapped line. A word that touches the next inline stays with it.
struct Line {
  size_t first = 0, last = 0;  // pieces [first, last)
  float width = 0;
};

std::vector<Line> wrap(const std::vector<Piece>& pieces, float width) {
  std::vector<Line> lines;
  Line line;
  float x = 0;
  for (size_t i = 0; i < pieces.size();) {
    size_t end = i + 1;
    float group = pieces[i].width;
    if (!pieces[i].space) {
      while (end < pieces.size() && !pieces[end].space && !pieces[end].new_line) {
        group += pieces[end++].width;
      }
    }
    const bool forced = pieces[i].new_line && i > 0;
    const bool full = !pieces[i].space && x > 0 && x + group > width;
    if (forced || full) {
      line.last = i;
      lines.push_back(line);
      line = {i, i, 0};
      x = 0;
    }
    if (pieces[i].space && x == 0) {  // no space at the start of a line
      line.first = ++i;
      continue;
    }
    x += group;
    if (!pieces[i].space) line.width = x;
    i = end;
  }
  line.last = pieces.size();
  if (line.first < line.last) lines.push_back(line);
  return lines;
}

// The minimum line width: that of the widest word, including inlines that touch it.
float widest_word(const std::vector<Piece>& pieces) {
  float widest = 0, group = 0;
  for (const Piece& piece : pieces) {
    if (piece.space || piece.new_line) group = 0;
    if (!piece.space) group += piece.width;
    widest = std::max(widest, group);
  }
  return widest;
}

int links_drawn = 0;  // in the text being drawn

// The part of a link on one line: Tab focuses it; Space or a click follows it.
bool link_item(ImVec2 at, ImVec2 size, const char* name = "link") {
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(++links_drawn);
  const bool pressed = ImGui::InvisibleButton(name, size);
  ImGui::PopID();
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::SetCursorScreenPos(after);
  return pressed;
}

// Draws wrapped text at `at`; returns its height. `draw` false: only measures.
float draw_rich(ImVec2 at, float width, const std::vector<Inline>& text, const TextStyle& style,
                int align, const LinkHandler& on_link, bool draw = true) {
  const Fonts& f = *look().fonts;
  const std::vector<Piece> pieces = pieces_of(text, style, width);
  const std::vector<Line> lines = wrap(pieces, width);
  const float pitch = std::round(line_height(f.regular, style.em) * style.line_factor);
  // From the top of a line to its baseline.
  const float base_top = (pitch - line_height(f.regular, style.em)) / 2,
              base_ascent = base_line_of(f.regular, style.em);
  const float base = base_top + base_ascent;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float y = at.y;
  bool link_hovered = false;
  for (const Line& line : lines) {
    // A tall formula makes its line taller.
    float above = 0, below = 0;
    for (size_t i = line.first; i < line.last; ++i) {
      if (!pieces[i].formula) continue;
      above = std::max(above, std::round(px(pieces[i].formula->ascent + 2) - base));
      below = std::max(below, std::round(px(pieces[i].formula->descent + 2) - (pitch - base)));
    }
    y += above;
    if (!draw) {
      y += pitch + below;
      continue;
    }
    float x = at.x + (align > 0 ? width - line.width : align < 0 ? 0 : 0);
    for (size_t i = line.first; i < line.last; ++i) {
      const Piece& piece = pieces[i];
      const Inline& run = *piece.from;
      const Face& face = face_of(run, style);
      // All faces share one baseline.
      const float top = y + (pitch - line_height(face, style.em)) / 2;
      ImU32 color = style.color;
      if (run.code) {
        color = look()->text;
        const bool starts = i == line.first || pieces[i - 1].from != piece.from;
        const bool ends = i + 1 == line.last || pieces[i + 1].from != piece.from;
        list->AddRectFilled({x, y + px(1)}, {x + piece.width, y + pitch - px(1)}, look()->raised,
                            px(4),
                            (starts ? ImDrawFlags_RoundCornersLeft : 0) |
                                (ends ? ImDrawFlags_RoundCornersRight : 0) |
                                (starts || ends ? 0 : ImDrawFlags_RoundCornersNone));
      }
      if (!run.link.empty()) {
        color = look()->accent;
        if (i == line.first || pieces[i - 1].from != piece.from) {
          float width_here = 0;
          for (size_t n = i; n < line.last && pieces[n].from == piece.from; ++n)
            width_here += pieces[n].width;
          if (link_item({x, y}, {width_here, pitch})) on_link(run.link);
          link_hovered = ImGui::IsItemHovered();
        }
        if (link_hovered)
          list->AddLine({x, y + pitch - px(3)}, {x + piece.width, y + pitch - px(3)}, color);
      }
      if (piece.formula) {
        draw_formula(list, x, std::round(y + base_top) + base_ascent, *piece.formula, color,
                     is_strong(run, style));
        x += piece.width;
        continue;
      }
      draw_text(list, {x + piece.pad_left, top}, face, style.em, color, piece.text);
      x += piece.width;
    }
    y += pitch + below;
  }
  return y - at.y;
}

void place(float height) { ImGui::Dummy({content_width(), std::max(height, 1.0f)}); }

void heading(const Block& block, const LinkHandler& on_link) {
  const float em = block.level <= 1 ? kTitle : block.level == 2 ? 16.5f : kBody;
  if (block.level > 1) gap(4);
  place(draw_rich(ImGui::GetCursorScreenPos(), content_width(), block.text,
                  {em, look()->text, true, 1.15f}, -1, on_link));
}

void list_item(const Block& block, const LinkHandler& on_link) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = px(20) * static_cast<float>(block.level + 1);
  const Fonts& f = *look().fonts;
  if (!block.marker.empty()) {
    const float pitch = std::round(line_height(f.regular, kBody) * 1.22f);
    const float top = at.y + (pitch - line_height(f.regular, kBody)) / 2;
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (block.marker == "•") {
      list->AddCircleFilled({at.x + indent - px(12), at.y + pitch / 2 + px(1)}, px(2.4f),
                            look()->muted);
    } else {
      draw_text(list, {at.x + indent - px(6), top}, f.regular, kBody, look()->muted, block.marker,
                Align::kRight);
    }
  }
  place(draw_rich({at.x + indent, at.y}, content_width() - indent, block.text,
                  {kBody, look()->body}, -1, on_link));
}

void quote(const Block& block, const LinkHandler& on_link) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = px(14) * static_cast<float>(block.level + 1);
  const float height = draw_rich({at.x + indent, at.y}, content_width() - indent, block.text,
                                 {kBody, look()->muted}, -1, on_link);
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y}, {at.x + px(3), at.y + height},
                                            look()->accent, px(1.5f));
  place(height);
}

// Draws a formula centred on its line, or in what a list's indent leaves of it.
void formula(const Block& block) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = px(20) * static_cast<float>(block.level), width = content_width() - indent;
  const std::vector<FormulaBox> lines =
      formula_of_its_own(*block.text.front().formula, kBody, width / look().scale);
  float widest = 0, y = at.y + px(2);
  for (const FormulaBox& line : lines) widest = std::max(widest, px(line.width));
  const float left = at.x + indent + std::max(0.0f, (width - widest) / 2);
  for (size_t n = 0; n < lines.size(); ++n) {
    if (n > 0) y += px(6);
    y += std::ceil(px(lines[n].ascent));
    // Indent continuation lines a little if there is room.
    const float step =
        n > 0 ? std::min(px(20), std::max(0.0f, at.x + indent + width - left - px(lines[n].width)))
              : 0;
    draw_formula(ImGui::GetWindowDrawList(), left + step, y, lines[n], look()->text, false);
    y += std::ceil(px(lines[n].descent));
  }
  place(y + px(2) - at.y);
}

// Returns the file itself, or its variant for dark backgrounds in the dark theme. Empty if neither
// can be shown.
std::filesystem::path picture_file(const std::filesystem::path& folder, const std::string& name) {
  if (!look().pictures || folder.empty() || !lab::is_in_folder(name)) return {};
  const std::filesystem::path file = folder / name, dark = lab::for_dark_ground(file);
  if (look().theme == &dark_theme() && look().pictures->find(dark)) return dark;
  return look().pictures->find(file) ? file : std::filesystem::path{};
}

// Draws a picture no wider than the text; its description appears below it and on hover.
void picture(const Block& block, const std::filesystem::path& folder, const LinkHandler& on_link) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  const std::filesystem::path file = picture_file(folder, block.picture);
  float y = at.y;
  if (!file.empty()) {
    const Picture& own = *look().pictures->find(file);
    const float shown = std::max(
        1.0f, std::round(std::min(px(static_cast<float>(own.width) / lab::kPicturePixels), width)));
    const float height = std::max(
        1.0f, std::round(shown * static_cast<float>(own.height) / static_cast<float>(own.width)));
    const ImVec2 min{std::round(at.x + (width - shown) / 2), std::round(y)},
        max{min.x + shown, min.y + height};
    ImGui::GetWindowDrawList()->AddImage(
        look().pictures->texture(file, static_cast<int>(shown), static_cast<int>(height)), min,
        max);
    y = max.y + px(4);
    ImGui::Dummy({width, height});
    std::string words;
    for (const Inline& run : block.text) words += run.text;
    if (ImGui::IsItemHovered() && !words.empty()) tooltip(words, {});
    ImGui::SetCursorScreenPos(at);
  }
  y += draw_rich({at.x, y}, width, block.text, {kSmall + 1, look()->muted}, -1, on_link);
  place(y - at.y);
}

// Draws the Copy button in the block's upper right corner while the mouse is over the block or Tab
// has focused the button.
void copy_code(const Block& block, ImVec2 min, ImVec2 max, const LinkHandler& on_link) {
  const Face& face = look().fonts->medium;
  const char* text = tr("Copy");
  const ImVec2 words = text_size(face, kLabel, text), size{words.x + px(16), words.y + px(8)};
  const ImVec2 at{max.x - size.x - px(4), min.y + px(4)};
  if (link_item(at, size, "copy")) on_link(kCopyLink + block.code);
  const bool led_here = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
  if (!led_here && !(ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max))) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, look()->panel, px(6));
  draw_text(list, {at.x + px(8), at.y + px(4)}, face, kLabel, look()->accent, text);
}

constexpr float kCode = 13.5f, kLeastCode = 0.75f * kCode, kScrolledCode = 13;

void code(const Block& block, const LinkHandler* copied) {
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  // Shrink code so that its longest line fits (such as a picture made of characters), as long as it
  // stays readable.
  float em = kCode;
  for (size_t from = 0; from < block.code.size();) {
    const size_t to = std::min(block.code.find('\n', from), block.code.size());
    const std::string_view line(block.code.data() + from, to - from);
    const float line_width = text_size(f.code, kCode, line).x;
    if (line_width > width - px(20)) em = std::min(em, kCode * (width - px(20)) / line_width);
    from = to + 1;
  }
  // Code that would become too small scrolls sideways instead.
  const bool scrolls = em < kLeastCode;
  em = scrolls ? kScrolledCode : em;
  const float pitch = std::round(line_height(f.code, em) * 1.25f);
  size_t lines = 1 + static_cast<size_t>(std::count(block.code.begin(), block.code.end(), '\n'));
  const float bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
  const float height = pitch * static_cast<float>(lines) + px(20) + bar;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, look()->raised,
                                            px(8));
  ImVec2 origin = at;
  if (scrolls) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
    ImGui::BeginChild("code", {width, height}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_HorizontalScrollbar);
    origin = ImGui::GetCursorScreenPos();
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  float widest = 0;
  list->PushClipRect(at, {at.x + width, at.y + height - bar}, true);
  const bool cuda = block.language == "cuda" || block.language == "cpp" || block.language == "c";
  float y = origin.y + px(10);
  std::string_view rest = block.code;
  bool in_comment = false;
  for (size_t n = 0; n < lines; ++n) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    float x = origin.x + px(10);
    widest = std::max(widest, text_size(f.code, em, line).x);
    if (cuda) {
      for (const CodeToken& token : tokenize_cuda(line, in_comment)) {
        draw_text(list, {x, y}, f.code, em, color_of(token.kind), token.text);
        x += text_size(f.code, em, token.text).x;
      }
    } else {
      draw_text(list, {x, y}, f.code, em, look()->text, line);
    }
    y += pitch;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  list->PopClipRect();
  if (copied) copy_code(block, at, {at.x + width, at.y + height - bar}, *copied);
  if (scrolls) {
    ImGui::Dummy({widest + px(20), height - bar - px(1)});
    ImGui::EndChild();
    ImGui::PopStyleColor();
    ImGui::SetCursorScreenPos(at);
  }
  place(height);
}

using TableRows = std::vector<std::vector<Block::Cell>>;

constexpr float kCellPad = 8;

TextStyle cell_style(const Block::Cell& cell, float size) {
  return cell.header ? TextStyle{kLabel * size, look()->muted, false, 1.22f}
                     : TextStyle{(kLabel + 0.5f) * size, look()->body, false, 1.22f};
}

struct TableLayout {
  std::vector<float> widths;  // column widths
  float size = 1;             // factor on the text size
  float total = 0;            // exceeds the available width if the words do not fit
};

// Makes each column as wide as its widest cell and never narrower than its widest word; reduces the
// text size if words would not fit.
TableLayout lay_out(const TableRows& rows, float room) {
  TableLayout out;
  const size_t columns = rows.front().size();
  std::vector<float> least;
  for (const float smaller : {1.0f, 0.92f, 0.85f}) {
    out.size = smaller;
    out.widths.assign(columns, 0);
    least.assign(columns, 0);
    for (const auto& row : rows) {
      for (size_t c = 0; c < std::min(columns, row.size()); ++c) {
        const std::vector<Piece> pieces =
            pieces_of(row[c].text, cell_style(row[c], smaller), FLT_MAX);
        float w = 0;
        for (const Piece& piece : pieces) w += piece.width;
        out.widths[c] = std::max(out.widths[c], w + 2 * px(kCellPad));
        least[c] = std::max(least[c], widest_word(pieces) + 2 * px(kCellPad));
      }
    }
    if (std::accumulate(least.begin(), least.end(), 0.0f) <= room) break;
  }
  out.total = std::accumulate(out.widths.begin(), out.widths.end(), 0.0f);
  // Take the excess from the columns with the most to spare.
  while (out.total > room + 0.5f) {
    size_t from = 0;
    for (size_t c = 1; c < columns; ++c) {
      if (out.widths[c] - least[c] > out.widths[from] - least[from]) from = c;
    }
    const float spare = out.widths[from] - least[from];
    if (spare < 0.5f) break;  // words must not overlap
    const float less =
        std::min(out.total - room, std::max(std::min(spare, out.widths[from] * 0.1f), 0.5f));
    out.widths[from] -= less;
    out.total -= less;
  }
  if (out.total < room) {
    for (float& w : out.widths) w += (room - out.total) / static_cast<float>(columns);
    out.total = room;
  }
  return out;
}

// Transposes a table, which turns a few long rows into many short ones.
TableRows turned(const TableRows& rows) {
  TableRows out(rows.front().size());
  for (const auto& row : rows) {
    for (size_t c = 0; c < out.size(); ++c)
      out[c].push_back(c < row.size() ? row[c] : Block::Cell{});
  }
  return out;
}

float draw_table(const TableRows& rows, const TableLayout& layout, const LinkHandler& on_link) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float pad = px(kCellPad);
  float y = at.y;
  for (const auto& row : rows) {
    float height = 0, x = at.x;
    for (size_t c = 0; c < std::min(layout.widths.size(), row.size()); ++c) {
      const float h = draw_rich({x + pad, y + px(4)}, layout.widths[c] - 2 * pad, row[c].text,
                                cell_style(row[c], layout.size), row[c].align, on_link);
      height = std::max(height, h + px(8));
      x += layout.widths[c];
    }
    y += height;
    list->AddLine({at.x, y + 0.5f}, {at.x + layout.total, y + 0.5f}, look()->line);
  }
  return y - at.y;
}

// A table that is too wide is transposed if it is wider than high; otherwise it scrolls sideways.
void table(const Block& block, const LinkHandler& on_link) {
  if (block.rows.empty() || block.rows.front().empty()) return;
  const float room = content_width();
  TableRows other;
  const TableRows* rows = &block.rows;
  TableLayout layout = lay_out(*rows, room);
  if (layout.total > room + 0.5f && rows->size() < rows->front().size()) {
    other = turned(*rows);
    TableLayout turned_layout = lay_out(other, room);
    if (turned_layout.total < layout.total) {
      rows = &other;
      layout = std::move(turned_layout);
    }
  }
  if (layout.total <= room + 0.5f) {
    place(draw_table(*rows, layout, on_link));
    return;
  }
  ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
  ImGui::BeginChild("table", {room, 0}, ImGuiChildFlags_AutoResizeY,
                    ImGuiWindowFlags_HorizontalScrollbar);
  const float height = draw_table(*rows, layout, on_link);
  ImGui::Dummy({layout.total, height});
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

}  // namespace

void markdown_label(const std::string& text, float em, unsigned color) {
  for (const Block& block : parse_markdown(text)) {
    place(draw_rich(ImGui::GetCursorScreenPos(), content_width(), block.text,
                    {.em = em, .color = color, .line_factor = 1.1f}, -1,
                    [](const std::string&) {}));
  }
}

void markdown(MarkdownView& view, const std::string& text, const LinkHandler& on_link,
              const std::function<bool(const Block&)>& figure) {
  if (view.source != text || (view.blocks.empty() && !text.empty())) {
    view.source = text;
    view.blocks = parse_markdown(text);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  const Block* before = nullptr;
  links_drawn = 0;
  // What scrolls is known by its place in this text: a text that is parsed in each frame has no
  // other identity.
  ImGui::PushID(text.c_str());
  int number = 0;
  for (const Block& block : view.blocks) {
    ImGui::PushID(number++);
    if (before) {
      const bool tight =
          block.kind == Block::Kind::kListItem && before->kind == Block::Kind::kListItem;
      gap(tight ? 4 : 10);
    }
    switch (block.kind) {
      case Block::Kind::kHeading:
        heading(block, on_link);
        break;
      case Block::Kind::kParagraph:
        place(draw_rich(ImGui::GetCursorScreenPos(), content_width(), block.text,
                        {kBody, look()->body}, -1, on_link));
        break;
      case Block::Kind::kListItem:
        list_item(block, on_link);
        break;
      case Block::Kind::kQuote:
        quote(block, on_link);
        break;
      case Block::Kind::kCode:
        if (!figure || !figure(block)) code(block, view.copies_code ? &on_link : nullptr);
        break;
      case Block::Kind::kTable:
        table(block, on_link);
        break;
      case Block::Kind::kRule:
        rule();
        break;
      case Block::Kind::kFormula:
        formula(block);
        break;
      case Block::Kind::kPicture:
        picture(block, view.folder, on_link);
        break;
    }
    before = &block;
    ImGui::PopID();
  }
  ImGui::PopID();
  ImGui::PopStyleVar();
}

}  // namespace warpshop::ui
