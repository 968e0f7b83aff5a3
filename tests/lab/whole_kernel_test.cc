// Kernels that pass an exercise's checks by doing worse elsewhere, and
// honest ones that differ from the solution.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runner_fixture.h"

namespace warpshop::lab {
namespace {

using testing::HasSubstr;

constexpr const char* kScaleLaunch =
    "__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; }\n";
constexpr const char* kTransposeLaunch =
    "__host__ __device__ Launch launch(int n) { return {dim3(n / 32, n / 32), dim3(32, 8)}; }\n";

// Each lane is far from its neighbour, as in the start.
constexpr const char* kFarApart = "int i = threadIdx.x * gridDim.x + blockIdx.x;\n";

std::string scale_of(const std::string& body) {
  return "__global__ void scale(const float* in, float* out, int n) {\n" + body + "}\n" +
         kScaleLaunch;
}

class WholeKernelTest : public RunnerTest {
 protected:
  // The step with only one of its checks, or with none.
  Step with_check(const Step& step, std::string_view id) const {
    Step out = step;
    std::erase_if(out.exercise->checks, [&](const CheckRule& rule) { return rule.id != id; });
    return out;
  }

  // Expects only the whole-kernel check to fail, and returns it.
  CheckResult expect_caught(const Step& step, const std::string& source) const {
    const RunResult result = run(step, source);
    EXPECT_FALSE(result.passed);
    for (const CheckResult& check : result.checks) {
      EXPECT_TRUE(check.passed || check.id == "whole-kernel")
          << check.id << ": " << check.got << " " << check.message;
    }
    const CheckResult* whole = find_check(result, "whole-kernel");
    if (whole == nullptr) return {};
    EXPECT_TRUE(whole->evaluated);
    EXPECT_FALSE(whole->passed);
    return *whole;
  }

  void expect_passed(const Step& step, const std::string& source) const {
    const RunResult result = run(step, source);
    EXPECT_TRUE(result.passed) << render(result.diagnostics);
    for (const CheckResult& check : result.checks)
      EXPECT_TRUE(check.passed) << check.id << ": " << check.got << " " << check.message;
  }
};

TEST_F(WholeKernelTest, SolutionsPassAndItIsJudgedLast) {
  expect_passed(*scale_, scale_->exercise->solution);
  expect_passed(*transpose_, transpose_->exercise->solution);
  const RunResult start = run(*scale_, scale_->exercise->skeleton);
  ASSERT_FALSE(start.checks.empty());
  EXPECT_EQ(start.checks.back().id, "whole-kernel");
  EXPECT_FALSE(start.checks.back().evaluated) << "what fails otherwise is told first";
  EXPECT_EQ(start.sizes.front().solution, nullptr);
}

// One lane at a time: no request has more than one sector, and no two lanes conflict in a bank.
TEST_F(WholeKernelTest, LanesOneAfterTheOtherAreCounted) {
  const std::string source =
      "__global__ void transpose(const float* in, float* out, int n) {\n"
      "  __shared__ float tile[32][32];\n"
      "  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
      "  for (int r = 0; r < 32; r += 8) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + "
      "x];\n"
      "  __syncthreads();\n"
      "  for (int lane = 0; lane < 32; ++lane) {\n"
      "    if (lane == threadIdx.x) for (int r = 0; r < 32; r += 8) out[x * n + y + r] = "
      "tile[threadIdx.y + r][threadIdx.x];\n"
      "    __syncwarp();\n"
      "  }\n}\n" +
      std::string(kTransposeLaunch);
  const CheckResult whole = expect_caught(*transpose_, source);
  EXPECT_THAT(whole.got.english(), HasSubstr("warp instructions"));
  EXPECT_THAT(whole.wanted.english(), testing::StartsWith("at most "));
  EXPECT_THAT(whole.message.english(), HasSubstr("2 times the "));
}

// The kernel's own 128 requests take 4,096 sectors. With 10 further loads of one sector per warp it
// is 5,376 for 1,408 requests, fewer than 4 each.
TEST_F(WholeKernelTest, LoadsThatDiluteARatioDoNotCount) {
  const std::string source = scale_of(
      "  const volatile float* extra = in;\n"
      "  extra[0]; extra[1]; extra[2]; extra[3]; extra[4]; extra[5]; extra[6]; extra[7]; extra[8]; "
      "extra[9];\n" +
      std::string(kFarApart) + "  if (i < n) out[i] = 2.0f * in[i];\n");
  Step step = with_check(*scale_, "coalesced-loads");
  step.exercise->whole_kernel.instructions = 100;
  const CheckResult whole = expect_caught(step, source);
  EXPECT_THAT(whole.message.english(),
              HasSubstr("“At most 4 sectors per load request” passes only because of extra work"));
  EXPECT_THAT(whole.message.english(),
              HasSubstr("Of the 1,408 global_load_requests, 192 count: 1.50 times those of"));
  EXPECT_EQ(whole.wanted, "at most 4");
  // 5,376 / 192
  EXPECT_EQ(whole.got, "28 sectors per request");
}

// An author may let more loads count, but never so many that the start passes. It misses the limit
// of 4 by a factor of 8, so at most 2.83 times as many loads count.
TEST_F(WholeKernelTest, NoFactorLetsTheStartBeDiluted) {
  const std::string source = scale_of(
      "  const volatile float* extra = in;\n"
      "  extra[0]; extra[1]; extra[2]; extra[3]; extra[4]; extra[5]; extra[6]; extra[7]; extra[8]; "
      "extra[9];\n" +
      std::string(kFarApart) + "  if (i < n) out[i] = 2.0f * in[i];\n");
  Step step = with_check(*scale_, "coalesced-loads");
  step.exercise->whole_kernel.instructions = 100;
  step.exercise->whole_kernel.ratios = 1000;
  EXPECT_THAT(expect_caught(step, source).message.english(), HasSubstr("2.83 times those of"));
}

TEST_F(WholeKernelTest, AtomicsThatStandForLoadsAreLoads) {
  const std::string source = scale_of(
      kFarApart +
      std::string(
          "  if (i >= n) return;\n"
          "  out[i] = 2.0f * (i == 0 ? in[0] : atomicAdd(const_cast<float*>(in) + i, 0.0f));\n"));
  // One sector for each of 4,095 lanes; the limit is one for each of 128 warps. With no load at all
  // there would be nothing to judge.
  const CheckResult whole = expect_caught(with_check(*scale_, "as-few-sectors"), source);
  EXPECT_EQ(whole.got, "4,095 sectors of atomics that return a value");
  EXPECT_EQ(whole.wanted, "at most 128");
}

TEST_F(WholeKernelTest, DynamicSharedMemoryCountsAsStatic) {
  Step step = *transpose_;
  CheckRule& rule = step.exercise->checks.emplace_back();
  rule.id = "small-tile";
  rule.title = "A small tile";
  rule.metric = "static_shared";
  rule.at_most = "4224";
  std::string source = step.exercise->solution;
  const auto change = [&source](std::string_view from, std::string_view to) {
    ASSERT_NE(source.find(from), std::string::npos) << from;
    source.replace(source.find(from), from.size(), to);
  };
  change("__shared__ float tile[32][33];",
         "extern __shared__ float bytes[]; float (*tile)[33] = (float (*)[33])bytes;");
  change("dim3(32, 8)}", "dim3(32, 8), 32 * 33 * 4}");
  expect_passed(step, source);  // as much as the solution, in another way
  change("(*tile)[33] = (float (*)[33])", "(*tile)[37] = (float (*)[37])");
  change("32 * 33 * 4", "32 * 37 * 4");
  const CheckResult whole = expect_caught(step, source);
  EXPECT_EQ(whole.got, "4,736");
  EXPECT_THAT(whole.message.english(), HasSubstr("dynamic_shared count as static_shared"));
  // Another way, which the check does not see: much more than
  // 16 KiB, and twice the solution's amount.
  step.exercise->checks.pop_back();
  change("32 * 37 * 4", "20000");
  EXPECT_THAT(expect_caught(step, source).message.english(),
              HasSubstr("20,000 bytes of static and dynamic shared memory"));
}

// Rows that are read without conflicts, after stores or copies down the columns.
TEST_F(WholeKernelTest, ConflictsThatChangeSidesAreCounted) {
  const auto source = [](const std::string& store) {
    return "__device__ void copy(float* to, const float* from) {\n"
           "  asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4; cp.async.wait_all;\" :: "
           "\"r\"((unsigned)__cvta_generic_to_shared(to)), \"l\"(from) : \"memory\");\n}\n"
           "__global__ void transpose(const float* in, float* out, int n) {\n"
           "  __shared__ float tile[32][32];\n"
           "  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
           "  for (int r = 0; r < 32; r += 8) " +
           store +
           "\n  __syncthreads();\n"
           "  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;\n"
           "  for (int r = 0; r < 32; r += 8) out[(y + r) * n + x] = tile[threadIdx.y + "
           "r][threadIdx.x];\n}\n" +
           std::string(kTransposeLaunch);
  };
  const Step step = with_check(*transpose_, "no-conflicts");
  for (const char* store : {"tile[threadIdx.x][threadIdx.y + r] = in[(y + r) * n + x];",
                            "copy(&tile[threadIdx.x][threadIdx.y + r], &in[(y + r) * n + x]);"}) {
    const CheckResult whole = expect_caught(step, source(store));
    // 32 wavefronts for each store, of which one is of its width, and one for the load.
    EXPECT_THAT(whole.got.english(), testing::StartsWith("32"));
    EXPECT_THAT(whole.message.english(),
                HasSubstr("shared_store_conflicts count as shared_load_wavefronts"));
  }
  Step both = step;
  both.exercise->checks.front().metric =
      "(shared_load_wavefronts + shared_store_wavefronts) / "
      "(ideal.shared_load_wavefronts + ideal.shared_store_wavefronts)";
  EXPECT_THAT(expect_caught(both, source("copy(&tile[threadIdx.x][threadIdx.y + r], &in[(y + r) * "
                                         "n + x]);"))
                  .message.english(),
              HasSubstr("copy_conflicts count as shared_store_wavefronts"));
}

// No counter of shared memory has accesses to another block's.
TEST_F(WholeKernelTest, MemoryOfOtherBlocksIsBounded) {
  const std::string source =
      "#include <cooperative_groups.h>\n"
      "__global__ void __cluster_dims__(2, 1, 1) scale(const float* in, float* out, int n) {\n"
      "  __shared__ float kept[256];\n"
      "  auto cluster = cooperative_groups::this_cluster();\n"
      "  volatile float* theirs = cluster.map_shared_rank(kept, cluster.block_rank() ^ 1);\n"
      "  int i = blockIdx.x * 256 + threadIdx.x;\n"
      "  theirs[threadIdx.x] = i < n ? in[i] : 0;\n"
      "  float mine = theirs[threadIdx.x];\n"
      "  cluster.sync();\n"
      "  if (i < n) out[i] = 2.0f * mine;\n}\n"
      "__host__ __device__ Launch launch(int n) { return {dim3((n + 511) / 512 * 2), dim3(256)}; "
      "}\n";
  Step step = *scale_;
  step.exercise->checks.clear();
  step.exercise->whole_kernel.instructions = 10;
  const CheckResult whole = expect_caught(step, source);
  EXPECT_THAT(whole.got.english(), HasSubstr("accesses to other blocks' shared memory"));
}

TEST_F(WholeKernelTest, LocalMemoryIsMemory) {
  const std::string source = scale_of(
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  volatile float kept[32];\n"
      "  for (int k = 0; k < 32; ++k) kept[k] = k;\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < 32; ++k) sum += kept[k];\n"
      "  if (i < n) out[i] = 2.0f * in[i] + (sum - sum);\n");
  Step step = *scale_;
  step.exercise->whole_kernel.instructions = 100;
  const CheckResult whole = expect_caught(step, source);
  // Per warp: 64 local accesses of 4 sectors, plus 8 sectors for its
  // load and store. The start has 64 sectors.
  EXPECT_EQ(whole.got, "33,792 sectors of global and local memory, atomics included");
  EXPECT_EQ(whole.wanted, "at most 16,384");
  EXPECT_THAT(whole.message.english(), HasSubstr("2 times the 8,192 of the lab's start"));
  step.exercise->whole_kernel.memory_sectors = 5;
  expect_passed(step, source);
}

// A small grid whose threads take many elements each costs no more instructions or sectors. A few
// blocks less are honest, but one warp for everything leaves the GPU idle.
TEST_F(WholeKernelTest, OneWarpForEverythingIsCounted) {
  const auto with_launch = [](const std::string& launch) {
    return "__global__ void scale(const float* in, float* out, int n) {\n"
           "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * "
           "blockDim.x)\n"
           "    out[i] = 2.0f * in[i];\n}\n"
           "__host__ __device__ Launch launch(int n) { return " +
           launch + "; }\n";
  };
  expect_passed(with_check(*scale_, "as-few-sectors"),
                with_launch("{dim3((n + 1023) / 1024), dim3(256)}"));
  const CheckResult whole =
      expect_caught(with_check(*scale_, "as-few-sectors"), with_launch("{dim3(1), dim3(32)}"));
  EXPECT_THAT(whole.got.english(), HasSubstr("busiest warp"));
}

// More threads per block, wide accesses, unneeded shared memory: all of these are honest.
TEST_F(WholeKernelTest, OtherHonestWaysPass) {
  expect_passed(*scale_,
                "__global__ void scale(const float* in, float* out, int n) {\n"
                "  __shared__ float kept[1024];\n"
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                "  if (i < n) kept[threadIdx.x] = in[i];\n"
                "  if (i < n) out[i] = 2.0f * kept[threadIdx.x];\n}\n"
                "__host__ __device__ Launch launch(int n) { return {dim3((n + 1023) / 1024), "
                "dim3(1024)}; }\n");
  expect_passed(with_check(*scale_, "as-few-sectors"),
                "__global__ void scale(const float* in, float* out, int n) {\n"
                "  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);\n"
                "  if (i + 3 < n) {\n"
                "    float4 v = *(const float4*)(in + i);\n"
                "    *(float4*)(out + i) = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);\n"
                "  } else {\n"
                "    for (; i < n; ++i) out[i] = 2 * in[i];\n"
                "  }\n}\n" +
                    std::string(kScaleLaunch));
}

// If the lab's own kernels do not run, the reference sets the bounds.
TEST_F(WholeKernelTest, WithoutStartAndSolutionTheReferenceCounts) {
  Step step = *scale_;
  step.exercise->skeleton = step.exercise->solution = "no kernel";
  expect_passed(step, scale_->exercise->solution);
  const std::string slow = scale_of(
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int lane = 0; lane < 32; ++lane) if (threadIdx.x % 32 == lane && i < n) out[i] = "
      "2.0f * in[i];\n");
  step.exercise->checks.clear();
  EXPECT_THAT(expect_caught(step, slow).message.english(), HasSubstr("of the reference"));
}

}  // namespace
}  // namespace warpshop::lab
