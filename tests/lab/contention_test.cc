// A kernel's contention, beside what the test counts itself with the kernel's own index arithmetic.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runner_fixture.h"

namespace warpshop::lab {
namespace {

constexpr const char* kSource = R"(
constexpr int ROWS = 3;
__device__ unsigned total;
__device__ unsigned tally[64];

__global__ void scale(const float* in, float* out, int n) {
  __shared__ unsigned bins[ROWS][16];
  __shared__ unsigned long long sums[8];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 48) bins[t / 16][t % 16] = 0;
  if (t < 8) sums[t] = 0;
  if (i < n) out[i] = 2.0f * in[i];
  __syncthreads();
  if (i < n) {
    atomicAdd(&total, 1u);
    atomicAdd(&tally[(i * 7 + i / 5) % 64], 1u);
    atomicMax(&bins[i % ROWS][i * i % 16], (unsigned)i);
    if (i % 3 != 0) atomicAdd(&sums[i / 2 % 8], (unsigned long long)i);
    if (i % 50 == 0) atomicAdd(&out[i / 100], 1.0f);
  }
}

__host__ __device__ Launch launch(int n) { return {dim3((n + 127) / 128), dim3(128)}; }
)";

TEST_F(RunnerTest, ContentionIsWhatTheIndicesSay) {
  const RunResult result = run(*scale_, kSource);
  ASSERT_EQ(result.sizes.size(), 2U) << render(result.diagnostics);
  const KernelRun& run = result.sizes[1].student;
  const int n = 1000, blocks = 8, threads = 128;
  ASSERT_EQ(run.grid, (Dim3{blocks, 1, 1}));

  struct Word {
    uint64_t hits = 0;
    std::map<int, uint64_t> by_block;
  };
  std::map<std::string, Word> global, shared;
  std::map<uint64_t, uint64_t> global_requests, shared_requests;  // by lanes on the busiest word
  const auto index = [](const char* name, int i) {
    return std::string(name) + "[" + std::to_string(i) + "]";
  };
  for (int block = 0; block < blocks; ++block) {
    for (int warp = 0; warp < threads / 32; ++warp) {
      // The word of each lane, for each of the five instructions.
      std::map<std::string, uint64_t> meet[5];
      for (int lane = 0; lane < 32; ++lane) {
        const int i = block * threads + warp * 32 + lane;
        if (i >= n) continue;
        meet[0]["total"] = 1;  // the compiler adds up the warp's ones
        ++meet[1][index("tally", (i * 7 + i / 5) % 64)];
        ++meet[2][index("bins", i % 3) + "[" + std::to_string(i * i % 16) + "]"];
        if (i % 3 != 0) ++meet[3][index("sums", i / 2 % 8)];
        if (i % 50 == 0) ++meet[4][index("out", i / 100)];
      }
      for (int k = 0; k < 5; ++k) {
        if (meet[k].empty()) continue;
        const bool is_shared = k == 2 || k == 3;
        uint64_t most = 0;
        for (const auto& [name, lanes] : meet[k]) {
          Word& word = (is_shared ? shared : global)[name];
          word.hits += lanes;
          word.by_block[block] += lanes;
          most = std::max(most, lanes);
        }
        ++(is_shared ? shared_requests : global_requests)[most];
      }
    }
  }

  const auto compare = [](const timing::Contention& got, const std::map<std::string, Word>& words,
                          std::map<uint64_t, uint64_t>& requests, bool is_shared) {
    for (uint64_t d = 0; d <= 32; ++d) EXPECT_EQ(got.requests_by_lanes[d], requests[d]) << d;
    ASSERT_EQ(got.hottest.size(), std::min(words.size(), timing::kHottestWords));
    std::map<size_t, uint64_t> buckets;  // by the number of binary digits
    uint64_t hits = 0, copies = 0;
    for (const auto& [name, word] : words) {
      hits += word.hits;
      const auto add = [&](uint64_t one) {
        size_t digits = 0;
        for (uint64_t rest = one; rest > 0; rest /= 2) ++digits;
        ++buckets[digits];
        ++copies;
      };
      if (!is_shared) add(word.hits);
      for (const auto& [block, one] : word.by_block) {
        if (is_shared) add(one);
      }
    }
    EXPECT_EQ(got.hits, hits);
    EXPECT_EQ(got.words, copies);
    for (size_t b = 0; b < timing::Contention::kBuckets; ++b)
      EXPECT_EQ(got.words_by_hits[b], buckets[b + 1]) << b;
    for (const timing::ContendedWord& word : got.hottest) {
      const auto expected = words.find(word.name);
      ASSERT_NE(expected, words.end()) << word.name;
      EXPECT_EQ(word.hits, expected->second.hits) << word.name;
      if (!is_shared) continue;
      EXPECT_EQ(word.copies, expected->second.by_block.size()) << word.name;
      uint64_t most = 0;
      for (const auto& [block, one] : expected->second.by_block) most = std::max(most, one);
      EXPECT_EQ(word.most, most) << word.name;
    }
  };
  compare(run.contention.shared, shared, shared_requests, true);
  EXPECT_EQ(global.size(), 75U);
  compare(run.contention.global, global, global_requests, false);
  EXPECT_EQ(run.contention.global.hottest.front().name, "total");
  EXPECT_EQ(run.contention.global.combined, uint64_t{n} - 32);
  EXPECT_EQ(run.contention.global.hits_left_out, 0U);
}

TEST_F(RunnerTest, WithoutAtomicsThereIsNoContention) {
  const RunResult result = run(*scale_, scale_->exercise->solution);
  EXPECT_FALSE(result.student()->contention.any());
  EXPECT_TRUE(result.student()->contention.by_site.empty());
}

}  // namespace
}  // namespace warpshop::lab
