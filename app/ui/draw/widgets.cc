#include "draw/widgets.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "draw/tooltip.h"
#include "imgui_internal.h"

namespace warpshop::ui {
namespace {

constexpr float kWrappedInset = 16;  // beside a button's wrapped text, both sides together

struct ButtonColors {
  ImU32 ground, hover, active, text, border;
};

ButtonColors colors_of(ButtonKind kind) {
  const Theme& t = *look().theme;
  const ImU32 hover = mix(t.raised, t.line, 0.6f);
  switch (kind) {
    case ButtonKind::kPrimary:
      return {t.accent, mix(t.accent, t.text, 0.15f), mix(t.accent, t.text, 0.3f), t.on_accent, 0};
    case ButtonKind::kSecondary:
      return {t.raised, hover, t.line, t.text, 0};
    case ButtonKind::kOutline:
      return {0, hover, t.line, t.text, t.line};
    case ButtonKind::kSelected: {
      const ImU32 ground = mix(t.panel, t.accent, t.dark ? 0.25f : 0.14f);
      return {ground, ground, ground, t.text, t.accent};
    }
    case ButtonKind::kQuiet:
      return {0, t.raised, t.line, t.muted, 0};
  }
  return {};
}

}  // namespace

float content_width() { return ImGui::GetContentRegionAvail().x; }

ImVec2 content_end() {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  return {at.x + content_width(), at.y};
}

bool enter_pressed() {
  return ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
         ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
}

float wrapped_button_height(const std::string& text, float width, float em) {
  const Face& face = look().fonts->medium;
  const size_t rows = text_size(face, em, text).x > width - px(6)
                          ? even_rows(face, em, text, width - px(kWrappedInset)).size()
                          : 1;
  return std::max(px(34), static_cast<float>(rows) * line_height(face, em) + px(14));
}

bool button(const std::string& text, ButtonKind kind, ImVec2 size, float em) {
  const ButtonColors c = colors_of(kind);
  ImGui::PushStyleColor(ImGuiCol_Button, c.ground);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, c.hover);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, c.active);
  ImGui::PushStyleColor(ImGuiCol_Text, c.text);
  ImGui::PushStyleColor(ImGuiCol_Border, c.border);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, c.border ? std::max(1.0f, px(1)) : 0);
  const bool strong =
      kind == ButtonKind::kPrimary || kind == ButtonKind::kOutline || kind == ButtonKind::kSelected;
  bool pressed = false;
  {
    const Face& face = strong ? look().fonts->medium : look().fonts->regular;
    ScopedFont font(face, em);
    const std::string_view shown(text.data(), std::min(text.find("##"), text.size()));
    const ImVec2 wanted = text_size(face, em, shown);
    // If the text is too wide, wrap it where the button is high enough; otherwise truncate it
    // visibly, and hovering shows it in full.
    const bool wide = size.x > 0 && wanted.x > size.x - px(6);
    const float line = line_height(face, em);
    const auto rows = wide && size.y >= 2 * line
                          ? even_rows(face, em, shown, size.x - px(kWrappedInset))
                          : std::vector<std::string>{};
    const float rows_height = line * static_cast<float>(rows.size());
    if (wide) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
    pressed = ImGui::Button(text.c_str(), size);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const ImVec2 middle{(min.x + max.x) / 2, (min.y + max.y) / 2};
    if (wide) ImGui::PopStyleColor();
    if (wide && rows.size() > 1 && rows_height <= size.y) {
      for (size_t n = 0; n < rows.size(); ++n) {
        draw_text(ImGui::GetWindowDrawList(),
                  {middle.x, middle.y - rows_height / 2 + line * static_cast<float>(n)}, face, em,
                  c.text, rows[n], Align::kCenter);
      }
    } else if (wide) {
      draw_text_cut(ImGui::GetWindowDrawList(), {middle.x, middle.y - wanted.y / 2}, face, em,
                    c.text, shown, size.x - px(8), Align::kCenter);
    } else if (!shown.empty()) {
      const ImDrawList* list = ImGui::GetWindowDrawList();
      note_text({middle.x - wanted.x / 2, middle.y - wanted.y / 2},
                {middle.x + wanted.x / 2, middle.y + wanted.y / 2}, shown, list->GetClipRectMin(),
                list->GetClipRectMax());
    }
  }
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(5);
  return pressed;
}

bool link(const std::string& text, float em) {
  const Theme& t = *look().theme;
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleColor(ImGuiCol_Text, t.accent);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{0, px(3)});
  bool pressed = false;
  {
    ScopedFont font(look().fonts->regular, em);
    pressed = ImGui::Button(text.c_str());
    const ImDrawList* list = ImGui::GetWindowDrawList();
    note_text(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text.substr(0, text.find("##")),
              list->GetClipRectMin(), list->GetClipRectMax());
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
      ImGui::GetWindowDrawList()->AddLine({min.x, max.y - px(3)}, {max.x, max.y - px(3)}, t.accent);
    }
  }
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(4);
  return pressed;
}

bool dropdown(const char* id, std::string_view text, float width) {
  const float height = px(30);
  const bool pressed = button(id, ButtonKind::kSecondary, {width, height}, 13.5f);
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Face& face = look().fonts->regular;
  const float y = min.y + (max.y - min.y - line_height(face, 13.5f)) / 2;
  draw_text_cut(list, {min.x + px(12), y}, face, 13.5f, look()->text, text, width - px(40));
  draw_chevron(list, {max.x - px(16), (min.y + max.y) / 2}, px(8), ImGuiDir_Down, look()->muted,
               px(1.6f));
  return pressed;
}

bool begin_popup_beside(const char* id, ImVec2 item_min, ImVec2 item_max) {
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const bool right = item_max.x > viewport->Pos.x + viewport->Size.x * 0.7f;
  const float above = item_min.y - viewport->Pos.y,
              below = viewport->Pos.y + viewport->Size.y - item_max.y;
  const bool up = below < above * 0.6f;
  ImGui::SetNextWindowPos(
      {right ? item_max.x : item_min.x, up ? item_min.y - px(3) : item_max.y + px(3)},
      ImGuiCond_Always, {right ? 1.0f : 0.0f, up ? 1.0f : 0.0f});
  const float room = (up ? above : below) - px(10);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {viewport->Size.x, std::max(px(80), room)});
  return ImGui::BeginPopup(id);
}

void keep_off_scroll_bar() {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (!window->ScrollbarY) return;
  const float distance = px(8);
  window->ContentRegionRect.Max.x -= distance;
  window->WorkRect.Max.x -= distance;
}

float headline_height() { return px(look().number * 1.25f); }

namespace {
constexpr std::string_view kDot = " · ";
}  // namespace

void headline(std::string_view number, bool good, std::string_view what, std::string_view ideal,
              lab::Provenance provenance, const MetricWords& words) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = headline_height();
  const float number_height = line_height(f.bold, look().number);
  draw_text(list, {at.x, at.y + (height - number_height) / 2}, f.bold, look().number,
            good ? t.good : t.poor, number);
  const float left = at.x + text_size(f.bold, look().number, number).x + px(12);
  const float badge_space = badge_width(provenance) + px(12);
  const float right = at.x + width;
  if (right - left - badge_space < px(120) &&
      text_size(f.regular, 14, what).x > right - left - badge_space) {
    // Too narrow for words beside the number: put them below it, on as many lines as they need.
    if (right - left > badge_space) badge(list, {right, at.y + (height - px(18)) / 2}, provenance);
    float below = at.y + height;
    below += draw_text_wrapped(list, {at.x, below}, f.regular, 14, t.text, what, width);
    below +=
        draw_text_wrapped(list, {at.x, below + px(1)}, f.regular, kLabel, t.muted, ideal, width) +
        px(1);
    ImGui::Dummy({width, below - at.y});
    metric_tooltip(words);
    return;
  }
  // Two lines, or three if the words are too long for the panel; break them at their dots.
  struct Line {
    std::string_view text;
    ImU32 color;
  };
  std::vector<Line> lines = {{what, t.text}, {ideal, t.muted}};
  const auto room = [&](size_t i) { return right - left - (i == 0 ? badge_space : 0); };
  for (size_t i = 0; i < lines.size() && lines.size() < 3; ++i) {
    const std::string_view text = lines[i].text;
    if (text_size(f.regular, i == 0 ? 14 : kLabel, text).x <= room(i)) continue;
    size_t cut = std::string_view::npos;
    for (size_t at_dot = text.find(kDot); at_dot != std::string_view::npos;
         at_dot = text.find(kDot, at_dot + 1)) {
      if (cut == std::string_view::npos ||
          text_size(f.regular, 12, text.substr(0, at_dot)).x <= room(i))
        cut = at_dot;
    }
    if (cut == std::string_view::npos) continue;
    lines[i].text = text.substr(0, cut);
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(i) + 1,
                 Line{text.substr(cut + kDot.size()), lines[i].color});
  }
  // Shrink a line if that makes it fit, otherwise wrap it: nothing is truncated.
  const bool three = lines.size() == 3;
  const float line = line_height(f.regular, three ? 13 : 14);
  struct Laid {
    float em, height;
    bool wraps;
  };
  std::vector<Laid> laid;
  float all = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const float full = i == 0 ? (three ? 13 : 14) : three ? 12 : kLabel;
    float em = full;
    while (em > 11 && text_size(f.regular, em, lines[i].text).x > room(i)) em -= 0.5f;
    const bool wraps = text_size(f.regular, em, lines[i].text).x > room(i);
    laid.push_back({wraps ? 12 : em,
                    wraps ? wrapped_height(f.regular, 12, lines[i].text, room(i)) : line, wraps});
    all += laid.back().height;
  }
  float y = at.y + std::max(0.0f, (height - all) / 2);
  // The badge is taller than one of three lines, so align it with the bottom of the first.
  badge(list, {right, three ? std::max(at.y, y + line - px(18)) : y}, provenance);
  for (size_t i = 0; i < lines.size(); ++i) {
    const ImVec2 place{left, y + (i == 0 ? 0 : px(1))};
    if (laid[i].wraps) {
      draw_text_wrapped(list, place, f.regular, laid[i].em, lines[i].color, lines[i].text, room(i));
    } else {
      draw_text(list, place, f.regular, laid[i].em, lines[i].color, lines[i].text);
    }
    y += laid[i].height;
  }
  ImGui::Dummy({width, std::max(height, all + px(2))});
  metric_tooltip(words);
}

float badge_width(lab::Provenance provenance) {
  return text_size(look().fonts->regular, kSmall, tr(lab::name_of(provenance))).x + px(16);
}

void badge(ImDrawList* list, ImVec2 right_top, lab::Provenance provenance) {
  const Theme& t = *look().theme;
  const bool published = provenance == lab::Provenance::kPublished;
  const bool measured = provenance == lab::Provenance::kMeasured;
  const ImU32 color = published ? t.history : measured ? t.text : t.accent;
  const float width = badge_width(provenance), height = px(18);
  const ImVec2 min{std::round(right_top.x - width), std::round(right_top.y)};
  list->AddRect(min, {min.x + width, min.y + height}, color, height / 2, std::max(1.0f, px(1)));
  const Face& face = look().fonts->regular;
  draw_text(list, {min.x + width / 2, min.y + (height - line_height(face, kSmall)) / 2}, face,
            kSmall, color, tr(lab::name_of(provenance)), Align::kCenter);
}

void label(const Face& face, float em, ImU32 color, std::string_view text) {
  ScopedFont font(face, em);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  const ImDrawList* list = ImGui::GetWindowDrawList();
  note_text(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text, list->GetClipRectMin(),
            list->GetClipRectMax());
  ImGui::PopStyleColor();
}

std::string with_whole_words(std::string_view text, float width) {
  return with_whole_words(*ImGui::GetFont(), ImGui::GetFontSize(), text, width);
}

void paragraph(const Face& face, float em, ImU32 color, std::string_view text) {
  ImGui::PushTextWrapPos(0);
  std::string lines;
  {
    ScopedFont font(face, em);
    lines = with_whole_words(text, ImGui::GetContentRegionAvail().x);
  }
  label(face, em, color, lines);
  ImGui::PopTextWrapPos();
}

void gap(float height) {
  // Suppress the spacing that ImGui adds after every item.
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGui::Dummy({1, px(height)});
  ImGui::PopStyleVar();
}

void rule() {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine({at.x, at.y + 0.5f}, {at.x + content_width(), at.y + 0.5f},
                                      look()->line);
  ImGui::Dummy({content_width(), 1});
}

}  // namespace warpshop::ui
