// Navigation: the page of all labs, the lists behind the place's name, the GPU of a step, and the
// version that passed.
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/files.h"
#include "imgui_internal.h"
#include "lab/translation.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class HomeTest : public WindowTest {
 protected:
  std::string place() { return app().session().place(); }
  // Writes the file from outside, like another program.
  void write_text(ImGuiTestContext* ctx, const std::string& text) {
    IM_CHECK(write_file_atomically(app().session().file(), text).ok());
    IM_CHECK(wait_until(ctx, [&] { return app().session().text() == text; }));
    wait_for_result(ctx);
  }
};

TEST_F(HomeTest, TheFirstStartShowsAllLabsAndOffersTheTour) {
  as_a_person();
  open("", "");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(6);
    IM_CHECK(app().view().home);
    IM_CHECK(!app().tour().open());
    for (const lab::Lab& lab : app().view().labs->labs) IM_CHECK(is_drawn(ctx, lab.title));
    keep_picture(ctx, "home-first");
    ctx->ItemClick("**/Take the tour##home-tour");
    ctx->Yield(4);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "open");
    ctx->ItemClick("//home/bank-conflicts/card");
    ctx->Yield(6);
    IM_CHECK(!app().view().home);
    IM_CHECK_STR_EQ(app().session().lab()->id.c_str(), "bank-conflicts");
  });
  // A user who has closed the window without doing anything is welcomed again.
  reopen("", "");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(4);
    IM_CHECK(app().view().home);
  });
}

TEST_F(HomeTest, WhoHasBegunGoesOnWhereTheyWereAndIsOneKeyFromAllLabs) {
  as_a_person();
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::LeaveTour{});
    app().send(command::Run{});
    wait_for_result(ctx);
  });
  reopen("", "");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(4);
    IM_CHECK(!app().view().home);
    IM_CHECK_STR_EQ(place().c_str(), "coalescing/stride");
    wait_for_result(ctx);  // the last run's result is available at once
    app().send(command::FocusPanel{"dram"});
    ctx->Yield(4);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Home);
    ctx->Yield(6);
    IM_CHECK(app().view().home);
    IM_CHECK(is_drawn(ctx, "Continue where you were"));
    IM_CHECK(is_drawn(ctx, "0 of 12 steps passed"));
    keep_picture(ctx, "home");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(8);
    IM_CHECK(!app().view().home);
    IM_CHECK_STR_EQ(place().c_str(), "coalescing/stride");
    // The panels have not changed.
    IM_CHECK(is_drawn(ctx, "DRAM"));
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    IM_CHECK(std::any_of(texts.begin(), texts.end(), [](const DrawnText& t) {
      return t.window.find("###dram") != std::string::npos;
    }));
    // With the mouse, and Esc.
    ctx->ItemClick("//top_bar/##home");
    ctx->Yield(4);
    IM_CHECK(app().view().home);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(!app().view().home);
    // Alt+N goes on to the step behind the page, not past it.
    const std::string place = app().session().place();
    app().send(command::OpenHome{});
    ctx->Yield(4);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_N);
    ctx->Yield(4);
    IM_CHECK(!app().view().home);
    IM_CHECK_STR_EQ(app().session().place().c_str(), place.c_str());
  });
}

TEST_F(HomeTest, ExportIsConfirmedAndImportStaysOnThePage) {
  as_a_person();
  open("coalescing", "stride");
  const std::filesystem::path file = home() / "my-work.json";
  walk([&, this](ImGuiTestContext* ctx) {
    app().send(command::LeaveTour{});
    app().send(command::EditText{"// mine\n"});
    app().send(command::Save{});
    ctx->Yield(4);
    app().send(command::OpenHome{});
    ctx->Yield(6);
    ctx->ItemClick("**/Hand in##home-hand-in");
    IM_CHECK(wait_until(ctx, [&] { return ctx->UiContext->OpenPopupStack.Size == 1; }));
    ctx->ItemClick("**/##file");
    ctx->KeyCharsReplace((home() / "kernels").c_str());
    ctx->Yield(2);
    ctx->ItemClick("**/Write the archive##archive");
    IM_CHECK(wait_until(ctx, [&] { return something_is_said(ctx); }));
    IM_CHECK(std::filesystem::exists(home() / "kernels.zip"));
    ctx->ItemClick("**/Export or import progress##home-export");
    IM_CHECK(wait_until(ctx, [&] { return ctx->UiContext->OpenPopupStack.Size == 1; }));
    ctx->ItemClick("**/##file");
    ctx->KeyCharsReplace(file.c_str());
    ctx->Yield(2);
    ctx->ItemClick("**/Export##export");
    IM_CHECK(wait_until(ctx, [&] { return std::filesystem::exists(file); }));
    ctx->Yield(6);
    const std::vector<Toast>& notices = app().notices();
    IM_CHECK(std::any_of(notices.begin(), notices.end(), [](const Toast& notice) {
      return notice.text.starts_with("Your texts and progress are in");
    }));
    int page = -1, notice = -1;  // from back to front
    for (int n = 0; n < ctx->UiContext->Windows.Size; ++n) {
      const ImGuiWindow* window = ctx->UiContext->Windows[n];
      if (window->Active && std::string_view(window->Name) == "home") page = n;
      if (window->Active && std::string_view(window->Name).starts_with("##toast")) notice = n;
    }
    IM_CHECK(page >= 0);
    IM_CHECK(notice > page);

    app().send(command::OpenProgress{});
    ctx->Yield(2);
    app().send(command::ImportProgress{file.string()});
    IM_CHECK(wait_until(ctx, [&] { return ctx->UiContext->OpenPopupStack.Size == 0; }));
    ctx->Yield(6);
    IM_CHECK(app().view().home);
    IM_CHECK_STR_EQ(place().c_str(), "coalescing/stride");
  });
}

TEST_F(HomeTest, ThePlaceInTheBarOpensTheLabsAndTheStepsBelowIt) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(4);
    for (const auto& [button, list, choice, wanted] :
         {std::tuple{"//top_bar/##steps", "steps", "//$FOCUSED/##offset", "coalescing/offset"},
          std::tuple{"//top_bar/##labs", "labs", "//$FOCUSED/##tiling", "tiling/intensity"}}) {
      ctx->ItemClick(button);
      ctx->Yield(4);
      const ImRect from = ctx->ItemInfo(button).RectFull;
      IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
      const ImGuiWindow* popup = ctx->UiContext->OpenPopupStack[0].Window;
      IM_CHECK(popup != nullptr);
      EXPECT_GE(popup->Pos.y, from.Max.y) << list << " lies over its button";
      ctx->ItemClick(choice);
      ctx->Yield(6);
      IM_CHECK_STR_EQ(place().c_str(), wanted);
    }
  });
}

TEST_F(HomeTest, ALabWithoutGermanTextsSaysSo) {
  as_a_person();
  UiOptions german;
  german.language = "de";
  open("", "", german);
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(6);
    IM_CHECK(app().view().home);
    size_t english = 0, said = 0;
    for (const lab::Lab& lab : app().view().labs->labs) english += lab::speaks(lab, "de") ? 0 : 1;
    for (const DrawnText& drawn : texts_of_frame(ctx)) {
      if (drawn.text.ends_with(" · auf Englisch")) ++said;
    }
    EXPECT_GT(english, 0U);
    EXPECT_LT(english, app().view().labs->labs.size());
    EXPECT_GT(said, 0U);
    EXPECT_LE(said, english);
    const auto& labs = app().view().labs->labs;
    const auto lab = std::find_if(labs.begin(), labs.end(),
                                  [](const lab::Lab& one) { return !lab::speaks(one, "de"); });
    app().send(command::OpenStep{lab->id, lab->steps.front().id});
    ctx->Yield(6);
    IM_CHECK(is_drawn(ctx,
                      "Die Texte dieses Labs sind auf Englisch: Eine Übersetzung gibt es noch "
                      "nicht."));
    app().send(command::OpenStep{"coalescing", "one-warp"});
    ctx->Yield(6);
    IM_CHECK(!is_drawn(ctx,
                       "Die Texte dieses Labs sind auf Englisch: Eine Übersetzung gibt es noch "
                       "nicht."));
  });
}

TEST_F(HomeTest, EveryMenuOpensBelowItsWord) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(4);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_F);
    ctx->Yield(4);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
    ctx->KeyPress(ImGuiKey_N);  // letters go to the menu, so the next step is not opened
    ctx->Yield(3);
    IM_CHECK_STR_EQ(place().c_str(), "coalescing/stride");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
    ctx->ItemClick("//##MainMenuBar/##MenuBar/Lab");
    ctx->Yield(4);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
    ctx->ItemClick("//$FOCUSED/Next step");
    ctx->Yield(6);
    IM_CHECK_STR_EQ(place().c_str(), "coalescing/offset");
  });
}

TEST_F(HomeTest, AStepAboutOneGpuShowsItWhileItIsOpen) {
  open("partition-camping", "diagonal");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().view().gpu.c_str(), "gtx-280");
    IM_CHECK_STR_EQ(app().settings().gpu.c_str(), "h200");
    IM_CHECK(is_drawn(ctx, "This step is about the GTX 280"));
    app().send(command::Run{});
    wait_for_result(ctx);
    IM_CHECK(
        wait_until(ctx, [this] { return app().view().result()->student()->memory != nullptr; }));
    app().send(command::FocusPanel{"partitions"});
    ctx->Yield(6);
    // The panel shows the same figure as the check.
    const lab::KernelRun& run = *app().view().result()->student();
    IM_CHECK(run.model && run.model->over_time);
    IM_CHECK_FLOAT_NEAR_EQ(static_cast<float>(run.model->over_time->partition_slowdown), 3.66f,
                           0.01f);
    IM_CHECK(is_drawn(ctx, "3.66×"));
    // The user may choose another GPU in this step, and it stays chosen there.
    app().send(command::SelectGpu{"k40c"});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().view().gpu.c_str(), "k40c");
    IM_CHECK(is_drawn(ctx, "the panels show the K40c"));
    app().send(command::OpenStep{"coalescing", "stride"});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().view().gpu.c_str(), "h200");
    app().send(command::SelectGpu{"k40c"});
    app().send(command::OpenStep{"partition-camping", "walk"});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().view().gpu.c_str(), "gtx-280");
    app().send(command::OpenStep{"coalescing", "offset"});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().view().gpu.c_str(), "k40c");
    // Scenes of a lecture about a step's GPU show it, too.
    app().send(command::GiveLecture{"partition-camping"});
    ctx->Yield(4);
    IM_CHECK(app().lecture().on());
    IM_CHECK_STR_EQ(app().view().gpu.c_str(), "gtx-280");
    app().send(command::GiveLecture{});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().view().gpu.c_str(), "k40c");
  });
}

TEST_F(HomeTest, TheVersionThatPassedComesBack) {
  open("coalescing", "one-warp");
  std::string passing, failing;
  walk([&, this](ImGuiTestContext* ctx) {
    failing = app().session().text() + "// an experiment\n";
    passing = app().session().step()->exercise->solution + "// mine\n";
    app().send(command::Run{});
    wait_for_result(ctx);
    write_text(ctx, passing);
    IM_CHECK(app().view().latest->result.passed);
    write_text(ctx, failing);
    IM_CHECK(!app().view().latest->result.passed);
    IM_CHECK(is_drawn(ctx, "with an earlier version, which counts"));
  });
  EXPECT_EQ(read_file(home() / "passed/coalescing/one-warp.cu").value(), passing);
  reopen("coalescing", "one-warp");
  walk([&, this](ImGuiTestContext* ctx) {
    wait_for_result(ctx);  // automatically, although its questions are unanswered
    IM_CHECK(!app().view().latest->result.passed);
    ctx->ItemClick("**/Restore the version that passed##restore-passed");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(app().session().text().c_str(), passing.c_str());
    wait_for_result(ctx);
    IM_CHECK(app().view().latest->result.passed);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_2);
    ctx->Yield(3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ctx->Yield(3);
    IM_CHECK_STR_EQ(app().session().text().c_str(), failing.c_str());
  });
}

}  // namespace
}  // namespace warpshop::ui
