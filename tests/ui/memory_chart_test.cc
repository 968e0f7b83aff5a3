#include "maps/memory_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/format.h"

namespace warpshop::ui {
namespace {

using testing::HasSubstr;
using timing::MemoryFlow;
using timing::MemoryUse;

// A thousand requests that load `sectors` each and store 4. All miss L1; `dram_sectors` per request
// come from DRAM.
MemoryFlow flow_of(double sectors, double dram_sectors) {
  MemoryFlow flow;
  flow.has_l1 = flow.has_l2 = true;
  flow[MemoryUse::kGlobalLoad] = {
      .requests = 1000, .sectors = 1000 * sectors, .hits = 0, .wavefronts = 0};
  flow[MemoryUse::kGlobalStore] = {.requests = 1000, .sectors = 4000, .hits = 0, .wavefronts = 0};
  flow.read_bytes = 32 * 1000 * sectors;
  flow.write_bytes = 32 * 4000;
  flow.l2_read_sectors = 1000 * sectors;
  flow.l2_read_misses = 1000 * dram_sectors;
  flow.dram_read_bytes = 32 * 1000 * dram_sectors;
  flow.dram_write_bytes = 32 * 4000;
  return flow;
}

lab::SizeResult size_with(const MemoryFlow& yours, std::optional<MemoryFlow> reference) {
  lab::SizeResult size;
  size.student.prediction.emplace().flow = yours;
  if (reference) size.reference.prediction.emplace().flow = *reference;
  return size;
}

models::GpuProfile chart_gpu(const char* id) {
  return models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id).value();
}

const ChartArrow* arrow_named(const ChartRow& row, std::string_view name) {
  for (const ChartArrow& arrow : row.arrows) {
    if (arrow.name == name) return &arrow;
  }
  return nullptr;
}

TEST(MemoryChart, BoxesFromTheKernelToDramWithBytesOnTheArrows) {
  const MemoryChart chart =
      memory_chart(size_with(flow_of(4, 4), flow_of(4, 4)), chart_gpu("h200"));
  ASSERT_EQ(chart.rows.size(), 3u);
  EXPECT_EQ(chart.rows[0].boxes.front().name, "L1");
  EXPECT_EQ(chart.rows[1].boxes.front().name, "L2");
  EXPECT_EQ(chart.rows[2].boxes.front().name, "DRAM");
  ASSERT_EQ(chart.rows[0].arrows.size(), 2u) << "what the kernel does not do has no arrow";
  const ChartArrow& loads = chart.rows[0].arrows[0];
  EXPECT_EQ(loads.name, "global loads");
  EXPECT_EQ(loads.way, ChartArrow::Way::kUp);
  EXPECT_DOUBLE_EQ(loads.requests.yours, 1000);
  EXPECT_DOUBLE_EQ(loads.bytes.yours, 128000);
  EXPECT_DOUBLE_EQ(*loads.bytes.reference, 128000);
  EXPECT_DOUBLE_EQ(arrow_named(chart.rows[2], "reads")->bytes.yours, 128000);
  EXPECT_DOUBLE_EQ(*chart.rows[1].boxes[0].hit_rate, 0);
  EXPECT_FALSE(chart.worst) << "nothing is worse than the reference";
}

// 32 sectors per request instead of 4, each read only once from DRAM: the traffic from L2 is the
// worst.
TEST(MemoryChart, TheHeadlineIsTheLevelThatIsWorst) {
  struct WorstCase {
    const char* what;
    MemoryFlow yours;
    std::optional<std::string> name;
    double ratio;
  };
  MemoryFlow cached = flow_of(4, 4);  // instructions access more sectors, which hit L1
  cached[MemoryUse::kGlobalLoad].sectors = 32000;
  cached[MemoryUse::kGlobalLoad].hits = 28000;
  const WorstCase cases[] = {
      {"as good", flow_of(4, 4), std::nullopt, 0},
      {"a tenth more is not worse", flow_of(4.4, 4), std::nullopt, 0},
      {"L2 is asked for more", flow_of(32, 4), "the reference's bytes between L2 and the SMs",
       36.0 / 8},
      {"DRAM too", flow_of(32, 32), "the reference's bytes between DRAM and the chip", 36.0 / 8},
      {"L1 holds it", cached, "the bytes that the reference's instructions touch", 36.0 / 8},
  };
  for (const WorstCase& c : cases) {
    const MemoryChart chart = memory_chart(size_with(c.yours, flow_of(4, 4)), chart_gpu("h200"));
    EXPECT_EQ(chart.worst.has_value(), c.name.has_value()) << c.what;
    if (!chart.worst || !c.name) continue;
    EXPECT_EQ(chart.worst->name, *c.name) << c.what;
    EXPECT_DOUBLE_EQ(chart.worst->ratio(), c.ratio) << c.what;
  }
  EXPECT_FALSE(memory_chart(size_with(flow_of(32, 32), std::nullopt), chart_gpu("h200")).worst)
      << "there is no reference";
}

TEST(MemoryChart, OldChipsHaveTheCachesThatTheyHave) {
  MemoryFlow flow = flow_of(4, 4);
  flow.has_l1 = flow.has_l2 = false;
  flow[MemoryUse::kSharedLoad] = {.requests = 500, .sectors = 0, .hits = 0, .wavefronts = 8000};
  MemoryChart chart = memory_chart(size_with(flow, std::nullopt), chart_gpu("gtx-280"));
  ASSERT_EQ(chart.rows.size(), 2u) << "no L2";
  ASSERT_EQ(chart.rows[0].boxes.size(), 2u);
  EXPECT_FALSE(chart.rows[0].boxes[0].cache);
  const ChartArrow* shared = arrow_named(chart.rows[0], "shared memory");
  ASSERT_NE(shared, nullptr);
  EXPECT_EQ(shared->box, 1u);
  EXPECT_DOUBLE_EQ(shared->wavefronts.yours, 8000);
  // Texture fetches have their own caches: one in the SMs, one at the partitions.
  flow.has_texture_l1 = true;
  flow[MemoryUse::kTexture] = {.requests = 100, .sectors = 400, .hits = 300, .wavefronts = 0};
  flow.texture_l2_lookups = 100;
  flow.texture_l2_hits = 50;
  chart = memory_chart(size_with(flow, std::nullopt), chart_gpu("gtx-280"));
  ASSERT_EQ(chart.rows.size(), 3u);
  ASSERT_EQ(chart.rows[0].boxes.size(), 3u);
  EXPECT_EQ(chart.rows[0].boxes[1].name, "texture cache");
  EXPECT_DOUBLE_EQ(*chart.rows[0].boxes[1].hit_rate, 0.75);
  EXPECT_EQ(arrow_named(chart.rows[0], "texture fetches")->box, 1u);
  EXPECT_DOUBLE_EQ(*chart.rows[1].boxes[0].hit_rate, 0.5);
}

TEST(MemoryChart, AKernelWithoutAccessesHasNoChart) {
  EXPECT_TRUE(memory_chart(size_with({}, std::nullopt), chart_gpu("h200")).empty());
  EXPECT_TRUE(memory_chart({}, chart_gpu("h200")).empty());
}

TEST(MemoryChart, ItsFiguresAreATable) {
  const std::string csv =
      memory_csv(memory_chart(size_with(flow_of(32, 4), flow_of(4, 4)), chart_gpu("h200")));
  EXPECT_TRUE(csv.starts_with("between,and,what,unit,yours,reference\n")) << csv;
  EXPECT_THAT(csv, HasSubstr("kernel,L1,global loads,sectors,32000,4000\n"));
  EXPECT_THAT(csv, HasSubstr("L1,L2,reads,bytes,1024000,128000\n"));
  EXPECT_THAT(csv, HasSubstr("L2,,hit rate,%,87.5,0\n"));
  EXPECT_THAT(csv, HasSubstr("L2,DRAM,writes,bytes,128000,128000\n"));
}

TEST(Format, TrafficIsToldInPowersOfAThousand) {
  struct TrafficCase {
    double bytes;
    const char* text;
  };
  for (const TrafficCase& c : {TrafficCase{0, "0 B"},
                               {96, "96 B"},
                               {999, "999 B"},
                               {1000, "1.0 kB"},
                               {134217728, "134.2 MB"},
                               {999'960, "1.0 MB"},
                               {2.5e9, "2.5 GB"}}) {
    EXPECT_EQ(moved_text(c.bytes), c.text);
  }
  for (const TrafficCase& c : {TrafficCase{12288, "12,288"},
                               {524288, "524,288"},
                               {2097152, "2.10 M"},
                               {1.0737e9, "1.07 G"}}) {
    EXPECT_EQ(count_text(c.bytes), c.text);
  }
}

}  // namespace
}  // namespace warpshop::ui
