#include "panels/estimate_card.h"

#include <string>

#include "draw/markdown_view.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "panels/card.h"
#include "text/format.h"
#include "text/text.h"
#include "text/typed_number.h"

namespace warpshop::ui {
namespace {

std::string unit_of(const lab::Estimate& estimate) {
  return estimate.of == lab::Estimate::Of::kTime ? "µs" : "×";
}

// "3.6×", "44.46 µs": as precise as Times shows it.
std::string outcome_text(const lab::Estimate& estimate, double value) {
  return estimate.of == lab::Estimate::Of::kTime
             ? us_text(value)
             : decimal_text(value, value < 10 ? 1 : 0) + unit_of(estimate);
}

const lab::StepProgress* progress_of_step(const View& view) {
  return view.session->step() ? view.session->progress_of(*view.session->step()) : nullptr;
}

}  // namespace

bool has_estimate_card(const View& view) {
  const lab::Exercise* exercise = view.exercise();
  if (!exercise || !exercise->estimate) return false;
  const lab::StepProgress* progress = progress_of_step(view);
  return !progress || !progress->passed || progress->estimate;
}

void estimate_card(const View& view, NumberFieldState& field, CommandQueue& queue) {
  if (!has_estimate_card(view)) return;
  const lab::Estimate& estimate = *view.exercise()->estimate;
  const lab::StepProgress* progress = progress_of_step(view);
  const std::optional<double> given = progress ? progress->estimate : std::nullopt;
  const bool settled = progress && progress->passed;
  Card card("estimate");
  card_heading(tr("What do you expect?"), settled ? ""
                                          : given ? tr("scored when a version passes")
                                                  : tr("scored in Times"));
  MarkdownView ask;
  ask.folder = view.session->lab()->folder;
  markdown(ask, estimate.ask, [](const std::string&) {});
  gap(6);
  if (settled) {
    label(look().fonts->medium, kBody, look()->text,
          tr("You said {}.", with_unit(*given, unit_of(estimate))));
    if (link(tr_id("See what it is in Times", "estimate-times"), kLabel))
      queue.push(command::FocusPanel{"times"});
    return;
  }
  if (const auto typed = number_field("estimate", unit_of(estimate), true, given, field))
    queue.push(command::GiveEstimate{*typed});
}

void estimate_line(const View& view, const lab::RunResult& result, const lab::SizeResult& size,
                   const std::vector<lab::TimeRow>& rows) {
  const lab::Exercise* exercise = view.exercise();
  const lab::StepProgress* progress = progress_of_step(view);
  if (!exercise || !exercise->estimate || !progress || !progress->estimate ||
      &size != result.timed_size())
    return;
  const lab::Estimate& estimate = *exercise->estimate;
  const std::string said = with_unit(*progress->estimate, unit_of(estimate));
  const auto outcome = result.passed
                           ? lab::outcome_of(estimate, *view.session->lab(), result, size, rows)
                           : std::nullopt;
  const Face& face = look().fonts->medium;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  if (outcome) {
    paragraph(face, kLabel, look()->accent,
              tr("You said {}; it is {} ({}).", said, outcome_text(estimate, outcome->value),
                 tr(lab::name_of(outcome->provenance))));
  } else if (!result.passed) {
    paragraph(look().fonts->regular, kLabel, look()->muted,
              tr("You said {}: scored when a version passes.", said));
  } else if (!view.predicting) {
    paragraph(look().fonts->regular, kLabel, look()->muted,
              tr("You said {}; there is no time to compare it with.", said));
  } else {
    return;
  }
  metric_area(
      at, {at.x + width, ImGui::GetCursorScreenPos().y},
      estimate.of == lab::Estimate::Of::kTime ? metric::kEstimatedTime : metric::kEstimatedSpeedup);
}

}  // namespace warpshop::ui
