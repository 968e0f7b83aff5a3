// Surface loads and stores, compared with an H200's results in
// texture_truth/h200.txt. The kernels are the same.
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "emulator/texture_memory.h"
#include "kernel_fixture.h"
#include "texture_fixture.h"

namespace warpshop::emulator::testing {
namespace {

namespace truth = texture_truth;

// One thread visits all points and also stores what it loads.
// texture_truth/probe/gen.py has the same kernel.
std::string surface_kernel(const std::string& instruction) {
  return ".version 8.4\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 t, .param .u64 i, .param .u64 o, .param .u32 n) {\n"
         ".reg .b64 %t, %i, %p, %d<4>; .reg .b32 %o<4>, %s<4>, %l, %n, %e; .reg .pred %q, %z; .reg "
         ".b16 %h<4>;\n"
         "ld.param.u64 %t, [t]; ld.param.u64 %i, [i]; ld.param.u64 %p, [o]; ld.param.u32 %n, [n];\n"
         "LOOP: setp.eq.u32 %z, %n, 0; @%z ret;\n"
         "ld.global.v4.u32 {%s0, %s1, %s2, %e}, [%i]; mov.u32 %l, %s2; mov.u32 %o0, %e; not.b32 "
         "%o1, %e;\n"
         "add.u32 %o2, %e, 77; xor.b32 %o3, %e, 0x5555aaaa;\n"
         "mov.b64 %d0, {%o0, %o1}; mov.b64 %d1, {%o2, %o3}; cvt.u16.u32 %h0, %o0; cvt.u16.u32 %h1, "
         "%o1;\n"
         "cvt.u16.u32 %h2, %o2; cvt.u16.u32 %h3, %o3;\n" +
         instruction +
         ";\nst.global.v4.u32 [%p], {%o0, %o1, %o2, %o3}; st.global.v2.u64 [%p+16], {%d0, %d1};\n"
         "st.global.v4.u16 [%p+32], {%h0, %h1, %h2, %h3};\n"
         "add.u64 %i, %i, 16; add.u64 %p, %p, 48; sub.u32 %n, %n, 1; bra LOOP; }\n";
}

struct SurfaceRow {
  uint64_t results = 0, surface = 0;
  int dim = 0, width = 0, height = 0, layers = 0, format = 0, channels = 0;
  uint32_t points = 0;
  std::string text;
};

SurfaceRow surface_row(const std::string& line) {
  SurfaceRow r;
  std::string skipped;
  std::istringstream in(line);
  in >> std::hex >> r.results >> r.surface >> std::dec >> skipped >> skipped >> r.dim >> r.width >>
      r.height >> r.layers >> r.format >> r.channels >> r.points >> skipped;
  std::getline(in >> std::ws, r.text);
  return r;
}

// Hashes of the kernel's results and of the surface's contents afterwards.
std::pair<uint64_t, uint64_t> run(const SurfaceRow& r) {
  const ArrayShape shape{.format = static_cast<TexelFormat>(r.format),
                         .channels = r.channels,
                         .width = static_cast<uint32_t>(r.width),
                         .height = r.dim == 2 ? static_cast<uint32_t>(r.height) : 0,
                         .layers = static_cast<uint32_t>(r.layers)};
  TextureMemory textures;
  const int array = *textures.allocate_array(shape, "image");
  const std::vector<uint8_t> texels = image(shape, truth::kNoise);
  std::memcpy(textures.bytes(array).data(), texels.data(), texels.size());
  std::vector<uint32_t> in;
  for (uint32_t n = 0; n < r.points; ++n) {
    in.push_back(static_cast<uint32_t>(
        int64_t{truth::whole_coordinate(n, 0, static_cast<uint32_t>(r.width))} *
        shape.texel_bytes()));
    in.push_back(
        static_cast<uint32_t>(truth::whole_coordinate(n, 1, static_cast<uint32_t>(r.height))));
    in.push_back(static_cast<uint32_t>(static_cast<int>(truth::mix(n) % 7) - 2));
    in.push_back(truth::mix(n + 99));
  }
  ptx::ParseOutput parsed = ptx::parse(surface_kernel(r.text), "test.ptx");
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  if (!program) {
    ADD_FAILURE() << render(program.errors());
    return {};
  }
  DeviceMemory memory;
  const DevicePointer points = *memory.allocate(in.size() * 4, "points");
  std::memcpy(memory.bytes(points).data(), in.data(), in.size() * 4);
  memory.mark_written(points);
  // The probe's result buffer holds 12 words per point, and more.
  const DevicePointer results = *memory.allocate(size_t{r.points} * 64, "results");
  memory.mark_written(results);
  const LaunchConfig config{
      .grid = {},
      .block = {},
      .args = {Argument::i64(static_cast<int64_t>(*textures.make_surface(array))),
               Argument::pointer(points), Argument::pointer(results),
               Argument::i32(static_cast<int32_t>(r.points))},
      .textures = &textures};
  const Result<LaunchResult> result = launch(*program, memory, config, {});
  if (!result) {
    ADD_FAILURE() << render(result.errors());
    return {};
  }
  for (const Finding& f : result->findings) ADD_FAILURE() << f.message;
  return {hash_of(memory.bytes(results).data(), size_t{r.points} * 48),
          hash_of(textures.bytes(array).data(), textures.bytes(array).size())};
}

// The chip clamped one point with texels of 4 bytes (x is
// 683,177,604) to the left edge: docs/emulator.md.
bool is_known(const SurfaceRow& r) {
  const bool clamped =
      r.text.find("sust.p") != std::string::npos && r.text.find(".clamp") != std::string::npos;
  return !clamped || size_bytes(static_cast<TexelFormat>(r.format)) * r.channels != 4;
}

TEST(Surface, GivesTheChipsBits) {
  int rows = 0;
  for (const std::string& line : truth_rows("surf")) {
    const SurfaceRow r = surface_row(line);
    if (!is_known(r)) continue;
    ++rows;
    const auto [results, surface] = run(r);
    EXPECT_EQ(results, r.results) << line;
    EXPECT_EQ(surface, r.surface) << line;
  }
  EXPECT_GT(rows, 100);
}

}  // namespace
}  // namespace warpshop::emulator::testing
