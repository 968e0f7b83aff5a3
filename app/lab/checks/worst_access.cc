#include "lab/worst_access.h"

#include <algorithm>
#include <utility>

#include "lab/access_cost.h"
#include "timing/issue.h"

namespace warpshop::lab {
namespace {

const emulator::AccessSite& site_of(const KernelRun& run, const timing::RecordedAccess& access) {
  return run.sites[access.access.site];
}

bool costs_less(const AccessCost& a, const AccessCost& b) {
  return std::pair(a.waste(), a.cost) < std::pair(b.waste(), b.cost);
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

const timing::RecordedAccess* worst_access(const KernelRun& run, const models::GpuProfile& gpu,
                                           AccessChoice choice) {
  const timing::RecordedAccess* worst = nullptr;
  AccessCost worst_cost;
  for (const timing::RecordedAccess& record : run.records) {
    const emulator::AccessSite& site = site_of(run, record);
    if (record.access.active_mask == 0 || !matches(choice, site, record.access.space)) continue;
    const bool shared = record.access.space == ptx::Space::kShared;
    const AccessCost cost = access_cost(gpu, site, shared, worst_request(run, gpu, record));
    if (worst != nullptr && !costs_less(worst_cost, cost)) continue;
    worst_cost = cost;
    worst = &record;
  }
  return worst;
}

models::WarpRequest worst_request(const KernelRun& run, const models::GpuProfile& gpu,
                                  const timing::RecordedAccess& access) {
  const emulator::AccessSite& site = site_of(run, access);
  const bool shared = access.access.space == ptx::Space::kShared;
  const auto requests = timing::issued_requests(site, access.access);
  if (requests.empty()) return {};
  return *std::max_element(requests.begin(), requests.end(), [&](const auto& a, const auto& b) {
    return costs_less(access_cost(gpu, site, shared, a), access_cost(gpu, site, shared, b));
  });
}

}  // namespace warpshop::lab
