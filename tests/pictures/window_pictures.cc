// Takes pictures of the real window that need more than a command line:
//
//    build/tests/window_pictures scrub FOLDER
//    build/tests/window_pictures warp FILE
//
// The first steps through a bank conflict for the animation in README.md: it writes
// FOLDER/frame-000.png, … and FOLDER/frames.txt with the milliseconds for which each is shown;
// pictures.py makes one file of them. The second shows the film of a diverged warp. Needs a
// display, which may be virtual.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "core/files.h"
#include "imgui.h"
#include "window/png_file.h"

namespace {

namespace fs = std::filesystem;
using namespace warpshop;
using namespace warpshop::ui;

class Recorder {
 public:
  explicit Recorder(App& app) : app_(app) {}

  // Records the present picture, to be shown for this long.
  void frame(int shown_ms) { frames_.push_back({app_.window().read_picture(), shown_ms}); }

  // Records every frame of the window's animation, at a third of its speed.
  void motion(double seconds) {
    const double begin = ImGui::GetTime();
    for (double before = begin; before - begin < seconds;) {
      app_.draw_now();
      app_.window().wait(0);
      const double now = ImGui::GetTime();
      frame(std::max(40, static_cast<int>((now - before) * 3000)));
      before = now;
    }
  }

  // Draws until nothing moves and no work is pending.
  void settle() {
    for (int i = 0; i < 12 || app_.busy() || app_.view().running || app_.predicting(); ++i) {
      app_.frame(false);
    }
  }

  bool write(const fs::path& folder) const {
    std::ofstream list(folder / "frames.txt");
    for (size_t i = 0; i < frames_.size(); ++i) {
      char name[32];
      std::snprintf(name, sizeof name, "frame-%03zu.png", i);
      if (const Status written = write_png(frames_[i].picture, folder / name); !written.ok()) {
        std::fprintf(stderr, "%s\n", render(written.errors()).c_str());
        return false;
      }
      list << name << ' ' << frames_[i].shown_ms << '\n';
    }
    return list.good();
  }

 private:
  struct Frame {
    Picture picture;
    int shown_ms = 0;
  };
  App& app_;
  std::vector<Frame> frames_;
};

// The first access of this kind by the selected warp.
std::optional<size_t> find_access(const View& view, emulator::AccessKind kind) {
  const std::vector<AccessEntry>& entries = view.prepared->accesses.entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].shared && entries[i].kind == kind) return i;
  }
  return std::nullopt;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Opens the window at the start of a step. Null if that failed; the reason has been printed.
std::unique_ptr<App> open(const std::string& lab, const std::string& step, int width, int height) {
  AppOptions options;
  options.ui.lab = lab;
  options.ui.step = step;
  options.ui.theme = "dark";
  options.ui.gpu = "h200";
  options.ui.zoom = 1;
  options.own_size = true;
  options.read_only = true;
  options.skeleton = true;
  options.window.width = width;
  options.window.height = height;
  options.window.visible = false;
  Result<std::unique_ptr<App>> created = App::create(std::move(options));
  if (!created.ok()) {
    std::fprintf(stderr, "%s\n", render(created.errors()).c_str());
    return nullptr;
  }
  return std::move(created).value();
}

int film(const fs::path& file) {
  const std::unique_ptr<App> opened = open("divergence", "by-warp", 1600, 1000);
  if (!opened) return 3;
  App& app = *opened;
  Recorder recorder(app);
  recorder.settle();
  for (const char* panel : {"registers", "warp"}) {
    app.send(command::FocusPanel{panel});
    recorder.settle();
  }
  app.send(command::MoveFilm{FilmEvent::kDivergence, 1});
  recorder.settle();
  app.send(command::MoveFilm{FilmEvent::kStep, 4});
  recorder.settle();
  if (app.view().film == nullptr || app.view().film_step == 0) {
    std::fprintf(stderr, "the warp has no film\n");
    return 1;
  }
  if (const Status written = write_png(app.window().read_picture(), file); !written.ok()) {
    std::fprintf(stderr, "%s\n", render(written.errors()).c_str());
    return 1;
  }
  return 0;
}

int record(const fs::path& folder) {
  const std::unique_ptr<App> opened = open("bank-conflicts", "pad", 1280, 880);
  if (!opened) return 3;
  App& app = *opened;
  Recorder recorder(app);
  app.send(command::SetMotion{true});
  recorder.settle();
  app.send(command::FocusPanel{"banks"});
  recorder.settle();
  const auto store = find_access(app.view(), emulator::AccessKind::kStore);
  const auto load = find_access(app.view(), emulator::AccessKind::kLoad);
  if (!store || !load) {
    std::fprintf(stderr, "the kernel makes no shared accesses\n");
    return 1;
  }
  // A row is written: each lane uses a different bank.
  app.send(command::SelectAccess{*store});
  recorder.settle();
  recorder.frame(1600);
  // A column is read: the links of all lanes lead to one bank.
  app.send(command::SelectAccess{*load});
  app.draw_now();
  recorder.motion(0.2);
  recorder.settle();
  recorder.frame(1400);
  // The next columns that the warp reads; after each it writes to global memory.
  for (int i = 0; i < 3; ++i) {
    app.send(command::StepAccess{2});
    recorder.settle();
    recorder.frame(600);
  }
  // With one more column in the tile, each bank delivers one word.
  app.send(command::EditText{with(app.session().text(), "tile[32][32]", "tile[32][33]")});
  app.frame(false);
  app.send(command::Run{});
  app.frame(false);
  app.draw_now();
  recorder.frame(700);
  recorder.settle();
  if (const auto padded = find_access(app.view(), emulator::AccessKind::kLoad))
    app.send(command::SelectAccess{*padded});
  app.draw_now();
  recorder.motion(0.2);
  recorder.settle();
  recorder.frame(3000);
  return recorder.write(folder) ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count == 3 ? arguments[1] : "";
  if (what == "warp") return film(arguments[2]);
  if (what != "scrub") {
    std::fprintf(stderr, "usage: window_pictures scrub FOLDER\n       window_pictures warp FILE\n");
    return 2;
  }
  std::error_code error;
  fs::create_directories(arguments[2], error);
  return record(arguments[2]);
}
