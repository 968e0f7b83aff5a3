// The pipelines of the lab "Copy while you compute": what is copied where follows from the texts of
// its kernels.
#include "timing/pipeline.h"

#include <set>
#include <string>

#include "runner_fixture.h"

namespace warpshop::lab {
namespace {

using timing::Pipeline;
using timing::WaitFor;

class PipelinesTest : public RunnerTest {
 protected:
  PipelinesTest() {
    Result<Lab> lab = load_lab(data_dir(), "pipelines");
    EXPECT_TRUE(lab.ok());
    pipelines_ = std::move(*lab);
  }
  // At the size for times; null: none.
  std::shared_ptr<const Pipeline> pipeline(std::string_view step, bool solution) {
    const Step* found = pipelines_.find_step(step);
    EXPECT_NE(found, nullptr);
    const Exercise& exercise = *found->exercise;
    RunRequest asked = request(*found, solution ? exercise.solution : exercise.skeleton);
    asked.lab = &pipelines_;
    asked.predict = true;
    const RunResult result = runner_->run(asked);
    EXPECT_TRUE(result.has_timed()) << step;
    return result.has_timed() ? result.timed->student.prediction->pipeline : nullptr;
  }

  Lab pipelines_;
};

// 10,560 rows of 8 KiB for 132 blocks: 80 for each, in three slots in turn.
TEST_F(PipelinesTest, ARingFillsItsSlotsInTurn) {
  const std::shared_ptr<const Pipeline> ring = pipeline("ring", true),
                                        one = pipeline("ring", false);
  ASSERT_TRUE(ring && one);
  EXPECT_FALSE(ring->cut);
  ASSERT_EQ(ring->slots.size(), 3U);
  for (size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(ring->slots[s].array, "memory");
    EXPECT_EQ(ring->slots[s].offset, 8192 * s);
  }
  ASSERT_EQ(ring->stages.size(), 80U);
  for (size_t n = 0; n < 80; ++n) {
    EXPECT_EQ(ring->stages[n].slot, static_cast<int>(n % 3)) << n;
    EXPECT_EQ(ring->stages[n].bytes, 8192U) << n;
    EXPECT_LT(ring->stages[n].issue_cycle, ring->stages[n].arrival_cycle) << n;
    EXPECT_GT(ring->stages[n].source.line, 0) << n;
  }
  EXPECT_EQ(ring->warps.size(), 8U);
  EXPECT_EQ(ring->most_in_flight(), 2);
  // A single slot: a row is ordered when the one before has been computed.
  EXPECT_EQ(one->slots.size(), 1U);
  ASSERT_EQ(one->stages.size(), 80U);
  EXPECT_EQ(one->most_in_flight(), 1);
  for (size_t n = 1; n < 80; ++n)
    EXPECT_GT(one->stages[n].issue_cycle, one->stages[n - 1].arrival_cycle) << n;
  EXPECT_GT(one->waiting_for_copies(), 2 * ring->waiting_for_copies());
  EXPECT_LT(one->overlap(), 0.3);
  EXPECT_GT(ring->overlap(), one->overlap() + 0.3);
}

// Warp 8 copies rows of 16 KiB into two slots; the others wait for `full`, and it for `empty`.
TEST_F(PipelinesTest, AProducerAndItsConsumersWaitForEachOther) {
  const std::shared_ptr<const Pipeline> of = pipeline("producer", true);
  ASSERT_TRUE(of);
  ASSERT_EQ(of->slots.size(), 2U);
  EXPECT_EQ(of->slots[1].array, "slot");
  EXPECT_EQ(of->slots[1].offset, 16384U);
  ASSERT_FALSE(of->stages.empty());
  for (const timing::CopyStage& stage : of->stages) EXPECT_EQ(stage.bytes, 16384U);
  ASSERT_EQ(of->warps.size(), 9U);
  std::set<std::string> by_producer, by_consumers;
  for (const timing::PipelineWait& wait : of->waits) {
    if (wait.what == WaitFor::kBarrier) continue;  // of the set-up
    ASSERT_EQ(wait.what, WaitFor::kMbarrier);
    (wait.warp == 8 ? by_producer : by_consumers).insert(wait.object);
    EXPECT_EQ(wait.stage >= 0, wait.warp < 8);
  }
  EXPECT_EQ(by_producer, (std::set<std::string>{"empty[0]", "empty[1]"}));
  EXPECT_EQ(by_consumers, (std::set<std::string>{"full[0]", "full[1]"}));
}

// One thread orders 16 KiB at once; the slots are known by the mbarrier objects that count them.
TEST_F(PipelinesTest, ACopyInBulkIsAStage) {
  const std::shared_ptr<const Pipeline> of = pipeline("bulk", true);
  ASSERT_TRUE(of);
  ASSERT_EQ(of->slots.size(), 2U);
  EXPECT_EQ(of->slots[0].array, "full[0]");
  EXPECT_EQ(of->slots[1].array, "full[1]");
  for (size_t n = 0; n < of->stages.size(); ++n) {
    EXPECT_EQ(of->stages[n].bytes, 16384U);
    EXPECT_EQ(of->stages[n].slot, static_cast<int>(n % 2));
  }
}

TEST_F(PipelinesTest, LoadsIntoRegistersAreNoPipeline) {
  EXPECT_EQ(pipeline("two-tiles", true), nullptr);
}

}  // namespace
}  // namespace warpshop::lab
