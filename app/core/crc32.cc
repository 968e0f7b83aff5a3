#include "core/crc32.h"

#include <array>

namespace warpshop {

uint32_t crc32(std::string_view bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> of_byte{};
    for (uint32_t n = 0; n < 256; ++n) {
      of_byte[n] = n;
      for (int bit = 0; bit < 8; ++bit)
        of_byte[n] = of_byte[n] & 1 ? 0xEDB88320u ^ of_byte[n] >> 1 : of_byte[n] >> 1;
    }
    return of_byte;
  }();
  uint32_t sum = 0xFFFFFFFFu;
  for (const char byte : bytes)
    sum = table[(sum ^ static_cast<unsigned char>(byte)) & 255] ^ sum >> 8;
  return ~sum;
}

}  // namespace warpshop
