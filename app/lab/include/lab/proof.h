// Proves that a lab teaches what it claims: no question's answer is given away; every solution
// passes; every skeleton compiles and fails a check; every wrong kernel fails the check it names,
// with a message; no cheat derived from the texts of start and solution passes; no reference fails
// on cost alone; and every scene of the lecture's script has correct results and shows what it
// should.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/runner.h"

namespace warpshop::lab {

struct ProofItem {
  std::string step;  // id, or "demo"
  std::string what;  // "questions", "task" (its new lines and its gain, for people to read),
                     // "solution", "skeleton", "cheats", a cheat that passes, a wrong kernel's
                     // file, or a scene
  bool holds = false;
  std::string found;         // what happened, one sentence
  std::string message = {};  // for a skeleton or wrong kernel: that of the check, to the student
};

// Calls `on_item` after each item. A stop ends the list early.
std::vector<ProofItem> prove_lab(Runner& runner, const Lab& lab, const models::GpuProfile& gpu,
                                 const StopFlag* stop = nullptr,
                                 const std::function<void(const ProofItem&)>& on_item = {});

}  // namespace warpshop::lab
