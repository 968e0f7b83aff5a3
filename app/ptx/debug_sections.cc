#include "debug_sections.h"

#include <algorithm>
#include <charconv>

#include "core/ascii.h"

namespace warpshop::ptx {
namespace {

std::string_view next_line(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(line);
}

// ".debug_loc+204", "-3", "0x1f", "$L__tmp6"
void add_word(std::string_view word, int width, DebugSection& section) {
  if (word.empty()) return;
  uint64_t value = 0;
  const bool negative = word.front() == '-';
  if (negative || is_digit(word.front())) {
    if (negative) word.remove_prefix(1);
    const bool hex = word.starts_with("0x");
    if (hex) word.remove_prefix(2);
    (void)std::from_chars(word.data(), word.data() + word.size(), value, hex ? 16 : 10);
    if (negative) value = ~value + 1;
  } else {
    DebugSection::Reference& reference = section.references[section.bytes.size()];
    const size_t plus = word.find('+');
    reference.name = trimmed(word.substr(0, plus));
    if (plus != std::string_view::npos) {
      const std::string_view more = trimmed(word.substr(plus + 1));
      (void)std::from_chars(more.data(), more.data() + more.size(), reference.addend);
    }
  }
  for (int n = 0; n < width; ++n) section.bytes.push_back(static_cast<uint8_t>(value >> (8 * n)));
}

void add_line(std::string_view line, DebugSection& section) {
  const int width = line.starts_with(".b8")    ? 1
                    : line.starts_with(".b16") ? 2
                    : line.starts_with(".b32") ? 4
                    : line.starts_with(".b64") ? 8
                                               : 0;
  if (width == 0) return;
  line = line.substr(width == 1 ? 3 : 4);
  for (;;) {
    const size_t comma = line.find(',');
    add_word(trimmed(line.substr(0, comma)), width, section);
    if (comma == std::string_view::npos) return;
    line = line.substr(comma + 1);
  }
}

}  // namespace

std::map<std::string, DebugSection, std::less<>> read_debug_sections(std::string_view text) {
  std::map<std::string, DebugSection, std::less<>> out;
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view line = next_line(rest);
    if (!line.starts_with(".section")) continue;
    line = trimmed(line.substr(8));
    std::string_view name = line.substr(0, line.find_first_of(" \t{"));
    DebugSection& section = out[std::string(name)];
    while (!rest.empty()) {
      line = next_line(rest);
      if (line.starts_with('}')) break;
      add_line(line, section);
    }
  }
  return out;
}

uint64_t DebugReader::number(int bytes) {
  uint64_t value = 0;
  if (at_ + static_cast<size_t>(bytes) > section_->bytes.size()) {
    good_ = false;
    at_ = section_->bytes.size();
    return 0;
  }
  for (int n = 0; n < bytes; ++n) value |= uint64_t{section_->bytes[at_++]} << (8 * n);
  return value;
}

uint64_t DebugReader::uleb() {
  uint64_t value = 0;
  for (int shift = 0; good_; shift += 7) {
    const uint64_t byte = number(1);
    if (shift < 64) value |= (byte & 0x7f) << shift;
    if (!(byte & 0x80)) break;
  }
  return value;
}

int64_t DebugReader::sleb() {
  uint64_t value = 0;
  for (int shift = 0; good_; shift += 7) {
    const uint64_t byte = number(1);
    if (shift < 64) value |= (byte & 0x7f) << shift;
    if (byte & 0x80) continue;
    if (shift + 7 < 64 && (byte & 0x40)) value |= ~uint64_t{0} << (shift + 7);
    break;
  }
  return static_cast<int64_t>(value);
}

std::string DebugReader::text() {
  std::string out;
  while (good_) {
    const auto c = static_cast<char>(number(1));
    if (c == 0) break;
    out += c;
  }
  return out;
}

void DebugReader::skip(uint64_t bytes) {
  good_ = good_ && bytes <= section_->bytes.size() - at_;
  at_ = good_ ? at_ + bytes : section_->bytes.size();
}

const DebugSection::Reference* DebugReader::reference() const {
  const auto found = section_->references.find(at_);
  return found == section_->references.end() ? nullptr : &found->second;
}

std::string DebugReader::register_name() {
  // Seven bits per byte, lowest first; names may not fit in a machine word.
  std::vector<bool> bits;
  while (good_) {
    const uint64_t byte = number(1);
    for (int n = 0; n < 7; ++n) bits.push_back(byte >> n & 1);
    if (!(byte & 0x80)) break;
  }
  std::string name;
  for (size_t at = 0; at + 8 <= bits.size() + 7; at += 8) {
    int c = 0;
    for (size_t n = 0; n < 8 && at + n < bits.size(); ++n) c |= (bits[at + n] ? 1 : 0) << n;
    if (c != 0) name.insert(name.begin(), static_cast<char>(c));
  }
  return name;
}

}  // namespace warpshop::ptx
