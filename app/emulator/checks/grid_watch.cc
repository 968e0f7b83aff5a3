#include "checks/grid_watch.h"

#include <bit>
#include <cstring>

#include "analysis/source_place.h"
#include "checks/note_finding.h"
#include "checks/race_report.h"
#include "core/dim3.h"
#include "shadows/order_role.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// The lanes of a store that change memory.
uint32_t changing_lanes(const Warp& warp, const Region& region, const GlobalTouch& touch,
                        const StoreValues* values) {
  if (values == nullptr) return touch.mask;
  uint32_t lanes = 0;
  for (uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (changes_memory(warp, region, lane, *values, touch.bytes)) lanes |= 1u << lane;
  }
  return lanes;
}

void note_hazard(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch,
                 AccessIntent intent, const GridHazard& hazard) {
  const Launch& launch = *warp.worker->launch;
  // A strong load of what others store plainly is often a flag that is looked at now and then.
  // After another flag it needs no fence to see what was stored before that.
  const bool late = hazard.missing == GridHazard::Missing::kFenceAfter;
  if (touch.atomic && late) return;
  const Severity severity = late           ? Severity::kNote
                            : touch.atomic ? Severity::kWarning
                                           : Severity::kError;
  Finding* f = note_finding(warp, op, FindingKind::kRace, ptx::Space::kGlobal, verb(intent),
                            hazard.lane, 1, severity);
  if (f == nullptr) return;
  f->address = hazard.address;
  f->size_bytes = static_cast<uint32_t>(touch.bytes);
  f->allocation = region.name;
  f->other_access = hazard.other_wrote ? "write" : "read";
  const std::vector<AccessSite>& sites = launch.program->sites;
  const size_t site = std::min<size_t>(hazard.other_site, sites.size() - 1);
  f->other_place = source_place(*launch.program->module, sites[site].source);
  describe_grid_race(*f, hazard.missing, index_in(launch.grid, hazard.other_block));
}

}  // namespace

bool changes_memory(const Warp& warp, const Region& region, int lane, const StoreValues& values,
                    int bytes) {
  uint8_t mine[kMostAccessBytes];
  values.lane(lane, mine);
  const uint64_t offset = warp.worker->access.address[static_cast<size_t>(lane)] - region.base;
  return std::memcmp(mine, region.data + offset, static_cast<size_t>(bytes)) != 0;
}

void watch_grid(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch,
                AccessIntent intent, const StoreValues* values) {
  EmulationThread& worker = *warp.worker;
  if (intent == AccessIntent::kAtomic) return;  // see after_ordered_access
  GridShadow& shadow = *worker.launch->grid_shadow;
  const GridWarp who{.block = worker.block.linear, .warp = warp.index, .site = op->site};
  const uint32_t roles = worker.launch->program->order_roles[op->site];
  if ((roles & kWeak) != 0) {
    for (uint32_t rest = touch.mask; rest != 0; rest &= rest - 1)
      shadow.order_by(who, touch.address[std::countr_zero(rest)], roles);
    return;
  }
  std::vector<GridHazard> hazards;
  if (intent == AccessIntent::kRead) {
    if ((roles & (kPolls | kLocks)) != 0) return;  // waits for what others do
    shadow.on_read(who, touch, hazards);
  } else {
    GlobalTouch changes = touch;
    changes.mask = changing_lanes(warp, region, touch, values);
    if (changes.mask != 0) shadow.on_write(who, changes, hazards);
  }
  for (const GridHazard& hazard : hazards) note_hazard(warp, op, region, touch, intent, hazard);
}

}  // namespace warpshop::emulator
