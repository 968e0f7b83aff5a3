#include "shadows/global_shadow.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <thread>

#include "shadows/hazard_room.h"

namespace warpshop::emulator {
namespace {

constexpr int kLineGranules = 32;
constexpr uint32_t kMixed = 0xffffffffu;          // tag of a shared line: see its granules
constexpr uint32_t kLocked = 0xfffffffeu;         // tag of one whose granules a thread changes
constexpr uint32_t kSeveralBlocks = 0xfffffffcu;  // a granule's tag: read by more than one block
constexpr auto kRelaxed = std::memory_order_relaxed;
// Who sees a writer's record also sees that its store is in flight: state/stores_in_flight.h.
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

constexpr uint32_t kAtomicAccess = 1;  // flags of a tag: by atomics or strong accesses,
constexpr uint32_t kPlainAccess = 2;   // by plain ones, or by both
constexpr uint32_t kAccessKinds = kAtomicAccess | kPlainAccess;

uint32_t tag_of(uint64_t block) { return static_cast<uint32_t>((block + 1) % 0x3ffffff0u) << 2; }
uint64_t block_of(uint32_t tag) { return (tag >> 2) - 1; }
uint32_t tag_of(const GlobalTouch& touch) {
  return tag_of(touch.block) | (touch.atomic ? kAtomicAccess : kPlainAccess);
}
bool same_block(uint32_t a, uint32_t b) { return (a | kAccessKinds) == (b | kAccessKinds); }

bool is_shared(uint32_t tag) { return tag == kMixed || tag == kLocked; }

// What the thread stored before is visible to all that it loads after. ThreadSanitizer knows no
// fences.
void full_fence() {
#ifdef __SANITIZE_THREAD__
  static std::atomic<int> meeting_point{0};
  meeting_point.fetch_add(1);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

template <typename T>
std::unique_ptr<T[], decltype(&std::free)> zeroed(uint64_t count) {
  const bool fits = count <= SIZE_MAX / sizeof(T);
  return {fits ? static_cast<T*>(std::calloc(static_cast<size_t>(count), sizeof(T))) : nullptr,
          &std::free};
}

}  // namespace

void GlobalShadow::Owners::allocate(uint64_t line_count) {
  lines = zeroed<Line>(line_count);
  granules = zeroed<uint32_t>(line_count * kLineGranules);
}

inline bool GlobalShadow::Owners::add(uint64_t n, uint32_t me, uint32_t granules_touched,
                                      bool* fresh) const {
  uint32_t owner = tag(n).load(kRelaxed);
  if (owner == 0 && tag(n).compare_exchange_strong(owner, me, kRelease)) owner = me;
  if (owner != me) return false;
  const uint32_t before = bits(n).load(kRelaxed);
  if ((granules_touched & ~before) != 0) {
    bits(n).store(before | granules_touched, kRelease);
    if (fresh != nullptr) *fresh = true;
  }
  return true;
}

uint32_t GlobalShadow::Owners::tag_of_unlocked(uint64_t n) const {
  for (;;) {
    const uint32_t owner = tag(n).load(kAcquire);
    if (owner != kLocked) return owner;
    std::this_thread::yield();
  }
}

void GlobalShadow::Owners::lock_shared(uint64_t n) const {
  uint32_t owner = tag_of_unlocked(n);
  while (several_threads && !tag(n).compare_exchange_weak(owner, kLocked))
    owner = tag_of_unlocked(n);
  if (owner == kMixed) return;
  for (uint32_t rest = bits(n).load(); rest != 0; rest &= rest - 1) {
    granule(n * kLineGranules + static_cast<uint64_t>(std::countr_zero(rest)))
        .store(owner, kRelaxed);
  }
}

void GlobalShadow::Owners::unlock_shared(uint64_t n) const { tag(n).store(kMixed, kRelease); }

void GlobalShadow::Owners::settle() const {
  if (several_threads) full_fence();
}

uint32_t GlobalShadow::Owners::owner_of(uint64_t n, uint32_t bit) const {
  const uint32_t owner = tag_of_unlocked(n);
  if (owner == kMixed) return granule(n * kLineGranules + bit).load(kRelaxed);
  return ((bits(n).load(kRelaxed) >> bit) & 1u) != 0 ? owner : 0;
}

uint32_t GlobalShadow::Owners::touched(uint64_t n) const {
  uint32_t all = bits(n).load(kRelaxed);
  if (tag_of_unlocked(n) != kMixed) return all;
  for (uint32_t bit = 0; bit < kLineGranules; ++bit) {
    if (granule(n * kLineGranules + bit).load(kRelaxed) != 0) all |= 1u << bit;
  }
  return all;
}

GlobalShadow::GlobalShadow(uint64_t size_bytes, uint32_t granule_bytes, bool reads)
    : size_bytes_(size_bytes), shift_(granule_bytes == 1 ? 0 : 2) {
  const uint64_t lines = (size_bytes >> shift_) / kLineGranules + 2;
  writers_.allocate(lines);
  if (reads) readers_.allocate(lines);
}

// Calls visit(line, bits) for the lines of an access; neighbouring lanes in one line are combined.
template <typename Visit>
void GlobalShadow::for_each_line(const GlobalTouch& touch, Visit visit) const {
  const int granule_bytes = 1 << shift_;
  const int granules = std::max(1, touch.bytes >> shift_);
  if (touch.contiguous && touch.bytes >= granule_bytes) {
    uint64_t at = (touch.address[0] - touch.base) >> shift_;
    for (int left = 32 * granules; left > 0;) {
      const int from = static_cast<int>(at % kLineGranules);
      const int count = std::min(kLineGranules - from, left);
      const uint32_t bits = count == kLineGranules ? ~0u : ((1u << count) - 1) << from;
      visit(at / kLineGranules, bits);
      at += static_cast<uint64_t>(count);
      left -= count;
    }
    return;
  }
  // An aligned access is inside one line, which the widest, 32 bytes, may fill.
  const uint32_t unit = granules == kLineGranules ? ~0u : (1u << granules) - 1;
  uint64_t line = ~uint64_t{0};
  uint32_t bits = 0;
  for (uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const uint64_t at = (touch.address[std::countr_zero(rest)] - touch.base) >> shift_;
    if (at / kLineGranules != line) {
      if (bits != 0) visit(line, bits);
      line = at / kLineGranules;
      bits = 0;
    }
    bits |= unit << (at % kLineGranules);
  }
  if (bits != 0) visit(line, bits);
}

// The lane whose access contains a granule.
int GlobalShadow::lane_at(const GlobalTouch& touch, uint64_t granule) const {
  const auto granules = static_cast<uint64_t>(std::max(1, touch.bytes >> shift_));
  for (uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t first = (touch.address[lane] - touch.base) >> shift_;
    if (granule - first < granules) return lane;
  }
  return std::countr_zero(touch.mask);
}

void GlobalShadow::add_writer_hazards(const GlobalTouch& touch, uint32_t me, uint64_t line,
                                      uint32_t bits, std::vector<BlockHazard>& hazards) const {
  for (uint32_t rest = bits; rest != 0 && has_room_for(hazards, kMostGlobalHazards);
       rest &= rest - 1) {
    const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t granule = line * kLineGranules + bit;
    const uint32_t writer = writers_.owner_of(line, bit);
    if (writer == 0 || same_block(writer, me)) continue;
    const bool atomic = (writer & kPlainAccess) == 0;
    if (atomic && touch.atomic) continue;
    // Reads beside atomics may be intended: reserve half of the space for other hazards.
    if (atomic && !has_room_for(hazards, kMostGlobalHazards / 2)) continue;
    hazards.push_back({.lane = lane_at(touch, granule),
                       .offset = granule << shift_,
                       .other_block = block_of(writer),
                       .other_wrote = true,
                       .other_atomic = atomic});
  }
}

void GlobalShadow::read_mixed(uint32_t me, uint64_t line, uint32_t bits) {
  readers_.lock_shared(line);
  for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
    auto reader =
        readers_.granule(line * kLineGranules + static_cast<uint64_t>(std::countr_zero(rest)));
    const uint32_t before = reader.load(kRelaxed);
    const bool alone = before == 0 || same_block(before, me);
    const uint32_t now = before | me | (alone ? 0 : kSeveralBlocks);
    if (now != before) reader.store(now, kRelaxed);
  }
  readers_.unlock_shared(line);
}

// Records what the block owns of an access, so that no other thread overlooks it from now on.
void GlobalShadow::record(const Owners& owners, const GlobalTouch& touch, uint32_t me) const {
  if (!owners.several_threads) return;
  bool fresh = false;
  for_each_line(touch, [&](uint64_t line, uint32_t bits) { owners.add(line, me, bits, &fresh); });
  if (fresh) owners.settle();
}

void GlobalShadow::on_read(const GlobalTouch& touch, std::vector<BlockHazard>& hazards) {
  if (!writers_ || !readers_) return;
  const uint32_t me = tag_of(touch);
  record(readers_, touch, me);
  for_each_line(touch, [&](uint64_t line, uint32_t bits) {
    if (!readers_.add(line, me, bits)) {
      read_mixed(me, line, bits);
      readers_.settle();
    }
    const uint32_t writer = writers_.tag(line).load(kRelaxed);
    const bool conflict = is_shared(writer) || (!same_block(writer, me) &&
                                                (writers_.bits(line).load(kRelaxed) & bits) != 0);
    if (conflict) add_writer_hazards(touch, me, line, bits, hazards);
  });
}

void GlobalShadow::add_reader_hazards(const GlobalTouch& touch, uint32_t me, uint64_t line,
                                      uint32_t bits, std::vector<BlockHazard>& hazards) const {
  const size_t room = touch.atomic ? kMostGlobalHazards / 2 : kMostGlobalHazards;
  for (uint32_t rest = bits; rest != 0 && has_room_for(hazards, room); rest &= rest - 1) {
    const auto bit = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t granule = line * kLineGranules + bit;
    const uint32_t reader = readers_.owner_of(line, bit);
    if (reader == 0 || same_block(reader, me)) continue;
    if (touch.atomic && (reader & kPlainAccess) == 0) continue;
    const bool several = same_block(reader, kSeveralBlocks);
    hazards.push_back({.lane = lane_at(touch, granule),
                       .offset = granule << shift_,
                       .other_block = several ? 0 : block_of(reader),
                       .several = several,
                       .other_strong = (reader & kPlainAccess) == 0});
  }
}

void GlobalShadow::write_mixed(const GlobalTouch& touch, uint32_t me, uint64_t line, uint32_t bits,
                               std::vector<BlockHazard>& hazards) {
  writers_.lock_shared(line);
  for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
    const uint64_t granule = line * kLineGranules + static_cast<uint64_t>(std::countr_zero(rest));
    auto writer = writers_.granule(granule);
    const uint32_t before = writer.load(kRelaxed);
    if (before != 0 && same_block(before, me)) {
      if ((before | me) != before) writer.store(before | me, kRelaxed);
      continue;
    }
    const bool needs_values = !touch.atomic && (before & kAtomicAccess) == 0;
    if (before != 0 && !(touch.atomic && (before & kPlainAccess) == 0) &&
        (needs_values || has_room_for(hazards, kMostGlobalHazards))) {
      hazards.push_back({.lane = lane_at(touch, granule),
                         .offset = granule << shift_,
                         .other_block = block_of(before),
                         .other_wrote = true,
                         .other_atomic = (before & kPlainAccess) == 0,
                         .needs_values = needs_values});
    }
    writer.store(me, kRelaxed);
  }
  writers_.unlock_shared(line);
}

// Fast path of on_write: scattered words in lines that this block owns already. False: it does not,
// or not any more.
bool GlobalShadow::write_own_words(const GlobalTouch& touch, uint32_t me) {
  const auto owns_all = [&] {
    uint32_t other = 0;
    for (int lane = 0; lane < 32; ++lane) {
      other |=
          writers_.tag((touch.address[lane] - touch.base) / (4 * kLineGranules)).load(kRelaxed) ^
          me;
    }
    return other == 0;
  };
  if (!owns_all()) return false;
  for (int lane = 0; lane < 32; ++lane) {
    const uint64_t granule = (touch.address[lane] - touch.base) / 4;
    const auto bits = writers_.bits(granule / kLineGranules);
    bits.store(bits.load(kRelaxed) | 1u << (granule % kLineGranules), kRelease);
  }
  writers_.settle();
  return !writers_.several_threads || owns_all();
}

void GlobalShadow::on_write(const GlobalTouch& touch, std::vector<BlockHazard>& hazards) {
  if (!writers_) return;
  const uint32_t me = tag_of(touch);
  const bool watch_readers = static_cast<bool>(readers_);
  if (!watch_readers && touch.mask == 0xffffffffu && !touch.contiguous && touch.bytes == 4 &&
      shift_ == 2 && write_own_words(touch, me))
    return;
  record(writers_, touch, me);
  std::vector<BlockHazard> written;  // told after those of reads
  for_each_line(touch, [&](uint64_t line, uint32_t bits) {
    const bool alone = writers_.add(line, me, bits);
    if (!watch_readers) {
      if (!alone) write_mixed(touch, me, line, bits, hazards);
      return;
    }
    if (!alone) {
      write_mixed(touch, me, line, bits, written);
      writers_.settle();
    }
    const uint32_t reader = readers_.tag(line).load(kRelaxed);
    const bool conflict = is_shared(reader) || (!same_block(reader, me) &&
                                                (readers_.bits(line).load(kRelaxed) & bits) != 0);
    if (conflict) add_reader_hazards(touch, me, line, bits, hazards);
    hazards.insert(hazards.end(), written.begin(), written.end());
    written.clear();
  });
}

bool GlobalShadow::owns(uint64_t offset, uint64_t block) const {
  return writers_.tag(offset / kLineBytes).load(kRelaxed) == (tag_of(block) | kPlainAccess);
}

void GlobalShadow::add_words(uint64_t offset, uint64_t block, uint32_t words) {
  writers_.add(offset / kLineBytes, tag_of(block) | kPlainAccess, words);
}

void GlobalShadow::settle() const { writers_.settle(); }

bool GlobalShadow::covers(const GlobalTouch& touch) const {
  if (!writers_) return false;
  bool all = true;
  for_each_line(touch, [&](uint64_t line, uint32_t bits) {
    all = all && ((bits & ~writers_.bits(line).load(kRelaxed)) == 0 ||
                  (bits & ~writers_.touched(line)) == 0);
  });
  return all;
}

bool GlobalShadow::mark_written(uint8_t* written) const {
  if (!writers_) return false;
  const uint64_t granules = (size_bytes_ + (uint64_t{1} << shift_) - 1) >> shift_;
  const uint64_t whole = granules / kLineGranules;
  const bool all = granules % kLineGranules == 0 &&
                   std::all_of(&writers_.lines[0], &writers_.lines[whole],
                               [](const Line& line) { return line.bits == ~0u; });
  if (all) return true;
  const auto mark = [&](uint64_t from, uint64_t to) {
    std::memset(written + (from << shift_), 1,
                std::min(to << shift_, size_bytes_) - (from << shift_));
  };
  bool complete = true;
  for (uint64_t first = 0; first < granules; first += kLineGranules) {
    const uint64_t last = std::min(granules, first + kLineGranules);
    const uint32_t bits = writers_.touched(first / kLineGranules);
    const auto wanted = static_cast<uint32_t>((uint64_t{1} << (last - first)) - 1);
    if ((bits & wanted) == wanted) {
      mark(first, last);
      continue;
    }
    complete = false;
    for (uint32_t rest = bits & wanted; rest != 0; rest &= rest - 1) {
      const uint64_t granule = first + static_cast<uint64_t>(std::countr_zero(rest));
      mark(granule, granule + 1);
    }
  }
  return complete;
}

}  // namespace warpshop::emulator
