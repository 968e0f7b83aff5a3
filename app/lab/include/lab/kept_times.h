// What real GPUs took for a lab's own kernels at the sizes for times (labs/ID/times.toml): so that a machine without
// such a GPU, too, shows measured times beside the predicted ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpshop::lab {

struct KeptTime {
  std::string step;
  std::string kernel;  // "start", "solution", "reference": for readers of the file
  std::string text;    // text_id() of the whole text that was measured: it says nothing of any other
  std::map<std::string, int64_t> size;  // as ProblemSize::variables
  // Microseconds, medians of the launches: the second of two in a row; with an empty L2 and new inputs, and what is
  // between its quartiles; of an empty kernel on the same GPU, timed in the same way. Times that the lab's texts state
  // are of launches one by one: warm_us and empty_us alone.
  double warm_us = 0;
  double cold_us = 0;
  double spread_us = 0;
  double empty_us = 0;
};

struct KeptTimes {
  std::string gpu;     // id of its profile, "h200"
  std::string name;    // as its driver says, "NVIDIA H200"
  std::string driver;  // "580.159.04"
  std::vector<KeptTime> times;
};

}  // namespace warpshop::lab
