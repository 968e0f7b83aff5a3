// CUDA C++ beyond plain kernels, end to end: CUDA's own headers, virtual functions, memory from the
// device heap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "program.h"

namespace warpshop::cli {
namespace {

using testing::HasSubstr;

template <typename T>
std::vector<T> dumped(const Program& program, const std::string& file) {
  const std::string bytes = program.folder().read(file);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// CUB includes parts of Thrust, which declare a namespace thrust::cuda.
TEST(CudaCpp, CubAndThrustsComplexInEitherOrder) {
  const char* const kHeaders[] = {"#include <cub/cub.cuh>\n", "#include <thrust/complex.h>\n"};
  for (const int first : {0, 1}) {
    const Program program;
    program.folder().write("k.cu", std::string(kHeaders[first]) + kHeaders[1 - first] + R"(
__global__ void k(float* out) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ Reduce::TempStorage storage;
  const thrust::complex<float> z(3.0f, 4.0f);
  const float sum = Reduce(storage).Sum(thrust::abs(z));
  if (threadIdx.x == 0) out[0] = sum;
})");
    const Outcome outcome =
        program.run("run k.cu --kernel k --grid 1 --block 32 --arg f32[1]=zero --dump d");
    ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    const std::vector<float> out = dumped<float>(program, "d/k.0.bin");
    ASSERT_EQ(out.size(), 1U);
    EXPECT_NEAR(out[0], 32 * 5.0f, 1e-3);
  }
}

// Both accesses lie in CUB: each is told by the line of the student's text that calls it.
TEST(CudaCpp, StorageOfCubThatIsUsedAgainWithoutABarrierIsARaceOfTwoLines) {
  for (const bool barrier : {true, false}) {
    const Program program;
    program.folder().write("k.cu", std::string(R"(#include <cub/cub.cuh>
__global__ void k(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ Reduce::TempStorage storage;
  const int one = Reduce(storage).Sum(in[threadIdx.x]);
  )") + (barrier ? "__syncthreads();" : "") +
                                       R"(
  const int two = Reduce(storage).Sum(2 * in[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = one + two;
})");
    const Outcome outcome =
        program.run("run k.cu --kernel k --grid 1 --block 128 --arg i32[128]=iota --arg i32[1]");
    EXPECT_EQ(outcome.status, barrier ? 0 : 1) << outcome.out << outcome.err;
    if (barrier) continue;
    EXPECT_THAT(outcome.out, HasSubstr("k.cu:5:3: error: race: read of \"storage\""));
    EXPECT_THAT(outcome.out, HasSubstr("in line 7"));
    EXPECT_THAT(outcome.out, HasSubstr("k.cu:7:3: note: the other write"));
  }
}

// With nvcc, the host's <cmath> has functions for integers and for different types: they compute in
// double. A kernel of a lab's kind (no host code), a program, and a spec's file are alike.
TEST(CudaCpp, MathematicsOfIntegersAndOfDifferentTypes) {
  const std::string kernel = R"(
__global__ void k(double* out, int n, float x) {
  const double values[] = {pow(2, n),      pow(n, x),        std::pow(n, 2), sqrt(n),
                           std::sqrt(n),   ceil(n / 2),      floor(n),       exp(n),
                           fmod(n, 4),     atan2(n, 2),      fmax(n, x),     fmin(x, 2.0),
                           hypot(n, 24),   fma(n, 2, x),     isnan(n) + 1.0, round(n),
                           pow(x, 0.25),   log2(1u << n),    fabs(-n),       sqrt(x)};
  for (int i = 0; i < 20; ++i) out[i] = values[i];
})";
  const std::vector<double> expected = {128,
                                        std::pow(7.0, 0.5625),
                                        49,
                                        std::sqrt(7.0),
                                        std::sqrt(7.0),
                                        3,
                                        7,
                                        std::exp(7.0),
                                        3,
                                        std::atan2(7.0, 2.0),
                                        7,
                                        0.5625,
                                        25,
                                        14.5625,
                                        1,
                                        7,
                                        std::pow(0.5625, 0.25),
                                        7,
                                        7,
                                        0.75};
  const Program program;
  program.folder().write("k.cu", "#include <cmath>" + kernel);
  program.folder().write("program.cu", "#include <vector>\n#include <cmath>" + kernel +
                                           "\nint main() { k<<<1, 1>>>(nullptr, 7, 0.5625f); }");
  program.folder().write("spec.json", R"([{"name": "spec", "source": "program.cu", "kernel": "k",
    "grid": [1, 1, 1], "block": [1, 1, 1],
    "args": [{"buffer": 160, "fill": "none"}, {"i32": 7}, {"f32": 0.5625}]}])");
  const std::string args =
      " --kernel k --grid 1 --block 1 --arg f64[20]=none --arg i32=7 --arg f32=0.5625 --dump ";
  const std::pair<std::string, std::string> kRuns[] = {
      {"run k.cu" + args + "a", "a/k.0.bin"},
      {"run program.cu" + args + "b", "b/program.0.bin"},
      {"run --spec spec.json --dump c", "c/spec.0.bin"}};
  for (const auto& [command, file] : kRuns) {
    const Outcome outcome = program.run(command);
    ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    const std::vector<double> out = dumped<double>(program, file);
    ASSERT_EQ(out.size(), expected.size());
    for (size_t n = 0; n < out.size(); ++n)
      EXPECT_NEAR(out[n], expected[n], 1e-12 * expected[n]) << command << ", value " << n;
  }
}

TEST(CudaCpp, NamesThatNeedNoIncludeInAProgram) {
  const Program program;
  program.folder().write("k.cu", R"(#include <iostream>
template <std::size_t N>
__global__ void k(uint32_t* out) {
  static_assert(sizeof(uint8_t) == 1 && sizeof(std::ptrdiff_t) == 8 && sizeof(int64_t) == 8);
  const std::nullptr_t nothing = nullptr;
  out[0] = N + (out == nothing) + (__INT_MAX__ == INT_MAX) + (__FLT_MAX__ > 3e38f);
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
}
int main() { std::cout << "host"; })");
  program.folder().write("spec.json", R"([{"name": "s", "source": "k.cu", "kernel": "k<40>",
    "grid": [1, 1, 1], "block": [1, 1, 1], "args": [{"buffer": 4, "fill": "none"}]}])");
  for (const char* command :
       {"run k.cu --kernel 'k<40>' --grid 1 --block 1 --arg u32[1]=none --dump d",
        "run --spec spec.json --dump d"}) {
    const Outcome outcome = program.run(command);
    ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
    const bool spec = std::strstr(command, "spec") != nullptr;
    EXPECT_EQ(dumped<uint32_t>(program, spec ? "d/s.0.bin" : "d/k.0.bin"),
              std::vector<uint32_t>{42});
  }
}

// Such functions have no body and no __device__; nobody calls them.
TEST(CudaCpp, TraitsOfAProgramThatAskForAMember) {
  const Program program;
  program.folder().write("k.cu", R"(#include <iostream>
#include <map>
template <typename T>
class HasApply {
  typedef char yes;
  struct no { char x[2]; };
  template <typename C> static yes test(decltype(&C::apply));
  template <typename C> static no test(...);
  template <typename C> static void print(const std::map<int, C>& values);
 public:
  enum { value = sizeof(test<T>(0)) == sizeof(char) };
};
template <typename T> std::true_type has_size(decltype(T::size)*);
template <typename T> std::false_type has_size(...);
template <typename T> void host_only(std::map<int, T>& values);
struct A { __device__ static int apply(int a) { return 2 * a; } };
struct B { static const int size = 3; };
__global__ void k(int* out) {
  out[0] = HasApply<A>::value;
  out[1] = HasApply<B>::value;
  out[2] = decltype(has_size<A>(nullptr))::value;
  out[3] = decltype(has_size<B>(nullptr))::value;
}
int main() { std::cout << "host"; })");
  const Outcome outcome =
      program.run("run k.cu --kernel k --grid 1 --block 1 --arg i32[4]=none --dump d");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_EQ(dumped<int>(program, "d/k.0.bin"), (std::vector<int>{1, 0, 0, 1}));
}

// The limits that a program has from the compiler are those of libcu++, down to their spelling.
TEST(CudaCpp, LimitsBesideLibcuxx) {
  const Program program;
  program.folder().write("k.cu", R"(#include <cuda/std/limits>
#include <cuda/std/climits>
__global__ void k(double* out) {
  out[0] = __DBL_MAX__ == cuda::std::numeric_limits<double>::max();
  out[1] = __FLT_EPSILON__ == cuda::std::numeric_limits<float>::epsilon();
}
int main() {})");
  const Outcome outcome =
      program.run("run k.cu --kernel k --grid 1 --block 1 --arg f64[2]=none --dump d");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, testing::Not(HasSubstr("redefinition")));
  EXPECT_EQ(dumped<double>(program, "d/k.0.bin"), (std::vector<double>{1, 1}));
}

TEST(CudaCpp, CooperativeGroups) {
  const Program program;
  program.folder().write("k.cu", R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto warp = cg::tiled_partition<32>(block);
  __shared__ int s[128];
  int t = block.thread_rank();
  s[t] = in[t];
  block.sync();
  int sum = cg::reduce(tile, s[127 - t], cg::plus<int>());
  int last = warp.shfl(sum, 31);
  int most = cg::reduce(warp, sum, cg::greater<int>());
  int active = 0;
  if (t % 3 == 0) {
    auto together = cg::coalesced_threads();
    active = together.size() * 100 + together.thread_rank();
    together.sync();
  }
  out[4 * t] = sum;
  out[4 * t + 1] = last;
  out[4 * t + 2] = most;
  out[4 * t + 3] = active + tile.ballot(t & 1) * 10000;
}
)");
  const Outcome outcome = program.run(
      "run k.cu --kernel k --grid 1 --block 128 --arg i32[128]=iota --arg i32[512]=zero --dump d");
  ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  const std::vector<int> out = dumped<int>(program, "d/k.1.bin");
  ASSERT_EQ(out.size(), 512U);
  auto sum_of_tile = [](int tile) {
    int sum = 0;
    for (int t = 8 * tile; t < 8 * tile + 8; ++t) sum += 127 - t;
    return sum;
  };
  for (int t = 0; t < 128; ++t) {
    SCOPED_TRACE(t);
    int size = 0;
    int rank = 0;
    for (int other = t / 32 * 32; other < t / 32 * 32 + 32; ++other) {
      size += other % 3 == 0;
      rank += other % 3 == 0 && other < t;
    }
    EXPECT_EQ(out[4 * t], sum_of_tile(t / 8));
    EXPECT_EQ(out[4 * t + 1], sum_of_tile(t / 32 * 4 + 3));
    EXPECT_EQ(out[4 * t + 2], sum_of_tile(t / 32 * 4));
    EXPECT_EQ(out[4 * t + 3], (t % 3 == 0 ? size * 100 + rank : 0) + 0xaa * 10000);
  }
}

TEST(CudaCpp, TilesOfSeveralWarps) {
  const Program program;
  program.folder().write("k.cu", R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* out) {
  __shared__ cg::block_tile_memory<256> scratch;
  __shared__ int s[256];
  auto tile = cg::tiled_partition<64>(cg::this_thread_block(scratch));
  int t = threadIdx.x;
  s[t] = in[t];
  tile.sync();
  int other = s[t ^ 32];
  int sum = cg::reduce(tile, other, cg::plus<int>());
  out[t] = sum * 1000 + other;
}
)");
  for (const char* const gpu : {"h200", "a100"}) {
    const Outcome outcome = program.run(
        "run k.cu --kernel k --grid 2 --block 256 --arg i32[256]=iota --arg i32[256]=zero --dump d "
        "--gpu " +
        std::string(gpu));
    ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
    // The system's reserve does not count as the block's shared memory, which is s and an empty
    // object.
    EXPECT_THAT(outcome.out, testing::ContainsRegex("shared 1,0(24|32) \\+ 0 bytes"));
    const std::vector<int> out = dumped<int>(program, "d/k.1.bin");
    ASSERT_EQ(out.size(), 256U);
    for (int t = 0; t < 256; ++t) {
      const int first = t / 64 * 64;
      EXPECT_EQ(out[t], (64 * first + 63 * 32) * 1000 + (t ^ 32)) << t;
    }
  }
}

// Sums per block, a grid barrier, then the total in every block.
const char* const kGridSum = R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int* in, int* part, int* out, int n) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x) sum += in[i];
    part[blockIdx.x] = sum;
  }
  grid.sync();
  int total = 0;
  for (int b = 0; b < gridDim.x; ++b) total += part[b];
  grid.sync();
  if (threadIdx.x == 0) part[blockIdx.x] = total + grid.is_valid();
  if (grid.thread_rank() == 0) *out = grid.num_blocks() * 1000 + grid.num_threads();
}
)";

TEST(CudaCpp, TheGridMeetsInACooperativeLaunch) {
  const Program program;
  program.folder().write("k.cu", kGridSum);
  const std::string launch =
      "run k.cu --kernel k --grid 40 --block 64 --arg i32[999]=iota --arg i32[40]=none --arg "
      "i32[1]=none --arg i32=999";
  const Outcome outcome = program.run(launch + " --cooperative --dump d");
  ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  for (const int total : dumped<int>(program, "d/k.1.bin")) EXPECT_EQ(total, 999 * 998 / 2 + 1);
  EXPECT_EQ(dumped<int>(program, "d/k.2.bin").at(0), 40 * 1000 + 40 * 64);

  const Outcome plain = program.run(launch);
  EXPECT_EQ(plain.status, 1);
  EXPECT_THAT(plain.out, HasSubstr("this launch is not cooperative"));
  EXPECT_THAT(plain.out, HasSubstr("--cooperative"));

  // 2048 threads per SM on 132 SMs: 32 blocks of 64 threads each, whatever the registers.
  const Outcome large = program.run(with(launch + " --cooperative", "--grid 40", "--grid 4225"));
  EXPECT_EQ(large.status, 2);
  EXPECT_THAT(
      large.err,
      HasSubstr(
          "needs all its 4225 blocks on the GPU at the same time; 4224 fit: 32 per SM on 132 SMs"));

  program.folder().write(
      "spec.json",
      R"([{"name": "s", "source": "k.cu", "kernel": "k", "grid": [4, 1, 1], "block": [64, 1, 1],
    "cooperative": true, "args": [{"buffer": 40, "fill": "iota"}, {"buffer": 16, "fill": "none"},
                                 {"buffer": 4, "fill": "none"}, {"i32": 10}]}])");
  const Outcome spec = program.run("run --spec spec.json --dump s");
  EXPECT_EQ(spec.status, 0) << spec.err << spec.out;
  EXPECT_EQ(dumped<int>(program, "s/s.1.bin"), std::vector<int>(4, 46));
}

// libcu++ compiles it to bulk copies on 9.0 and to cp.async on 8.0.
TEST(CudaCpp, AsynchronousCopiesWithABarrier) {
  const Program program;
  program.folder().write("k.cu", R"(#include <cooperative_groups.h>
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void k(const float4* in, float4* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar[2];
  __shared__ alignas(16) float4 s[2][64];
  auto block = cooperative_groups::this_thread_block();
  if (threadIdx.x < 2) init(&bar[threadIdx.x], blockDim.x);
  __syncthreads();
  cuda::memcpy_async(block, s[0], in, cuda::aligned_size_t<16>(64 * sizeof(float4)), bar[0]);
  for (int tile = 0; tile < 4; ++tile) {
    if (tile < 3) {
      cuda::memcpy_async(&s[(tile + 1) % 2][threadIdx.x], &in[64 * (tile + 1) + threadIdx.x],
                         cuda::aligned_size_t<16>(16), bar[(tile + 1) % 2]);
    }
    bar[tile % 2].arrive_and_wait();
    out[64 * tile + threadIdx.x] = s[tile % 2][63 - threadIdx.x];
    __syncthreads();
  }
}
)");
  for (const std::string gpu : {"h200", "a100"}) {
    const Outcome outcome = program.run(
        "run k.cu --kernel k --block 64 --arg i32[1024]=iota --arg i32[1024]=none --dump d --gpu " +
        gpu);
    ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
    const std::vector<int> out = dumped<int>(program, "d/k.1.bin");
    ASSERT_EQ(out.size(), 1024U);
    for (int i = 0; i < 1024; ++i)
      EXPECT_EQ(out[i], i / 256 * 256 + 4 * (63 - i % 256 / 4) + i % 4) << gpu << i;
  }
}

TEST(CudaCpp, MatrixFragments) {
  const Program program;
  program.folder().write("k.cu", R"(#include <mma.h>
using namespace nvcuda;
__global__ void k(float* out) {
  __shared__ half a[256];
  __shared__ half b[256];
  for (int i = threadIdx.x; i < 256; i += 32) {
    a[i] = __float2half(i / 16);
    b[i] = __float2half(i % 16 == i / 16 ? 2.0f : 0.0f);
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 3.0f;
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}
)");
  const Outcome outcome =
      program.run("run k.cu --kernel k --grid 1 --block 32 --arg f32[256]=zero --dump d");
  ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  const std::vector<float> out = dumped<float>(program, "d/k.0.bin");
  ASSERT_EQ(out.size(), 256U);
  for (size_t i = 0; i < 256; ++i) {
    const size_t row = i / 16;
    EXPECT_EQ(out[i], 3.0F * (1.0F + 2.0F * static_cast<float>(row))) << i;
  }
}

const char* const kShapes = R"(struct Shape { __device__ virtual float area() const = 0; };
struct Square : Shape {
  float a;
  __device__ Square(float x) : a(x) {}
  __device__ float area() const override { return a * a; }
};
struct Triple : Shape {
  float a;
  __device__ Triple(float x) : a(x) {}
  __device__ float area() const override { return 3.0f * a; }
};
typedef int (*Operation)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ Operation table[2] = {add, multiply};
__global__ void k(int* out, float* areas) {
  int t = threadIdx.x;
  out[t] = table[t & 1](t, 3);
  Shape* s = t % 3 == 0 ? static_cast<Shape*>(new Square(t)) : static_cast<Shape*>(new Triple(t));
  areas[t] = s->area();
  if (t != LEFT) delete s;
}
)";
const char* const kShapesRun =
    "run k.cu --kernel k --grid 1 --block 32 --arg i32[32]=zero --arg f32[32]=zero --dump d "
    "--option -DLEFT=99";

TEST(CudaCpp, FunctionPointersVirtualFunctionsAndNew) {
  const Program program;
  program.folder().write("k.cu", kShapes);
  const Outcome outcome = program.run(kShapesRun);
  ASSERT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  const std::vector<int> out = dumped<int>(program, "d/k.0.bin");
  const std::vector<float> areas = dumped<float>(program, "d/k.1.bin");
  ASSERT_EQ(out.size(), 32U);
  ASSERT_EQ(areas.size(), 32U);
  for (int t = 0; t < 32; ++t) {
    const auto x = static_cast<float>(t);
    EXPECT_EQ(out[static_cast<size_t>(t)], t % 2 == 0 ? t + 3 : 3 * t);
    EXPECT_EQ(areas[static_cast<size_t>(t)], t % 3 == 0 ? x * x : 3.0F * x);
  }
}

TEST(CudaCpp, AForgottenDeleteIsTold) {
  const Program program;
  program.folder().write("k.cu", kShapes);
  const Outcome outcome = program.run(with(kShapesRun, "-DLEFT=99", "-DLEFT=4"));
  EXPECT_THAT(outcome.out, HasSubstr("k.cu:19:"));
  EXPECT_THAT(outcome.out, HasSubstr("never freed"));
}

}  // namespace
}  // namespace warpshop::cli
