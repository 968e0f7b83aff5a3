// The fuzzers' kernels are worth running: they parse, most of them decode, and together they use nearly every
// instruction.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "choices.h"
#include "core/diagnostic.h"
#include "emulator/program.h"
#include "ptx/instructions.h"
#include "ptx/parser.h"
#include "random_kernel.h"

namespace warpshop::fuzz {
namespace {

std::vector<uint8_t> random_bytes(uint64_t seed, size_t size) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random());
  return bytes;
}

TEST(RandomKernel, EveryOneParses) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::vector<uint8_t> bytes = random_bytes(seed, 40 + seed);
    Choices choices({bytes.data(), bytes.size()});
    const std::string text = random_kernel(choices);
    const ptx::ParseOutput parsed = ptx::parse(text, "random.ptx");
    EXPECT_TRUE(parsed.diagnostics.empty()) << render(parsed.diagnostics, text);
    for (const ptx::Function& f : parsed.module.functions) EXPECT_TRUE(f.problems.empty()) << render(f.problems, text) << text;
  }
}

TEST(RandomKernel, NoBytesMakeTheEmptyKernelWhichDecodes) {
  Choices choices({});
  auto module = std::make_shared<ptx::Module>(ptx::parse(random_kernel(choices), "random.ptx").module);
  const Result<emulator::Program> program = emulator::Program::decode(module, "k");
  EXPECT_TRUE(program) << render(program.errors());
}

TEST(RandomKernel, MostInstructionsAreRunAndTogetherTheyAreNearlyAll) {
  std::set<std::string> opcodes;
  int decoded = 0;
  constexpr int kCount = 3000;
  for (uint64_t seed = 0; seed < kCount; ++seed) {
    const std::vector<uint8_t> bytes = random_bytes(seed + 1000, 24);
    Choices choices({bytes.data(), bytes.size()});
    std::string text = random_kernel(*[] {
      static Choices none({});
      return &none;
    }());
    text.insert(text.rfind("DONE:"), random_instruction(choices) + "\n");
    auto module = std::make_shared<ptx::Module>(ptx::parse(text, "random.ptx").module);
    if (emulator::Program::decode(module, "k")) {
      ++decoded;
      for (const ptx::Instruction& i : module->functions.back().body) opcodes.insert(i.opcode);
    }
  }
  EXPECT_GT(decoded, kCount * 7 / 10);
  EXPECT_GT(opcodes.size(), 80u);
}

}  // namespace
}  // namespace warpshop::fuzz
