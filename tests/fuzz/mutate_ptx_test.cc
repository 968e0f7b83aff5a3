// Mutating PTX as PTX gives texts that are new and usually still parse.
#include "mutate_ptx.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "choices.h"
#include "ptx/parser.h"
#include "random_kernel.h"

namespace warpshop::fuzz {
namespace {

std::string seed_text() {
  const std::string decisions =
      "a kernel made of the bytes of this sentence, which has some branches";
  Choices choices({reinterpret_cast<const uint8_t*>(decisions.data()), decisions.size()});
  return random_kernel(choices);
}

TEST(MutatePtx, MostTextsStillParseAndAllButAFewAreNew) {
  const std::string text = seed_text();
  std::set<std::string> fresh;
  int parsed = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const std::string changed = mutate_ptx(text, seed);
    fresh.insert(changed);
    const ptx::ParseOutput output = ptx::parse(changed, "changed.ptx");
    bool good = output.diagnostics.empty();
    for (const ptx::Function& f : output.module.functions) good = good && f.problems.empty();
    parsed += good ? 1 : 0;
  }
  EXPECT_GT(fresh.size(), 400u);
  EXPECT_GT(parsed, 150);
}

TEST(MutatePtx, OneSeedGivesOneText) {
  EXPECT_EQ(mutate_ptx(seed_text(), 7), mutate_ptx(seed_text(), 7));
  EXPECT_NE(mutate_ptx(seed_text(), 7), mutate_ptx(seed_text(), 8));
}

TEST(MutatePtx, CrossingTakesStatementsOfBoth) {
  EXPECT_EQ(cross_ptx("a;", "b;", 1).size(), 4u);
  EXPECT_EQ(cross_ptx("", "b;", 1), "");
  EXPECT_FALSE(mutate_ptx("", 1).empty());
}

}  // namespace
}  // namespace warpshop::fuzz
