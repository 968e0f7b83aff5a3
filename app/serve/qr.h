// QR codes of addresses, for the board.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpshop::serve {

// The rows of modules without a margin; '1' is dark. Empty if this build has no QR library, or the
// text is too long for a code that phones can read from the last row.
std::optional<std::vector<std::string>> qr_rows(const std::string& text);

}  // namespace warpshop::serve
