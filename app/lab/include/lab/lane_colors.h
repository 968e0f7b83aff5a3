// The colours of a warp's lanes in every picture, as 0xRRGGBB: Viridis at 32 even steps,
// matplotlib's `viridis`, samples round(i * 255 / 31). https://github.com/BIDS/colormap (CC0).
#pragma once

#include <array>
#include <cstdint>

namespace warpshop::lab {

inline constexpr std::array<uint32_t, 32> kLaneColors = {
    0x440154, 0x470D60, 0x48186A, 0x482475, 0x472E7C, 0x453882, 0x424186, 0x3E4C8A,
    0x3A548C, 0x365D8D, 0x32658E, 0x2E6D8E, 0x2B758E, 0x287D8E, 0x25848E, 0x228C8D,
    0x1F948C, 0x1E9C89, 0x20A386, 0x25AB82, 0x2EB37C, 0x3ABA76, 0x48C16E, 0x58C765,
    0x69CD5B, 0x7FD34E, 0x93D741, 0xA8DB34, 0xBDDF26, 0xD5E21A, 0xEAE51A, 0xFDE725};

}  // namespace warpshop::lab
