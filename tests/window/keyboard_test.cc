// Everything that the mouse does, with the keyboard: going to the next period of memory traffic, to
// the buttons in a map's panel, from a wrong element to its thread, to the meaning of a panel's
// figures.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "imgui_internal.h"
#include "models/partitions.h"
#include "panels/schedulers_panel.h"
#include "text_check.h"
#include "timing/memory_timeline.h"
#include "window/key_modifiers.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class KeyboardTest : public WindowTest {
 protected:
  void run_and_play(ImGuiTestContext* ctx, const char* panel) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    wait_until(ctx, [this] { return !app().predicting(); });
    app().send(command::FocusPanel{panel});
    ctx->Yield(4);
  }
  const timing::MemoryTimeline& memory() { return *app().view().result()->student()->memory; }
  // The period in which the selected access reaches memory, and the partition of its first lane.
  std::pair<size_t, int> moment() {
    const View& view = app().view();
    const emulator::WarpIdentity& warp = view.record()->warp;
    const uint32_t step = *view.prepared->accesses.global_step(*view.selected);
    const uint64_t time =
        timing::time_of_access(memory(), warp.linear_block, warp.warp, step).value();
    const auto& windows = memory().load.windows;
    const auto after = std::upper_bound(
        windows.begin(), windows.end(), time,
        [](uint64_t value, const models::PartitionWindow& w) { return value < w.begin; });
    const models::WarpRequest request = request_of(*view.result()->student(), *view.access());
    return {static_cast<size_t>(after - windows.begin()) - 1,
            models::partition_of(memory().load.map, request.address[0])};
  }
  // Presses the keys and waits, since a selection in another block runs the kernel again.
  void press(ImGuiTestContext* ctx, ImGuiKeyChord chord) {
    ctx->KeyPress(chord);
    ctx->Yield(3);
    wait_for_result(ctx);
    wait_until(ctx,
               [this] { return !app().predicting() && app().view().result()->student()->memory; });
    ctx->Yield(3);
  }
};

// A window manager that takes Ctrl+Alt+Down keeps the releases: GLFW's own state of Alt is wrong.
TEST_F(WindowTest, TheModifiersOfAKeyAreThoseOfItsEvent) {
  open("coalescing", "stride");
  walk([](ImGuiTestContext*) {
    ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    const int before = queue.Size;
    auto* window = static_cast<GLFWwindow*>(ImGui::GetMainViewport()->PlatformHandle);
    std::map<ImGuiKey, bool> down;
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Alt, true);
    forward_key(window, GLFW_KEY_G, 0, GLFW_PRESS, GLFW_MOD_CONTROL);
    for (int n = before; n < queue.Size; ++n) {
      if (queue[n].Type == ImGuiInputEventType_Key) down[queue[n].Key.Key] = queue[n].Key.Down;
    }
    queue.resize(before);
    IM_CHECK(down[ImGuiMod_Ctrl]);
    IM_CHECK(!down[ImGuiMod_Alt]);
    IM_CHECK(down[ImGuiKey_G]);
  });
}

TEST_F(KeyboardTest, StretchesOfAWarpsTimeAreWalked) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    run_and_play(ctx, "schedulers");
    const SchedulersPanelState& state = app().panel<SchedulersPanelState>();
    IM_CHECK_EQ(line_of_hand(state), 0);
    double cycle = -1;
    std::set<int> lines;
    for (int n = 0; n < 12; ++n) {
      press(ctx, ImGuiMod_Alt | ImGuiKey_Period);
      IM_CHECK(state.focus.shown);
      IM_CHECK(state.focus.cycle > cycle);
      IM_CHECK(state.focus.cycle >= state.begin && state.focus.cycle <= state.end);
      cycle = state.focus.cycle;
      lines.insert(line_of_hand(state));
    }
    IM_CHECK(lines.size() > 2);
    press(ctx, ImGuiMod_Alt | ImGuiKey_Comma);
    IM_CHECK(state.focus.cycle < cycle);
    press(ctx, ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_Period);
    IM_CHECK_EQ(state.focus.row, size_t{1});
    keep_picture(ctx, "stretch-by-keys");
    for (int n = 0; n < 12 && line_of_hand(state) == 0; ++n)
      press(ctx, ImGuiMod_Alt | ImGuiKey_Comma);
    const int line = line_of_hand(state);
    IM_CHECK(line > 0);
    IM_CHECK_EQ(app().view().pointing.line, line);  // the other panels show it
    press(ctx, ImGuiMod_Alt | ImGuiKey_E);
    ctx->Yield(4);
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    const std::string header = "· line " + std::to_string(line);
    IM_CHECK(std::any_of(texts.begin(), texts.end(),
                         [&](const DrawnText& t) { return t.text.ends_with(header); }));
  });
}

// On the oldest GPU a column's store is one transaction per lane: shows them one by one, then all
// again.
TEST_F(KeyboardTest, TransactionsAreShownOneAtATime) {
  UiOptions gpu;
  gpu.gpu = "8800-gt";
  open("coalescing", "transpose-naive", gpu);
  walk([this](ImGuiTestContext* ctx) {
    run_and_play(ctx, "transactions");
    const auto count_of = [&](const char* words) {
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      return std::count_if(texts.begin(), texts.end(), [&](const DrawnText& t) {
        return t.text.find(words) != std::string::npos;
      });
    };
    const std::vector<AccessEntry>& entries = app().view().prepared->accesses.entries;
    const auto column = std::find_if(entries.begin(), entries.end(),
                                     [](const AccessEntry& e) { return e.waste() > 0; });
    IM_CHECK(column != entries.end());
    app().send(command::SelectAccess{static_cast<size_t>(column - entries.begin())});
    ctx->Yield(3);
    IM_CHECK_EQ(count_of("of 32 · 32 bytes at "), 0);
    for (int n = 1; n <= 32; ++n) {
      ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Period);
      ctx->Yield(2);
      if (n > 3 && n < 31) continue;
      const std::string number = std::to_string(n) + " of 32 · 32 bytes at ",
                        lane = ", 4 used · lane " + std::to_string(n - 1);
      IM_CHECK_EQ(count_of(number.c_str()), 1);
      IM_CHECK_EQ(count_of(lane.c_str()), 1);
      if (n == 3) keep_picture(ctx, "one-at-a-time");
    }
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Period);
    IM_CHECK_EQ(count_of("of 32 · 32 bytes at "), 0);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Comma);
    IM_CHECK_EQ(count_of("32 of 32 · 32 bytes at "), 1);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Period);
    ctx->ItemClick("**/One at a time##alone");
    ctx->Yield(2);
    IM_CHECK_EQ(count_of("1 of 32 · 32 bytes at "), 1);
  });
}

TEST_F(KeyboardTest, TheOtherMapShowsTheNearestAccessOfTheWarp) {
  UiOptions analysis;
  analysis.mode = "analysis";
  open("bank-conflicts", "column", analysis);
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    const AccessIndex accesses =
        app().view().prepared->accesses;  // a copy, since predictions arrive with a new result
    for (const bool shared : {true, false}) {
      for (size_t entry = 0; entry < accesses.entries.size(); ++entry) {
        if (accesses.entries[entry].shared != shared) continue;
        app().send(command::SelectAccess{entry});
        break;
      }
      ctx->Yield(4);
      const View& view = app().view();
      IM_CHECK_EQ(view.access()->shared, shared);
      const View own = view.of_memory(shared), other = view.of_memory(!shared);
      IM_CHECK(!own.substituted && own.selected == view.selected);
      IM_CHECK(other.substituted && other.access()->shared != shared);
      IM_CHECK_EQ(accesses.warp_of(*other.selected).first, accesses.warp_of(*view.selected).first);
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      IM_CHECK_EQ(
          std::count_if(texts.begin(), texts.end(),
                        [](const DrawnText& t) { return t.text.ends_with("the same warp"); }),
          1);
      keep_picture(ctx, shared ? "companion-transactions" : "companion-banks");
    }
  });
}

TEST_F(KeyboardTest, StretchesOfTimeInMemoryAreWalked) {
  UiOptions gpu;
  gpu.gpu = "gtx-280";
  open("partition-camping", "walk", gpu);
  walk([this](ImGuiTestContext* ctx) {
    run_and_play(ctx, "partitions");
    const auto [begin, at] = moment();
    press(ctx, ImGuiMod_Alt | ImGuiKey_Period);
    const auto [later, there] = moment();
    IM_CHECK(later > begin);
    press(ctx, ImGuiMod_Alt | ImGuiKey_Period);
    IM_CHECK(moment().first > later);
    press(ctx, ImGuiMod_Alt | ImGuiKey_Comma);
    IM_CHECK_EQ(moment().first, later);
    // Go to the next partition that is busy in the same period, if any.
    press(ctx, ImGuiMod_Alt | ImGuiKey_Comma);
    const auto [window, first] = moment();
    const models::PartitionWindow& stretch = memory().load.windows[window];
    const int count = memory().load.map.count;
    std::optional<int> next;
    for (int n = 1; n < count && !next; ++n) {
      const int other = (first + n) % count;
      if (timing::heaviest_access(memory(), stretch.begin,
                                  stretch.begin + memory().load.window_length, other))
        next = other;
    }
    const size_t here = *app().view().selected;
    press(ctx, ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_Period);
    if (next) {
      IM_CHECK_EQ(moment().first, window);
      const models::WarpRequest request =
          request_of(*app().view().result()->student(), *app().view().access());
      bool asks = false;
      for (const uint64_t address : request.address)
        asks |= models::partition_of(memory().load.map, address) == *next;
      IM_CHECK(asks);
    } else {
      IM_CHECK_EQ(*app().view().selected, here);
    }
    // Before the first period there is nothing: the selection stays.
    while (moment().first > 0) press(ctx, ImGuiMod_Alt | ImGuiKey_Comma);
    const size_t selected = *app().view().selected;
    press(ctx, ImGuiMod_Alt | ImGuiKey_Comma);
    IM_CHECK_EQ(*app().view().selected, selected);
  });
}

TEST_F(KeyboardTest, TabReachesWhatCanBePressedInEveryMapAndArrowsWalkTheAccesses) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    run_and_play(ctx, "transactions");
    for (const char* panel : {"banks", "partitions", "dram", "compare", "schedulers", "roofline"}) {
      app().send(command::FocusPanel{panel});
      ctx->Yield(6);
      const ImGuiID link =
          ctx->ItemInfo((std::string("//###") + panel + "/What this model leaves out").c_str()).ID;
      EXPECT_NE(link, 0u) << panel;
      for (int tabs = 0; tabs < 40 && ctx->UiContext->NavId != link; ++tabs) {
        ctx->KeyPress(ImGuiKey_Tab);
        ctx->Yield(2);
      }
      EXPECT_EQ(ctx->UiContext->NavId, link)
          << panel << " " << (ctx->UiContext->NavWindow ? ctx->UiContext->NavWindow->Name : "-")
          << " layer " << ctx->UiContext->NavLayer << " scope " << ctx->UiContext->NavFocusScopeId;
      ctx->KeyPress(ImGuiKey_Space);
      ctx->Yield(4);
      EXPECT_EQ(ctx->UiContext->OpenPopupStack.Size, 1) << panel;
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(3);
      EXPECT_EQ(ctx->UiContext->OpenPopupStack.Size, 0) << panel;
      // The arrows still step through the accesses while the keyboard focus is visible.
      const size_t before = *app().view().selected;
      const WarpAccesses& warp = app().view().prepared->accesses.warp_of(before);
      const bool last = before + 1 == warp.first + warp.count;
      ctx->KeyPress(last ? ImGuiKey_LeftArrow : ImGuiKey_RightArrow);
      ctx->Yield(3);
      EXPECT_EQ(*app().view().selected, last ? before - 1 : before + 1) << panel;
      app().send(command::SelectAccess{before});
      ctx->Yield(3);
    }
  });
}

TEST_F(KeyboardTest, TheEditorsLineAndTheMapsAreOneKeyApart) {
  open("bank-conflicts", "column");
  walk([this](ImGuiTestContext* ctx) {
    run_and_play(ctx, "transactions");
    std::set<int> lines;
    for (const AccessEntry& entry : app().view().prepared->accesses.entries)
      lines.insert(entry.line);
    const int now = app().view().access()->line;
    const int other = *std::find_if(lines.begin(), lines.end(),
                                    [&](int line) { return line > 0 && line != now; });
    select_line(ctx, other);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(app().view().access()->line, other);
    app().send(command::FocusPanel{"transactions"});
    ctx->Yield(3);
    IM_CHECK(!ImGui::GetIO().WantTextInput);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_E);
    ctx->Yield(4);
    IM_CHECK(ImGui::GetIO().WantTextInput);
    // Choose another GPU for all maps.
    const std::string gpu = app().settings().gpu;
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_G);
    ctx->Yield(3);
    IM_CHECK(app().settings().gpu != gpu);
  });
}

TEST_F(KeyboardTest, ThePaddedLayoutStandsBesideTheKernelsOwn) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    run_and_play(ctx, "banks");
    const AccessIndex& index = app().view().prepared->accesses;
    size_t worst = 0;
    for (size_t n = 0; n < index.entries.size(); ++n) {
      if (index.entries[n].shared && index.entries[n].waste() > index.entries[worst].waste())
        worst = n;
    }
    app().send(command::SelectAccess{worst});
    ctx->Yield(6);
    IM_CHECK(ctx->ItemExists("//###banks/map"));
    ctx->ItemClick("//###banks/###padding");
    ctx->Yield(6);
    IM_CHECK(ctx->ItemExists("//###banks/$$0/map"));
    IM_CHECK(ctx->ItemExists("//###banks/$$1/map"));
    keep_picture(ctx, "padding");
    // The proposed padding is the lab's solution: rows of 33 words have no conflict.
    std::string padded = app().session().text();
    const size_t at = padded.find("tile[32][32]");
    IM_CHECK(at != std::string::npos);
    app().send(command::EditText{padded.replace(at, 12, "tile[32][33]")});
    wait_for_result(ctx);
    for (const AccessEntry& entry : app().view().prepared->accesses.entries)
      IM_CHECK_SILENT(!entry.shared || entry.waste() == 0);
    IM_CHECK(!ctx->ItemExists("//###banks/###padding"));
  });
}

// The lab fills this output before the launch, so an empty kernel's elements have values.
TEST_F(KeyboardTest, AnElementThatNothingWroteLeadsToNoThread) {
  open("partition-camping", "pitch");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    const lab::BufferComparison& output = app().view().result()->sizes.front().outputs.front();
    IM_CHECK(output.first.has_value());
    IM_CHECK_STR_EQ(output.first->got_text.c_str(), "0");
    app().send(command::FocusPanel{"result"});
    ctx->Yield(4);
    IM_CHECK(
        ctx->ItemInfo("**/Play the thread that wrote it##writer", ImGuiTestOpFlags_NoError).ID ==
        0);
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    IM_CHECK(std::any_of(texts.begin(), texts.end(),
                         [](const DrawnText& drawn) { return drawn.text == "never written"; }));
  });
}

TEST_F(KeyboardTest, AWrongElementLeadsToTheThreadThatWroteIt) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    std::string text = app().session().text();
    const size_t at = text.rfind("out[i] = ");
    IM_CHECK(at != std::string::npos);
    app().send(command::EditText{text.replace(at, 9, "out[i] = i == 300 ? 12345.0f : ")});
    wait_for_result(ctx);
    const lab::BufferComparison& output = app().view().result()->sizes.front().outputs.front();
    EXPECT_EQ(output.wrong, 1u);
    IM_CHECK(output.first.has_value());
    EXPECT_EQ(output.first->index, 300u);
    app().send(command::FocusPanel{"result"});
    ctx->Yield(4);
    keep_picture(ctx, "wrong-element");
    ctx->ItemClick("**/Play the thread that wrote it##writer");
    IM_CHECK(wait_until(ctx, [this] {
      return app().view().film && app().view().film_state && app().view().film_leads;
    }));
    ctx->Yield(4);
    const View& view = app().view();
    const emulator::ReplayStep& step = view.film->steps[view.film_step];
    IM_CHECK(step.flags & emulator::kStepAccess);
    IM_CHECK(view.film->at(view.film_step).text.find("st.global") != std::string::npos);
    // This thread does write the wrong value.
    IM_CHECK(wait_until(ctx, [this] {
      return app().view().film_state && app().view().film_state->step == app().view().film_step;
    }));
    const emulator::ReplayAccess& access = app().view().film_state->accesses.front();
    int wrong = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      float value = 0;
      std::memcpy(&value, access.after[lane].data(), sizeof value);
      wrong += (access.mask >> lane & 1) && value == 12345.0f;
    }
    IM_CHECK_EQ(wrong, 1);
  });
  keep_picture("wrong-element-writer");
}

TEST_F(KeyboardTest, F2SaysWhatAPanelsFiguresMean) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    run_and_play(ctx, "transactions");
    ctx->KeyPress(ImGuiKey_F2);
    ctx->Yield(6);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 1);
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    const auto said = [&](const std::string& what) {
      return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& t) {
        return t.window.find("dialog") != std::string::npos &&
               t.text.find(what) != std::string::npos;
      });
    };
    IM_CHECK(said("Sectors of one access"));
    IM_CHECK(said("distinct(byte_address / 32)"));
    IM_CHECK(!said("Occupancy"));  // belongs to another panel
    keep_picture(ctx, "figures");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 0);
  });
}

}  // namespace
}  // namespace warpshop::ui
