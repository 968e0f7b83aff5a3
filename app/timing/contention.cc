#include "timing/contention.h"

namespace warpshop::timing {

double Contention::lanes_on_busiest() const {
  uint64_t sum = 0;
  for (size_t d = 0; d < requests_by_lanes.size(); ++d) sum += d * requests_by_lanes[d];
  return requests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(requests);
}

bool LaunchContention::mostly_shared() const {
  return shared.lanes_on_busiest() * static_cast<double>(shared.requests) >
         global.lanes_on_busiest() * static_cast<double>(global.requests);
}

int Contention::most_lanes() const {
  int most = 0;
  for (size_t d = 0; d < requests_by_lanes.size(); ++d) {
    if (requests_by_lanes[d] > 0) most = static_cast<int>(d);
  }
  return most;
}

}  // namespace warpshop::timing
