// Kernels that ask for memory that is not theirs: refused with a message, or found while they run.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct RefusedCase {
  const char* name;
  std::string text;
  const char* message;  // part of it
};

std::string whole(const std::string& before, const std::string& body, const std::string& declarations = {}) {
  return kernel_text(body, 1, before, declarations);
}

TEST(Hardening, WhatNoChipHasIsRefusedWithItsPlace) {
  const RefusedCase cases[] = {
      {"4 GiB of local memory", whole("", "ret;", ".local .b8 big[4294967296];"), "\"big\" of 4294967296 bytes (PTX line 8)"},
      {"4 GiB of shared memory", whole("", "ret;", ".shared .b8 big[4294967296];"), "\"big\" of 4294967296 bytes (PTX line 8)"},
      {"1 TiB of global memory", whole(".global .b8 big[1099511627776];", "ret;"), "\"big\" of 1099511627776 bytes (PTX line 4)"},
      {"1 GiB of constants", whole(".const .b8 big[1073741824];", "ret;"), "\"big\" of 1073741824 bytes (PTX line 4)"},
      {"a huge call frame", whole("", "ret;", ".param .b8 big[4294967296];"), "\"big\" of 4294967296 bytes (PTX line 8)"},
      {"a kernel that calls itself", whole("", "call k, (a0); ret;"), "a kernel cannot be called"},
      {"an argument outside its frame",
       whole(".func f(.param .b32 x) { ret; }", "call f, (y+1000000); ret;", ".param .b32 y;"), "reaches outside"},
      {"a smaller argument than the parameter",
       whole(".func f(.param .b8 x[64]) { ret; }", "call f, (y); ret;", ".param .b32 y;"), "reaches outside"},
      {"a shared variable as an argument",
       whole(".func f(.param .b32 x) { ret; }", "call f, (y); ret;", ".shared .b32 y;"), "a .param variable was expected"},
      {"a vector without elements", whole("", "ld.global.v2.u32 {}, [%p0]; ret;"), "a vector of as many elements"},
      {"a store without elements", whole("", "st.global.v2.u32 [%p0], {}; ret;"), "a vector of as many elements"},
      {"three elements", whole("", "ld.global.v2.u32 {%r0, %r1, %r2}, [%p0]; ret;"), "a vector of as many elements"},
      {"64 bytes at once", whole("", "ld.global.v8.u64 {%l0, %l1, %l2, %l3, %l4, %l5, %l6, %l7}, [%p0]; ret;"),
       "a vector of as many elements"},
      {"a sink that is stored", whole("", "st.global.v2.u32 [%p0], {%r0, _}; ret;"), "not known here"},
      {"a sink that is packed", whole("", "mov.b64 %l0, {%r0, _}; ret;"), "not known here"},
      {"a constant that is loaded", whole("", "ld.global.v2.u32 {%r0, 5}, [%p0]; ret;"), "as destination"},
      {"a predicate that is converted", whole("", "cvt.u32.u32 %r0, %q0; ret;"), "does not fit"},
  };
  for (const RefusedCase& c : cases) {
    const KernelRun run = run_ptx(c.text, {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
    EXPECT_NE(errors_of(run).find(c.message), std::string::npos) << c.name << ": " << errors_of(run);
  }
}

TEST(Hardening, ResultsForNobodyGoNowhere) {
  const KernelRun run = run_warp(
      ".shared .b32 s[32]; activemask.b32 _; isspacep.shared _, %p0; cvta.to.global.u64 _, %p0; mov.u32 _, %clock;"
      "mov.u64 _, %clock64; bar.red.popc.u32 _, 0, %q0; mov.u64 _, s; mov.u64 %l0, -9; add.u64 _, %l0, 1;"
      "ld.global.u64 _, [%p0]; mov.u64 %l1, -9; cvt.u32.u64 %r0, %l1;" +
      kStoreR0);
  EXPECT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers.at(0), Words(32, 0xfffffff7u));
}

TEST(Hardening, ThePredicateOfLop3IsRead) {
  const KernelRun run = run_warp(
      "mov.u32 %r1, %tid.x; setp.gt.u32 %q0, %r1, 7; mov.u32 %r2, 1;"
      "lop3.and.b32 %r3|%q1, %r1, %r2, 0, 0xc0, %q0; selp.u32 %r0, 1, 0, %q1;" +
      kStoreR0);
  ASSERT_EQ(errors_of(run), "");
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(run.buffers[0][lane], (lane & 1) != 0 && lane > 7 ? 1u : 0u);
}

// Two lanes 2^63 bytes apart: their distance does not fit into a signed number together with the place of the first.
TEST(Hardening, AddressesFarApartAreOutOfBounds) {
  for (const char* far : {"0x7ffffffffffffff8", "0x8000000000000000", "0xfffffffffffffff0", "0x7fffffffffffffc0"}) {
    const KernelRun run = run_warp("mov.u32 %r1, %tid.x; setp.eq.u32 %q0, %r1, 1; mov.u64 %l0, " + std::string(far) +
                                   "; selp.u64 %l1, %l0, 16, %q0; add.u64 %l1, %l1, %p0; st.global.u32 [%l1], %r1; ret;");
    EXPECT_EQ(errors_of(run), "") << far;
    EXPECT_NE(run.find(FindingKind::kOutOfBounds), nullptr) << far;
  }
}

TEST(Hardening, WideStoresOfSeveralBlocksAreCompared) {
  const KernelRun run = run_ptx(
      kernel_text("mov.u32 %r1, %ctaid.x; st.global.v8.b32 [%p0], {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}; ret;", 1),
      {2, 1, 1}, {1, 1, 1}, {Words(32, 0)});
  EXPECT_EQ(errors_of(run), "");
  EXPECT_NE(run.find(FindingKind::kRace), nullptr);
}

TEST(Hardening, RegistersThatNothingNamesCostNothing) {
  const KernelRun run = run_warp("mov.u32 %r0, 3; " + kStoreR0, "", ".reg .b128 %many<1900000>;");
  EXPECT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers.at(0), Words(32, 3));
}

}  // namespace
}  // namespace warpshop::emulator::testing
