// The code of a slide, for those who can neither scroll nor drag a border: on small screens and
// magnified, there is enough of it, and it is wrapped only where it must be.
#include "panels/lecture_code_size.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "state/lecture.h"
#include "text_check.h"
#include "window/fonts.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

// Lines from the kernel's first to its closing bracket.
size_t kernel_lines(const lab::Scene& scene) {
  std::istringstream text(scene.source);
  std::string line;
  for (int n = 1; std::getline(text, line); ++n) {
    if (n >= kernel_line(scene) && line.starts_with('}'))
      return static_cast<size_t>(n - kernel_line(scene) + 1);
  }
  return 0;
}

class CodeOfASlide : public WindowTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(CodeOfASlide, HasRoomOnEveryScreenAndMagnified) {
  const struct {
    int width, height;
    float zoom;
  } kScreens[] = {{1920, 1080, 1}, {1920, 1080, 1.25f}, {1920, 1080, 1.5f},
                  {1366, 768, 1},  {1024, 768, 1},      {1024, 768, 1.5f}};
  constexpr size_t kShort = 8;  // lines of a kernel that fits into every hall's panel
  open(GetParam(), "");
  walk([&](ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 700});
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    int magnified = 0, enlarged = 0;
    const size_t scenes = app().lecture().demo().scenes.size();
    for (size_t scene = 0; scene < scenes; ++scene) {
      app().send(command::GoToScene{scene});
      ctx->Yield(3);
      wait_for_result(ctx);
      if (app().lecture().hidden()) app().send(command::Advance{});
      float code_of_scene = 0;  // text size
      for (const auto& screen : kScreens) {
        app().send(command::Zoom{0});
        app().send(command::Zoom{screen.zoom});
        resize(ctx, screen.width, screen.height);
        const lab::Scene& about = app().lecture().current();
        const std::string where = GetParam() + " scene " + std::to_string(scene + 1) + " on " +
                                  std::to_string(screen.width) + "×" +
                                  std::to_string(screen.height) + " at " +
                                  std::to_string(screen.zoom);
        std::set<int> rows;        // the lines in sight
        std::map<int, int> parts;  // rows of those without a comment
        float height = 0;
        bool pointed = false;
        const std::vector<DrawnText> texts = texts_of_frame(ctx);
        for (const std::string& misfit : misfits(texts)) ADD_FAILURE() << where << ": " << misfit;
        for (const DrawnText& text : texts) {
          if (!text.text.starts_with("code ")) continue;
          if (text.min.y < text.room_min.y - 1 || text.max.y > text.room_max.y + 1) continue;
          const int line = std::stoi(text.text.substr(5));
          const std::string code = text.text.substr(text.text.find(": ") + 2);
          pointed |= line == line_to_show(about);
          height = text.max.y - text.min.y;
          rows.insert(line);
          if (code.find("//") != std::string::npos) continue;  // a comment may be wrapped
          ++parts[line];
        }
        EXPECT_TRUE(pointed) << where;
        const auto lines = std::count(about.source.begin(), about.source.end(), '\n');
        const auto below = static_cast<size_t>(lines - kernel_line(about) + 1);
        const size_t kernel = kernel_lines(about);
        EXPECT_GE(rows.size(), std::min({size_t{6}, below, kernel})) << where;
        // A short kernel is legible from the last row: about two thirds as large as the words, if
        // few of its lines have to be wrapped for it.
        const float words = line_height(look().fonts->editor, 18);
        const float code = height / kEditorLine;
        const auto wrapped = static_cast<size_t>(std::count_if(
            parts.begin(), parts.end(), [](const auto& line) { return line.second > 1; }));
        if (screen.width == 1920 && screen.zoom == 1) {
          code_of_scene = code;
          EXPECT_GE(code, words * (kernel <= kShort ? 0.61f : 0.58f)) << where;
          EXPECT_LE(wrapped, std::max<size_t>(3, rows.size() / 3)) << where;
          if (kernel <= kShort) {
            EXPECT_GE(rows.size(), kernel) << where;
          }
        } else if (screen.width == 1920) {
          // Where the words and the panel beside it leave too little, it may stay as it is.
          EXPECT_GE(code, code_of_scene * 0.9f) << where;
          ++magnified;
          enlarged += code > code_of_scene ? 1 : 0;
        }
      }
    }
    EXPECT_GE(enlarged * 3, magnified * 2) << "Ctrl+Plus enlarges the code as well";
  });
}
INSTANTIATE_TEST_SUITE_P(Labs, CodeOfASlide,
                         ::testing::Values("bank-conflicts", "dram-bursts", "occupancy", "tiling",
                                           "roofline"),
                         [](const auto& lab) {
                           std::string name = lab.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace warpshop::ui
