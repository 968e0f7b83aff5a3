#include "sentence_json.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace warpshop::device {
namespace {

using Json = nlohmann::json;

// parts_of's output is only a few levels deep.
constexpr int kDeepest = 16;

Sentence put_together(const Json& json, int depth) {
  if (depth > kDeepest) throw std::runtime_error("too deep");
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) {
    Sentence out;
    for (const Json& item : json) out.then(put_together(item, depth + 1), "");
    return out;
  }
  if (json.contains("number")) return number(json.at("number").get<std::string>());
  std::vector<SentencePart> parts;
  for (const auto& [place, part] : json.at("with").items())
    parts.emplace_back(place, put_together(part, depth + 1));
  if (json.contains("text")) return sentence(json.at("text").get<std::string>(), std::move(parts));
  return counted(json.at("count").get<uint64_t>(), json.at("one").get<std::string>(),
                 json.at("more").get<std::string>(), std::move(parts));
}

}  // namespace

Json parts_of(const Sentence& sentence) {
  using Kind = Sentence::Recipe::Kind;
  const Sentence::Recipe* recipe = sentence.recipe();
  if (recipe == nullptr) return sentence.english();
  if (recipe->kind == Kind::kNumber) return {{"number", sentence.english()}};
  if (recipe->kind == Kind::kList) {
    Json list = Json::array();
    for (const SentencePart& part : recipe->parts) {
      const Json item = parts_of(part.value);
      if (item.is_array()) {
        list.insert(list.end(), item.begin(), item.end());
      } else if (!part.value.empty()) {
        list.push_back(item);
      }
    }
    return list;
  }
  Json with = Json::object();
  for (const SentencePart& part : recipe->parts) with[part.place] = parts_of(part.value);
  if (recipe->kind == Kind::kText) return {{"text", recipe->english}, {"with", with}};
  with.erase("count");
  return {
      {"one", recipe->one}, {"more", recipe->english}, {"count", recipe->count}, {"with", with}};
}

Sentence sentence_from(std::string english, const Json& parts) {
  try {
    Sentence out = put_together(parts, 0);
    if (out.english() == english) return out;
  } catch (const std::exception&) {
    // From another version, or damaged.
  }
  return english;
}

}  // namespace warpshop::device
