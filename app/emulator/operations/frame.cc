#include "operations/frame.h"

#include <algorithm>

#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {

namespace {

void fill(Warp& warp, const std::vector<ConstantSlot>& slots) {
  for (const ConstantSlot& slot : slots) {
    uint8_t* to = warp.frame + slot.offset;
    switch (slot.width_bytes) {
      case 0:
        *reinterpret_cast<uint32_t*>(to) = slot.bits != 0 ? 0xffffffffu : 0;
        break;
      case 2:
        std::fill_n(reinterpret_cast<uint16_t*>(to), kWarpSize, static_cast<uint16_t>(slot.bits));
        break;
      case 4:
        std::fill_n(reinterpret_cast<uint32_t*>(to), kWarpSize, static_cast<uint32_t>(slot.bits));
        break;
      default:
        std::fill_n(reinterpret_cast<uint64_t*>(to), kWarpSize, slot.bits);
        break;
    }
  }
}

template <typename T>
void broadcast(uint8_t* to, uint64_t value) {
  std::fill_n(reinterpret_cast<T*>(to), kWarpSize, static_cast<T>(value));
}

// Special registers may be read as 16-, 32- or 64-bit ones (PTX ISA §10: old code reads %tid as
// u16).
void put_special(uint8_t* to, int width_bytes, const uint32_t* value) {
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if (width_bytes == 2)
      reinterpret_cast<uint16_t*>(to)[lane] = static_cast<uint16_t>(value[lane]);
    if (width_bytes == 4) reinterpret_cast<uint32_t*>(to)[lane] = value[lane];
    if (width_bytes == 8) reinterpret_cast<uint64_t*>(to)[lane] = value[lane];
  }
}

// PTX ISA §10 "%clusterid" to "%cluster_nctarank": a block without a cluster is one of its own.
uint64_t cluster_special(const Launch& launch, const Block& block, Special special) {
  const Dim3& size = launch.cluster;
  const Dim3& grid = launch.grid;
  const Dim3& at = block.index;
  switch (special) {
    case Special::kClusteridX:
      return at.x / size.x;
    case Special::kClusteridY:
      return at.y / size.y;
    case Special::kClusteridZ:
      return at.z / size.z;
    case Special::kNclusteridX:
      return grid.x / size.x;
    case Special::kNclusteridY:
      return grid.y / size.y;
    case Special::kNclusteridZ:
      return grid.z / size.z;
    case Special::kClusterCtaidX:
      return at.x % size.x;
    case Special::kClusterCtaidY:
      return at.y % size.y;
    case Special::kClusterCtaidZ:
      return at.z % size.z;
    case Special::kClusterNctaidX:
      return size.x;
    case Special::kClusterNctaidY:
      return size.y;
    case Special::kClusterNctaidZ:
      return size.z;
    case Special::kClusterCtarank:
      return launch.rank_of(at);
    case Special::kClusterNctarank:
      return size.count();
    default:
      return launch.explicit_cluster ? 1 : 0;
  }
}

}  // namespace

void fill_constants(Warp& warp, const DecodedFunction& function) { fill(warp, function.constants); }

void clear_unset(Warp& warp, const DecodedFunction& function) { fill(warp, function.unset); }

void fill_specials(Warp& warp, const DecodedFunction& function) {
  const Launch& launch = *warp.worker->launch;
  const Block& block = *warp.block;
  const uint8_t* tid = warp.worker->tid.data() + size_t{384} * warp.index;
  for (const SpecialSlot& slot : function.specials) {
    uint8_t* to = warp.frame + slot.offset;
    uint64_t value = 0;
    bool per_lane = false;
    uint32_t lanes[kWarpSize];
    switch (slot.special) {
      case Special::kTidX:
      case Special::kTidY:
      case Special::kTidZ:
        put_special(
            to, slot.width_bytes,
            reinterpret_cast<const uint32_t*>(
                tid + 128 * (static_cast<int>(slot.special) - static_cast<int>(Special::kTidX))));
        continue;
      case Special::kNtidX:
        value = launch.config->block.x;
        break;
      case Special::kNtidY:
        value = launch.config->block.y;
        break;
      case Special::kNtidZ:
        value = launch.config->block.z;
        break;
      case Special::kCtaidX:
        value = block.index.x;
        break;
      case Special::kCtaidY:
        value = block.index.y;
        break;
      case Special::kCtaidZ:
        value = block.index.z;
        break;
      case Special::kNctaidX:
        value = launch.grid.x;
        break;
      case Special::kNctaidY:
        value = launch.grid.y;
        break;
      case Special::kNctaidZ:
        value = launch.grid.z;
        break;
      case Special::kWarpid:
        value = warp.index;
        break;
      case Special::kNwarpid:
        value = launch.warps_per_block;
        break;
      // Blocks are distributed round-robin, as on an idle chip with one SM per block in flight.
      case Special::kSmid:
        value = block.linear % 132;
        break;
      case Special::kNsmid:
        value = 132;
        break;
      case Special::kGridid:
        value = 1;
        break;
      case Special::kDynamicSharedSize:
        value = launch.config->dynamic_shared_bytes;
        break;
      case Special::kTotalSharedSize:
        value = launch.shared_bytes;
        break;
      case Special::kReservedBegin:
        value = kReservedShared;
        break;
      case Special::kReservedEnd:
        value = kReservedShared + kReservedSharedBytes;
        break;
      case Special::kReservedCap:
        value = kReservedSharedCap;
        break;
      case Special::kGridWorkspaceHigh:
        value = launch.config->cooperative ? kGridWorkspace >> 32 : 0;
        break;
      case Special::kGridWorkspaceLow:
        value = launch.config->cooperative ? kGridWorkspace & 0xffffffffu : 0;
        break;
      case Special::kClusteridX:
      case Special::kNclusteridX:
      case Special::kClusteridY:
      case Special::kNclusteridY:
      case Special::kClusteridZ:
      case Special::kNclusteridZ:
      case Special::kClusterCtaidX:
      case Special::kClusterCtaidY:
      case Special::kClusterCtaidZ:
      case Special::kClusterNctaidX:
      case Special::kClusterNctaidY:
      case Special::kClusterNctaidZ:
      case Special::kClusterCtarank:
      case Special::kClusterNctarank:
      case Special::kIsExplicitCluster:
        value = cluster_special(launch, block, slot.special);
        break;
      case Special::kLaneid:
      case Special::kLanemaskEq:
      case Special::kLanemaskLe:
      case Special::kLanemaskLt:
      case Special::kLanemaskGe:
      case Special::kLanemaskGt:
        per_lane = true;
        for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
          const uint32_t bit = 1u << lane;
          lanes[lane] = slot.special == Special::kLaneid       ? lane
                        : slot.special == Special::kLanemaskEq ? bit
                        : slot.special == Special::kLanemaskLt ? bit - 1
                        : slot.special == Special::kLanemaskLe ? bit | (bit - 1)
                        : slot.special == Special::kLanemaskGe ? ~(bit - 1)
                                                               : ~(bit | (bit - 1));
        }
        break;
      default:
        break;
    }
    if (per_lane) {
      put_special(to, slot.width_bytes, lanes);
    } else if (slot.width_bytes == 0) {
      *reinterpret_cast<uint32_t*>(to) = value != 0 ? 0xffffffffu : 0;
    } else if (slot.width_bytes == 2) {
      broadcast<uint16_t>(to, value);
    } else if (slot.width_bytes == 8) {
      broadcast<uint64_t>(to, value);
    } else {
      broadcast<uint32_t>(to, value);
    }
  }
}

void enter_frame(Warp& warp, uint16_t index) {
  const CallFrame& frame = warp.frames[index];
  warp.frame_index = index;
  warp.function = frame.function;
  warp.frame = warp.registers.data() + frame.register_base;
  warp.param_base = frame.param_base;
  warp.local_base = frame.local_base;
}

void drop_frames(Warp& warp) {
  const auto in_last = [&](const Path& path) { return path.frame + 1u == warp.frames.size(); };
  while (warp.frames.size() > 1 && std::none_of(warp.paths.begin(), warp.paths.end(), in_last))
    warp.frames.pop_back();
}

}  // namespace warpshop::emulator
