#include "issue_plan.h"

#include <string>

#include "timing/issue.h"

namespace warpshop::timing {

bool is_copy_target(const emulator::AccessSite& site) {
  return site.kind == emulator::AccessKind::kStore && site.space == ptx::Space::kShared &&
         site.text.find("cp.async") != std::string::npos;
}

bool is_copy_object(const emulator::AccessSite& site) {
  return site.kind == emulator::AccessKind::kAtomic &&
         site.text.find("cp.async.bulk") != std::string::npos;
}

BarrierRole barrier_role(const emulator::AccessSite& site) {
  const auto says = [&](const char* what) { return site.text.find(what) != std::string::npos; };
  if (says("cp.async.bulk"))
    return site.kind == emulator::AccessKind::kLoad ? BarrierRole::kCopies : BarrierRole::kNone;
  if (!says("mbarrier") || site.kind != emulator::AccessKind::kAtomic) return BarrierRole::kNone;
  return says("test_wait") || says("try_wait") ? BarrierRole::kTests : BarrierRole::kArrives;
}

IssuePlan plan_of(const emulator::AccessSite& site) {
  IssuePlan plan;
  if (site.dropped || site.leader >= 0) return plan;
  plan.width[0] =
      site.issued_bytes != 0 ? static_cast<uint32_t>(site.issued_bytes) : site.width_bytes();
  plan.offset[0] = site.issued_offset;
  plan.count = 1;
  if (site.second_bytes != 0) {
    plan.width[1] = static_cast<uint32_t>(site.second_bytes);
    plan.offset[1] = site.second_offset;
    plan.count = 2;
  }
  plan.elected = site.elected;
  plan.shared_access = shared_access_of(site);
  return plan;
}

}  // namespace warpshop::timing
