#include "draw/legend.h"

#include <algorithm>
#include <cmath>

#include "draw/widgets.h"

namespace warpshop::ui {
namespace {

constexpr float kSwatch = 10, kBetweenEntries = 16, kBeside = 6;

float entry_width(const LegendEntry& entry) {
  return (entry.swatch == Swatch::kWords ? 0 : px(kSwatch + kBeside)) +
         text_size(look().fonts->regular, kSmall, entry.words).x;
}

float legend_pitch() { return line_height(look().fonts->regular, kSmall) + px(3); }

void draw_swatch(ImDrawList* list, Swatch swatch, ImU32 color, ImVec2 at, float height) {
  const float size = px(kSwatch), y = at.y + height / 2;
  const ImVec2 min{at.x, std::round(y - size / 2)}, max{at.x + size, std::round(y + size / 2)};
  switch (swatch) {
    case Swatch::kBar:
      list->AddRectFilled(min, max, color, px(2));
      break;
    case Swatch::kHatched:
      list->AddRectFilled(min, max, color, px(2));
      draw_hatch(list, min, max, with_alpha(look()->panel, 0.55f), px(5), px(1.2f));
      break;
    case Swatch::kDot:
      list->AddCircleFilled({at.x + size / 2, y}, size * 0.42f, color);
      break;
    case Swatch::kRing:
      list->AddCircle({at.x + size / 2, y}, size * 0.42f, color, 0, px(1.6f));
      break;
    case Swatch::kLine:
      list->AddLine({at.x + size / 2, min.y}, {at.x + size / 2, max.y}, color, px(1.8f));
      break;
    case Swatch::kWords:
      break;
  }
}

// Calls place(entry, offset of its top left corner, its words in rows) for each entry; returns the
// total height. Only an entry wider than the legend has more than one row.
template <typename Place>
float lay_out_legend(const std::vector<LegendEntry>& entries, float width, Place place) {
  float x = 0, y = 0;
  for (const LegendEntry& entry : entries) {
    const float wide = entry_width(entry);
    if (x > 0 && x + wide > width) {
      x = 0;
      y += legend_pitch();
    }
    std::vector<std::string> rows = {entry.words};
    if (wide > width) {
      const float swatch = entry.swatch == Swatch::kWords ? 0 : px(kSwatch + kBeside);
      rows = wrapped_rows(look().fonts->regular, kSmall, entry.words, width - swatch);
    }
    place(entry, ImVec2{x, y}, rows);
    y += legend_pitch() * static_cast<float>(std::max<size_t>(rows.size(), 1) - 1);
    x += wide + px(kBetweenEntries);
  }
  return entries.empty() ? 0 : y + legend_pitch();
}

}  // namespace

float legend_height(const std::vector<LegendEntry>& entries, float width) {
  return lay_out_legend(entries, width,
                        [](const LegendEntry&, ImVec2, const std::vector<std::string>&) {});
}

void legend(const std::vector<LegendEntry>& entries) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Face& face = look().fonts->regular;
  const ScaleMarks words;  // legend words explain figures; they are not figures themselves
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = line_height(face, kSmall);
  const auto draw = [&](const LegendEntry& entry, ImVec2 offset,
                        const std::vector<std::string>& rows) {
    ImVec2 place{at.x + offset.x, at.y + offset.y};
    draw_swatch(list, entry.swatch, entry.color, place, height);
    if (entry.swatch != Swatch::kWords) place.x += px(kSwatch + kBeside);
    for (const std::string& row : rows) {
      draw_text_cut(list, place, face, kSmall, look()->muted, row, at.x + width - place.x);
      place.y += legend_pitch();
    }
  };
  const float all = lay_out_legend(entries, width, draw);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  ImGui::Dummy({width, all});
  ImGui::PopStyleVar();
}

}  // namespace warpshop::ui
