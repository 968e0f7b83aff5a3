// The parts of a step around its text: what it promises, what is to be written, what waits for the
// run, what was learned, and what goes further.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "app/view.h"
#include "state/step_opening.h"

namespace warpshop::ui {

using FollowLink = std::function<void(const std::string&)>;

// "After this step you can …"
void able_line(const View& view, const FollowLink& follow);
void contract_card(const View& view, const FollowLink& follow);
// In the place of the text's second part: what opens it.
void waiting_card(const StepOpening& opening, bool exercise);
void learned_card(const View& view, const FollowLink& follow);
// `shown`: the answers that are unfolded.
void further_questions(const View& view, bool open, std::set<size_t>& shown,
                       const FollowLink& follow);

}  // namespace warpshop::ui
