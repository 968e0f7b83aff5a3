// Messages for people. A sentence is a value: its English text with named placeholders, and the
// values to fill in. The terminal and JSON show it in English, the window in the user's language.
//
//   sentence("{access} of {bytes} bytes", {{"access", sentence("read")}, {"bytes", 4}})
//   counted(lanes, "{count} lane", "{count} lanes")    singular or plural, by the language's rules
//   decimal(17.25, 1)                                  "17.2", with the language's decimal mark
//   one.then(other)                                    one sentence followed by another
//
// The English text is the key under which other languages translate it (assets/text/); tests/ui
// writes and checks the English catalogue from the sources. So it must be a single literal in the
// code, never assembled from parts: word order differs between languages.
// Text that does not come from these functions (a name, a line from NVRTC) is the same in every
// language.
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

// A language: translates the rooms' English sentences.
class Phrases {
 public:
  virtual ~Phrases() = default;
  // The translated sentence with the same placeholders, or the English one if there is no
  // translation.
  virtual std::string_view text(std::string_view english) const = 0;
  // The grammatical form for `count`.
  virtual std::string_view counted(uint64_t count, std::string_view one,
                                   std::string_view more) const = 0;
  // Converts a number from English notation, "1,017.25", to the language's own.
  virtual std::string number(std::string_view english) const = 0;
};

struct SentencePart;

class Sentence {
 public:
  Sentence() = default;
  // A text that is the same in every language. Implicit, so that names and third-party text can
  // stay plain strings.
  Sentence(std::string text) : english_(std::move(text)) {}
  Sentence(std::string_view text) : english_(text) {}
  Sentence(const char* text) : english_(text) {}

  const std::string& english() const { return english_; }
  operator const std::string&() const { return english_; }
  operator std::string_view() const { return english_; }
  bool empty() const { return english_.empty(); }
  void clear() { *this = {}; }

  std::string in(const Phrases& language) const;

  struct Recipe;
  // How the sentence was made. Null: it is the same in every language.
  const Recipe* recipe() const { return recipe_.get(); }

  // Appends `next`, with `glue` in between if neither is empty.
  Sentence& then(Sentence next, std::string_view glue = " ");

  friend bool operator==(const Sentence& a, const Sentence& b) { return a.english_ == b.english_; }
  // Concatenates the English texts; the result has no translation.
  friend std::string operator+(const Sentence& a, const Sentence& b) {
    return a.english_ + b.english_;
  }
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
  std::string english_;
  std::shared_ptr<const Recipe> recipe_;

  friend Sentence sentence(std::string_view english, std::vector<SentencePart> parts);
  friend Sentence counted(uint64_t count, std::string_view one, std::string_view more,
                          std::vector<SentencePart> parts);
  friend Sentence decimal(double value, int digits);
  friend Sentence number(std::string english);
};

struct SentencePart {
  SentencePart(std::string_view name, Sentence what) : place(name), value(std::move(what)) {}
  SentencePart(std::string_view name, std::integral auto what)
      : place(name), value(std::to_string(what)) {}

  std::string place;  // placeholder name: lower-case letters and _
  Sentence value;
};

struct Sentence::Recipe {
  enum class Kind { kText, kCounted, kNumber, kList };
  Kind kind = Kind::kText;
  std::string english = {};  // the key; for a counted sentence, the plural's
  std::string one = {};
  uint64_t count = 0;
  std::vector<SentencePart> parts = {};  // for a list: sentences, alternating with their separators
};

// Looks up a sentence by its English text. A placeholder without a value stays as written.
Sentence sentence(std::string_view english, std::vector<SentencePart> parts = {});
// `one` for a count of 1, else `more`; {count} is the count. Other languages may have more forms.
Sentence counted(uint64_t count, std::string_view one, std::string_view more,
                 std::vector<SentencePart> parts = {});
// A number with `digits` decimals and grouped thousands.
Sentence decimal(double value, int digits);
// A number already formatted the English way: "1,017.25".
Sentence number(std::string english);

// Replaces each {name} in `text`; other braces stay.
std::string fill_places(std::string_view text,
                        const std::vector<std::pair<std::string, std::string>>& parts);

}  // namespace warpshop
