// Measures the window in use: the time to start, to scrub through a run of a million threads, from
// an edit to its maps, and to cancel a run; the processor time while idle, and the memory left over
// by a thousand edits.
//
//    xvfb-run -s "-screen 0 1920x1080x24" build/tests/window_measure
//
// See docs/BUILDING.md, "Measuring the window". Times depend on the machine and its load, so both
// are printed.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/app.h"
#include "compile/child.h"
#include "core/files.h"

namespace {

namespace fs = std::filesystem;
using namespace warpshop;
using namespace warpshop::ui;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double process_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576;
}

std::string load() {
  double average[3] = {};
  char text[64];
  if (getloadavg(average, 3) != 3) return "unknown";
  std::snprintf(text, sizeof text, "%.1f on %u cores", average[0],
                std::thread::hardware_concurrency());
  return text;
}

struct Spread {
  double median = 0, p95 = 0, worst = 0;
};

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values[values.size() * 95 / 100], values.back()};
}

int short_of = 0;

void row(const char* what, const std::string& got, const char* wanted, bool holds) {
  std::printf("%-5s %-44s %-44s wanted %s\n", holds ? "ok" : "SHORT", what, got.c_str(), wanted);
  std::fflush(stdout);
  short_of += !holds;
}

template <typename... Values>
std::string text(const char* format, Values... values) {
  char out[200];
  std::snprintf(out, sizeof out, format, values...);
  return out;
}

// A copy of the lab's data with matrices of 1024 × 1024 elements instead of 256 × 256: a million
// threads.
fs::path million_threads(const fs::path& folder) {
  const fs::path from = data_dir(), to = folder / "data";
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    if (entry.path().filename() == "labs") continue;
    fs::create_symlink(fs::canonical(entry.path()), to / entry.path().filename());
  }
  fs::copy(fs::canonical(from / "labs"), to / "labs", fs::copy_options::recursive);
  const fs::path file = to / "labs" / "coalescing" / "lab.toml";
  std::string content = *read_file(file);
  const std::string small = "{ n = 256, label = \"256 × 256\" }",
                    large = "{ n = 1024, label = \"1024 × 1024\" }";
  for (size_t at = content.find(small); at != std::string::npos;
       at = content.find(small, at + large.size())) {
    content.replace(at, small.size(), large);
  }
  std::ofstream(file, std::ios::trunc) << content;
  return to;
}

bool until(App& app, const std::function<bool()>& done, double most_s = 120) {
  const double end = seconds() + most_s;
  while (!done()) {
    if (!app.frame() || seconds() > end) return false;
  }
  return true;
}

bool result_is_there(App& app) {
  return until(app, [&] {
    return !app.busy() && !app.view().running && app.view().latest && !app.view().latest_stale;
  });
}

}  // namespace

int main(int argc, char** argv) {
  compile::compile_if_child(argc, argv);
  const double begin = seconds();
  std::string pattern = (fs::temp_directory_path() / "warpshop-measure-XXXXXX").string();
  if (!mkdtemp(pattern.data())) return 3;
  const fs::path folder = pattern;
  setenv("WARPSHOP_HOME", (folder / "home").c_str(), 1);
  std::printf("load %s\n", load().c_str());

  AppOptions options;
  options.ui.lab = "coalescing";
  options.ui.step = "transpose-naive";
  options.own_size = true;
  options.window.width = 1920;
  options.window.height = 1080;
  {
    Result<std::unique_ptr<App>> created = App::create(options);
    if (!created.ok()) {
      std::fprintf(stderr, "%s\n", render(created.errors()).c_str());
      return 3;
    }
    App& app = **created;
    for (int i = 0; i < 4; ++i) app.frame(false);
    const double start_s = seconds() - begin;
    row("start to a window that can be used", text("%.0f ms", start_s * 1e3), "< 1000 ms",
        start_s < 1);
    app.send(command::Run{});
    app.frame(false);
    result_is_there(app);

    // Edits the kernel as a student does; each edit takes a pause in typing, compiler, sizes and
    // maps.
    std::vector<double> edits;
    std::string source = app.session().text();
    for (int n = 0; n < 12; ++n) {
      const double before = app.edit_to_result_s();
      app.send(command::EditText{source + "// " + std::to_string(n) + "\n"});
      app.frame(false);
      until(app, [&] { return app.edit_to_result_s() != before && !app.busy(); });
      if (n >= 2) edits.push_back(app.edit_to_result_s() * 1e3);
    }
    const Spread edit = spread_of(edits);
    row("edit to all maps, a pause of 100 ms included",
        text("median %.0f ms, worst %.0f ms", edit.median, edit.worst), "< 300 ms",
        edit.median < 300);

    result_is_there(app);
    for (const double end = seconds() + 3; seconds() < end;) app.frame();
    const double cpu = process_cpu_seconds(), idle_begin = seconds();
    const int frames = app.times().frames;
    for (const double end = seconds() + 5; seconds() < end;) {
      // Waits for events as the program does, but no longer than the five seconds.
      std::thread([end] {
        std::this_thread::sleep_for(std::chrono::duration<double>(std::max(0.0, end - seconds())));
        GlWindow::wake();
      }).detach();
      app.frame();
    }
    const double used = (process_cpu_seconds() - cpu) / (seconds() - idle_begin) * 100;
    row("CPU while nothing happens",
        text("%.2f%% of a core, %d frames in 5 s", used, app.times().frames - frames), "0",
        used < 0.5);

    // A thousand edits, of which every twentieth is run.
    const auto memory_at_rest = [&] {  // without the buffers of a prediction in progress
      until(app, [&] { return !app.busy() && !app.predicting(); });
      return resident_mb();
    };
    double early = 0;
    for (int n = 0; n < 1100; ++n) {
      source[source.size() - 1] = n % 2 ? ' ' : '\n';
      app.send(command::SetAutoRun{n % 20 == 0});
      app.send(command::EditText{source});
      app.frame(false);
      if (n % 20 == 0) result_is_there(app);
      if (n == 100) early = memory_at_rest();
    }
    const double late = memory_at_rest();
    row("memory after 100 and after 1100 edits", text("%.0f MB, %.0f MB", early, late),
        "flat: less than 5% more", late < early * 1.05);
  }

  setenv("WARPSHOP_DATA", million_threads(folder).c_str(), 1);
  {
    Result<std::unique_ptr<App>> created = App::create(options);
    if (!created.ok()) {
      std::fprintf(stderr, "%s\n", render(created.errors()).c_str());
      return 3;
    }
    App& app = **created;
    app.send(command::Run{});
    app.frame(false);
    if (!result_is_there(app) || !app.view().result()) {
      std::fprintf(stderr, "the kernel did not run\n");
      return 3;
    }
    const lab::KernelRun& run = *app.view().result()->student();
    const uint64_t threads = run.grid.count() * run.block.count();
    std::printf("      %llu threads, emulated in %.0f ms\n",
                static_cast<unsigned long long>(threads), run.seconds * 1e3);
    if (threads < 1'000'000) {
      std::fprintf(stderr, "this is no run of a million threads\n");
      return 3;
    }
    // In Analysis mode every panel that follows the selection is visible; in the second half the
    // film leads.
    for (const auto& [mode, film] :
         {std::pair{Mode::kStudent, false}, {Mode::kAnalysis, false}, {Mode::kAnalysis, true}}) {
      app.send(command::SetMode{mode});
      for (int i = 0; i < 10; ++i) app.frame(false);
      if (film) {
        app.send(command::FocusPanel{"warp"});
        app.frame(false);
        until(
            app, [&] { return app.view().film && !app.busy(); }, 20);
      }
      std::vector<double> build, render, all;
      for (int n = 0; n < 600; ++n) {
        if (film) {
          app.send(command::MoveFilm{FilmEvent::kStep, n % 200 < 100 ? 1 : -1});
        } else if (n % 3 == 2) {
          app.send(command::StepWarp{n < 300 ? 1 : -1});
        } else {
          app.send(command::StepAccess{n % 4 < 2 ? 1 : -1});
        }
        const double start = seconds();
        app.frame(false);
        all.push_back((seconds() - start) * 1e3);
        build.push_back(app.times().last_build_ms);
        render.push_back(app.times().last_render_ms);
      }
      const Spread b = spread_of(build), r = spread_of(render), a = spread_of(all);
      const std::string name =
          "scrubbing, " + std::string(name_of(mode)) + (film ? ", the film" : "");
      row((name + ": own CPU").c_str(),
          text("median %.2f ms, 95%% %.2f ms, worst %.2f ms", b.median, b.p95, b.worst), "< 4 ms",
          b.p95 < 4);
      row((name + ": a frame").c_str(),
          text("median %.1f ms, 95%% %.1f ms (drawing %.1f ms)", a.median, a.p95, r.median),
          "< 16.7 ms", a.median < 16.7);
    }
    std::vector<double> cancels, threads_free;
    for (int n = 0; n < 8; ++n) {
      app.send(command::EditText{app.session().text() + "//\n"});
      app.send(command::Run{});
      app.frame(false);
      // Stop at some point in the middle: while the kernel is being compiled, emulated or compared.
      const double wait = seconds() + 0.01 + 0.02 * n;
      // Draw without waiting for events: a run that has ended sends none.
      while (seconds() < wait) app.frame(false);
      if (!app.view().running) continue;
      app.send(command::Stop{});
      const double start = seconds();
      do app.frame(false);
      while (app.view().running);
      cancels.push_back((seconds() - start) * 1e3);
      while (app.busy()) app.frame(false);
      threads_free.push_back((seconds() - start) * 1e3);
    }
    const Spread cancel = spread_of(cancels), free = spread_of(threads_free);
    row("cancel a run",
        text("median %.0f ms, worst %.0f ms of %zu", cancel.median, cancel.worst, cancels.size()),
        "< 50 ms", cancel.worst < 50);
    std::printf("      until its thread has ended: median %.0f ms, worst %.0f ms\n", free.median,
                free.worst);
  }
  std::printf("load %s\n", load().c_str());
  std::error_code error;
  fs::remove_all(folder, error);
  if (short_of > 0) std::printf("%s: %d short of what was wanted\n", argv[0], short_of);
  return 0;
}
