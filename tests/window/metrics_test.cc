// Every figure in every panel has a tooltip with its definition, unit and formula, Nsight Compute's
// name or a note that it has none, and the glossary's term to look up.
#include <algorithm>
#include <regex>
#include <set>

#include "core/files.h"
#include "draw/tooltip.h"
#include "drawn_texts.h"
#include "text/glossary.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

// The terms that the glossary defines, one by one: "stall, warp state; MIO, LG" are four.
std::set<std::string> glossary_words() {
  std::set<std::string> words;
  Result<std::string> text =
      read_file(std::filesystem::path(WARPSHOP_SOURCE_DIR) / "docs/GLOSSARY.md");
  EXPECT_TRUE(text.ok());
  if (!text.ok()) return words;
  for (const GlossaryEntry& entry : read_glossary(*text)) {
    std::string word;
    for (const char c : entry.term + ",") {
      if (c == ',' || c == ';') {
        words.insert(std::exchange(word, {}));
      } else if (c != ' ' || !word.empty()) {
        word += c;
      }
    }
  }
  return words;
}

// True for a number with the unit of something counted, measured or predicted.
bool is_figure(const DrawnText& text) {
  static const std::regex with_unit(
      R"((^|[ (])[0-9][0-9.,]*( ?%|×( |$)| (GB/s|GFLOP/s|TFLOP/s|[TG] instr/s|µs|ms|B|kB|MB|GB|)"
      R"(KiB|MiB|GiB|of 32|sect|wave|bytes|sectors?|wavefronts?|passes|registers|wrong))"
      R"(( |,|\)|$)))");
  static const std::regex bare(R"([+−-]?[0-9][0-9.,]*×?)");
  if (text.mark) return false;  // such as a tick or a lane's number
  return std::regex_search(text.text, with_unit) || std::regex_match(text.text, bare);
}

// True for texts that are not figures of a run: the lab's own text, findings, code, and a model's
// assumptions.
bool is_prose(const DrawnText& text) {
  for (const char* window : {"steps", "findings", "output", "ptx", "registers", "shared",
                             "##Tooltip", "toast", "###scene"}) {
    if (text.window.find(window) != std::string::npos) return true;
  }
  // Sentences: the second line of a note, the limit of a prediction, the caption of a small
  // picture.
  for (const char* word : {"assumed", "as an illustration", "Illustration", "mean error on",
                           "predicted: ", "measured: ", "on every GPU", "blocks played"}) {
    if (text.text.find(word) != std::string::npos) return true;
  }
  return false;
}

class MetricsTest : public WindowTest {
 protected:
  void look_at_panels(ImGuiTestContext* ctx, const std::string& where) {
    for (const char* panel : {"transactions", "banks", "partitions", "dram", "compare", "counters",
                              "warp", "schedulers", "roofline", "memory", "occupancy", "result",
                              "times", "history", "editor", "steps"}) {
      app().send(command::FocusPanel{panel});
      if (std::string_view(panel) == "warp") wait_until(ctx, [this] { return !app().busy(); });
      look_at(ctx, where + "-" + panel);
    }
  }

  std::vector<ShownMetric> look_at(ImGuiTestContext* ctx, const std::string& where) {
    ctx->Yield(5);
    DrawnTexts drawn;
    ctx->Yield();
    observe_drawing(nullptr);
    const std::vector<ShownMetric>& metrics = drawn.figures;
    for (const ShownMetric& metric : metrics) check(metric, where);
    for (const DrawnText& text : drawn.texts) {
      if (!is_figure(text) || is_prose(text)) continue;
      ++figures_;
      const float x = (text.min.x + text.max.x) / 2, y = (text.min.y + text.max.y) / 2;
      const bool said = std::any_of(metrics.begin(), metrics.end(), [&](const ShownMetric& m) {
        return x >= m.min.x - 2 && x <= m.max.x + 2 && y >= m.min.y - 2 && y <= m.max.y + 2;
      });
      if (!said && problems_.insert(text.text + text.window).second) {
        ADD_FAILURE() << where << ": nothing says what “" << text.text << "” is [" << text.window
                      << "]";
      }
    }
    return metrics;
  }

  void check(const ShownMetric& metric, const std::string& where) {
    titles_.insert(metric.title);
    if (!problems_.insert("metric " + metric.title).second) return;
    EXPECT_FALSE(metric.title.empty()) << where;
    EXPECT_FALSE(metric.meaning.empty()) << where << ": " << metric.title;
    EXPECT_FALSE(metric.unit.empty()) << where << ": " << metric.title;
    EXPECT_FALSE(metric.formula.empty()) << where << ": " << metric.title;
    EXPECT_TRUE(words_.contains(metric.term))
        << where << ": " << metric.title << ": the glossary has no “" << metric.term << "”";
    // One of Nsight Compute's metrics, a sum of them, or one of its charts.
    static const std::regex name(
        R"(([0-9]+ × )?([a-z0-9]+__[a-z0-9_.]+|memory_l[12]_[a-z0-9_]+).*|GPU Speed Of Light.*)");
    EXPECT_TRUE(metric.nsight.empty() || std::regex_match(metric.nsight, name))
        << where << ": " << metric.nsight;
  }

  void run_and_predict(ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    wait_until(ctx, [this] { return !app().predicting(); });
    ctx->Yield(3);
  }

  void open_lecture(const std::string& lab, const std::vector<size_t>& scenes) {
    reopen(lab, "");
    walk([&, this](ImGuiTestContext* ctx) {
      ctx->MouseMoveToPos({1, 998});
      app().send(command::GiveLecture{});
      ctx->Yield(8);
      for (size_t scene = 0; scene < app().lecture().demo().scenes.size(); ++scene) {
        const bool wanted = std::find(scenes.begin(), scenes.end(), scene) != scenes.end();
        if (wanted) {
          wait_for_result(ctx);
          look_at(ctx, "lecture-" + std::to_string(scene) + "-hidden");
        }
        app().send(command::Advance{});
        ctx->Yield(2);
        if (wanted) look_at(ctx, "lecture-" + std::to_string(scene));
        app().send(command::Advance{});
        ctx->Yield(2);
      }
    });
  }

  const std::set<std::string> words_ = glossary_words();
  std::set<std::string> problems_, titles_;
  size_t figures_ = 0;
};

TEST_F(MetricsTest, SoDoFiguresOfPanelsThatOnlySomeKernelsHave) {
  open("atomics", "private");
  walk([this](ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 998});
    app().send(command::TakeSolution{});
    ctx->Yield(2);
    run_and_predict(ctx);
    app().send(command::FocusPanel{"contention"});
    std::vector<ShownMetric> shown = look_at(ctx, "contention");
    const auto shows = [&](std::string_view title) {
      return std::any_of(shown.begin(), shown.end(),
                         [&](const ShownMetric& m) { return m.title == title; });
    };
    for (const char* title : {"Lanes on the busiest word", "Words by hits", "Hits of a word"})
      IM_CHECK(shows(title));
    app().send(command::OpenStep{"pipelines", "ring"});
    ctx->Yield(3);
    run_and_predict(ctx);
    app().send(command::FocusPanel{"pipeline"});
    shown = look_at(ctx, "pipeline");
    IM_CHECK(shows("Work while copies are in flight"));
  });
}

TEST_F(MetricsTest, EveryFigureOfEveryPanelSaysWhatItIs) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 998});
    app().send(
        command::EditText{app().session().text() + "\n// mine\n"});  // a version for the history
    run_and_predict(ctx);
    look_at_panels(ctx, "shared");
    app().send(command::ShowSolution{});
    ctx->Yield(3);
    IM_CHECK(wait_until(ctx, [this] { return app().view().solution != nullptr && !app().busy(); }));
    // Each counter that the solution changes has a row with its meaning.
    const auto mine = app().view().result()->student()->counters;
    const auto theirs = app().view().solution->result.student()->counters;
    const std::vector<ShownMetric> shown = look_at(ctx, "solution");
    for (const timing::CounterInfo& info : timing::counter_table()) {
      if (mine.*info.field == theirs.*info.field) continue;
      IM_CHECK(std::any_of(shown.begin(), shown.end(), [&](const ShownMetric& m) {
        return m.meaning == info.meaning && m.min.y < m.max.y;
      }));
    }
    app().send(command::CloseDialog{});
    ctx->Yield(3);
    app().send(command::OpenStep{"coalescing", "transpose-naive"});
    ctx->Yield(3);
    run_and_predict(ctx);
    app().send(command::FocusPanel{"transactions"});
    look_at_panels(ctx, "global");
    // Other generations have other terms.
    app().send(command::SelectGpu{"8800-gt"});
    ctx->Yield(2);
    run_and_predict(ctx);
    look_at_panels(ctx, "8800-gt");
  });
  // A lecture's figures: a map, banks, a number, and measurements by others; before and after they
  // are revealed.
  open_lecture("coalescing", {3, 6, 7, 9});
  // The walk has covered what it is about: the headline of each panel, and figures in all of them.
  for (const char* title :
       {"Sectors of one access", "Wavefronts of one access", "Bursts of one access",
        "Slowdown vs. balanced load", "Lanes that run", "Share of the roof", "Occupancy",
        "Wrong elements", "Stall Long Scoreboard", "Cost of the line", "Memory traffic",
        "Sectors per load", "Warm time", "Time of a stage", "Published figure", "Number"}) {
    EXPECT_TRUE(titles_.contains(title)) << title;
  }
  EXPECT_GT(figures_, 150u);
  std::printf("%zu metrics, %zu figures\n", titles_.size(), figures_);
}

}  // namespace
}  // namespace warpshop::ui
