#include "panels/limiter_words.h"

#include <string>

#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "panels/glossary_link.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// A picture with less room than this keeps all of it, and the words move into the tooltip.
constexpr float kRoomForWords = 180;
constexpr float kShortHeadline = kBody;

}  // namespace

float limiter_headline_height(const timing::LimiterSummary& limiter) {
  return wrapped_height(look().fonts->medium, kShortHeadline, tr(limiter.headline),
                        content_width()) +
         ImGui::GetStyle().ItemSpacing.y;
}

void limiter_words(const timing::LimiterSummary& limiter, CommandQueue& queue, bool short_form) {
  const Fonts& f = *look().fonts;
  std::string why = capitalized(tr(limiter.why)) + ".";
  if (!limiter.floor.empty()) why = std::string(tr(limiter.floor)) + " " + why;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  paragraph(f.medium, short_form ? kShortHeadline : 17, look()->text, tr(limiter.headline));
  glossary_area(at, ImGui::GetItemRectMax(), "limiter", queue);
  if (!short_form) {
    paragraph(f.regular, kLabel, look()->body, why);
  } else if (limiter.gain) {
    const std::string apart =
        tr("The share of the roof is for the bytes that the kernel moves; what there is to gain, "
           "for those that the task needs.");
    if (ImGui::GetContentRegionAvail().y >= px(kRoomForWords))
      paragraph(f.regular, kSmall, look()->muted, apart);
    why = apart + " " + why;
  }
  metric_area(at, {at.x + content_width(), ImGui::GetCursorScreenPos().y}, metric::kLimiter, why);
}

}  // namespace warpshop::ui
