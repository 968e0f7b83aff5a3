// The speaker's notes in a window of their own, which is another process: what the lecture tells
// it, and what it shows.
#include <algorithm>
#include <string>

#include "state/lecture_place.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

TEST_F(WindowTest, ALectureTellsTheNotesWhereItIs) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    EXPECT_EQ(lecture_place(), std::nullopt);
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    const auto expect_at = [](size_t scene, bool revealed) {
      const std::optional<LecturePlace> place = lecture_place();
      ASSERT_TRUE(place.has_value());
      EXPECT_EQ(place->lab, "bank-conflicts");
      EXPECT_EQ(place->scene, scene);
      EXPECT_EQ(place->revealed, revealed);
    };
    expect_at(0, false);
    app().send(command::Advance{});
    ctx->Yield(4);
    expect_at(0, true);
    app().send(command::MoveScene{1});
    ctx->Yield(4);
    expect_at(1, false);
    app().send(command::GiveLecture{});
    ctx->Yield(4);
    EXPECT_EQ(lecture_place(), std::nullopt);
  });
}

TEST_F(WindowTest, TheNotesFollowTheLecture) {
  UiOptions notes;
  notes.notes = true;
  open("", "", notes);
  walk([this](ImGuiTestContext* ctx) {
    IM_CHECK(is_drawn(ctx, "No lecture is being given"));
    const lab::LabLibrary& labs = *app().view().labs;
    const auto lab = std::find_if(labs.labs.begin(), labs.labs.end(),
                                  [](const lab::Lab& l) { return l.id == "bank-conflicts"; });
    IM_CHECK(lab != labs.labs.end());
    const std::vector<lab::Scene>& scenes = lab->demo->scenes;
    for (size_t scene = 0; scene < scenes.size(); ++scene) {
      IM_CHECK(keep_lecture_place({lab->id, scene, scene % 2 == 1, 1'700'000'000}).ok());
      IM_CHECK(wait_until(ctx, [&] { return is_drawn(ctx, scenes[scene].title); }));
      // The hall sees neither.
      EXPECT_TRUE(is_drawn(ctx, scenes[scene].notes.substr(0, scenes[scene].notes.find(' '))));
      if (scene + 1 < scenes.size()) {
        EXPECT_TRUE(is_drawn(ctx, "Next: " + scenes[scene + 1].title));
        const std::string& ask = scenes[scene + 1].ask;
        EXPECT_TRUE(is_drawn(ctx, ask.substr(0, ask.find(' ')))) << ask;
      }
      // The page is as large as it fits: nothing is below the edge, and little is left empty.
      float lowest = 0, edge = 0;
      for (const DrawnText& text : texts_of_frame(ctx)) {
        if (text.window.find("##speaker") == std::string::npos) continue;
        lowest = std::max(lowest, text.max.y);
        edge = text.room_max.y;
      }
      EXPECT_LE(lowest, edge) << scene + 1;
      EXPECT_GE(lowest, edge * 0.75f) << scene + 1;
      for (const std::string& misfit : misfits(texts_of_frame(ctx)))
        ADD_FAILURE() << scene + 1 << ": " << misfit;
    }
    forget_lecture_place();
    IM_CHECK(wait_until(ctx, [&] { return is_drawn(ctx, "No lecture is being given"); }));
  });
}

}  // namespace
}  // namespace warpshop::ui
