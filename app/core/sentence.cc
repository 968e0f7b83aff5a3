#include "core/sentence.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <utility>

#include "core/grouped.h"

namespace warpshop {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

std::string Sentence::in(const Phrases& language) const {
  if (!recipe_) return english_;
  const Recipe& r = *recipe_;
  if (r.kind == Recipe::Kind::kNumber) return language.number(english_);
  if (r.kind == Recipe::Kind::kList) {
    std::string out;
    for (const SentencePart& part : r.parts) out += part.value.in(language);
    return out;
  }
  std::vector<std::pair<std::string, std::string>> parts;
  parts.reserve(r.parts.size());
  for (const SentencePart& part : r.parts) parts.emplace_back(part.place, part.value.in(language));
  return fill_places(r.kind == Recipe::Kind::kCounted ? language.counted(r.count, r.one, r.english)
                                                      : language.text(r.english),
                     parts);
}

Sentence& Sentence::then(Sentence next, std::string_view glue) {
  if (next.empty()) return *this;
  if (empty()) return *this = std::move(next);
  auto recipe = std::make_shared<Recipe>();
  recipe->kind = Recipe::Kind::kList;
  std::string english = english_ + std::string(glue) + next.english_;
  recipe->parts.emplace_back("", std::move(*this));
  recipe->parts.emplace_back("", Sentence(glue));
  recipe->parts.emplace_back("", std::move(next));
  english_ = std::move(english);
  recipe_ = std::move(recipe);
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Sentence& sentence) {
  return out << sentence.english_;
}

Sentence sentence(std::string_view english, std::vector<SentencePart> parts) {
  return counted(2, {}, english, std::move(parts));
}

Sentence counted(uint64_t count, std::string_view one, std::string_view more,
                 std::vector<SentencePart> parts) {
  auto recipe = std::make_shared<Sentence::Recipe>();
  recipe->english = more;
  recipe->parts = std::move(parts);
  if (!one.empty()) {
    recipe->kind = Sentence::Recipe::Kind::kCounted;
    recipe->one = one;
    recipe->count = count;
    recipe->parts.emplace_back("count", count);
  }
  std::vector<std::pair<std::string, std::string>> english;
  english.reserve(recipe->parts.size());
  for (const SentencePart& part : recipe->parts)
    english.emplace_back(part.place, part.value.english());
  Sentence out(fill_places(count == 1 ? one : more, english));
  out.recipe_ = std::move(recipe);
  return out;
}

Sentence decimal(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return number(grouped(text.data()));
}

Sentence number(std::string english) {
  auto recipe = std::make_shared<Sentence::Recipe>();
  recipe->kind = Sentence::Recipe::Kind::kNumber;
  Sentence out(std::move(english));
  out.recipe_ = std::move(recipe);
  return out;
}

std::string fill_places(std::string_view text,
                        const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    const size_t end = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    if (end == std::string_view::npos || !is_name(text.substr(at + 1, end - at - 1))) {
      out += text[at];
      continue;
    }
    const std::string_view name = text.substr(at + 1, end - at - 1);
    const auto part =
        std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == name; });
    if (part == parts.end()) {
      out += text[at];
      continue;
    }
    out += part->second;
    at = end;
  }
  return out;
}

}  // namespace warpshop
