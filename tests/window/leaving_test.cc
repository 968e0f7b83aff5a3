// A text that cannot be saved is not silently lost, whether the window closes or another step is
// opened. Also what two windows report about the same work.
#include <filesystem>

#include "core/files.h"
#include "imgui_internal.h"
#include "state/instance_lock.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

// Nothing can be saved, because files are where the folders should be; even root cannot write
// there.
class LeavingTest : public WindowTest {
 protected:
  void open_and_type(ImGuiTestContext* ctx) {
    for (const char* folder : {"work", "autosave"}) {
      std::filesystem::remove_all(home() / folder);
      IM_CHECK(write_file_atomically(home() / folder, "in the way").ok());
    }
    app().send(command::EditText{kMine});
    ctx->Yield(3);
  }
  bool asked(ImGuiTestContext* ctx) {
    return wait_until(ctx, [&] { return ctx->UiContext->OpenPopupStack.Size == 1; });
  }
  static constexpr const char* kMine = "// mine alone\n";
};

TEST_F(LeavingTest, ClosingAsksFirstAndACopyCanGoElsewhere) {
  open("coalescing", "stride");
  const std::filesystem::path copy = home() / "elsewhere/stride.cu";
  walk([&, this](ImGuiTestContext* ctx) {
    open_and_type(ctx);
    app().window().close();
    IM_CHECK(asked(ctx));
    IM_CHECK(!app().window().wants_close());
    ctx->Yield(4);
    ctx->KeyPress(ImGuiKey_Escape);  // back to the text
    ctx->Yield(4);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 0);
    IM_CHECK_STR_EQ(app().session().text().c_str(), kMine);
    app().window().close();
    IM_CHECK(asked(ctx));
    // An existing file is never overwritten.
    app().send(command::SaveElsewhere{(home() / "work").string()});
    ctx->Yield(3);
    IM_CHECK(!app().window().wants_close());
    IM_CHECK_STR_EQ(read_file(home() / "work").value().c_str(), "in the way");
    app().send(command::SaveElsewhere{copy.string()});
    ctx->Yield(1);
  });
  EXPECT_EQ(read_file(copy).value(), kMine);
  EXPECT_FALSE(app().frame(false));  // now it closes
}

TEST_F(LeavingTest, AnotherStepIsNotOpenedOverAnUnsavedText) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    open_and_type(ctx);
    app().send(command::OpenStep{"coalescing", "offset"});
    IM_CHECK(asked(ctx));
    IM_CHECK_STR_EQ(app().session().place().c_str(), "coalescing/stride");
    IM_CHECK_STR_EQ(app().session().text().c_str(), kMine);
    // The folder becomes writable again.
    for (const char* folder : {"work", "autosave"}) std::filesystem::remove(home() / folder);
    app().send(command::RetryUnsaved{});
    IM_CHECK(wait_until(ctx, [&] { return app().session().place() == "coalescing/offset"; }));
    IM_CHECK_STR_EQ(read_file(home() / "work/coalescing/stride.cu").value().c_str(), kMine);
  });
}

TEST_F(LeavingTest, WhoWantsToGoWithoutSavingGoes) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    open_and_type(ctx);
    app().send(command::OpenStep{"coalescing", "offset"});
    IM_CHECK(asked(ctx));
    app().send(command::LeaveUnsaved{});
    IM_CHECK(wait_until(ctx, [&] { return app().session().place() == "coalescing/offset"; }));
  });
}

TEST_F(LeavingTest, ASavedTextIsClosedWithoutAQuestion) {
  open("coalescing", "stride");
  app().send(command::EditText{kMine});
  app().frame(false);
  app().window().close();
  EXPECT_FALSE(app().frame(false));
  close();
  EXPECT_EQ(read_file(home() / "work/coalescing/stride.cu").value(), kMine);
}

TEST_F(LeavingTest, TheSecondWindowSaysThatThereIsAFirst) {
  InstanceLock first;
  first.take(home());
  open("coalescing", "stride");
  for (int n = 0; n < 12; ++n) app().frame(false);
  EXPECT_EQ(app().window().imgui()->OpenPopupStack.Size, 1);  // a walk starts with closed dialogs
  walk([&, this](ImGuiTestContext* ctx) {
    app().send(command::EditText{kMine});
    IM_CHECK(wait_until(
        ctx, [&] { return std::filesystem::exists(home() / "autosave-2/coalescing/stride.cu"); }));
    IM_CHECK(!std::filesystem::exists(home() / "autosave/coalescing/stride.cu"));
  });
}

TEST_F(LeavingTest, AnExportReplacesNoFileAndProposesAFreeName) {
  open("coalescing", "stride");
  for (const char* name : {"my-work.json", "my-work-2.json"})
    ASSERT_TRUE(write_file_atomically(home() / name, "mine").ok());
  walk([&, this](ImGuiTestContext* ctx) {
    app().send(command::OpenProgress{});
    IM_CHECK(asked(ctx));
    app().send(command::ExportProgress{(home() / "my-work.json").string()});
    ctx->Yield(4);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 1);
    ctx->ItemClick("**/Export##export");
    IM_CHECK(wait_until(ctx, [&] { return std::filesystem::exists(home() / "my-work-3.json"); }));
  });
  for (const char* name : {"my-work.json", "my-work-2.json"})
    EXPECT_EQ(read_file(home() / name).value(), "mine");
}

TEST_F(LeavingTest, TheWorkGoesIntoOneFileAndComesBack) {
  open("coalescing", "stride");
  const std::filesystem::path file = home() / "my-work.json";
  walk([&, this](ImGuiTestContext* ctx) {
    app().send(command::EditText{kMine});
    ctx->Yield(2);
    app().send(command::OpenProgress{});
    IM_CHECK(asked(ctx));
    app().send(command::ExportProgress{file.string()});
    IM_CHECK(wait_until(ctx, [&] { return std::filesystem::exists(file); }));
    app().send(command::EditText{"// something else\n"});
    app().send(command::Save{});
    ctx->Yield(2);
    // A file of another kind is reported in the dialog, and nothing changes.
    app().send(command::OpenProgress{});
    IM_CHECK(asked(ctx));
    app().send(command::ImportProgress{(home() / "work/coalescing/stride.cu").string()});
    ctx->Yield(3);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 1);
    IM_CHECK_STR_EQ(app().session().text().c_str(), "// something else\n");
    app().send(command::ImportProgress{file.string()});
    IM_CHECK(wait_until(ctx, [&] { return app().session().text() == kMine; }));
    IM_CHECK_STR_EQ(app().session().place().c_str(), "coalescing/stride");
  });
  std::string kept;
  for (const auto& each : std::filesystem::directory_iterator(home() / "history/coalescing"))
    kept += read_file(each.path()).value();
  EXPECT_EQ(kept, "// something else\n");
}

}  // namespace
}  // namespace warpshop::ui
