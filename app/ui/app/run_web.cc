// The window in a browser. The page's thread must not wait, so that run() returns at once, and the
// page asks for frames from then on: at each of the screen's while something moves, else when there
// is something to do.
#include <emscripten/emscripten.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "app/app.h"
#include "app/class_link.h"

// In gl_window_web.js: tells the page where the student is.
extern "C" void lab_class_place(const char* json);

namespace warpshop::ui {
namespace {

App* the_app = nullptr;  // never destroyed: its destructor waits for threads
ClassLink class_link;

}  // namespace

void App::exit_now() { std::_Exit(0); }

int run(const UiOptions& options) {
  AppOptions app_options;
  app_options.ui = options;
  app_options.tour = true;
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
  if (const auto news = warpshop::ui::class_link.news(the_app->view()))
    lab_class_place(news->c_str());
  return the_app->idle_timeout() * 1e3;
}

// Writes everything that is not in a file yet: the page may go away.
EMSCRIPTEN_KEEPALIVE void lab_window_keep() {
  if (warpshop::ui::the_app) warpshop::ui::the_app->keep();
}

// What a page around the window may ask.

EMSCRIPTEN_KEEPALIVE void lab_class_open(const char* lab, const char* step) {
  if (warpshop::ui::the_app)
    warpshop::ui::the_app->send(warpshop::ui::command::OpenStep{lab, step});
}

EMSCRIPTEN_KEEPALIVE void lab_class_follow(const char* json) {
  auto text = warpshop::ui::follow_text_of(json);
  if (warpshop::ui::the_app && text) warpshop::ui::the_app->send(std::move(*text));
}

EMSCRIPTEN_KEEPALIVE void lab_class_unfollow() {
  if (warpshop::ui::the_app) warpshop::ui::the_app->send(warpshop::ui::command::EndFollowing{});
}

// Valid until the next call.
EMSCRIPTEN_KEEPALIVE const char* lab_class_question() {
  static std::string question;
  question =
      warpshop::ui::the_app ? warpshop::ui::question_json(warpshop::ui::the_app->view()) : "null";
  return question.c_str();
}
}
