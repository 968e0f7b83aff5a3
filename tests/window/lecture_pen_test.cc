// What a lecturer draws and shows over a slide: pen, dark screen, magnifier.
#include <cstring>

#include "lecture_driver.h"

namespace warpshop::ui {
namespace {

class LecturePen : public LectureDriver {};

TEST_F(LecturePen, ThePenDrawsAndIsWiped) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    const auto stroke = [&](ImVec2 from, ImVec2 to) {
      ctx->MouseMoveToPos(from);
      ctx->MouseDown();
      ctx->MouseMoveToPos(to);
      ctx->MouseUp();
      ctx->Yield(2);
    };
    const std::string text = app().session().text();
    ctx->KeyPress(ImGuiKey_D);
    ctx->Yield(3);
    IM_CHECK(app().view().pen->on);
    stroke({300, 300}, {700, 420});
    IM_CHECK(!app().view().pen->empty());
    IM_CHECK(!app().view().session->dirty());
    IM_CHECK(app().session().text() == text);
    IM_CHECK(app().lecture().hidden());
    stroke({1300, 500}, {1400, 520});  // a click on the curtain would reveal
    IM_CHECK(app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_W);
    ctx->Yield(2);
    IM_CHECK(app().view().pen->empty());
    ctx->KeyPress(ImGuiKey_C);
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().pen->color, 1);
    stroke({300, 300}, {700, 420});
    ctx->KeyPress(ImGuiKey_PageDown);  // reveals: the scene is the same
    ctx->Yield(3);
    IM_CHECK(!app().view().pen->empty());
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(3);
    IM_CHECK(app().view().pen->empty());
    stroke({300, 300}, {700, 420});
    ctx->KeyPress(ImGuiKey_K);
    ctx->KeyPress(ImGuiKey_PageUp);
    ctx->Yield(3);
    IM_CHECK(!app().view().pen->empty());
    // The buttons at the top still work, and Esc puts the pen away.
    ctx->ItemClick("//top_bar/Next##advance");
    ctx->Yield(3);
    IM_CHECK_EQ(app().lecture().scene, 1U);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(!app().view().pen->on);
    IM_CHECK(app().lecture().on());
  });
}

TEST_F(LecturePen, ADarkScreenHidesTheSlidesDrawing) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    const auto stroke = [&](float y) {
      ctx->MouseMoveToPos({300, y});
      ctx->MouseDown();
      ctx->MouseMoveToPos({700, y});
      ctx->MouseUp();
      ctx->MouseMoveToPos({700, 700});  // the pen's tip is drawn as well
      ctx->Yield(2);
    };
    // Pixels of the pen's first colour around the middle of a stroke.
    const auto inked = [&](float y) {
      const Picture picture = take_picture(ctx);
      int count = 0;
      for (int row = static_cast<int>(y) - 4; row <= static_cast<int>(y) + 4; ++row) {
        const uint8_t* pixel =
            &picture
                 .rgba[(static_cast<size_t>(row) * static_cast<size_t>(picture.width) + 500) * 4];
        const ImU32 color = IM_COL32(pixel[0], pixel[1], pixel[2], 255);
        count += color == Pen::color_of(0) ? 1 : 0;
      }
      return count;
    };
    constexpr float kOnSlide = 300, kOnDark = 400;
    ctx->KeyPress(ImGuiKey_D);
    ctx->Yield(3);
    stroke(kOnSlide);
    EXPECT_GT(inked(kOnSlide), 0);
    ctx->KeyPress(ImGuiKey_B);
    ctx->Yield(3);
    EXPECT_EQ(inked(kOnSlide), 0);
    stroke(kOnDark);
    EXPECT_GT(inked(kOnDark), 0);
    ctx->KeyPress(ImGuiKey_W);  // wipes what can be seen
    ctx->Yield(3);
    EXPECT_EQ(inked(kOnDark), 0);
    stroke(kOnDark);
    ctx->KeyPress(ImGuiKey_B);
    ctx->Yield(3);
    EXPECT_GT(inked(kOnSlide), 0);
    EXPECT_EQ(inked(kOnDark), 0);
  });
}

// The lens shows what is drawn at offset `d` from the mouse at 2, 3 and 4 times `d`.
TEST_F(LecturePen, TheMagnifierShowsWhatIsUnderTheMouse) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    app().send(command::Advance{});
    const ImVec2 mouse{1200, 420};
    ctx->MouseMoveToPos(mouse);
    wait_until(ctx, [this] { return !app().predicting(); });
    ctx->Yield(40);  // the map appears lane by lane
    const Picture plain = take_picture(ctx);
    const auto pixel = [](const Picture& of, float x, float y) {
      return &of.rgba[(static_cast<size_t>(y) * static_cast<size_t>(of.width) +
                       static_cast<size_t>(x)) *
                      4];
    };
    for (const int factor : {2, 3, 4}) {
      ctx->KeyPress(ImGuiKey_M);
      ctx->Yield(3);
      IM_CHECK_EQ(app().lecture().magnified, factor);
      const Picture large = take_picture(ctx);
      int same = 0, flat = 0, colours = 0;
      for (float dy = -40; dy <= 40; dy += 4) {
        for (float dx = -80; dx <= 80; dx += 4) {
          const uint8_t* was = pixel(plain, mouse.x + dx, mouse.y + dy);
          // Only in flat areas: edges are redrawn at the larger size, and are sharper.
          bool even = true;
          for (const float x : {-2.0f, 2.0f}) {
            for (const float y : {-2.0f, 2.0f})
              even = even &&
                     std::memcmp(was, pixel(plain, mouse.x + dx + x, mouse.y + dy + y), 3) == 0;
          }
          if (!even) continue;
          const auto times = static_cast<float>(factor);
          ++flat;
          same +=
              std::memcmp(was, pixel(large, mouse.x + dx * times, mouse.y + dy * times), 3) == 0;
          colours += std::memcmp(was, pixel(plain, mouse.x - 80, mouse.y - 40), 3) != 0;
        }
      }
      EXPECT_GT(flat, 200);
      EXPECT_GT(colours, 40) << "the mouse points at nothing";
      EXPECT_GE(same, flat * 98 / 100) << factor;
      // Outside the lens nothing changes.
      EXPECT_EQ(std::memcmp(pixel(plain, 0, 900), pixel(large, 0, 900), 1600 * 4), 0);
    }
    ctx->KeyPress(ImGuiKey_M);
    ctx->Yield(3);
    IM_CHECK_EQ(app().lecture().magnified, 0);
  });
}

}  // namespace
}  // namespace warpshop::ui
