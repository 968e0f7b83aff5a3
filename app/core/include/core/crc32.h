// The checksum of PNG and ZIP files: PNG §5.5 and annex D; APPNOTE.TXT 4.4.7.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpshop {

uint32_t crc32(std::string_view bytes);

}  // namespace warpshop
