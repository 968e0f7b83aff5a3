// Plays a bank conflict in the real window and leaves its frames, for the animation of README.md:
//
//   build/tests/window_pictures FOLDER
//
// writes FOLDER/frame-000.png, … and FOLDER/frames.txt with the milliseconds that each is to be seen. pictures.py makes
// one file of them. Needs a display; a virtual one will do.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "app/lab_app.h"
#include "core/files.h"
#include "window/png_file.h"

namespace {

namespace fs = std::filesystem;
using namespace warpshop;
using namespace warpshop::ui;

class Recorder {
 public:
  Recorder(App& app, fs::path folder) : app_(app), folder_(std::move(folder)), list_(folder_ / "frames.txt") {}

  // What is shown now, for so long.
  bool frame(int shown_ms) {
    char name[32];
    std::snprintf(name, sizeof name, "frame-%03d.png", count_++);
    const Status written = write_png(app_.window().read_picture(), folder_ / name);
    if (!written.ok()) std::fprintf(stderr, "%s\n", render(written.errors()).c_str());
    list_ << name << ' ' << shown_ms << '\n';
    return written.ok();
  }

  // Draws until nothing moves and nothing is worked out.
  void settle() {
    for (int i = 0; i < 12 || app_.busy() || app_.view().running || app_.predicting(); ++i) {
      app_.frame(false);
    }
  }

 private:
  App& app_;
  const fs::path folder_;
  std::ofstream list_;
  int count_ = 0;
};

// The first access of the shown warp that is of this kind.
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

int record(const fs::path& folder) {
  AppOptions options;
  options.ui.lab = "bank-conflicts";
  options.ui.step = "pad";
  options.ui.theme = "dark";
  options.ui.gpu = "h200";
  options.own_size = true;
  options.read_only = true;
  options.skeleton = true;
  options.window.width = 1200;
  options.window.height = 750;
  options.window.visible = false;
  Result<std::unique_ptr<App>> created = App::create(std::move(options));
  if (!created.ok()) {
    std::fprintf(stderr, "%s\n", render(created.errors()).c_str());
    return 3;
  }
  App& app = **created;
  Recorder recorder(app, folder);
  recorder.settle();
  app.send(command::FocusPanel{"banks"});
  recorder.settle();
  const auto store = find_access(app.view(), emulator::AccessKind::kStore);
  const auto load = find_access(app.view(), emulator::AccessKind::kLoad);
  if (!store || !load) {
    std::fprintf(stderr, "the kernel makes no shared accesses\n");
    return 1;
  }
  bool ok = true;
  // A row is written: every lane has a bank of its own.
  app.send(command::SelectAccess{*store});
  recorder.settle();
  ok &= recorder.frame(1600);
  // A column is read: the links of all lanes lead to one bank. The film plays at the speed of the window's own motion.
  app.send(command::SelectAccess{*load});
  app.draw_now();
  for (int i = 0; i < 6; ++i) {
    for (int wait = 0; wait < 2; ++wait) app.draw_now();
    ok &= recorder.frame(90);
  }
  recorder.settle();
  ok &= recorder.frame(1400);
  // The accesses of the warp one after the other.
  for (int i = 0; i < 3; ++i) {
    app.send(command::StepAccess{1});
    recorder.settle();
    ok &= recorder.frame(500);
  }
  // One more column in the tile, and every bank has one word.
  app.send(command::EditText{with(app.session().text(), "tile[32][32]", "tile[32][33]")});
  app.frame(false);
  app.send(command::Run{});
  app.frame(false);
  app.draw_now();
  ok &= recorder.frame(700);
  recorder.settle();
  if (const auto padded = find_access(app.view(), emulator::AccessKind::kLoad)) app.send(command::SelectAccess{*padded});
  recorder.settle();
  ok &= recorder.frame(3000);
  return ok ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: window_pictures FOLDER\n");
    return 2;
  }
  std::error_code error;
  fs::create_directories(arguments[1], error);
  return record(arguments[1]);
}
