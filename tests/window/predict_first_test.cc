// A step asks before it tells: numbers and estimates are typed, and what would answer the questions
// opens after the run.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "predict_lab.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class PredictFirstTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    add_predict_lab();
  }

  const lab::StepProgress& progress() {
    static const lab::StepProgress none;
    const lab::StepProgress* of = app().session().progress_of(*app().session().step());
    return of ? *of : none;
  }
  // All words of a panel in the order in which they are drawn, page by page: cards out of sight
  // draw nothing.
  std::string words_of(ImGuiTestContext* ctx, const char* panel) {
    std::string out;
    ImGuiWindow* text = text_of(ctx, panel);
    const float scroll = text ? text->Scroll.y : 0;
    for (int page = 0; page < 40; ++page) {
      if (text) ImGui::SetScrollY(text, static_cast<float>(page) * text->InnerRect.GetHeight() / 2);
      for (const DrawnText& drawn : texts_of_frame(ctx)) {
        if (drawn.window.find(std::string("###") + panel) != std::string::npos)
          out += drawn.text + " ";
      }
      if (!text || text->Scroll.y >= text->ScrollMax.y) break;
    }
    if (text) ImGui::SetScrollY(text, scroll);
    ctx->Yield(2);
    for (size_t at = out.find("  "); at != std::string::npos; at = out.find("  ", at))
      out.erase(at, 1);
    return out;
  }
  bool says(ImGuiTestContext* ctx, const char* panel, const std::string& words) {
    const std::string all = words_of(ctx, panel);
    if (all.find(words) != std::string::npos) return true;
    last_ = all;
    return false;
  }
  static ImGuiWindow* text_of(ImGuiTestContext* ctx, const char* panel) {
    for (ImGuiWindow* window : ctx->UiContext->Windows) {
      const char* name = std::strstr(window->Name, (std::string("###") + panel + "/text_").c_str());
      if (window->Active && name && !std::strchr(std::strchr(name, '/') + 1, '/')) return window;
    }
    return nullptr;
  }
  // What shows the step's text: the page of a step without a kernel, or else the steps.
  static ImGuiWindow* page_of(ImGuiTestContext* ctx) {
    ImGuiWindow* page = text_of(ctx, "editor");
    return page ? page : text_of(ctx, "steps");
  }
  // Scrolls the step's text until all of the item is in sight.
  void bring_into_sight(ImGuiTestContext* ctx, const std::string& item) {
    ImGuiWindow* text = page_of(ctx);
    IM_CHECK(text != nullptr);
    for (float at = 0;; at += text->InnerRect.GetHeight() / 3) {
      ImGui::SetScrollY(text, at);
      ctx->Yield(3);
      const ImGuiTestItemInfo info = ctx->ItemInfo(item.c_str(), ImGuiTestOpFlags_NoError);
      if (info.ID != 0 && text->InnerRect.Contains(info.RectFull)) return;
      if (at > text->ScrollMax.y) break;
    }
    ADD_FAILURE() << item << " is nowhere in the text";
  }
  void type_number(ImGuiTestContext* ctx, const std::string& field, const char* number) {
    bring_into_sight(ctx, "**/##" + field);
    ctx->ItemClick(("**/##" + field).c_str());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    ctx->KeyChars(number);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
  }
  void solve(ImGuiTestContext* ctx) {
    app().send(command::EditText{app().session().step()->exercise->solution});
    app().send(command::Run{});
    wait_for_result(ctx);
  }
  std::string last_;  // what was drawn instead
};

TEST_F(PredictFirstTest, APageGoesOnOnceItsQuestionsAreAnswered) {
  open("predict", "sectors");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    EXPECT_TRUE(says(ctx, "editor", "After this step you can count the sectors")) << last_;
    EXPECT_TRUE(says(ctx, "editor", "Answer the 2 open questions: then the text goes on."))
        << last_;
    for (const char* hidden :
         {"What the picture shows", "after the run", "What you learned", "Show the answer"})
      EXPECT_FALSE(says(ctx, "editor", hidden)) << hidden;
    EXPECT_TRUE(says(ctx, "editor", "And with 8-byte elements?")) << last_;
    type_number(ctx, "q0", "64");
    EXPECT_EQ(progress().numbers.at(0), 64);
    EXPECT_TRUE(says(ctx, "editor", "You said 64 bytes; it is 128 bytes.")) << last_;
    EXPECT_TRUE(says(ctx, "editor", "Four sectors of 32 bytes.")) << last_;
    EXPECT_TRUE(says(ctx, "editor", "Answer the open question: then the text goes on.")) << last_;
    EXPECT_FALSE(says(ctx, "editor", "What the picture shows"));
    click_in_text(ctx, "**/eight neighbours##q1c0");
    ctx->Yield(6);
    EXPECT_TRUE(progress().passed);
    for (const char* open : {"What the picture shows", "What you learned", "Show the answer"})
      EXPECT_TRUE(says(ctx, "editor", open)) << open << " in " << last_;
    EXPECT_FALSE(says(ctx, "editor", "after the run"));
    EXPECT_FALSE(says(ctx, "editor", "four neighbours"));
    click_in_text(ctx, "**/Show the answer##further");
    EXPECT_TRUE(says(ctx, "editor", "four neighbours share a sector")) << last_;
  });
  keep_picture("predict-page");
}

TEST_F(PredictFirstTest, NonsenseIsRefusedInOneSentence) {
  open("predict", "sectors");
  walk([this](ImGuiTestContext* ctx) {
    for (const char* nonsense : {"many", "1,2,3", "12..5"}) {
      type_number(ctx, "q0", nonsense);
      EXPECT_TRUE(progress().numbers.empty()) << nonsense;
      EXPECT_TRUE(says(ctx, "editor", "Type one number, such as 1,024 or 1.5.")) << last_;
      EXPECT_TRUE(ctx->UiContext->IO.WantTextInput) << "the typing goes on";
    }
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    ctx->KeyChars("1,024");
    ctx->Yield(2);
    EXPECT_FALSE(says(ctx, "editor", "Type one number"));
    click_in_text(ctx, "**/Answer##q0-answer");
    ctx->Yield(3);
    EXPECT_EQ(progress().numbers.at(0), 1024);
  });
}

TEST_F(PredictFirstTest, AGermanNumberHasAComma) {
  open("predict", "sectors");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SetLanguage{"de"});
    ctx->Yield(6);
    type_number(ctx, "q0", "1.024,5");
    EXPECT_EQ(progress().numbers.at(0), 1024.5);
    EXPECT_TRUE(says(ctx, "editor", "Du sagtest 1.024,5 Byte; es sind 128 Byte.")) << last_;
    app().send(command::SetLanguage{"en"});
    ctx->Yield(2);
  });
}

TEST_F(PredictFirstTest, ReturnTakesTheTypingToTheNextQuestion) {
  open("predict", "scale");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    type_number(ctx, "q0", "8");
    ctx->KeyChars("12%");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    EXPECT_EQ(progress().numbers.at(0), 8);
    IM_CHECK(progress().numbers.contains(1));
    EXPECT_EQ(progress().numbers.at(1), 12);
    // The next one has choices: nothing is chosen by another Return.
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    EXPECT_TRUE(progress().answers.empty());
  });
}

// The next thing to answer comes into sight, whether it is typed or chosen.
TEST_F(PredictFirstTest, AnAnswerBringsTheNextQuestionIntoSight) {
  open("predict", "scale");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 620);
    ctx->Yield(8);
    const auto in_sight = [&](const char* item) {
      const ImGuiWindow* text = page_of(ctx);
      const ImGuiTestItemInfo info = ctx->ItemInfo(item, ImGuiTestOpFlags_NoError);
      return info.ID != 0 && text->InnerRect.Contains(info.RectFull);
    };
    const char* choice = "**/the number of the block##q2c2";
    const char* estimate = "**/##estimate";
    type_number(ctx, "q0", "8");
    EXPECT_TRUE(in_sight("**/##q1"));
    EXPECT_FALSE(in_sight(choice)) << "the window must be too low for all of it";
    ctx->KeyChars("12%");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(12);
    EXPECT_TRUE(in_sight(choice));
    EXPECT_FALSE(in_sight(estimate));
    ctx->ItemClick(choice);
    ctx->Yield(12);
    EXPECT_TRUE(in_sight(estimate));
    // One that is answered anew stays where it is.
    bring_into_sight(ctx, "**/##q0");
    type_number(ctx, "q0", "16");
    ctx->Yield(12);
    EXPECT_TRUE(in_sight("**/##q0"));
  });
}

TEST_F(PredictFirstTest, AnExerciseTellsAfterTheRunAndScoresTheEstimate) {
  open("predict", "scale");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    const char* waits = "Answer the 3 open questions and run once: then you see what the GPU says.";
    EXPECT_TRUE(says(ctx, "steps", waits)) << last_;
    EXPECT_FALSE(says(ctx, "steps", "What the H200 says"));
    type_number(ctx, "q0", "8");
    type_number(ctx, "q0", "16");  // not checked before the run: it may be changed
    EXPECT_EQ(progress().numbers.at(0), 16);
    EXPECT_FALSE(says(ctx, "steps", "You said"));
    type_number(ctx, "q1", "12%");
    click_in_text(ctx, "**/threadIdx.x plus the block's start##q2c1");
    EXPECT_TRUE(says(ctx, "steps", "Say what you expect and run once: then you see what the GPU"))
        << last_;
    type_number(ctx, "estimate", "-3");
    EXPECT_FALSE(progress().estimate);
    EXPECT_TRUE(says(ctx, "steps", "Type one number above 0")) << last_;
    type_number(ctx, "estimate", "4");
    type_number(ctx, "estimate", "5 ×");
    EXPECT_EQ(progress().estimate, 5);
    EXPECT_TRUE(says(ctx, "steps", "Run once: then you see what the GPU says.")) << last_;
    // Text that does not compile has not run.
    const std::string start = app().session().text();
    app().send(command::EditText{start + "\nint i ="});
    app().send(command::Run{});
    wait_for_result(ctx);
    EXPECT_TRUE(app().view().did_not_compile());
    EXPECT_FALSE(says(ctx, "steps", "You said 16 sectors")) << last_;
    EXPECT_TRUE(says(ctx, "steps", "Run once: then you see what the GPU says.")) << last_;
    EXPECT_EQ(progress().runs, 0);
    app().send(command::EditText{start});
    app().send(command::Run{});
    wait_for_result(ctx);
    EXPECT_FALSE(progress().passed);
    EXPECT_TRUE(says(ctx, "steps", "You said 16 sectors; it is 32 sectors.")) << last_;
    EXPECT_TRUE(says(ctx, "steps", "You said 12%; it is 12.5%: close enough.")) << last_;
    EXPECT_TRUE(says(ctx, "steps", "What the H200 says")) << last_;
    EXPECT_FALSE(says(ctx, "steps", "What you learned"));
    // It may still be changed, until a version passes.
    type_number(ctx, "estimate", "6");
    EXPECT_EQ(progress().estimate, 6);
    app().send(command::FocusPanel{"times"});
    ctx->Yield(4);
    EXPECT_TRUE(says(ctx, "times", "You said 6×: scored when a version passes.")) << last_;
    solve(ctx);
    IM_CHECK(progress().passed);
    EXPECT_TRUE(says(ctx, "steps", "What you learned")) << last_;
    EXPECT_TRUE(says(ctx, "steps", "You said 6×.")) << last_;
    app().send(command::GiveEstimate{7});
    ctx->Yield(2);
    EXPECT_EQ(progress().estimate, 6) << "after a pass it would be no estimate";
    const auto predicted = [this] {
      const lab::SizeResult* size = app().view().result()->timed_size();
      return size && size->start_us && size->student.prediction && !app().view().predicting;
    };
    IM_CHECK(wait_until(ctx, predicted));
    const lab::SizeResult& size = *app().view().result()->timed_size();
    char is[32];
    std::snprintf(is, sizeof is, "%.1f", *size.start_us / size.student.prediction->time_us);
    EXPECT_TRUE(says(ctx, "times", std::string("You said 6×; it is ") + is + "× (predicted)."))
        << last_;
  });
  keep_picture("predict-scored");
  // Opened again, the step shows everything at once.
  reopen("predict", "scale");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(6);
    EXPECT_TRUE(says(ctx, "steps", "What the H200 says")) << last_;
    EXPECT_TRUE(says(ctx, "steps", "You said 16 sectors; it is 32 sectors.")) << last_;
  });
}

TEST_F(PredictFirstTest, AContractStandsAboveItsTaskAndATimeIsScored) {
  open("predict", "halve");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    EXPECT_TRUE(says(ctx, "steps", "About 2 lines, within this budget:")) << last_;
    const std::string words = words_of(ctx, "steps");
    EXPECT_LT(words.find("1 load and 1 store per thread"), words.find("Your task")) << words;
    type_number(ctx, "q0", "8");
    type_number(ctx, "estimate", "10");
    solve(ctx);
    IM_CHECK(progress().passed);
    app().send(command::FocusPanel{"times"});
    IM_CHECK(wait_until(ctx, [this] {
      return app().view().result()->timed_size()->student.prediction && !app().view().predicting;
    }));
    char is[32];
    std::snprintf(is, sizeof is, "%.2f",
                  app().view().result()->timed_size()->student.prediction->time_us);
    EXPECT_TRUE(says(ctx, "times", std::string("You said 10 µs; it is ") + is + " µs (predicted)."))
        << last_;
  });
}

// The explanations open above the task while it is being read.
TEST_F(PredictFirstTest, WhatIsReadStaysInItsPlaceWhenTheAnswersOpen) {
  open("predict", "scale");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    for (int q = 0; q < 2; ++q) app().send(command::AnswerNumber{q, 1});
    app().send(command::AnswerQuestion{2, 0});
    app().send(command::GiveEstimate{3});
    ctx->Yield(10);
    ImGuiWindow* text = text_of(ctx, "steps");
    IM_CHECK(text != nullptr);
    ImGui::SetScrollY(text, text->ScrollMax.y * 0.8f);
    ctx->Yield(4);
    const auto place_of = [&](const char* word) {
      for (const DrawnText& drawn : texts_of_frame(ctx)) {
        if (drawn.text == word && drawn.window.find("###steps") != std::string::npos)
          return drawn.min.y;
      }
      return -1.0f;
    };
    const float before = place_of("Compare"), height = text->ContentSize.y;
    IM_CHECK_GT(before, text->InnerRect.Min.y);
    IM_CHECK_LT(before, text->InnerRect.Max.y);
    app().send(command::Run{});
    wait_for_result(ctx);
    ctx->Yield(10);
    EXPECT_GT(text->ContentSize.y, height + 100) << "something has opened";
    EXPECT_NEAR(place_of("Compare"), before, 2);
  });
}

TEST_F(PredictFirstTest, ALecturerSeesEverything) {
  open("predict", "scale");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    EXPECT_FALSE(says(ctx, "steps", "What the H200 says"));
    app().send(command::SetEverything{true});
    for (const char* shown : {"What the H200 says", "What you learned", "Show the answer"})
      EXPECT_TRUE(says(ctx, "steps", shown)) << shown << " in " << last_;
    EXPECT_FALSE(says(ctx, "steps", "You said"));
  });
  reopen("predict", "sectors");  // the setting is kept
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(6);
    EXPECT_TRUE(says(ctx, "editor", "What the picture shows")) << last_;
    app().send(command::SetEverything{false});
    EXPECT_FALSE(says(ctx, "editor", "What the picture shows"));
  });
}

// Progress of a lab that had other questions then.
TEST_F(PredictFirstTest, AnAnswerThatIsNoLongerThereIsAskedForAgain) {
  ASSERT_TRUE(
      write_file_atomically(
          home() / "progress.json",
          R"({"version": 1, "steps": {"predict/sectors": {"answers": {"0": 1, "1": 9, "7": 0}}}})")
          .ok());
  open("predict", "sectors");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(6);
    EXPECT_TRUE(says(ctx, "editor", "Answer the 2 open questions")) << last_;
    click_in_text(ctx, "**/all of the warp##q1c2");
    ctx->Yield(3);
    EXPECT_EQ(progress().answers.at(1), 2);
    EXPECT_TRUE(says(ctx, "editor", "Not quite.")) << last_;
  });
}

// Nothing is cut off or lies on something else, at any size.
TEST_F(PredictFirstTest, AllOfItFits) {
  open("predict", "halve");
  walk([this](ImGuiTestContext* ctx) {
    for (const char* step : {"sectors", "scale", "halve"}) {
      app().send(command::OpenStep{"predict", step});
      for (const float zoom : {1.0f, 2.0f}) {
        resize(ctx, zoom > 1 ? 1920 : 1366, zoom > 1 ? 1080 : 768);
        app().send(command::Zoom{0});
        app().send(command::Zoom{zoom});
        app().send(command::SetEverything{zoom > 1});
        app().send(command::FocusPanel{"steps"});  // in a narrow window, a tab beside the editor
        ctx->Yield(10);
        ImGuiWindow* text = page_of(ctx);
        IM_CHECK(text != nullptr);
        for (int page = 0; page < 30; ++page) {
          ImGui::SetScrollY(text, static_cast<float>(page) * text->InnerRect.GetHeight() * 0.8f);
          for (const std::string& misfit : misfits(texts_of_frame(ctx))) {
            if (misfit.find("text_") != std::string::npos)
              ADD_FAILURE() << step << " at " << zoom << ": " << misfit;
          }
          if (text->Scroll.y >= text->ScrollMax.y) break;
        }
      }
    }
  });
}

}  // namespace
}  // namespace warpshop::ui
