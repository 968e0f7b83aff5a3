#include "fuzz_targets.h"

namespace warpshop::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {{"parser", parse_ptx, true},   {"text", run_ptx, true},
                                          {"program", run_program},      {"lab", read_lab_files},
                                          {"cut", cut_host_code},        {"heap", use_heap},
                                          {"async", copy_asynchronously}};
  return all;
}

}  // namespace warpshop::fuzz
