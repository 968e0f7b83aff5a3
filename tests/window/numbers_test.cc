// Figures that several panels show are formatted in one way, and compared with figures of their
// kind.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "core/files.h"
#include "drawn_texts.h"
#include "lab/times.h"
#include "text/format.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class NumbersTest : public WindowTest {
 protected:
  // The texts of a panel in the next frame.
  std::vector<std::string> texts_of(ImGuiTestContext* ctx, const std::string& panel) {
    if (panel != "top_bar") app().send(command::FocusPanel{panel});
    ctx->Yield(4);
    DrawnTexts drawn;
    ctx->Yield();
    std::vector<std::string> out;
    for (const DrawnText& text : drawn.texts) {
      if (text.window.find(panel) != std::string::npos) out.push_back(text.text);
    }
    return out;
  }

  static size_t count(const std::vector<std::string>& texts, const std::string& part) {
    const auto has = [&](const std::string& text) { return text.find(part) != std::string::npos; };
    return static_cast<size_t>(std::count_if(texts.begin(), texts.end(), has));
  }

  void run_and_predict(ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    wait_until(ctx, [this] {
      const auto& timed = app().view().result()->timed;
      return !app().predicting() && timed && timed->reference.prediction;
    });
    ctx->Yield(3);
  }
};

TEST_F(NumbersTest, TimesSayOnceWhatLimitsTheKernelAndCompareLikeWithLike) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    std::vector<std::string> texts = texts_of(ctx, "times");
    IM_CHECK_EQ(count(texts, "Limited by "), size_t{1});
    IM_CHECK_EQ(count(texts, "% to gain"), size_t{1});
    IM_CHECK_EQ(count(texts, "slower than the reference"), size_t{1});
    IM_CHECK_EQ(count(texts, "times are predicted"), size_t{1});
    // The skeleton is the lab's own text, which has recorded times: they come below the predicted
    // ones, which are those of the headline.
    for (const char* row : {"yours, predicted", "reference, predicted", "Predicted, as"}) {
      IM_CHECK_EQ(count(texts, row), size_t{1});
    }
    IM_CHECK_EQ(count(texts, "recorded on"), size_t{2});
    // The limiter is the first line below the number and its comparison, and says what it refers
    // to.
    const auto first = [&](const std::string& part) {
      return std::find_if(
                 texts.begin(), texts.end(),
                 [&](const std::string& text) { return text.find(part) != std::string::npos; }) -
             texts.begin();
    };
    IM_CHECK_LT(first("slower than the reference"), first("Limited by "));
    IM_CHECK_LT(first("Limited by "), first("Of the predicted "));
    IM_CHECK_LT(first("Of the predicted "), first("yours, predicted"));
    IM_CHECK_LT(first("yours, predicted"), first("recorded on"));
    IM_CHECK_LT(first("recorded on"), first("Predicted, as for any text"));
    IM_CHECK_EQ(count(texts, "of the 4,650 GB/s ceiling"), size_t{1});
    // That line and the row below it have the same predicted time.
    const std::vector<lab::TimeRow> rows = lab::time_rows(
        *app().view().session->lab(), *app().view().result(), *app().view().result()->timed);
    const auto mine = std::find_if(rows.begin(), rows.end(), [](const lab::TimeRow& row) {
      return row.what == lab::Timed::kYours && row.provenance == lab::Provenance::kPredicted;
    });
    IM_CHECK(mine != rows.end());
    const auto predicted = [this] {
      const double us = app().view().result()->timed->student.prediction->time_us;
      return "Of the predicted " + decimal_text(us, 1) + " µs";
    };
    IM_CHECK_EQ(mine->us, app().view().result()->timed->student.prediction->time_us);
    IM_CHECK_EQ(count(texts, predicted()), size_t{1});
    // The roofline's share refers to another number of bytes, and says so.
    IM_CHECK_EQ(count(texts_of(ctx, "roofline"),
                      "The share of the roof is for the bytes that the kernel moves"),
                size_t{1});
    texts = texts_of(ctx, "times");
    // Percentages refer to times, and are next to one.
    for (const std::string& text : texts)
      IM_CHECK(text.find("GB/s") == std::string::npos || text.find("−") == std::string::npos);
    // After an edit the headline is of the same kind.
    app().send(command::EditText{app().session().text() + "\n__device__ int mine;\n"});
    run_and_predict(ctx);
    texts = texts_of(ctx, "times");
    for (const char* row :
         {"yours, predicted", "reference, predicted", "Predicted: no GPU has run this text"})
      IM_CHECK_EQ(count(texts, row), size_t{1});
    IM_CHECK_EQ(count(texts, predicted()), size_t{1});
    IM_CHECK_EQ(count(texts, "recorded on"), size_t{1});
    IM_CHECK_LT(first("reference, predicted"), first("recorded on"));
    // The history shows the same time in the same format.
    const std::string us = us_text(app().view().result()->timed->student.prediction->time_us);
    IM_CHECK(count(texts, us) >= 1);
    texts = texts_of(ctx, "history");
    IM_CHECK(count(texts, us) >= 1);
    IM_CHECK_EQ(count(texts, "< 0.1 ms"), size_t{0});
  });
}

// Each load of bytes touches one sector, and one sector is not "1 sectors".
TEST_F(NumbersTest, OneSectorIsSingular) {
  open("atomics", "lost-updates");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::EditText{app().session().step()->exercise->solution});
    run_and_predict(ctx);
    const std::vector<std::string> texts = texts_of(ctx, "memory");
    IM_CHECK_EQ(count(texts, "1 sectors each"), size_t{0});
    IM_CHECK_GE(count(texts, "1 sector each"), size_t{1});
  });
}

TEST_F(NumbersTest, TimesSayWhyAKernelHasNoPrediction) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    IM_CHECK_EQ(count(texts_of(ctx, "times"), "printf"), size_t{0});
    std::string text = app().session().text();
    const size_t body = text.find('{', text.find("__global__")) + 1;
    app().send(command::EditText{text.insert(body, " printf(\"%d\", n); ")});
    app().send(command::Run{});
    wait_for_result(ctx);
    wait_until(ctx, [this] {
      return !app().predicting() && !app().view().result()->prediction_problems.empty();
    });
    ctx->Yield(3);
    const std::vector<std::string> texts = texts_of(ctx, "times");
    IM_CHECK_EQ(count(texts, "the cost of printf is not modelled"), size_t{1});
    IM_CHECK_EQ(count(texts, "Remove printf, or print from only one thread"), size_t{1});
  });
}

// The bar of another GPU may be longer than this one's ceiling.
TEST_F(NumbersTest, PublishedTimesNameTheirGpu) {
  open("partition-camping", "diagonal");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SelectGpu{"8800-gt"});
    ctx->Yield(2);
    run_and_predict(ctx);
    const std::vector<lab::TimeRow> rows = lab::time_rows(
        *app().view().session->lab(), *app().view().result(), *app().view().result()->timed);
    const auto of_gtx_280 = [](const lab::TimeRow& row) {
      return row.origin.english() == "GTX 280, J. Filipovič 2021";
    };
    const auto published = static_cast<size_t>(std::count_if(rows.begin(), rows.end(), of_gtx_280));
    IM_CHECK(published > 0);
    IM_CHECK_EQ(count(texts_of(ctx, "times"), "GTX 280, J. Filipovič 2021"), published);
  });
}

TEST_F(NumbersTest, CountersLeadWithTheCheckThatTheStepIsAbout) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    const lab::CheckResult* check = app().view().result()->main_check();
    IM_CHECK(check != nullptr && check->id == "no-conflicts" && !check->passed);
    std::vector<std::string> texts = texts_of(ctx, "counters");
    IM_CHECK(count(texts, check->title.english()) >= 1);
    IM_CHECK_EQ(count(texts, "1× the reference's memory traffic"), size_t{1});
    // The roofline has no roof for shared memory, and says so beside the limiter.
    const timing::Limiter limiter =
        app().view().result()->timed_size()->student.prediction->limiter;
    IM_CHECK_EQ(static_cast<int>(limiter), static_cast<int>(timing::Limiter::kShared));
    texts = texts_of(ctx, "roofline");
    IM_CHECK_EQ(count(texts, "not a roof of this chart"), size_t{1});
  });
}

// The address hash is not published: the panel makes no claim about how this chip's partitions
// share the load.
TEST_F(NumbersTest, PartitionsOfAChipWithAnUnknownHashClaimNothing) {
  open("partition-camping", "diagonal");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SelectGpu{"h200"});
    ctx->Yield(2);
    run_and_predict(ctx);
    std::vector<std::string> texts = texts_of(ctx, "partitions");
    IM_CHECK_EQ(count(texts, "the time of a balanced load"), size_t{0});
    IM_CHECK_EQ(count(texts, "not published"), size_t{1} + count(texts, "XOR fold"));
    app().send(command::SelectGpu{"gtx-280"});
    ctx->Yield(2);
    run_and_predict(ctx);
    texts = texts_of(ctx, "partitions");
    IM_CHECK_EQ(count(texts, "the time of a balanced load"), size_t{1});
    // A faster version is drawn on the time axis of the slower one.
    IM_CHECK_EQ(count(texts, "of the slowest version's time"), size_t{0});
    app().send(command::EditText{app().view().exercise()->solution});
    run_and_predict(ctx);
    texts = texts_of(ctx, "partitions");
    IM_CHECK_EQ(count(texts, "of the slowest version's time"), size_t{1});
  });
}

// The check and the panel are about the same launch: the same figure, at the size in the panel's
// heading.
TEST_F(NumbersTest, PartitionsHaveTheFigureOfTheCheck) {
  open("partition-camping", "diagonal");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    const lab::RunResult& result = *app().view().result();
    IM_CHECK_STR_EQ(result.gpu.id.c_str(), "gtx-280");
    const auto check = std::find_if(result.checks.begin(), result.checks.end(),
                                    [](const lab::CheckResult& c) { return c.id == "spread"; });
    IM_CHECK(check != result.checks.end() && check->value.has_value());
    const std::vector<std::string> texts = texts_of(ctx, "partitions");
    IM_CHECK_GE(count(texts, ratio_text(std::round(*check->value * 100) / 100)), size_t{1});
    IM_CHECK_GE(count(texts, result.sizes.front().size.label), size_t{1});
  });
}

// The memory chart, the roofline's totals and the counters agree for the same launch.
TEST_F(NumbersTest, TheMemoryChartSaysWhatCountersAndTimesSay) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    const lab::SizeResult& small = app().view().result()->sizes.front();
    const timing::MemoryFlow& flow = small.student.prediction->flow;
    const timing::Counters& counters = small.student.counters;
    // At the checked size every block is simulated or represented by a similar one.
    const auto same = [](double predicted, uint64_t counted) {
      return std::abs(predicted - static_cast<double>(counted)) <=
             0.001 * static_cast<double>(counted);
    };
    IM_CHECK(same(flow[timing::MemoryUse::kGlobalLoad].requests, counters.global_load_requests));
    IM_CHECK(same(flow[timing::MemoryUse::kGlobalLoad].sectors, counters.global_load_sectors));
    IM_CHECK(same(flow[timing::MemoryUse::kGlobalStore].sectors, counters.global_store_sectors));
    // The panel is about the size of Times and Roofline, with the bytes by which the roofline
    // divides.
    const std::vector<std::string> texts = texts_of(ctx, "memory");
    const lab::SizeResult& timed = *app().view().result()->timed;
    const timing::Prediction& p = *timed.student.prediction;
    IM_CHECK_GE(count(texts, moved_text(p.flow.dram_read_bytes)), size_t{1});
    IM_CHECK_GE(
        count(texts, "reference " + moved_text(timed.reference.prediction->flow.dram_read_bytes)),
        size_t{1});
    IM_CHECK_GE(count(texts, with_separators(static_cast<uint64_t>(std::llround(p.achieved_gb_s))) +
                                 " of "),
                size_t{1});
  });
}

// A transpose of 1,024 × 1,024 through a tile with rows of 33: 32,768 warps load and store, in
// half-warps on this chip. That makes 65,536 transactions of 64 bytes in either direction, and
// 2 × 2 × 32,768 passes through the banks. The chart is about 16 times as many elements.
TEST_F(NumbersTest, AnOldChipIsCountedByItsOwnRulesEverywhere) {
  open("partition-camping", "diagonal");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    IM_CHECK_STR_EQ(app().view().result()->gpu.id.c_str(), "gtx-280");
    std::vector<std::string> texts = texts_of(ctx, "counters");
    IM_CHECK_EQ(count(texts, "By the rules of the GTX 280:"), size_t{1});
    const auto passes = std::find(texts.begin(), texts.end(), "Shared memory passes");
    IM_CHECK(passes != texts.end() && *(passes + 1) == "131,072");
    const auto loads = std::find(texts.begin(), texts.end(), "Load transactions");
    IM_CHECK(loads != texts.end() && *(loads + 1) == "65,536");
    texts = texts_of(ctx, "memory");
    IM_CHECK_EQ(count(texts, "2.10 M passes"), size_t{1});
    IM_CHECK_EQ(count(texts, "128 bytes each"), size_t{2});
    IM_CHECK_EQ(count(texts, "sectors"), size_t{0});
    IM_CHECK_EQ(count(texts, "wavefronts"), size_t{0});
    texts = texts_of(ctx, "transactions");
    IM_CHECK_EQ(count(texts, "transactions for one load"), size_t{1});
    IM_CHECK_EQ(count(texts, "64 of 64 bytes"), size_t{2});
    texts = texts_of(ctx, "editor");
    IM_CHECK_EQ(std::count(texts.begin(), texts.end(), "trans"), 1);
    IM_CHECK_EQ(std::count(texts.begin(), texts.end(), "sect"), 0);
  });
}

// Blocks of one warp: each row is the warp 0 of another block.
TEST_F(NumbersTest, SchedulersTellTheirRowsApart) {
  open("occupancy", "block-size");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    std::vector<std::string> rows;
    for (const std::string& text : texts_of(ctx, "schedulers")) {
      if (text.starts_with("b") && text.ends_with(" w0")) rows.push_back(text);
    }
    IM_CHECK_GE(rows.size(), size_t{4});
    std::sort(rows.begin(), rows.end());
    IM_CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
  });
}

// A version that ran before the lab had its present sizes names its own sizes, and none of its
// figures are compared.
TEST_F(NumbersTest, TheHistoryComparesFiguresOfOneSize) {
  open("coalescing", "stride");
  const std::filesystem::path folder = user_dir() / "runs/coalescing/stride";
  std::filesystem::create_directories(folder / "texts");
  std::ofstream(folder / "texts/aa.cu") << "older";
  std::ofstream(folder / "runs.jsonl")
      << R"({"id":"1","text":"aa","at":"2026-01-02T03:04:05Z","gpu":"h200",)"
      << R"("passed":false,"correct":true,"size":"n=32768","timed_size":"n=1048576",)"
      << R"("predicted_us":10,"counters":{"theoretical_sectors":1000}})"
      << "\n"
      << R"({"pinned":"1"})"
      << "\n";
  reopen("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    const std::vector<std::string> texts = texts_of(ctx, "history");
    IM_CHECK_EQ(count(texts, "µs at 16,777,216 elements"), size_t{1});
    IM_CHECK_EQ(count(texts, "32.0 kB at n=32,768"), size_t{1});
    IM_CHECK_EQ(count(texts, "10.00 µs at n=1,048,576"), size_t{1});
    IM_CHECK_EQ(count(texts, "×"), size_t{0});
    IM_CHECK_EQ(count(texts, "%"), size_t{0});
  });
}

// Uncoalesced half-warps make one transaction per lane: 16 for the same bytes are shown as a count,
// not drawn over each other.
TEST_F(NumbersTest, TransactionsOfTheSameBytesAreTold) {
  open("divergence", "by-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SelectGpu{"8800-gt"});
    ctx->Yield(2);
    run_and_predict(ctx);
    const std::vector<std::string> texts = texts_of(ctx, "transactions");
    IM_CHECK_EQ(count(texts, "transactions for one load"), size_t{1});
    // short where there is little room
    IM_CHECK_EQ(count(texts, "16×") + count(texts, "16 × 32 bytes"), size_t{2});
  });
}

// The window's width decides whether the stages are named; the step does not matter.
TEST_F(NumbersTest, TheStagesLookAlikeInEveryStepOfAWindow) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    for (const auto& [width, named] : {std::pair{1366, false}, {1920, true}}) {
      resize(ctx, width, 768);
      for (const auto& [lab, step] : {std::pair{"bank-conflicts", "pad"},
                                      {"coalescing", "transpose-naive"},
                                      {"tiling", "tiled"}}) {
        app().send(command::OpenStep{lab, step});
        ctx->Yield(4);
        const std::vector<std::string> texts = texts_of(ctx, "top_bar");
        IM_CHECK_EQ(std::count(texts.begin(), texts.end(), "Compile"), named ? 1 : 0);
        IM_CHECK_EQ(std::count(texts.begin(), texts.end(), "Measure"), named ? 1 : 0);
      }
    }
  });
}

// Numbers in a window have its language's format, including the sizes of untranslated labs.
class GermanNumbers : public NumbersTest,
                      public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(GermanNumbers, HaveGermanMarksInEveryPanel) {
  UiOptions german;
  german.language = "de";
  open(GetParam().first, GetParam().second, german);
  walk([this](ImGuiTestContext* ctx) {
    run_and_predict(ctx);
    // "1,024,576", "4,096 × 4,096", "1.5": in German a thousands separator is followed by three
    // digits.
    static const std::regex english(R"([0-9],[0-9]{3},[0-9]{3}|(^|[^0-9.,])[0-9]{1,3},[0-9]{3} ×|)"
                                    R"((^|[^0-9.,])[0-9]+[.][0-9]{1,2}([^0-9.,]|$))");
    size_t figures = 0;
    for (const char* panel :
         {"counters", "times", "memory", "schedulers", "roofline", "occupancy", "transactions",
          "partitions", "dram", "compare", "history", "result", "banks"}) {
      for (const std::string& text : texts_of(ctx, panel)) {
        if (text.find("Compute Capability") != std::string::npos) continue;  // 9.0 is a name
        ++figures;
        if (std::regex_search(text, english)) ADD_FAILURE() << panel << ": " << text;
      }
    }
    IM_CHECK_GE(figures, size_t{100});
  });
}
INSTANTIATE_TEST_SUITE_P(Steps, GermanNumbers,
                         ::testing::Values(std::pair{"occupancy", "block-size"},
                                           std::pair{"coalescing", "transpose-naive"}),
                         [](const auto& of) { return std::string(of.param.first); });

}  // namespace
}  // namespace warpshop::ui
