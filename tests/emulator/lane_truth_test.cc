// Every lane-wise form, compared with an H200's results on each instruction set that this machine
// supports. lane_truth/README.md explains how the data was made.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lane_fixture.h"

namespace warpshop::emulator::testing {
namespace {

constexpr int kRows = 1024;
constexpr int kColumns = 5;

std::vector<uint64_t> read_pools() {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/emulator/lane_truth/inputs.bin",
                     std::ios::binary);
  std::vector<uint64_t> words(size_t{5} * kRows * kColumns);
  file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
  if (!file) words.clear();
  return words;
}

enum Pool { kIntegers, kF32, kF64, kF16, kBf16 };

Pool pool_of(std::string_view form, ptx::Type type) {
  switch (type) {
    case ptx::Type::kF32:
      return kF32;
    case ptx::Type::kF64:
      return kF64;
    case ptx::Type::kF16:
    case ptx::Type::kF16x2:
      return kF16;
    case ptx::Type::kBf16:
    case ptx::Type::kBf16x2:
      return kBf16;
    default:
      return form.find("f32x2") == std::string_view::npos ? kIntegers : kF64;
  }
}

struct TruthRow {
  std::string form;
  int dest_bits = 0;
  int source_bits = 0;
  int rows = 0;
  uint64_t immediate = 0;
  uint64_t hash = 0;
};

std::vector<TruthRow> read_truth() {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/emulator/lane_truth/h200.txt");
  std::vector<TruthRow> rows;
  TruthRow row;
  while (file >> row.form >> row.rows >> row.immediate >> std::hex >> row.hash >> std::dec) {
    row.dest_bits = row.source_bits = 0;
    if (const size_t at = row.form.find('@'); at != std::string::npos) {
      const size_t slash = row.form.find('/', at);
      row.dest_bits = std::stoi(row.form.substr(at + 1));
      row.source_bits = std::stoi(row.form.substr(slash + 1));
      row.form.resize(at);
    }
    rows.push_back(row);
  }
  return rows;
}

uint64_t hash_of_results(const LaneForm& form, const TruthRow& truth,
                         const std::vector<uint64_t>& pools) {
  const bool uses_carry = truth.form.find(".cc") != std::string::npos ||
                          truth.form.starts_with("addc") || truth.form.starts_with("subc") ||
                          truth.form.starts_with("madc");
  const bool writes_carry = truth.form.find(".cc") != std::string::npos;
  // PTX has no second predicate for setp on a single 16-bit float.
  const bool one_half = truth.form.ends_with(".f16") || truth.form.ends_with(".bf16");
  const bool has_second = form.pair && !truth.form.starts_with("testp") && !one_half;
  uint64_t hash = 1469598103934665603u;
  for (int first = 0; first < truth.rows; first += 32) {
    const auto word = [&](Pool pool, int lane, int column) {
      return pools[static_cast<size_t>((pool * kRows + first + lane) * kColumns + column)];
    };
    LaneRun run(form);
    int column = 0;
    for (int i = 0; i < form.source_count; ++i) {
      if (i == form.immediate_source) {
        run.set_immediate(truth.immediate);
        continue;
      }
      Lanes values{};
      const Pool pool = pool_of(truth.form, form.source[static_cast<size_t>(i)]);
      for (int lane = 0; lane < 32; ++lane)
        values[static_cast<size_t>(lane)] = word(pool, lane, column);
      run.set_source(i, values);
      ++column;
    }
    if (uses_carry) {
      uint32_t carry = 0;
      for (int lane = 0; lane < 32; ++lane) {
        const uint32_t a = static_cast<uint32_t>(word(kIntegers, lane, 3));
        const uint32_t b = static_cast<uint32_t>(word(kIntegers, lane, 4));
        const bool set = truth.form.starts_with("sub") ? a < b : a + b < a;
        carry |= static_cast<uint32_t>(set) << lane;
      }
      run.set_carry(carry);
    }
    EXPECT_TRUE(run.run()) << truth.form;
    const Lanes dest = run.dest();
    const Lanes second = run.second();
    for (size_t lane = 0; lane < 32; ++lane) {
      uint64_t result = dest[lane];
      if (has_second && second[lane] != 0)
        result |= form.dest == ptx::Type::kPred ? 2 : uint64_t{1} << 33;
      if (writes_carry) result ^= static_cast<uint64_t>(run.carry() >> lane & 1) << 63;
      for (int byte = 0; byte < 8; ++byte)
        hash = (hash ^ (result >> (8 * byte) & 0xff)) * 1099511628211u;
    }
  }
  return hash;
}

class LaneTruth : public ::testing::TestWithParam<std::string_view> {};

TEST_P(LaneTruth, EveryFormGivesWhatTheHardwareGave) {
  const std::vector<uint64_t> pools = read_pools();
  const std::vector<TruthRow> truth = read_truth();
  ASSERT_FALSE(pools.empty());
  ASSERT_GT(truth.size(), 5000u);
  for (const TruthRow& row : truth) {
    const LaneForm* form = find_lane_form_of(GetParam(), row.form, row.dest_bits, row.source_bits);
    ASSERT_NE(form, nullptr) << row.form;
    EXPECT_EQ(hash_of_results(*form, row, pools), row.hash)
        << row.form << " between registers of " << row.dest_bits << " and " << row.source_bits
        << " bits";
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, LaneTruth, ::testing::ValuesIn(lane_isas()), [](const auto& isa) {
  std::string name(isa.param);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace warpshop::emulator::testing
