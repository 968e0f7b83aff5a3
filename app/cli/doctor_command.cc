// `warpshop doctor`: the system check, one line per item, with a fix.
#include "cli/main_cli.h"
#include "commands.h"
#include "lab/system_check.h"
#include "terminal.h"

namespace warpshop::cli {

int doctor_command(bool has_window) {
  using State = lab::SystemCheckLine::State;
  const Paint paint = Paint::for_standard_output();
  print("Warpshop " WARPSHOP_VERSION "\n");
  const std::vector<lab::SystemCheckLine> lines = lab::check_system(has_window);
  for (const lab::SystemCheckLine& line : lines) {
    const std::string mark = line.state == State::kOk     ? paint.good("ok  ")
                             : line.state == State::kWarn ? paint.bad("warn")
                                                          : paint.bad("fail");
    print(mark + "  " + pad_right(line.what, 14) + "  " + line.found + "\n");
    if (!line.fix.empty()) print("      " + pad_right("", 14) + "  → " + line.fix + "\n");
  }
  const bool failed = lab::any_failed(lines);
  print(failed ? paint.bad("something is missing: see the lines that start with fail") + "\n"
               : paint.good("ready") + "\n");
  return failed ? kToolFailed : kAllPassed;
}

}  // namespace warpshop::cli
