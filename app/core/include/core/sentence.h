// What the rooms say to people. A sentence is a value: its English form with named places, and what belongs into
// them. The terminal and JSON show it in English; the window says it in the language of the person before it.
//
//   sentence("{access} of {bytes} bytes at {address}", {{"access", sentence("read")}, {"bytes", 4}, …})
//   counted(lanes, "{count} lane", "{count} lanes")    one, or more, as the language counts
//   decimal(17.25, 1)                                  "17.2", with the language's own decimal mark
//   one.then(other)                                    two sentences, one after the other
//
// The English form is the key by which other languages know it (assets/text/; tests/ui/sentence_test.cc reads the
// sources and finds what the catalogue lacks). So it stands in the code as one literal, not put together from parts:
// languages order their words differently. What is not made by these functions (a name, a line of NVRTC's) is a text
// that is the same in every language.
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpshop {

// A language: how it says what the rooms say in English.
class Phrases {
 public:
  virtual ~Phrases() = default;
  // The sentence with the same places; the English one itself where the language has none.
  virtual std::string_view text(std::string_view english) const = 0;
  // The form for that many.
  virtual std::string_view counted(uint64_t count, std::string_view one, std::string_view more) const = 0;
  // A number as English writes it, "1,017.25", as the language writes it.
  virtual std::string number(std::string_view english) const = 0;
};

struct SentencePart;

class Sentence {
 public:
  Sentence() = default;
  // A text that is the same in every language. Implicit, so that names and what others wrote stay plain strings.
  Sentence(std::string text) : english_(std::move(text)) {}
  Sentence(std::string_view text) : english_(text) {}
  Sentence(const char* text) : english_(text) {}

  const std::string& english() const { return english_; }
  operator const std::string&() const { return english_; }
  operator std::string_view() const { return english_; }
  bool empty() const { return english_.empty(); }
  void clear() { *this = {}; }

  std::string in(const Phrases& language) const;

  // Appends; `glue` stands between the two where neither is empty.
  Sentence& then(Sentence next, std::string_view glue = " ");

  friend bool operator==(const Sentence& a, const Sentence& b) { return a.english_ == b.english_; }
  // A text in English, of which nothing is said in another language.
  friend std::string operator+(const Sentence& a, const Sentence& b) { return a.english_ + b.english_; }
  template <std::convertible_to<std::string_view> Text>
  friend std::string operator+(const Sentence& a, const Text& b) {
    return a.english_ + std::string(std::string_view(b));
  }
  template <std::convertible_to<std::string_view> Text>
  friend std::string operator+(const Text& a, const Sentence& b) {
    return std::string(std::string_view(a)) + b.english_;
  }
  friend std::ostream& operator<<(std::ostream& out, const Sentence& sentence);

 private:
  struct Recipe;
  std::string english_;
  std::shared_ptr<const Recipe> recipe_;  // null: the same in every language

  friend Sentence sentence(std::string_view english, std::vector<SentencePart> parts);
  friend Sentence counted(uint64_t count, std::string_view one, std::string_view more, std::vector<SentencePart> parts);
  friend Sentence decimal(double value, int digits);
  friend Sentence number(std::string english);
};

struct SentencePart {
  SentencePart(std::string_view name, Sentence what) : place(name), value(std::move(what)) {}
  SentencePart(std::string_view name, std::integral auto what) : place(name), value(std::to_string(what)) {}

  std::string place;  // its name: small letters and _
  Sentence value;
};

// A sentence by its English form. A place that is not given stays as it is written.
Sentence sentence(std::string_view english, std::vector<SentencePart> parts = {});
// `one` for a count of 1, else `more`, where {count} is the count; other languages may have further forms.
Sentence counted(uint64_t count, std::string_view one, std::string_view more, std::vector<SentencePart> parts = {});
// A number with that many digits after its decimal mark, its thousands grouped.
Sentence decimal(double value, int digits);
// A number that is formatted already, in English: "1,017.25".
Sentence number(std::string english);

// {name} in `text`, replaced; other braces stay.
std::string fill_places(std::string_view text, const std::vector<std::pair<std::string, std::string>>& parts);

}  // namespace warpshop
