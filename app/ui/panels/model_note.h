// What a panel that shows a model says of it: a link to what the model leaves out, and what of it
// is assumed for the GPU that is chosen.
#pragma once

#include <string>
#include <string_view>

#include "app/view.h"
#include "models/left_out.h"

namespace warpshop::ui {

// A line of the height model_note_height(): `note` (what is assumed or an illustration; may be
// empty), and at its right end the link, which opens a table with all of the note above it. Esc
// closes that.
void model_note(models::ModelName model, std::string_view note);
float model_note_height();
// The link alone, right-aligned in a line of model_link_height().
void model_link(models::ModelName model, const std::string& note = {});
float model_link_height();
float model_link_width();

// The model that predicts times on the GPU of the shown run.
models::ModelName time_model(const View& view);

// Why the shown run has no predicted time, in a sentence; empty: it has one, or may still get it.
std::string why_not_predicted(const View& view);
// The empty panel of one that draws a prediction. `before`: what to say before the first run.
void say_why_not(const View& view, std::string_view before);

}  // namespace warpshop::ui
