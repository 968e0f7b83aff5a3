#include <algorithm>
#include <string>
#include <vector>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/files.h"
#include "lab/hand_in.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

std::string words_of(const lab::HandedIn& work) {
  if (work.version != lab::StandingText::Version::kPassed)
    return "your latest text; no version has passed yet";
  return work.changed_since ? "the version that passed; you have changed the text since"
                            : "the version that passed";
}

}  // namespace

int hand_in_command(const HandInOptions& options) {
  const lab::LabLibrary library = lab::load_labs(data_dir());
  std::vector<const lab::Lab*> labs;
  for (const lab::Lab& lab : library.labs) {
    if (options.lab.empty() || lab.id == options.lab) labs.push_back(&lab);
  }
  if (labs.empty()) return fail(lab_named(options.lab).errors());
  const auto written = lab::hand_in(labs, options.place);
  if (!written.ok()) return fail(written.errors());
  size_t longest = 0;
  for (const lab::HandedIn& work : *written) longest = std::max(longest, work.place.size());
  for (const lab::HandedIn& work : *written) {
    print(work.place + std::string(longest + 2 - work.place.size(), ' ') + words_of(work) + "\n");
  }
  if (written->empty()) {
    print("Nothing was written: you have not started an exercise yet.\n");
  } else {
    print("Written to " + options.place + "\n");
  }
  return kAllPassed;
}

}  // namespace warpshop::cli
