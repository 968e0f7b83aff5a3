// Results made by hand, for tests of what is drawn from a result. They involve neither compiler nor
// emulator: addresses are listed lane by lane, and the tests compute costs on paper.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::ui::demo {

// A kernel run with one recorded block, built access by access.
class RunBuilder {
 public:
  RunBuilder();
  // Adds a memory instruction of `line`; returns its site.
  uint32_t site(int line, ptx::Space space, emulator::AccessKind kind, int element_bytes = 4,
                int elements = 1);
  // Adds one execution by `warp` of block 0, with the `address` of each active lane.
  void access(uint32_t site, uint32_t warp, const std::function<uint64_t(int lane)>& address,
              uint32_t active_mask = 0xffffffffu);
  lab::KernelRun& run() { return run_; }

 private:
  lab::KernelRun run_;
};

// Start addresses of the buffers in these runs: 512-byte aligned, like those of cudaMalloc.
inline constexpr uint64_t kIn = 0x2f400, kOut = 0x8f400;

// The naive transpose of n × n floats with 8 warps per block: reads in[y * n + x] by rows and
// writes out[x * n + y] by columns. `read_line` and `write_line` are lines of the student's file.
lab::KernelRun transpose_run(int n, int read_line, int write_line);

// A comparison of `count` elements in rows of `width`, of which the listed ones are wrong.
lab::BufferComparison comparison(uint64_t count, uint64_t width,
                                 const std::vector<uint64_t>& wrong);

}  // namespace warpshop::ui::demo
