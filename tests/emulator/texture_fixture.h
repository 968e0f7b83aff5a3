// Rows of texture_truth/h200.txt, and the images used for the measurements.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "emulator/texture_memory.h"
#include "kernel_fixture.h"
#include "texture_truth/points.h"

namespace warpshop::emulator::testing {

inline std::vector<std::string> truth_rows(const std::string& kind) {
  std::ifstream file(std::string(WARPSHOP_TESTS_DIR) + "/emulator/texture_truth/h200.txt");
  std::vector<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.find(" " + kind + " k") != std::string::npos) rows.push_back(line);
  }
  return rows;
}

inline uint64_t hash_of(const void* data, size_t bytes, uint64_t hash = 1469598103934665603u) {
  const auto* at = static_cast<const uint8_t*>(data);
  for (size_t n = 0; n < bytes; ++n) hash = (hash ^ at[n]) * 1099511628211u;
  return hash;
}

inline std::vector<uint8_t> image(const ArrayShape& shape, texture_truth::Texels kind) {
  const auto format = static_cast<texture_truth::Format>(shape.format);
  const uint64_t texels = shape.size_bytes_all() / static_cast<uint64_t>(shape.texel_bytes());
  std::vector<uint8_t> out;
  for (uint64_t n = 0; n < texels; ++n) {
    for (int c = 0; c < shape.channels; ++c) {
      const uint32_t t =
          texture_truth::texel(format, kind, static_cast<uint32_t>(n), static_cast<uint32_t>(c));
      const auto* from = reinterpret_cast<const uint8_t*>(&t);
      out.insert(out.end(), from, from + size_bytes(shape.format));
    }
  }
  return out;
}

// Thread n executes `instruction` with the four words of point n in %c0 … %c3, and stores %o0 …
// %o3.
inline std::string kernel_around(const std::string& instruction) {
  return ".version 8.4\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 t, .param .u64 i, .param .u64 o, .param .u32 n) {\n"
         ".reg .b64 %t, %i, %p, %x; .reg .b32 %o<4>, %c<4>, %n, %m, %g; .reg .pred %q, %z;\n"
         "ld.param.u64 %t, [t]; ld.param.u64 %i, [i]; ld.param.u64 %p, [o]; ld.param.u32 %n, [n];\n"
         "mov.u32 %m, %ctaid.x; mov.u32 %g, %tid.x; mad.lo.u32 %m, %m, 128, %g; setp.ge.u32 %z, "
         "%m, %n; @%z ret;\n"
         "mul.wide.u32 %x, %m, 16; add.u64 %i, %i, %x; add.u64 %p, %p, %x;\n"
         "ld.global.v4.u32 {%c0, %c1, %c2, %c3}, [%i]; mov.u32 %o0, 0; mov.u32 %o1, 0; mov.u32 "
         "%o2, 0; mov.u32 %o3, 0;\n" +
         instruction + ";\nst.global.v4.u32 [%p], {%o0, %o1, %o2, %o3}; ret; }\n";
}

struct Answer {
  uint64_t hash = 0;
  std::vector<Finding> findings;
  std::vector<uint32_t> words;
};

// `in`: four words a point. `textures` holds the object of `handle`.
inline Answer fetch_with(const std::string& instruction, TextureHandle handle,
                         const std::vector<uint32_t>& in, TextureMemory& textures,
                         DeviceMemory& memory) {
  ptx::ParseOutput parsed = ptx::parse(kernel_around(instruction), "test.ptx");
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  if (!program) {
    ADD_FAILURE() << render(program.errors());
    return {};
  }
  const DevicePointer points = *memory.allocate(in.size() * 4, "points");
  std::memcpy(memory.bytes(points).data(), in.data(), in.size() * 4);
  memory.mark_written(points);
  const DevicePointer results = *memory.allocate(in.size() * 4, "results");
  const auto count = static_cast<uint32_t>(in.size() / 4);
  const LaunchConfig config{
      .grid = {(count + 127) / 128},
      .block = {128},
      .args = {Argument::i64(static_cast<int64_t>(handle)), Argument::pointer(points),
               Argument::pointer(results), Argument::i32(static_cast<int32_t>(count))},
      .textures = &textures};
  Result<LaunchResult> result = launch(*program, memory, config, {});
  if (!result) {
    ADD_FAILURE() << render(result.errors());
    return {};
  }
  Answer answer{.hash = hash_of(memory.bytes(results).data(), in.size() * 4),
                .findings = std::move(result->findings),
                .words = {}};
  answer.words.resize(in.size());
  std::memcpy(answer.words.data(), memory.bytes(results).data(), in.size() * 4);
  return answer;
}

}  // namespace warpshop::emulator::testing
