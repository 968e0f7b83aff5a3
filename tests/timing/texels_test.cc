// The addresses of texels, and a fetch as it appears in the trace.
#include "predict/texels.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>

#include "one_sm/trace.h"
#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

using emulator::TexelFormat;
using emulator::TextureMemory;

struct PlaceCase {
  const char* what;
  TexelLayout layout;
  uint64_t x;  // byte offset within the row
  uint64_t y;
  uint64_t layer;
  uint64_t place;  // byte offset from the start of the array
};

// The first tiles of envytools' example ("G80 surface formats"): 16-byte elements, here eight
// across and eight down, so that two tiles lie side by side and two are stacked. The numbers for
// the other layouts were worked out by hand from the formulas.
TEST(Texels, LieInTiles) {
  const PlaceCase cases[] = {
      {"element (1, 0) of the example", TexelLayout::kRows4, 16, 0, 0, 0x010},
      {"element (0, 1)", TexelLayout::kRows4, 0, 1, 0, 0x040},
      {"element (3, 3)", TexelLayout::kRows4, 48, 3, 0, 0x0f0},
      {"element (4, 0), in the next tile", TexelLayout::kRows4, 64, 0, 0, 0x100},
      {"element (7, 2)", TexelLayout::kRows4, 112, 2, 0, 0x1b0},
      {"element (0, 4), a tile below", TexelLayout::kRows4, 0, 4, 0, 0x200},
      {"element (5, 7)", TexelLayout::kRows4, 80, 7, 0, 0x3d0},
      {"the next layer begins behind the last tile", TexelLayout::kRows4, 0, 0, 1, 0x400},
      {"tiles of eight rows", TexelLayout::kRows8, 64, 7, 0, 512 + 7 * 64},
      {"16 bytes of the second row are in the first one's sector", TexelLayout::kSectors, 0, 1, 0,
       16},
      {"and the next 16 bytes of the first row in the sector after it", TexelLayout::kSectors, 16,
       0, 0, 32},
      {"the third row begins behind two sectors", TexelLayout::kSectors, 0, 2, 0, 64},
      {"the right half of a tile lies behind the left", TexelLayout::kSectors, 32, 0, 0, 256},
      {"byte 47 of row 5", TexelLayout::kSectors, 47, 5, 0, 256 + 2 * 64 + 0 * 32 + 16 + 15},
      {"byte 63 of row 7", TexelLayout::kSectors, 63, 7, 0, 511},
  };
  TextureMemory textures;
  const int first = *textures.allocate_array(
      {.format = TexelFormat::kU32, .channels = 4, .width = 8, .height = 8, .layers = 2}, "a");
  ASSERT_TRUE(textures.make_texture(first, {}).ok());
  const emulator::TextureObject& object = textures.objects().front();
  for (const PlaceCase& c : cases) {
    const uint64_t begin = texel_address(c.layout, object, 0);
    EXPECT_EQ(texel_address(c.layout, object, c.layer * 1024 + c.y * 128 + c.x) - begin, c.place)
        << c.what;
  }
}

TEST(Texels, OfBuffersLieInTheBufferAndOfOneDimensionInARow) {
  TextureMemory textures;
  ASSERT_TRUE(
      textures.make_pitched_texture(0x10000, TexelFormat::kU8, 1, 64, 64, 96, {}, "pitched").ok());
  const int row =
      *textures.allocate_array({.format = TexelFormat::kU8, .channels = 1, .width = 1000}, "row");
  ASSERT_TRUE(textures.make_texture(row, {}).ok());
  for (const TexelLayout layout :
       {TexelLayout::kRows4, TexelLayout::kRows8, TexelLayout::kSectors}) {
    EXPECT_EQ(texel_address(layout, textures.objects()[0], 5 * 96 + 7), 0x10000u + 5 * 96 + 7);
    EXPECT_EQ(texel_address(layout, textures.objects()[1], 777) -
                  texel_address(layout, textures.objects()[1], 0),
              777u);
  }
}

TEST(Texels, LayoutsGoByGeneration) {
  EXPECT_EQ(texel_layout_of({1, 1}), TexelLayout::kRows4);
  EXPECT_EQ(texel_layout_of({3, 5}), TexelLayout::kRows8);
  EXPECT_EQ(texel_layout_of({9, 0}), TexelLayout::kSectors);
}

// A warp fetches 32 single bytes of row 0 of an image: two sectors, each with 16 bytes of that row
// and of the row below. From column 16 on, the fetch spans both halves of a tile.
TEST(Texels, AFetchHasItsSectorsInTheTrace) {
  struct FetchCase {
    const char* what;
    uint32_t column;
    std::vector<std::pair<uint64_t, uint8_t>> lines;  // (line, from the array's start; sectors)
  };
  const FetchCase cases[] = {
      {"from column 0", 0, {{0, 0b0011}}},
      {"from column 16", 16, {{0, 0b0010}, {2, 0b0001}}},
      {"from column 48: in the next tile", 48, {{2, 0b0010}, {4, 0b0001}}},
  };
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 image, .param "
      ".u32 column)\n{\n"
      ".reg .b32 %r<16>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n"
      "ld.param.u64 %rd1,[image]; ld.param.u32 %r2,[column]; mov.u32 %r1,%tid.x; add.u32 "
      "%r1,%r1,%r2;\n"
      "cvt.rn.f32.u32 %f1,%r1; add.f32 %f1,%f1,0f3F000000; mov.f32 %f2,0f3F000000;\n"
      "tex.2d.v4.u32.f32 {%r4,%r5,%r6,%r7},[%rd1,{%f1,%f2}];\nret;\n}\n";
  for (const FetchCase& c : cases) {
    const ptx::ParseOutput parsed = ptx::parse(text, "t.ptx");
    ASSERT_TRUE(parsed.diagnostics.empty()) << render(parsed.diagnostics);
    const Result<emulator::Program> program =
        emulator::Program::decode(std::make_shared<const ptx::Module>(parsed.module), "k");
    ASSERT_TRUE(program.ok());
    TextureMemory textures;
    const int array = *textures.allocate_array(
        {.format = TexelFormat::kU8, .channels = 1, .width = 256, .height = 16}, "image");
    emulator::LaunchConfig launch{.grid = {1, 1, 1}, .block = {32, 1, 1}, .textures = &textures};
    launch.args = {emulator::Argument::i64(static_cast<int64_t>(*textures.make_texture(array, {}))),
                   emulator::Argument::i32(static_cast<int32_t>(c.column))};
    emulator::DeviceMemory memory;
    Trace trace;
    Sharing sharing;
    Recorder recorder({.program = &*program, .launch = &launch}, TexelLayout::kSectors, memory);
    ASSERT_TRUE(recorder.record({0}, Sharing::Who::kOwn, trace, sharing).ok()) << c.what;
    const FetchSites sites(*program);
    ASSERT_EQ(sites.size(), 1u);
    const std::vector<MemoryOp>& ops =
        trace.blocks.front().warps.front().ops[static_cast<size_t>(sites.number(0))];
    ASSERT_EQ(ops.size(), 1u) << c.what;
    ASSERT_EQ(ops[0].line_count, c.lines.size()) << c.what;
    const uint64_t begin = texel_address(TexelLayout::kSectors, textures.objects()[0], 0) / 128;
    for (size_t n = 0; n < c.lines.size(); ++n) {
      const LineAccess& line = trace.lines[ops[0].first_line + n];
      EXPECT_EQ(line.line - begin, c.lines[n].first) << c.what;
      EXPECT_EQ(line.sectors, c.lines[n].second) << c.what;
    }
  }
}

}  // namespace
}  // namespace warpshop::timing
