#include "timing/memory_flow.h"

#include <algorithm>

namespace warpshop::timing {
namespace {

constexpr MemoryUse kCached[] = {MemoryUse::kGlobalLoad, MemoryUse::kLocalLoad,
                                 MemoryUse::kTexture};

// Applies `Do` to each pair of corresponding counts.
template <typename Do>
void each_count(MemoryFlow& flow, const MemoryFlow& other, Do apply) {
  for (size_t u = 0; u < kMemoryUses; ++u) {
    for (double UseFlow::*count :
         {&UseFlow::requests, &UseFlow::sectors, &UseFlow::hits, &UseFlow::wavefronts}) {
      apply(flow.uses[u].*count, other.uses[u].*count);
    }
  }
  for (double MemoryFlow::*count :
       {&MemoryFlow::read_bytes, &MemoryFlow::write_bytes, &MemoryFlow::atomic_bytes,
        &MemoryFlow::l2_read_sectors, &MemoryFlow::l2_read_misses, &MemoryFlow::texture_l2_lookups,
        &MemoryFlow::texture_l2_hits, &MemoryFlow::dram_read_bytes,
        &MemoryFlow::dram_write_bytes}) {
    apply(flow.*count, other.*count);
  }
}

std::optional<double> hit_rate_of(double hits, double all) {
  if (all <= 0) return std::nullopt;
  return std::clamp(hits / all, 0.0, 1.0);
}

}  // namespace

double MemoryFlow::l1_sectors() const {
  double sum = 0;
  for (const MemoryUse use : kCached) sum += (*this)[use].sectors;
  return sum;
}

double MemoryFlow::l1_hits() const {
  double sum = 0;
  for (const MemoryUse use : kCached) sum += (*this)[use].hits;
  return sum;
}

std::optional<double> MemoryFlow::l1_hit_rate() const {
  return hit_rate_of(l1_hits(), has_l1 ? l1_sectors() : 0);
}

std::optional<double> MemoryFlow::l2_hit_rate() const {
  return hit_rate_of(l2_read_sectors - l2_read_misses, has_l2 ? l2_read_sectors : 0);
}

void MemoryFlow::take_counted(const Counters& counters, const std::optional<ModelFigures>& chip) {
  const auto take = [this](MemoryUse use, uint64_t requests, double sectors) {
    UseFlow& flow = (*this)[use];
    if (flow.sectors > 0) flow.hits *= sectors / flow.sectors;
    flow.requests = static_cast<double>(requests);
    flow.sectors = sectors;
  };
  const uint64_t atomics = counters.global_reduction_requests + counters.global_atomic_requests;
  const auto bytes_or = [&](uint64_t bytes, uint64_t sectors) {
    return chip ? static_cast<double>(bytes) / 32 : static_cast<double>(sectors);
  };
  // Copies in bulk count as if warps moved as much with 16 bytes per lane.
  const auto bulk_requests = [](uint64_t sectors) { return (sectors + 15) / 16; };
  take(MemoryUse::kGlobalLoad,
       counters.global_load_requests + bulk_requests(counters.bulk_load_sectors),
       bytes_or(chip ? chip->load_bytes : 0,
                counters.global_load_sectors + counters.bulk_load_sectors));
  // The chip's figures count atomics with the stores.
  if (!chip || atomics == 0) {
    take(MemoryUse::kGlobalStore,
         counters.global_store_requests + bulk_requests(counters.bulk_store_sectors),
         bytes_or(chip ? chip->store_bytes : 0,
                  counters.global_store_sectors + counters.bulk_store_sectors));
  }
  if (!chip) {
    take(MemoryUse::kGlobalAtomic, atomics + bulk_requests(counters.bulk_reduction_sectors),
         static_cast<double>(counters.global_reduction_sectors + counters.global_atomic_sectors +
                             counters.bulk_reduction_sectors));
  }
  (*this)[MemoryUse::kSharedLoad].requests =
      static_cast<double>(counters.shared_load_instructions + counters.matrix_load_instructions);
  (*this)[MemoryUse::kSharedStore].requests =
      static_cast<double>(counters.shared_store_instructions + counters.matrix_store_instructions);
  constexpr MemoryUse kShared[] = {MemoryUse::kSharedLoad, MemoryUse::kSharedStore,
                                   MemoryUse::kSharedAtomic};
  const uint64_t by_use[] = {
      counters.shared_load_wavefronts + counters.matrix_load_wavefronts + counters.wgmma_wavefronts,
      counters.shared_store_wavefronts + counters.matrix_store_wavefronts +
          counters.async_copy_wavefronts,
      counters.shared_atomic_wavefronts};
  double played = 0;
  for (const MemoryUse use : kShared) played += (*this)[use].wavefronts;
  for (size_t i = 0; i < std::size(kShared); ++i) {
    double& wavefronts = (*this)[kShared[i]].wavefronts;
    // Of the chip the sum is known.
    wavefronts = !chip        ? static_cast<double>(by_use[i])
                 : played > 0 ? wavefronts / played * static_cast<double>(chip->shared_passes)
                              : 0;
  }
}

MemoryFlow& MemoryFlow::operator+=(const MemoryFlow& other) {
  each_count(*this, other, [](double& count, double more) { count += more; });
  has_l1 |= other.has_l1;
  has_texture_l1 |= other.has_texture_l1;
  has_texture_l2 |= other.has_texture_l2;
  has_l2 |= other.has_l2;
  return *this;
}

MemoryFlow& MemoryFlow::operator*=(double factor) {
  each_count(*this, *this, [factor](double& count, double) { count *= factor; });
  return *this;
}

}  // namespace warpshop::timing
