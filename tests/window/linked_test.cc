// Pointing at something in one panel shows it in all of them; a click leads to the line.
#include <bit>
#include <cstring>

#include "imgui_internal.h"
#include "models/dram.h"
#include "models/partitions.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class LinkedTest : public WindowTest {
 protected:
  // Runs the step and brings a panel to the front; gives the selected access as the models are asked about it.
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
      if ((request.active_mask >> lane & 1) && request.address[lane] / bytes == at.address / bytes) lanes |= 1u << lane;
    }
    IM_CHECK(lanes != 0);
    IM_CHECK_EQ(at.lanes, lanes);
    ctx->MouseClick();
    ctx->Yield(4);
    IM_CHECK(ImGui::GetIO().WantTextInput);  // the keyboard is in the editor, at the line
  });
  keep_picture("linked-burst");
}

TEST_F(LinkedTest, APartitionPointsAtTheLanesThatAskIt) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const models::WarpRequest request = show(ctx, "partitions");
    const models::PartitionMap& map = app().view().result()->student()->memory->load.map;
    const int partition = models::partition_of(map, request.address[0]);
    uint32_t lanes = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      if ((request.active_mask >> lane & 1) && models::partition_of(map, request.address[lane]) == partition) lanes |= 1u << lane;
    }
    // From top to bottom until the pointer is on the row of lane 0's partition.
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

TEST_F(LinkedTest, ASectorOnOneGpuIsShownOnTheOther) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const models::WarpRequest request = show(ctx, "compare");
    ImGuiWindow* side = nullptr;
    for (ImGuiWindow* window : ctx->UiContext->Windows) {
      if (window->Active && std::strstr(window->Name, "###compare/") && std::strstr(window->Name, "side_")) side = window;
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
      if ((request.active_mask >> lane & 1) && request.address[lane] / 32 == at.address / 32) lanes |= 1u << lane;
    }
    IM_CHECK_EQ(at.lanes & lanes, lanes);
  });
  keep_picture("linked-gpus");
}

}  // namespace
}  // namespace warpshop::ui
