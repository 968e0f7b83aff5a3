// Records the asynchronous copies and waits of the first block that the simulated SM starts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "emulator/program.h"
#include "one_sm/resident.h"
#include "timing/pipeline.h"

namespace warpshop::timing {

class PipelineRecorder {
 public:
  // Does nothing unless the code has asynchronous copies.
  explicit PipelineRecorder(const std::vector<MachineOp>& code);

  // The first call chooses the block.
  void start(const Block& block, const BlockTrace& trace, double at);
  // What other blocks do is ignored; ask before working out a copy, `copy` and `bulk` do not.
  bool records(const Block* block) const { return block == block_ && block != nullptr; }

  // cp.async of one warp: it arrives at `arrival`, in shared memory from `address` on.
  void copy(const Warp& w, double issue, double arrival, uint64_t bytes, uint64_t address,
            int ptx_line);
  void commit(const Warp& w);
  // The warp's copies so far count at a phase (MemoryOp::phase).
  void give_to_phase(const Warp& w, uint32_t phase);
  void bulk(uint32_t phase, double issue, double arrival, uint64_t bytes, int ptx_line);

  // The warp is ready to pass the wait for all groups but the newest `left` from `from` on.
  void wait_for_groups(const Warp& w, double from, size_t left, int ptx_line);
  // A test at `at` of a phase that is complete at `complete`.
  void wait_for_phase(const Warp& w, double at, uint32_t phase, double complete, int ptx_line);
  void arrive(const Warp& w, double at, int ptx_line);
  void release(const Warp& w, double at);
  void end(const Warp& w, double at);

  // The simulation has ended at `now`. Null without copies. Call it once.
  std::unique_ptr<Pipeline> take(double now);

 private:
  static constexpr size_t kMostStages = 1000;
  static constexpr size_t kMostWaits = 20'000;

  struct OpenStage {
    CopyStage of;
    uint64_t address = ~uint64_t{0};  // the lowest
    bool is_object = false;
    bool empty() const { return address == ~uint64_t{0}; }
  };
  struct WarpState {
    OpenStage open;           // of copies that are in no group yet
    std::vector<int> groups;  // their stages; -1: an empty group
    double arrived = 0;       // at __syncthreads
    int arrived_line = 0;
  };

  WarpState& state_of(const Warp& w);
  uint32_t index_of(const Warp& w) const;
  // Moves the warp's open copies to a stage, which it makes if there is none (-1).
  void close(WarpState& warp, int& stage);
  void wait(PipelineWait wait);
  void stop_if_full(double now);
  void stop(double now);

  bool on_ = false;
  const Block* block_ = nullptr;
  const BlockTrace* trace_ = nullptr;
  std::vector<WarpState> warps_;
  std::vector<OpenStage> stages_;
  std::map<size_t, int> stage_of_group_;
  std::vector<int> stage_of_phase_;
  Pipeline out_;
};

// Adds the names of the kernel's shared arrays and the source lines of its PTX.
void complete_pipeline(Pipeline& pipeline, const emulator::Program& program);

}  // namespace warpshop::timing
