// The Teaching Kit's question about index expressions, applied to the addresses that they produce.
#include "models/index_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lanes.h"
#include "models/coalescer.h"
#include "models/transactions.h"

namespace warpshop::models {
namespace {

using testing::HasSubstr;
using Form = IndexForm;

struct IndexAdviceCase {
  const char* index;  // into an array of floats at address 0; blocks of
                      // 32 × 8 unless stated otherwise
  WarpRequest request;
  Form form;
  int64_t factor_bytes = 0;
  int run_lanes = 0;
  const char* says = "";
};

TEST(IndexAdvice, JudgesTheIndexExpression) {
  const IndexAdviceCase kIndexAdviceCases[] = {
      {"blockIdx.x * 256 + threadIdx.x", strided(4, 1024, 4), Form::kNeighbours, 4, 32,
       "(independent of threadIdx.x) + threadIdx.x"},
      {"threadIdx.x + 13", strided(4, 52, 4), Form::kNeighbours, 4, 32,
       "20 bytes into a sector, which costs one extra sector"},
      {"row * width + k", strided(4, 400, 0), Form::kUniform, 0, 32, "does not depend"},
      {"base - threadIdx.x", strided(4, 1024, -4), Form::kBackwards, -4, 32, "base - threadIdx.x"},
      {"2 * threadIdx.x", strided(4, 0, 8), Form::kStrided, 8, 32, "2 elements"},
      {"threadIdx.x * 1000 + blockIdx.x", strided(4, 12, 4000), Form::kStrided, 4000, 32,
       "1000 elements"},
      {"x of structures of 3 floats", strided(4, 0, 12), Form::kStrided, 12, 32, "3 elements"},
      {"half-open records of 6 bytes", strided(4, 0, 6), Form::kStrided, 6, 32, "6 bytes"},
      {"threadIdx.x, odd lanes alone", strided(4, 0, 4, 0xAAAAAAAAU), Form::kNeighbours, 4, 16, ""},
      {"(threadIdx.x * 7) % 32",
       lanes(4, kAllLanes, [](uint64_t lane) { return lane * 7 % 32 * 4; }), Form::kPermuted, 0, 0,
       "not in lane order"},
      {"threadIdx.x / 2", lanes(4, kAllLanes, [](uint64_t lane) { return lane / 2 * 4; }),
       Form::kPermuted, 0, 0, "32 lanes share 16 neighbouring ones"},
      {"y * 1024 + x, blocks of 16 × 16",
       lanes(4, kAllLanes, [](uint64_t lane) { return (lane / 16 * 1024 + lane % 16) * 4; }),
       Form::kRows, 1009 * 4, 16, "nothing is lost"},
      {"y * 1028 + 4 + x, blocks of 16 × 16",
       lanes(4, kAllLanes, [](uint64_t lane) { return (lane / 16 * 1028 + 4 + lane % 16) * 4; }),
       Form::kRows, 1013 * 4, 16, "Block rows narrower than 32 threads"},
      {"y * 100 + x, blocks of 8 × 32",
       lanes(4, kAllLanes, [](uint64_t lane) { return (lane / 8 * 100 + lane % 8) * 4; }),
       Form::kRows, 93 * 4, 8, "Only 8 lanes"},
      {"y * 100 + x, blocks of 19 × 13: the second row ends with the warp",
       lanes(4, kAllLanes, [](uint64_t lane) { return (lane / 19 * 100 + lane % 19) * 4; }),
       Form::kRows, 82 * 4, 19, "Only 19 lanes"},
      {"x * 1024 + y, blocks of 16 × 16",
       lanes(4, kAllLanes, [](uint64_t lane) { return (lane % 16 * 1024 + lane / 16) * 4; }),
       Form::kStrided, 4096, 16, "of 16 lanes at a time, each is 1024 elements after"},
      {"y * 1024, blocks of 16 × 16",
       lanes(4, kAllLanes, [](uint64_t lane) { return lane / 16 * 4096; }), Form::kUniform, 0, 16,
       "16 lanes at a time access one element"},
      {"lookup[data[threadIdx.x]]",
       lanes(4, kAllLanes, [](uint64_t lane) { return lane * lane * 2654435761U % 65536 * 4; }),
       Form::kScattered, 0, 0, "depends on data"},
      {"one thread", strided(4, 64, 4, 1U << 5), Form::kNone, 0, 0, "Only one lane"},
      {"nobody", strided(4, 0, 4, 0), Form::kNone, 0, 0, "No lane"},
  };
  for (const IndexAdviceCase& c : kIndexAdviceCases) {
    const IndexAdvice advice = advise_index(c.request);
    EXPECT_EQ(advice.form, c.form) << c.index << ": " << advice.text;
    EXPECT_EQ(advice.factor_bytes, c.factor_bytes) << c.index;
    EXPECT_EQ(advice.run_lanes, c.run_lanes) << c.index;
    EXPECT_THAT(advice.text, HasSubstr(c.says)) << c.index;
    EXPECT_FALSE(advice.text.empty()) << c.index;
  }
}

// Lanes 13 to 31 also start in mid-sector, but aligning them would not save a sector.
TEST(IndexAdvice, AMisalignmentThatCostsNothingIsNotBlamed) {
  const IndexAdvice advice = advise_index(strided(4, 52 - 13 * 4, 4, 0xFFFFE000U));
  EXPECT_EQ(advice.form, Form::kNeighbours);
  EXPECT_EQ(advice.misaligned_bytes, 20U);
  EXPECT_THAT(advice.text, testing::Not(HasSubstr("extra sector")));
}

TEST(IndexAdvice, ComesWithTheExplanations) {
  const WarpRequest request = strided(4, 0, 128);
  EXPECT_EQ(coalesce(request).advice, advise_index(request));
  EXPECT_EQ(explain_transactions(CoalescingRule::kStrictHalfWarps, request).advice,
            advise_index(request));
}

}  // namespace
}  // namespace warpshop::models
