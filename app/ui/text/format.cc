#include "text/format.h"

#include <cctype>
#include <cmath>
#include <cstdio>

#include "core/ascii.h"
#include "core/expression.h"
#include "core/fixed.h"
#include "core/grouped.h"
#include "text/text.h"

namespace warpshop::ui {

size_t letters_of(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins));
}

std::string with_separators(uint64_t value) { return local_number(grouped(std::to_string(value))); }

std::string decimal_text(double value, int decimals) {
  return local_number(fixed(value, decimals));
}

std::string fraction_text(double value) {
  if (!std::isfinite(value)) return "–";
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string out = text;
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  if (out == "-0") return "0";
  return local_number(grouped(std::move(out)));
}

std::string duration_text(double seconds) {
  char text[64];
  if (seconds < 0.00005) {
    return "< " + local_number("0.1") + " ms";
  } else if (seconds < 0.01) {
    std::snprintf(text, sizeof text, "%.1f ms", seconds * 1e3);
  } else if (seconds < 0.9995) {
    std::snprintf(text, sizeof text, "%.0f ms", seconds * 1e3);
  } else if (seconds < 59.95) {
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  } else {
    const long whole = std::lround(seconds);
    std::snprintf(text, sizeof text, "%ld min %ld s", whole / 60, whole % 60);
  }
  return local_number(text);
}

std::string us_text(double microseconds) {
  if (microseconds <= 0) return "–";
  if (microseconds < 1e3) return local_number(fixed(microseconds, 2)) + " µs";
  if (microseconds < 1e6) return local_number(fixed(microseconds / 1e3, 3)) + " ms";
  return local_number(fixed(microseconds / 1e6, 3)) + " s";
}

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1024) return tr_count(bytes, "{} byte", "{} bytes");
  static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  while (value >= 1024 && unit < 3) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text,
                value >= 100 || value == std::floor(value) ? "%.0f %s" : "%.1f %s", value,
                kUnits[unit]);
  return local_number(text);
}

namespace {

// Formats in the largest power of 1000 that keeps the value at 1 or more: an integer below 1000,
// else with that many decimals.
std::string in_thousands(double value, int decimals, const char* const (&units)[5]) {
  size_t unit = 0;
  while (value >= 999.95 && unit < 4) {
    value /= 1000;
    ++unit;
  }
  return local_number(fixed(value, unit == 0 ? 0 : decimals)) + units[unit];
}

}  // namespace

std::string moved_text(double bytes) {
  static constexpr const char* kUnits[5] = {" B", " kB", " MB", " GB", " TB"};
  return in_thousands(bytes, 1, kUnits);
}

std::string count_text(double count) {
  if (count < 999'999.5) return with_separators(static_cast<uint64_t>(std::llround(count)));
  static constexpr const char* kUnits[5] = {"", " k", " M", " G", " T"};
  return in_thousands(count, 2, kUnits);
}

// Labs use any digit grouping, or none; a number within a name ("f32") stays unchanged.
std::string size_text(std::string_view label) {
  const auto digit = [&](size_t at) { return at < label.size() && is_digit(label[at]); };
  const auto of_name = [&](size_t at) { return is_word_character(label[at]); };
  std::string out;
  for (size_t at = 0; at < label.size();) {
    if (!digit(at) || (at > 0 && of_name(at - 1))) {
      out += label[at++];
      continue;
    }
    std::string number;
    while (digit(at)) number += label[at++];
    const auto group = [&] {
      return at < label.size() && (label[at] == ',' || label[at] == '.') && digit(at + 1) &&
             digit(at + 2) && digit(at + 3) && !digit(at + 4);
    };
    while (group()) {
      number += label.substr(at + 1, 3);
      at += 4;
    }
    out += number.size() > 18 ? number : with_separators(std::stoull(number));
  }
  return out;
}

std::string check_text(double value, bool passed) {
  return passed && std::abs(value) >= 0.01 ? fraction_text(value)
                                           : local_number(number_text(value));
}

std::string ratio_text(double ratio) { return fraction_text(ratio) + "×"; }

std::string percent_text(double fraction) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", fraction * 100);
  std::string out = text;
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return tr("{}%", local_number(out));
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string short_gpu_name(std::string_view name) {
  for (const std::string_view brand : {"NVIDIA ", "GeForce ", "Tesla ", "Quadro "}) {
    if (name.starts_with(brand)) name.remove_prefix(brand.size());
  }
  return std::string(name);
}

std::string block_text(const Dim3& block) {
  std::string place = std::to_string(block.x) + "," + std::to_string(block.y);
  if (block.z > 0) place += "," + std::to_string(block.z);
  return tr("block ({})", place);
}

}  // namespace warpshop::ui
