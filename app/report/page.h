// The frame of a page: head, style, heading, end.
#pragma once

#include <string>
#include <string_view>

namespace warpshop::report {

// Everything up to the page's first section: its title, a summary (may be empty) and a line of
// facts. Both HTML and XML ("polyglot").
std::string page_start(std::string_view title, std::string_view summary, std::string_view facts);
std::string page_end();

}  // namespace warpshop::report
