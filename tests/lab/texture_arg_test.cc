// Kernels with texture and surface arguments in labs and specs, compiled by NVRTC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "lab/fills.h"
#include "lab/runner.h"
#include "lab/spec.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kLab = R"toml(format = 1
id = "blur"
title = "Blur"
summary = "A texture and a surface."
order = 1
[[step]]
id = "blur"
title = "Blur"
text = "blur.md"
[step.exercise]
kernel = "blur"
solution = "blur.cu"
reference = "blur.cu"
launch = "launch(n)"
args = [
  { name = "image", texture = "f32", width = "2 * n", height = "n", fill = "random", )toml"
                             R"toml(filter = "point", address = "clamp" },
  { name = "weights", texture = "f32", count = "3", fill = "iota" },
  { name = "out", surface = "f32", width = "2 * n", height = "n", fill = "none", output = true },
  { name = "n", scalar = "i32", value = "n" },
]
sizes = [{ n = 24 }]
[[step.exercise.check]]
id = "fetches"
title = "Fetches"
metric = "texture_instructions"
at_most = "7 * blocks * 2"
message = "Too many."
)toml";

// Both kernels read three texels of a row; outside the image, they use the texel at the edge.
constexpr const char* kReference = R"(
__global__ void blur(cudaTextureObject_t image, cudaTextureObject_t weights,
                     cudaSurfaceObject_t out, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (x >= 2 * n || y >= n) return;
  float sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += tex1Dfetch<float>(weights, i) * tex2D<float>(image, x + i - 1 + 0.5f, y + 0.5f);
  surf2Dwrite(sum, out, x * 4, y);
}
__host__ __device__ Launch launch(int n) { return {dim3(2 * n / 16, n / 4), dim3(16, 4)}; }
)";
constexpr const char* kSolution = R"(
__global__ void blur(cudaTextureObject_t image, cudaTextureObject_t weights,
                     cudaSurfaceObject_t out, int n) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  if (x >= 2 * n || y >= n) return;
  float left = tex2D<float>(image, x - 0.5f, y + 0.5f);
  //! begin
  float middle = tex2D<float>(image, x + 0.5f, y + 0.5f);
  //! instead
  //! float middle = 0;
  //! end
  float right = tex2D<float>(image, x + 1.5f, y + 0.5f);
  float sum = 0 + tex1Dfetch<float>(weights, 0) * left;
  sum += tex1Dfetch<float>(weights, 1) * middle;
  sum += tex1Dfetch<float>(weights, 2) * right;
  surf2Dwrite(sum, out, x * 4, y);
}
__host__ __device__ Launch launch(int n) { return {dim3(2 * n / 16, n / 4), dim3(16, 4)}; }
)";

class TextureLab {
 public:
  TextureLab(const std::string& from = {}, const std::string& to = {}) {
    folder_.write("labs/blur/lab.toml", from.empty() ? kLab : with(kLab, from, to));
    folder_.write("labs/blur/blur.md", "Blur.");
    folder_.write("kernels/blur/blur.cu", kReference);
    folder_.write("solutions/blur/blur.cu", kSolution);
  }
  Result<Lab> load() const { return load_lab(folder_.path(), "blur"); }

 private:
  TemporaryFolder folder_;
};

models::GpuProfile texture_gpu() { return models::find_gpu_profile(data_dir(), "h200").value(); }

RunResult run(const Lab& lab, const std::string& source) {
  Result<Runner> runner = Runner::create();
  RunRequest request;
  request.lab = &lab;
  request.step = &lab.steps[0];
  request.source = source;
  request.file_name = "blur.cu";
  request.gpu = texture_gpu();
  return runner->run(request);
}

TEST(TextureArg, ALabRunsOnTexturesAndSurfaces) {
  const Result<Lab> lab = TextureLab().load();
  ASSERT_TRUE(lab.ok()) << render(lab.errors());
  const Exercise& exercise = *lab->steps[0].exercise;
  EXPECT_EQ(element_count(exercise.args[0], exercise.sizes[0]), 48U * 24);
  EXPECT_EQ(extent_of(exercise.args[1], exercise.sizes[0]).width, 3U);

  const RunResult right = run(*lab, exercise.solution);
  EXPECT_TRUE(right.passed) << render(right.diagnostics);
  // Six fetches and a store by each of 18 blocks of two warps.
  ASSERT_EQ(right.sizes.size(), 1U);
  EXPECT_EQ(right.sizes[0].student.instructions.texture_instructions, 7U * 18 * 2);
  EXPECT_TRUE(right.sizes[0].student.findings.empty());

  const RunResult wrong = run(*lab, exercise.skeleton);
  EXPECT_FALSE(wrong.passed);
  EXPECT_FALSE(wrong.sizes[0].correct);
}

TEST(TextureArg, MistakesOfKernelsAreFoundWithTheirLine) {
  const Result<Lab> lab = TextureLab().load();
  ASSERT_TRUE(lab.ok());
  struct {
    const char *name, *from, *to;
    emulator::FindingKind kind;
    int line;
    const char* message;
  } const kCases[] = {
      {"x_in_texels", "out, x * 4, y", "out, x, y", emulator::FindingKind::kMisaligned, 9,
       "not a multiple of 4"},
      {"no_guard", "if (x >= 2 * n || y >= n) return;", "x += 1;",
       emulator::FindingKind::kOutOfBounds, 9, "of the surface \"out\""},
      {"other_type", "tex1Dfetch<float>", "tex1Dfetch<int>", emulator::FindingKind::kTexture, 8,
       "\"weights\" gives floats"},
      {"texture_as_surface", "surf2Dwrite(sum, out", "surf2Dwrite(sum, image",
       emulator::FindingKind::kTexture, 9, "\"image\" is a texture object"},
      {"one_dimension", "tex2D<float>(image, x + i - 1 + 0.5f, y + 0.5f)",
       "tex1D<float>(image, x + 0.5f)", emulator::FindingKind::kTexture, 8,
       "\"image\" is two-dimensional"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    const RunResult result = run(*lab, with(kReference, c.from, c.to));
    EXPECT_FALSE(result.passed);
    ASSERT_EQ(result.sizes.size(), 1U) << render(result.diagnostics);
    ASSERT_FALSE(result.sizes[0].student.findings.empty());
    const emulator::Finding& finding = result.sizes[0].student.findings[0];
    EXPECT_EQ(finding.kind, c.kind);
    EXPECT_EQ(finding.place.file, "blur.cu");
    EXPECT_EQ(finding.place.line, c.line);
    EXPECT_THAT(finding.message, HasSubstr(c.message));
  }
}

TEST(TextureArg, WhatAStudentDidNotWriteIsWrong) {
  const Result<Lab> lab = TextureLab().load();
  ASSERT_TRUE(lab.ok());
  const RunResult result =
      run(*lab, with(kReference, "surf2Dwrite(sum", "if (x != 5) surf2Dwrite(sum"));
  ASSERT_EQ(result.sizes.size(), 1U) << render(result.diagnostics);
  EXPECT_FALSE(result.sizes[0].correct);
}

TEST(TextureArg, MistakesOfLabFilesAreNamed) {
  struct {
    const char *name, *from, *to, *message;
  } const kCases[] = {
      {"address", "address = \"clamp\"", "address = \"edge\"", "there is no address mode 'edge'"},
      {"filter", "filter = \"point\"", "filter = \"cubic\"", "there is no filter 'cubic'"},
      {"wrap", "address = \"clamp\"", "address = \"wrap\"",
       "wrap and mirror work with normalised coordinates alone"},
      {"linear_integers",
       "texture = \"f32\", width = \"2 * n\", height = \"n\", fill = \"random\", filter = "
       "\"point\"",
       "texture = \"u8\", width = \"n\", fill = \"random\", filter = \"linear\"",
       "a linear filter gives fractions"},
      {"type", "image\", texture = \"f32\"", "image\", texture = \"f64\"", "texels cannot be f64"},
      {"channels", "address = \"clamp\"", "channels = 3", "a texel has 1, 2 or 4 channels"},
      {"too_wide", "image\", texture = \"f32\", width = \"2 * n\"",
       "image\", texture = \"f32\", width = \"100000 * n\"", "is too large: at most 131072"},
      {"empty", "image\", texture = \"f32\", width = \"2 * n\"",
       "image\", texture = \"f32\", width = \"n - n\"", "at least one texel"},
      {"no_width", "surface = \"f32\", width = \"2 * n\"", "surface = \"f32\"",
       "the surface has no 'width'"},
      {"output", "address = \"clamp\"", "output = true", "a kernel cannot write a texture"},
      {"surface_filter", "fill = \"none\", output", "filter = \"point\", fill = \"none\", output",
       "unknown key 'filter'"},
      {"two_kinds", "surface = \"f32\"", "surface = \"f32\", buffer = \"f32\"",
       "needs one of buffer = TYPE"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    const Result<Lab> lab = TextureLab(c.from, c.to).load();
    ASSERT_FALSE(lab.ok());
    EXPECT_THAT(render(lab.errors()), HasSubstr(c.message));
    EXPECT_GT(lab.errors().front().place.line, 0);
  }
}

TEST(TextureArg, ASpecRunsThem) {
  TemporaryFolder folder;
  folder.write("k.cu", R"(
extern "C" __global__ void k(cudaTextureObject_t t, cudaTextureObject_t plain,
                             cudaSurfaceObject_t s, float* out) {
  int i = threadIdx.x;
  // Halfway between two texels and, at the end, the edge texel.
  out[i] = tex1D<float>(t, (i + 1) / 8.0f) + tex1Dfetch<uchar2>(plain, i).y;
  surf1Dwrite((unsigned)i * 3, s, i * 4);
})");
  folder.write("cases.json",
               R"([{"name": "k", "source": "k.cu", "kernel": "k", "grid": [1,1,1], "block": [8,1,1],
  "args": [
    {"texture": "f32", "width": 8, "fill": "file=ramp", "filter": "linear",
     "address": "clamp", "normalized": true},
    {"texture": "u8", "count": 8, "channels": 2, "fill": "file=bytes"},
    {"surface": "u32", "width": 8, "fill": "none"},
    {"buffer": 32, "fill": "none"}]}])");
  std::string ramp;
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    const auto value = static_cast<float>(i);
    ramp.append(reinterpret_cast<const char*>(&value), 4);
    bytes += std::string(1, 'x') + static_cast<char>(i * 16);
  }
  folder.write("ramp", ramp);
  folder.write("bytes", bytes);
  const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  SpecOptions options;
  options.gpu = texture_gpu();
  options.keep_buffers = true;
  const std::vector<CaseResult> results = run_spec(*cases, options);
  ASSERT_TRUE(results[0].errors.empty()) << render(results[0].errors);
  EXPECT_TRUE(results[0].run.findings.empty());
  ASSERT_EQ(results[0].bytes.size(), 4U);
  for (size_t i = 0; i < 8; ++i) {
    float got = 0;
    uint32_t stored = 0;
    std::memcpy(&got, results[0].bytes[3].data() + 4 * i, 4);
    std::memcpy(&stored, results[0].bytes[2].data() + 4 * i, 4);
    EXPECT_EQ(got, (i < 7 ? static_cast<float>(i) + 0.5f : 7.0f) + static_cast<float>(16 * i));
    EXPECT_EQ(stored, 3 * i);
  }
}

TEST(TextureArg, ASpecHasVolumesLayersAndCubes) {
  TemporaryFolder folder;
  folder.write("k.cu", R"(
extern "C" __global__ void k(cudaTextureObject_t volume, cudaTextureObject_t layers,
                             cudaTextureObject_t cube, cudaTextureObject_t cubes,
                             cudaSurfaceObject_t written, float* out) {
  int i = threadIdx.x;  // 0 … 7
  int x = i & 1, y = i >> 1 & 1, z = i >> 2;
  out[i] = tex3D<float>(volume, x + 0.5f, y + 0.5f, z + 0.5f);
  out[8 + i] = tex2DLayered<float>(layers, x + 0.5f, y + 0.5f, z);
  out[16 + i] = texCubemap<float>(cube, i == 0, i == 1, i == 2 ? 1 : i == 3 ? -1 : 0);
  out[24 + i] = texCubemapLayered<float>(cubes, 1, 0, 0, z);
  surf3Dwrite(10 * i, written, x * 4, y, z);
})");
  folder.write("cases.json",
               R"([{"name": "k", "source": "k.cu", "kernel": "k", "grid": [1,1,1], "block": [8,1,1],
  "args": [
    {"texture": "f32", "width": 2, "height": 2, "depth": 2, "fill": "file=ramp"},
    {"texture": "f32", "width": 2, "height": 2, "layers": 2, "fill": "file=ramp"},
    {"texture": "f32", "width": 1, "height": 1, "cube": true, "fill": "file=ramp",
     "normalized": true},
    {"texture": "f32", "width": 1, "height": 1, "cube": true, "layers": 2, "fill": "file=ramp",
     "normalized": true},
    {"surface": "u32", "width": 2, "height": 2, "depth": 2, "fill": "none"},
    {"buffer": 128, "fill": "none"}]}])");
  std::string ramp;
  for (int i = 0; i < 12; ++i) {
    const auto value = static_cast<float>(i);
    ramp.append(reinterpret_cast<const char*>(&value), 4);
  }
  folder.write("ramp", ramp);
  const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  SpecOptions options;
  options.gpu = texture_gpu();
  options.keep_buffers = true;
  const std::vector<CaseResult> results = run_spec(*cases, options);
  ASSERT_TRUE(results[0].errors.empty()) << render(results[0].errors);
  EXPECT_TRUE(results[0].run.findings.empty());
  float got[32];
  ASSERT_EQ(results[0].bytes[5].size(), sizeof got);
  std::memcpy(got, results[0].bytes[5].data(), sizeof got);
  const int faces[8] = {0, 2, 4, 5, 4, 4, 4, 4};  // no direction at all leads to +z
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(got[i], i);
    EXPECT_EQ(got[8 + i], i);
    EXPECT_EQ(got[16 + i], faces[i]) << i;
    EXPECT_EQ(got[24 + i], i < 4 ? 0 : 6);
    uint32_t stored = 0;
    std::memcpy(&stored, results[0].bytes[4].data() + 4 * i, 4);
    EXPECT_EQ(stored, 10U * static_cast<uint32_t>(i));
  }
}

TEST(TextureArg, MistakesOfSpecsAreNamed) {
  struct {
    const char *arg, *message;
  } const kCases[] = {
      {R"({"texture": "f32", "fill": "zero"})", "there is no \"width\" here"},
      {R"({"texture": "f8", "width": 8, "fill": "zero"})", "there is no element type \"f8\""},
      {R"({"texture": "f32", "width": 8})", "there is no \"fill\" here"},
      {R"({"texture": "f32", "width": 8, "fill": "zero", "filter": "cubic"})",
       "there is no filter 'cubic'"},
      {R"({"texture": "u32", "width": 8, "fill": "zero", "read": "normalized"})",
       "32-bit integers cannot be read as normalised floats"},
      {R"({"texture": "f32", "width": 8, "height": 4, "cube": true, "fill": "zero"})",
       "is a cube, whose faces are squares"},
      {R"({"texture": "f32", "width": 8, "depth": 4, "fill": "zero"})",
       "is three-dimensional, which has a height and no layers"},
      {R"({"texture": "f32", "width": 8, "channels": 3, "fill": "zero"})",
       "a texel has 1, 2 or 4 channels"},
      {R"({"surface": "f32", "width": 200000, "fill": "zero"})", "is too large"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.arg);
    TemporaryFolder folder;
    folder.write("cases.json", R"([{"name": "k", "source": "k.cu", "kernel": "k",
  "grid": [1,1,1], "block": [8,1,1], "args": [)" +
                                   std::string(c.arg) + "]}]");
    const Result<std::vector<SpecCase>> cases = load_spec(folder.path() / "cases.json");
    ASSERT_FALSE(cases.ok());
    EXPECT_THAT(cases.errors().front().message, HasSubstr(c.message));
    EXPECT_EQ(cases.errors().front().place.line, 2);
  }
}

}  // namespace
}  // namespace warpshop::lab
