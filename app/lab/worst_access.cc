#include "lab/worst_access.h"

#include <algorithm>
#include <utility>

#include "models/banks.h"
#include "models/coalescer.h"
#include "timing/issue.h"

namespace warpshop::lab {
namespace {

const emulator::AccessSite& site_of(const KernelRun& run, const timing::RecordedAccess& access) {
  return run.sites[access.access.site];
}

// What a request costs, in sectors or wavefronts, and what it would cost at best.
struct Cost {
  int total = 0;
  int ideal = 0;
  bool operator<(const Cost& other) const {
    return std::pair(total - ideal, total) < std::pair(other.total - other.ideal, other.total);
  }
};
Cost cost_of(const emulator::AccessSite& site, ptx::Space space,
             const models::WarpRequest& request) {
  if (space == ptx::Space::kShared) {
    const models::BankCounts counts =
        models::count_wavefronts(request, timing::shared_access_of(site));
    return {counts.wavefronts, counts.ideal_wavefronts};
  }
  const models::CoalescerCounts counts = models::count_sectors(request);
  return {counts.sectors, counts.ideal_sectors};
}

bool matches(AccessChoice choice, const emulator::AccessSite& site, ptx::Space space) {
  if (site.leader >= 0 || site.dropped) return false;
  switch (choice) {
    case AccessChoice::kGlobalLoad:
      return space == ptx::Space::kGlobal && site.kind == emulator::AccessKind::kLoad;
    case AccessChoice::kGlobalStore:
      return space == ptx::Space::kGlobal && site.kind != emulator::AccessKind::kLoad;
    case AccessChoice::kShared:
      return space == ptx::Space::kShared;
  }
  return false;
}

}  // namespace

const timing::RecordedAccess* worst_access(const KernelRun& run, AccessChoice choice) {
  const timing::RecordedAccess* worst = nullptr;
  Cost worst_cost;
  for (const timing::RecordedAccess& record : run.records) {
    const emulator::AccessSite& site = site_of(run, record);
    if (record.access.active_mask == 0 || !matches(choice, site, record.access.space)) continue;
    const Cost cost = cost_of(site, record.access.space, worst_request(run, record));
    if (worst != nullptr && !(worst_cost < cost)) continue;
    worst_cost = cost;
    worst = &record;
  }
  return worst;
}

models::WarpRequest worst_request(const KernelRun& run, const timing::RecordedAccess& access) {
  const emulator::AccessSite& site = site_of(run, access);
  const auto requests = timing::issued_requests(site, access.access);
  if (requests.empty()) return {};
  return *std::max_element(requests.begin(), requests.end(), [&](const auto& a, const auto& b) {
    return cost_of(site, access.access.space, a) < cost_of(site, access.access.space, b);
  });
}

}  // namespace warpshop::lab
