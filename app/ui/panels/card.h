// The raised cards in a step's text.
#pragma once

namespace warpshop::ui {

// Draws a raised, rounded background around everything drawn during its lifetime.
class Card {
 public:
  explicit Card(const char* id);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;
};

// The kind of card, and at the right a note about it: a line below its content would move what
// somebody is about to click. `note` may be empty.
void card_heading(const char* heading, const char* note);

}  // namespace warpshop::ui
