// Inputs that students cannot know: a kernel that recomputes them fails, and a grading stores their
// seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "class_folder.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// The fixture's inputs by the formula in docs/writing-a-lab.md; one load, so that the checks have
// something to judge.
std::string made_by_itself() {
  return "__device__ unsigned mix(unsigned x) {\n"
         "  x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; return x ^ (x >> 16);\n"
         "}\n"
         "__global__ void scale(const float* in, float* out, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i < n) out[i] = 2.0f * (float(mix(i) & 0xFFFF) / 65536.0f - 0.25f) + 0.0f * "
         "in[0];\n"
         "}\n"
         "__host__ __device__ Launch launch(int n) { return {dim3((n + 255) / 256), dim3(256)}; "
         "}\n";
}

TEST(Inputs, AKernelThatMakesThemItselfFailsWithInputsThatItCannotKnow) {
  ClassFolder folder;
  folder.hand_in("ada", "fixture-scale.cu", made_by_itself());
  folder.hand_in("bob", "fixture-scale.cu", folder.solution("scale"));
  EXPECT_EQ(find_grade(grade_all(folder, folder.options()), "ada", "scale")->verdict,
            Verdict::kPassed);

  std::vector<lab::Lab> labs = folder.labs();
  for (lab::Lab& lab : labs) lab = lab::with_inputs(std::move(lab), 20261123);
  const Result<Class> found = find_submissions(folder.submissions(), labs, {});
  ASSERT_TRUE(found.ok());
  GradeOptions options = folder.options();
  options.inputs = 20261123;
  const GradeResult result = grade(*found, options).value();
  EXPECT_EQ(result.graded_now, 2U) << "what was graded with other inputs says nothing";
  EXPECT_EQ(find_grade(result, "ada", "scale")->verdict, Verdict::kFailed);
  EXPECT_THAT(find_grade(result, "ada", "scale")->reason, HasSubstr("elements wrong"));
  EXPECT_EQ(find_grade(result, "bob", "scale")->verdict, Verdict::kPassed)
      << find_grade(result, "bob", "scale")->reason;
  EXPECT_EQ(nlohmann::json::parse(grades_json(*found, result))["inputs"], 20261123);
  EXPECT_EQ(grade(*found, options)->graded_now, 0U);
}

TEST(Inputs, ASeedIsMadeOnceAndKept) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  const uint64_t first = inputs_seed(out, std::nullopt).value();
  EXPECT_NE(first, 0U);
  EXPECT_EQ(inputs_seed(out, std::nullopt).value(), first);
  EXPECT_NE(inputs_seed(folder.path() / "other", std::nullopt).value(), first);
  struct stat info {};
  ASSERT_EQ(::stat((out / "inputs-seed").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  // A requested seed is stored as well, and no temporary file is left behind.
  EXPECT_EQ(inputs_seed(out, 7).value(), 7U);
  EXPECT_EQ(inputs_seed(out, std::nullopt).value(), 7U);
  EXPECT_EQ(inputs_seed(out, 0).value(), 0U);
  EXPECT_EQ(inputs_seed(out, std::nullopt).value(), 0U);
  EXPECT_EQ(std::distance(fs::directory_iterator(out), fs::directory_iterator()), 1);
}

TEST(Inputs, ASeedThatCannotBeReadIsSaid) {
  const TemporaryFolder folder;
  for (const char* text : {"", "x", "7", "7 8\n", "-1\n", "18446744073709551616\n"}) {
    folder.write("inputs-seed", text);
    const Result<uint64_t> seed = inputs_seed(folder.path(), std::nullopt);
    ASSERT_FALSE(seed.ok()) << text;
    EXPECT_THAT(render(seed.errors()), HasSubstr("inputs-seed")) << text;
    EXPECT_THAT(render(seed.errors()), HasSubstr("--inputs")) << text;
  }
  EXPECT_EQ(inputs_seed(folder.path(), 9).value(), 9U) << "the one that is named counts";
  folder.write("file", "");
  EXPECT_FALSE(inputs_seed(folder.path() / "file" / "out", std::nullopt).ok());
}

}  // namespace
}  // namespace warpshop::grade
