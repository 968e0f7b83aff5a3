// The proof that a lab teaches what it claims: every solution passes, every skeleton compiles and
// fails a check, every wrong kernel fails the check that it names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/runner.h"

namespace warpshop::lab {

struct ProofItem {
  std::string step;  // id
  std::string what;  // "solution", "skeleton", or the file's name of a wrong kernel
  bool holds = false;
  std::string found;  // what happened, one sentence
};

// `on_item` is called after each. A stop ends the list early.
std::vector<ProofItem> prove_lab(Runner& runner, const Lab& lab, const models::GpuProfile& gpu,
                                 const StopFlag* stop = nullptr,
                                 const std::function<void(const ProofItem&)>& on_item = {});

}  // namespace warpshop::lab
