// Walks a lab in the window as a student does, from its first step to its last, and writes for each
// step what that took: the figures of the table in the lab's INSTRUCTOR.md (walk_table.py). Not a
// test of the window, but a step that cannot be walked fails.
//
// Per step: reads the pages to their end, answers every question and the estimate, changes the
// lines of the start that differ from the worked solution's key by key, runs it, waits for the
// pass, and reads what has opened.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/files.h"
#include "imgui_internal.h"
#include "lab/workspace.h"
#include "typing/typed_lines.h"
#include "typing/typist.h"
#include "walk/line_change.h"

namespace warpshop::ui {
namespace {

constexpr int kMostTabs = 200;
constexpr int kMostPages = 60;
constexpr int kFramesUntilSettled = 12;

struct Walked {
  size_t keys = 0;    // typed to make the solution of the start
  double pass_s = 0;  // from the last key to the pass
};

class LabWalk : public TypingTest, public ::testing::WithParamInterface<std::string> {
 protected:
  const lab::Step& step() { return *app().session().step(); }
  const lab::StepProgress* progress() { return app().session().progress_of(step()); }

  void go_to_text() { type(step().exercise ? "<Ctrl+1>" : "<Ctrl+2>"); }

  // The window that scrolls the step's text.
  static ImGuiWindow* pages() {
    ImGuiWindow* window = ImGui::GetCurrentContext()->NavWindow;
    while (window && window->ScrollMax.y <= 0) window = window->ParentWindow;
    return window;
  }

  void read_to_the_end() {
    go_to_text();
    for (int page = 0; page < kMostPages; ++page) {
      const ImGuiWindow* window = pages();
      if (!window || window->Scroll.y >= window->ScrollMax.y) return;
      type("<PageDown>");
    }
    ADD_FAILURE() << "the end of the text is never reached";
  }

  static ImGuiID id_in_card(const std::string& card, const std::string& label) {
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (window->Active &&
          std::string_view(window->Name).find("/" + card + "_") != std::string_view::npos)
        return window->GetID(label.c_str());
    }
    return 0;
  }

  static bool has_focus(const std::string& card, const std::string& label) {
    const ImGuiID wanted = id_in_card(card, label);
    return wanted != 0 && ImGui::GetCurrentContext()->NavId == wanted;
  }

  // After an answered number the typing may already be in the next question's field.
  void tab_to(const std::string& card, const std::string& label) {
    for (int frame = 0; frame < kFramesUntilSettled; ++frame) app().frame(false);
    if (has_focus(card, label)) return;
    go_to_text();
    for (int tabs = 0; tabs < kMostTabs; ++tabs) {
      if (has_focus(card, label)) return;
      type("<Tab>");
    }
    ADD_FAILURE() << "Tab never reaches " << label;
  }

  void answer(const lab::Question& question, int number) {
    const std::string name = std::to_string(number);
    if (question.number) {
      tab_to("question" + name, "##q" + name);
      std::ostringstream value;
      value.precision(15);
      value << question.number->value;
      type("<Ctrl+A>" + value.str() + "<Enter>");
    } else {
      tab_to("question" + name, question.choices[static_cast<size_t>(question.answer)] + "##q" +
                                    name + "c" + std::to_string(question.answer));
      type("<Space>");
    }
    ASSERT_TRUE(progress() && progress()->answered(step(), number)) << question.ask;
  }

  void estimate() {
    if (!step().exercise || !step().exercise->estimate) return;
    tab_to("estimate", "##estimate");
    type("<Ctrl+A>2<Enter>");
    ASSERT_TRUE(progress() && progress()->estimate);
  }

  // Presses a key until the caret is in a line.
  void go_down_to(size_t line, const std::string& key) {
    const auto here = [this] { return app().editor()->GetMainCursorPosition().line; };
    for (size_t pressed = 0; here() < line; ++pressed) {
      ASSERT_LT(pressed, line + 40) << "the caret does not come to line " << line;
      type(key);
    }
  }

  // Changes one run of lines, as a student who leaves all others alone. Returns the number of keys.
  size_t type_change(const LineChange& change, size_t from_line) {
    go_down_to(change.line, "<Down>");
    const size_t way = change.line - from_line;
    const std::vector<WithinLine> within = within_lines(change);
    if (!within.empty()) return way + type_within(within);
    go_down_to(change.line + change.removed.size(), "<Shift+Down>");
    if (!change.removed.empty()) type("<Delete>");
    for (const std::string& line : change.lines) type_text(line + "\n");
    return way + keys_to_retype(change);
  }

  // Changes letters of a line and of those below it.
  size_t type_within(const std::vector<WithinLine>& lines) {
    size_t keys = 0;
    for (const WithinLine& line : lines) {
      type("<End>");
      for (size_t n = 0; n < line.kept_after; ++n) type("<Left>");
      for (size_t n = 0; n < line.removed; ++n) type("<Backspace>");
      type_text(line.typed);
      type("<End><Down><Home>");  // the first closes the names that the editor offers
      keys += line.keys();
    }
    return keys;
  }

  // Changes the lines that differ, from top to bottom. Returns the number of keys.
  size_t type_solution(const std::string& solution) {
    const std::vector<std::string> to = lines_without_indentation(solution);
    size_t keys = 1, line = 0;
    click(0, 0);
    type("<Ctrl+Home>");
    for (size_t changes = 0; !HasFailure(); ++changes) {
      // The editor closes brackets by itself, so what is left to change is read anew each time.
      const std::vector<std::string> now = lines_without_indentation(text());
      const std::optional<LineChange> change = first_change(now, to);
      if (!change) break;
      EXPECT_LT(changes, to.size()) << "the changes never end";
      if (change->line < line) {  // left behind by the editor: back to the top
        type("<Ctrl+Home>");
        line = 0;
        ++keys;
      }
      keys += type_change(*change, line);
      line = change->line + change->lines.size();
    }
    return keys;
  }

  double run_until_passed() {
    const auto begin = std::chrono::steady_clock::now();
    type("<F6>");
    EXPECT_TRUE(wait_until(
        [this] { return !app().busy() && app().view().latest && !app().view().latest_stale; }));
    const auto end = std::chrono::steady_clock::now();
    if (!app().view().latest) return 0;
    for (const lab::CheckResult& check : app().view().latest->result.checks)
      EXPECT_TRUE(check.passed) << check.id;
    return std::chrono::duration<double>(end - begin).count();
  }

  Walked walk_step() {
    Walked out;
    read_to_the_end();
    for (int number = 0; number < static_cast<int>(step().questions.size()); ++number) {
      answer(step().questions[static_cast<size_t>(number)], number);
      if (HasFatalFailure()) return out;
    }
    estimate();
    if (step().exercise) {
      const std::string solution = step().exercise->solution;
      out.keys = type_solution(solution);
      EXPECT_EQ(lines_without_indentation(text()), lines_without_indentation(solution));
      out.pass_s = run_until_passed();
    }
    EXPECT_TRUE(progress() && progress()->passed);
    read_to_the_end();
    return out;
  }
};

TEST_P(LabWalk, FromTheFirstStepToTheLast) {
  const Result<lab::Lab> lab = lab::load_lab(data_dir(), GetParam());
  ASSERT_TRUE(lab.ok());
  const char* folder = std::getenv("WARPSHOP_WALK");
  const std::filesystem::path out = folder ? folder : "walk";
  std::filesystem::create_directories(out);
  std::ofstream csv(out / (lab->id + ".csv"));
  csv << "step,keys,pass_s\n";
  start(lab->id, lab->steps.front().id);
  for (const lab::Step& expected : lab->steps) {
    SCOPED_TRACE(expected.id);
    ASSERT_EQ(app().session().place(), lab->id + "/" + expected.id);
    const Walked walked = walk_step();
    ASSERT_FALSE(HasFailure());
    csv << expected.id << "," << walked.keys << "," << walked.pass_s << '\n' << std::flush;
    go_to_text();
    type("<Alt+N>");
    for (int frame = 0; frame < 6; ++frame) app().frame(false);
  }
}

std::vector<std::string> lab_ids() {
  std::vector<std::string> ids;
  for (const lab::Lab& lab : lab::load_labs(data_dir()).labs) ids.push_back(lab.id);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Labs, LabWalk, ::testing::ValuesIn(lab_ids()), [](const auto& lab) {
  std::string name = lab.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace warpshop::ui
