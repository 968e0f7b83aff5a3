// The menu behind the right button of every panel: its numbers as CSV, its picture as PNG.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/commands.h"

namespace warpshop::ui {

// Inside the panel's Begin and End. `csv` is asked only when chosen; empty: there are no numbers.
// The actions "export-csv" and "export-picture" do the same for the panel with the keyboard.
void export_menu(std::string_view title, const std::function<std::string()>& csv,
                 CommandQueue& queue);

// What the next panel with the keyboard is to export, asked by an action.
enum class ExportAsked { kNothing, kCsv, kPicture };
ExportAsked& export_asked();

}  // namespace warpshop::ui
