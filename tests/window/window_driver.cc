#include "window_driver.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "imgui_internal.h"

namespace warpshop::ui {
namespace {

// A window whose runs do not end in time ends the program (App::~App): with it, the tests that have
// not run yet.
[[maybe_unused]] const int kWatched = std::at_quick_exit([] {
  std::fputs("a window closed while its run went on: the remaining tests have not run\n", stderr);
  std::_Exit(1);
});

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The pixels of the last frame, for the test engine's own pictures.
bool capture(ImGuiID, int x, int y, int w, int h, unsigned int* pixels, void* user) {
  const Picture picture = static_cast<App*>(user)->window().read_picture();
  if (x < 0 || y < 0 || x + w > picture.width || y + h > picture.height) return false;
  for (int row = 0; row < h; ++row) {
    const size_t from = (static_cast<size_t>(y + row) * static_cast<size_t>(picture.width) +
                         static_cast<size_t>(x)) *
                        4;
    std::memcpy(pixels + static_cast<size_t>(row) * static_cast<size_t>(w), &picture.rgba[from],
                static_cast<size_t>(w) * 4);
  }
  return true;
}

}  // namespace

void WindowTest::SetUp() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "warpshop-window-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  home_ = pattern;
  setenv("WARPSHOP_HOME", home_.c_str(), 1);
  setenv("LC_ALL", "C", 1);  // English, whatever the tester's language
}

void WindowTest::close() {
  if (engine_) ImGuiTestEngine_Stop(engine_);
  app_.reset();  // closes the ImGui context, which must precede the engine's end
  if (engine_) ImGuiTestEngine_DestroyContext(engine_);
  engine_ = nullptr;
}

void WindowTest::reopen(const std::string& lab, const std::string& step, const UiOptions& more) {
  close();
  open(lab, step, more);
}

void WindowTest::TearDown() {
  close();
  std::error_code error;
  std::filesystem::remove_all(home_, error);
}

void WindowTest::open(const std::string& lab, const std::string& step, const UiOptions& more) {
  AppOptions options;
  options.ui = more;
  options.ui.lab = lab;
  options.ui.step = step;
  options.own_size = true;
  options.tour = person_;
  options.window.width = 1600;
  options.window.height = 1000;
  options.last_wait_seconds = 60;  // other tests may keep the machine busy
  options.window.drawn_when_read = drawn_when_read_;
  Result<std::unique_ptr<App>> app = App::create(std::move(options));
  ASSERT_TRUE(app.ok()) << render(app.errors());
  app_ = std::move(app).value();
  engine_ = ImGuiTestEngine_CreateContext();
  ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine_);
  io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
  io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Warning;
  io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
  io.ConfigLogToTTY = true;
  io.ConfigWatchdogWarning = 120;
  io.ConfigWatchdogKillTest = 240;
  io.ScreenCaptureFunc = capture;
  io.ScreenCaptureUserData = app_.get();
  ImGuiTestEngine_Start(engine_, app_->window().imgui());
}

void WindowTest::walk(const std::function<void(ImGuiTestContext*)>& steps) {
  ASSERT_NE(app_, nullptr);
  ImGuiTest* test = IM_REGISTER_TEST(engine_, "window", "walk");
  test->TestFunc = steps;
  ImGuiTestEngine_QueueTest(engine_, test, ImGuiTestRunFlags_RunFromCommandLine);
  while (!ImGuiTestEngine_IsTestQueueEmpty(engine_)) {
    if (!app_->frame(false)) {
      ImGuiTestEngine_AbortCurrentTest(engine_);
      break;
    }
    if (const auto [width, height] = std::exchange(size_due_, {}); width > 0)
      app_->window().resize(width, height);
    if (picture_wanted_) {
      if (picture_wanted_->empty()) {
        picture_ = app_->window().read_picture();
      } else {
        write_picture(*picture_wanted_);
      }
      picture_wanted_.reset();
    }
    ImGuiTestEngine_PostSwap(engine_);
  }
  EXPECT_EQ(test->Output.Status, ImGuiTestStatus_Success) << test->Output.Log.Buffer.c_str();
  ImGuiTestEngine_UnregisterTest(engine_, test);
}

void WindowTest::keep_picture(const std::string& name) {
  for (int i = 0; i < 6; ++i) app_->frame(false);
  write_picture(name);
}

void WindowTest::keep_picture(ImGuiTestContext* ctx, const std::string& name) {
  picture_wanted_ = name;
  while (picture_wanted_) ctx->Yield();
}

Picture WindowTest::take_picture(ImGuiTestContext* ctx) {
  keep_picture(ctx, "");
  return std::exchange(picture_, {});
}

void WindowTest::write_picture(const std::string& name) {
  const std::filesystem::path file =
      std::filesystem::current_path() / "window-pictures" / (name + ".png");
  Status written = write_png(app_->window().read_picture(), file);
  EXPECT_TRUE(written.ok()) << render(written.errors());
}

void WindowTest::resize(ImGuiTestContext* ctx, int width, int height) {
  size_due_ = {width, height};
  const bool done = wait_until(ctx, [&, this] {
    int w = 0, h = 0;
    app_->window().size(w, h);
    return w == width && h == height;
  });
  IM_CHECK(done);
  ctx->Yield(8);
}

bool WindowTest::wait_until(ImGuiTestContext* ctx, const std::function<bool()>& done) {
  const double start = seconds();
  while (!done()) {
    const double waited = seconds() - start;
    if (waited > 60) return false;
    // Other threads do the work waited for, and need the cores more than further identical frames.
    std::this_thread::sleep_for(
        std::chrono::duration<double>(0.004 + std::min(waited / 10, 0.026)));
    ctx->Yield();
  }
  return true;
}

void WindowTest::go_to_exercise(ImGuiTestContext* ctx) {
  while (!app().session().step()->exercise) {
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_N);
    ctx->Yield(3);
  }
}

void WindowTest::wait_for_result(ImGuiTestContext* ctx) {
  ctx->Yield(2);  // an edit reaches the session in the next frame
  const bool shown = wait_until(ctx, [this] {
    return !app_->busy() && !app_->view().running && app_->view().latest &&
           !app_->view().latest_stale;
  });
  IM_CHECK(shown);
}

bool WindowTest::something_is_said(ImGuiTestContext* ctx) {
  const auto& windows = ctx->UiContext->Windows;
  return std::any_of(windows.begin(), windows.end(), [](const ImGuiWindow* w) {
    return w->Active && std::strncmp(w->Name, "##toast", 7) == 0;
  });
}

void WindowTest::click_in_text(ImGuiTestContext* ctx, const char* item) {
  ImGuiWindow* text = nullptr;
  for (ImGuiWindow* window : ctx->UiContext->Windows) {
    // Skips the cards in it, whose names continue after another slash.
    const char* name = std::strstr(window->Name, "/text_");
    if (window->Active && name && !std::strchr(name + 1, '/')) text = window;
  }
  IM_CHECK(text != nullptr);
  ctx->MouseMoveToPos(text->InnerRect.GetCenter());
  for (int turns = 0; turns < 60 && !ctx->ItemExists(item); ++turns) {
    ctx->MouseWheelY(-2);
    ctx->Yield(2);
  }
  ctx->ItemClick(item);
}

void WindowTest::answer_in_text(ImGuiTestContext* ctx, size_t question, int choice) {
  const lab::Question& asked = app().session().step()->questions[question];
  const std::string id = "q" + std::to_string(question);
  if (!asked.number) {
    click_in_text(ctx, ("**/" + asked.choices[static_cast<size_t>(choice)] + "##" + id + "c" +
                        std::to_string(choice))
                           .c_str());
    return;
  }
  click_in_text(ctx, ("**/##" + id).c_str());
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
  char number[32];
  std::snprintf(number, sizeof number, "%.15g", asked.number->value);
  ctx->KeyChars(number);
  ctx->KeyPress(ImGuiKey_Enter);
}

void WindowTest::answer_everything() {
  const lab::Step& step = *app().session().step();
  for (int n = 0; n < static_cast<int>(step.questions.size()); ++n) {
    const lab::Question& question = step.questions[static_cast<size_t>(n)];
    if (question.number) {
      app().send(command::AnswerNumber{n, question.number->value});
    } else {
      app().send(command::AnswerQuestion{n, question.answer});
    }
  }
}

void WindowTest::select_line(ImGuiTestContext* ctx, int line) {
  ImGuiWindow* code = nullptr;
  for (ImGuiWindow* window : ctx->UiContext->Windows) {
    if (window->Active && std::strstr(window->Name, "/##code_")) code = window;
  }
  IM_CHECK(code != nullptr);
  ctx->MouseMoveToPos({code->Pos.x + 200, code->Pos.y + 30});
  ctx->MouseClick();
  // Not the arrows, which move by row: lines may be wrapped.
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_G);
  ctx->Yield(3);
  ctx->KeyChars(std::to_string(line).c_str());
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(3);
  ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_End);
}

bool WindowTest::check_holds(const std::string& id) {
  const View& view = app_->view();
  if (!view.latest) return false;
  for (const lab::CheckResult& check : view.latest->result.checks) {
    if (check.id == id) return check.passed;
  }
  ADD_FAILURE() << "the result has no check " << id;
  return false;
}

}  // namespace warpshop::ui
