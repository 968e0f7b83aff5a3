// Cells of CSV files for spreadsheets.
#pragma once

#include <string>

namespace warpshop::grade {

// RFC 4180. Without characters that a terminal would act on. Prefixes a ' wherever a spreadsheet
// would see a formula: at the start, and after anything that separates cells or rows in a
// spreadsheet set to semicolons or tabs, which ignores the quotes.
std::string csv_cell(const std::string& written);

}  // namespace warpshop::grade
