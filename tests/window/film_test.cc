// Time travel: a student plays a warp of a kernel with bank conflicts, forwards and backwards, with
// the keyboard.
#include <algorithm>

#include "maps/shared_map.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

// In a low window only two or three instructions have room: the current one is always among them.
TEST_F(WindowTest, TheCurrentInstructionIsInSightOnASmallScreen) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    resize(ctx, 1366, 768);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_8);
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film_state; }));
    const size_t steps = app().view().film->steps.size();
    IM_CHECK(steps > 20);
    for (const size_t step : {size_t{0}, size_t{1}, size_t{7}, steps / 2, steps - 2, steps - 1}) {
      app().send(command::SeekFilm{step});
      ctx->Yield(3);
      const std::string& now = app().view().film->at(step).text;
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      // What is in sight of a text is in both its own rectangle and its room.
      IM_CHECK(std::any_of(texts.begin(), texts.end(), [&](const DrawnText& drawn) {
        return drawn.text == now && drawn.window.find("###warp") != std::string::npos &&
               drawn.min.y >= drawn.room_min.y && drawn.max.y <= drawn.room_max.y;
      }));
    }
  });
}

TEST_F(WindowTest, AWarpIsPlayedForwardsAndBackwardsAndTheMapsFollow) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_8);
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film_state; }));
    // The film starts at the access that the maps show.
    const View& view = app().view();
    const size_t at = view.film_step;
    IM_CHECK(view.film->steps[at].flags & emulator::kStepAccess);
    IM_CHECK_EQ(view.film->at(at).line, view.access()->line);

    ctx->KeyPress(ImGuiKey_F10);
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().film_step, at + 1);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F10, 2);
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().film_step, at - 1);
    IM_CHECK(wait_until(
        ctx, [&] { return app().view().film_state && app().view().film_state->step == at - 1; }));

    // Go to another access: the map shows it, and the editor marks its line.
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_F10);
    ctx->Yield(2);
    const size_t back = app().view().film_step;
    IM_CHECK(back < at);
    IM_CHECK(app().view().film->steps[back].flags & emulator::kStepAccess);
    IM_CHECK_EQ(app().view().film_line(), app().view().film->at(back).line);

    // Another warp has its own film.
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_3);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_DownArrow);
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film->warp == 1; }));

    // Play from near the end: it stops there by itself.
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_8);
    ctx->Yield(2);
    app().send(command::SeekFilm{app().view().film->steps.size() - 3});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F8);
    IM_CHECK(wait_until(ctx, [this] {
      return !app().view().film_playing &&
             app().view().film_step + 1 == app().view().film->steps.size();
    }));
  });
  keep_picture("film");
}

TEST_F(WindowTest, TheFirstStepIsTheKernelsFirstInstruction) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    IM_CHECK(app().view().selected && !app().view().film);
    ctx->KeyPress(ImGuiKey_F10);
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film_state; }));
    IM_CHECK_EQ(app().view().film_step, 0u);
    ctx->KeyPress(ImGuiKey_F10);
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().film_step, 1u);
  });
}

// Wherever the film is led, the maps show no access that it has not reached.
TEST_F(WindowTest, TheMapsFollowTheFilm) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiKey_F10);
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film_state; }));
    const View& view = app().view();
    const size_t last = view.film->steps.size() - 1;
    size_t first_access = 0;
    while (view.film->steps[first_access].accesses == 0) ++first_access;
    for (const size_t step : {last, last / 2, last / 3, first_access + 1, first_access}) {
      app().send(command::SeekFilm{step});
      ctx->Yield(3);
      const size_t record = view.prepared->accesses.entries[*view.selected].record;
      const lab::KernelRun& run = *view.result()->student();
      const auto reached = step_of_access(*view.film, record - first_record_of_warp(run, record));
      IM_CHECK(reached && *reached <= step);
    }
  });
}

TEST_F(WindowTest, TheFilmRunsToALineAndShowsVariablesAndSharedMemory) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    // Find the line of the loop's sum by its text.
    const std::string& text = app().session().text();
    const size_t sum = text.find("sum += tile");
    IM_CHECK(sum != std::string::npos);
    const int line = 1 + static_cast<int>(std::count(
                             text.begin(), text.begin() + static_cast<ptrdiff_t>(sum), '\n'));
    app().send(
        command::GoTo{{.file = app().view().result()->file_name, .line = line, .column = 1}});
    ctx->Yield(3);
    // No film is open yet: the key opens it and goes to the line.
    ctx->KeyPress(ImGuiKey_F4);
    IM_CHECK(
        wait_until(ctx, [&] { return app().view().film && app().view().film_line() == line; }));
    const size_t first = app().view().film_step;
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_9);
    IM_CHECK(wait_until(ctx, [&] {
      return app().view().film_variables && app().view().film_variables->step == first;
    }));
    const auto value = [this](std::string_view name) -> const lab::NamedValue* {
      for (const lab::NamedValue& v : app().view().film_variables->values) {
        if (v.name == name) return &v;
      }
      return nullptr;
    };
    IM_CHECK(value("lane") != nullptr);
    IM_CHECK_EQ(value("lane")->bits[7], 7u);
    IM_CHECK(value("k") != nullptr);

    // The mouse rests on the name in "int lane = threadIdx.x".
    const std::string declaration = "int lane = threadIdx.x;";
    const auto lane_in_code = [&](const DrawnText& drawn) {
      return drawn.text.starts_with("code ") && drawn.text.find(declaration) != std::string::npos;
    };
    const std::vector<DrawnText> code = texts_of_frame(ctx);
    const auto declared = std::find_if(code.begin(), code.end(), lane_in_code);
    IM_CHECK(declared != code.end());
    const std::string shown = declared->text.substr(declared->text.find(": ") + 2);
    const float glyph = (declared->max.x - declared->min.x) / static_cast<float>(shown.size());
    const auto column = static_cast<float>(shown.find("lane"));
    ctx->MouseMoveToPos(
        {declared->min.x + (column + 2) * glyph, (declared->min.y + declared->max.y) / 2});
    IM_CHECK(wait_until(ctx, [&] {
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      return std::any_of(texts.begin(), texts.end(), [](const DrawnText& drawn) {
        return drawn.text.find("lanes 0–7:  0  1  2  3  4  5  6  7") != std::string::npos;
      });
    }));
    ctx->MouseMoveToPos({5, 5});

    // Step over lines of the thread, forwards and back.
    ctx->KeyPress(ImGuiKey_F7);
    ctx->Yield(2);
    IM_CHECK(app().view().film_step > first);
    // Its loop is unrolled: the next iteration is on the same line.
    IM_CHECK(app().view().film_line() == line);
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F4);
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().film_step, first);

    // Shows the tile as declared, completely written, and the column that the warp reads.
    ctx->KeyPress(ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_3);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F10);
    IM_CHECK(wait_until(ctx, [this] {
      const View& v = app().view();
      return v.film_state && v.film_state->step == v.film_step && !v.film_state->accesses.empty();
    }));
    const emulator::ReplayState& state = *app().view().film_state;
    const auto grids = shared_grids(*app().view().film, state, app().view().film_variables->shared);
    IM_CHECK_EQ(grids.size(), 1u);
    IM_CHECK_EQ(grids[0].rows(), 32u);
    const auto& sites = app().view().result()->student()->sites;
    for (uint64_t row = 0; row < 32; ++row) {
      const uint64_t element =
          row * grids[0].columns + state.accesses[0].address[0] / 4 % grids[0].columns;
      IM_CHECK_EQ(shared_cell(grids[0], state, element, sites).touched, 1u << row);
    }
  });
  keep_picture("film-variables");
}

TEST_F(WindowTest, ADivergentWarpShowsWhoWaitsForWhom) {
  open("divergence", "");
  walk([this](ImGuiTestContext* ctx) {
    // Go to the first exercise of the lab.
    go_to_exercise(ctx);
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_8);
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film_state; }));
    app().send(command::SeekFilm{0});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F9);
    ctx->Yield(2);
    const size_t at = app().view().film_step;
    IM_CHECK(app().view().film->steps[at].flags & emulator::kStepDiverges);
    ctx->KeyPress(ImGuiKey_F10);
    IM_CHECK(wait_until(
        ctx, [&] { return app().view().film_state && app().view().film_state->step == at + 1; }));
    IM_CHECK(app().view().film_state->paths.size() >= 2);
    app().send(command::FocusPanel{"registers"});
    ctx->Yield(3);
  });
  keep_picture("film-divergence");
}

TEST_F(WindowTest, TheOccupancySlidersAnswerTheKeyboardAndPtxIsLinked) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_1);
    ctx->Yield(3);
    ctx->ItemClick("**/registers-a-thread");
    ctx->Yield(2);
    IM_CHECK(ctx->ItemExists("**/Back to the kernel's own##kernel"));
    ctx->ItemClick("**/Back to the kernel's own##kernel");
    ctx->Yield(2);
    IM_CHECK(!ctx->ItemExists("**/Back to the kernel's own##kernel"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_2);
    ctx->Yield(3);
  });
  keep_picture("occupancy-ptx");
}

TEST_F(WindowTest, AFindingIsPlayedWhereItHappened) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    // Makes each store to the output go far beyond its end.
    std::string text = app().session().text();
    const size_t at = text.rfind("sums[");
    IM_CHECK(at != std::string::npos);
    text.insert(at + 5, "100000000 + ");
    app().send(command::EditText{text});
    ctx->Yield(2);
    wait_for_result(ctx);
    // A copy, because the predictions that follow replace this result.
    const lab::KernelRun run = *app().view().latest->result.student();
    IM_CHECK(!run.findings.empty());
    IM_CHECK(run.findings.front().kind == emulator::FindingKind::kOutOfBounds);
    app().send(command::FocusPanel{"findings"});
    ctx->Yield(3);
    ctx->ItemClick("**/Play the warp that did it##play");
    IM_CHECK(wait_until(ctx, [this] {
      const View& view = app().view();
      return view.film && view.film_leads && view.film_state &&
             view.film_state->step == view.film_step;
    }));
    const View& view = app().view();
    const emulator::ReplayStep& step = view.film->steps[view.film_step];
    IM_CHECK(step.flags & emulator::kStepFinding);
    IM_CHECK_EQ(view.film->at(view.film_step).line, run.findings.front().place.line);
  });
  keep_picture("film-finding");
}

TEST_F(WindowTest, ALineWithoutCodeSaysSo) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    app().send(command::FocusPanel{"warp"});
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film_state; }));
    select_line(ctx, 1);
    ImGui::SetClipboardText("#include <cuda_fp16.h>\n/* of\n   two lines */");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(4);
    IM_CHECK(app().session().text().starts_with("#include <cuda_fp16.h>\n/* of\n   two"));
    const auto said = [&](int line) {
      app().send(command::FilmToLine{1, line});
      ctx->Yield(3);
      std::string text;
      int notices = 0;
      for (const Toast& toast : app().notices()) {
        if (toast.text.find("ine ") == std::string::npos) continue;
        ++notices;
        text = toast.text;
      }
      EXPECT_EQ(notices, 1) << "each takes the place of the one before";
      return text;
    };
    for (const int line : {1, 2, 3})
      EXPECT_EQ(said(line), "Line " + std::to_string(line) + " has no code.");
    app().send(command::OpenStep{"coalescing", "offset"});
    ctx->Yield(3);
    for (const Toast& toast : app().notices())
      EXPECT_EQ(toast.text.find("has no code"), std::string::npos) << toast.text;
  });
}

// Which tabs fit depends on the zoom; the available actions do not.
class FilmLooks : public WindowTest,
                  public ::testing::WithParamInterface<std::pair<const char*, float>> {};

TEST_P(FilmLooks, TheFilmCanBeWatched) {
  const auto& [theme, zoom] = GetParam();
  UiOptions look;
  look.theme = theme;
  look.zoom = zoom;
  open("divergence", "by-warp", look);
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    app().send(command::FocusPanel{"warp"});
    IM_CHECK(wait_until(ctx, [this] { return app().view().film && app().view().film_state; }));
    app().send(command::SeekFilm{0});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_F9);
    ctx->KeyPress(ImGuiKey_F10);
    ctx->Yield(4);
    IM_CHECK(app().view().film->steps[app().view().film_step].paths >= 2);
  });
  keep_picture("film-" + std::string(theme) + "-" + std::to_string(static_cast<int>(zoom * 100)));
}
INSTANTIATE_TEST_SUITE_P(Looks, FilmLooks,
                         ::testing::Values(std::pair("light", 0.75f), std::pair("dark", 2.0f)));

}  // namespace
}  // namespace warpshop::ui
