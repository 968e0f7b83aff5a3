// Checks the rules for atomics, stores and wide accesses against single warps measured on an H200.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "models/atomic_loop.h"
#include "models/banks.h"
#include "models/coalescer.h"

namespace warpshop::models {
namespace {

struct Probe {
  std::string kernel;
  std::map<std::string, int> measured;
  WarpRequest request;
};

uint32_t width_of(const std::string& kernel) {
  if (kernel.ends_with("128")) return 16;
  return kernel.ends_with("64") ? 8 : 4;
}

// Rows with the kernel, counters, and each lane's byte offset (-1 for an inactive lane).
std::vector<Probe> load_probes(const std::string& file = "warp_h200.csv") {
  std::ifstream in(std::string(WARPSHOP_TESTS_DIR) + "/hardware/probes/" + file);
  std::string line;
  std::getline(in, line);
  std::vector<std::string> names;
  std::istringstream head(line);
  for (std::string cell; std::getline(head, cell, ',');) names.push_back(cell);
  std::vector<Probe> probes;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    Probe probe;
    std::getline(row, probe.kernel, ',');
    for (size_t i = 1; i + 1 < names.size(); ++i) {
      std::string cell;
      std::getline(row, cell, ',');
      probe.measured[names[i]] = std::stoi(cell);
    }
    probe.request.width_bytes = width_of(probe.kernel);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      int64_t offset = 0;
      row >> offset;
      if (offset < 0) continue;
      probe.request.active_mask |= 1U << lane;
      probe.request.address[lane] = static_cast<uint64_t>(offset);
    }
    probes.push_back(probe);
  }
  return probes;
}

// For one kind of probe: how many there are, and how many our rule predicts correctly.
struct Score {
  int probes = 0;
  int right = 0;
};

TEST(Probes, SharedAccessesTakeTheMeasuredWavefronts) {
  struct Kind {
    SharedAccess access;
    const char* column;
    int wrong;  // known misses, docs/models.md "Wide accesses"
  };
  const std::map<std::string, Kind> kinds = {
      {"lds32", {SharedAccess::kLoad, "shared_load_wavefronts", 0}},
      {"lds64", {SharedAccess::kLoad, "shared_load_wavefronts", 0}},
      // Misses: warps with inactive lanes whose 16-byte quarters
      // merge in part, 5 of 18 such probes.
      {"lds128", {SharedAccess::kLoad, "shared_load_wavefronts", 5}},
      {"sts64", {SharedAccess::kStore, "shared_store_wavefronts", 0}},
      {"sts128", {SharedAccess::kStore, "shared_store_wavefronts", 0}},
      {"sinc", {SharedAccess::kCountingAdd, "shared_atomic_wavefronts", 0}},
      {"sadd", {SharedAccess::kAtomic, "shared_atomic_wavefronts", 0}},
      {"saddr", {SharedAccess::kAtomic, "shared_atomic_wavefronts", 0}},
      {"smax", {SharedAccess::kAtomic, "shared_atomic_wavefronts", 0}},
      {"sexch", {SharedAccess::kAtomic, "shared_atomic_wavefronts", 0}},
      {"scas", {SharedAccess::kCompareAndSwap, "shared_atomic_wavefronts", 0}},
      {"scas64", {SharedAccess::kCompareAndSwap, "shared_atomic_wavefronts", 0}},
  };
  std::map<std::string, Score> scores;
  for (const Probe& probe : load_probes()) {
    const auto kind = kinds.find(probe.kernel);
    if (kind == kinds.end()) continue;
    const BankCounts counts = count_wavefronts(probe.request, kind->second.access);
    Score& score = scores[probe.kernel];
    ++score.probes;
    const bool right = counts.wavefronts == probe.measured.at(kind->second.column) &&
                       counts.wavefronts == probe.measured.at("shared_wavefronts") &&
                       counts.ideal_wavefronts == probe.measured.at("shared_wavefronts_ideal");
    score.right += right;
    if (kind->second.wrong == 0) {
      EXPECT_TRUE(right) << probe.kernel << ": " << counts.wavefronts << " for "
                         << probe.measured.at(kind->second.column);
    }
    // The rule is always exact for a full warp.
    if (probe.request.active_mask == 0xFFFFFFFFU) {
      EXPECT_TRUE(right) << probe.kernel;
    }
  }
  for (const auto& [kernel, kind] : kinds) {
    EXPECT_GE(scores[kernel].probes, 20) << kernel;
    EXPECT_EQ(scores[kernel].probes - scores[kernel].right, kind.wrong) << kernel;
  }
}

TEST(Probes, AtomicLoopsOnSharedMemoryTakeTheMeasuredRounds) {
  struct Kind {
    SharedAccess access;
    uint32_t width;
    int wrong;  // known misses: loads of 8 bytes by warps with inactive lanes
  };
  const std::map<std::string, Kind> kinds = {
      {"f32_add", {SharedAccess::kSpin, 4, 0}},
      {"f32_add_used", {SharedAccess::kSpin, 4, 0}},
      {"f16x2_add", {SharedAccess::kSpin, 4, 0}},
      {"bf16x2_add", {SharedAccess::kSpin, 4, 0}},
      {"half2_add", {SharedAccess::kSpin, 4, 0}},
      {"f16_add", {SharedAccess::kHalfwordLoop, 2, 0}},
      {"bf16_add", {SharedAccess::kHalfwordLoop, 2, 0}},
      {"half_add", {SharedAccess::kHalfwordLoop, 2, 0}},
      {"half_add_used", {SharedAccess::kHalfwordLoop, 2, 0}},
      {"f64_add", {SharedAccess::kSpin, 8, 5}},
      {"f64_add_used", {SharedAccess::kSpin, 8, 5}},
      {"u64_add", {SharedAccess::kSpin, 8, 5}},
      {"u64_xor", {SharedAccess::kSpin, 8, 5}},
      {"u64_or", {SharedAccess::kSpin, 8, 5}},
  };
  std::map<std::string, Score> scores;
  for (Probe& probe : load_probes("atomic_loops_h200.csv")) {
    const auto kind = kinds.find(probe.kernel);
    if (kind == kinds.end()) continue;
    const auto& [access, width, wrong] = kind->second;
    probe.request.width_bytes = width;
    for (uint64_t& address : probe.request.address) address *= width;
    std::map<std::string, int>& measured = probe.measured;
    // The kernel stores a zero before the atomic.
    const BankCounts store = count_wavefronts(probe.request, SharedAccess::kStore);
    ASSERT_EQ(store.wavefronts, measured["store_wavefronts"]);
    measured["wavefronts"] -= store.wavefronts;
    measured["wavefronts_ideal"] -= store.ideal_wavefronts;

    const AtomicLoopCounts loop = count_atomic_loop(probe.request, access);
    SCOPED_TRACE(probe.kernel);
    EXPECT_EQ(loop.rounds, measured["atomic_instructions"]);
    EXPECT_EQ(loop.load_instructions, measured["load_instructions"]);
    EXPECT_EQ(loop.swaps.wavefronts, measured["atomic_wavefronts"]);
    Score& score = scores[probe.kernel];
    ++score.probes;
    const BankCounts all = count_wavefronts(probe.request, access);
    const bool right = loop.loads.wavefronts == measured["load_wavefronts"] &&
                       all.wavefronts == measured["wavefronts"] &&
                       all.ideal_wavefronts == measured["wavefronts_ideal"];
    score.right += right;
    if (wrong == 0) {
      EXPECT_TRUE(right) << all.wavefronts << " of " << measured["wavefronts"];
    }
    EXPECT_LE(measured["load_wavefronts"] - loop.loads.wavefronts, 2);
    const BankResult passes = explain_banks(probe.request, access);
    EXPECT_EQ(passes.passes.size(), static_cast<size_t>(all.wavefronts));
  }
  for (const auto& [kernel, kind] : kinds) {
    EXPECT_EQ(scores[kernel].probes, 38) << kernel;
    EXPECT_EQ(scores[kernel].probes - scores[kernel].right, kind.wrong) << kernel;
  }
}

TEST(Probes, SharedExchangesOfEightBytesTakeTheMeasuredWavefronts) {
  int probes = 0;
  for (Probe& probe : load_probes("atomic_loops_h200.csv")) {
    if (probe.kernel != "u64_exch") continue;
    ++probes;
    probe.request.width_bytes = 8;
    for (uint64_t& address : probe.request.address) address *= 8;
    EXPECT_EQ(count_wavefronts(probe.request, SharedAccess::kAtomic).wavefronts,
              probe.measured.at("atomic_wavefronts"));
  }
  EXPECT_EQ(probes, 38);
}

TEST(Probes, GlobalAtomicsVisitTheMeasuredSectors) {
  int few_lines = 0;
  int total = 0;
  int more = 0;
  for (const Probe& probe : load_probes()) {
    const bool reduction = probe.kernel.starts_with("red_");
    if (!reduction && !probe.kernel.starts_with("atom_") && !probe.kernel.starts_with("cas_") &&
        !probe.kernel.starts_with("exch_")) {
      continue;
    }
    const int measured = probe.measured.at(reduction ? "red_sectors" : "atom_sectors");
    EXPECT_EQ(probe.measured.at(reduction ? "red_requests" : "atom_requests"), 1);
    const int ours = count_atomic_sectors(probe.request);
    ++total;
    if (count_sectors(probe.request).lines <= 4) {
      ++few_lines;
      EXPECT_EQ(ours, measured) << probe.kernel;
    } else {
      // The chip may visit a sector in two passes: it never makes fewer visits
      // than we count, and here at most three more.
      EXPECT_LE(ours, measured) << probe.kernel;
      EXPECT_LE(measured, ours + 3) << probe.kernel;
      more += measured > ours;
    }
  }
  EXPECT_GE(few_lines, 100);
  EXPECT_LE(more * 10, total);  // fewer than a tenth
}

TEST(Probes, PlainAccessesTouchTheMeasuredSectors) {
  // Each probe also loads its lanes' offsets (4 sectors) and, if it returns a
  // value, stores it at consecutive addresses.
  struct Kind {
    const char* column;
    int before;          // sectors in the same column of the table that do not belong to the probe
    uint32_t out_bytes;  // per lane, in the store of the result
  };
  const std::map<std::string, Kind> kinds = {{"ld32", {"load_sectors", 4, 4}},
                                             {"ld128", {"load_sectors", 4, 16}},
                                             {"st32", {"store_sectors", 0, 0}}};
  int probes = 0;
  for (const Probe& probe : load_probes()) {
    const auto kind = kinds.find(probe.kernel);
    if (kind == kinds.end()) continue;
    ++probes;
    const CoalescerCounts counts = count_sectors(probe.request);
    EXPECT_EQ(counts.sectors, probe.measured.at(kind->second.column) - kind->second.before)
        << probe.kernel;
    CoalescerCounts out;
    if (kind->second.out_bytes != 0) {
      WarpRequest store{.active_mask = probe.request.active_mask,
                        .width_bytes = kind->second.out_bytes};
      for (uint64_t lane = 0; lane < kLanes; ++lane)
        store.address[lane] = lane * kind->second.out_bytes;
      out = count_sectors(store);
    }
    EXPECT_EQ(4 + counts.sectors + out.sectors, probe.measured.at("theoretical_sectors"));
    EXPECT_EQ(4 + counts.ideal_sectors + out.ideal_sectors,
              probe.measured.at("theoretical_sectors_ideal"));
  }
  EXPECT_GE(probes, 20);
}

}  // namespace
}  // namespace warpshop::models
