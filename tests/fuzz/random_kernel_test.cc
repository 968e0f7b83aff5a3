// The fuzzers' kernels are worth running: they parse, most of them decode, and together they use
// nearly every instruction.
#include "random_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "choices.h"
#include "core/diagnostic.h"
#include "emulator/launch.h"
#include "emulator/program.h"
#include "emulator/texture_memory.h"
#include "ptx/instructions.h"
#include "ptx/parser.h"

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
    for (const ptx::Function& f : parsed.module.functions)
      EXPECT_TRUE(f.problems.empty()) << render(f.problems, text) << text;
  }
}

TEST(RandomKernel, NoBytesMakeTheEmptyKernelWhichDecodes) {
  Choices choices({});
  auto module =
      std::make_shared<ptx::Module>(ptx::parse(random_kernel(choices), "random.ptx").module);
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

// Records accesses to heap blocks and accesses made by bulk copies.
class Seen final : public emulator::AccessSink, public emulator::AccessSinkFactory {
 public:
  std::set<std::string> reached;

  void on_access(const emulator::WarpIdentity&, const emulator::AccessSite& site,
                 const emulator::WarpAccess& access) override {
    const std::string kind = site.kind == emulator::AccessKind::kLoad ? "load" : "store";
    if (site.text.find("cp.async.bulk") != std::string::npos) reached.insert("bulk " + kind);
    for (uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      constexpr uint64_t kHeap = 0x6800,
                         kHeapEnd = 0x7000;  // upper halves of its addresses: memory/heap.h
      const uint64_t upper = access.address[lane] >> 32;
      const bool heap = access.space == ptx::Space::kGlobal && upper >= kHeap && upper < kHeapEnd;
      if (heap && ((access.active_mask >> lane) & 1u) != 0) reached.insert("heap " + kind);
    }
  }
  emulator::AccessSink* make_sink(const std::vector<emulator::AccessSite>&, int) override {
    return this;
  }
};

// Random malloc calls and bulk copies usually fail at once: here they are made to succeed, and only
// what follows is random.
TEST(RandomKernel, BlocksOfTheHeapAreUsedAndFreedAndCopiesInBulkArrive) {
  std::set<std::string> reached;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const std::vector<uint8_t> bytes = random_bytes(seed + 9000, 24);
    Choices choices({bytes.data(), bytes.size()});
    auto module =
        std::make_shared<ptx::Module>(ptx::parse(random_kernel(choices), "random.ptx").module);
    const Result<emulator::Program> program = emulator::Program::decode(module, "k");
    if (!program) continue;
    emulator::DeviceMemory memory(1 << 20);
    emulator::TextureMemory textures;
    emulator::LaunchConfig config{
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamic_shared_bytes = 64, .args = {}};
    config.textures = &textures;
    for (const emulator::Program::Param& param : program->params()) {
      const uint64_t buffer = param.size_bytes == 8 ? *memory.allocate(1024, "buffer") : 7;
      if (buffer != 7) memory.mark_written(buffer);
      emulator::Argument& argument = config.args.emplace_back();
      argument.bytes.assign(param.size_bytes, 0);
      std::memcpy(argument.bytes.data(), &buffer, std::min<size_t>(8, param.size_bytes));
    }
    Seen seen;
    emulator::LaunchOptions options;
    options.instruction_budget = 20'000;
    options.limits.heap_bytes = 1 << 16;
    options.accesses = &seen;
    (void)emulator::launch(*program, memory, config, options);
    reached.merge(seen.reached);
  }
  EXPECT_THAT(reached, testing::IsSupersetOf({"heap store", "heap load", "bulk load"}));
}

}  // namespace
}  // namespace warpshop::fuzz
