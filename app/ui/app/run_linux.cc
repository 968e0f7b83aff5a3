// The window, until it is closed.
#include <cstdio>
#include <cstdlib>

#include "app/app.h"

namespace warpshop::ui {

void App::exit_now() { std::quick_exit(0); }

int run(const UiOptions& options) {
  AppOptions app_options;
  app_options.ui = options;
  app_options.tour = true;
  Result<std::unique_ptr<App>> app = App::create(std::move(app_options));
  if (!app.ok()) {
    std::fprintf(stderr, "%s\n", render(app.errors()).c_str());
    return app.errors().front().kind == "labs" ? 2 : 3;
  }
  while ((*app)->frame()) {
  }
  return 0;
}

}  // namespace warpshop::ui
