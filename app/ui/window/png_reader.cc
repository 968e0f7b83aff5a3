#include "window/png_reader.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "core/files.h"
#include "lab/png.h"

namespace warpshop::ui {
namespace {

// RFC 1951 §3.1.1: starting with the least significant bit of each byte.
class Bits {
 public:
  explicit Bits(std::string_view bytes) : bytes_(bytes) {}
  bool ended() const { return at_ > 8 * bytes_.size(); }
  unsigned take(int count) {
    unsigned value = 0;
    for (int n = 0; n < count; ++n, ++at_) {
      if (at_ < 8 * bytes_.size())
        value |= ((static_cast<unsigned char>(bytes_[at_ / 8]) >> (at_ % 8)) & 1u) << n;
    }
    return value;
  }
  void to_next_byte() { at_ = (at_ + 7) / 8 * 8; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// RFC 1951 §3.2.2: codes of one length are consecutive, in symbol order.
class Codes {
 public:
  explicit Codes(const std::vector<int>& lengths) {
    for (const int length : lengths) ++count_[static_cast<size_t>(length)];
    count_[0] = 0;
    for (int length = 1; length < 16; ++length) {
      for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
        if (lengths[symbol] == length) symbols_.push_back(static_cast<int>(symbol));
      }
    }
  }
  // The next symbol; -1 if there is no such code.
  int next(Bits& bits) const {
    int code = 0, first = 0, index = 0;
    for (size_t length = 1; length < 16; ++length) {
      code |= static_cast<int>(bits.take(1));
      if (code - first < count_[length]) return symbols_[static_cast<size_t>(index + code - first)];
      index += count_[length];
      first = (first + count_[length]) << 1;
      code <<= 1;
    }
    return -1;
  }

 private:
  std::array<int, 16> count_{};
  std::vector<int> symbols_;
};

// RFC 1951 §3.2.6 and §3.2.7.
std::pair<Codes, Codes> codes_of_block(Bits& bits, bool fixed) {
  std::vector<int> lengths;
  if (fixed) {
    for (int n = 0; n < 288; ++n) lengths.push_back(n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8);
    return {Codes(lengths), Codes(std::vector<int>(30, 5))};
  }
  const size_t literals = bits.take(5) + 257, distances = bits.take(5) + 1,
               count = bits.take(4) + 4;
  std::vector<int> of_lengths(19, 0);
  constexpr size_t kOrder[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  for (size_t n = 0; n < count; ++n) of_lengths[kOrder[n]] = static_cast<int>(bits.take(3));
  const Codes codes(of_lengths);
  while (lengths.size() < literals + distances && !bits.ended()) {
    const int symbol = codes.next(bits);
    if (symbol < 16) {
      lengths.push_back(std::max(symbol, 0));
    } else {
      const int again = symbol == 16 && !lengths.empty() ? lengths.back() : 0;
      const unsigned times = symbol == 16   ? 3 + bits.take(2)
                             : symbol == 17 ? 3 + bits.take(3)
                                            : 11 + bits.take(7);
      lengths.insert(lengths.end(), times, again);
    }
  }
  lengths.resize(literals + distances, 0);
  const auto middle = lengths.begin() + static_cast<ptrdiff_t>(literals);
  return {Codes({lengths.begin(), middle}), Codes({middle, lengths.end()})};
}

// PNG §9.4
int paeth(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int to_left = std::abs(guess - left), to_up = std::abs(guess - up),
            to_corner = std::abs(guess - corner);
  return to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
}

}  // namespace

std::string inflate(std::string_view packed, size_t size) {
  Bits bits(packed);
  std::string out;
  for (bool last = false; !last && !bits.ended() && out.size() < size;) {
    last = bits.take(1) != 0;
    const unsigned kind = bits.take(2);
    if (kind == 3) break;
    if (kind == 0) {
      bits.to_next_byte();
      const unsigned length = bits.take(16);
      bits.take(16);  // its complement
      for (unsigned n = 0; n < length && !bits.ended(); ++n) out += static_cast<char>(bits.take(8));
      continue;
    }
    const auto [literals, distances] = codes_of_block(bits, kind == 1);
    while (!bits.ended() && out.size() < size) {
      const int symbol = literals.next(bits);
      if (symbol < 0 || symbol > 285) return out;
      if (symbol == 256) break;
      if (symbol < 256) {
        out += static_cast<char>(symbol);
        continue;
      }
      // RFC 1951 §3.2.5
      constexpr unsigned kLength[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                      15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                      67, 83, 99, 115, 131, 163, 195, 227, 258};
      constexpr int kLengthBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                     2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
      constexpr unsigned kDistance[] = {
          1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
          193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
      const unsigned length = kLength[symbol - 257] + bits.take(kLengthBits[symbol - 257]);
      const int code = distances.next(bits);
      if (code < 0 || code > 29) return out;
      const size_t distance = kDistance[code] + bits.take(std::max(0, code / 2 - 1));
      if (distance > out.size()) return out;
      for (unsigned n = 0; n < length; ++n) out += out[out.size() - distance];
    }
  }
  return out;
}

Picture read_png(const std::filesystem::path& file) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes.ok()) return {};
  const Result<lab::PngParts> parts = lab::take_png_apart(*bytes);
  if (!parts.ok()) return {};
  Picture out;
  out.width = parts->width;
  out.height = parts->height;
  const size_t channels = static_cast<size_t>(parts->channels);
  const size_t row_size = static_cast<size_t>(out.width) * channels,
               height = static_cast<size_t>(out.height);
  const std::string rows =
      inflate(std::string_view(parts->packed).substr(2), height * (row_size + 1));
  if (rows.size() < height * (row_size + 1)) return {};
  out.rgba.reserve(height * static_cast<size_t>(out.width) * 4);
  std::vector<int> before(row_size, 0), row(row_size, 0);
  for (size_t y = 0; y < height; ++y) {
    const std::string_view filtered =
        std::string_view(rows).substr(y * (row_size + 1), row_size + 1);
    for (size_t x = 0; x < row_size; ++x) {
      const int a = x >= channels ? row[x - channels] : 0, b = before[x],
                c = x >= channels ? before[x - channels] : 0;
      const int filter = filtered[0];
      const int guess = filter == 1   ? a
                        : filter == 2 ? b
                        : filter == 3 ? (a + b) / 2
                        : filter == 4 ? paeth(a, b, c)
                                      : 0;
      row[x] = (static_cast<unsigned char>(filtered[x + 1]) + guess) & 255;
    }
    for (size_t x = 0; x < row_size; ++x) {
      out.rgba.push_back(static_cast<uint8_t>(row[x]));
      if (channels == 3 && x % 3 == 2) out.rgba.push_back(255);
    }
    before = row;
  }
  return out;
}

}  // namespace warpshop::ui
