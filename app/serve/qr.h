// QR codes of addresses, for the board.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpshop::serve {

// The rows of its modules, "1" a dark one, without a margin. Nothing if this build has no library
// for it, or the text is too long for a code that phones read from the last row.
std::optional<std::vector<std::string>> qr_rows(const std::string& text);

}  // namespace warpshop::serve
