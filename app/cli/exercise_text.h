// Selects the text of an exercise that a verb works on: a file, the worked solution, the skeleton,
// or the student's own.
#pragma once

#include <string>

#include "commands.h"

namespace warpshop::cli {

struct ExerciseText {
  std::string source;
  std::string file_name;  // the name used in messages
  std::string note = {};  // whose text it is, if the command does not say
};

// Error: a file that cannot be read.
Result<ExerciseText> exercise_text(const TextChoice& choice, const lab::Lab& lab,
                                   const lab::Step& step);

}  // namespace warpshop::cli
