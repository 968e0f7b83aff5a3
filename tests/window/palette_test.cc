// The palette finds every action by any of its names.
#include "app/palette.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/actions.h"
#include "core/files.h"
#include "imgui_internal.h"
#include "panels/menu_bar.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

// The labels of a window's items. The test engine keeps 31 bytes of each, so a truncated last word
// is dropped.
std::vector<std::string> labels_in(ImGuiTestContext* ctx, ImGuiID window) {
  ImGuiTestItemList items;
  ctx->GatherItems(&items, window, 1);
  std::vector<std::string> out;
  for (int n = 0; n < items.GetSize(); ++n) {
    const ImGuiTestItemInfo* item = items.GetByIndex(n);
    std::string label = item->DebugLabel;
    if (label.size() + 2 >= sizeof item->DebugLabel)
      label.erase(std::min(label.rfind(' '), label.size()));
    label.erase(std::min(label.find("##"), label.size()));
    if (!label.empty()) out.push_back(label);
  }
  return out;
}

TEST_F(WindowTest, ThePaletteFindsByAnyWordInAnyOrder) {
  open("coalescing", "stride");
  const auto first = [&](const char* filter) {
    const std::vector<Offer> offers = palette_offers(app().view(), filter);
    return offers.empty() ? "" : offers.front().id;
  };
  EXPECT_EQ(first("theme light"), "theme-light");
  EXPECT_EQ(first("LIGHT"), "theme-light");
  EXPECT_EQ(first("run"), "run");  // titles that start with the word come first
  EXPECT_EQ(first("access maps next"), "next-access");      // the group is searched as well
  EXPECT_EQ(first("bank pad"), "step:bank-conflicts/pad");  // not what other words only hint at
  EXPECT_EQ(first("no such thing"), "");
  const std::vector<Offer> all = palette_offers(app().view(), "");
  EXPECT_GT(all.size(), actions().size());
}

TEST_F(WindowTest, EveryEntryOfEveryMenuIsFoundInThePalette) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::OpenStep{"coalescing", "offset"});  // so that there are recent places
    ctx->Yield(4);
    std::set<std::string> entries;
    const auto popup = [&] { return ctx->UiContext->OpenPopupStack.back().Window; };
    std::vector<std::string> buttons = {"//top_bar/##layout", "//top_bar/##gpu"};
    for (const MenuOf& menu : menus())
      buttons.push_back("//##MainMenuBar/##MenuBar/" + std::string(menu.title));
    for (const std::string& button : buttons) {
      ctx->ItemClick(button.c_str());
      ctx->Yield(3);
      IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
      const ImGuiID menu = popup()->ID;
      for (const std::string& label : labels_in(ctx, menu)) {
        if (!std::set<std::string>{"Labs", "Recent", "Language"}.contains(label)) {
          entries.insert(label);
          continue;
        }
        ctx->MouseMove(ctx->GetID(label.c_str(), menu));  // opens a submenu
        ctx->Yield(8);
        IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 2);
        for (const std::string& inner : labels_in(ctx, popup()->ID)) entries.insert(inner);
      }
      ctx->PopupCloseAll();
      ctx->Yield(3);
    }
    EXPECT_GT(entries.size(), 60u);
    for (const std::string& entry : entries) {
      EXPECT_FALSE(palette_offers(app().view(), entry).empty()) << entry;
    }
  });
}

// The pages for lecturers open in the window, whose programs need not include a reader of Markdown.
TEST_F(WindowTest, PagesOfTheDocumentationOpenInTheWindow) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    size_t pages = 0;
    for (const Action& action : actions()) {
      const auto* open = action.command.get_if<command::OpenPage>();
      if (!open) continue;
      ++pages;
      const Result<std::string> page = read_file(data_dir() / "docs" / open->file);
      IM_CHECK(page.ok());
      const std::string heading = page->substr(2, page->find('\n') - 2);
      app().send(action.command);
      ctx->Yield(6);
      std::string shown;  // its words are drawn one by one
      for (const DrawnText& text : texts_of_frame(ctx)) {
        if (text.window.find("notes") != std::string::npos) shown += text.text + " ";
      }
      shown.erase(std::remove(shown.begin(), shown.end(), ' '), shown.end());
      std::string wanted = heading;
      wanted.erase(std::remove(wanted.begin(), wanted.end(), ' '), wanted.end());
      EXPECT_TRUE(shown.starts_with(wanted)) << open->file << ": " << shown.substr(0, 40);
      app().send(command::CloseDialog{});
      ctx->Yield(3);
    }
    EXPECT_GE(pages, 4u);
    // A link to a file that is not installed says so.
    app().send(command::OpenPage{"../tests/serve/load.py"});
    ctx->Yield(3);
    IM_CHECK(!app().notices().empty());
    EXPECT_NE(app().notices().back().text.find("not installed"), std::string::npos);
  });
}

// People search by the word that they know, in English and in German.
TEST_F(WindowTest, ThePaletteKnowsOtherNames) {
  open("coalescing", "stride");
  app().frame(false);
  const struct {
    const char* typed;
    const char* id;
  } kNames[] = {
      {"language", "language:de"}, {"sprache", "language:de"},
      {"deutsch", "language:de"},  {"progress", "progress"},
      {"fortschritt", "progress"}, {"backup", "progress"},
      {"reload", "reload-labs"},   {"neu laden", "reload-labs"},
      {"dark", "theme-dark"},      {"dunkel", "theme-dark"},
      {"night", "theme-dark"},     {"hand in", "report"},
      {"abgabe", "report"},        {"shortcuts", "keys"},
      {"diff", "changes"},         {"screenshot", "picture"},
      {"font", "zoom-in"},         {"slides", "lecture"},
      {"h200", "gpu:h200"},        {"colour-blind", "digits-on"},
      {"files", "work-folder"},    {"start", "run"},
      {"own labs", "lab-guide"},   {"anleitung", "lab-guide"},
      {"syllabus", "courses"},     {"handout", "handout"},
  };
  for (const auto& name : kNames) {
    bool found = false;
    const std::vector<Offer> offers = palette_offers(app().view(), name.typed);
    for (size_t n = 0; n < std::min<size_t>(offers.size(), 8); ++n)
      found = found || offers[n].id == name.id;
    EXPECT_TRUE(found) << name.typed;
  }
  EXPECT_TRUE(palette_offers(app().view(), "no such thing").empty());
}

// A name that begins with the words, a panel before the steps of a lab, the file's name.
TEST_F(WindowTest, ThePaletteOffersFirstWhatIsMeant) {
  open("coalescing", "stride");
  app().frame(false);
  const auto offers = [&](const char* typed) { return palette_offers(app().view(), typed); };
  const auto first = [&](const char* typed) {
    const std::vector<Offer> all = offers(typed);
    return all.empty() ? std::string() : all.front().id;
  };
  std::set<std::string> titles;
  for (const lab::Lab& lab : app().view().labs->labs) {
    for (const lab::Step& step : lab.steps) {
      if (!titles.insert(step.title).second) continue;
      EXPECT_EQ(first(step.title.c_str()), "step:" + lab.id + "/" + step.id) << step.title;
      const std::vector<Offer> by_id = offers(step.id.c_str());
      EXPECT_TRUE(std::any_of(by_id.begin(), by_id.end(), [&](const Offer& offer) {
        return offer.id == "step:" + lab.id + "/" + step.id;
      })) << step.id;
    }
  }
  EXPECT_TRUE(first("rows of any").starts_with("step:")) << first("rows of any");
  EXPECT_EQ(first("occupancy"), "go-occupancy");
  EXPECT_EQ(first("bank"), "go-banks");
  EXPECT_EQ(first("machine code"), "machine-code");
  EXPECT_EQ(first("sass"), "machine-code");
  EXPECT_EQ(first("what would it do"), "go-occupancy");
  EXPECT_EQ(first("course"), "home");
  for (const char* typed : {"settings", "handout", "einstellungen"})
    EXPECT_FALSE(offers(typed).empty()) << typed;
}

TEST_F(WindowTest, EnterChoosesNothingWhereNothingMatches) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SetTheme{ThemeChoice::kLight});
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
    ctx->Yield(4);
    ctx->KeyChars("dark thing");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->KeyPress(ImGuiKey_KeypadEnter);
    ctx->Yield(2);
    for (int n = 0; n < 6; ++n) ctx->KeyPress(ImGuiKey_Backspace);
    ctx->KeyChars(" theme");
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 0);
    IM_CHECK(app().settings().theme == ThemeChoice::kDark);
  });
}

TEST_F(WindowTest, ThePaletteShowsTheMachineCode) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    app().send(command::ToggleMachineCode{});
    ctx->Yield(6);
    IM_CHECK(ctx->ItemExists("//###ptx/Hide the machine code"));
    app().send(command::ToggleMachineCode{});
    ctx->Yield(4);
    IM_CHECK(ctx->ItemExists("//###ptx/Show the machine code (SASS)"));
  });
}

}  // namespace
}  // namespace warpshop::ui
