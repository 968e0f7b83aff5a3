#include "draw/widgets.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/actions.h"
#include "draw/observer.h"
#include "imgui_internal.h"
#include "window/gl_fill.h"

namespace warpshop::ui {
namespace {

constexpr float kWrappedInset = 16;  // beside a button's wrapped text, both sides together

// Dear ImGui keeps the backgrounds of a docked host in channel 0 of its draw list (imgui.cpp,
// DOCKING_HOST_DRAW_CHANNEL_BG). The panel's own background is there already: the frame was cleared
// to that colour.
void paint_dock_node(const ImGuiDockNode& node) {
  ImDrawList* list = node.HostWindow->DrawList;
  list->ChannelsSetCurrent(0);
  fill_corners(list, node.Pos, {node.Pos.x + node.Size.x, node.Pos.y + node.Size.y}, px(8),
               look()->window);
  list->ChannelsSetCurrent(1);
}

// Hides partly visible names at the edges of a scrolled tab bar, since part of a name means
// nothing; they reappear once fully in view.
void cover_cut_tabs(const ImGuiDockNode& node) {
  const ImGuiTabBar* tabs = node.TabBar;
  if (!tabs) return;
  const float left = tabs->ScrollingRectMinX, right = tabs->ScrollingRectMaxX;
  for (const ImGuiTabItem& tab : tabs->Tabs) {
    const float begin = tabs->BarRect.Min.x + std::trunc(tab.Offset - tabs->ScrollingAnim),
                end = begin + tab.Width;
    const bool cut = (begin < left - 1 && end > left) || (begin < right && end > right + 1);
    if (!cut || tab.ID == tabs->VisibleTabId) continue;
    node.HostWindow->DrawList->AddRectFilled({std::max(begin, left), tabs->BarRect.Min.y},
                                             {std::min(end, right), tabs->BarRect.Max.y},
                                             look()->panel);
  }
}

// Draws a line below the front tab.
void underline_tab(const ImGuiDockNode& node) {
  const ImGuiTabBar* tabs = node.TabBar;
  if (!tabs) return;
  for (const ImGuiTabItem& tab : tabs->Tabs) {
    if (tab.ID != tabs->VisibleTabId) continue;
    const float left = tabs->BarRect.Min.x + tab.Offset - tabs->ScrollingAnim + px(12);
    const float right = left + tab.Width - px(24);
    if (right > tabs->BarRect.Max.x || left < tabs->BarRect.Min.x) return;
    const float y = tabs->BarRect.Max.y;
    node.HostWindow->DrawList->AddRectFilled({left, y - px(2)}, {right, y}, look()->accent, px(1));
  }
}

// Lines of a panel; a shorter panel does not spend one on the context.
constexpr float kRoomForContext = 12;

// Draws the context, such as "line 7 · block (0,0) · warp 0". If there is too little room, it drops
// whole parts from the end, since half a part says nothing. Hovering shows the full text, also for
// a single part that had to be truncated.
void draw_context(ImDrawList* list, ImVec2 right_top, std::string_view context, float room) {
  const Face& face = look().fonts->regular;
  std::string_view shown = context;
  while (text_size(face, 12.5f, shown).x > room) {
    const size_t dot = shown.rfind(" · ");
    if (dot == std::string_view::npos) break;
    shown = shown.substr(0, dot);
  }
  if (shown.empty() || room < px(60)) return;
  const ImVec2 size = text_size(face, 12.5f, shown);
  draw_text_cut(list, right_top, face, 12.5f, look()->muted, shown, room, Align::kRight);
  const ImVec2 min{right_top.x - std::min(size.x, room), right_top.y};
  if (shown.size() < context.size() &&
      ImGui::IsMouseHoveringRect(min, {right_top.x, min.y + size.y}, false))
    tooltip({}, context);
}

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

int arrows_frame = -1;  // the last frame in which a panel claimed the arrow keys

// Takes the arrow keys away from ImGui's keyboard navigation.
void keep_arrows() {
  arrows_frame = ImGui::GetFrameCount();
  const ImGuiID owner = ImGui::GetID("arrows");
  for (const ImGuiKey key :
       {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow})
    ImGui::SetKeyOwner(key, owner);
}

}  // namespace

bool arrows_walk_accesses() { return arrows_frame == ImGui::GetFrameCount(); }

std::string window_name(std::string_view id, std::string_view title) {
  return std::string(title) + "###" + std::string(id);
}

Panel::Panel(std::string_view id, std::string_view title, ImGuiWindowFlags flags) {
  const std::string name = window_name(id, title);
  const ImGuiWindow* before = ImGui::FindWindowByName(name.c_str());
  const bool docked =
      before && before->DockNode && ImGui::DockNodeGetRootNode(before->DockNode)->IsDockSpace();
  const bool own_arrows = flags & ImGuiWindowFlags_NoNavInputs;
  flags &= ~ImGuiWindowFlags_NoNavInputs;
  flags |= ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing;
  if (docked) flags |= ImGuiWindowFlags_NoBackground;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(16, 10));
  // The corner button for a hidden tab bar stays invisible until hovered.
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, IM_COL32_BLACK_TRANS);
  const bool behind = docked && before->DockNode && before->DockNode->VisibleWindow != before;
  ImGui::PushStyleColor(ImGuiCol_Text, behind ? look()->muted : look()->text);  // of the tab
  visible_ = ImGui::Begin(name.c_str(), nullptr, flags);
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar();
  if (own_arrows && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) keep_arrows();
  if (const ImGuiDockNode* node = ImGui::GetWindowDockNode(); node && node->HostWindow) {
    tabbed_ = !node->IsHiddenTabBar() && !node->IsNoTabBar();
    if (visible_) paint_dock_node(*node);
    if (visible_ && tabbed_) {
      cover_cut_tabs(*node);
      underline_tab(*node);
    }
  }
}

Panel::~Panel() { ImGui::End(); }

void Panel::header(std::string_view title, std::string_view context, float inset) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  const float height = px(24);
  const Fonts& f = *look().fonts;
  if (tabbed_) {
    // The context goes into the tab row, right of the last tab.
    const ImGuiDockNode& node = *ImGui::GetWindowDockNode();
    const ImGuiTabBar* tabs = node.TabBar;
    if (context.empty() || !tabs) return;
    const float right = node.Pos.x + node.Size.x - px(16);
    const float room = right - (tabs->BarRect.Min.x + tabs->WidthAllTabs) - px(24);
    const float y = (tabs->BarRect.Min.y + tabs->BarRect.Max.y - line_height(f.regular, 12.5f)) / 2;
    // The first part is essential, such as the size. If it does not fit beside the tabs, the
    // context goes below them.
    const bool fits = text_size(f.regular, 12.5f, context.substr(0, context.find(" · "))).x <= room;
    if (fits ||
        ImGui::GetContentRegionAvail().y < kRoomForContext * line_height(f.regular, 12.5f)) {
      draw_context(node.HostWindow->DrawList, {right, y}, context, room);
    } else {
      draw_context(list, {at.x + width, at.y}, context, width);
      ImGui::Dummy({width, line_height(f.regular, 12.5f)});
    }
    return;
  }
  const float y = at.y + (height - line_height(f.medium, 15)) / 2;
  draw_text_cut(list, {at.x, y}, f.medium, 15, look()->text, title, width - inset);
  const float left = text_size(f.medium, 15, title).x + px(16);
  const float context_y = at.y + (height - line_height(f.regular, 12.5f)) / 2;
  draw_context(list, {at.x + width - inset, context_y}, context, width - left - inset);
  ImGui::Dummy({width, height});
}

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
  badge(list, {right, three ? y + line - px(18) : y}, provenance);
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

void paragraph(const Face& face, float em, ImU32 color, std::string_view text) {
  ImGui::PushTextWrapPos(0);
  label(face, em, color, text);
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

namespace {
int tooltip_frame = -1;  // the last frame in which one was shown

// The tour's strip, between the top bar and the panels, stays readable: returns where a tooltip at
// height `y` may begin.
float below_tour(float y) {
  const ImGuiWindow* tour = ImGui::FindWindowByName("##tour");
  if (!tour || !tour->WasActive || !ImGui::GetCurrentContext()->OpenPopupStack.empty()) return y;
  return std::max(y, tour->Rect().Max.y + px(6));
}
}  // namespace

void cut_text_tooltip() {
  const std::string whole = take_cut_text();
  if (!whole.empty() && tooltip_frame != ImGui::GetFrameCount()) tooltip({}, whole);
}

void tooltip(std::string_view title, std::string_view text, std::string_view footnote) {
  tooltip_frame = ImGui::GetFrameCount();
  if (!look().tooltips) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool placed =
      ImGui::GetCurrentContext()->NextWindowData.HasFlags & ImGuiNextWindowDataFlags_HasPos;
  if (const float top = below_tour(mouse.y); !placed && top > mouse.y) {
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    const bool right = mouse.x > viewport->Pos.x + viewport->Size.x / 2;
    ImGui::SetNextWindowPos({mouse.x, top}, ImGuiCond_Always, {right ? 1.0f : 0.0f, 0.0f});
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(12, 10));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(4, 4));
  if (ImGui::BeginTooltip()) {
    ImGui::PushTextWrapPos(px(340));
    if (!title.empty()) label(look().fonts->medium, kLabel, look()->text, title);
    if (!text.empty()) label(look().fonts->regular, kLabel, look()->body, text);
    if (!footnote.empty()) label(look().fonts->regular, 12, look()->muted, footnote);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar(3);
}

ShownMetric shown_metric(ImVec2 min, ImVec2 max, const MetricWords& words) {
  return {std::string(words.title),
          std::string(words.meaning),
          std::string(words.unit),
          std::string(words.formula),
          std::string(words.nsight),
          std::string(words.term),
          min,
          max};
}

void note_metric(ImVec2 min, ImVec2 max, const MetricWords& words) {
  if (DrawObserver* observer = draw_observer()) observer->see_figure(min, max, words);
}

namespace {
std::string note_of(std::string_view unit, std::string_view formula, std::string_view nsight,
                    std::string_view term) {
  return tr("Unit: {}", tr(unit)) + "\n" + tr("Formula: {}", tr(formula)) + "\n" +
         tr("Nsight Compute: {}",
            nsight.empty() ? std::string_view(tr("has no name for it")) : nsight) +
         "\n" + tr("Glossary: {}", tr(term));
}

void say_metric(const MetricWords& words, std::string_view more) {
  std::string note = note_of(words.unit, words.formula, words.nsight, words.term);
  if (!more.empty()) note += "\n" + std::string(more);
  tooltip(tr(words.title), tr(words.meaning), note);
}
}  // namespace

std::string metric_note(const ShownMetric& metric) {
  return note_of(metric.unit, metric.formula, metric.nsight, metric.term);
}

void metric_tooltip(const MetricWords& words, std::string_view more) {
  note_metric(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), words);
  if (ImGui::IsItemHovered()) say_metric(words, more);
}

void metric_area(ImVec2 min, ImVec2 max, const MetricWords& words, std::string_view more) {
  note_metric(min, max, words);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) say_metric(words, more);
}
void metric_area_beside(ImVec2 min, ImVec2 max, const MetricWords& words, std::string_view more) {
  note_metric(min, max, words);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
      ImGui::IsMouseHoveringRect(min, max, false))
    say_metric(words, more);
}

void action_tooltip(std::string_view action_id) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_AllowWhenDisabled)) {
    return;
  }
  const Action* action = find_action(action_id);
  if (!action) return;
  // Place it above or below the item, so that it covers neither the item nor its neighbours in the
  // row.
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const bool low = max.y > viewport->Pos.y + viewport->Size.y * 0.6f,
             right = min.x > viewport->Pos.x + viewport->Size.x * 0.6f;
  ImGui::SetNextWindowPos({right ? max.x : min.x, low ? min.y - px(6) : below_tour(max.y + px(6))},
                          ImGuiCond_Always, {right ? 1.0f : 0.0f, low ? 1.0f : 0.0f});
  std::string keys = chord_text(action->chord);
  if (action->second) keys += " " + std::string(tr("or")) + " " + chord_text(action->second);
  tooltip(tr(action->title), {}, keys);
}

void empty_panel(std::string_view sentence, std::string_view hint) {
  const Fonts& f = *look().fonts;
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const float wrap = std::min(space.x, px(360));
  auto height_of = [&](std::string_view text, float em) {
    ScopedFont font(f.regular, em);
    return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, wrap).y;
  };
  const float height =
      height_of(sentence, kBody) + (hint.empty() ? 0 : height_of(hint, kLabel) + px(6));
  const ImVec2 start = ImGui::GetCursorPos();
  float y = start.y + std::max(0.0f, (space.y - height) * 0.42f);
  auto centred = [&](std::string_view text, float em, ImU32 color) {
    ScopedFont font(f.regular, em);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float size = ImGui::GetFontSize();
    const char *at = text.data(), *end = text.data() + text.size();
    while (at < end) {
      const char* line_end = f.regular.font->CalcWordWrapPosition(size, at, end, wrap);
      if (line_end == at) ++line_end;
      const ImVec2 origin = ImGui::GetCursorScreenPos();
      draw_text(list, {origin.x + space.x / 2, origin.y - ImGui::GetCursorPosY() + y}, f.regular,
                em, color, {at, static_cast<size_t>(line_end - at)}, Align::kCenter);
      y += size;
      at = line_end;
      while (at < end && *at == ' ') ++at;
    }
  };
  centred(sentence, kBody, look()->muted);
  if (!hint.empty()) {
    y += px(6);
    centred(hint, kLabel, look()->muted);
  }
  ImGui::Dummy({space.x, std::max(space.y, y - start.y)});
}

}  // namespace warpshop::ui
