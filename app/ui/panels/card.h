// Raised cards: in a step's text, and on the page of all labs.
#pragma once

#include "imgui.h"

namespace warpshop::ui {

// Draws a rounded background with a margin around everything drawn during its lifetime, and of that
// height: of a step's cards, unless its colour and margin are given.
class Card {
 public:
  explicit Card(const char* id);
  Card(const char* id, ImU32 ground, ImVec2 margin);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;
};

// The kind of card, and at the right a note about it: a line below its content would move what
// somebody is about to click. `note` may be empty.
void card_heading(const char* heading, const char* note);

}  // namespace warpshop::ui
