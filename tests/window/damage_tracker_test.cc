// A software renderer draws only what has changed. The window must look exactly as if drawn as a
// whole, whatever was drawn before, and nothing may be drawn if nothing changes.
#include "imgui_internal.h"
#include "window/gl_fill.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

// The first pixel that differs.
std::string difference(const Picture& a, const Picture& b) {
  if (a.width != b.width || a.height != b.height) return "another size";
  for (size_t n = 0; n < a.rgba.size(); ++n) {
    if (a.rgba[n] == b.rgba[n]) continue;
    const size_t pixel = n / 4, width = static_cast<size_t>(a.width);
    return "at " + std::to_string(pixel % width) + "," + std::to_string(pixel / width);
  }
  return "";
}

constexpr int kHeight = 96;

// Calls `draw` for a window of this width; returns the parts that differ from the previous call.
template <typename Draw>
std::vector<PixelBox> parts_changed(DamageTracker& parts, int width, Draw draw) {
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  draw(list);
  ImDrawData data;
  data.DisplaySize = {static_cast<float>(width), kHeight};
  data.FramebufferScale = {1, 1};
  ImGui::AddDrawListToDrawDataEx(&data, &data.CmdLists, &list);
  return parts.find(data, IM_COL32(27, 31, 38, 255));
}

class DamageTrackerTest : public WindowTest {
 protected:
  DamageTrackerTest() { draw_each_frame(); }
  void same_as_whole(const std::string& after) {
    const Picture shown = app().window().read_picture();
    EXPECT_EQ(difference(shown, app().window().whole_picture()), "") << "after " << after;
  }
  void act(const std::string& name, Command command) {
    app().send(std::move(command));
    for (int n = 0; n < 3; ++n) app().frame(false);
    same_as_whole(name);
  }
  int64_t all_pixels() {
    int width = 0, height = 0;
    app().window().size(width, height);
    return int64_t{width} * height;
  }
};

TEST_F(DamageTrackerTest, WhatStandsInTheWindowIsWhatAWholeDrawingGives) {
  UiOptions look;
  look.theme = "dark";
  look.gpu = "h200";
  open("coalescing", "transpose-naive", look);
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
  });
  int64_t drawn = 0, frames = 0;
  for (int n = 0; n < 12; ++n) {
    act("an access", command::StepAccess{n % 3 < 2 ? 1 : -1});
    drawn += app().window().drawn_pixels();
    ++frames;
  }
  EXPECT_LT(drawn, frames * all_pixels() / 2);
  act("a warp", command::StepWarp{1});
  act("the other theme", command::SetTheme{ThemeChoice::kLight});
  act("a dialog", command::OpenPalette{});
  act("no dialog", command::CloseDialog{});
  act("a zoom", command::Zoom{1.1f});
  act("the other mode", command::SetMode{Mode::kAnalysis});
  for (const char* panel :
       {"warp", "partitions", "dram", "schedulers", "roofline", "ptx", "registers"})
    act(panel, command::FocusPanel{panel});
  for (int n = 0; n < 20; ++n) act("a step of the film", command::MoveFilm{FilmEvent::kStep, 1});
  for (const auto& [width, height] : {std::pair{1200, 800}, {1500, 640}, {1599, 999}}) {
    app().window().resize(width, height);
    for (int n = 0; n < 6; ++n) {
      app().frame(false);
      same_as_whole("another size");
    }
  }
  act("an edit", command::EditText{app().session().text() + "\n"});
}

// A smooth triangle consists of seven triangles: the last must not be grouped with the next shape,
// which is far away.
TEST_F(DamageTrackerTest, AShapeThatMovesChangesNothingBetweenItAndTheNext) {
  open("coalescing", "transpose-naive");
  DamageTracker parts;
  const auto changed = [&](float x) {
    return parts_changed(parts, 640, [x](ImDrawList& list) {
      list.PushClipRect({0, 0}, {640, kHeight});
      list.Flags |= ImDrawListFlags_AntiAliasedFill;
      list.AddTriangleFilled({x, 20}, {x + 8, 20}, {x + 4, 28}, IM_COL32_WHITE);
      EXPECT_EQ(list.IdxBuffer.Size % 6, 3);
      list.AddRectFilled({620, 80}, {630, 90}, IM_COL32_WHITE);
    });
  };
  changed(4);
  EXPECT_EQ(changed(20), (std::vector<PixelBox>{{0, 16, 32, 32}}));
}

// A background that ends elsewhere in a tile in which nothing else is drawn, as beside a panel
// whose edge has moved.
TEST_F(DamageTrackerTest, AGroundThatEndsElsewhereInATileIsAChangeOfThisTile) {
  open("coalescing", "transpose-naive");
  DamageTracker parts;
  const auto changed = [&](float edge) {
    return parts_changed(parts, 320, [edge](ImDrawList& list) {
      fill_opaque(&list, {0, 0}, {edge, kHeight}, IM_COL32(20, 23, 28, 255));
    });
  };
  changed(12);
  EXPECT_EQ(changed(12), std::vector<PixelBox>{});
  EXPECT_EQ(changed(24), (std::vector<PixelBox>{{0, 0, 32, 96}}));
  EXPECT_EQ(changed(200), (std::vector<PixelBox>{{16, 0, 208, 96}}));
  EXPECT_EQ(changed(210), (std::vector<PixelBox>{{192, 0, 224, 96}}));
}

TEST_F(DamageTrackerTest, WhereNothingChangesNothingIsDrawn) {
  open("coalescing", "transpose-naive");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->MouseMoveToPos({1, 998});
    // Characters that are shown for the first time change their texture, and so the whole window.
    for (const char* panel : {"occupancy", "counters"}) {
      app().send(command::FocusPanel{panel});
      ctx->Yield(10);
    }
    const bool rests = wait_until(ctx, [this] { return app().window().drawn_pixels() == 0; });
    EXPECT_TRUE(rests);
    app().send(command::FocusPanel{"occupancy"});
    const bool drawn = wait_until(ctx, [this] { return app().window().drawn_pixels() > 0; });
    EXPECT_TRUE(drawn);
    EXPECT_LT(app().window().drawn_pixels(), all_pixels() / 2);
  });
}

}  // namespace
}  // namespace warpshop::ui
