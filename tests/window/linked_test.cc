// Pointing at an item in one panel shows it in all of them; a click leads to its line.
#include <algorithm>
#include <bit>
#include <cstring>

#include "imgui_internal.h"
#include "models/dram.h"
#include "models/partitions.h"
#include "timing/memory_timeline.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class LinkedTest : public WindowTest {
 protected:
  // Runs the step and brings a panel to the front; returns the selected access as a request for the
  // models.
  models::WarpRequest show(ImGuiTestContext* ctx, const char* panel) {
    app().send(command::Run{});
    wait_for_result(ctx);
    wait_until(ctx, [this] { return !app().predicting(); });
    app().send(command::FocusPanel{panel});
    ctx->Yield(6);
    return request_of(*app().view().result()->student(), *app().view().access());
  }
  ImRect item(ImGuiTestContext* ctx, const char* name) { return ctx->ItemInfo(name).RectFull; }
};

TEST_F(LinkedTest, ABurstPointsAtItsLanesAndItsBytes) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const models::WarpRequest request = show(ctx, "dram");
    const ImRect bursts = item(ctx, "//###dram/bursts");
    ctx->MouseMoveToPos({bursts.Min.x + 12, bursts.Min.y + 6});
    ctx->Yield(3);
    const Pointing at = app().view().pointing;
    const uint32_t bytes = models::dram_of(app().view().result()->gpu).burst_bytes;
    IM_CHECK_EQ(at.bytes, bytes);
    IM_CHECK_EQ(at.address % bytes, 0u);
    IM_CHECK_EQ(at.line, app().view().access()->line);
    uint32_t lanes = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      if ((request.active_mask >> lane & 1) && request.address[lane] / bytes == at.address / bytes)
        lanes |= 1u << lane;
    }
    IM_CHECK(lanes != 0);
    IM_CHECK_EQ(at.lanes, lanes);
    ctx->MouseClick();
    ctx->Yield(4);
    IM_CHECK(ImGui::GetIO().WantTextInput);  // the editor has the focus, at the line
  });
  keep_picture("linked-burst");
}

TEST_F(LinkedTest, APartitionPointsAtTheLanesThatAskIt) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const models::WarpRequest request = show(ctx, "partitions");
    const models::PartitionMap map = app().view().result()->student()->memory->load.map;
    const int partition = models::partition_of(map, request.address[0]);
    uint32_t lanes = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      if ((request.active_mask >> lane & 1) &&
          models::partition_of(map, request.address[lane]) == partition)
        lanes |= 1u << lane;
    }
    // Move down until the pointer is on the row of lane 0's partition.
    const ImRect load = item(ctx, "//###partitions/load");
    bool found = false;
    for (float y = load.Min.y; y < load.Max.y && !found; y += 3) {
      ctx->MouseMoveToPos({load.GetCenter().x, y});
      ctx->Yield(2);
      found = app().view().pointing.lanes == lanes;
    }
    IM_CHECK(found);
    IM_CHECK_EQ(app().view().pointing.line, app().view().access()->line);
  });
  keep_picture("linked-partition");
}

// Row by row, each with a period in which another partition is busy: a click selects the access
// that loads it most then, even in a block whose accesses were not recorded.
TEST_F(LinkedTest, AStretchOfTimeOfAPartitionLeadsToTheAccessThatLoadsIt) {
  UiOptions gpu;
  gpu.gpu = "gtx-280";
  open("partition-camping", "walk", gpu);
  walk([this](ImGuiTestContext* ctx) {
    show(ctx, "partitions");
    const size_t first = *app().view().selected;
    const auto memory = app().view().result()->student()->memory;
    // In the third period.
    const models::PartitionWindow& window = memory->load.windows[2];
    const auto busiest =
        std::max_element(window.bytes.begin(), window.bytes.end()) - window.bytes.begin();
    double before = 0, total = 0;
    for (const models::PartitionWindow& w : memory->load.windows)
      total += static_cast<double>(w.busiest());
    for (size_t i = 0; i < 2; ++i) before += static_cast<double>(memory->load.windows[i].busiest());
    const auto part =
        static_cast<float>((before + 0.5 * static_cast<double>(window.busiest())) / total);
    const ImRect load = item(ctx, "//###partitions/load");
    // The left edge and the height of the rows are the panel's own business: the tooltip's period
    // tells when they are hit.
    const float gutter = load.Max.x - load.GetWidth() * 0.955f;
    const float y =
        load.Max.y - (load.GetHeight() - 22) * (1 - (static_cast<float>(busiest) + 0.5f) /
                                                        static_cast<float>(memory->load.map.count));
    ctx->MouseMoveToPos({gutter + (load.Max.x - gutter) * part, y});
    ctx->Yield(3);
    ctx->MouseClick();
    ctx->Yield(4);
    IM_CHECK(*app().view().selected != first);
    const View& view = app().view();
    const size_t selected = *view.selected;
    const emulator::WarpIdentity& warp = view.record()->warp;
    const auto wanted =
        timing::heaviest_access(*memory, window.begin, window.begin + 1, static_cast<int>(busiest),
                                timing::TimedAccess{.block = 0});
    IM_CHECK(wanted.has_value());
    IM_CHECK_EQ(warp.linear_block, wanted->block);
    IM_CHECK_EQ(warp.warp, wanted->from.warp);
    IM_CHECK_EQ(*view.prepared->accesses.global_step(selected), wanted->from.step);
    // The access does go to that partition.
    const models::WarpRequest request = request_of(*view.result()->student(), *view.access());
    IM_CHECK_EQ(models::partition_of(memory->load.map, request.address[0]),
                static_cast<int>(busiest));
    IM_CHECK(ctx->ItemExists("//###partitions/load"));  // the panel stays in front
    // A block other than the recorded one is run again, and then the access is selected.
    app().send(command::SelectGlobalAccess{9, 1, 3});
    ctx->Yield(3);
    wait_for_result(ctx);
    IM_CHECK_EQ(app().view().record()->warp.linear_block, 9u);
    IM_CHECK_EQ(app().view().record()->warp.warp, 1u);
    IM_CHECK_EQ(*app().view().prepared->accesses.global_step(*app().view().selected), 3u);
    IM_CHECK(ctx->ItemExists("//###partitions/load"));
    wait_until(ctx, [this] { return !app().predicting(); });
    ctx->Yield(3);
  });
  keep_picture("linked-moment");
}

TEST_F(LinkedTest, ABurstOfAChannelLeadsToTheAccessThatFetchesIt) {
  open("dram-bursts", "whole");
  walk([this](ImGuiTestContext* ctx) {
    show(ctx, "dram");
    const size_t first = *app().view().selected;
    // Click a period in the rows over time, in which the accesses of all blocks advance in step.
    const auto memory = app().view().result()->student()->memory;
    const ImRect rows = item(ctx, "//###dram/rows");
    const float pitch = std::min(rows.GetWidth() / static_cast<float>(memory->rows.size()), 90.0f);
    const size_t chosen = memory->rows.size() - 1;
    ctx->MouseMoveToPos(
        {rows.Min.x + pitch * (static_cast<float>(chosen) + 0.5f), rows.GetCenter().y});
    ctx->Yield(3);
    ctx->MouseClick();
    ctx->Yield(4);
    IM_CHECK(*app().view().selected != first);
    const auto wanted =
        timing::heaviest_access(*memory, memory->rows[chosen].begin,
                                memory->rows[chosen].begin + memory->load.window_length,
                                std::nullopt, timing::TimedAccess{.block = 0});
    IM_CHECK(wanted.has_value());
    IM_CHECK_EQ(*app().view().prepared->accesses.global_step(*app().view().selected),
                wanted->from.step);
    IM_CHECK_EQ(app().view().access()->line,
                student_line(app().view().result()->student()->sites[wanted->from.site]));
  });
}

TEST_F(LinkedTest, ASectorOnOneGpuIsShownOnTheOther) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const models::WarpRequest request = show(ctx, "compare");
    ImGuiWindow* side = nullptr;
    for (ImGuiWindow* window : ctx->UiContext->Windows) {
      if (window->Active && std::strstr(window->Name, "###compare/") &&
          std::strstr(window->Name, "side_"))
        side = window;
    }
    IM_CHECK(side != nullptr);
    const ImRect map = ctx->ItemInfo(ctx->GetID("map", side->ID)).RectFull;
    bool found = false;
    for (float y = map.Min.y + 4; y < map.Max.y && !found; y += 4) {
      ctx->MouseMoveToPos({map.Min.x + map.GetWidth() * 0.25f, y});
      ctx->Yield(2);
      const Pointing& at = app().view().pointing;
      found = at.bytes == 32 && std::popcount(at.lanes) >= 1;
    }
    IM_CHECK(found);
    const Pointing at = app().view().pointing;
    uint32_t lanes = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      if ((request.active_mask >> lane & 1) && request.address[lane] / 32 == at.address / 32)
        lanes |= 1u << lane;
    }
    IM_CHECK_EQ(at.lanes & lanes, lanes);
  });
  keep_picture("linked-gpus");
}

}  // namespace
}  // namespace warpshop::ui
