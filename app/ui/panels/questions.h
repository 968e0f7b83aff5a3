// The questions that a step asks before the run, and what became of the answers after it.
#pragma once

#include "app/commands.h"
#include "app/view.h"
#include "draw/widgets.h"

namespace warpshop::ui {

// A raised, rounded ground around what is drawn while it lives.
class Card {
 public:
  explicit Card(const char* id);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;
};

// Questions that are to be answered before the run, where all of them lie below what is in sight.
struct UnansweredBelow {
  int count = 0;
  float first_y = 0;  // of the first, in the window that scrolls
};
// What was answered last comes into sight with its explanation, whose height is known some frames
// later.
struct FollowedAnswer {
  int question = -1;
  int frames = 0;
};
UnansweredBelow questions(const View& view, FollowedAnswer& followed, CommandQueue& queue);

// Every question of the open step has an answer.
bool all_answered(const Session& session);

}  // namespace warpshop::ui
