// Texels that the same launch writes and reads: undefined on every chip (CUDA C++ Programming
// Guide, "Read/Write Coherency").
#include <cstring>

#include "emulator/texture_memory.h"
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct TextureRaceCase {
  const char* name;
  std::string
      body;  // %l0: the texture, %l1: the surface of the same 32 words, %r1: the thread of the grid
  bool race;
  const char* access = "";
  const char* other_access = "";
};

// %r2 = 4 × thread, %r4 = 4 × (thread + 32) mod 64
constexpr const char* kStart =
    "ld.param.u64 %l0, [a0]; ld.param.u64 %l1, [a1]; mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; "
    "mad.lo.u32 %r1, %r3, 32, %r1;"
    "shl.b32 %r2, %r1, 2; add.u32 %r4, %r2, 128; and.b32 %r4, %r4, 255; cvt.rn.f32.u32 %f0, %r1; "
    "add.f32 %f0, %f0, 0f3F000000;"
    "xor.b32 %r5, %r1, 32; cvt.rn.f32.u32 %f1, %r5; add.f32 %f1, %f1, 0f3F000000; mov.u32 %r6, 5;";
const std::string kFetchOwn = "tex.1d.v4.u32.f32 {%r10, %r11, %r12, %r13}, [%l0, {%f0}];";
const std::string kFetchOther = "tex.1d.v4.u32.f32 {%r10, %r11, %r12, %r13}, [%l0, {%f1}];";
const std::string kStoreOwn = "sust.b.1d.b32.trap [%l1, {%r2}], %r1;";

TEST(TextureRace, IsFoundOrNot) {
  const TextureRaceCase cases[] = {
      {"fetching alone", kFetchOwn + kFetchOther, false},
      {"storing alone", kStoreOwn, false},
      {"what another block stores", kStoreOwn + kFetchOther, true, "read", "write"},
      {"what another block has fetched", kFetchOther + kStoreOwn, true, "write", "read"},
      {"what the thread itself has stored", kStoreOwn + kFetchOwn, true, "read", "write"},
      {"a texel that is read before it is stored, by its own thread", kFetchOwn + kStoreOwn, false},
      {"surface loads of the own texel", kStoreOwn + "suld.b.1d.b32.trap %r7, [%l1, {%r2}];",
       false},
      {"surface loads of another block's texel",
       kStoreOwn + "suld.b.1d.b32.trap %r7, [%l1, {%r4}];", true, "read", "write"},
      {"different values of two blocks", "mov.u32 %r7, 0; sust.b.1d.b32.trap [%l1, {%r7}], %r3;",
       true, "write", "write"},
      {"one value of two blocks", "mov.u32 %r7, 0; sust.b.1d.b32.trap [%l1, {%r7}], %r6;", false},
      {"reductions of two blocks", "mov.u32 %r7, 0; sured.b.add.1d.u32.trap [%l1, {%r7}], %r6;",
       false},
      {"a reduction and a store",
       "mov.u32 %r7, 0; sured.b.add.1d.u32.trap [%l1, {%r7}], %r6; sust.b.1d.b32.trap [%l1, "
       "{%r7}], %r3;",
       true, "atomic", "write"},
  };
  for (const TextureRaceCase& c : cases) {
    ptx::ParseOutput parsed = ptx::parse(kernel_text(kStart + c.body + "ret;", 2), "test.ptx");
    const Result<Program> program =
        Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
    ASSERT_TRUE(program.ok()) << c.name << render(program.errors());
    TextureMemory textures;
    const int array = *textures.allocate_array(
        {.format = TexelFormat::kU32, .channels = 1, .width = 64}, "image");
    DeviceMemory memory;
    const LaunchConfig config{
        .grid = {2, 1, 1},
        .block = {32, 1, 1},
        .args = {Argument::i64(static_cast<int64_t>(*textures.make_texture(array, {}))),
                 Argument::i64(static_cast<int64_t>(*textures.make_surface(array)))},
        .textures = &textures};
    LaunchOptions options;
    options.threads = 1;
    const Result<LaunchResult> result = launch(*program, memory, config, options);
    ASSERT_TRUE(result.ok()) << c.name;
    const Finding* race = nullptr;
    for (const Finding& f : result->findings) {
      EXPECT_EQ(name_of(f.kind), "race") << c.name << ": " << f.message;
      if (race == nullptr || f.access == c.access) race = &f;
    }
    ASSERT_EQ(race != nullptr, c.race) << c.name;
    if (race == nullptr) continue;
    EXPECT_EQ(race->space, "texture");
    EXPECT_EQ(race->access, c.access) << c.name;
    EXPECT_EQ(race->other_access, c.other_access) << c.name;
    EXPECT_EQ(race->allocation, "image");
    EXPECT_FALSE(race->cause.empty());
  }
}

// Several emulation threads: one block records its store while another compares with the array. Two
// that find each other's records before either has stored repeat the launch on one thread, as any
// race does. That is rare.
TEST(TextureRace, OneValueOfManyBlocksIsNoneAtAnyTime) {
  const std::string body =
      "ld.param.u64 %l1, [a0]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; LOOP:\n"
      "add.u32 %r6, %r2, 7; sust.b.1d.b32.trap [%l1, {%r2}], %r6; add.u32 %r2, %r2, 1024;"
      "setp.lt.u32 %q0, %r2, 65536; @%q0 bra LOOP; ret;";
  ptx::ParseOutput parsed = ptx::parse(kernel_text(body, 1), "test.ptx");
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  LaunchOptions options;
  options.ends_at_block_races = true;
  int repeated = 0;
  for (int n = 0; n < 100; ++n) {
    TextureMemory textures;
    const int array = *textures.allocate_array(
        {.format = TexelFormat::kU32, .channels = 1, .width = 16384}, "image");
    DeviceMemory memory;
    const LaunchConfig config{
        .grid = {16, 1, 1},
        .block = {256, 1, 1},
        .args = {Argument::i64(static_cast<int64_t>(*textures.make_surface(array)))},
        .textures = &textures};
    options.threads = 8;
    Result<LaunchResult> result = launch(*program, memory, config, options);
    if (result.ok() && result->blocks_raced) {
      ++repeated;
      options.threads = 1;
      result = launch(*program, memory, config, options);
    }
    ASSERT_TRUE(result.ok()) << render(result.errors());
    ASSERT_TRUE(result->findings.empty())
        << "launch " << n << ": " << result->findings.front().message.english();
  }
  EXPECT_LE(repeated, 10);
}

// A texture over a buffer is watched together with the buffer.
TEST(TextureRace, ABufferThatIsATextureToo) {
  const std::string body =
      "ld.param.u64 %l0, [a1]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %l1, %r1, 4; add.s64 %l1, %p0, "
      "%l1; st.global.u32 [%l1], %r1;"
      "xor.b32 %r5, %r1, 1; tex.1d.v4.u32.s32 {%r10, %r11, %r12, %r13}, [%l0, {%r5}]; "
      "st.global.u32 [%l1], %r10; ret;";
  ptx::ParseOutput parsed = ptx::parse(kernel_text(body, 2), "test.ptx");
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  ASSERT_TRUE(program.ok()) << render(program.errors());
  DeviceMemory memory;
  const DevicePointer buffer = *memory.allocate(256, "data");
  memory.mark_written(buffer);
  TextureMemory textures;
  const TextureHandle handle =
      *textures.make_linear_texture(buffer, TexelFormat::kU32, 1, 64, {}, "data");
  const LaunchConfig config{
      .grid = {4, 1, 1},
      .block = {1, 1, 1},
      .args = {Argument::pointer(buffer), Argument::i64(static_cast<int64_t>(handle))},
      .textures = &textures};
  LaunchOptions options;
  options.threads = 1;
  const Result<LaunchResult> result = launch(*program, memory, config, options);
  ASSERT_TRUE(result.ok());
  ASSERT_FALSE(result->findings.empty());
  EXPECT_EQ(result->findings[0].kind, FindingKind::kRace);
}

}  // namespace
}  // namespace warpshop::emulator::testing
