// The texture cache of older chips: its replacement rule, worked out by hand,
// and the time taken by a chain of fetches.
#include "whole_chip/texture_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "emulator/texture_memory.h"
#include "ptx/parser.h"
#include "timing/predict.h"

namespace warpshop::timing {
namespace {

// 256 bytes: two sets of four 32-byte lines each. Lines 0, 2, 4 … share a set.
TEST(TextureCache, TheLineThatWasUsedLongestAgoLeaves) {
  struct Step {
    const char* what;
    uint64_t address;
    bool there;
  };
  const Step steps[] = {
      {"nothing is there", 0, false},
      {"the same line", 31, true},
      {"the other set", 32, false},
      {"second line of the set", 64, false},
      {"third", 128, false},
      {"fourth", 192, false},
      {"the first is used again", 8, true},
      {"a fifth takes the second's place", 256, false},
      {"which is gone", 64, false},
      {"and took the third's", 128, false},
      {"the first is still there", 0, true},
      {"so is the other set", 40, true},
  };
  TextureCache cache({.bytes = 256, .ways = 4, .line_bytes = 32});
  for (const Step& s : steps) {
    const double* ready = cache.find(s.address);
    EXPECT_EQ(ready != nullptr, s.there) << s.what;
    if (ready == nullptr) cache.bring(s.address, 0);
  }
}

// A thread walks round a ring of texels in one buffer, in steps of 256 (or 32) bytes, as in Wong et
// al. (2010, figure on the GTX 280's texture cache). A fetch takes 261 cycles if the ring fits into
// the first level, 371 if it fits into the second, and 499 otherwise.
double cycles_per_fetch(const char* id, uint32_t ring_bytes, uint32_t step_bytes) {
  constexpr uint32_t kFetches = 16384;
  const models::GpuProfile gpu = models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id).value();
  std::string body = "mov.u32 %r1,0; mov.u32 %r9,0;\n$loop:\n";
  for (int n = 0; n < 16; ++n) body += "tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4},[%rd1,{%r1}];\n";
  body += "add.s32 %r9,%r9,1; setp.lt.s32 %p1,%r9," + std::to_string(kFetches / 16) +
          "; @%p1 bra $loop;\n";
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 ring, .param "
      ".u64 out)\n{\n"
      ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<4>;\nld.param.u64 %rd1,[ring]; "
      "ld.param.u64 %rd2,[out];\n" +
      body + "st.global.u32 [%rd2],%r1;\nret;\n}\n";
  const ptx::ParseOutput parsed = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(parsed.diagnostics.empty()) << render(parsed.diagnostics);
  const Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<const ptx::Module>(parsed.module), "k");
  EXPECT_TRUE(program.ok()) << render(program.errors());
  emulator::DeviceMemory memory(uint64_t{1} << 26);
  const auto ring = memory.allocate(ring_bytes, "ring");
  const auto out = memory.allocate(256, "out");
  const emulator::DeviceMemory::Allocation* texels = memory.find(*ring);
  for (uint32_t at = 0; at < ring_bytes; at += step_bytes) {
    const uint32_t next = (at + step_bytes) % ring_bytes / 4;
    std::memcpy(texels->data + at, &next, 4);
  }
  memory.mark_written(*ring);
  emulator::TextureMemory textures;
  const auto handle = textures.make_linear_texture(*ring, emulator::TexelFormat::kS32, 1,
                                                   ring_bytes / 4, {}, "ring");
  EXPECT_TRUE(handle.ok());
  emulator::LaunchConfig launch{.textures = &textures};
  launch.args = {emulator::Argument::i64(static_cast<int64_t>(*handle)),
                 emulator::Argument::pointer(*out)};
  PredictionInput input;
  input.program = &*program;
  input.launch = &launch;
  const Result<Prediction> p = predict(gpu, input, memory);
  EXPECT_TRUE(p.ok()) << render(p.errors());
  return p.ok() ? (p->time_us - p->launch_us) * gpu.sm_clock_mhz / kFetches : 0;
}

TEST(TextureCache, AChainOfFetchesShowsItsLevels) {
  struct Chain {
    const char* what;
    uint32_t ring_bytes;
    uint32_t step_bytes;
    double cycles;
  };
  const Chain cases[] = {
      {"4 KiB, line by line: the first level", 4 << 10, 32, 261},
      {"5 KiB are all of it", 5 << 10, 32, 261},
      {"6 KiB: lines leave before they are used again", 6 << 10, 32, 371},
      {"128 KiB: the second level", 128 << 10, 256, 371},
      {"1 MiB, each fetch another line of the second level", 1 << 20, 256, 499},
  };
  for (const Chain& c : cases) {
    EXPECT_NEAR(cycles_per_fetch("gtx-280", c.ring_bytes, c.step_bytes), c.cycles, 0.05 * c.cycles)
        << c.what;
  }
}

}  // namespace
}  // namespace warpshop::timing
