#include "picture_test.h"

#include <cstdlib>
#include <regex>

#include "imgui_internal.h"
#include "window/png_reader.h"

namespace warpshop::ui {
namespace {

// The times of the stages in the top bar, and the times of day in the history. Predicted times are
// always the same.
std::vector<Part> times_among(const std::vector<DrawnText>& texts, float zoom) {
  static const std::regex stage(R"([0-9][0-9.,]* ?(ms|s|min)($|[^a-z]))"),
      day("[0-9][0-9]:[0-9][0-9]");
  std::vector<Part> out;
  const float beside = 60 * zoom;  // a longer time shifts its neighbours
  for (const DrawnText& text : texts) {
    const bool differs =
        std::regex_search(text.text, text.window.starts_with("top_bar") ? stage : day);
    if (differs)
      out.push_back({{text.min.x - beside, text.min.y - 2}, {text.max.x + beside, text.max.y + 2}});
  }
  return out;
}

// The window of a panel, with its tabs.
Part part_of(const std::string& panel) {
  const ImGuiWindow* window = ImGui::FindWindowByID(ImHashStr(("###" + panel).c_str()));
  EXPECT_TRUE(window && window->Active) << panel << " is not in sight";
  if (!window) return {};
  const ImGuiDockNode* node = window->DockNode;
  EXPECT_TRUE(!node || node->VisibleWindow == window) << panel << " is behind another panel";
  const ImVec2 min = node ? node->Pos : window->Pos, size = node ? node->Size : window->Size;
  return {min, {min.x + size.x, min.y + size.y}};
}

}  // namespace

void PictureTest::take(ImGuiTestContext* ctx, const std::string& look,
                       const std::vector<DrawnText>& texts, const std::string& panel) {
  app().send(command::LeaveLecture{});  // as Esc does
  ctx->Yield(2);
  Taken taken{look, take_picture(ctx), {}};
  std::vector<Part> left_out = times_among(texts, app().settings().zoom);
  if (!panel.empty()) {
    const Part part = part_of(panel);
    const auto at = [](float pixels) { return static_cast<int>(pixels) / kRegion * kRegion; };
    const int x = at(part.min.x), y = at(part.min.y);
    taken.picture = crop(taken.picture, x, y, at(part.max.x + kRegion - 1) - x,
                         at(part.max.y + kRegion - 1) - y);
    for (Part& out : left_out) {
      for (ImVec2* corner : {&out.min, &out.max})
        corner->x -= static_cast<float>(x), corner->y -= static_cast<float>(y);
    }
  }
  taken.regions = regions_of(taken.picture, left_out);
  taken_.push_back(std::move(taken));
}

void PictureTest::compare_taken(const std::string& name) {
  const std::vector<Taken> taken = std::exchange(taken_, {});
  ASSERT_FALSE(taken.empty());
  const std::filesystem::path file =
      std::filesystem::path(WARPSHOP_SOURCE_DIR) / "tests/window/pictures" / (name + ".png");
  const std::filesystem::path folder = std::filesystem::current_path() / "window-pictures";
  const Picture stack = read_png(file);
  const bool keep = std::getenv("WARPSHOP_KEEP_PICTURES") != nullptr;
  EXPECT_TRUE(keep || stack.width > 0)
      << file
      << " is missing: run this test with WARPSHOP_KEEP_PICTURES=1, and look at window-pictures/";
  std::vector<Picture> regions;
  bool same = stack.width > 0;
  for (size_t n = 0; n < taken.size(); ++n) {
    regions.push_back(rounded(taken[n].regions));
    const Picture kept = of_stack(stack, n, taken.size());
    const std::vector<std::string> found = differences(taken[n].regions, kept);
    if (found.empty()) continue;
    same = false;
    const std::string here = name + "-" + taken[n].look;
    EXPECT_TRUE(write_png(taken[n].picture, folder / (here + ".png")).ok());
    if (keep || stack.width == 0) continue;
    EXPECT_TRUE(write_png(enlarged(kept), folder / (here + "-kept.png")).ok());
    for (const std::string& difference : found) ADD_FAILURE() << here << ": " << difference;
    ADD_FAILURE() << "Look at " << here << ".png and " << here << "-kept.png in " << folder;
  }
  if (!keep || same) return;
  const Status written = write_png(stacked(regions), file);
  EXPECT_TRUE(written.ok()) << render(written.errors());
}

}  // namespace warpshop::ui
