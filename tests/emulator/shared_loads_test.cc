// Repeated loads from shared memory: the same pattern of lanes at another address, which may or may
// not be valid. Earlier accesses by the same instruction must not hide an error.
#include <functional>
#include <optional>
#include <string>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// Words 0 to 95 of 128 are written; then each lane loads a word,
// and another one `step` bytes further on.
struct SharedLoadsCase {
  const char* name;
  std::function<uint32_t(uint32_t lane)> word;
  std::function<uint32_t(uint32_t lane)> step;
  uint32_t second_lanes = 32;             // lanes below this one execute the second load
  std::optional<FindingKind> finds = {};  // in all lanes of the second load
};

uint32_t same(uint32_t lane) { return lane; }
uint32_t rows_of_16(uint32_t lane) { return 16 * (lane / 16); }
uint32_t row(uint32_t) { return 128; }

const SharedLoadsCase kSharedLoadsCases[] = {
    {.name = "the next row", .word = same, .step = row},
    {.name = "one word for each half", .word = rows_of_16, .step = [](uint32_t) { return 4u; }},
    {.name = "far apart",
     .word = [](uint32_t lane) { return lane * 3 % 64; },
     .step = [](uint32_t) { return 8u; }},
    {.name = "back",
     .word = [](uint32_t lane) { return 64 + lane; },
     .step = [](uint32_t) { return 0u - 128; }},
    {.name = "another pattern", .word = same, .step = [](uint32_t lane) { return 4 * lane; }},
    {.name = "one lane elsewhere",
     .word = same,
     .step = [](uint32_t lane) { return lane == 13 ? 200u : 4u; }},
    {.name = "half of the lanes", .word = same, .step = row, .second_lanes = 16},
    {.name = "no lane", .word = same, .step = row, .second_lanes = 0},
    {.name = "what nobody wrote",
     .word = same,
     .step = [](uint32_t) { return 3u * 128; },
     .finds = FindingKind::kUninitialised},
    {.name = "past the end",
     .word = same,
     .step = [](uint32_t) { return 4u * 128; },
     .finds = FindingKind::kOutOfBounds},
    {.name = "before the beginning",
     .word = same,
     .step = [](uint32_t) { return 0u - 128; },
     .finds = FindingKind::kOutOfBounds},
    {.name = "half a word further",
     .word = rows_of_16,
     .step = [](uint32_t) { return 2u; },
     .finds = FindingKind::kMisaligned},
};

uint32_t shared_value(uint32_t word) { return word * 2654435761u + 7; }

// %r1: the lane's word, %r2: its step, %r3: number of lanes in the second load; %q1: it loads.
const std::string kFillAndAsk = R"(
  mov.u32 %r31, %tid.x; mul.wide.u32 %l15, %r31, 4; mov.u64 %l3, s; add.s64 %l4, %l3, %l15;
  add.s64 %l5, %p1, %l15; ld.global.u32 %r1, [%l5];
  add.s64 %l5, %p2, %l15; ld.global.u32 %r2, [%l5]; ld.global.u32 %r3, [%p3];
  mad.lo.u32 %r4, %r31, 2654435761, 7; st.shared.u32 [%l4], %r4;
  add.u32 %r5, %r31, 32; mad.lo.u32 %r4, %r5, 2654435761, 7; st.shared.u32 [%l4+128], %r4;
  add.u32 %r5, %r31, 64; mad.lo.u32 %r4, %r5, 2654435761, 7; st.shared.u32 [%l4+256], %r4;
  bar.sync 0; mov.u32 %r0, 1; mov.u32 %r6, 0; mov.u32 %r7, 32;
)";
const std::string kAgain =
    "mov.u32 %r7, %r3; add.u32 %r6, %r6, 1; setp.lt.u32 %q2, %r6, 2; @%q2 bra AGAIN;" + kStoreR0;

struct Base {
  const char* name;
  std::string loop;
};
const Base kBases[] = {
    {"64 bits",
     "mul.wide.u32 %l6, %r1, 4; add.s64 %l6, %l6, %l3; cvt.s64.s32 %l7, %r2;\n"
     "AGAIN: setp.lt.u32 %q1, %r31, %r7; @%q1 ld.shared.u32 %r0, [%l6+0]; add.s64 %l6, %l6, %l7;"},
    {"64 bits, no guard",
     "mul.wide.u32 %l6, %r1, 4; add.s64 %l6, %l6, %l3; cvt.s64.s32 %l7, %r2;\n"
     "AGAIN: ld.shared.u32 %r0, [%l6+0]; add.s64 %l6, %l6, %l7;"},
    {"32 bits",
     "mov.u32 %r8, s; mad.lo.u32 %r8, %r1, 4, %r8;\n"
     "AGAIN: setp.lt.u32 %q1, %r31, %r7; @%q1 ld.shared.u32 %r0, [%r8+0]; add.u32 %r8, %r8, %r2;"},
};

TEST(SharedLoads, TheSecondOneIsAsGoodAsTheFirst) {
  for (const Base& base : kBases) {
    for (const SharedLoadsCase& c : kSharedLoadsCases) {
      if (c.second_lanes < 32 && std::string(base.name).find("no guard") != std::string::npos)
        continue;
      SCOPED_TRACE(std::string(base.name) + ": " + c.name);
      Words words, steps;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        words.push_back(c.word(lane));
        steps.push_back(c.step(lane));
      }
      const KernelRun run = run_ptx(
          kernel_text(kFillAndAsk + base.loop + kAgain, 4, "", ".shared .align 16 .b8 s[512];"),
          {1, 1, 1}, {32, 1, 1}, {Words(32), words, steps, {c.second_lanes}});
      ASSERT_EQ(errors_of(run), "");
      if (c.finds) {
        const Finding* f = run.find(*c.finds);
        ASSERT_NE(f, nullptr);
        EXPECT_EQ(f->space, "shared");
        EXPECT_EQ(f->count, 32u);
        EXPECT_EQ(run.result.findings.size(), 1u);
        continue;
      }
      for (const Finding& f : run.result.findings) ADD_FAILURE() << f.message;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        const uint32_t step = lane < c.second_lanes ? steps[lane] : 0;
        EXPECT_EQ(run.buffers[0][lane], shared_value((4 * words[lane] + step) / 4)) << lane;
      }
    }
  }
}

// One warp loads row 0, then row 1, in which the other warp writes words that
// only the second load reads. Whichever warp the emulator runs first, the load
// precedes the store in one of the two runs.
TEST(SharedLoads, TheSecondOneIsPartOfARace) {
  for (const std::string reader : {"lt", "ge"}) {
    const std::string body = R"(
      mov.u32 %r31, %tid.x; and.b32 %r30, %r31, 31; mul.wide.u32 %l15, %r30, 4;
      mov.u64 %l3, s; add.s64 %l4, %l3, %l15;
      setp.ge.u32 %q3, %r31, 32; @%q3 bra FILLED;
      st.shared.u32 [%l4], %r31; st.shared.u32 [%l4+128], %r31;
      FILLED: bar.sync 0; mov.u64 %l6, %l4; mov.u32 %r6, 0; add.u32 %r5, %r31, 5;
      setp.)" + reader + R"(.u32 %q0, %r31, 32; @!%q0 bra STORE;
      AGAIN: ld.shared.u32 %r0, [%l6]; add.s64 %l6, %l6, 128;
      add.u32 %r6, %r6, 1; setp.lt.u32 %q2, %r6, 2; @%q2 bra AGAIN;
      bra DONE;
      STORE: st.shared.u32 [%l4+128], %r5;
      DONE: )" + kStoreR0;
    const KernelRun run = run_ptx(kernel_text(body, 1, "", ".shared .align 16 .b8 s[256];"),
                                  {1, 1, 1}, {64, 1, 1}, {Words(64)});
    ASSERT_EQ(errors_of(run), "");
    const Finding* f = run.find(FindingKind::kRace);
    ASSERT_NE(f, nullptr) << reader;
    EXPECT_EQ(f->space, "shared");
    EXPECT_EQ(f->address, 128u);
    EXPECT_EQ(f->access, "read");
    EXPECT_EQ(f->other_access, "write");
  }
}

// ptxas gives the start of all dynamic arrays the alignment of the strictest of them.
TEST(DynamicSharedMemory, StartsAtTheAlignmentOfItsArray) {
  const KernelRun run = run_ptx(
      kernel_text("mov.u32 %r1, words; add.u32 %r1, %r1, 0; mov.u32 %r2, pool;\n"
                  "st.shared.u32 [%r1], %r2; ld.shared.u32 %r3, [%r1];\n"
                  "st.global.u32 [%p0], %r1; st.global.u32 [%p0+4], %r3;",
                  1, ".extern .shared .align 1024 .b8 pool[];", ".shared .align 4 .b8 words[68];"),
      {1, 1, 1}, {1, 1, 1}, {Words(2)}, {}, 256);
  ASSERT_TRUE(run.errors.empty()) << render(run.errors);
  EXPECT_TRUE(run.result.findings.empty());
  EXPECT_EQ(run.buffers[0], (Words{0, 1024}));
}

}  // namespace
}  // namespace warpshop::emulator::testing
