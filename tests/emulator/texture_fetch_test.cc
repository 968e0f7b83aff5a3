// The texels that each lane of a texture fetch touches, as reported by a launch.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
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

// A prediction leaves out the values of fetches that decide nothing: of these, the same texels are
// told as of the others, and the registers keep what they had.
TEST(TextureFetch, WithoutValuesTouchesTheSameTexels) {
  struct Case {
    const char* name;
    const char* fetch;
    ArrayShape shape;
    TextureSettings settings;
  };
  const TextureSettings point;
  const TextureSettings linear{.filter = TextureFilter::kLinear};
  const auto everywhere = [](TextureAddress address, bool normalized, TextureFilter filter) {
    TextureSettings s{.filter = filter, .normalized_coordinates = normalized};
    s.address = {address, address, address};
    return s;
  };
  const ArrayShape image{.format = TexelFormat::kF32, .width = 13, .height = 7};
  const ArrayShape volume{.format = TexelFormat::kF32, .width = 5, .height = 6, .depth = 4};
  const char* const two = "tex.2d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%l0, {%f1, %f2}];";
  const char* const three = "tex.3d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%l0, {%f1,%f2,%f3,%f3}];";
  const Case cases[] = {
      {"point", two, image, point},
      {"linear", two, image, linear},
      {"border", two, image, everywhere(TextureAddress::kBorder, false, TextureFilter::kLinear)},
      {"wrap", two, image, everywhere(TextureAddress::kWrap, true, TextureFilter::kLinear)},
      {"mirror", two, image, everywhere(TextureAddress::kMirror, true, TextureFilter::kPoint)},
      {"normalised", two, image, everywhere(TextureAddress::kClamp, true, TextureFilter::kLinear)},
      {"volume", three, volume, linear},
      {"wrapped volume", three, volume,
       everywhere(TextureAddress::kWrap, true, TextureFilter::kLinear)},
      {"cube",
       "tex.cube.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%l0, {%f1, %f2, %f3, %f3}];",
       {.format = TexelFormat::kF32, .width = 6, .height = 6, .cube = true},
       everywhere(TextureAddress::kClamp, true, TextureFilter::kLinear)},
      {"one-dimensional",
       "tex.1d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%l0, {%f1}];",
       {.format = TexelFormat::kF32, .width = 19},
       linear},
      {"layers",
       "tex.a2d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%l0, {%r2, %f1, %f2, %f2}];",
       {.format = TexelFormat::kF32, .width = 9, .height = 4, .layers = 3},
       linear},
      {"tld4", "tld4.r.2d.v4.f32.f32 {%f10,%f11,%f12,%f13}, [%l0, {%f1, %f2}];", image, point},
  };
  // Places all over the texture and around it; of each two lanes, both have the same second one.
  const std::string place =
      "ld.param.u64 %l0, [a0]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; cvt.rn.f32.u32 %f1, %r1;"
      "shr.u32 %r3, %r1, 1; cvt.rn.f32.u32 %f2, %r3; cvt.rn.f32.u32 %f3, %r2;"
      "fma.rn.f32 %f1, %f1, 0f3EE66666, 0fC0133333;"  // 0.45 x - 2.3
      "fma.rn.f32 %f2, %f2, 0f3F19999A, 0fC0000000;"  // 0.6 y - 2
      "fma.rn.f32 %f3, %f3, 0f3F8CCCCD, 0fBF99999A;"  // 1.1 z - 1.2
      "mov.f32 %f10, 0f42280000;";                    // 42
  const std::string store =
      "mul.wide.u32 %l15, %r1, 4; add.s64 %l15, %p1, %l15; st.global.f32 [%l15], %f10; ret;";
  for (const Case& c : cases) {
    ptx::ParseOutput parsed = ptx::parse(kernel_text(place + c.fetch + store, 2), "test.ptx");
    ASSERT_TRUE(parsed.diagnostics.empty()) << c.name << render(parsed.diagnostics);
    const Result<Program> whole =
        Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
    ASSERT_TRUE(whole.ok()) << c.name << render(whole.errors());
    std::vector<Wanted> wanted;
    for (const ptx::Instruction& i : whole->function().body) {
      const bool fetches = i.opcode == "tex" || i.opcode == "tld4";
      wanted.push_back(fetches ? Wanted::kAccess : Wanted::kAll);
    }
    const Program reduced = whole->reduced_to(wanted);
    TextureMemory textures;
    const int array = *textures.allocate_array(c.shape, "image");
    std::array<Fetches, 2> fetches;
    std::array<std::vector<float>, 2> stored;
    for (size_t n = 0; n < 2; ++n) {
      DeviceMemory memory;
      const auto buffer = memory.allocate(64 * sizeof(float), "results");
      const LaunchConfig config{
          .grid = {1, 1, 1},
          .block = {64, 1, 1},
          .args = {Argument::i64(static_cast<int64_t>(*textures.make_texture(array, c.settings))),
                   Argument::pointer(*buffer)},
          .textures = &textures};
      LaunchOptions options;
      options.fetches = &fetches[n];
      const Result<LaunchResult> result =
          launch(n == 0 ? *whole : reduced, memory, config, options);
      ASSERT_TRUE(result.ok() && result->completed) << c.name;
      stored[n].resize(64);
      std::memcpy(stored[n].data(), memory.find(*buffer)->data, 64 * sizeof(float));
    }
    EXPECT_EQ(stored[0], std::vector<float>(64, 0.0f)) << c.name << ": texels are zero";
    EXPECT_EQ(stored[1], std::vector<float>(64, 42.0f)) << c.name;
    ASSERT_EQ(fetches[0].all.size(), 2u) << c.name;
    ASSERT_EQ(fetches[1].all.size(), 2u) << c.name;
    size_t texels = 0;
    for (size_t f = 0; f < 2; ++f) {
      for (size_t lane = 0; lane < 32; ++lane) {
        const TextureFetch::Lane& a = fetches[0].all[f].lanes[lane];
        const TextureFetch::Lane& b = fetches[1].all[f].lanes[lane];
        const auto of = [](const TextureFetch::Lane& l) {
          return std::vector<uint64_t>(l.offset.begin(), l.offset.begin() + l.texels);
        };
        EXPECT_EQ(of(b), of(a)) << c.name << ", lane " << lane;
        texels += of(a).size();
      }
    }
    EXPECT_GT(texels, 0u) << c.name;
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
