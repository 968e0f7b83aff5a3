// What survives the window: undo, versions, and most of the typing before a kill -9.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#include "core/files.h"
#include "imgui_internal.h"
#include "window/layout.h"
#include "window_driver.h"

extern char** environ;

namespace warpshop::ui {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

TEST_F(WindowTest, WhatWasTypedLastTimeCanBeUndoneToday) {
  open("coalescing", "stride");
  const std::string skeleton = app().session().text();
  walk([this](ImGuiTestContext* ctx) {
    select_line(ctx, 1);
    ctx->KeyChars("// Eine Überlegung");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);  // undoes the last word
    ctx->Yield(2);
    IM_CHECK(app().session().text().starts_with("// Eine\n"));
  });
  reopen("coalescing", "stride");
  if (HasFatalFailure()) return;
  walk([&, this](ImGuiTestContext* ctx) {
    IM_CHECK(app().session().text().starts_with("// Eine\n"));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_2);
    ctx->Yield(3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y);  // redoes it
    ctx->Yield(2);
    IM_CHECK(app().session().text().starts_with("// Eine Überlegung\n"));
    for (int i = 0; i < 40 && app().session().text() != skeleton; ++i) {
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
      ctx->Yield(2);
    }
    IM_CHECK_STR_EQ(app().session().text().c_str(), skeleton.c_str());
  });
}

TEST_F(WindowTest, VersionsAreKeptComparedAndBroughtBack) {
  open("coalescing", "one-warp");
  std::string first;
  walk([&, this](ImGuiTestContext* ctx) {
    first = app().session().text();
    app().send(command::Run{});
    wait_for_result(ctx);
    IM_CHECK_EQ(app().view().history->runs().size(), 1u);
    app().send(command::PinLatest{});
    ctx->Yield(2);
    std::string second = first;  // written by another program
    constexpr std::string_view kDealt = "threadIdx.x * gridDim.x + blockIdx.x";
    const size_t at = second.find(kDealt);
    IM_CHECK(at != std::string::npos);
    second.replace(at, kDealt.size(), "blockIdx.x * blockDim.x + threadIdx.x");
    const std::filesystem::path file = home() / "work/coalescing/one-warp.cu";
    IM_CHECK(write_file_atomically(file, second).ok());
    IM_CHECK(wait_until(ctx, [&] { return app().session().text() == second; }));
    wait_for_result(ctx);
    IM_CHECK_EQ(app().view().history->runs().size(), 2u);
    const RunRecord* baseline = app().view().history->baseline();
    IM_CHECK(baseline != nullptr);
    // 32 sectors per request before, 4 now.
    IM_CHECK_EQ(baseline->counter("global_load_sectors"),
                8 * app().view().history->runs().back().counter("global_load_sectors"));
    app().send(command::FocusPanel{"history"});
    ctx->Yield(3);
  });
  keep_picture("history");
  walk([&, this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_D);
    ctx->Yield(8);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
    keep_picture(ctx, "changes");
    ctx->ItemClick("**/Open the first in the editor##take-version");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(app().session().text().c_str(), first.c_str());
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
  });
  reopen("coalescing", "one-warp");
  if (HasFatalFailure()) return;
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(2);
    IM_CHECK_GE(app().view().history->runs().size(), 2u);
    IM_CHECK(app().view().history->baseline() != nullptr);
  });
}

// The solution's own run is in front of the prediction, which then goes on.
TEST_F(WindowTest, TheSolutionOpenedDuringAPredictionCostsNoPrediction) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    const auto has_time = [this] {
      const lab::RunResult& result = app().view().prepared->result;
      return result.timed && result.timed->student.prediction.has_value();
    };
    app().send(command::EditText{app().session().step()->exercise->solution});
    app().send(command::Run{});
    wait_for_result(ctx);
    const uint64_t selected = app().view().selected.value_or(0);
    IM_CHECK(app().view().predicting && !has_time());
    app().send(command::ShowSolution{});
    ctx->Yield(2);
    IM_CHECK(wait_until(ctx, [&] { return app().view().predicting || has_time(); }));
    IM_CHECK(wait_until(ctx, [this] { return app().view().solution != nullptr; }));
    app().send(command::CloseDialog{});
    IM_CHECK(wait_until(ctx, [this] { return !app().view().predicting; }));
    IM_CHECK(has_time());
    IM_CHECK(app().view().result()->sizes.front().student.memory != nullptr);
    IM_CHECK_EQ(app().view().selected.value_or(0), selected);
  });
}

// The tab that the first atomics bring is in sight on a small screen, where the bar hides the last.
TEST_F(WindowTest, ATabThatAKernelBringsIsInSight) {
  open("atomics", "lost-updates");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    app().send(command::Run{});
    wait_for_result(ctx);
    const auto tab_of = [](const char* panel) -> ImGuiTabItem* {
      const ImGuiWindow* window = panel_window(panel);
      ImGuiTabBar* bar = window && window->DockNode ? window->DockNode->TabBar : nullptr;
      return bar && window->WasActive ? ImGui::TabBarFindTabByID(bar, window->TabId) : nullptr;
    };
    IM_CHECK(tab_of("contention") == nullptr);
    app().send(command::EditText{app().session().step()->exercise->solution});
    wait_for_result(ctx);
    ctx->Yield(10);
    const ImGuiTabItem* tab = tab_of("contention");
    IM_CHECK(tab != nullptr);
    const ImGuiTabBar* bar = panel_window("contention")->DockNode->TabBar;
    IM_CHECK(bar->WidthAllTabsIdeal > bar->BarRect.GetWidth() - 60);  // not all tabs fit
    IM_CHECK(tab->Offset + tab->Width - bar->ScrollingAnim <= bar->BarRect.GetWidth());
    IM_CHECK(tab->Offset >= bar->ScrollingAnim);
    IM_CHECK(in_front(panel_window("transactions")));
  });
}

// What is wrong with the text comes in front of its old variables, and gives the place back.
TEST_F(WindowTest, TheCompilersErrorsComeInFrontOfAnyTab) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    const std::string good = app().session().text();
    const auto shows = [](const char* panel) {
      const std::vector<std::string> front = panels_in_front();
      return std::find(front.begin(), front.end(), panel) != front.end();
    };
    for (const char* tab : {"registers", "output", "ptx"}) {
      app().send(command::FocusPanel{tab});
      ctx->Yield(4);
      IM_CHECK(shows(tab));
      app().send(command::EditText{good + "int x = ;\n"});
      wait_for_result(ctx);
      ctx->Yield(4);
      IM_CHECK(shows("findings"));
      app().send(command::EditText{good});
      wait_for_result(ctx);
      ctx->Yield(4);
      IM_CHECK(shows(tab));
    }
  });
}

// Of the dialog and its list, one has a scroll bar.
TEST_F(WindowTest, TheListOfKeysAloneScrolls) {
  UiOptions look;
  look.zoom = 2;
  open("coalescing", "one-warp", look);
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    app().send(command::OpenKeys{});
    ctx->Yield(6);
    IM_CHECK_EQ_NO_RET(ctx->UiContext->OpenPopupStack.Size, 1);
    const ImGuiWindow* dialog = ctx->UiContext->OpenPopupStack.back().Window;
    EXPECT_LE(dialog->ScrollMax.y, 0);
    EXPECT_LE(dialog->Rect().Max.y, 768);
    const ImGuiTestItemInfo close = ctx->ItemInfo("//$FOCUSED/Close##close");
    EXPECT_TRUE(close.ID != 0 && dialog->Rect().Contains(close.RectFull));
  });
}

// An option of one start is not the next one's setting, unless it is changed in the window.
TEST_F(WindowTest, TheZoomOfTheCommandLineIsOfThisStartAlone) {
  UiOptions look;
  look.zoom = 2;
  look.theme = "light";
  open("coalescing", "one-warp", look);
  walk([this](ImGuiTestContext* ctx) {
    IM_CHECK_EQ(app().settings().zoom, 2.0f);
    app().send(command::SetMotion{!app().settings().motion});  // so that they are saved
    ctx->Yield(8);
  });
  reopen("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    IM_CHECK_EQ(app().settings().zoom, 1.0f);
    IM_CHECK(app().settings().theme == ThemeChoice::kDark);
    app().send(command::Zoom{1.5f / app().settings().zoom});
    ctx->Yield(8);
  });
  reopen("coalescing", "one-warp");
  EXPECT_EQ(app().settings().zoom, 1.5f);
}

TEST_F(WindowTest, TheDoctorSaysWhatTheTerminalSays) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::OpenDoctor{});
    IM_CHECK(wait_until(ctx, [this] { return app().view().system_check != nullptr; }));
    ctx->Yield(3);
    const std::vector<lab::SystemCheckLine> here = lab::check_system();
    IM_CHECK_EQ(app().view().system_check->size(), here.size());
    for (size_t n = 0; n < here.size(); ++n)
      IM_CHECK_STR_EQ((*app().view().system_check)[n].what.english().c_str(),
                      here[n].what.english().c_str());
  });
  keep_picture("doctor");
}

TEST_F(WindowTest, TheLabsReportIsWrittenBesideTheWindowAndShown) {
  static std::string shown;
  shown.clear();
  open("dram-bursts", "");
  const lab::Lab* lab = app().session().lab();
  ASSERT_NE(lab, nullptr);
  const auto exercise =
      std::find_if(lab->steps.begin(), lab->steps.end(),
                   [](const lab::Step& step) { return step.exercise.has_value(); });
  ASSERT_NE(exercise, lab->steps.end());
  walk([&, this](ImGuiTestContext* ctx) {
    ImGui::GetPlatformIO().Platform_OpenInShellFn = [](ImGuiContext*, const char* file) {
      shown = file;
      return true;
    };
    app().send(command::OpenStep{lab->id, exercise->id});
    ctx->Yield(2);
    // Unsaved text is included, too.
    app().send(command::EditText{"// by <me> & nobody else\n" + app().session().text()});
    ctx->Yield(2);
    app().send(command::WriteReport{});
    ctx->Yield(2);
    IM_CHECK(app().writing_report());
    IM_CHECK(wait_until(ctx, [this] { return !app().writing_report(); }));
    ctx->Yield(2);
  });
  const Result<std::string> page = read_file(shown);
  ASSERT_TRUE(page.ok()) << "no report at '" << shown << "'";
  EXPECT_NE(page->find("by &lt;me&gt; &amp; nobody else"), std::string::npos);
  for (const lab::Step& step : lab->steps)
    EXPECT_NE(page->find(step.title), std::string::npos) << step.title;
}

// The handout has every scene; the speaker's notes are only on the page that is asked for with
// them.
TEST_F(WindowTest, TheLecturesHandoutIsWrittenAndShown) {
  static std::string shown;
  open("bank-conflicts", "");
  const lab::Lab* lab = app().session().lab();
  ASSERT_NE(lab, nullptr);
  std::vector<std::string> pages;
  walk([&, this](ImGuiTestContext* ctx) {
    ImGui::GetPlatformIO().Platform_OpenInShellFn = [](ImGuiContext*, const char* file) {
      shown = file;
      return true;
    };
    for (const bool notes : {false, true}) {
      shown.clear();
      app().send(command::WriteHandout{notes});
      ctx->Yield(2);
      IM_CHECK(app().writing_report());
      IM_CHECK(wait_until(ctx, [this] { return !app().writing_report(); }));
      ctx->Yield(2);
      pages.push_back(read_file(shown).ok() ? *read_file(shown) : "");
    }
  });
  ASSERT_EQ(pages.size(), 2u);
  for (const std::string& page : pages) {
    for (const lab::Scene& scene : lab->demo->scenes)
      EXPECT_NE(page.find(scene.title), std::string::npos) << scene.title;
  }
  EXPECT_EQ(pages[0].find("For the speaker"), std::string::npos);
  EXPECT_NE(pages[1].find("For the speaker"), std::string::npos);
}

// The notice after handing in shows where the file is, with a button to open it, or without a
// desktop its path.
TEST_F(WindowTest, WhatIsHandedInCanBeOpened) {
  static std::string opened;
  static bool desktop;
  opened.clear();
  desktop = true;
  const std::filesystem::path downloads = home() / "Heruntergeladenes";
  std::filesystem::create_directories(downloads);
  ASSERT_TRUE(write_file_atomically(home() / "config/user-dirs.dirs",
                                    "XDG_DOWNLOAD_DIR=\"" + downloads.string() + "\"\n")
                  .ok());
  setenv("XDG_CONFIG_HOME", (home() / "config").c_str(), 1);
  open("coalescing", "stride");
  walk([&, this](ImGuiTestContext* ctx) {
    ImGui::GetPlatformIO().Platform_OpenInShellFn = [](ImGuiContext*, const char* file) {
      opened = file;
      return desktop;
    };
    app().send(command::EditText{"// mine\n" + app().session().text()});
    ctx->Yield(2);
    app().send(command::AskHandIn{});
    ctx->Yield(20);
    ctx->ItemClick("**/Write the archive##archive");
    ctx->Yield(20);
    ctx->ItemClick("**/Open folder##open-folder");
    ctx->Yield(2);
    IM_CHECK_STR_EQ(opened.c_str(), downloads.c_str());
    const auto archive = std::filesystem::directory_iterator(downloads)->path();
    IM_CHECK_STR_EQ(archive.extension().c_str(), ".zip");
    IM_CHECK_STR_EQ(app().notices().back().text.c_str(),
                    ("1 kernel (0 passed) is in " + archive.string()).c_str());
    const std::string folder = archive.string();
    ctx->ItemClick("**/Close##close-saved");
    ctx->Yield(2);
    IM_CHECK(!something_is_said(ctx));
    desktop = false;
    opened.clear();
    app().send(command::OpenPath{});
    ctx->Yield(2);
    IM_CHECK_STR_EQ(opened.c_str(), folder.c_str());
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), folder.c_str());
    IM_CHECK(app().notices().back().text.find(folder) != std::string::npos);
  });
  unsetenv("XDG_CONFIG_HOME");
}

// Types a letter every few frames and logs each, until it is killed. Only run by the test below.
TEST_F(WindowTest, DISABLED_TypesUntilItIsKilled) {
  const char* log = std::getenv("WARPSHOP_TYPED_LOG");
  ASSERT_NE(log, nullptr);
  setenv("WARPSHOP_HOME", std::getenv("WARPSHOP_KILLED_HOME"), 1);
  open("coalescing", "stride");
  std::ofstream typed(log);
  walk([&, this](ImGuiTestContext* ctx) {
    select_line(ctx, 1);
    ctx->KeyChars("//");
    for (;;) {
      ctx->KeyChars("x");
      ctx->Yield(2);
      // The time, and the number of letters, which are in the session by now.
      typed << steady_seconds() << ' ' << app().session().text().find('\n') << '\n' << std::flush;
    }
  });
}

TEST_F(WindowTest, AKillCostsAtMostTheLastSecondOfTyping) {
  const std::filesystem::path log = home() / "typed.txt", work = home() / "killed";
  setenv("WARPSHOP_TYPED_LOG", log.c_str(), 1);
  setenv("WARPSHOP_KILLED_HOME", work.c_str(), 1);
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string filter = "--gtest_filter=WindowTest.DISABLED_TypesUntilItIsKilled";
  for (const double after_s : {2.3, 3.1}) {
    std::filesystem::remove_all(work);
    std::filesystem::remove(log);
    char* arguments[] = {const_cast<char*>(self.c_str()), const_cast<char*>(filter.c_str()),
                         const_cast<char*>("--gtest_also_run_disabled_tests"), nullptr};
    // The child must run its test, whichever shard this program was started for.
    std::vector<char*> environment;
    for (char** variable = environ; *variable; ++variable) {
      if (!std::string_view(*variable).starts_with("GTEST_")) environment.push_back(*variable);
    }
    environment.push_back(nullptr);
    pid_t child = 0;
    ASSERT_EQ(posix_spawn(&child, self.c_str(), nullptr, nullptr, arguments, environment.data()),
              0);
    // Start the clock at the first letter, since opening takes time.
    const double give_up = steady_seconds() + 60;
    while ((!std::filesystem::exists(log) || std::filesystem::file_size(log) == 0) &&
           steady_seconds() < give_up) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(after_s));
    const double killed_s = steady_seconds();
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself";
    size_t safe = 0;
    std::ifstream lines(log);
    size_t all = 0;
    for (double at = 0; lines >> at >> all;) {
      if (at <= killed_s - 1) safe = all;
    }
    ASSERT_GT(safe, 2u);
    // The next start finds the text, and can undo back to the skeleton.
    setenv("WARPSHOP_HOME", work.c_str(), 1);
    reopen("coalescing", "stride");
    if (HasFatalFailure()) return;
    const std::string text = app().session().text();
    EXPECT_GE(text.find('\n'), safe) << "of " << all << " that were typed";
    EXPECT_TRUE(text.starts_with("//x"));
    EXPECT_EQ(app().session().undo().base(), app().session().step()->exercise->skeleton);
    EXPECT_GE(app().session().undo().place(), 1u);  // one word, however long
    std::printf("killed after %.1f s: %zu of %zu letters kept\n", after_s, text.find('\n'), all);
    close();
  }
  unsetenv("WARPSHOP_TYPED_LOG");
}

// A lab's own texts follow the window's language; the student's text stays as it is.
TEST_F(WindowTest, TheLabSpeaksTheLanguageThatIsChosen) {
  open("coalescing", "stride");
  std::string mine;
  walk([&](ImGuiTestContext* ctx) {
    mine = app().session().text() + "// mine\n";
    app().send(command::EditText{mine});
    ctx->Yield(3);
    app().send(command::SetLanguage{"de"});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().session().step()->title.c_str(), "Nachbarn statt Strecken");
    IM_CHECK(app().session().step()->text.starts_with("# Nachbarn statt Strecken\n"));
    IM_CHECK_STR_EQ(app().session().text().c_str(), mine.c_str());
    // The same kernel runs, and its messages are in German.
    app().send(command::Run{});
    wait_for_result(ctx);
    const lab::RunResult* result = app().view().result();
    IM_CHECK(result != nullptr && result->checks.size() > 2);
    IM_CHECK_STR_EQ(tr(result->checks[0].title).c_str(), "Ergebnis richtig, 3 Größen");
    IM_CHECK_STR_EQ(tr(result->checks[1].got).c_str(), "keine");
    IM_CHECK_STR_EQ(tr(result->checks[2].wanted).c_str(), "höchstens 5");
    IM_CHECK_STR_EQ(result->checks[2].message.english().c_str(),
                    "In einem Durchlauf sind die Lanes eines Warps eine ganze Strecke auseinander. "
                    "Lass sie nebeneinander gehen.");
  });
  // The next start remembers the language.
  reopen("coalescing", "stride");
  walk([&](ImGuiTestContext* ctx) {
    IM_CHECK_STR_EQ(language().id.c_str(), "de");
    app().send(command::SetLanguage{"en"});
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().session().step()->title.c_str(), "Neighbours, not runs");
    IM_CHECK_STR_EQ(app().session().text().c_str(), mine.c_str());
  });
}

// At the first start the environment selects the language.
TEST_F(WindowTest, TheFirstStartSpeaksTheLanguageOfTheSystem) {
  setenv("LC_ALL", "de_DE.UTF-8", 1);
  open("coalescing", "one-warp");
  walk([&](ImGuiTestContext*) {
    IM_CHECK_STR_EQ(language().name.c_str(), "Deutsch");
    IM_CHECK_STR_EQ(app().session().step()->title.c_str(), "Was ein Warp verlangt");
  });
}

}  // namespace
}  // namespace warpshop::ui
