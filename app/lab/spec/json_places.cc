#include "spec/json_places.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "core/nesting.h"

namespace warpshop::lab {
namespace {

// An iterator that counts the characters handed to the lexer. All copies share the count.
struct ReadPosition {
  int line = 1;
  bool after_newline = false;  // the last character ended a line
};

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, ReadPosition* position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    position_->after_newline = *at_ == '\n';
    if (position_->after_newline) ++position_->line;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  ReadPosition* position_;
};

// Builds the tree from the parser's events.
class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const ReadPosition& position, std::string file)
      : position_(position), file_(std::move(file)) {}

  bool null() override { return put({.kind = PlacedJson::Kind::kNull, .line = position_.line}); }
  bool boolean(bool value) override {
    return put({.kind = PlacedJson::Kind::kFlag, .line = position_.line, .flag = value});
  }
  bool number_integer(number_integer_t value) override { return put_whole(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<uint64_t>(INT64_MAX)) return put_number(static_cast<double>(value));
    return put_whole(static_cast<int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override { return put_number(value); }
  bool string(string_t& value) override {
    return put({.kind = PlacedJson::Kind::kText, .line = position_.line, .text = std::move(value)});
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    return open({.kind = PlacedJson::Kind::kObject, .line = position_.line});
  }
  bool start_array(std::size_t) override {
    return open({.kind = PlacedJson::Kind::kList, .line = position_.line});
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (stack_.back().value.find(value) != nullptr) {
      errors_.push_back(make_error_at({file_, position_.line}, "json",
                                      "the key \"" + value + "\" stands twice in one object"));
    }
    stack_.back().key = value;
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 5, column 1: syntax error while …"
    std::string message = error.what();
    int line = position_.line;
    int column = 0;
    if (const size_t at = message.find(" at line "); at != std::string::npos) {
      std::sscanf(message.c_str() + at, " at line %d, column %d", &line, &column);
      if (const size_t rest = message.find(": ", at); rest != std::string::npos) {
        message.erase(0, rest + 2);
      }
    }
    if (message.starts_with("syntax error ")) message.erase(0, 13);
    errors_.push_back(make_error_at({file_, line, column}, "json", "this is not JSON: " + message));
    return false;
  }

  Result<PlacedJson> take() {
    if (!errors_.empty()) return std::move(errors_);
    return std::move(root_);
  }

 private:
  struct Open {
    PlacedJson value;
    std::string key;  // of the next member
  };

  // A number ends with the character after it, which may have ended the line.
  int number_line() const { return position_.line - (position_.after_newline ? 1 : 0); }
  bool put_whole(int64_t value) {
    return put({.kind = PlacedJson::Kind::kWhole,
                .line = number_line(),
                .whole = value,
                .number = static_cast<double>(value)});
  }
  bool put_number(double value) {
    return put({.kind = PlacedJson::Kind::kNumber, .line = number_line(), .number = value});
  }
  bool open(PlacedJson value) {
    if (stack_.size() == kDeepestNesting) {
      errors_.push_back(make_error_at(
          {file_, position_.line}, "json",
          "brackets are nested more than " + std::to_string(kDeepestNesting) + " levels deep"));
      return false;
    }
    stack_.push_back({std::move(value), {}});
    return true;
  }
  bool close() {
    PlacedJson value = std::move(stack_.back().value);
    stack_.pop_back();
    return put(std::move(value));
  }
  bool put(PlacedJson value) {
    if (stack_.empty()) {
      root_ = std::move(value);
    } else if (stack_.back().value.kind == PlacedJson::Kind::kList) {
      stack_.back().value.items.push_back(std::move(value));
    } else {
      stack_.back().value.members.emplace_back(std::move(stack_.back().key), std::move(value));
    }
    return true;
  }

  const ReadPosition& position_;
  std::string file_;
  std::vector<Open> stack_;
  PlacedJson root_;
  Diagnostics errors_;
};

}  // namespace

const PlacedJson* PlacedJson::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string_view name_of(PlacedJson::Kind kind) {
  switch (kind) {
    case PlacedJson::Kind::kNull:
      return "null";
    case PlacedJson::Kind::kFlag:
      return "true or false";
    case PlacedJson::Kind::kWhole:
      return "a whole number";
    case PlacedJson::Kind::kNumber:
      return "a number";
    case PlacedJson::Kind::kText:
      return "a string";
    case PlacedJson::Kind::kList:
      return "a list";
    case PlacedJson::Kind::kObject:
      return "an object";
  }
  return "";
}

Result<PlacedJson> parse_json(std::string_view text, const std::string& file) {
  ReadPosition position;
  TreeBuilder builder(position, file);
  const CountingIterator first(text.data(), &position);
  const CountingIterator last(text.data() + text.size(), &position);
  nlohmann::json::sax_parse(first, last, &builder);
  return builder.take();
}

}  // namespace warpshop::lab
