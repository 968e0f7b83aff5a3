#include "text/cuda_language.h"

#include <gtest/gtest.h>

#include <map>

namespace warpshop::ui {
namespace {

std::map<std::string, CodeKind> kinds(std::string_view line) {
  bool in_comment = false;
  std::map<std::string, CodeKind> out;
  for (const CodeToken& token : tokenize_cuda(line, in_comment))
    out[std::string(token.text)] = token.kind;
  return out;
}

TEST(CudaLanguage, KnowsCudaBesidesCpp) {
  auto k =
      kinds("__global__ void f(float4* p) { p[threadIdx.x] = make_float4(1.0f, 0, 0, 0); } // end");
  EXPECT_EQ(k["__global__"], CodeKind::kKeyword);
  EXPECT_EQ(k["float4"], CodeKind::kType);
  EXPECT_EQ(k["threadIdx"], CodeKind::kBuiltin);
  EXPECT_EQ(k["make_float4"], CodeKind::kBuiltin);
  EXPECT_EQ(k["1.0f"], CodeKind::kNumeral);
  EXPECT_EQ(k["// end"], CodeKind::kComment);
  EXPECT_EQ(k["f"], CodeKind::kText);
  EXPECT_TRUE(cuda_language()->keywords.contains("__shared__"));
  EXPECT_TRUE(cuda_language()->keywords.contains("for"));  // C++ keywords remain
}

TEST(CudaLanguage, TokensAddUpToTheLine) {
  for (std::string_view line : {"int a = b/c; /* x */ d", "printf(\"%d \\\"q\\\"\\n\", 'c');",
                                "  #pragma unroll", "", "a//b", "\"open", "/* open"}) {
    bool in_comment = false;
    std::string all;
    for (const CodeToken& token : tokenize_cuda(line, in_comment)) all += token.text;
    EXPECT_EQ(all, line);
    EXPECT_EQ(in_comment, line == "/* open");
  }
}

TEST(CudaLanguage, ACommentGoesOnOverLines) {
  bool in_comment = true;
  const auto tokens = tokenize_cuda("still */ int", in_comment);
  EXPECT_FALSE(in_comment);
  EXPECT_EQ(tokens.front().kind, CodeKind::kComment);
  EXPECT_EQ(tokens.front().text, "still */");
}

}  // namespace
}  // namespace warpshop::ui
