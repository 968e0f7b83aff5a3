#include "window_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/main_cli.h"
#include "core/charconv.h"
#include "core/diagnostic.h"
#include "core/terminal_text.h"
#include "lab/lab.h"
#include "ui/app.h"

namespace warpshop {
namespace {

// "1600x1000" → width and height; an empty text when it is one, else what was expected.
std::string read_size(std::string_view text, int& width, int& height) {
  const size_t cross = text.find('x');
  const auto read = [](std::string_view digits, int& value) {
    value = parse_number<int>(digits).value_or(0);
    return value >= 320 && value <= 16384;
  };
  if (cross != std::string_view::npos && read(text.substr(0, cross), width) &&
      read(text.substr(cross + 1), height)) {
    return {};
  }
  return "expected WIDTHxHEIGHT in pixels, each from 320 to 16384, like 1600x1000";
}

void split_lab(const std::string& place, ui::UiOptions& options) {
  const size_t slash = place.find('/');
  options.lab = place.substr(0, slash);
  if (slash != std::string::npos) options.step = place.substr(slash + 1);
}

}  // namespace

bool has_window() { return true; }

int window_command(int argc, char** argv) {
  ui::RenderOptions picture;
  std::string place;
  std::string size;
  std::string file;
  CLI::App app("The lab's window");
  app.add_option("--lab", place, "open this lab, or step of it: coalescing/STEP");
  app.add_option_function<std::string>("--labs", lab::use_lab_folders,
                                       "your own labs: a lab's folder, or a folder of labs, "
                                       "several with ':' between them; else $WARPSHOP_LABS")
      ->type_name("DIR");
  app.add_option("--gpu", picture.ui.gpu, "the GPU to show: see `warpshop gpus`");
  app.add_option("--theme", picture.ui.theme, "dark, light or system")
      ->check(CLI::IsMember({"dark", "light", "system"}));
  app.add_option("--zoom", picture.ui.zoom, "1 is 100%")->check(CLI::Range(0.75, 4.0));
  app.add_option("--language", picture.ui.language,
                 "of the window's texts: a file of assets/text, like en");
  app.add_option("--mode", picture.ui.mode, "student, analysis, minimal or lecture")
      ->check(CLI::IsMember({"student", "analysis", "minimal", "lecture"}));
  app.add_option("--scene", picture.ui.scene,
                 "with --mode lecture: the scene to begin with, from 1")
      ->check(CLI::PositiveNumber);
  app.add_flag("--notes", picture.ui.notes,
               "only the speaker's notes of the lecture that another window of yours gives");
  CLI::Option* to_file =
      app.add_option("--render", file, "draw the window off-screen into this .png file, and end");
  app.add_option("--size", size, "of the picture, in pixels; 1600x1000")
      ->needs(to_file)
      ->check([&picture](const std::string& text) {
        return read_size(text, picture.width, picture.height);
      });
  app.add_option("--panel", picture.panels, "with --render: a panel to show in front of the others")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->needs(to_file);
  app.add_flag("--revealed", picture.ui.revealed,
               "the picture of a lecture shows what is hidden at first")
      ->needs(to_file);
  CLI::Option* solution =
      app.add_flag("--solution", picture.solution, "the picture shows the worked solution");
  solution->needs(to_file);
  app.add_flag("--start", picture.skeleton, "the picture shows the untouched skeleton")
      ->needs(to_file)
      ->excludes(solution);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : cli::kInputError;
  }
  split_lab(place, picture.ui);
  if (file.empty()) return ui::run(picture.ui);

  picture.file = file;
  const Status status = ui::render_to_png(picture);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", terminal_text(render(status.errors())).c_str());
  return cli::kToolFailed;
}

}  // namespace warpshop
