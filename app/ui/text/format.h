// Numbers formatted for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/dim3.h"

namespace warpshop::ui {

std::string with_separators(uint64_t value);  // 1048576 → "1,048,576"
std::string duration_text(double seconds);    // "< 0.1 ms", "0.4 ms", "31 ms", "1.2 s", "2 min 5 s"
std::string us_text(double microseconds);  // kernel times: "44.46 µs", "3.293 ms"; "–" if none
std::string bytes_text(uint64_t bytes);    // sizes: "96 bytes", "128 KiB" (powers of 1024)
// Traffic: "96 B", "134.2 MB" (powers of 1000, like GB/s).
std::string moved_text(double bytes);
std::string count_text(double count);  // "12,288"; from a million: "8.39 M", "1.07 G"
// A lab's name for a size: "1024 × 1024" → "1,024 × 1,024".
std::string size_text(std::string_view label);
std::string ratio_text(double ratio);                  // "8×", "1.25×", "0.5×"
std::string decimal_text(double value, int decimals);  // exactly that many: "54.10"
std::string fraction_text(double value);               // at most two decimals, no trailing zeros
// A check's figure, rounded like the counters beside it unless that hid why it fails.
std::string check_text(double value, bool passed);
std::string capitalized(std::string text);          // its first letter, if it is ASCII
std::string percent_text(double fraction);          // 0.625 → "62.5%"
size_t letters_of(std::string_view text);           // characters of UTF-8, not bytes
std::string short_gpu_name(std::string_view name);  // "NVIDIA GeForce GTX 280" → "GTX 280"

std::string block_text(const Dim3& block);  // "block (3,1)", with z if it is not 0

}  // namespace warpshop::ui
