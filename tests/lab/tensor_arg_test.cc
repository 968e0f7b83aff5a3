// Kernels with tensor maps as arguments in labs, compiled by NVRTC.
#include "lab/tensor_arg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "lab/gpu_job.h"
#include "lab/runner.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Rows of `width` words, 32 bytes further apart than they are long.
constexpr const char* kTensorLab =
    R"toml(format = 1
id = "boxes"
title = "Boxes"
summary = "A tensor map."
order = 1
[[step]]
id = "boxes"
title = "Boxes"
text = "boxes.md"
[step.exercise]
kernel = "boxes"
solution = "boxes.cu"
reference = "boxes.cu"
launch = "launch(width, height)"
args = [
  { name = "in", tensor_map = "u32", extents = ["width", "height"], )toml"
    R"toml(strides = ["4 * width + 32"], box = [8, "2 + 2"], fill = "iota" },
  { name = "out", buffer = "u32", count = "width * height", fill = "none", output = true },
  { name = "width", scalar = "i32", value = "width" },
]
sizes = [{ width = 16, height = 6 }]
[[step.exercise.check]]
id = "boxes"
title = "Boxes"
metric = "async_copy_instructions / blocks"
at_most = "1"
message = "Too many."
)toml";

// What the map's buffer holds is its index: row y starts at word y * (width + 8).
constexpr const char* kTensorReference = R"(
__global__ void boxes(const __grid_constant__ CUtensorMap in, unsigned* out, int width) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  int height = gridDim.y == 2 ? 6 : 4;
  if (y < height) out[y * width + x] = y * (width + 8) + x;
}
__host__ __device__ Launch launch(int width, int height) {
  return {dim3(width / 8, (height + 3) / 4), dim3(8, 4)};
}
)";
constexpr const char* kTensorSolution = R"(
#include <cuda/ptx>
__global__ void boxes(const __grid_constant__ CUtensorMap in, unsigned* out, int width) {
  __shared__ alignas(128) unsigned tile[4][8];
  __shared__ uint64_t full;
  using namespace cuda::ptx;
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    mbarrier_init(&full, 1);
    fence_proxy_async(space_shared);
    //! begin
    int corner[2] = {x, y};
    //! instead
    //! int corner[2] = {x, y - 1};
    //! end
    mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, &full, sizeof tile);
    cp_async_bulk_tensor(space_cluster, space_global, tile, &in, corner, &full);
  }
  __syncthreads();
  while (!mbarrier_try_wait_parity(&full, 0)) {}
  if (y < 6) out[y * width + x] = tile[threadIdx.y][threadIdx.x];
}
__host__ __device__ Launch launch(int width, int height) {
  return {dim3(width / 8, (height + 3) / 4), dim3(8, 4)};
}
)";

class TensorMapLab {
 public:
  TensorMapLab(const std::string& from = {}, const std::string& to = {}) {
    folder_.write("labs/boxes/lab.toml", from.empty() ? kTensorLab : with(kTensorLab, from, to));
    folder_.write("labs/boxes/boxes.md", "Boxes.");
    folder_.write("kernels/boxes/boxes.cu", kTensorReference);
    folder_.write("solutions/boxes/boxes.cu", kTensorSolution);
  }
  Result<Lab> load() const { return load_lab(folder_.path(), "boxes"); }

 private:
  TemporaryFolder folder_;
};

RunResult run_tensors(const Lab& lab, const std::string& source, bool predict = false) {
  Result<Runner> runner = Runner::create();
  RunRequest request;
  request.lab = &lab;
  request.step = &lab.steps[0];
  request.source = source;
  request.file_name = "boxes.cu";
  request.gpu = models::find_gpu_profile(data_dir(), "h200").value();
  request.predict = predict;
  return runner->run(request);
}

TEST(TensorArg, ALabPassesATensorMap) {
  const Result<Lab> lab = TensorMapLab().load();
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  const Exercise& exercise = *lab->steps[0].exercise;
  // Six rows of 16 words; 24 words from row to row.
  EXPECT_EQ(element_count(exercise.args[0], exercise.sizes[0]), 5U * 24 + 16);
  EXPECT_EQ(exercise.args[0].type, ElementType::kU32);

  const RunResult right = run_tensors(*lab, exercise.solution);
  EXPECT_TRUE(right.passed) << render(right.diagnostics);
  ASSERT_EQ(right.sizes.size(), 1U);
  EXPECT_TRUE(right.sizes[0].student.findings.empty());

  const RunResult wrong = run_tensors(*lab, exercise.skeleton);
  ASSERT_EQ(wrong.sizes.size(), 1U) << render(wrong.diagnostics);
  EXPECT_FALSE(wrong.sizes[0].correct);
}

TEST(TensorArg, TimesArePredictedForCopiesOfBoxes) {
  const Result<Lab> lab = TensorMapLab().load();
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  const RunResult result = run_tensors(*lab, lab->steps[0].exercise->solution, true);
  ASSERT_EQ(result.sizes.size(), 1U) << render(result.diagnostics);
  ASSERT_TRUE(result.sizes[0].student.prediction.has_value());
  EXPECT_GT(result.sizes[0].student.prediction->time_us,
            result.sizes[0].student.prediction->launch_us);
}

TEST(TensorArg, AGpuIsToldTheSame) {
  const Result<Lab> lab = TensorMapLab("fill = \"iota\"", "swizzle = 32, fill = \"iota\"").load();
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  const Exercise& exercise = *lab->steps[0].exercise;
  SizeResult size;
  size.size = exercise.sizes[0];
  const Result<device::Job> job = gpu_job(exercise, size, RunResult{}, 0);
  ASSERT_TRUE(job.ok()) << render(job.errors());
  const device::JobArg& arg = job->args[0];
  EXPECT_EQ(arg.size_bytes, 4U * (5 * 24 + 16));
  ASSERT_TRUE(arg.tensor.has_value());
  EXPECT_EQ(arg.tensor->type, TensorType::kU32);
  EXPECT_THAT(arg.tensor->extents, ElementsAre(16U, 6U));
  EXPECT_THAT(arg.tensor->strides, ElementsAre(96U));
  EXPECT_THAT(arg.tensor->box, ElementsAre(8U, 4U));
  EXPECT_THAT(arg.tensor->element_strides, ElementsAre(1U, 1U));
  EXPECT_EQ(arg.tensor->swizzle_bytes, 32);
  EXPECT_FALSE(job->args[1].tensor.has_value());
}

TEST(TensorArg, APointerIsNoTensorMap) {
  const Result<Lab> lab = TensorMapLab().load();
  ASSERT_TRUE(lab.ok());
  const RunResult result = run_tensors(
      *lab, with(kTensorReference, "const __grid_constant__ CUtensorMap in", "const unsigned* in"));
  EXPECT_FALSE(result.passed);
  EXPECT_THAT(render(result.diagnostics),
              HasSubstr("boxes(const __grid_constant__ CUtensorMap in, unsigned* out"));
}

// Each mistake is told at its own key, which the line and the column name.
TEST(TensorArg, MistakesOfLabFilesAreNamed) {
  constexpr const char* kMap =
      "tensor_map = \"u32\", extents = [\"width\", \"height\"], strides = [\"4 * width + 32\"], "
      "box = [8, \"2 + 2\"], fill";
  struct {
    const char *name, *map, *message, *key;
  } const kCases[] = {
      {"type", R"(tensor_map = "s32", extents = [16, 6], box = [8, 4], fill)",
       "there is no element type 's32' of tensor maps", "\"s32\""},
      {"no_box", R"(tensor_map = "u32", extents = [16, 6], fill)", "has no 'box'",
       "{ name = \"in\""},
      {"box_of_three", R"(tensor_map = "u32", extents = [16, 6], box = [8, 4, 1], fill)",
       "'box' has 2 numbers here, not 3", "box"},
      {"no_stride", R"(tensor_map = "u32", extents = [16, 6], strides = [], box = [8, 4], fill)",
       "'strides' has 1 numbers here, not 0", "strides"},
      {"stride", R"(tensor_map = "u32", extents = ["width + 1", 6], box = [8, 4], fill)",
       "the stride of dimension 2 of the tensor map \"in\" is 68 bytes, at height = 6, width = 16",
       "{ name = \"in\""},
      {"given_stride",
       R"(tensor_map = "u32", extents = [16, 6], strides = [70], box = [8, 4], fill)",
       "is 70 bytes", "strides"},
      {"box", R"(tensor_map = "u32", extents = [16, 6], box = [8, 257], fill)",
       "has 257 elements in dimension 2; 1 to 256 are possible", "box"},
      {"narrow", R"(tensor_map = "u32", extents = [16, 6], box = [3, 4], fill)",
       "rows of 12 bytes, which is not a multiple of 16", "box"},
      {"swizzle", R"(tensor_map = "u32", extents = [16, 6], box = [8, 4], swizzle = 48, fill)",
       "has a swizzle of 48 bytes", "swizzle"},
      {"wide", R"(tensor_map = "u32", extents = [16, 6], box = [16, 4], swizzle = 32, fill)",
       "rows of 64 bytes, more than its swizzle of 32 bytes", "swizzle"},
      {"nan", R"(tensor_map = "u32", extents = [16, 6], box = [8, 4], nan_outside = true, fill)",
       "its elements are integers", "nan_outside"},
      {"half", R"(tensor_map = "u32", extents = ["width / 32", 6], box = [8, 4], fill)", "0.5",
       "extents"},
      {"unknown", R"(tensor_map = "u32", extents = ["wide", 6], box = [8, 4], fill)", "wide",
       "extents"},
      {"syntax", R"(tensor_map = "u32", extents = ["width +", 6], box = [8, 4], fill)", "expected",
       "\"width +\""},
      {"count", R"(tensor_map = "u32", extents = [16, 6], box = [8, 4], count = 96, fill)",
       "unknown key 'count'", "count"},
      {"two_kinds", R"(tensor_map = "u32", buffer = "u32", extents = [16, 6], box = [8, 4], fill)",
       "and tensor_map = TYPE", "{ name = \"in\""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    const Result<Lab> lab = TensorMapLab(kMap, c.map).load();
    ASSERT_FALSE(lab.ok());
    const Diagnostic& first = lab.errors().front();
    EXPECT_THAT(render(lab.errors()), HasSubstr(c.message));
    const std::string text = with(kTensorLab, kMap, c.map);
    const size_t at = text.find(c.key, text.find("{ name = \"in\""));
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(first.place.line,
              1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
    const size_t line = text.rfind('\n', at) + 1;
    // The parser of an expression points behind the quote, at what it did not expect.
    EXPECT_GE(first.place.column, static_cast<int>(at - line) + 1);
    EXPECT_LE(first.place.column, static_cast<int>(at - line) + 14);
  }
}

}  // namespace
}  // namespace warpshop::lab
