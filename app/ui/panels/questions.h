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

void questions(const View& view, CommandQueue& queue);

// Every question of the open step has an answer.
bool all_answered(const Session& session);

}  // namespace warpshop::ui
