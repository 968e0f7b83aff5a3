// Back-end rules for neighbouring accesses. Each case was observed with
// ptxas 13.0 for sm_90 and comes with its SASS.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// A sequence of loads from shared memory. The results are summed and stored, so that all are used.
struct BackendCase {
  const char* name;
  std::string body;
  // The accesses issued, in program order: "offset:bytes" relative
  // to the site's own address, "-" for none.
  std::vector<std::string> issued;
  const char* sass;
};

std::string issued_of(const AccessSite& s) {
  if (s.dropped || s.leader >= 0) return "-";
  if (s.issued_bytes == 0) return "0:" + std::to_string(s.width_bytes());
  std::string text = std::to_string(s.issued_offset) + ":" + std::to_string(s.issued_bytes);
  if (s.second_bytes != 0)
    text += " " + std::to_string(s.second_offset) + ":" + std::to_string(s.second_bytes);
  return text;
}

class BackendTest : public ::testing::TestWithParam<BackendCase> {};

TEST_P(BackendTest, IssuesWhatPtxasIssues) {
  const BackendCase& c = GetParam();
  const std::string text = kernel_text(c.body, 1, "", ".shared .align 16 .b8 s[4096];");
  auto module = std::make_shared<ptx::Module>(ptx::parse(text, "t").module);
  const Result<Program> program = Program::decode(module, "k");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  std::vector<std::string> issued;
  for (const AccessSite& site : program->access_sites()) {
    if (site.space == ptx::Space::kShared) issued.push_back(issued_of(site));
  }
  EXPECT_EQ(issued, c.issued) << "SASS: " << c.sass;
}

const std::string kRow16 =
    "mov.u32 %r8, %tid.x; shl.b32 %r1, %r8, 4; mov.u32 %r9, s; add.u32 %r2, %r9, %r1;";
const std::string kRow8 =
    "mov.u32 %r8, %tid.x; shl.b32 %r1, %r8, 3; mov.u32 %r9, s; add.u32 %r2, %r9, %r1;";
const std::string kRow4 =
    "mov.u32 %r8, %tid.x; shl.b32 %r1, %r8, 2; mov.u32 %r9, s; add.u32 %r2, %r9, %r1;";
const std::string kUse4 =
    "add.f32 %f0, %f0, %f1; add.f32 %f2, %f2, %f3; add.f32 %f0, %f0, %f2; st.global.f32 [%p0], "
    "%f0; ret;";

const BackendCase kBackendCases[] = {
    {"four_neighbours",
     kRow16 +
         "ld.shared.f32 %f0, [%r2]; ld.shared.f32 %f1, [%r2+4]; ld.shared.f32 %f2, [%r2+8]; "
         "ld.shared.f32 %f3, [%r2+12];" +
         kUse4,
     {"0:16", "-", "-", "-"},
     "LDS.128"},
    {"order_does_not_matter",
     kRow16 +
         "ld.shared.f32 %f0, [%r2+12]; ld.shared.f32 %f1, [%r2+8]; ld.shared.f32 %f2, [%r2]; "
         "ld.shared.f32 %f3, [%r2+4];" +
         kUse4,
     {"-12:16", "-", "-", "-"},
     "LDS.128"},
    {"three_of_four",
     kRow16 +
         "ld.shared.f32 %f0, [%r2+4]; ld.shared.f32 %f1, [%r2+8]; ld.shared.f32 %f2, [%r2+12]; "
         "mov.f32 %f3, %f2;" +
         kUse4,
     {"-4:16", "-", "-"},
     "LDS.128 with an unused word"},
    {"a_pair",
     kRow16 +
         "ld.shared.f32 %f0, [%r2+8]; ld.shared.f32 %f1, [%r2+12]; mov.f32 %f2, %f0; mov.f32 %f3, "
         "%f1;" +
         kUse4,
     {"0:8", "-"},
     "LDS.64"},
    {"pair_across_the_middle",
     kRow16 +
         "ld.shared.f32 %f0, [%r2+4]; ld.shared.f32 %f1, [%r2+8]; mov.f32 %f2, %f0; mov.f32 %f3, "
         "%f1;" +
         kUse4,
     {"0:4", "0:4"},
     "two LDS"},
    {"eight_byte_alignment",
     kRow8 +
         "ld.shared.f32 %f0, [%r2]; ld.shared.f32 %f1, [%r2+4]; ld.shared.f32 %f2, [%r2+8]; "
         "ld.shared.f32 %f3, [%r2+12];" +
         kUse4,
     {"0:8", "-", "0:8", "-"},
     "two LDS.64"},
    {"four_byte_alignment",
     kRow4 +
         "ld.shared.f32 %f0, [%r2]; ld.shared.f32 %f1, [%r2+4]; mov.f32 %f2, %f0; mov.f32 %f3, "
         "%f1;" +
         kUse4,
     {"0:4", "0:4"},
     "two LDS"},
    {"a_store_between_keeps_them_apart",
     kRow16 +
         "ld.shared.f32 %f0, [%r2]; st.shared.f32 [%r2+256], %f0; ld.shared.f32 %f1, [%r2+4]; "
         "mov.f32 %f2, %f0; mov.f32 %f3, %f1;" +
         kUse4,
     {"0:4", "0:4", "0:4"},
     "LDS, STS, LDS"},
    {"a_barrier_between_keeps_them_apart",
     kRow16 +
         "ld.shared.f32 %f0, [%r2]; bar.sync 0; ld.shared.f32 %f1, [%r2+4]; mov.f32 %f2, %f0; "
         "mov.f32 %f3, %f1;" +
         kUse4,
     {"0:4", "0:4"},
     "LDS, BAR, LDS"},
    {"a_global_store_does_not",
     kRow16 +
         "ld.shared.f32 %f0, [%r2]; st.global.f32 [%p0+4], %f0; ld.shared.f32 %f1, [%r2+4]; "
         "mov.f32 %f2, %f0; mov.f32 %f3, %f1;" +
         kUse4,
     {"0:8", "-"},
     "LDS.64"},
    {"bytes_never_merge",
     kRow16 + "ld.shared.u8 %r3, [%r2]; ld.shared.u8 %r4, [%r2+1]; add.u32 %r3, %r3, %r4; "
              "st.global.u32 [%p0], %r3; ret;",
     {"0:1", "0:1"},
     "two LDS.U8"},
    {"guarded_loads_do_not_merge",
     kRow16 +
         "setp.lt.u32 %q0, %r1, 64; @%q0 ld.shared.f32 %f0, [%r2]; @%q0 ld.shared.f32 %f1, "
         "[%r2+4]; mov.f32 %f2, %f0; mov.f32 %f3, %f1;" +
         kUse4,
     {"0:4", "0:4"},
     "two predicated LDS"},
    {"doubles",
     kRow16 + "ld.shared.b64 %l1, [%r2]; ld.shared.b64 %l2, [%r2+8]; add.u64 %l3, %l1, %l2; "
              "st.global.u64 [%p0], %l3; ret;",
     {"0:16", "-"},
     "LDS.128"},
    {"an_index_times_sixteen_plus_one",
     "mov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 2; add.u32 %r4, %r3, 1; shl.b32 %r5, %r3, 2; shl.b32 "
     "%r6, %r4, 2; mov.u32 %r2, s;"
     "add.u32 %r7, %r2, %r5; add.u32 %r8, %r2, %r6; ld.shared.f32 %f0, [%r7]; ld.shared.f32 %f1, "
     "[%r8]; mov.f32 %f2, %f0; mov.f32 %f3, %f1;" +
         kUse4,
     {"0:8", "-"},
     "LDS.64"},
    {"four_stores",
     kRow16 + "st.shared.f32 [%r2], %f0; st.shared.f32 [%r2+4], %f1; st.shared.f32 [%r2+8], %f2; "
              "st.shared.f32 [%r2+12], %f3; ret;",
     {"0:16", "-", "-", "-"},
     "STS.128"},
    {"three_stores_never_write_a_gap",
     kRow16 +
         "st.shared.f32 [%r2], %f0; st.shared.f32 [%r2+4], %f1; st.shared.f32 [%r2+12], %f3; ret;",
     {"0:8", "-", "0:4"},
     "STS.64, STS"},
    {"unused_load_vanishes", kRow16 + "ld.shared.f32 %f0, [%r2]; ret;", {"-"}, "nothing"},
    {"vector_with_two_used_words",
     kRow16 + "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r2]; add.f32 %f2, %f2, %f3; st.global.f32 "
              "[%p0], %f2; ret;",
     {"8:8"},
     "LDS.64 at +8"},
    {"vector_with_its_ends_used",
     kRow16 + "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r2]; add.f32 %f0, %f0, %f3; st.global.f32 "
              "[%p0], %f0; ret;",
     {"0:4 12:4"},
     "LDS, LDS"},
};
INSTANTIATE_TEST_SUITE_P(Ptxas, BackendTest, ::testing::ValuesIn(kBackendCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(BackendTest, AMergedAccessSaysOfHowManyItConsists) {
  const auto note_of = [](const std::string& body) {
    const std::string text = kernel_text(kRow16 + body, 1, "", ".shared .align 16 .b8 s[4096];");
    const Result<Program> program =
        Program::decode(std::make_shared<ptx::Module>(ptx::parse(text, "t").module), "k");
    return program.ok() ? program->access_sites()[0].backend_note.english()
                        : render(program.errors());
  };
  EXPECT_EQ(note_of("ld.shared.f32 %f0, [%r2]; ld.shared.f32 %f1, [%r2+4]; ld.shared.f32 %f2, "
                    "[%r2+8]; ld.shared.f32 %f3, [%r2+12];" +
                    kUse4),
            "the compiler merges 4 neighbouring loads into one access of 16 bytes");
  EXPECT_EQ(note_of("st.shared.f32 [%r2], %f0; st.shared.f32 [%r2+4], %f1; ret;"),
            "the compiler merges 2 neighbouring stores into one access of 8 bytes");
  EXPECT_EQ(note_of("st.shared.f32 [%r2], %f0; ret;"), "");
}

TEST(BackendTest, GlobalLoadsNarrowButNeverMerge) {
  const std::string text = kernel_text(
      "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%p0]; ld.global.f32 %f4, [%p0+16]; ld.global.f32 "
      "%f5, [%p0+20]; add.f32 %f1, %f1, %f0;"
      "add.f32 %f4, %f4, %f5; add.f32 %f1, %f1, %f4; st.global.f32 [%p0], %f1; ret;",
      1);
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(ptx::parse(text, "t").module), "k");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(issued_of(program->access_sites()[0]), "0:8");
  EXPECT_EQ(issued_of(program->access_sites()[1]), "0:4");
  EXPECT_EQ(issued_of(program->access_sites()[2]), "0:4");
}

TEST(BackendTest, AnAtomicWithoutAReaderIsAReduction) {
  const std::string text = kernel_text(
      "atom.global.add.u32 %r0, [%p0], 1; atom.global.add.u32 %r1, [%p0], 1; atom.global.exch.b32 "
      "%r2, [%p0], 1; st.global.u32 [%p0], %r1; ret;",
      1);
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(ptx::parse(text, "t").module), "k");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(program->access_sites()[0].kind, AccessKind::kReduction);
  EXPECT_EQ(program->access_sites()[1].kind, AccessKind::kAtomic);
  EXPECT_EQ(program->access_sites()[2].kind, AccessKind::kAtomic);
}

}  // namespace
}  // namespace warpshop::emulator::testing
