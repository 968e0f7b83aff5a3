// Kernels that use memory that is not theirs: rejected with a message, or caught while they run.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct RefusedCase {
  const char* name;
  std::string text;
  const char* message;  // part of the message
};

std::string whole(const std::string& before, const std::string& body,
                  const std::string& declarations = {}) {
  return kernel_text(body, 1, before, declarations);
}

TEST(Hardening, TooMuchLocalMemoryIsRefusedInTheFunctionThatHasIt) {
  const KernelRun run =
      run_ptx(whole(".func f() {\n.local .b8 big[600000];\n.loc 1 7 3\nret;\n}\n.file 1 \"k.cu\"",
                    ".loc 1 12 1\ncall f;\nret;", ".local .b8 small[16];"),
              {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
  ASSERT_EQ(run.errors.size(), 1u);
  EXPECT_NE(errors_of(run).find("bytes of local memory"), std::string::npos) << errors_of(run);
  EXPECT_EQ(run.errors.front().place.file, "k.cu");
  EXPECT_EQ(run.errors.front().place.line, 7);
}

TEST(Hardening, WhatNoChipHasIsRefusedWithItsPlace) {
  const RefusedCase cases[] = {
      {"4 GiB of local memory", whole("", "ret;", ".local .b8 big[4294967296];"),
       "\"big\" of 4294967296 bytes (PTX line 8)"},
      {"4 GiB of shared memory", whole("", "ret;", ".shared .b8 big[4294967296];"),
       "\"big\" of 4294967296 bytes (PTX line 8)"},
      {"1 TiB of global memory", whole(".global .b8 big[1099511627776];", "ret;"),
       "\"big\" of 1099511627776 bytes (PTX line 4)"},
      {"1 GiB of constants", whole(".const .b8 big[1073741824];", "ret;"),
       "\"big\" of 1073741824 bytes (PTX line 4)"},
      {"a huge call frame", whole("", "ret;", ".param .b8 big[4294967296];"),
       "\"big\" of 4294967296 bytes (PTX line 8)"},
      {"a kernel that calls itself", whole("", "call k, (a0); ret;"), "a kernel cannot be called"},
      {"an argument outside its frame",
       whole(".func f(.param .b32 x) { ret; }", "call f, (y+1000000); ret;", ".param .b32 y;"),
       "reaches outside"},
      {"a smaller argument than the parameter",
       whole(".func f(.param .b8 x[64]) { ret; }", "call f, (y); ret;", ".param .b32 y;"),
       "reaches outside"},
      {"a shared variable as an argument",
       whole(".func f(.param .b32 x) { ret; }", "call f, (y); ret;", ".shared .b32 y;"),
       "a .param variable was expected"},
      {"a vector without elements", whole("", "ld.global.v2.u32 {}, [%p0]; ret;"),
       "a vector of as many elements"},
      {"a store without elements", whole("", "st.global.v2.u32 [%p0], {}; ret;"),
       "a vector of as many elements"},
      {"three elements", whole("", "ld.global.v2.u32 {%r0, %r1, %r2}, [%p0]; ret;"),
       "a vector of as many elements"},
      {"64 bytes at once",
       whole("", "ld.global.v8.u64 {%l0, %l1, %l2, %l3, %l4, %l5, %l6, %l7}, [%p0]; ret;"),
       "a vector of as many elements"},
      {"a sink that is stored", whole("", "st.global.v2.u32 [%p0], {%r0, _}; ret;"),
       "not known here"},
      {"a sink that is packed", whole("", "mov.b64 %l0, {%r0, _}; ret;"), "not known here"},
      {"a constant that is loaded", whole("", "ld.global.v2.u32 {%r0, 5}, [%p0]; ret;"),
       "as destination"},
      {"a barrier of warps", whole("", "barrier.warp.sync -1; ret;"), "bar.warp.sync was expected"},
      {"a predicate that is converted", whole("", "cvt.u32.u32 %r0, %q0; ret;"), "does not fit"},
  };
  for (const RefusedCase& c : cases) {
    const KernelRun run = run_ptx(c.text, {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
    EXPECT_NE(errors_of(run).find(c.message), std::string::npos)
        << c.name << ": " << errors_of(run);
  }
}

// PTX variables have no source line: report the first instruction that uses the variable.
TEST(Hardening, WhatIsTooLargeIsShownWhereItIsUsed) {
  for (const char* where : {".shared", ".local"}) {
    const KernelRun run =
        run_ptx(kernel_text("mov.u32 %r1, 1;\n.loc 1 17 5\nmov.u64 %l1, big; ret;", 1, "",
                            std::string(where) + " .b8 big[4294967296];") +
                    ".file 1 \"k.cu\"\n",
                {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
    ASSERT_FALSE(run.errors.empty());
    EXPECT_EQ(run.errors[0].place.file, "k.cu") << where;
    EXPECT_EQ(run.errors[0].place.line, 17) << where;
    EXPECT_NE(run.errors[0].message.english().find("\"big\" of 4294967296 bytes"),
              std::string::npos);
  }
}

TEST(Hardening, ResultsForNobodyGoNowhere) {
  const KernelRun run = run_warp(
      ".shared .b32 s[32]; activemask.b32 _; isspacep.shared _, %p0; cvta.to.global.u64 _, %p0; "
      "mov.u32 _, %clock;"
      "mov.u64 _, %clock64; bar.red.popc.u32 _, 0, %q0; mov.u64 _, s; mov.u64 %l0, -9; add.u64 _, "
      "%l0, 1;"
      "ld.global.u64 _, [%p0]; mov.u64 %l1, -9; cvt.u32.u64 %r0, %l1;" +
      kStoreR0);
  EXPECT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers.at(0), Words(32, 0xfffffff7u));
}

TEST(Hardening, BytesAreTakenOutOfRegistersAndPutBack) {
  const KernelRun run = run_warp(
      ".reg .b8 %z<8>; mov.u32 %r1, 0x44332211; mov.b32 {%z0, %z1, %z2, %z3}, %r1; mov.b32 %r2, "
      "{%z3, %z2, %z1, %z0};"
      "mov.b16 %h1, {%z2, %z0}; mov.b16 {%z4, _}, %h1; mov.b16 %h2, {%z4, %z4}; mov.b32 %r3, {%h1, "
      "%h2}; xor.b32 %r0, %r2, %r3;" +
      kStoreR0);
  EXPECT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers.at(0), Words(32, 0x11223344u ^ 0x33331133u));
}

TEST(Hardening, ThePredicateOfLop3IsRead) {
  const KernelRun run = run_warp(
      "mov.u32 %r1, %tid.x; setp.gt.u32 %q0, %r1, 7; mov.u32 %r2, 1;"
      "lop3.and.b32 %r3|%q1, %r1, %r2, 0, 0xc0, %q0; selp.u32 %r0, 1, 0, %q1;" +
      kStoreR0);
  ASSERT_EQ(errors_of(run), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.buffers[0][lane], (lane & 1) != 0 && lane > 7 ? 1u : 0u);
}

// Two lanes 2^63 bytes apart: neither their distance nor the first
// one's offset fits into a signed number.
TEST(Hardening, AddressesFarApartAreOutOfBounds) {
  for (const char* far :
       {"0x7ffffffffffffff8", "0x8000000000000000", "0xfffffffffffffff0", "0x7fffffffffffffc0"}) {
    const KernelRun run = run_warp(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %q0, %r1, 1; mov.u64 %l0, " + std::string(far) +
        "; selp.u64 %l1, %l0, 16, %q0; add.u64 %l1, %l1, %p0; st.global.u32 [%l1], %r1; ret;");
    EXPECT_EQ(errors_of(run), "") << far;
    EXPECT_NE(run.find(FindingKind::kOutOfBounds), nullptr) << far;
  }
}

// While block 0 runs, the other thread finishes the later blocks and steals block 1 last.
TEST(Hardening, TheFirstBlockIsToldWhicheverCameFirst) {
  LaunchOptions options;
  options.threads = 2;
  const KernelRun run =
      run_ptx(kernel_text("mov.u32 %r1, %ctaid.x; setp.eq.u32 %q0, %r1, 0; @%q0 bra WORK; "
                          "st.global.u32 [%p0+4096], %r1; ret;"
                          "WORK: mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; setp.lt.u32 %q1, %r2, "
                          "2000000; @%q1 bra L; st.global.u32 [%p0], %r2; ret;",
                          1),
              {4, 1, 1}, {32, 1, 1}, {Words(4)}, options);
  ASSERT_EQ(errors_of(run), "");
  const Finding* found = run.find(FindingKind::kOutOfBounds);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->who.block.x, 1u);
  EXPECT_EQ(found->count, 96u);
}

TEST(Hardening, WideStoresOfSeveralBlocksAreCompared) {
  const KernelRun run = run_ptx(kernel_text("mov.u32 %r1, %ctaid.x; st.global.v8.b32 [%p0], {%r1, "
                                            "%r1, %r1, %r1, %r1, %r1, %r1, %r1}; ret;",
                                            1),
                                {2, 1, 1}, {1, 1, 1}, {Words(32, 0)});
  EXPECT_EQ(errors_of(run), "");
  EXPECT_NE(run.find(FindingKind::kRace), nullptr);
}

TEST(Hardening, RegistersThatNothingNamesCostNothing) {
  const KernelRun run = run_warp("mov.u32 %r0, 3; " + kStoreR0, "", ".reg .b128 %many<1900000>;");
  EXPECT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers.at(0), Words(32, 3));
}

const std::string kVprintf =
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);";

std::string bytes_of(const std::string& name, const std::string& text) {
  std::string list;
  for (char c : text) list += std::to_string(static_cast<unsigned char>(c)) + ", ";
  return ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {" + list +
         "0};";
}

// Calls printf(format, arguments at %l1) and returns its result in %r0.
const std::string kCallPrintf =
    "mov.u64 %l6, fmt; { .param .b64 x; .param .b64 y; .param .b32 z; st.param.b64 [x], %l6; "
    "st.param.b64 [y], %l1;"
    "call.uni (z), vprintf, (x, y); ld.param.b32 %r0, [z]; }";

// One thread prints with 128 bytes of arguments: the words in `arguments`, then zeros.
KernelRun print_once(const std::string& format, const Words& arguments,
                     const std::string& more = {}) {
  std::string body = "mov.u64 %l2, d;";
  for (size_t n = 0; n < 32; ++n) {
    body += "st.local.u32 [%l2+" + std::to_string(4 * n) + "], " +
            std::to_string(n < arguments.size() ? arguments[n] : 0) + ";";
  }
  body += more + "cvta.local.u64 %l1, %l2;" + kCallPrintf + kStoreR0;
  return run_ptx(
      kernel_text(body, 1, kVprintf + bytes_of("fmt", format) + bytes_of("text", "abcdef"),
                  ".local .align 8 .b8 d[128];"),
      {1, 1, 1}, {1, 1, 1}, {Words(1, 99)});
}

// The expected texts follow C's printf (C17 7.21.6.1): anything that
// is not a conversion is printed unchanged.
TEST(Hardening, FormatsAreReadByTheirGrammarAlone) {
  constexpr uint32_t kMany = 2000000000;
  struct PrintCase {
    const char* name;
    std::string format;
    Words arguments;
    std::string text;
    uint32_t result;
  };
  const PrintCase cases[] = {
      {"a star", "[%*d]", {5, 7}, "[    7]", 1},
      {"a negative star", "[%*d]", {static_cast<uint32_t>(-3), 7}, "[7  ]", 1},
      {"two stars", "[%*.*d]", {5, 3, 7}, "[  007]", 1},
      {"a negative precision is none", "[%.*d]", {static_cast<uint32_t>(-2), 7}, "[7]", 1},
      {"three stars", "%***d", {5, 6, 7}, "%***d", 0},
      {"stars after the precision", "%*.**d", {5, 6, 7}, "%*.**d", 0},
      {"very many stars",
       "%" + std::string(200, '*') + "d",
       {},
       "%" + std::string(200, '*') + "d",
       0},
      {"flags again and again", "[%" + std::string(200, '+') + "d]", {7}, "[+7]", 1},
      {"many digits", "%" + std::string(100, '9') + "d", {7}, std::string(4095, ' ') + "7", 1},
      {"a huge width", "%2000000000d", {7}, std::string(4095, ' ') + "7", 1},
      {"a huge star", "%*d", {kMany, 7}, std::string(4095, ' ') + "7", 1},
      {"the least star", "%*d", {0x80000000u, 7}, "7" + std::string(4095, ' '), 1},
      {"a huge precision", "%.2000000000d", {7}, std::string(4095, '0') + "7", 1},
      {"a huge precision of a fraction", "%.2000000000f", {}, "0." + std::string(4096, '0'), 1},
      {"a place to write to", "%n|", {64}, "%n|", 0},
      {"an end in a conversion", "a%-", {}, "a%-", 0},
      {"sizes", "%hd %hhu %lu %zu", {65537, 257, 0xffffffffu, 1, 2, 0}, "1 1 8589934591 2", 4},
      {"no value", "%% 5", {}, "% 5", 0},
  };
  for (const PrintCase& c : cases) {
    const KernelRun run = print_once(c.format, c.arguments);
    ASSERT_EQ(errors_of(run), "") << c.name;
    EXPECT_EQ(run.result.printed, c.text) << c.name;
    EXPECT_EQ(run.buffers.at(0)[0], c.result) << c.name;
  }
}

TEST(Hardening, TextsOfPrintfThatLeadNowhereAreEmpty) {
  for (uint64_t address : {uint64_t{0}, uint64_t{1}, uint64_t{0x7fffffffffffffff}, ~uint64_t{0},
                           ~uint64_t{0} << 48, uint64_t{1} << 63}) {
    const KernelRun run =
        print_once("[%s]", {static_cast<uint32_t>(address), static_cast<uint32_t>(address >> 32)});
    EXPECT_EQ(errors_of(run), "");
    EXPECT_EQ(run.result.printed, "[]") << address;
  }
  EXPECT_EQ(print_once("[%.3s]", {}, "mov.u64 %l3, text; st.local.u64 [%l2], %l3;").result.printed,
            "[abc]");
}

// 2,048 threads in four blocks print 1,024 bytes each; 1,024 of them fill the 1 MiB.
TEST(Hardening, PrintfKeepsTheFirstOfWhatDoesNotFit) {
  const std::string body =
      "mov.u64 %l2, d; mov.u32 %r1, %ctaid.x; st.local.u32 [%l2], %r1; cvta.local.u64 %l1, %l2;" +
      kCallPrintf + "ret;";
  for (int threads : {1, 4}) {
    LaunchOptions options;
    options.threads = threads;
    const KernelRun run = run_ptx(
        kernel_text(body, 0, kVprintf + bytes_of("fmt", "%01023d\n"), ".local .align 8 .b8 d[8];"),
        {4, 1, 1}, {512, 1, 1}, {}, options);
    ASSERT_EQ(errors_of(run), "");
    std::string expected;
    for (const char* block : {"0", "1"}) {
      for (int n = 0; n < 512; ++n) expected += std::string(1022, '0') + block + "\n";
    }
    EXPECT_EQ(run.result.printed,
              expected + "(printf: 1024 calls were dropped, the buffer of 1 MiB is full)\n")
        << threads;
  }
}

// Each call takes 16 bytes of the buffer even if it prints nothing.
TEST(Hardening, EmptyPrintsFillTheBufferToo) {
  const KernelRun run = run_ptx(kernel_text("mov.u64 %l1, 0;" + kCallPrintf + "ret;", 0,
                                            kVprintf + ".global .align 1 .b8 fmt[1] = {0};"),
                                {70000, 1, 1}, {1, 1, 1}, {});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_EQ(run.result.printed, "(printf: 4464 calls were dropped, the buffer of 1 MiB is full)\n");
}

TEST(Hardening, LanesThatAGuardKeepsFromAnIndexedBranchGoOn) {
  for (const bool negated : {false, true}) {
    const KernelRun run = run_warp("mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp." +
                                   std::string(negated ? "ge" : "lt") +
                                   ".u32 %q0, %r1, 8; mov.u32 %r0, 5;"
                                   "T: .branchtargets A, B; @" +
                                   (negated ? "!" : "") +
                                   "%q0 brx.idx %r2, T; add.u32 %r0, %r0, 100; bra C;"
                                   "A: add.u32 %r0, %r0, 1; bra C; B: add.u32 %r0, %r0, 2; C: " +
                                   kStoreR0);
    ASSERT_EQ(errors_of(run), "");
    for (uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(run.buffers[0][lane], lane >= 8 ? 105u : 6 + lane % 2) << lane;
    }
  }
}

// A frame of 2,000 registers takes 256,000 bytes: 64 MiB hold 262 of them, fewer
// than the deepest chain of calls allowed.
TEST(Hardening, ADeepRecursionOfManyRegistersEndsWithAFinding) {
  std::string registers;
  for (int n = 0; n < 2000; ++n) registers += "mov.u32 %z" + std::to_string(n) + ", 7;\n";
  const KernelRun run = run_warp(
      "call f, (); ret;", ".func f() { .reg .b32 %z<2000>;" + registers + "call f, (); ret; }");
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kStackOverflow);
  ASSERT_NE(f, nullptr);
  const std::string before = "the call stack is full: ";
  ASSERT_EQ(f->message.english().rfind(before, 0), 0u) << f->message;
  const int deep = std::stoi(f->message.english().substr(before.size()));
  EXPECT_LE(deep, 262);
  EXPECT_GT(deep, 200);
}

// Address sums wrap around, as on the device.
TEST(Hardening, OffsetsAtTheEndOfNumbersAreAdded) {
  const KernelRun run = run_warp(
      "mov.u64 %l0, 0x7fffffffffffffff; mul.lo.s64 %l1, %l0, 2; shl.b64 %l2, %l0, 62; mul.lo.u64 "
      "%l3, %p0, 0x8000000000000000;"
      "or.b64 %l4, %l3, 1; ld.global.u32 %r1, [%l0+8]; ld.global.u32 %r2, [%l1+16]; ld.global.u32 "
      "%r3, [%l2+4];"
      "ld.global.u32 %r4, [%l4+4]; ret;");
  EXPECT_EQ(errors_of(run), "");
  EXPECT_NE(run.find(FindingKind::kOutOfBounds), nullptr);
  // The search for neighbours in shared memory computes with these numbers.
  const KernelRun shared = run_warp(
      "mov.u32 %r1, 1; mov.u64 %l0, 0x7fffffffffffffff; mov.u64 %l1, 0x8000000000000000; "
      "st.shared.v4.u32 [%l0], {%r1, %r1, %r1, %r1};"
      "st.shared.v4.u32 [%l1], {%r1, %r1, %r1, %r1}; ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%l0]; "
      "ld.shared.u32 %r6, [%l1];"
      "add.u32 %r0, %r2, %r6; add.u32 %r0, %r0, %r3; add.u32 %r0, %r0, %r4; add.u32 %r0, %r0, "
      "%r5;" +
          kStoreR0,
      "", ".shared .align 16 .b8 tile[64];");
  EXPECT_EQ(errors_of(shared), "");
  EXPECT_TRUE(shared.find(FindingKind::kOutOfBounds) != nullptr ||
              shared.find(FindingKind::kMisaligned) != nullptr);
}

}  // namespace
}  // namespace warpshop::emulator::testing
