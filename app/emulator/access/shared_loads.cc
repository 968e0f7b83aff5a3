// Loads of one word per lane from shared memory, the most frequent instruction of tiled kernels:
// check_access and load combined in one function, for a full warp whose addresses repeat the site's
// pattern. Everything else takes the usual path, with all state unchanged.
#include "access/access_check.h"
#include "access/memory_ops.h"
#include "checks/race_watch.h"
#include "memory/pick_words.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {

#ifdef __x86_64__
namespace {

#define WARPSHOP_AVX512 __attribute__((target("avx512f")))

constexpr uint32_t kAllLanes = 0xffffffffu;
constexpr int kWordBytes = 4;

// The base addresses of lanes 8 × part to 8 × part + 7, with the offset added.
template <bool kBaseOf32Bits>
WARPSHOP_AVX512 inline __m512i addresses_of(Warp& warp, const MicroOp* op, int part) {
  if constexpr (kBaseOf32Bits) {
    const auto* base = reinterpret_cast<const __m256i*>(warp.reg<uint32_t>(op->a));
    const __m256i offset = _mm256_set1_epi32(static_cast<int>(op->imm));
    return _mm512_cvtepu32_epi64(_mm256_add_epi32(_mm256_load_si256(base + part), offset));
  } else {
    const __m512i offset = _mm512_set1_epi64(static_cast<long long>(op->imm));
    return _mm512_add_epi64(_mm512_load_si512(warp.reg<uint64_t>(op->a) + 8 * part), offset);
  }
}

// Stores the addresses. True if they repeat the pattern.
template <bool kBaseOf32Bits>
WARPSHOP_AVX512 inline bool place(Warp& warp, const MicroOp* op, const AddressPattern& pattern,
                                  uint64_t* address) {
  const __m512i at = addresses_of<kBaseOf32Bits>(warp, op, 0);
  const __m512i first = _mm512_broadcastq_epi64(_mm512_castsi512_si128(at));
  __m512i different =
      _mm512_xor_si512(_mm512_sub_epi64(at, first), _mm512_load_si512(pattern.delta));
  _mm512_storeu_si512(address, at);
  for (int part = 1; part < 4; ++part) {
    const __m512i next = addresses_of<kBaseOf32Bits>(warp, op, part);
    const __m512i delta = _mm512_load_si512(pattern.delta + 8 * part);
    different = _mm512_or_si512(different, _mm512_xor_si512(_mm512_sub_epi64(next, first), delta));
    _mm512_storeu_si512(address + 8 * part, next);
  }
  return _mm512_test_epi64_mask(different, different) == 0;
}

template <bool kBaseOf32Bits>
WARPSHOP_AVX512 const MicroOp* load_shared_word(Warp& warp, const MicroOp* op) {
  EmulationThread& worker = *warp.worker;
  const AddressPattern& pattern = worker.pattern_of_site[op->site];
  WarpAccess& access = worker.access;
  if (!warp.full || pattern.mask != kAllLanes ||
      !place<kBaseOf32Bits>(warp, op, pattern, access.address.data())) {
    return load_word(warp, op);
  }
  const uint64_t first = access.address[0];
  const Region& region = worker.shared_of_site[op->site];
  if (!lies_in(region, pattern, first, kWordBytes)) return load_word(warp, op);
  access.site = op->site;
  access.space = ptx::Space::kShared;
  access.active_mask = kAllLanes;
  access.same_pattern = true;
  const uint32_t unwritten =
      watch_shared(warp, op, kAllLanes, kWordBytes, AccessIntent::kRead, nullptr, &pattern);
  if (unwritten != 0) note_unwritten_shared(warp, op, unwritten, kWordBytes);
  if (worker.sink != nullptr) {
    worker.identity.warp = warp.index;
    worker.sink->on_access(worker.identity, worker.launch->program->sites[op->site], access);
  }
  auto* to = warp.reg<uint32_t>(op->d);
  const HostView host(region.data, region.base);
  if (pattern.near_words != 0) {
    pick_words_avx512(to, host + (first + static_cast<uint64_t>(pattern.lowest)), pattern);
  } else {
    gather_4(to, host.distance(), access.address.data());
  }
  return op + 1;
}

}  // namespace

Handler find_shared_word_load(bool base_of_32_bits) {
  if (!kHasAvx512) return nullptr;
  return base_of_32_bits ? load_shared_word<true> : load_shared_word<false>;
}
#else
Handler find_shared_word_load(bool) { return nullptr; }
#endif

}  // namespace warpshop::emulator
