#include "control/help.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/files.h"
#include "draw/tooltip.h"
#include "imgui_internal.h"
#include "text/text.h"

namespace warpshop::ui {
Help::Help(Shell& shell) : shell_(shell) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::OpenMenu&) {
    menu_asked_ = !shell_.lecture.on();
    shell_.draw_frames(3);
  });
  commands.on([this](const command::OpenPalette&) { shell_.dialog.open = Dialog::kPalette; });
  commands.on([this](const command::OpenGlossary& c) {
    shell_.dialog.glossary_word = c.word;
    shell_.dialog.open = Dialog::kGlossary;
  });
  commands.on([this](const command::OpenPage& c) {
    const std::filesystem::path folder = data_dir() / "docs";
    // The pages' links lead to other files of the project as well, which are not installed.
    const Result<std::string> text = read_file(folder / c.file);
    if (!text.ok()) {
      shell_.say(tr("This page is not installed: {}", c.file));
      return;
    }
    shell_.dialog.page = *text;
    shell_.dialog.page_folder = folder;
    shell_.dialog.page_opened = true;
    shell_.dialog.open = Dialog::kPage;
  });
  commands.on([this](const command::OpenKeys&) { shell_.dialog.open = Dialog::kKeys; });
  // Checks again each time: what was missing may be installed now.
  commands.on([this](const command::OpenDoctor&) {
    shell_.dialog.open = Dialog::kDoctor;
    if (system_check_due_.valid()) return;
    system_check_.reset();
    system_check_due_ = std::async(std::launch::async, [] {
      std::vector<lab::SystemCheckLine> system_check = lab::check_system();
      GlWindow::wake();
      return system_check;
    });
  });
  commands.on([this](const command::CloseDialog&) { shell_.dialog.open = Dialog::kNone; });
  // Explains the figures of the panel that has the keyboard focus, or of all visible panels if it
  // has none. They are known once a frame has been drawn.
  commands.on([this](const command::ExplainFigures&) {
    figures_wanted_ = true;
    shell_.draw_frames(2);
  });
}

void Help::begin_figures() {
  if (!figures_wanted_ || draw_observer()) return;
  figures_.clear();
  observe_drawing(this);
}

void Help::see_figure(ImVec2 min, ImVec2 max, const MetricWords& words) {
  figures_.push_back(shown_metric(min, max, words));
}

void Help::end_figures() {
  if (!figures_wanted_ || draw_observer() != this) return;
  observe_drawing(nullptr);
  figures_wanted_ = false;
  shell_.dialog.figures.clear();
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  const ImGuiWindow* panel = focused ? focused->RootWindow : nullptr;
  const auto take = [&](bool all) {
    for (const ShownMetric& figure : figures_) {
      if (!all && !(panel && panel->Rect().Contains(ImRect(figure.min, figure.max).GetCenter())))
        continue;
      const bool known =
          std::any_of(shell_.dialog.figures.begin(), shell_.dialog.figures.end(),
                      [&](const ShownMetric& other) { return other.title == figure.title; });
      if (!known) shell_.dialog.figures.push_back(figure);
    }
  };
  take(false);
  if (shell_.dialog.figures.empty()) take(true);
  shell_.dialog.open = Dialog::kFigures;
  shell_.draw_frames(3);
}

void Help::take_system_check() {
  if (!system_check_due_.valid() ||
      system_check_due_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  system_check_ = system_check_due_.get();
  shell_.draw_frames(3);
}

}  // namespace warpshop::ui
