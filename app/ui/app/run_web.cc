// The window in a browser. The page's thread must not wait, so that run() returns at once, and the page asks for frames
// from then on: at each of the screen's while something moves, else when there is something to do.
#include <emscripten/emscripten.h>

#include <cstdio>

#include "app/app.h"

namespace warpshop::ui {
namespace {

App* the_app = nullptr;  // never destroyed: its destructor waits for threads

}  // namespace

int run(const UiOptions& options) {
  AppOptions app_options;
  app_options.ui = options;
  app_options.tour = true;
  app_options.driver = false;
  Result<std::unique_ptr<App>> app = App::create(std::move(app_options));
  if (!app.ok()) {
    std::fprintf(stderr, "%s\n", render(app.errors()).c_str());
    return app.errors().front().kind == "labs" ? 2 : 3;
  }
  the_app = app->release();
  emscripten_exit_with_live_runtime();
}

}  // namespace warpshop::ui

extern "C" {

// Draws a frame if one is due. Milliseconds until the next; negative once the window is closed.
EMSCRIPTEN_KEEPALIVE double lab_window_frame() {
  using warpshop::ui::the_app;
  if (!the_app) return 1000;
  if (!the_app->frame()) {
    the_app->keep();
    return -1;
  }
  return the_app->idle_timeout() * 1e3;
}

// Writes everything that is not in a file yet: the page may go away.
EMSCRIPTEN_KEEPALIVE void lab_window_keep() {
  if (warpshop::ui::the_app) warpshop::ui::the_app->keep();
}
}
