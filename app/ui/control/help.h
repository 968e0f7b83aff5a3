// The dialogs that help: palette, glossary, keys, system check, and what a panel's figures mean.
#pragma once

#include <future>
#include <optional>
#include <vector>

#include "app/shell.h"
#include "draw/observer.h"
#include "draw/tooltip.h"
#include "lab/system_check.h"

namespace warpshop::ui {

class Help : public DrawObserver {
 public:
  explicit Help(Shell& shell);
  Help(const Help&) = delete;
  Help& operator=(const Help&) = delete;

  void take_system_check();
  bool is_checking_system() const { return system_check_due_.valid(); }
  const std::vector<lab::SystemCheckLine>* system_check() const {
    return system_check_ ? &*system_check_ : nullptr;
  }
  bool take_menu_asked() { return std::exchange(menu_asked_, false); }
  // Around the drawing of the panels: the frame's figures are recorded if they are to be explained.
  void begin_figures();
  void end_figures();

 private:
  void see_figure(ImVec2 min, ImVec2 max, const MetricWords& words) override;

  Shell& shell_;
  std::future<std::vector<lab::SystemCheckLine>> system_check_due_;
  std::optional<std::vector<lab::SystemCheckLine>> system_check_;
  bool menu_asked_ = false;      // open the menus in the next frame
  bool figures_wanted_ = false;  // the next frame records its figures for ExplainFigures
  std::vector<ShownMetric> figures_;
};

}  // namespace warpshop::ui
