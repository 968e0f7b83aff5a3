#include "models/layout.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/ascii.h"

namespace warpshop::models {
namespace {

constexpr uint64_t kMostIndex = uint64_t{1} << 31;
constexpr int kDeepest = 16;  // parentheses inside one another

using Parts = std::vector<Layout::Part>;

uint64_t size_of(const Parts& parts) {
  uint64_t size = 1;
  for (const Layout::Part& part : parts) size *= part.extent;
  return size;
}

// A number, or a list of such.
struct Tree {
  size_t at = 0;  // in the text
  uint64_t number = 0;
  bool is_list = false;
  std::vector<Tree> items;
};

class LayoutReader {
 public:
  explicit LayoutReader(std::string_view text) : text_(text) {}

  Result<Layout> layout() {
    Layout out;
    if (take_word("Swizzle") || take_word("Sw") || take_word("S")) read_swizzle(out.swizzle);
    const std::optional<Tree> shape = tree(0);
    std::optional<Tree> strides;
    if (shape && take(':')) strides = tree(0);
    if (errors_.empty() && !at_end()) expected(sentence("the end"));
    if (errors_.empty()) add_modes(*shape, strides ? &*strides : nullptr, out);
    if (!errors_.empty()) return errors_;
    return out;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && is_white_space(text_[at_])) ++at_;
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    skip_space();
    const std::string_view left = text_.substr(at_);
    if (!left.starts_with(word)) return false;
    if (left.size() > word.size() && is_word_character(left[word.size()])) return false;
    at_ += word.size();
    return true;
  }
  void fail(size_t at, Sentence what) {
    if (!errors_.empty()) return;
    errors_.push_back(make_error_at({"", 1, static_cast<int>(at) + 1}, "usage", std::move(what)));
  }
  void expected(Sentence what) {
    skip_space();
    if (at_ == text_.size()) {
      fail(at_, sentence("expected {what} at the end", {{"what", std::move(what)}}));
    } else {
      fail(at_, sentence("expected {what} instead of “{found}” at character {column}",
                         {{"what", std::move(what)},
                          {"found", std::string(text_.substr(at_, 1))},
                          {"column", at_ + 1}}));
    }
  }

  std::optional<uint64_t> number() {
    skip_space();
    if (at_ + 1 < text_.size() && text_[at_] == '_' && is_digit(text_[at_ + 1])) ++at_;
    const size_t begin = at_;
    uint64_t value = 0;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      value = std::min(value * 10 + static_cast<uint64_t>(text_[at_] - '0'), kMostIndex);
      ++at_;
    }
    if (at_ > begin) return value;
    expected(sentence("a number"));
    return std::nullopt;
  }

  std::optional<Tree> tree(int depth) {
    skip_space();
    Tree out;
    out.at = at_;
    if (depth > kDeepest) {
      fail(at_, sentence("more than {most} parentheses inside one another", {{"most", kDeepest}}));
      return std::nullopt;
    }
    if (!take('(')) {
      const std::optional<uint64_t> value = number();
      if (!value) return std::nullopt;
      out.number = *value;
      return out;
    }
    out.is_list = true;
    do {
      std::optional<Tree> item = tree(depth + 1);
      if (!item) return std::nullopt;
      out.items.push_back(std::move(*item));
    } while (take(','));
    if (!take(')')) {
      expected(sentence("a comma or “)”"));
      return std::nullopt;
    }
    return out;
  }

  // <3,4,3> o, and the offset 0 that CuTe prints behind it.
  void read_swizzle(Swizzle& swizzle) {
    const size_t begin = at_;
    const auto read = [&](int& field, int sign) {
      const std::optional<uint64_t> value = number();
      if (value) field = sign * static_cast<int>(std::min<uint64_t>(*value, 64));
      return value.has_value();
    };
    if (!take('<')) return expected("“<”");
    if (!read(swizzle.bits, 1)) return;
    if (!take(',')) return expected(sentence("a comma"));
    if (!read(swizzle.base, 1)) return;
    if (take('>')) {
      swizzle.shift = swizzle.bits;  // swizzle.hpp's default
    } else {
      if (!take(',')) return expected(sentence("a comma"));
      if (!read(swizzle.shift, take('-') ? -1 : 1)) return;
      if (!take('>')) return expected("“>”");
    }
    // swizzle.hpp asserts the first; indices have 31 bits.
    if (std::abs(swizzle.shift) < swizzle.bits)
      return fail(begin, sentence("a swizzle's shift must be at least its number of bits, {bits}",
                                  {{"bits", swizzle.bits}}));
    if (swizzle.bits + swizzle.base + std::abs(swizzle.shift) > 31)
      return fail(begin, sentence("a swizzle of bits above bit 30"));
    if (!take_word("o")) return expected("“o”");
    const size_t before = at_;
    if (take_word("_0") || take_word("0")) {
      if (take_word("o")) return;
      at_ = before;
    }
  }

  // Whether each number and list of the shape has its like in the strides.
  bool agree(const Tree& shape, const Tree* strides) {
    if (!strides ||
        (strides->is_list == shape.is_list && strides->items.size() == shape.items.size()))
      return true;
    fail(strides->at, sentence("the strides must have the shape's parentheses: a stride for each "
                               "number of the shape"));
    return false;
  }

  // The numbers of a mode in order. `strides`: null for none.
  void add_parts(const Tree& shape, const Tree* strides, Parts& parts) {
    if (!agree(shape, strides)) return;
    if (!shape.is_list) {
      if (shape.number == 0) return fail(shape.at, sentence("an extent of 0"));
      parts.push_back({shape.number, strides ? strides->number : 0});
    }
    for (size_t n = 0; n < shape.items.size(); ++n)
      add_parts(shape.items[n], strides ? &strides->items[n] : nullptr, parts);
  }

  void add_modes(const Tree& shape, const Tree* strides, Layout& out) {
    if (!agree(shape, strides)) return;
    out.modes.resize(shape.is_list ? shape.items.size() : 1);
    if (!shape.is_list) add_parts(shape, strides, out.modes[0]);
    for (size_t n = 0; n < shape.items.size(); ++n)
      add_parts(shape.items[n], strides ? &strides->items[n] : nullptr, out.modes[n]);
    if (!errors_.empty()) return;
    uint64_t elements = 1, last = 0;
    for (Parts& mode : out.modes) {
      for (Layout::Part& part : mode) {
        if (!strides) part.stride = elements;
        elements = std::min(elements * part.extent, kMostIndex);
        if (elements > kMostLayoutElements)
          return fail(shape.at,
                      sentence("more than {most} elements", {{"most", kMostLayoutElements}}));
        last += (part.extent - 1) * part.stride;
        if (last >= kMostIndex) return fail(shape.at, sentence("an index of 2^31 or more"));
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  Diagnostics errors_;
};

uint64_t offset_in(const Parts& parts, uint64_t& coordinate) {
  uint64_t offset = 0;
  for (const Layout::Part& part : parts) {
    offset += coordinate % part.extent * part.stride;
    coordinate /= part.extent;
  }
  return offset;
}

}  // namespace

uint64_t Swizzle::operator()(uint64_t index) const {
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  return shift >= 0 ? index ^ (index >> shift & mask << base)
                    : index ^ (index & mask << base) << -shift;
}

uint64_t Layout::rows() const { return modes.size() < 2 ? 1 : size_of(modes[0]); }

uint64_t Layout::columns() const {
  uint64_t columns = 1;
  for (size_t mode = modes.size() < 2 ? 0 : 1; mode < modes.size(); ++mode)
    columns *= size_of(modes[mode]);
  return columns;
}

uint64_t Layout::at(uint64_t row, uint64_t column) const {
  uint64_t offset = 0;
  for (size_t mode = 0; mode < modes.size(); ++mode)
    offset += offset_in(modes[mode], mode == 0 && modes.size() > 1 ? row : column);
  return swizzle(offset);
}

uint64_t Layout::last_index() const {
  uint64_t last = 0;
  for (uint64_t row = 0; row < rows(); ++row) {
    for (uint64_t column = 0; column < columns(); ++column) last = std::max(last, at(row, column));
  }
  return last;
}

Result<Layout> parse_layout(std::string_view text) { return LayoutReader(text).layout(); }

}  // namespace warpshop::models
