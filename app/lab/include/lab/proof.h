// The proof that a lab teaches what it claims: every solution passes, every skeleton compiles and
// fails a check, every wrong kernel fails the check that it names with something to say, no cheat made of start and solution by
// changing their text passes, no reference fails for its cost alone, and every scene of the lecture's
// script has right results and what it is to show.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/runner.h"

namespace warpshop::lab {

struct ProofItem {
  std::string step;  // id, or "demo"
  std::string what;  // "solution", "skeleton", "cheats", one that passes, the file's name of a wrong kernel, or a scene
  bool holds = false;
  std::string found;  // what happened, one sentence
  std::string told = {};   // what the student reads of a skeleton or wrong kernel: the check's message
};

// `on_item` is called after each. A stop ends the list early.
std::vector<ProofItem> prove_lab(Runner& runner, const Lab& lab, const models::GpuProfile& gpu,
                                 const StopFlag* stop = nullptr,
                                 const std::function<void(const ProofItem&)>& on_item = {});

}  // namespace warpshop::lab
