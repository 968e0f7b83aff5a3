// The code of a slide, for those who can neither scroll nor drag a border: on small screens and
// magnified, there is enough of it, and it is wrapped only where it must be.
#include "panels/lecture_code_size.h"

#include <algorithm>
#include <map>
#include <set>

#include "state/lecture.h"
#include "text_check.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class CodeOfASlide : public WindowTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(CodeOfASlide, HasRoomOnEveryScreenAndMagnified) {
  const struct {
    int width, height;
    float zoom;
  } kScreens[] = {{1920, 1080, 1.5f}, {1366, 768, 1}, {1024, 768, 1}, {1024, 768, 1.5f}};
  constexpr float kSmallest = 9.5f / 2;  // a column's width, unscaled; the font's letters are half
                                         // as wide as they are high
  constexpr float kFigure = 135;         // after the code, unscaled, at most
  open(GetParam(), "");
  walk([&](ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 700});
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    const size_t scenes = app().lecture().demo().scenes.size();
    for (size_t scene = 0; scene < scenes; ++scene) {
      app().send(command::GoToScene{scene});
      ctx->Yield(3);
      wait_for_result(ctx);
      if (app().lecture().hidden()) app().send(command::Advance{});
      for (const auto& screen : kScreens) {
        app().send(command::Zoom{screen.zoom});
        resize(ctx, screen.width, screen.height);
        const lab::Scene& about = app().lecture().current();
        const std::string where = GetParam() + " scene " + std::to_string(scene + 1) + " on " +
                                  std::to_string(screen.width) + "×" +
                                  std::to_string(screen.height) + " at " +
                                  std::to_string(screen.zoom);
        std::set<int> rows;        // the lines in sight
        std::map<int, int> parts;  // rows of those without a comment
        float longest = 0, room = 0;
        bool pointed = false;
        const std::vector<DrawnText> texts = texts_of_frame(ctx);
        for (const std::string& misfit : misfits(texts)) ADD_FAILURE() << where << ": " << misfit;
        for (const DrawnText& text : texts) {
          if (!text.text.starts_with("code ")) continue;
          if (text.min.y < text.room_min.y - 1 || text.max.y > text.room_max.y + 1) continue;
          const int line = std::stoi(text.text.substr(5));
          const std::string code = text.text.substr(text.text.find(": ") + 2);
          pointed |= line == line_to_show(about);
          room = text.room_max.x - text.room_min.x;
          rows.insert(line);
          if (code.find("//") != std::string::npos) continue;  // a comment may be wrapped
          ++parts[line];
          longest = std::max(longest, static_cast<float>(code.size()));
        }
        EXPECT_TRUE(pointed) << where;
        const auto lines = std::count(about.source.begin(), about.source.end(), '\n');
        const auto below = static_cast<size_t>(lines - kernel_line(about) + 1);
        EXPECT_GE(rows.size(), std::min<size_t>(6, below)) << where;
        const bool wrapped = std::any_of(parts.begin(), parts.end(),
                                         [](const auto& line) { return line.second > 1; });
        const float base = look().scale / hall_magnification();
        EXPECT_TRUE(!wrapped || (longest + 6) * kSmallest * base + kFigure * base > room)
            << where << ": " << longest << " columns are wrapped";
      }
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Labs, CodeOfASlide,
                         ::testing::Values("bank-conflicts", "occupancy", "tiling", "roofline"),
                         [](const auto& lab) {
                           std::string name = lab.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace warpshop::ui
