// Video instructions, compared with an H200's results.
// video_truth/README.md explains how the data was made.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "kernel_fixture.h"
#include "matrix_truth/elements.h"

namespace warpshop::emulator::testing {
namespace {

constexpr uint32_t kVideoThreads = 1024;

Words sources() {
  Words words;
  for (uint32_t i = 0; i < 4 * kVideoThreads; ++i) {
    const uint32_t r = matrix_truth::mix(i + 5);
    switch (matrix_truth::mix(r) % 8) {
      case 0:
        words.push_back(r & 0xffu);
        break;
      case 1:
        words.push_back(r & 0x80808080u);
        break;
      case 2:
        words.push_back(r | 0x7f7f7f7fu);
        break;
      case 3:
        words.push_back((r & 0x3fu) - 32u);
        break;
      case 4:
        words.push_back((r & 0x80000001u) != 0 ? 0x80000000u : 0x7fffffffu);
        break;
      default:
        words.push_back(r);
        break;
    }
  }
  return words;
}

uint64_t video_hash(const Words& words) {
  uint64_t hash = 1469598103934665603u;
  for (uint32_t word : words) {
    for (int byte = 0; byte < 4; ++byte)
      hash = (hash ^ (word >> (8 * byte) & 0xffu)) * 1099511628211u;
  }
  return hash;
}

TEST(VideoTruth, EveryInstructionGivesWhatTheHardwareGave) {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/emulator/video_truth/h200.txt");
  const Words in = sources();
  std::ifstream gaps(std::string(WARPSHOP_TESTS_DIR) + "/emulator/video_truth/differs.txt");
  std::set<std::string> differ;
  std::string line;
  while (std::getline(gaps, line)) differ.insert(line);
  int rows = 0;
  while (std::getline(file, line)) {
    const std::string form = line.substr(17);
    SCOPED_TRACE(form);
    ++rows;
    const KernelRun run =
        run_ptx(kernel_text(".reg .b32 %a, %b, %c, %d, %u; mov.u32 %r0, %ctaid.x; mov.u32 %r1, "
                            "%tid.x; mad.lo.u32 %r0, %r0, 128, %r1;"
                            "mul.wide.u32 %l0, %r0, 16; add.u64 %l0, %l0, %p0; mul.wide.u32 %l1, "
                            "%r0, 4; add.u64 %l1, %l1, %p1;"
                            "ld.global.v4.u32 {%a, %b, %c, %u}, [%l0]; mov.u32 %d, 0;\n" +
                                form + ";\nst.global.u32 [%l1], %d; ret;",
                            2),
                {kVideoThreads / 128, 1, 1}, {128, 1, 1}, {in, Words(kVideoThreads)});
    ASSERT_EQ(errors_of(run), "");
    const bool same = video_hash(run.buffers[1]) == std::stoull(line.substr(0, 16), nullptr, 16);
    EXPECT_EQ(same, !differ.contains(form));
  }
  EXPECT_EQ(rows, 1568);
}

TEST(Video, WhatPtxDoesNotAllowIsRefused) {
  for (const char* body :
       {"vadd.u32.u32.u32 %r0, %r1.b4, %r2;", "vadd.u32.u32.u32 %r0, -%r1, %r2;",
        "add.u32 %r0, -%r1, %r2;", "add.u32 %r0, %r1.b0, %r2;", "vmad.u32.u32.u32 %r0, %r1, %r2;",
        "vadd2.u32.u32.u32 %r0, %r1, %r2;", "vadd2.u32.u32.u32 %r0.h01, %r1, %r2, %r3;",
        "vadd4.u32.u32.u32 %r0, %r1.h10, %r2, %r3;", "vadd.u32.u32.u32.add %r0.h0, %r1, %r2, %r3;",
        "vset.u32.u32 %r0, %r1, %r2;"}) {
    EXPECT_NE(errors_of(run_warp(body)).find("cannot run"), std::string::npos) << body;
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
