// The questions that a step asks before the run, and the verdicts on the answers after it.
#pragma once

#include <map>

#include "app/commands.h"
#include "app/view.h"
#include "panels/number_field.h"
#include "panels/scroll_keeper.h"

namespace warpshop::ui {

// Questions to answer before the run, if all of them are below the visible part.
struct UnansweredBelow {
  int count = 0;
  int first = 0;
  float first_y = 0;  // of the first one, in the scrolling window
};
// The last answered question, to scroll into view with its explanation, whose height is known only
// some frames later.
struct FollowedAnswer {
  int question = -1;
  int frames = 0;
  // An answer before the run leads on to the next open question, or else to the estimate.
  bool leads_on = false;
  int estimate_frames = 0;
  bool framed = false;  // the tour frames the first unanswered question, which must be in view
  int brought = -1;     // the question that was last brought into view for the tour
};
struct QuestionsState {
  FollowedAnswer followed;
  std::map<int, NumberFieldState> fields;  // of the questions for a number
  // The question whose field takes the typing in that many frames: not before that of the last
  // answer has gone, since ImGui counts the fields on the way to the one that it focuses.
  int typing_next = 0, frames_until_typing = 0;
};
UnansweredBelow questions(const View& view, QuestionsState& state, ScrollKeeper& keeper,
                          CommandQueue& queue);

// Scrolls until all of a card is in sight that reaches from there to the end of the last item.
void bring_card_into_sight(float top);

// Has the question's field take the typing, if it asks for a number.
void type_into_question(int number, QuestionsState& state);

// True if every question of the open step is answered.
bool all_answered(const Session& session);

}  // namespace warpshop::ui
