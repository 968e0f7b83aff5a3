#include "text_check.h"

#include <algorithm>

#include "imgui_internal.h"

namespace warpshop::ui {
namespace {

std::string place_of(const DrawnText& text) {
  const auto corner = [](ImVec2 at) {
    return std::to_string(static_cast<int>(at.x)) + "," + std::to_string(static_cast<int>(at.y));
  };
  return " [" + text.window.substr(0, 40) + ", at " + corner(text.min) + " to " + corner(text.max) +
         ", room " + corner(text.room_min) + " to " + corner(text.room_max) + "]";
}

ImRect in_sight(const DrawnText& text) {
  return {ImMax(text.min, text.room_min), ImMin(text.max, text.room_max)};
}

bool lie_on_each_other(const DrawnText& a, const DrawnText& b) {
  if (a.window != b.window || a.text == b.text) return false;
  ImRect both = in_sight(a);
  const ImRect other = in_sight(b);
  if (both.IsInverted() || other.IsInverted() || !both.Overlaps(other)) return false;
  both.ClipWith(other);
  const float line = std::min(a.max.y - a.min.y, b.max.y - b.min.y);
  return both.GetHeight() > 0.35f * line && both.GetWidth() > 0.2f * line;
}

}  // namespace

std::vector<DrawnText> texts_of_frame(ImGuiTestContext* ctx) {
  ctx->Yield(5);
  DrawnTexts drawn;
  ctx->Yield();
  std::vector<DrawnText> texts = std::move(drawn.texts);
  std::erase_if(texts, [](const DrawnText& text) {
    return text.text.find_first_not_of(' ') == std::string::npos;
  });
  return texts;
}

bool is_drawn(ImGuiTestContext* ctx, std::string_view words) {
  const std::vector<DrawnText> texts = texts_of_frame(ctx);
  return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
    return text.text.find(words) != std::string::npos;
  });
}

std::vector<std::string> misfits(const std::vector<DrawnText>& texts) {
  std::vector<std::string> out;
  for (size_t a = 0; a < texts.size(); ++a) {
    const DrawnText& text = texts[a];
    const float slack = 1.5f;
    const bool beside =
        text.min.x < text.room_min.x - slack || text.max.x > text.room_max.x + slack;
    const bool above = text.min.y < text.room_min.y - slack || text.max.y > text.room_max.y + slack;
    // Text scrolled out of sight is not clipped.
    const bool seen = text.max.y > text.room_min.y && text.min.y < text.room_max.y;
    const auto problem = [&](const std::string& what) {
      out.push_back("“" + text.text + "” " + what + place_of(text));
    };
    if (beside && !text.scrolls_x && seen) problem("is clipped at its side");
    if (above && !text.scrolls_y) problem("is clipped above or below");
    // One letter and "…" say nothing, even with the full text under the mouse.
    if (text.cut && text.max.x - text.min.x < 1.6f * (text.max.y - text.min.y) &&
        text.text.size() > 4)
      problem("is cut to nothing");
    for (size_t b = a + 1; b < texts.size(); ++b) {
      if (lie_on_each_other(text, texts[b])) problem("lies on “" + texts[b].text + "”");
    }
  }
  return out;
}

}  // namespace warpshop::ui
