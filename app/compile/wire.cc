#include "wire.h"

#include <algorithm>
#include <optional>

namespace warpshop::compile {
namespace {

using Recipe = Sentence::Recipe;

enum SentenceByte : uint8_t { kPlain, kText, kCounted, kNumber, kList };

// Our own sentences have only a few levels and are short.
constexpr int kDeepestSentence = 16;
constexpr size_t kMostSentenceBytes = size_t{16} << 20;

}  // namespace

void WireWriter::put(const std::string& text) {
  put(static_cast<uint32_t>(text.size()));
  out_ += text;
}

void WireWriter::put(const Sentence& sentence) {
  const Recipe* recipe = sentence.recipe();
  if (recipe == nullptr || recipe->kind == Recipe::Kind::kNumber) {
    put(uint8_t{recipe == nullptr ? kPlain : kNumber});
    put(sentence.english());
    return;
  }
  if (recipe->kind == Recipe::Kind::kList) {
    put(uint8_t{kList});
  } else if (recipe->kind == Recipe::Kind::kCounted) {
    put(uint8_t{kCounted});
    operator()(recipe->count, recipe->one, recipe->english);
  } else {
    put(uint8_t{kText});
    put(recipe->english);
  }
  // counted() adds its own part again.
  const size_t parts = recipe->parts.size() - (recipe->kind == Recipe::Kind::kCounted ? 1 : 0);
  put(static_cast<uint32_t>(parts));
  for (size_t n = 0; n < parts; ++n) operator()(recipe->parts[n].place, recipe->parts[n].value);
}

std::string_view WireReader::bytes(size_t count) {
  if (count > left_.size()) {
    fail();
    return {};
  }
  const std::string_view out = left_.substr(0, count);
  left_.remove_prefix(count);
  return out;
}

uint32_t WireReader::count() {
  uint32_t count = 0;
  get(count);
  if (count <= left_.size()) return count;
  fail();
  return 0;
}

void WireReader::get(std::string& text) {
  uint32_t size = 0;
  get(size);
  text = bytes(size);
}

void WireReader::get(DiagnosticKind& kind) {
  std::string name;
  get(name);
  if (const std::optional<DiagnosticKind> known = DiagnosticKind::named(name)) {
    kind = *known;
  } else {
    fail();
  }
}

void WireReader::get(Sentence& sentence) { sentence = sentence_at(0); }

Sentence WireReader::sentence_at(int depth) {
  uint8_t kind = 0;
  uint64_t count = 0;
  std::string one, english;
  get(kind);
  if (kind > kList || depth > kDeepestSentence) fail();
  if (kind == kCounted) operator()(count, one);
  if (kind != kList) get(english);
  if (failed_) return {};
  if (kind == kPlain) return english;
  if (kind == kNumber) return number(std::move(english));
  if (kind == kCounted && one.empty()) fail();

  std::vector<SentencePart> parts;
  size_t longest = 20;  // {count}
  size_t all = 0;
  const uint32_t size = this->count();
  for (uint32_t n = 0; n < size && !failed_; ++n) {
    std::string place;
    get(place);
    parts.emplace_back(place, sentence_at(depth + 1));
    longest = std::max(longest, parts.back().value.english().size());
    all += parts.back().value.english().size();
  }
  // Before it is made: a placeholder may stand in a text, and a text in a placeholder, many times.
  const std::string& text = one.size() > english.size() ? one : english;
  const auto places = static_cast<size_t>(std::max(
      std::count(one.begin(), one.end(), '{'), std::count(english.begin(), english.end(), '{')));
  const size_t made = text.size() + all + places * longest;
  if (made > kMostSentenceBytes - sentence_bytes_) fail();
  if (failed_) return {};
  sentence_bytes_ += made;

  if (kind == kText) return sentence(english, std::move(parts));
  if (kind == kCounted) return counted(count, one, english, std::move(parts));
  Sentence list;
  for (SentencePart& part : parts) list.then(std::move(part.value), "");
  return list;
}

}  // namespace warpshop::compile
