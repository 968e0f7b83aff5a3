// Asynchronous copies of hand-written machine code over cycles that can be worked out by hand.
#include "timing/pipeline.h"

#include <gtest/gtest.h>

#include <memory>

#include "one_sm/pipeline_recorder.h"
#include "one_sm/simulate.h"
#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

// From the issue of a copy of 128 bytes to its arrival on an idle chip: the latency of L2, 128
// bytes at 64 per cycle, and the wavefront that stores them.
constexpr double kFlight = 200 + 2 + 1;

OneSmFigures idle_chip() {
  OneSmFigures chip;
  chip.sm_count = 1;
  chip.cycles_per_us = 1000;
  chip.barrier = 10;
  chip.barrier_per_warp = 2;
  chip.shared_latency = 30;
  chip.l1_latency = 30;
  chip.l2_latency = 200;
  chip.l2_slices = 1;
  return chip;
}

MachineOp machine_op(MachineKind kind, int groups_left = 0) {
  MachineOp op;
  op.kind = kind;
  op.groups_left = static_cast<uint8_t>(groups_left);
  return op;
}

// A block of warps, each with its own straight-line code. A copy number n is of line 8 + n, and
// goes to `slot_bytes` × (n % slots).
struct Script {
  std::vector<std::vector<MachineOp>> warps;
  uint32_t slots = 1;
  std::vector<uint32_t> phases = {};  // arrivals that end them

  SimulationResult run() const {
    const OneSmFigures chip = idle_chip();
    CodeMap code;
    Trace trace;
    BlockTrace block{.block = 7, .warps = {}, .phases = phases, .objects = {}};
    for (size_t p = 0; p < phases.size(); ++p) block.objects.push_back(4096 + 8 * p);
    for (size_t w = 0; w < warps.size(); ++w) {
      const auto first = static_cast<int>(code.ops.size());
      code.ops.insert(code.ops.end(), warps[w].begin(), warps[w].end());
      code.pieces.push_back({{.ranges = {{first, static_cast<int>(code.ops.size())}}}});
      block.warps.push_back({.path = {{static_cast<uint32_t>(w), 1}}, .ops = {}});
    }
    code.site_of_op.assign(code.ops.size(), -1);
    code.target_of_op = code.site_of_op;
    // A site for each instruction, and one for each copy's store.
    std::vector<std::vector<MemoryOp>> accesses;
    uint32_t copies = 0;
    for (size_t i = 0; i < code.ops.size(); ++i) {
      const MachineKind kind = code.ops[i].kind;
      code.site_of_op[i] = static_cast<int>(accesses.size());
      if (kind == MachineKind::kAsyncCopy) {
        accesses.push_back({{.first_line = copies, .line_count = 1}});
        trace.lines.push_back(
            {.line = 8 + copies, .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}});
        code.target_of_op[i] = static_cast<int>(accesses.size());
        accesses.push_back(
            {{.first_line = 1024 * (copies % slots), .use = MemoryUse::kSharedStore}});
        ++copies;
      } else if (kind == MachineKind::kMbarrier) {
        const bool tests = code.ops[i].write_barrier < 6;
        accesses.push_back({{.use = MemoryUse::kSharedAtomic, .phase = 1, .tests = tests}});
      } else {
        accesses.emplace_back();
      }
    }
    for (WarpTrace& warp : block.warps) warp.ops = accesses;
    trace.blocks.push_back(block);
    Sharing sharing;
    sharing.settle(chip, {}, {});
    MemoryPath memory(chip, sharing, 1 << 16, 1);
    return simulate({.chip = &chip, .code = &code, .trace = &trace}, memory);
  }
};

void compute(std::vector<MachineOp>& code, size_t cycles) {
  MachineOp op;
  op.pipe = MachinePipe::kFma;
  op.ptx_line = 5;
  code.insert(code.end(), cycles, op);
}

// Copy, commit, wait for all, work for 50 cycles, three times.
TEST(Pipeline, OneSlotAlternates) {
  std::vector<MachineOp> code;
  for (int n = 0; n < 3; ++n) {
    code.push_back(machine_op(MachineKind::kAsyncCopy));
    code.push_back(machine_op(MachineKind::kCommitCopies));
    code.push_back(machine_op(MachineKind::kWaitForCopies));
    compute(code, 50);
  }
  const SimulationResult result = Script{.warps = {code}}.run();
  ASSERT_NE(result.pipeline, nullptr);
  const Pipeline& got = *result.pipeline;
  EXPECT_EQ(got.block, 7U);
  EXPECT_EQ(got.slots.size(), 1U);
  ASSERT_EQ(got.stages.size(), 3U);
  ASSERT_EQ(got.waits.size(), 3U);
  const double round = kFlight + 1 + 50;  // the wait issues when the copy is there
  for (int n = 0; n < 3; ++n) {
    const auto at = static_cast<size_t>(n);
    EXPECT_DOUBLE_EQ(got.stages[at].issue_cycle, n * round);
    EXPECT_DOUBLE_EQ(got.stages[at].arrival_cycle, n * round + kFlight);
    EXPECT_EQ(got.stages[at].bytes, 128U);
    EXPECT_EQ(got.waits[at].stage, n);
    EXPECT_EQ(got.waits[at].what, WaitFor::kCopies);
    EXPECT_DOUBLE_EQ(got.waits[at].start_cycle, n * round + 2);
    EXPECT_DOUBLE_EQ(got.waits[at].end_cycle, n * round + kFlight);
  }
  const double end = 3 * round - 1;  // the last issue
  EXPECT_DOUBLE_EQ(got.warps[0].end_cycle, end);
  EXPECT_NEAR(got.overlap(), 2 / kFlight, 1e-9);  // the copy and the commit
  EXPECT_NEAR(got.waiting_for_copies(), 3 * (kFlight - 2) / end, 1e-9);
  EXPECT_EQ(got.waiting_at_barriers(), 0);
  EXPECT_EQ(got.most_in_flight(), 1);
}

// Two slots: the next copy is ordered before the wait for this one, and 300 cycles of work hide it.
TEST(Pipeline, ARingOfTwoWaitsOnlyForItsFirstCopy) {
  std::vector<MachineOp> code = {machine_op(MachineKind::kAsyncCopy),
                                 machine_op(MachineKind::kCommitCopies)};
  for (int n = 0; n < 4; ++n) {
    if (n < 3) code.push_back(machine_op(MachineKind::kAsyncCopy));
    code.push_back(machine_op(MachineKind::kCommitCopies));
    code.push_back(machine_op(MachineKind::kWaitForCopies, 1));
    compute(code, 300);
  }
  const SimulationResult result = Script{.warps = {code}, .slots = 2}.run();
  ASSERT_NE(result.pipeline, nullptr);
  const Pipeline& got = *result.pipeline;
  ASSERT_EQ(got.slots.size(), 2U);
  EXPECT_EQ(got.slots[0].address, 0U);
  EXPECT_EQ(got.slots[1].address, 1024U);
  ASSERT_EQ(got.stages.size(), 4U) << "the empty group is no stage";
  for (size_t n = 0; n < 4; ++n) EXPECT_EQ(got.stages[n].slot, static_cast<int>(n % 2));
  // 0: copy, 2: copy, wait until 203, 300 cycles of work; then rounds of 303 cycles.
  EXPECT_DOUBLE_EQ(got.stages[1].issue_cycle, 2);
  EXPECT_DOUBLE_EQ(got.stages[2].issue_cycle, kFlight + 301);
  EXPECT_DOUBLE_EQ(got.stages[3].issue_cycle, kFlight + 301 + 303);
  ASSERT_EQ(got.waits.size(), 1U);
  EXPECT_EQ(got.waits[0].stage, 0);
  EXPECT_DOUBLE_EQ(got.waits[0].start_cycle, 4);
  EXPECT_DOUBLE_EQ(got.waits[0].end_cycle, kFlight);
  EXPECT_EQ(got.most_in_flight(), 2);
  // In flight: 0 to 205, and twice a copy of its own.
  EXPECT_DOUBLE_EQ(got.stages[1].arrival_cycle, 2 + kFlight);
  EXPECT_NEAR(got.overlap(), 1 - (kFlight - 4) / (3 * kFlight + 2), 1e-9);
}

// Both warps copy half of each tile: their n-th groups are one stage.
TEST(Pipeline, GroupsOfAllWarpsAreOneStage) {
  std::vector<MachineOp> one = {
      machine_op(MachineKind::kAsyncCopy), machine_op(MachineKind::kCommitCopies),
      machine_op(MachineKind::kWaitForCopies), machine_op(MachineKind::kBarrier)};
  std::vector<MachineOp> late;
  compute(late, 40);
  late.insert(late.end(), one.begin(), one.end());
  compute(one, 1);
  compute(late, 1);
  const SimulationResult result = Script{.warps = {one, late}, .slots = 2}.run();
  const Pipeline& got = *result.pipeline;
  ASSERT_EQ(got.stages.size(), 1U);
  EXPECT_EQ(got.stages[0].bytes, 256U);
  EXPECT_DOUBLE_EQ(got.stages[0].issue_cycle, 0);
  EXPECT_DOUBLE_EQ(got.stages[0].last_issue_cycle, 40);
  EXPECT_DOUBLE_EQ(got.stages[0].arrival_cycle, 40 + kFlight);
  EXPECT_EQ(got.slots[0].address, 0U) << "the lowest address of both";
  // Warp 0 comes to the barrier 40 cycles before warp 1. The unit for barriers takes 2 cycles for
  // each arrival, and the release 10.
  const PipelineWait* barrier = nullptr;
  for (const PipelineWait& wait : got.waits) {
    if (wait.what == WaitFor::kBarrier && wait.warp == 0) barrier = &wait;
  }
  ASSERT_NE(barrier, nullptr);
  EXPECT_DOUBLE_EQ(barrier->start_cycle, kFlight + 1);
  EXPECT_DOUBLE_EQ(barrier->end_cycle, 40 + kFlight + 1 + 2 + 10);
  EXPECT_GT(got.waiting_at_barriers(), 0);
}

// The producer's arrival counts when its copy is there; the consumer waits for that phase.
TEST(Pipeline, AnMbarrierConnectsProducerAndConsumer) {
  MachineOp arrive = machine_op(MachineKind::kMbarrier);
  arrive.opcode = 0x1b0;
  MachineOp test = machine_op(MachineKind::kMbarrier);
  test.write_barrier = 0;
  test.ptx_line = 9;
  std::vector<MachineOp> consumer = {test};
  compute(consumer, 10);
  consumer[1].wait_mask = 1;
  const SimulationResult result = Script{
      .warps = {{machine_op(MachineKind::kAsyncCopy), arrive}, consumer},
      .phases = {1}}.run();
  ASSERT_NE(result.pipeline, nullptr);
  const Pipeline& got = *result.pipeline;
  ASSERT_EQ(got.stages.size(), 1U);
  EXPECT_DOUBLE_EQ(got.stages[0].arrival_cycle, kFlight);
  ASSERT_EQ(got.waits.size(), 1U);
  EXPECT_EQ(got.waits[0].warp, 1U);
  EXPECT_EQ(got.waits[0].what, WaitFor::kMbarrier);
  EXPECT_EQ(got.waits[0].stage, 0);
  EXPECT_EQ(got.waits[0].object_address, 4096U);
  EXPECT_EQ(got.waits[0].ptx_line, 9);
  EXPECT_DOUBLE_EQ(got.waits[0].start_cycle, 0);
  constexpr double kArrival = 20;  // simulate.cc: from an arrival to the end of its phase
  EXPECT_DOUBLE_EQ(got.waits[0].end_cycle, kFlight + kArrival);
}

TEST(Pipeline, WithoutCopiesThereIsNone) {
  std::vector<MachineOp> code = {machine_op(MachineKind::kBarrier)};
  compute(code, 10);
  EXPECT_EQ((Script{.warps = {code, code}}.run().pipeline), nullptr);
}

TEST(Pipeline, PlacesHaveTheNamesOfSharedArrays) {
  const char* const text = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry k()
{
.shared .align 16 .b8 slot[4096];
.shared .align 8 .b8 full[16];
.reg .b32 %r<4>;
mov.u32 %r1, slot;
st.shared.u32 [%r1], 0;
mov.u32 %r2, full;
st.shared.u32 [%r2], 0;
ret;
}
)";
  ptx::ParseOutput parsed = ptx::parse(text, "test.ptx");
  ASSERT_TRUE(parsed.diagnostics.empty());
  const Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  ASSERT_TRUE(program.ok());
  uint64_t slot = 0, full = 0;
  for (const emulator::Program::SharedArray& array : program->shared_arrays())
    (array.name == "slot" ? slot : full) = array.offset_bytes;
  Pipeline pipeline;
  pipeline.slots = {{.address = slot + 1024}, {.address = full + 8, .is_object = true}};
  pipeline.waits = {{.what = WaitFor::kMbarrier, .object_address = full + 8}};
  complete_pipeline(pipeline, *program);
  EXPECT_EQ(pipeline.slots[0].array, "slot");
  EXPECT_EQ(pipeline.slots[0].offset, 1024U);
  EXPECT_EQ(pipeline.slots[1].array, "full[1]");
  EXPECT_EQ(pipeline.waits[0].object, "full[1]");
}

}  // namespace
}  // namespace warpshop::timing
