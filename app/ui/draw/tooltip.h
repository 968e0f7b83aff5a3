// Tooltips: of a figure, of an action, of truncated text.
#pragma once

#include <string>
#include <string_view>

#include "imgui.h"
#include "text/metrics.h"

namespace warpshop::ui {

// Shows a tooltip with a heading and a text for the last item or the current hover.
void tooltip(std::string_view title, std::string_view text, std::string_view footnote = {});
// Explains a figure when the last item is hovered: definition, unit, formula, and Nsight Compute's
// name for it. `more` is appended.
void metric_tooltip(const MetricWords& words, std::string_view more = {});
// Like metric_tooltip(), for figures drawn by hand between two corners.
void metric_area(ImVec2 min, ImVec2 max, const MetricWords& words, std::string_view more = {});
// Like metric_area(), for figures outside the current child window, in the panel around it.
void metric_area_beside(ImVec2 min, ImVec2 max, const MetricWords& words,
                        std::string_view more = {});
// Tells the observer (draw/observer.h) of figures whose tooltip says more than the metric's words.
void note_metric(ImVec2 min, ImVec2 max, const MetricWords& words);
struct ShownMetric {
  std::string title, meaning, unit, formula, nsight, term;
  ImVec2 min, max;  // corners of its figures
};
ShownMetric shown_metric(ImVec2 min, ImVec2 max, const MetricWords& words);
// "Unit: …", "Formula: …", Nsight Compute's name and the glossary term, one per line.
std::string metric_note(const ShownMetric& metric);
// Shows the full text of the truncated text under the mouse, unless another tooltip is shown. Call
// at the end of a frame.
void cut_text_tooltip();
// Shows "Run the kernel  F6", taken from the registry, next to the last item.
void action_tooltip(std::string_view action_id);

}  // namespace warpshop::ui
