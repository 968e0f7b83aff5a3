// Runs a kernel given as PTX text on buffers of 32-bit words.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emulator/launch.h"
#include "ptx/parser.h"

namespace warpshop::emulator::testing {

using Words = std::vector<uint32_t>;

struct KernelRun {
  LaunchResult result;
  std::vector<Words> buffers;  // after the launch
  std::vector<AccessSite> sites;
  Diagnostics errors;  // from decoding, or from a rejected launch
  const Finding* find(FindingKind kind) const {
    for (const Finding& f : result.findings) {
      if (f.kind == kind) return &f;
    }
    return nullptr;
  }
};

// Wraps `body` in a kernel `k` with pointer parameters p0, p1, … loaded into %p0, %p1, …
// and spare registers: %r<32> b32, %l<16> b64, %f<16> f32, %q<8> pred, %h<8> b16. Line
// numbers count from the start of the body.
inline std::string kernel_text(const std::string& body, int params, const std::string& before = {},
                               const std::string& declarations = {}) {
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n" + before + "\n.visible .entry k(";
  for (int n = 0; n < params; ++n)
    text += std::string(n ? ", " : "") + ".param .u64 a" + std::to_string(n);
  text +=
      ")\n{\n.reg .b64 %p<8>; .reg .b32 %r<32>; .reg .b64 %l<16>; .reg .f32 %f<16>; .reg .pred "
      "%q<8>; .reg .b16 %h<8>;\n" +
      declarations + "\n";
  for (int n = 0; n < params; ++n)
    text += "ld.param.u64 %p" + std::to_string(n) + ", [a" + std::to_string(n) + "];\n";
  return text + body + "\n}\n";
}

inline KernelRun run_ptx(const std::string& text, Dim3 grid, Dim3 block, std::vector<Words> buffers,
                         const LaunchOptions& options = {}, uint32_t dynamic_shared = 0,
                         bool cooperative = false) {
  KernelRun run;
  ptx::ParseOutput parsed = ptx::parse(text, "test.ptx");
  run.errors = parsed.diagnostics;
  auto module = std::make_shared<ptx::Module>(std::move(parsed.module));
  const Result<Program> program = Program::decode(module, "k");
  if (!program) {
    run.errors = program.errors();
    return run;
  }
  run.sites = program->access_sites();
  DeviceMemory memory;
  LaunchConfig config{.grid = grid,
                      .block = block,
                      .dynamic_shared_bytes = dynamic_shared,
                      .cooperative = cooperative,
                      .args = {}};
  std::vector<DevicePointer> pointers;
  for (size_t n = 0; n < buffers.size(); ++n) {
    const DevicePointer p = *memory.allocate(buffers[n].size() * 4, "buffer " + std::to_string(n));
    std::memcpy(memory.bytes(p).data(), buffers[n].data(), buffers[n].size() * 4);
    memory.mark_written(p);
    pointers.push_back(p);
    config.args.push_back(Argument::pointer(p));
  }
  Result<LaunchResult> result = launch(*program, memory, config, options);
  if (!result) {
    run.errors = result.errors();
    return run;
  }
  run.result = std::move(*result);
  for (size_t n = 0; n < buffers.size(); ++n) {
    Words words(buffers[n].size());
    std::memcpy(words.data(), memory.bytes(pointers[n]).data(), words.size() * 4);
    run.buffers.push_back(std::move(words));
  }
  return run;
}

// Runs one warp with one output buffer of 32 words, in which each lane stores one.
inline KernelRun run_warp(const std::string& body, const std::string& before = {},
                          const std::string& declarations = {}) {
  return run_ptx(kernel_text(body, 1, before, declarations), {1, 1, 1}, {32, 1, 1}, {Words(32, 0)});
}

inline std::string errors_of(const KernelRun& run) {
  return run.errors.empty() ? "" : render(run.errors);
}

// Stores %r0 in this thread's word of the first buffer.
inline const std::string kStoreR0 =
    "mov.u32 %r31, %tid.x; mul.wide.u32 %l15, %r31, 4; add.s64 %l15, %p0, %l15; st.global.u32 "
    "[%l15], %r0; ret;";

}  // namespace warpshop::emulator::testing
