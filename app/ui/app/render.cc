// A picture of the window.
#include "app/actions.h"
#include "app/app.h"

namespace warpshop::ui {

Status render_to_png(const RenderOptions& options) {
  AppOptions app_options;
  app_options.ui = options.ui;
  app_options.own_size = true;
  app_options.read_only = true;
  app_options.solution = options.solution;
  app_options.skeleton = options.skeleton;
  app_options.window.width = options.width;
  app_options.window.height = options.height;
  app_options.window.visible = false;
  Result<std::unique_ptr<App>> created = App::create(std::move(app_options));
  if (!created.ok()) return created.errors();
  App& app = **created;
  const double start = ImGui::GetTime();
  while (app.busy() || app.view().running || app.predicting()) {
    if (!app.frame()) break;
    if (ImGui::GetTime() - start > options.timeout_s) {
      return make_error("picture",
                        "the kernel was still running when the time for the picture was up");
    }
  }
  app.frame(false);  // takes the worker's last updates
  for (const std::string& panel : options.panels) {
    if (!find_action("go-" + panel)) {
      return make_error("picture", "there is no panel '" + panel + "'",
                        "the actions \"Go to …\" name them");
    }
    app.send(command::FocusPanel{panel});
    for (int i = 0; i < 4; ++i) app.frame(false);
  }
  // Docking, tab bars and sizes that depend on the last frame settle within a few frames; a panel
  // may open a film.
  for (int i = 0; i < 12 || (app.busy() && ImGui::GetTime() - start < options.timeout_s); ++i)
    app.frame(false);
  return write_png(app.window().read_picture(), options.file);
}

}  // namespace warpshop::ui
