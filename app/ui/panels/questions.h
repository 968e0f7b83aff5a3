// The questions that a step asks before the run, and the verdicts on the answers after it.
#pragma once

#include "app/commands.h"
#include "app/view.h"
#include "draw/widgets.h"

namespace warpshop::ui {

// Draws a raised, rounded background around everything drawn during its lifetime.
class Card {
 public:
  explicit Card(const char* id);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;
};

// Questions to answer before the run, if all of them are below the visible part.
struct UnansweredBelow {
  int count = 0;
  float first_y = 0;  // of the first one, in the scrolling window
};
// The last answered question, to scroll into view with its explanation, whose height is known only
// some frames later.
struct FollowedAnswer {
  int question = -1;
  int frames = 0;
  bool framed = false;  // the tour frames the first unanswered question, which must be in view
  int brought = -1;     // the question that was last brought into view for the tour
};
UnansweredBelow questions(const View& view, FollowedAnswer& followed, CommandQueue& queue);

// True if every question of the open step is answered.
bool all_answered(const Session& session);

}  // namespace warpshop::ui
