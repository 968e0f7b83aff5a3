// The context menu of every panel, which exports its numbers as CSV and its picture as PNG.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/commands.h"

namespace warpshop::ui {

// Call between the panel's Begin and End. `csv` is called only when chosen; it is empty if the
// panel has no numbers. The actions "export-csv" and "export-picture" do the same for the focused
// panel.
void export_menu(std::string_view title, const std::function<std::string()>& csv,
                 CommandQueue& queue);

}  // namespace warpshop::ui
