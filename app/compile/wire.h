// Values as bytes for another machine: little-endian, strings and lists with their lengths first.
// One function `fields(wire, value)` names a struct's members for both directions.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/diagnostic.h"
#include "core/sentence.h"

namespace warpshop::compile {

// The last value of an enumeration that starts with 0; each that is sent has its own.
template <typename Enum>
constexpr Enum kLastOf;
template <>
inline constexpr Severity kLastOf<Severity> = Severity::kNote;

class WireWriter {
 public:
  template <typename... Values>
  void operator()(const Values&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(out_); }

 private:
  template <typename Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void put(Number value);
  void put(const std::string& text);
  void put(const Sentence& sentence);
  void put(const DiagnosticKind& kind) { put(std::string(kind.name())); }
  template <typename Value>
  void put(const std::vector<Value>& list) {
    put(static_cast<uint32_t>(list.size()));
    for (const Value& value : list) put(value);
  }
  void put(const std::vector<uint8_t>& bytes) { put(std::string(bytes.begin(), bytes.end())); }
  template <typename Value>
  void put(const std::map<std::string, Value>& map) {
    put(static_cast<uint32_t>(map.size()));
    for (const auto& [key, value] : map) operator()(key, value);
  }
  template <typename Struct>
  requires std::is_class_v<Struct>
  void put(const Struct& value) { fields(*this, value); }

  std::string out_;
};

// Accepts any bytes. After the first value that is not as written by WireWriter, all that follow
// are empty, and done() is false.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}
  template <typename... Values>
  void operator()(Values&... values) {
    (get(values), ...);
  }
  void fail() {
    failed_ = true;
    left_ = {};
  }
  bool failed() const { return failed_; }
  // Everything was read, and nothing is left over.
  bool done() const { return !failed_ && left_.empty(); }

 private:
  std::string_view bytes(size_t count);
  template <typename Number>
  requires std::is_arithmetic_v<Number>
  void get(Number& value);
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void get(Enum& value) {
    uint8_t number = 0;
    get(number);
    if (number > static_cast<uint8_t>(kLastOf<Enum>)) return fail();
    value = static_cast<Enum>(number);
  }
  void get(std::string& text);
  void get(Sentence& sentence);
  void get(DiagnosticKind& kind);
  // The length of a list whose items have at least one byte each.
  uint32_t count();
  template <typename Value>
  void get(std::vector<Value>& list) {
    const uint32_t size = count();
    for (uint32_t n = 0; n < size && !failed_; ++n) get(list.emplace_back());
  }
  void get(std::vector<uint8_t>& list) {
    std::string text;
    get(text);
    list.assign(text.begin(), text.end());
  }
  template <typename Value>
  void get(std::map<std::string, Value>& map) {
    const uint32_t size = count();
    for (uint32_t n = 0; n < size && !failed_; ++n) {
      std::string key;
      get(key);
      get(map[key]);
    }
    if (map.size() != size) fail();
  }
  template <typename Struct>
  requires std::is_class_v<Struct>
  void get(Struct& value) { fields(*this, value); }
  Sentence sentence_at(int depth);

  std::string_view left_;
  size_t sentence_bytes_ = 0;  // of all sentences so far
  bool failed_ = false;
};

template <typename Number>
requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
void WireWriter::put(Number value) {
  if constexpr (std::is_same_v<Number, bool> || std::is_enum_v<Number>) {
    out_ += static_cast<char>(value);
  } else if constexpr (std::is_same_v<Number, double>) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    put(bits);
  } else {
    auto bits = static_cast<std::make_unsigned_t<Number>>(value);
    for (size_t n = 0; n < sizeof bits; ++n) {
      out_ += static_cast<char>(bits & 0xff);
      bits = static_cast<decltype(bits)>(uint64_t{bits} >> 8);
    }
  }
}

template <typename Number>
requires std::is_arithmetic_v<Number>
void WireReader::get(Number& value) {
  if constexpr (std::is_same_v<Number, bool>) {
    uint8_t number = 0;
    get(number);
    if (number > 1) fail();
    value = number == 1;
  } else if constexpr (std::is_same_v<Number, double>) {
    uint64_t bits = 0;
    get(bits);
    std::memcpy(&value, &bits, sizeof bits);
  } else {
    uint64_t bits = 0;
    const std::string_view text = bytes(sizeof value);
    for (size_t n = text.size(); n-- > 0;) bits = bits << 8 | static_cast<uint8_t>(text[n]);
    value = static_cast<Number>(bits);
  }
}

}  // namespace warpshop::compile
