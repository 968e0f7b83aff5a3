#include "qr.h"

#ifdef WARPSHOP_QR
#include <qrcodegen/QrCode.hpp>
#endif

namespace warpshop::serve {

#ifdef WARPSHOP_QR

// Bytes. Phones read 57 × 57 modules (version 10) across a room; longer texts need more.
constexpr size_t kLongestAddress = 200;

std::optional<std::vector<std::string>> qr_rows(const std::string& text) {
  if (text.empty() || text.size() > kLongestAddress) return std::nullopt;
  const qrcodegen::QrCode code =
      qrcodegen::QrCode::encodeText(text.c_str(), qrcodegen::QrCode::Ecc::MEDIUM);
  std::vector<std::string> rows;
  for (int y = 0; y < code.getSize(); ++y) {
    std::string& row = rows.emplace_back();
    for (int x = 0; x < code.getSize(); ++x) row += code.getModule(x, y) ? '1' : '0';
  }
  return rows;
}

#else

std::optional<std::vector<std::string>> qr_rows(const std::string&) { return std::nullopt; }

#endif

}  // namespace warpshop::serve
