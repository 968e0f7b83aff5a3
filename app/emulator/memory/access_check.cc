#include "memory/access_check.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "checks/words.h"
#include "memory/address_math.h"
#include "memory/column_stores.h"
#include "run/launch_state.h"
#include "memory/memory_ops.h"
#include "checks/race_watch.h"

namespace warpshop::emulator {
namespace {

ptx::Space written_space(const MicroOp* op) { return static_cast<ptx::Space>((op->flags >> kSpaceShift) & 0xffu); }

// Gives the addresses of the running lanes; true when they are known to lie to each other as in `pattern`.
bool compute_addresses(Warp& warp, const MicroOp* op, const AddressPattern& pattern, uint64_t* address) {
  if (warp.full && op->a != kNoRegister && (op->flags & kLocalFrame) == 0) {
    return (op->flags & kBase32)
               ? place_32(address, warp.reg<uint32_t>(op->a), static_cast<uint32_t>(op->imm), pattern)
               : place_64(address, warp.reg<uint64_t>(op->a), op->imm, pattern);
  }
  if (op->a == kNoRegister) {
    std::fill_n(address, kWarpSize, op->imm);
  } else if (op->flags & kBase32) {
    add_offset_32(address, warp.reg<uint32_t>(op->a), static_cast<uint32_t>(op->imm));
  } else {
    add_offset_64(address, warp.reg<uint64_t>(op->a), op->imm);
  }
  if (op->flags & kLocalFrame) {
    for (int lane = 0; lane < kWarpSize; ++lane) address[lane] += warp.local_base;
  }
  return false;
}

// The part of shared memory that a site may reach: an address made from one array may reach that array only.
Region shared_region(Worker& worker, const DecodedProgram::SiteHome& home) {
  const Launch& launch = *worker.launch;
  const uint32_t end = home.size_bytes == 0 ? launch.shared_bytes : home.offset + home.size_bytes;
  if (home.one_array && home.offset <= end) {
    return {.base = home.offset,
            .size_bytes = end - home.offset,
            .data = worker.block.shared.data() + home.offset,
            .name = home.name.c_str()};
  }
  return {.base = 0, .size_bytes = launch.shared_bytes, .data = worker.block.shared.data(), .name = "shared memory"};
}

// The region of a space; for local memory the region is that of lane 0 and only its bounds count.
Region region_of_space(Warp& warp, const MicroOp* op, ptx::Space space) {
  Worker& worker = *warp.worker;
  Launch& launch = *worker.launch;
  switch (space) {
    case ptx::Space::kShared: return worker.shared_of_site[op->site];
    case ptx::Space::kConst:
      if (const DecodedProgram::SiteHome& home = launch.program->homes[op->site]; home.constant) {
        return {.base = home.offset,
                .size_bytes = home.size_bytes,
                .data = const_cast<uint8_t*>(launch.program->const_image.data()) + home.offset,
                .name = home.name.c_str()};
      }
      return {.base = 0,
              .size_bytes = launch.program->const_image.size(),
              .data = const_cast<uint8_t*>(launch.program->const_image.data()),
              .name = "constant memory"};
    case ptx::Space::kParam:
      return {.base = 0, .size_bytes = launch.params.size(), .data = launch.params.data(), .name = "parameters"};
    case ptx::Space::kLocal:
      return {.base = 0, .size_bytes = launch.local_stride, .data = warp.local.data(), .name = "local memory"};
    default: return {};
  }
}

// Where a lane's local memory starts in the warp's.
size_t local_of_lane(const Warp& warp, int lane) {
  return size_t{warp.worker->launch->local_stride} * static_cast<size_t>(lane);
}

bool read_only(ptx::Space space) { return space == ptx::Space::kConst || space == ptx::Space::kParam; }

Sentence access_at(std::string_view access, int bytes, uint64_t address, Sentence wrong) {
  return sentence("{access} of {bytes} bytes at {address}: {wrong}",
                  {{"access", access_words(access)}, {"bytes", bytes}, {"address", hex_text(address)}, {"wrong", std::move(wrong)}});
}

// What regions are called that are no buffer of the launch.
Sentence region_words(const std::string& name) {
  if (name == "shared memory") return sentence("shared memory");
  if (name == "local memory") return sentence("local memory");
  if (name == "constant memory") return sentence("constant memory");
  if (name == "parameters") return sentence("parameters");
  return name;
}

// An address in or behind a block of malloc. True: all is said.
bool note_heap_access(Warp& warp, Finding& f, std::string_view access, uint64_t address, int bytes) {
  const Launch& launch = *warp.worker->launch;
  Heap::Block block;
  if (!launch.heap || !is_heap_address(address) || !launch.heap->describe(address, block)) return false;
  f.allocation = block.name;
  f.other_place = block.is_free ? block.freed.place : block.allocated.place;
  f.other_who = block.is_free ? block.freed.who : block.allocated.who;
  const uint64_t offset = address - block.region.base;
  f.distance_bytes = static_cast<int64_t>(offset + static_cast<uint64_t>(bytes)) - static_cast<int64_t>(block.size_bytes);
  if (block.is_free) {
    const int line = block.freed.place.line;
    f.message = access_at(access, bytes, address,
                          line > 0 ? sentence("free at line {line} has given this memory back", {{"line", line}})
                                   : sentence("free has given this memory back"));
    f.cause = sentence("a pointer that is kept after free, or that another thread has freed: free it when nobody needs it any more");
    return true;
  }
  const int line = block.allocated.place.line;
  f.message = access_at(access, bytes, address,
                        line > 0 ? sentence("it ends {past} bytes past the {all} bytes that malloc at line {line} gave",
                                            {{"past", f.distance_bytes}, {"all", block.size_bytes}, {"line", line}})
                                 : sentence("it ends {past} bytes past the {all} bytes that malloc gave",
                                            {{"past", f.distance_bytes}, {"all", block.size_bytes}}));
  f.cause = sentence("an index that is too large, or a malloc that counts elements and not bytes");
  return true;
}

Sentence negative_index() { return sentence("a negative index: check what is subtracted from the index"); }

// A generic pointer that has left the beginning of a window by a negative index points to the end of the one below:
// what is meant is the window. True: said.
bool note_below_window(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent, int lane, uint64_t address, int bytes) {
  constexpr uint64_t kNear = 1 << 20;
  if (written_space(op) != ptx::Space::kGeneric) return false;
  const uint64_t generic = window_of(space) | address;
  const uint64_t window = (generic + kNear) & kWindowMask;
  if (window == (generic & kWindowMask)) return false;
  const ptx::Space meant = space_of_window(window);
  if (meant == ptx::Space::kGlobal) return false;
  Finding* f = note_finding(warp, op, FindingKind::kOutOfBounds, meant, verb(intent), lane);
  if (f == nullptr) return true;
  f->address = generic;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->allocation = region_of_space(warp, op, meant).name;
  f->distance_bytes = static_cast<int64_t>(generic - window);
  f->message = sentence("{access} of {bytes} bytes, {before} bytes before the start of \"{name}\"",
                        {{"access", access_words(verb(intent))},
                         {"bytes", bytes},
                         {"before", window - generic},
                         {"name", region_words(f->allocation)}});
  f->cause = negative_index();
  return true;
}

void note_out_of_bounds(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent, int lane,
                        uint64_t address, int bytes) {
  if (note_below_window(warp, op, space, intent, lane, address, bytes)) return;
  Finding* f = note_finding(warp, op, FindingKind::kOutOfBounds, space, verb(intent), lane);
  if (f == nullptr) return;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  Region region = region_of_space(warp, op, space);
  if (space == ptx::Space::kGlobal) {
    if (const Region* nearest = warp.worker->launch->nearest(address)) region = *nearest;
    if (note_heap_access(warp, *f, verb(intent), address, bytes)) return;
  }
  f->allocation = region.name == nullptr ? "" : region.name;
  const uint64_t end = region.base + region.size_bytes;
  // In its window an address is what lies between the window's begin and itself: a negative index makes it negative, in
  // 64 bits or in 32.
  const bool in_window = space != ptx::Space::kGlobal;
  const uint64_t place = in_window && (address >> 31) == 1 ? address | ~uint64_t{0xffffffffu} : address;
  const bool before = in_window ? static_cast<int64_t>(place - region.base) < 0 : address < region.base;
  f->distance_bytes = before ? static_cast<int64_t>(place - region.base)
                             : static_cast<int64_t>(place + static_cast<uint64_t>(bytes) - end);
  if (space == ptx::Space::kGlobal && (address >> 12) == 0) {
    f->message = access_at(verb(intent), bytes, address, sentence("a null pointer"));
    f->allocation.clear();
    f->distance_bytes = 0;
    f->cause = sentence("a pointer argument that was never set, or an index added to a null pointer");
    return;
  }
  if (intent != AccessIntent::kRead && read_only(space) && address - region.base <= region.size_bytes) {
    f->message = access_at(verb(intent), bytes, address,
                           space == ptx::Space::kConst ? sentence("constant memory cannot be written by a kernel")
                                                       : sentence("parameters cannot be written by a kernel"));
    f->cause = sentence("a pointer to constant memory or to a parameter used as an output");
    return;
  }
  const uint64_t past = before ? region.base - place : place - end;
  const std::vector<SentencePart> parts = {
      {"past", past}, {"name", region_words(f->allocation)}, {"size", region.size_bytes}};
  f->message = access_at(
      verb(intent), bytes, address,
      f->allocation.empty() ? (before ? sentence("{past} bytes before the start of any allocation ({size} bytes)", parts)
                                      : sentence("{past} bytes past the end of any allocation ({size} bytes)", parts))
      : before              ? sentence("{past} bytes before the start of \"{name}\" ({size} bytes)", parts)
                            : sentence("{past} bytes past the end of \"{name}\" ({size} bytes)", parts));
  f->cause = before ? negative_index()
                    : sentence("an index that is too large: is a guard such as if (i < n) missing, or is it i <= n?");
}

void note_misaligned(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent, int lane, uint64_t address,
                     int bytes) {
  Finding* f = note_finding(warp, op, FindingKind::kMisaligned, space, verb(intent), lane);
  if (f == nullptr) return;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->message = sentence("{access} of {bytes} bytes at {address}, which is not a multiple of {bytes}",
                        {{"access", access_words(verb(intent))}, {"bytes", bytes}, {"address", hex_text(address)}});
  f->cause = sentence("a pointer cast to a wider type: float4 accesses need addresses that are multiples of 16 bytes");
}

void note_uninitialised(Warp& warp, const MicroOp* op, ptx::Space space, int lane, uint64_t address, int bytes,
                        const char* name) {
  Finding* f = note_finding(warp, op, FindingKind::kUninitialised, space, "read", lane);
  if (f == nullptr) return;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->allocation = name;
  f->message = sentence("read of {bytes} bytes of \"{name}\" at {address} that nothing has written",
                        {{"bytes", bytes}, {"name", region_words(name)}, {"address", hex_text(address)}});
  f->cause = space == ptx::Space::kShared  ? sentence("a part of the tile that no thread fills before it is read")
             : space == ptx::Space::kLocal ? sentence("an array inside the kernel of which this element was never set")
                                           : sentence("an output buffer used as an input, or an element that no thread writes");
}

// Has this launch written those bytes that nothing had written before?
bool written_in_this_launch(const Region& region, uint64_t address, int bytes) {
  if (region.shadow == nullptr) return false;
  for (int b = 0; b < bytes; ++b) {
    const uint64_t at = address + static_cast<uint64_t>(b);
    if (region.written[at - region.base] != 0) continue;
    if (!region.shadow->covers({.address = &at, .base = region.base, .mask = 1, .bytes = 1})) return false;
  }
  return true;
}

// The slow way: lane by lane, each against its own region. Gives the lanes that may go on.
uint32_t check_lanes(Warp& warp, const MicroOp* op, int bytes, AccessIntent intent, uint32_t lanes) {
  Worker& worker = *warp.worker;
  uint32_t good = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    const ptx::Space space = worker.lane_space[static_cast<size_t>(lane)];
    if ((address & static_cast<uint64_t>(bytes - 1)) != 0) {
      note_misaligned(warp, op, space, intent, lane, address, bytes);
      continue;
    }
    Region region;
    if (space == ptx::Space::kGlobal) {
      if (const Region* found = worker.launch->find(address, static_cast<uint64_t>(bytes))) region = *found;
    } else {
      region = region_of_space(warp, op, space);
      const uint64_t offset = address - region.base;
      if (offset > region.size_bytes || region.size_bytes - offset < static_cast<uint64_t>(bytes)) region.data = nullptr;
    }
    if (region.data == nullptr || (intent != AccessIntent::kRead && read_only(space))) {
      note_out_of_bounds(warp, op, space, intent, lane, address, bytes);
      continue;
    }
    if (space == ptx::Space::kLocal) region.written = warp.local_written.data() + local_of_lane(warp, lane);
    if (intent != AccessIntent::kWrite && region.written != nullptr) {
      const uint8_t* shadow = region.written + (address - region.base);
      // Copies of structures read their padding, too: in local memory one written byte is enough.
      const bool unwritten = space == ptx::Space::kLocal ? std::find(shadow, shadow + bytes, uint8_t{1}) == shadow + bytes
                                                         : std::find(shadow, shadow + bytes, uint8_t{0}) != shadow + bytes;
      if (unwritten && !written_in_this_launch(region, address, bytes)) {
        note_uninitialised(warp, op, space, lane, address, bytes, region.name);
      }
    }
    good |= 1u << lane;
  }
  return good;
}

constexpr uint64_t kAllOnes = 0x0101010101010101u;

// Are the bytes of all running lanes written? Contiguous accesses in one look.
bool all_written(const WarpAccess& access, const HostView& written, uint32_t lanes, int bytes, bool contiguous) {
  if (contiguous) {
    const uint8_t* shadow = written + access.address[0];
    return std::memchr(shadow, 0, static_cast<size_t>(bytes) * kWarpSize) == nullptr;
  }
  // Every shadow byte is 0 or 1: and-ing them finds a zero.
  uint64_t all = kAllOnes;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint8_t* shadow = written + access.address[static_cast<size_t>(std::countr_zero(rest))];
    uint64_t word = kAllOnes;
    std::memcpy(&word, shadow, static_cast<size_t>(std::min(bytes, 8)));
    all &= word;
    for (int b = 8; b < bytes; b += 8) {
      std::memcpy(&word, shadow + b, 8);
      all &= word;
    }
  }
  return all == kAllOnes;
}

// Shared accesses of lanes that passed the checks; `pattern`, where given, is that of their addresses.
void check_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent,
                  const StoreValues* values, const AddressPattern* pattern) {
  const uint32_t unwritten = watch_shared(warp, op, lanes, bytes, intent, values, pattern);
  if (unwritten != 0) note_unwritten_shared(warp, op, unwritten, bytes);
}

// A store to a buffer whose stores may wait, or anything else there, before which those that wait are made.
bool waits(Warp& warp, const MicroOp* op, const Region& region, AccessIntent intent, const StoreValues* values,
           CheckedAccess& checked) {
  Worker& worker = *warp.worker;
  const bool column = intent == AccessIntent::kWrite && warp.full && !checked.contiguous && values != nullptr;
  const uint32_t* words = column ? values->words() : nullptr;
  if (words == nullptr) {
    flush_columns(worker);
    return false;
  }
  if (worker.columns == nullptr) worker.columns = std::make_shared<ColumnStores>();
  checked.waits = worker.columns->take(warp, op, region, *checked.pattern, words);
  return checked.waits;
}

// Global accesses of lanes that passed the checks: what was never written, and races.
void check_global(Warp& warp, const MicroOp* op, const Region& region, int bytes, AccessIntent intent,
                  const StoreValues* values, CheckedAccess& checked) {
  Worker& worker = *warp.worker;
  const WarpAccess& access = worker.access;
  if (region.written == nullptr && region.shadow == nullptr && !region.watch_warps) return;
  if (region.stores_may_wait && waits(warp, op, region, intent, values, checked)) return;
  const GlobalTouch touch{.block = worker.block.linear,
                          .address = access.address.data(),
                          .base = region.base,
                          .mask = warp.mask,
                          .bytes = bytes,
                          .contiguous = checked.contiguous,
                          .atomic = intent == AccessIntent::kAtomic};
  if (region.written != nullptr) {
    const HostView written(region.written, region.base);
    const bool noted = region.shadow != nullptr;   // in the shadow
    if (!noted) checked.written = written;
    if (intent != AccessIntent::kWrite && !(noted && region.shadow->covers(touch)) &&
        !all_written(access, written, warp.mask, bytes, checked.contiguous)) {
      std::fill_n(worker.lane_space.begin(), kWarpSize, ptx::Space::kGlobal);
      check_lanes(warp, op, bytes, intent, warp.mask);
    }
  }
  if (region.shadow != nullptr) watch_global(warp, op, region, touch, intent, values);
  if (region.watch_warps) watch_warps(warp, op, region, touch, intent, values);
}

// Splits a generic access by where its lanes point. Gives the common space, or kGeneric for a mixture.
ptx::Space resolve_generic(Warp& warp) {
  WarpAccess& access = warp.worker->access;
  const ptx::Space first = space_of_window(access.address[static_cast<size_t>(std::countr_zero(warp.mask))]);
  bool mixed = false;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    const ptx::Space space = space_of_window(access.address[lane]);
    warp.worker->lane_space[lane] = space;
    mixed = mixed || space != first;
    if (space != ptx::Space::kGlobal) access.address[lane] &= ~kWindowMask;
  }
  return mixed ? ptx::Space::kGeneric : first;
}

void tell_sink(Warp& warp, const MicroOp* op, ptx::Space space, uint32_t lanes) {
  Worker& worker = *warp.worker;
  worker.access.space = space;
  if (worker.sink == nullptr || lanes == 0) return;
  worker.access.active_mask = lanes;
  worker.identity.warp = warp.index;
  worker.sink->on_access(worker.identity, worker.launch->program->sites[op->site], worker.access);
}

}  // namespace

void note_unwritten_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t address = warp.worker->access.address[static_cast<size_t>(lane)];
    note_uninitialised(warp, op, ptx::Space::kShared, lane, address, bytes, "shared memory");
  }
}

void find_shared_regions(Worker& worker) {
  worker.shared_of_site.clear();
  for (const DecodedProgram::SiteHome& home : worker.launch->program->homes) {
    worker.shared_of_site.push_back(shared_region(worker, home));
  }
}

ptx::Space lane_space(Warp& warp, const MicroOp*, int lane) {
  return warp.worker->lane_space[static_cast<size_t>(lane)];
}

HostPlace host_of_lane(Warp& warp, const MicroOp* op, uint64_t address, ptx::Space space, int lane, int bytes) {
  if (space == ptx::Space::kGlobal) {
    const Region* region = warp.worker->launch->find(address, static_cast<uint64_t>(bytes));
    if (region == nullptr) {   // another thread has freed it since: what it holds is nobody's
      thread_local uint8_t nowhere[64];
      return {nowhere, nullptr};
    }
    return {region->data + (address - region->base),
            region->written == nullptr ? nullptr : region->written + (address - region->base)};
  }
  if (space == ptx::Space::kLocal) {
    const size_t at = local_of_lane(warp, lane) + address;
    return {warp.local.data() + at, warp.local_written.data() + at};
  }
  const Region region = region_of_space(warp, op, space);
  const uint64_t offset = address - region.base;
  return {region.data + offset, region.written == nullptr ? nullptr : region.written + offset};
}

CheckedAccess check_access(Warp& warp, const MicroOp* op, int bytes, AccessIntent intent, const StoreValues* values) {
  Worker& worker = *warp.worker;
  Launch& launch = *worker.launch;
  WarpAccess& access = worker.access;
  access.site = op->site;
  access.active_mask = warp.mask;
  AddressPattern& pattern = worker.pattern_of_site[op->site];
  access.same_pattern = compute_addresses(warp, op, pattern, access.address.data());

  ptx::Space space = written_space(op);
  const bool was_generic = space == ptx::Space::kGeneric;
  if (was_generic) space = resolve_generic(warp);

  CheckedAccess checked;
  std::optional<Region> of_space;   // nothing is filled in for those that do not need it
  const Region* region = nullptr;
  if (space == ptx::Space::kGlobal) {
    const Region*& cached = worker.region_of_site[op->site];
    const uint64_t first = access.address[static_cast<size_t>(std::countr_zero(warp.mask))];
    if (cached == nullptr || first - cached->base >= cached->size_bytes) cached = launch.find(first, 1);
    region = cached;
  } else if (space != ptx::Space::kGeneric && space != ptx::Space::kLocal) {
    if (space == ptx::Space::kShared) {
      region = &worker.shared_of_site[op->site];
      if (region->size_bytes == 0) region = nullptr;
    } else {
      of_space = region_of_space(warp, op, space);
      if (of_space->size_bytes > 0 && (intent == AccessIntent::kRead || !read_only(space))) region = &*of_space;
    }
  }

  if (was_generic || !access.same_pattern) {
    access.same_pattern = repeats(pattern, access.address.data(), warp.mask, warp.lane_mask);
  }
  if (!access.same_pattern) describe(pattern, access.address.data(), warp.mask, static_cast<uint64_t>(bytes));
  if (region != nullptr && lies_in(*region, pattern, access.address[static_cast<size_t>(pattern.first)], bytes)) {
    checked.lanes = warp.mask;
    checked.one_region = true;
    checked.contiguous = pattern.contiguous;
    checked.pattern = &pattern;
    checked.same = warp.full && pattern.distinct_count == 1;
    checked.host = HostView(region->data, region->base);
    if (space == ptx::Space::kShared) check_shared(warp, op, warp.mask, bytes, intent, values, &pattern);
    if (space == ptx::Space::kGlobal) check_global(warp, op, *region, bytes, intent, values, checked);
    tell_sink(warp, op, space, warp.mask);
    return checked;
  }

  flush_columns(worker);
  // Some lanes are refused, or they go to several spaces: what is told of them is no pattern of the site.
  pattern.mask = 0;
  access.same_pattern = false;
  if (space != ptx::Space::kGeneric) std::fill_n(worker.lane_space.begin(), kWarpSize, space);
  checked.lanes = check_lanes(warp, op, bytes, intent, warp.mask);
  if (space != ptx::Space::kGeneric) {
    if (space == ptx::Space::kShared) check_shared(warp, op, checked.lanes, bytes, intent, values, nullptr);
    tell_sink(warp, op, space, checked.lanes);
  } else {
    for (const ptx::Space part : {ptx::Space::kGlobal, ptx::Space::kShared, ptx::Space::kLocal, ptx::Space::kConst,
                                  ptx::Space::kParam}) {
      uint32_t lanes = 0;
      for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
        if (worker.lane_space[static_cast<size_t>(std::countr_zero(rest))] == part) lanes |= rest & (0u - rest);
      }
      if (part == ptx::Space::kShared) check_shared(warp, op, lanes, bytes, intent, values, nullptr);
      tell_sink(warp, op, part, lanes);
    }
  }
  access.active_mask = warp.mask;
  return checked;
}

}  // namespace warpshop::emulator
