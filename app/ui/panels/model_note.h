// The note in a panel that shows a model: a link to the model's limitations, and what it assumes
// about the chosen GPU.
#pragma once

#include <string>
#include <string_view>

#include "app/view.h"
#include "models/limitations.h"

namespace warpshop::ui {

// Draws a line of height model_note_height() or, if given, `height`: `note` (an assumption, or that
// something is an illustration; may be empty) and, at its right end, the link. The link opens a
// table of the limitations below the full note; Esc closes it.
void model_note(models::ModelName model, std::string_view note, float height = 0);
float model_note_height();
// Enough for all of `note`; pass the result to model_note().
float model_note_height(std::string_view note);
// Draws the link alone, right-aligned in a line of height model_link_height().
void model_link(models::ModelName model, const std::string& note = {});
float model_link_height();
float model_link_width();

// The model that predicts times on the GPU of the run shown.
models::ModelName time_model(const View& view);

// Explains in a sentence why the run shown has no predicted time; empty if it has or may still get
// one.
std::string why_not_predicted(const View& view);
// Fills a panel that has no prediction to draw. `before`: the text before the first run.
void say_why_not(const View& view, std::string_view before);

}  // namespace warpshop::ui
