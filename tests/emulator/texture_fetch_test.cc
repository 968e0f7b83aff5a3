// The texels that each lane of a texture fetch touches, as reported by a launch.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "emulator/texture_memory.h"
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

class Fetches final : public TextureSink {
 public:
  void on_fetch(const WarpIdentity& warp, const TextureFetch& fetch) override {
    warps.push_back(warp.linear_block * 100 + warp.warp);
    all.push_back(fetch);
  }
  std::vector<uint64_t> warps;
  std::vector<TextureFetch> all;
};

// An image of 16 × 8 texels of two bytes, so a row has 32 bytes.
// %f1, %f2: the position; %r2: the lane's column.
struct TextureFetchCase {
  const char* name;
  std::string body;
  TextureSettings settings;
  uint32_t mask;  // of the only fetch by a full warp
  int lane;
  std::vector<uint64_t> offsets;  // of the texels that it touches
};

const std::string kPlace =
    "ld.param.u64 %l0, [a0]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 15; cvt.rn.f32.u32 %f1, %r2; "
    "add.f32 %f1, %f1, 0f3F000000;"
    "mov.f32 %f2, 0f40600000;";  // y = 3.5: row 3
const std::string kFetch = "tex.2d.v4.u32.f32 {%r10, %r11, %r12, %r13}, [%l0, {%f1, %f2}];";
const std::string kFetchFloat = "tex.2d.v4.f32.f32 {%f10, %f11, %f12, %f13}, [%l0, {%f1, %f2}];";

TEST(TextureFetch, TellsTheTexelsOfEachLane) {
  const TextureSettings linear{.filter = TextureFilter::kLinear,
                               .read = TextureRead::kNormalizedFloat};
  TextureSettings border;
  border.address = {TextureAddress::kBorder, TextureAddress::kBorder};
  const TextureFetchCase cases[] = {
      {"a point filter has one texel", kPlace + kFetch, {}, ~0u, 5, {3 * 32 + 10}},
      {"lane 21 has the column of lane 5", kPlace + kFetch, {}, ~0u, 21, {3 * 32 + 10}},
      {"a linear filter has four, at a place between texels",
       kPlace + "add.f32 %f1, %f1, 0f3E800000; add.f32 %f2, %f2, 0f3E800000;" + kFetchFloat,
       linear,
       ~0u,
       5,
       {3 * 32 + 10, 3 * 32 + 12, 4 * 32 + 10, 4 * 32 + 12}},
      {"the border is no texel", kPlace + "mov.f32 %f2, 0fBF800000;" + kFetch, border, ~0u, 5, {}},
      {"tld4 has the four of a linear filter, in the manual's order",
       kPlace + "tld4.r.2d.v4.u32.f32 {%r10, %r11, %r12, %r13}, [%l0, {%f1, %f2}];",
       {},
       ~0u,
       5,
       {4 * 32 + 10, 4 * 32 + 12, 3 * 32 + 12, 3 * 32 + 10}},
      {"lanes that are elsewhere do not take part",
       kPlace + "setp.gt.u32 %q1, %r1, 7; @%q1 bra $after;" + kFetch + "$after:",
       {},
       0xff,
       7,
       {3 * 32 + 14}},
  };
  for (const TextureFetchCase& c : cases) {
    ptx::ParseOutput parsed = ptx::parse(kernel_text(c.body + "ret;", 1), "test.ptx");
    const Result<Program> program =
        Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
    ASSERT_TRUE(program.ok()) << c.name << render(program.errors());
    TextureMemory textures;
    const int array = *textures.allocate_array(
        {.format = TexelFormat::kU16, .channels = 1, .width = 16, .height = 8}, "image");
    DeviceMemory memory;
    const LaunchConfig config{
        .grid = {2, 1, 1},
        .block = {64, 1, 1},
        .args = {Argument::i64(static_cast<int64_t>(*textures.make_texture(array, c.settings)))},
        .textures = &textures};
    Fetches fetches;
    LaunchOptions options;
    options.fetches = &fetches;
    const Result<LaunchResult> result = launch(*program, memory, config, options);
    ASSERT_TRUE(result.ok() && result->completed) << c.name;
    ASSERT_FALSE(fetches.all.empty()) << c.name;
    if (c.mask == ~0u) {
      EXPECT_EQ(fetches.warps, (std::vector<uint64_t>{0, 1, 100, 101})) << c.name;
    }
    const TextureFetch& first = fetches.all.front();
    EXPECT_EQ(first.active_mask, c.mask) << c.name;
    const std::string& opcode = program->module()
                                    .functions[static_cast<size_t>(first.function)]
                                    .body[static_cast<size_t>(first.instruction)]
                                    .opcode;
    EXPECT_TRUE(opcode == "tex" || opcode == "tld4") << c.name << ": " << opcode;
    const TextureFetch::Lane& lane = first.lanes[static_cast<size_t>(c.lane)];
    ASSERT_NE(lane.texture, nullptr) << c.name;
    EXPECT_EQ(lane.texture->array, array) << c.name;
    EXPECT_EQ(std::vector<uint64_t>(lane.offset.begin(), lane.offset.begin() + lane.texels),
              c.offsets)
        << c.name;
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
