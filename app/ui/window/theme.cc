#include "window/theme.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "lab/lane_colors.h"

namespace warpshop::ui {
namespace {

ImVec4 vec(ImU32 color) { return ImGui::ColorConvertU32ToFloat4(color); }

double luminance(ImU32 color) {
  auto channel = [](unsigned byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel((color >> IM_COL32_R_SHIFT) & 255) +
         0.7152 * channel((color >> IM_COL32_G_SHIFT) & 255) +
         0.0722 * channel((color >> IM_COL32_B_SHIFT) & 255);
}

}  // namespace

std::string_view name_of(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::kDark:
      return "dark";
    case ThemeChoice::kLight:
      return "light";
    case ThemeChoice::kSystem:
      return "system";
  }
  return "dark";
}

const Theme& dark_theme() {
  static const Theme theme = {.dark = true,
                              .window = rgb(0x14171C),
                              .panel = rgb(0x1B1F26),
                              .raised = rgb(0x242A33),
                              .line = rgb(0x303845),
                              .text = rgb(0xE6EAF0),
                              .body = rgb(0xC9D2DE),
                              .muted = rgb(0x93A0B2),
                              .accent = rgb(0x5AA9FF),
                              .good = rgb(0x4DB6FF),
                              .poor = rgb(0xF29A4A),
                              .poor_on_raised = rgb(0xF29A4A),
                              .history = rgb(0xF2C14E),
                              .tour = rgb(0xE58BFF),
                              .on_accent = rgb(0x0B1220),
                              .shadow = IM_COL32(0, 0, 0, 150)};
  return theme;
}

const Theme& light_theme() {
  static const Theme theme = {.dark = false,
                              .window = rgb(0xF3F5F8),
                              .panel = rgb(0xFFFFFF),
                              .raised = rgb(0xE9EDF2),
                              .line = rgb(0xCFD6DF),
                              .text = rgb(0x161B22),
                              .body = rgb(0x2B333E),
                              .muted = rgb(0x566274),
                              .accent = rgb(0x0B63CE),
                              .good = rgb(0x0A6FD8),
                              .poor = rgb(0xB4540A),
                              .poor_on_raised = rgb(0xA34B08),
                              .history = rgb(0x8A6500),
                              .tour = rgb(0xA0149E),
                              .on_accent = rgb(0xFFFFFF),
                              .shadow = IM_COL32(30, 40, 60, 60)};
  return theme;
}

ImU32 lane_color(int lane) {
  return rgb(lab::kLaneColors[static_cast<size_t>(std::clamp(lane, 0, 31))]);
}

ImU32 text_on(ImU32 ground) {
  return contrast(ground, IM_COL32_WHITE) >= contrast(ground, IM_COL32_BLACK) ? IM_COL32_WHITE
                                                                              : IM_COL32_BLACK;
}

ImU32 with_alpha(ImU32 color, float alpha) {
  const auto base = static_cast<float>((color >> IM_COL32_A_SHIFT) & 255);
  const auto a = static_cast<ImU32>(std::lround(std::clamp(base * alpha, 0.0f, 255.0f)));
  return (color & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

ImU32 mix(ImU32 a, ImU32 b, float t) {
  ImU32 out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const auto x = static_cast<float>((a >> shift) & 255),
               y = static_cast<float>((b >> shift) & 255);
    out |= static_cast<ImU32>(std::lround(x + (y - x) * t)) << shift;
  }
  return out;
}

double contrast(ImU32 a, ImU32 b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return x > y ? x / y : y / x;
}

void apply_style(const Theme& theme, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  const float font_size = style.FontSizeBase, font_main = style.FontScaleMain,
              font_dpi = style.FontScaleDpi;
  style = ImGuiStyle();
  style.FontSizeBase = font_size;
  style.FontScaleMain = font_main;
  style.FontScaleDpi = font_dpi;

  style.WindowPadding = {16, 12};
  style.WindowRounding = 8;
  style.ChildRounding = 8;
  style.PopupRounding = 8;
  style.FrameRounding = 6;
  style.GrabRounding = 6;
  style.TabRounding = 6;
  style.ScrollbarRounding = 4;
  style.ScrollbarSize = 10;
  style.ScrollbarPadding = 2;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.TabBorderSize = 0;
  style.TabBarBorderSize = 0;
  style.TabBarOverlineSize = 0;
  style.FramePadding = {12, 6};
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {8, 4};
  style.WindowMinSize = {120, 60};
  style.WindowMenuButtonPosition = ImGuiDir_Right;  // lists a dock's tabs: list_tabs()
  style.DockingNodeHasCloseButton = false;
  style.DockingSeparatorSize = 12;
  style.WindowBorderHoverPadding = 6;
  style.HoverDelayShort = 0.25f;
  style.HoverDelayNormal = 0.45f;
  style.ScaleAllSizes(scale);
  style.PopupBorderSize = 1;  // a hairline at any zoom
  style.DockingSeparatorSize = std::max(4.0f, std::round(12 * scale));
  // Tabs keep their whole names; those that do not fit are reached by scrolling.
  style.TabMinWidthShrink = FLT_MAX;

  const ImU32 hover = mix(theme.raised, theme.line, 0.6f);
  ImVec4* colors = style.Colors;
  for (int i = 0; i < ImGuiCol_COUNT; ++i) colors[i] = vec(theme.raised);
  colors[ImGuiCol_Text] = vec(theme.text);
  colors[ImGuiCol_TextDisabled] = vec(theme.muted);
  colors[ImGuiCol_WindowBg] = vec(theme.panel);
  colors[ImGuiCol_ChildBg] = {0, 0, 0, 0};
  colors[ImGuiCol_PopupBg] = vec(mix(theme.panel, theme.raised, theme.dark ? 0.5f : 0.0f));
  colors[ImGuiCol_Border] = vec(theme.line);
  colors[ImGuiCol_BorderShadow] = {0, 0, 0, 0};
  colors[ImGuiCol_FrameBg] = vec(theme.raised);
  colors[ImGuiCol_FrameBgHovered] = vec(hover);
  colors[ImGuiCol_FrameBgActive] = vec(hover);
  colors[ImGuiCol_TitleBg] = {0, 0, 0, 0};
  colors[ImGuiCol_TitleBgActive] = {0, 0, 0, 0};
  colors[ImGuiCol_TitleBgCollapsed] = {0, 0, 0, 0};
  colors[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
  colors[ImGuiCol_ScrollbarGrab] = vec(theme.line);
  colors[ImGuiCol_ScrollbarGrabHovered] = vec(mix(theme.line, theme.muted, 0.4f));
  colors[ImGuiCol_ScrollbarGrabActive] = vec(theme.muted);
  colors[ImGuiCol_CheckMark] = vec(theme.accent);
  colors[ImGuiCol_SliderGrab] = vec(theme.accent);
  colors[ImGuiCol_SliderGrabActive] = vec(theme.accent);
  colors[ImGuiCol_ButtonHovered] = vec(hover);
  colors[ImGuiCol_ButtonActive] = vec(theme.line);
  colors[ImGuiCol_HeaderHovered] = vec(hover);
  colors[ImGuiCol_HeaderActive] = vec(theme.line);
  colors[ImGuiCol_Separator] = {0, 0, 0, 0};
  colors[ImGuiCol_SeparatorHovered] = vec(with_alpha(theme.accent, 0.5f));
  colors[ImGuiCol_SeparatorActive] = vec(theme.accent);
  colors[ImGuiCol_ResizeGrip] = {0, 0, 0, 0};
  colors[ImGuiCol_ResizeGripHovered] = vec(with_alpha(theme.accent, 0.5f));
  colors[ImGuiCol_ResizeGripActive] = vec(theme.accent);
  colors[ImGuiCol_Tab] = {0, 0, 0, 0};
  colors[ImGuiCol_TabHovered] = vec(theme.raised);
  colors[ImGuiCol_TabSelected] = {0, 0, 0, 0};
  colors[ImGuiCol_TabSelectedOverline] = {0, 0, 0, 0};
  colors[ImGuiCol_TabDimmed] = {0, 0, 0, 0};
  colors[ImGuiCol_TabDimmedSelected] = {0, 0, 0, 0};
  colors[ImGuiCol_TabDimmedSelectedOverline] = {0, 0, 0, 0};
  colors[ImGuiCol_DockingPreview] = vec(with_alpha(theme.accent, 0.4f));
  colors[ImGuiCol_DockingEmptyBg] = vec(theme.window);
  colors[ImGuiCol_TextSelectedBg] = vec(with_alpha(theme.accent, 0.35f));
  colors[ImGuiCol_TextLink] = vec(theme.accent);
  colors[ImGuiCol_InputTextCursor] = vec(theme.accent);
  colors[ImGuiCol_DragDropTarget] = vec(theme.accent);
  colors[ImGuiCol_NavCursor] = vec(theme.accent);
  colors[ImGuiCol_NavWindowingHighlight] = vec(theme.accent);
  colors[ImGuiCol_NavWindowingDimBg] = vec(theme.shadow);
  colors[ImGuiCol_ModalWindowDimBg] = vec(theme.shadow);
}

}  // namespace warpshop::ui
