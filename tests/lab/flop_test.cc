// Floating-point operations counted in kernels that are really compiled: as many as in the source.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/files.h"
#include "lab/spec.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

std::map<std::string, double> flop_by_case(const std::filesystem::path& cases_file,
                                           const std::string& gpu, const std::string& prefix = "") {
  Result<std::vector<SpecCase>> cases = load_spec(cases_file);
  EXPECT_TRUE(cases.ok()) << render(cases.errors());
  std::erase_if(*cases, [&](const SpecCase& c) { return !c.name.starts_with(prefix); });
  SpecOptions options;
  options.gpu = models::find_gpu_profile(data_dir(), gpu).value();
  options.predict = true;
  std::map<std::string, double> out;
  for (const CaseResult& result : run_spec(*cases, options)) {
    EXPECT_TRUE(result.run.prediction) << result.name << ": " << render(result.errors);
    if (result.run.prediction) out[result.name] = result.run.prediction->flop;
  }
  return out;
}

struct FlopCase {
  const char* what;
  const char* type;        // element type of both arrays
  const char* expression;  // of the thread's element x
  double flop;             // per thread
};

const FlopCase kFlopCases[] = {
    {"copy", "float", "x", 0},
    {"constant", "float", "1.5f", 0},
    {"two-constants", "float", "0.5f * x + 0.25f", 2},
    {"polynomial", "float", "((1.1f * x + 2.2f) * x + 3.3f) * x + 4.4f", 6},
    {"sign", "float", "-fabsf(x)", 0},
    {"larger", "float", "fmaxf(x, 2.0f)", 0},
    {"division", "float", "x / 3.1f", 1},
    {"root", "float", "sqrtf(x)", 1},
    {"comparison", "float", "x < 0.3f ? 1.0f : 2.0f", 0},
    {"conversion", "float", "(float)(int)x", 0},
    {"doubles", "double", "x * 0.3 + 0.7", 2},
    {"modulo", "int", "x % 7", 0},
    {"product-of-integers", "int", "3 * x + 4", 0},
    {"packed-multiply-add", "__half2", "__hfma2(x, x, x)", 4},
    {"packed-sum", "__half2", "__hadd2(x, x)", 2},
    {"packed-constants", "__half2", "__hfma2(x, __float2half2_rn(0.5f), __float2half2_rn(0.25f))",
     4},
    {"half", "__half", "__hfma(x, x, x)", 2},
};

TEST(Flop, AKernelDoesAsManyOperationsAsItsSourceHas) {
  const TemporaryFolder folder;
  std::string source = "#include <cuda_fp16.h>\n";
  nlohmann::json cases;
  for (size_t i = 0; i < std::size(kFlopCases); ++i) {
    const FlopCase& c = kFlopCases[i];
    const std::string kernel = "k" + std::to_string(i);
    const std::string type = c.type;
    source += "extern \"C\" __global__ void " + kernel + "(const " + type + "* in, " + type +
              "* out) {\n" + "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " + type +
              " x = in[i];\n  out[i] = " + c.expression + ";\n}\n";
    const nlohmann::json buffer = {{"buffer", 64 * 256 * 8}, {"fill", "zero"}};
    cases.push_back({{"name", c.what},
                     {"source", "k.cu"},
                     {"kernel", kernel},
                     {"grid", {64, 1, 1}},
                     {"block", {256, 1, 1}},
                     {"dynamic_shared", 0},
                     {"args", {buffer, buffer}}});
  }
  folder.write("k.cu", source);
  folder.write("cases.json", cases.dump());
  const std::map<std::string, double> flop = flop_by_case(folder.path() / "cases.json", "h200");
  for (const FlopCase& c : kFlopCases)
    EXPECT_DOUBLE_EQ(flop.at(c.what) / (64 * 256), c.flop) << c.what;
}

// Lanes that have left the kernel or the loop do no work.
TEST(Flop, OnlyLanesThatTakePartCount) {
  const TemporaryFolder folder;
  folder.write("k.cu",
               "extern \"C\" __global__ void k(const float* in, float* out) {\n"
               "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  if (threadIdx.x % 4 != 0) return;\n"
               "  float x = in[i];\n"
               "  for (int n = 0; n < threadIdx.x % 32; ++n) x = x * 0.5f + 0.25f;\n"
               "  out[i] = x;\n}\n");
  folder.write("cases.json",
               R"([{"name": "lanes", "source": "k.cu", "kernel": "k", "grid": [64, 1, 1],
      "block": [256, 1, 1], "dynamic_shared": 0,
      "args": [{"buffer": 65536, "fill": "zero"}, {"buffer": 65536, "fill": "zero"}]}])");
  // In each of 64 × 8 warps, lanes 0, 4, … 28 run as many iterations as their lane number.
  EXPECT_DOUBLE_EQ(flop_by_case(folder.path() / "cases.json", "h200").at("lanes"),
                   64 * 8 * 2 * (0 + 4 + 8 + 12 + 16 + 20 + 24 + 28));
}

// 2 n³ operations on either GPU: counted in machine code on one, in PTX on the other.
TEST(Flop, AProductOfMatricesIsTheSameWorkOnAnyGpu) {
  const std::filesystem::path cases =
      std::filesystem::path(WARPSHOP_TESTS_DIR) / "hardware" / "timing" / "cases.json";
  for (const char* gpu : {"h200", "gtx-280"}) {
    const std::map<std::string, double> flop = flop_by_case(cases, gpu, "matmul-tiled-16");
    EXPECT_EQ(flop.size(), 1U);
    for (const auto& [name, count] : flop)
      EXPECT_DOUBLE_EQ(count, 2.0 * 2048 * 2048 * 2048) << gpu << ", " << name;
  }
}

}  // namespace
}  // namespace warpshop::lab
