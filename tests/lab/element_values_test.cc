// Buffers whose elements a lab file describes by an expression.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "files/each_fill.h"

namespace warpshop::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const ProblemSize kSize{.label = "n = 8", .variables = {{"n", 8}, {"rows", 3}}};

KernelArg buffer(ElementType type, const std::string& expression) {
  KernelArg out;
  out.type = type;
  out.is_buffer = true;
  out.count = "n";
  out.fill = "each=" + expression;
  return out;
}

template <typename T>
std::vector<T> elements(const KernelArg& arg) {
  const Result<Content> content = content_of(arg, kSize);
  EXPECT_TRUE(content.ok()) << render(content.errors());
  if (!content.ok()) return {};
  std::vector<T> out(content->bytes.size() / sizeof(T));
  std::memcpy(out.data(), content->bytes.data(), content->bytes.size());
  return out;
}

TEST(ElementValues, FollowTheExpression) {
  EXPECT_THAT(elements<int>(buffer(ElementType::kI32, "5 * i + 400 * (i > 5)")),
              ElementsAre(0, 5, 10, 15, 20, 25, 430, 435));
  EXPECT_THAT(elements<int>(buffer(ElementType::kI32, "-floor(i / rows)")),
              ElementsAre(0, 0, 0, -1, -1, -1, -2, -2));
  EXPECT_THAT(elements<int>(buffer(ElementType::kI32, "(i - 4) % 3")),
              ElementsAre(-1, 0, -2, -1, 0, 1, 2, 0));
  EXPECT_THAT(elements<double>(buffer(ElementType::kF64, "i % 2.5")),
              ElementsAre(0, 1, 2, 0.5, 1.5, 0, 1, 2));
  EXPECT_THAT(elements<uint8_t>(buffer(ElementType::kU8, "max(i % 3, 1, 255 * (i == 7))")),
              ElementsAre(1, 1, 2, 1, 1, 2, 1, 255));
  EXPECT_THAT(elements<float>(buffer(ElementType::kF32, "ceil_div(i, 4) / 2")),
              ElementsAre(0, 0.5F, 0.5F, 0.5F, 0.5F, 1, 1, 1));
}

// 1/3 lies between 0x3555 and 0x3556 in binary16, and 1/3 of 2^-24 rounds to 0; bfloat16 has the
// upper half of 0x3eaaaaab.
TEST(ElementValues, RoundToSixteenBits) {
  EXPECT_THAT(elements<uint16_t>(buffer(ElementType::kF16, "i / 3")),
              ElementsAre(0, 0x3555, 0x3955, 0x3C00, 0x3D55, 0x3EAB, 0x4000, 0x40AB));
  EXPECT_EQ(elements<uint16_t>(buffer(ElementType::kBf16, "i / 3"))[1], 0x3EAB);
  EXPECT_EQ(elements<uint16_t>(buffer(ElementType::kF16, "65520 * i"))[1], 0x7C00) << "infinite";
}

TEST(ElementValues, AreTheWordsOfTheRandomFillBeyondTheFirstChunk) {
  KernelArg arg = buffer(ElementType::kU32, "random");
  arg.count = "10000";
  arg.seed = 3;
  const std::vector<uint32_t> got = elements<uint32_t>(arg);
  ASSERT_EQ(got.size(), 10000U);
  std::vector<uint32_t> want(got.size());
  fill_bytes({.kind = FillKind::kRandom, .type = ElementType::kU32, .seed = 3},
             {reinterpret_cast<uint8_t*>(want.data()), want.size() * 4});
  EXPECT_EQ(got, want);
}

TEST(ElementValues, SayWhichElementDoesNotFit) {
  const auto problem = [](ElementType type, const std::string& expression) {
    const Diagnostics found =
        element_problems(buffer(type, expression), {"lab.toml", 7, 20}, {&kSize});
    return found.empty() ? std::string() : render(found);
  };
  EXPECT_EQ(problem(ElementType::kI32, "i * 2"), "");
  EXPECT_THAT(problem(ElementType::kI32, "i / 2"),
              HasSubstr("at n = 8: element 1 would be 0.5, which i32 cannot hold"));
  EXPECT_THAT(problem(ElementType::kU8, "i * 100"), HasSubstr("element 3 would be 300"));
  EXPECT_THAT(problem(ElementType::kU32, "i - 1"), HasSubstr("element 0 would be -1"));
  EXPECT_THAT(problem(ElementType::kI64, "i + row"), HasSubstr("there is no name 'row'"));
  EXPECT_THAT(problem(ElementType::kI32, "n / i"), HasSubstr("division by zero: i is 0"));
  EXPECT_THAT(problem(ElementType::kI32, "i +"), HasSubstr("lab.toml:7"));
  // 2^32 - 1 is the largest u32, 2^63 - 1 no double.
  EXPECT_EQ(problem(ElementType::kU32, "4294967288 + i"), "");
  EXPECT_THAT(problem(ElementType::kU32, "4294967289 + i"), HasSubstr("element 7"));
  EXPECT_THAT(problem(ElementType::kI64, "9223372036854775807"), HasSubstr("element 0"));
}

TEST(ElementValues, AreReplacedWithTheOtherInputs) {
  Lab lab;
  lab.steps.resize(1);
  Exercise& exercise = lab.steps[0].exercise.emplace();
  exercise.args = {buffer(ElementType::kU32, "random % 1000"), buffer(ElementType::kU32, "i % 3")};
  const Lab other = with_inputs(lab, 7);
  const std::vector<KernelArg>& args = other.steps[0].exercise->args;
  EXPECT_NE(elements<uint32_t>(args[0]), elements<uint32_t>(exercise.args[0]));
  EXPECT_EQ(elements<uint32_t>(args[1]), elements<uint32_t>(exercise.args[1]));
}

}  // namespace
}  // namespace warpshop::lab
