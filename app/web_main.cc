// The browser edition: only the window. The page (assets/web/lab.js) starts it with "LAB/STEP", or
// nothing.
#include <string>
#include <string_view>

#include "ui/app.h"

int main(int argc, char** argv) {
  warpshop::ui::UiOptions options;
  const std::string_view place = argc > 1 ? argv[1] : "";
  const size_t slash = place.find('/');
  options.lab = place.substr(0, slash);
  if (slash != std::string_view::npos) options.step = place.substr(slash + 1);
  return warpshop::ui::run(options);
}
