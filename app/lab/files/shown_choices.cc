#include "lab/shown_choices.h"

namespace warpshop::lab {

ShownChoices shown_choices(const Question& question) {
  ShownChoices out;
  for (const int choice : question.order) {
    if (choice == question.answer) out.answer = static_cast<int>(out.choices.size());
    out.choices.push_back(question.choices[static_cast<size_t>(choice)]);
  }
  return out;
}

}  // namespace warpshop::lab
