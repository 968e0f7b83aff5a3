#include "panels/limit_words.h"

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

float limit_headline_height(const timing::Limit& limit) {
  return wrapped_height(look().fonts->medium, kShortHeadline, tr(limit.headline), content_width()) +
         ImGui::GetStyle().ItemSpacing.y;
}

void limit_words(const timing::Limit& limit, CommandQueue& queue, bool short_form) {
  const Fonts& f = *look().fonts;
  std::string why = capitalized(tr(limit.why)) + ".";
  if (!limit.floor.empty()) why = std::string(tr(limit.floor)) + " " + why;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  paragraph(f.medium, short_form ? kShortHeadline : 17, look()->text, tr(limit.headline));
  glossary_area(at, ImGui::GetItemRectMax(), "limit", queue);
  if (!short_form) {
    paragraph(f.regular, kLabel, look()->body, why);
  } else if (limit.gain) {
    const std::string apart =
        tr("The share of the roof is for the bytes that the kernel moves; what there is to gain, "
           "for those that the task needs.");
    if (ImGui::GetContentRegionAvail().y >= px(kRoomForWords))
      paragraph(f.regular, kSmall, look()->muted, apart);
    why = apart + " " + why;
  }
  metric_area(at, {at.x + content_width(), ImGui::GetCursorScreenPos().y}, metric::kLimit, why);
}

}  // namespace warpshop::ui
