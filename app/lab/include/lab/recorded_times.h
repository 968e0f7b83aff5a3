// Times that real GPUs took for a lab's own kernels at the sizes for times (labs/ID/times.toml), so
// that measured times appear beside predicted ones even on machines without such a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpshop::lab {

struct RecordedTime {
  std::string step;
  std::string kernel;  // "start", "solution", "reference": for people who read the file
  // Text_id() of the whole text that was measured; the time applies to no other text.
  std::string text;
  std::map<std::string, int64_t> size;  // as ProblemSize::variables
  // Microseconds, medians over the launches. warm_us: the second of two back-to-back launches.
  // cold_us: with an empty L2 and new inputs; spread_us is its interquartile range. empty_us: an
  // empty kernel on the same GPU, timed the same way. Times stated in the lab's texts come from
  // individual launches and have only warm_us and empty_us.
  double warm_us = 0;
  double cold_us = 0;
  double spread_us = 0;
  double empty_us = 0;
};

struct RecordedTimes {
  std::string gpu;     // id of its profile, "h200"
  std::string name;    // as reported by its driver, "NVIDIA H200"
  std::string driver;  // "580.159.04"
  std::vector<RecordedTime> times;
};

}  // namespace warpshop::lab
