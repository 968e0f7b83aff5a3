// A question's choices as the lab shows them: in the file's order, the right one is often the
// first.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace warpshop::lab {

struct ShownChoices {
  std::vector<std::string> choices;
  int answer = 0;  // place of the right one among them
};

ShownChoices shown_choices(const Question& question);

}  // namespace warpshop::lab
