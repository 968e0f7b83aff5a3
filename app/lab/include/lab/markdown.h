// Markdown dialect of the labs, shared by the loader (which checks it), the window and the reports.
#pragma once

#include <md4c.h>

namespace warpshop::lab {

inline constexpr unsigned kMarkdownFlags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTML |
                                           MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_LATEXMATHSPANS;

}  // namespace warpshop::lab
