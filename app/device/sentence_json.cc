#include "sentence_json.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpshop::device {
namespace {

using Json = nlohmann::json;

// The output of parts_of is only a few levels deep.
constexpr int kDeepest = 16;

// ASCII control characters reserved for this purpose; none of our texts contains them.
constexpr char kOpen = '\x02';  // starts a part: its kind, then fields, each after a kNext
constexpr char kClose = '\x03';
constexpr char kNext = '\x1f';
constexpr char kBrace = '\x0e';  // a { of the English text that is not a placeholder
constexpr std::string_view kMarks = "\x02\x03\x1f\x0e";

// The placeholders of a text, in order.
std::vector<std::string> places_of(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    out.emplace_back(text.substr(at + 1, end - at - 1));
  }
  return out;
}

// A pseudo-language that spells out how a sentence is built: Sentence::in() fills in the
// placeholders, recursively.
class Spelling final : public Phrases {
 public:
  std::string_view text(std::string_view english) const override {
    return keep(kOpen + std::string("t") + kNext + escaped(english) + with(english) + kClose);
  }
  std::string_view counted(uint64_t count, std::string_view one,
                           std::string_view more) const override {
    return keep(kOpen + std::string("c") + kNext + escaped(one) + kNext + escaped(more) + kNext +
                std::to_string(count) + with(std::string(one) + std::string(more)) + kClose);
  }
  std::string number(std::string_view english) const override {
    return kOpen + std::string("n") + kNext + std::string(english) + kClose;
  }

 private:
  static std::string escaped(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c == '{' ? kBrace : c;
    return out;
  }
  static std::string with(std::string_view text) {
    std::string out;
    for (const std::string& place : places_of(text))
      out += kNext + place + kNext + "{" + place + "}";
    return out;
  }
  std::string_view keep(std::string text) const { return kept_.emplace_back(std::move(text)); }

  mutable std::deque<std::string> kept_;
};

// Parses the output of Spelling up to the end of a field.
Json read_field(std::string_view& in);

Json read_part(std::string_view& in) {
  std::vector<Json> fields;
  while (!in.empty() && in.front() != kClose) {
    in.remove_prefix(1);  // kOpen, or the kNext before a field
    fields.push_back(read_field(in));
  }
  if (!in.empty()) in.remove_prefix(1);
  const std::string kind = fields.front().get<std::string>();
  if (kind == "n") return {{"number", fields.at(1)}};
  const bool counted = kind == "c";
  Json with = Json::object();
  for (size_t i = counted ? 4 : 2; i + 1 < fields.size(); i += 2)
    with[fields[i].get<std::string>()] = fields[i + 1];
  if (!counted) return {{"text", fields.at(1)}, {"with", with}};
  with.erase("count");
  return {{"one", fields.at(1)},
          {"more", fields.at(2)},
          {"count", std::stoull(fields.at(3).get<std::string>())},
          {"with", with}};
}

Json read_field(std::string_view& in) {
  std::vector<Json> items;
  while (!in.empty() && in.front() != kClose && in.front() != kNext) {
    if (in.front() == kOpen) {
      items.push_back(read_part(in));
      continue;
    }
    const size_t end = std::min(in.find_first_of(std::string_view("\x02\x03\x1f")), in.size());
    std::string plain(in.substr(0, end));
    for (char& c : plain) c = c == kBrace ? '{' : c;
    items.emplace_back(std::move(plain));
    in.remove_prefix(end);
  }
  if (items.empty()) return "";
  return items.size() == 1 ? items.front() : Json(items);
}

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
  if (sentence.english().find_first_of(kMarks) != std::string::npos) return sentence.english();
  const Spelling spelling;
  const std::string spelled = sentence.in(spelling);
  std::string_view in = spelled;
  return read_field(in);
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
