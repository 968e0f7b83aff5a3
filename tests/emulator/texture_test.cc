// Texture fetches, compared with an H200's results in
// texture_truth/h200.txt. The kernels are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

#include "emulator/replay.h"
#include "emulator/texture_memory.h"
#include "kernel_fixture.h"
#include "texture_fixture.h"

namespace warpshop::emulator::testing {
namespace {

namespace truth = texture_truth;

struct TextureRow {
  uint64_t hash = 0;
  int dim = 0, width = 0, height = 0, layers = 0, format = 0, channels = 0, filter = 0, ax = 0,
      ay = 0, normalised = 0, read = 0, texels = 0, memory = 0, whole = 0;
  uint32_t points = 0;
  std::string text;
};

TextureRow texture_row(const std::string& line) {
  TextureRow r;
  std::string skipped;
  std::istringstream in(line);
  in >> std::hex >> r.hash >> std::dec >> skipped >> skipped >> r.dim >> r.width >> r.height >>
      r.layers >> r.format >> r.channels >> r.filter >> r.ax >> r.ay >> r.normalised >> r.read >>
      r.texels >> r.memory >> r.whole >> skipped >> r.points >> skipped;
  std::getline(in >> std::ws, r.text);
  return r;
}

TextureSettings settings_of(const TextureRow& r) {
  return {.address = {static_cast<TextureAddress>(r.ax), static_cast<TextureAddress>(r.ay)},
          .filter = static_cast<TextureFilter>(r.filter),
          .read = r.read ? TextureRead::kNormalizedFloat : TextureRead::kElement,
          .normalized_coordinates = r.normalised != 0,
          .border = {0.25f, 0.5f, 0.75f, 1.0f}};
}

Result<TextureHandle> make_texture(const TextureRow& r, TextureMemory& textures,
                                   DeviceMemory& memory) {
  const ArrayShape shape{.format = static_cast<TexelFormat>(r.format),
                         .channels = r.channels,
                         .width = static_cast<uint32_t>(r.width),
                         .height = r.dim == 2 ? static_cast<uint32_t>(r.height) : 0,
                         .layers = static_cast<uint32_t>(r.layers)};
  const std::vector<uint8_t> texels = image(shape, static_cast<truth::Texels>(r.texels));
  if (r.memory == 0) {
    const int array = *textures.allocate_array(shape, "image");
    std::memcpy(textures.bytes(array).data(), texels.data(), texels.size());
    return textures.make_texture(array, settings_of(r));
  }
  const uint64_t row = uint64_t{shape.width} * static_cast<uint64_t>(shape.texel_bytes());
  const uint64_t pitch = r.memory == 2 ? (row + 31) / 32 * 32 : row;
  const uint64_t rows = std::max<uint64_t>(shape.height, 1);
  const DevicePointer base = *memory.allocate(pitch * rows, "image");
  for (uint64_t y = 0; y < rows; ++y)
    std::memcpy(memory.bytes(base).data() + y * pitch, texels.data() + y * row, row);
  memory.mark_written(base);
  if (r.memory == 1)
    return textures.make_linear_texture(base, shape.format, shape.channels, shape.width,
                                        settings_of(r), "image");
  return textures.make_pitched_texture(base, shape.format, shape.channels, shape.width,
                                       shape.height, pitch, settings_of(r), "image");
}

Answer run(const TextureRow& r) {
  TextureMemory textures;
  DeviceMemory memory;
  const Result<TextureHandle> handle = make_texture(r, textures, memory);
  if (!handle) {
    ADD_FAILURE() << render(handle.errors());
    return {};
  }
  std::vector<uint32_t> in;
  const bool graded =
      r.text.find(".grad") != std::string::npos || r.text.find(".level") != std::string::npos;
  for (uint32_t n = 0; n < r.points; ++n) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const auto size = static_cast<uint32_t>(axis == 0 ? r.width : r.height);
      in.push_back(r.whole ? static_cast<uint32_t>(truth::whole_coordinate(n, axis, size))
                           : truth::bits_of(truth::coordinate(n, axis, size, r.normalised != 0)));
    }
    if (r.layers > 0) in.back() = static_cast<uint32_t>(static_cast<int>(truth::mix(n) % 7) - 2);
    if (graded) in.back() = truth::bits_of(static_cast<float>(truth::mix(n) % 9) * 0.5f - 2.0f);
    in.push_back(0);
  }
  return fetch_with(r.text, *handle, in, textures, memory);
}

// The finding expected for a wrong use; the result is the
// chip's all the same. Empty for correct use.
std::string expected_finding(const TextureRow& r) {
  if (r.text.starts_with("txq")) return {};
  const bool whole_numbers = r.format < 6 && r.read == 0;
  const bool float_result =
      r.text.find("v4.f32") != std::string::npos || r.text.find("f16x2") != std::string::npos;
  if (r.memory == 1 && !r.whole)
    return "\"image\" is a texture over a plain buffer, read with coordinates in float";
  if (r.memory == 0 && r.whole && r.dim == 1)
    return "\"image\" is an array, read with tex1Dfetch: that gives 0 for every texel";
  if (whole_numbers && float_result) return "\"image\" holds integers, the kernel reads floats";
  if (!whole_numbers && !float_result) return "\"image\" gives floats, the kernel reads integers";
  return {};
}

TEST(Texture, GivesTheChipsBits) {
  int rows = 0;
  for (const std::string& line : truth_rows("tex")) {
    const TextureRow r = texture_row(line);
    ++rows;
    const Answer answer = run(r);
    EXPECT_EQ(answer.hash, r.hash) << line;
    const std::string finding = expected_finding(r);
    ASSERT_EQ(answer.findings.size(), finding.empty() ? 0u : 1u) << line;
    if (finding.empty()) continue;
    EXPECT_EQ(answer.findings[0].kind, FindingKind::kTexture);
    EXPECT_EQ(answer.findings[0].message, finding) << line;
  }
  EXPECT_GT(rows, 640);
}

// ---- wrong uses ---------------------------------------------------------------------------------

struct Objects {
  TextureMemory memory;
  DeviceMemory device;
  std::map<std::string, TextureHandle> handle;
  int array = -1;

  Objects() {
    array =
        *memory.allocate_array({.format = TexelFormat::kF32, .width = 8, .height = 4}, "picture");
    handle["texture"] = *memory.make_texture(array, {});
    handle["surface"] = *memory.make_surface(array);
    const int empty =
        *memory.allocate_array({.format = TexelFormat::kF32, .width = 8, .height = 4}, "blank");
    memory.mark_unwritten(empty);
    handle["blank texture"] = *memory.make_texture(empty, {});
    handle["blank surface"] = *memory.make_surface(empty);
    const int line = *memory.allocate_array({.format = TexelFormat::kF32, .width = 8}, "line");
    handle["line"] = *memory.make_texture(line, {});
    handle["nothing"] = 0;
    handle["freed"] = *memory.make_linear_texture(0x123400, TexelFormat::kF32, 1, 8, {}, "lost");
    handle["beyond"] = TextureMemory::kFirstHandle + memory.objects().size();
  }
};

// Runs `body` in one warp, with the object's handle in %l0.
LaunchResult run_on(Objects& objects, const std::string& object, const std::string& body) {
  const std::string text = kernel_text(
      "ld.param.u64 %l0, [a0]; mov.u32 %r0, %tid.x; cvt.rn.f32.u32 %f0, %r0; mov.f32 %f1, "
      "0f00000000;\n"
      "mov.u32 %r1, 0; mul.lo.u32 %r2, %r0, 4;\n" +
          body + "\nret;",
      1);
  ptx::ParseOutput parsed = ptx::parse(text, "test.ptx");
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  if (!program) {
    ADD_FAILURE() << render(program.errors());
    return {};
  }
  const LaunchConfig config{
      .grid = {},
      .block = {8},
      .args = {Argument::i64(static_cast<int64_t>(objects.handle.at(object)))},
      .textures = &objects.memory};
  Result<LaunchResult> result = launch(*program, objects.device, config, {});
  if (!result) {
    ADD_FAILURE() << render(result.errors());
    return {};
  }
  return std::move(*result);
}

TEST(Texture, FindsWrongUses) {
  const std::string tex2d = "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%l0, {%f0, %f1}];";
  const std::string tex1d = "tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%l0, {%f0}];";
  const std::string fetch = "tex.1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [%l0, {%r0}];";
  const std::string write = "sust.b.2d.b32.trap [%l0, {%r2, %r1}], {%r0};";
  struct {
    std::string object, body;
    FindingKind kind;
    std::string message;
    uint64_t count;
  } const cases[] = {
      {"nothing", tex2d, FindingKind::kTexture, "0x0 is no texture object", 8},
      {"beyond", tex2d, FindingKind::kTexture, "0x5000000000007 is no texture object", 8},
      {"nothing", write, FindingKind::kTexture, "0x0 is no surface object", 8},
      {"surface", tex2d, FindingKind::kTexture,
       "\"picture\" is a surface object, used as a texture", 8},
      {"texture", write, FindingKind::kTexture,
       "\"picture\" is a texture object, used as a surface", 8},
      {"texture", tex1d, FindingKind::kTexture,
       "\"picture\" is two-dimensional, the kernel uses it as one-dimensional", 8},
      {"line", tex2d, FindingKind::kTexture,
       "\"line\" is one-dimensional, the kernel uses it as two-dimensional", 8},
      {"freed", fetch, FindingKind::kTexture,
       "the buffer of the texture \"lost\" is gone or too small", 8},
      {"blank texture", tex2d, FindingKind::kUninitialised,
       "a texel of \"blank\" is read that nothing has written", 8},
      {"blank surface", "suld.b.2d.b32.trap {%r3}, [%l0, {%r2, %r1}];", FindingKind::kUninitialised,
       "a texel of \"blank\" is read that nothing has written", 8},
      {"surface", "sust.b.2d.b32.trap [%l0, {%r0, %r1}], {%r0};", FindingKind::kMisaligned,
       "write of 4 bytes at byte 1 of a row of the surface \"picture\": not a multiple of 4", 6},
      {"surface", "add.u32 %r2, %r2, 8; " + write, FindingKind::kOutOfBounds,
       "write of 4 bytes at byte 32 of row 0 of the surface \"picture\" (rows of 32 bytes, 4 rows)",
       2},
      {"surface", "suld.b.2d.b32.trap {%r3}, [%l0, {%r1, %r0}];", FindingKind::kOutOfBounds,
       "read of 4 bytes at byte 0 of row 4 of the surface \"picture\" (rows of 32 bytes, 4 rows)",
       4},
  };
  for (const auto& c : cases) {
    Objects objects;
    const LaunchResult result = run_on(objects, c.object, c.body);
    ASSERT_EQ(result.findings.size(), 1u) << c.object << ": " << c.body;
    EXPECT_EQ(result.findings[0].kind, c.kind) << c.body;
    EXPECT_EQ(result.findings[0].message, c.message);
    EXPECT_EQ(result.findings[0].count, c.count) << c.body;
    EXPECT_FALSE(result.findings[0].cause.empty());
  }
}

TEST(Texture, RightUsesFindNothing) {
  Objects objects;
  const std::string store = "sust.b.2d.b32.trap [%l0, {%r2, %r1}], {%r0};";
  EXPECT_TRUE(run_on(objects, "blank surface", store).findings.empty());
  // Texels written by a surface store can be read.
  EXPECT_TRUE(
      run_on(objects, "blank texture", "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%l0, {%f0, %f1}];")
          .findings.empty());
  EXPECT_TRUE(run_on(objects, "surface",
                     "add.u32 %r2, %r2, 64; sust.b.2d.b32.zero [%l0, {%r2, %r1}], {%r0};")
                  .findings.empty());
}

TEST(Texture, AReplayReadsTexturesAndRefusesToWriteSurfaces) {
  const std::string fetch = "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%l0, {%f0, %f1}]; ret;";
  for (const bool store : {false, true}) {
    auto objects = std::make_unique<Objects>();
    const float value = 2.5f;
    std::memcpy(objects->memory.bytes(objects->array).data() + 12, &value, 4);
    const std::string text = kernel_text(
        "ld.param.u64 %l0, [a0]; mov.f32 %f0, 0f40600000; mov.f32 %f1, 0f00000000; mov.u32 %r1, "
        "0;\n" +
            (store ? "sust.b.2d.b32.trap [%l0, {%r1, %r1}], {%r1}; ret;" : fetch),
        1);
    ptx::ParseOutput parsed = ptx::parse(text, "test.ptx");
    const Result<Program> program =
        Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
    ASSERT_TRUE(program.ok()) << render(program.errors());
    const TextureHandle handle = objects->handle.at(store ? "surface" : "texture");
    const LaunchConfig config{.grid = {},
                              .block = {},
                              .args = {Argument::i64(static_cast<int64_t>(handle))},
                              .textures = &objects->memory};
    Result<Replay> replay = Replay::open(*program, DeviceMemory(), config, {});
    ASSERT_EQ(replay.ok(), !store);
    if (store) continue;
    objects.reset();  // the replay has its own textures
    const ReplayState state = replay->at(replay->steps().size() - 1);
    const auto f2 = std::find_if(state.registers.begin(), state.registers.end(),
                                 [](const ReplayRegister& r) { return r.name == "%f2"; });
    ASSERT_NE(f2, state.registers.end());
    EXPECT_EQ(f2->bits[0], truth::bits_of(value));
  }
}

TEST(Texture, SaysWhatIsNotKnown) {
  struct {
    std::string instruction, why;
  } const cases[] = {
      {"tld4.r.cube.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%l0, {%f0, %f0, %f0, %f0}];",
       "tld4 is known for two-dimensional textures"},
      {"tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%l0, {%f0, %f0}], {%r0, %r0};", "offsets"},
      {"tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%l0, %l1, {%f0, %f0}];",
       "a texture with a sampler of its own"},
      {"tex.2d.v4.f16x2.f32 {%r2, %r3, %r4, %r5}, [%l0, {%f0, %f0}];", "two of .f16x2"},
      {"tld4.r.2d.v2.f16x2.f32 {%r2, %r3}, [%l0, {%f0, %f0}];", "four 32-bit results"},
      {"txq.channel_order.b32 %r0, [%l0];", ".width, .height and .depth"},
      {"sured.b.xor.2d.b32.trap [%l0, {%r0, %r0}], %r0;", "were expected"},
      {"sured.p.add.2d.u32.trap [%l0, {%r0, %r0}], %r0;", "were expected"},
  };
  for (const auto& c : cases) {
    ptx::ParseOutput parsed = ptx::parse(
        kernel_text("ld.param.u64 %l0, [a0];\n" + c.instruction + "\nret;", 1), "test.ptx");
    const Result<Program> program =
        Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
    ASSERT_FALSE(program.ok()) << c.instruction;
    const std::string text = render(program.errors());
    EXPECT_NE(
        text.find("the emulator cannot run `" + c.instruction.substr(0, c.instruction.size() - 1)),
        std::string::npos)
        << text;
    EXPECT_NE(text.find(c.why), std::string::npos) << text;
    EXPECT_NE(text.find("(PTX line 11)"), std::string::npos) << text;
  }
}

TEST(TextureMemory, RefusesWhatTheRuntimeRefuses) {
  TextureMemory memory;
  const int integers =
      *memory.allocate_array({.format = TexelFormat::kU8, .width = 8, .height = 4}, "picture");
  EXPECT_FALSE(memory.make_texture(integers, {.filter = TextureFilter::kLinear}).ok());
  EXPECT_TRUE(memory
                  .make_texture(integers, {.filter = TextureFilter::kLinear,
                                           .read = TextureRead::kNormalizedFloat})
                  .ok());
  EXPECT_FALSE(memory.allocate_array({.channels = 3, .width = 8}, "rgb").ok());
  EXPECT_FALSE(memory.allocate_array({.width = 131073}, "long").ok());
  EXPECT_FALSE(memory.allocate_array({.width = 0}, "empty").ok());
  EXPECT_FALSE(memory.make_pitched_texture(512, TexelFormat::kF32, 1, 7, 4, 28, {}, "narrow").ok());
  EXPECT_FALSE(memory.make_linear_texture(516, TexelFormat::kF32, 1, 8, {}, "odd").ok());
}

}  // namespace
}  // namespace warpshop::emulator::testing
