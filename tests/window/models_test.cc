// The models' panels: schedulers, roofline, partitions, DRAM, two GPUs; used with the keyboard, as
// by a student.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lab/access_cost.h"
#include "panels/line_figures.h"
#include "panels/roofline_panel.h"
#include "panels/schedulers_panel.h"
#include "text_check.h"
#include "timing/memory_timeline.h"
#include "timing/pipeline.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

TEST_F(WindowTest, ThePredictionFollowsTheMapsAndItsTimelineIsZoomed) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    const size_t selected = *app().view().selected;
    IM_CHECK(wait_until(ctx, [this] {
      return !app().predicting() && app().view().prepared->result.student()->prediction;
    }));
    ctx->Yield(2);
    // The same run, with more results: nothing on the screen has moved.
    IM_CHECK_EQ(*app().view().selected, selected);
    IM_CHECK(!app().view().stale);
    IM_CHECK(app().view().result()->student()->memory != nullptr);
    IM_CHECK(app().view().result()->reference()->prediction.has_value());

    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_3);
    ctx->Yield(3);
    const SchedulersPanelState& s = app().panel<SchedulersPanelState>();
    // The prediction for the timed size, of which launch time is a small part.
    IM_CHECK(s.of == &*app().view().result()->timed->student.prediction);
    IM_CHECK(s.of->time_us > 4 * s.of->launch_us);
    IM_CHECK(s.begin == s.first && s.end == s.last);
    const double all = s.end - s.begin;
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Equal);
    ctx->Yield(2);
    IM_CHECK(std::abs((s.end - s.begin) * 1.5 - all) < 1);
    const double begin = s.begin;
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_RightArrow);
    ctx->Yield(2);
    IM_CHECK(s.begin > begin);
    // Zooming in stops at a few cycles.
    for (int i = 0; i < 60; ++i) ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Equal);
    ctx->Yield(2);
    IM_CHECK(s.end - s.begin >= 15.9 && s.end - s.begin < 17);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_0);
    ctx->Yield(2);
    IM_CHECK(s.begin == s.first && s.end == s.last);

    // A click on a warp's row leads to a line of the kernel.
    ctx->ItemClick("**/timeline");
    ctx->Yield(3);
    IM_CHECK(!s.moved);
  });
  keep_picture("schedulers");
}

// Lanes 0 to 31 of warp 0 read a column: 8 wavefronts for each word of a lane's 16 bytes, by 32
// lanes.
TEST_F(WindowTest, TheEditorsLinesShowWhatWasChosenAndTheNextSessionKnows) {
  open("bank-conflicts", "column");
  const auto in_editor = [](ImGuiTestContext* ctx, std::string_view wanted) {
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
      return text.text == wanted && text.window.find("###editor") != std::string::npos;
    });
  };
  walk([&, this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(wait_until(ctx, [this] { return !app().predicting(); }));
    IM_CHECK(in_editor(ctx, "wave"));
    IM_CHECK(in_editor(ctx, "8"));
    ctx->ItemClick("**/memory##measure");
    ctx->Yield(2);
    ctx->ItemClick("//$FOCUSED/active lanes##lanes");
    ctx->Yield(3);
    IM_CHECK(!in_editor(ctx, "wave"));
    IM_CHECK(in_editor(ctx, "32"));
    app().send(command::SetLineMeasure{LineMeasure::kStalls});
    ctx->Yield(3);
    IM_CHECK(!in_editor(ctx, "32"));
    // The lines' shares add up to all waiting, except for library lines and rounding.
    double all = 0;
    for (const auto& [line, figure] : line_figures(*app().view().result(), LineMeasure::kStalls)) {
      IM_CHECK(in_editor(ctx, figure.parts[0].text));
      all += figure.heat;
    }
    IM_CHECK(all > 0.9 && all < 1.0001);
  });
  reopen("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(3);
    IM_CHECK(app().view().line_measure == LineMeasure::kStalls);
  });
}

// Bars compare the previous version, in its own colour, with the present one, the reference and the
// ceiling.
TEST_F(WindowTest, TimesCompareWithTheVersionBefore) {
  open("coalescing", "transpose-naive");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(wait_until(ctx, [this] { return !app().predicting(); }));
    const auto of_run = [this] {
      return app().view().result()->timed->student.prediction->time_us;
    };
    const double before = of_run();
    // The Times panel comes to the front by itself: the result is correct, so speed matters now.
    const ImGuiWindow* times = ctx->GetWindowByRef("//###times");
    IM_CHECK(times != nullptr && times->DockNode->VisibleWindow == times);
    app().send(command::TakeSolution{});
    ctx->Yield(3);
    wait_for_result(ctx);
    IM_CHECK(wait_until(ctx, [this] { return !app().predicting(); }));
    IM_CHECK_LT(of_run(), before);
    IM_CHECK_EQ(app().view().history->runs().size(), 2u);
    IM_CHECK(std::abs(*app().view().history->runs()[0].predicted_us - before) < 1e-6);
    ctx->ItemClick("**/version1");  // shows what has changed in the text since
    ctx->Yield(3);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 1);
    ctx->KeyPress(ImGuiKey_Escape);
  });
  keep_picture("times");
}

TEST_F(WindowTest, EveryModelHasAPanelAndSaysWhatItLeavesOut) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(wait_until(ctx, [this] {
      return !app().predicting() && app().view().prepared->result.student()->prediction;
    }));
    for (const auto& [key, panel] :
         {std::pair<ImGuiKeyChord, const char*>{ImGuiKey_3, "schedulers"},
          {ImGuiKey_4, "roofline"},
          {ImGuiKey_5, "partitions"},
          {ImGuiKey_6, "dram"},
          {ImGuiKey_7, "compare"},
          {ImGuiMod_Shift | ImGuiKey_4, "memory"}}) {
      ctx->KeyPress(ImGuiMod_Alt | key);
      ctx->Yield(6);
      const ImGuiWindow* window = ctx->GetWindowByRef((std::string("//###") + panel).c_str());
      IM_CHECK_SILENT(window != nullptr);
      IM_CHECK(window->DockNode != nullptr && window->DockNode->VisibleWindow == window);
      ctx->ItemClick((std::string("//###") + panel + "/What this model leaves out").c_str());
      ctx->Yield(3);
      IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 1);
      // The assumptions about the GPU are shown in full, however narrow the panel.
      if (key == ImGuiKey_6) {
        const std::string note = std::string(models::dram_of(app().view().result()->gpu).note)
                                     .substr(1);  // without its capital letter
        const std::vector<DrawnText> texts = texts_of_frame(ctx);
        IM_CHECK(std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
          return !text.cut && text.window.find("###dram") == std::string::npos &&
                 text.text.find(note) != std::string::npos;
        }));
      }
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 0);
      // Its numbers can be copied to the clipboard.
      ImGui::SetClipboardText("");
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
      ctx->Yield(4);
      IM_CHECK(std::string(ImGui::GetClipboardText()).find(',') != std::string::npos);
    }
  });
}

// Panels of text have numbers, too: the cost of each line, the requirement of each check.
TEST_F(WindowTest, TheLinesOfTheKernelAndTheChecksAreCopied) {
  open("coalescing", "transpose-naive");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    const auto copied = [&](ImGuiKey key) {
      ctx->KeyPress(ImGuiMod_Ctrl | key);
      ctx->Yield(4);
      ImGui::SetClipboardText("");
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
      ctx->Yield(4);
      return std::string(ImGui::GetClipboardText());
    };
    // 256 × 256 elements are 2,048 requests: 4 sectors per load, 32 per store.
    const std::string lines = copied(ImGuiKey_2);
    EXPECT_TRUE(lines.starts_with("line,text,warp instructions,")) << lines;
    EXPECT_NE(lines.find("out[x * n + y] = in[y * n + x];"), std::string::npos) << lines;
    EXPECT_NE(lines.find(",2048,8192,2048,65536,0,0\n"), std::string::npos) << lines;
    const std::string checks = copied(ImGuiKey_1);
    EXPECT_TRUE(checks.starts_with("check,wanted,got,passed\n")) << checks;
    EXPECT_NE(checks.find(",yes\n"), std::string::npos) << checks;
    EXPECT_NE(checks.find("32 sectors per request,no\n"), std::string::npos) << checks;
  });
}

// The roofline keeps the student's earlier texts; a repeated text is not added twice.
TEST_F(WindowTest, EarlierVersionsStayUnderTheRoofline) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const auto predicted = [&](const std::string& source) {
      return wait_until(ctx, [&] {
        return !app().predicting() && app().view().prepared &&
               app().view().prepared->result.source == source &&
               app().view().prepared->result.student()->prediction;
      });
    };
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    const std::string start = app().session().text();
    IM_CHECK(predicted(start));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_4);
    ctx->Yield(4);
    IM_CHECK_EQ(app().panel<RooflinePanelState>().versions.size(), 1u);
    app().send(command::TakeSolution{});
    ctx->Yield(2);
    wait_for_result(ctx);
    const std::string solution = app().session().text();
    IM_CHECK(predicted(solution));
    ctx->Yield(4);
    IM_CHECK_EQ(app().panel<RooflinePanelState>().versions.size(), 2u);
    const auto& versions = app().panel<RooflinePanelState>().versions;
    IM_CHECK_STR_EQ(versions[0].source.c_str(), start.c_str());
    // Fewer sectors for the same work: the point is further right.
    IM_CHECK(versions[0].prediction.l2_bytes > versions[1].prediction.l2_bytes);
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(predicted(solution));
    ctx->Yield(4);
    IM_CHECK_EQ(app().panel<RooflinePanelState>().versions.size(), 2u);
    // With the keyboard: from the student's own point on to the first version, and to what has
    // changed since.
    app().send(command::FocusPanel{"roofline"});
    ctx->Yield(4);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Period);
    ctx->Yield(3);
    IM_CHECK(app().panel<RooflinePanelState>().focus ==
             app().panel<RooflinePanelState>().points - 1);
    IM_CHECK(app().panel<RooflinePanelState>().focus_run.empty());
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Period);
    ctx->Yield(3);
    IM_CHECK(app().panel<RooflinePanelState>().focus == size_t{0});
    IM_CHECK(!app().panel<RooflinePanelState>().focus_run.empty());
    keep_picture(ctx, "roofline-by-keys");
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_E);
    ctx->Yield(4);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 1);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
  });
  keep_picture("roofline");
}

TEST_F(WindowTest, ASecondGpuStandsBesideTheFirst) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_7);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().settings().second_gpu.c_str(), "8800-gt");
    ctx->ItemClick("**/gpu_k40c");
    ctx->Yield(4);
    IM_CHECK_STR_EQ(app().settings().second_gpu.c_str(), "k40c");
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_G);
    ctx->Yield(4);
    IM_CHECK(app().settings().second_gpu != "k40c");
    // A GPU is not compared with itself: another one is shown, and the choice is kept until it
    // applies.
    app().send(command::SelectSecondGpu{"8800-gt"});
    app().send(command::SelectGpu{"8800-gt"});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(4);
    int first = 0, other = 0;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (text.window.find("compare") == std::string::npos) continue;
      first += text.text == "NVIDIA GeForce 8800 GT";
      other += text.text == "NVIDIA GeForce RTX 5090";  // the newest
    }
    IM_CHECK_EQ(first, 1);
    IM_CHECK_EQ(other, 1);
    IM_CHECK_STR_EQ(app().settings().second_gpu.c_str(), "8800-gt");
    app().send(command::SelectGpu{"h200"});
    app().send(command::SelectSecondGpu{"k40c"});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(4);
  });
  keep_picture("two-gpus");
}

// Each time is the one that choosing the GPU would show.
TEST_F(WindowTest, OtherGpusHaveTheirTimes) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    app().send(command::SelectSecondGpu{"rtx-4090"});
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_7);
    const auto known = [this](const char* id) {
      const GpuTimes* times = app().view().gpu_times;
      return times != nullptr && times->find(id) != nullptr;
    };
    IM_CHECK(wait_until(ctx, [&] { return known("rtx-4090") && known("k40c"); }));
    const GpuTimes times = *app().view().gpu_times;
    keep_picture(ctx, "two-gpus-times");
    for (const char* id : {"rtx-4090", "k40c"}) {
      IM_CHECK(times.find(id)->us > 0);
      app().send(command::SelectGpu{id});
      ctx->Yield(3);
      wait_for_result(ctx);
      IM_CHECK(wait_until(ctx, [&] {
        const lab::RunResult* result = app().view().result();
        return result && result->gpu.id == id && result->timed && result->timed->student.prediction;
      }));
      IM_CHECK_EQ(app().view().result()->timed->student.prediction->time_us, times.find(id)->us);
    }
    app().send(command::SelectGpu{"h200"});
    ctx->Yield(3);
    wait_for_result(ctx);
  });
}

TEST_F(WindowTest, FragmentsComeWithTensorInstructions) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_5);
    ctx->Yield(4);
    IM_CHECK(ctx->GetWindowByRef("//Fragments###fragments") == nullptr);
    app().send(command::OpenStep{"tensor-cores", "tile"});
    ctx->Yield(4);
    app().send(command::TakeSolution{});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_5);
    ctx->Yield(6);
    const ImGuiWindow* window = ctx->GetWindowByRef("//Fragments###fragments");
    IM_CHECK(window != nullptr && window->WasActive);
    // Row 0 of A belongs to lanes 0 to 3.
    ctx->MouseMove("**/A");
    ImRect of_a = ctx->ItemInfo("**/A").RectFull;
    ctx->MouseMoveToPos({of_a.Min.x + of_a.GetWidth() / 32, of_a.Min.y + of_a.GetHeight() / 32});
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().pointing.lanes, 1u << 0);
    ctx->MouseMoveToPos({of_a.Max.x - of_a.GetWidth() / 32, of_a.Max.y - of_a.GetHeight() / 32});
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().pointing.lanes, 1u << 31);
    keep_picture(ctx, "fragments");
  });
}

bool says(ImGuiTestContext* ctx, std::string_view words) {
  const std::vector<DrawnText> texts = texts_of_frame(ctx);
  EXPECT_TRUE(misfits(texts).empty()) << misfits(texts).front();
  return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
    return text.text.find(words) != std::string::npos;
  });
}

TEST_F(WindowTest, LayoutsAreTriedBesideTheBankMap) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_8);
    ctx->Yield(6);
    IM_CHECK(says(ctx, "wavefronts for one load"));
    keep_picture(ctx, "layout");
    ctx->ItemClick("**/##shape");
    ctx->KeyCharsReplace("Sw<3,3,3> o (32,64):(64,1");
    ctx->Yield(4);
    IM_CHECK(says(ctx, "Expected a comma or “)” at the end."));
    ctx->KeyCharsAppend(")");
    ctx->Yield(4);
    IM_CHECK(!says(ctx, "Expected"));
    ctx->ItemClick("**/Back to the kernel's access##back");
    ctx->Yield(4);
    IM_CHECK(says(ctx, "ideal"));
    IM_CHECK(!says(ctx, "Click a cell"));
  });
}

TEST_F(WindowTest, ContentionComesWithAtomics) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_6);
    ctx->Yield(4);
    IM_CHECK(ctx->GetWindowByRef("//Contention###contention") == nullptr);
    app().send(command::OpenStep{"atomics", "private"});
    ctx->Yield(4);
    app().send(command::TakeSolution{});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_6);
    ctx->Yield(6);
    const ImGuiWindow* window = ctx->GetWindowByRef("//Contention###contention");
    IM_CHECK(window != nullptr && window->WasActive);
    keep_picture(ctx, "contention-shared");
    ctx->ItemClick("**/Global memory##memory");
    ctx->Yield(4);
    // Each block adds each of its 256 bins to the global ones.
    const timing::Contention& of = app().view().result()->student()->contention.global;
    IM_CHECK_EQ(of.words, 256u);
    const timing::ContendedWord word = of.hottest.front();
    IM_CHECK_EQ(word.name.substr(0, 6), "count[");
    IM_CHECK_EQ(word.hits, app().view().result()->student()->grid.x);
    ctx->MouseMove(("**/" + word.name).c_str());
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().pointing.address, word.address);
    keep_picture(ctx, "contention-global");
  });
}

TEST_F(WindowTest, ThePipelineOfAKernelThatCopiesAhead) {
  open("pipelines", "two-tiles");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_7);
    ctx->Yield(4);
    IM_CHECK(ctx->GetWindowByRef("//Pipeline###pipeline") == nullptr);
    app().send(command::OpenStep{"pipelines", "ring"});
    ctx->Yield(4);
    app().send(command::TakeSolution{});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(wait_until(ctx, [this] {
      const lab::RunResult* result = app().view().result();
      return result != nullptr && result->timed_size() != nullptr &&
             result->timed_size()->student.prediction;
    }));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_7);
    ctx->Yield(6);
    const ImGuiWindow* window = ctx->GetWindowByRef("//Pipeline###pipeline");
    IM_CHECK(window != nullptr && window->WasActive);
    const auto pipeline = app().view().result()->timed_size()->student.prediction->pipeline;
    IM_CHECK(pipeline != nullptr);
    // A stage at the right, in the first slot, points at the line of its copy: that in the loop.
    ctx->MouseMove("**/stages");
    const ImRect rows = ctx->ItemInfo("**/stages").RectFull;
    ctx->MouseMoveToPos({rows.Max.x - rows.GetWidth() / 4, rows.Min.y + rows.GetHeight() / 8});
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().pointing.line, lab::student_line(pipeline->stages[6].source));
    keep_picture(ctx, "pipeline");
  });
}

TEST_F(WindowTest, TheMapsShowAnyBlock) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    const AccessEntry before = *app().view().access();
    IM_CHECK_EQ(app().view().record()->warp.linear_block, 0u);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_DownArrow);
    ctx->Yield(2);
    IM_CHECK(wait_until(ctx, [this] {
      return app().view().record() && app().view().record()->warp.linear_block == 1;
    }));
    IM_CHECK_EQ(app().view().access()->line, before.line);
    wait_for_result(ctx);
    const uint64_t last = app().view().result()->student()->grid.count() - 1;
    app().send(command::SelectBlock{last});
    ctx->Yield(2);
    IM_CHECK(wait_until(ctx, [this, last] {
      return app().view().record() && app().view().record()->warp.linear_block == last;
    }));
    // No block follows the last one.
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_DownArrow);
    ctx->Yield(4);
    IM_CHECK_EQ(app().view().record()->warp.linear_block, last);
  });
}

TEST_F(WindowTest, AStopEndsThePredictionAndKeepsTheMaps) {
  open("tiling", "corner");
  walk([this](ImGuiTestContext* ctx) {
    go_to_exercise(ctx);
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F6);
    IM_CHECK(wait_until(ctx, [this] { return !app().predicting(); }));
    ctx->Yield(2);
    IM_CHECK(app().view().prepared != nullptr);
    IM_CHECK(app().view().selected.has_value());
    IM_CHECK(!app().view().result()->stopped);
  });
}

}  // namespace
}  // namespace warpshop::ui
