#include "mutate_ptx.h"

#include <cctype>
#include <random>
#include <set>
#include <vector>

#include "ptx/instructions.h"
#include "random_kernel.h"

namespace warpshop::fuzz {
namespace {

using Random = std::minstd_rand;

// Splits PTX into statements with their semicolon, braces, labels and directive lines, each with
// the white space after it.
std::vector<std::string> statements_of(std::string_view text) {
  std::vector<std::string> out;
  std::string current;
  bool in_string = false;
  bool in_comment = false;
  for (size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    current.push_back(c);
    if (in_comment) {
      in_comment = c != '\n';
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '/' && n + 1 < text.size() && text[n + 1] == '/') in_comment = true;
    if (c == ';' || c == '{' || c == '}' || c == '\n') {
      out.push_back(std::move(current));
      current.clear();
    }
  }
  if (!current.empty()) out.push_back(std::move(current));
  return out;
}

std::string joined(const std::vector<std::string>& statements) {
  std::string out;
  for (const std::string& s : statements) out += s;
  return out;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

struct Word {
  enum class Kind { kRegister, kModifier, kNumber, kName };
  size_t at = 0;
  size_t size = 0;
  Kind kind = Kind::kName;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> out;
  for (size_t n = 0; n < text.size();) {
    if (!is_word(text[n])) {
      ++n;
      continue;
    }
    size_t end = n;
    while (end < text.size() && (is_word(text[end]) || text[end] == ':')) ++end;
    const bool modifier = n > 0 && text[n - 1] == '.';
    const auto kind = text[n] == '%' ? Word::Kind::kRegister
                      : modifier     ? Word::Kind::kModifier
                      : std::isdigit(static_cast<unsigned char>(text[n])) != 0 ? Word::Kind::kNumber
                                                                               : Word::Kind::kName;
    out.push_back({n, end - n, kind});
    n = end;
  }
  return out;
}

const std::vector<std::string>& modifiers() {
  static const std::vector<std::string> all = [] {
    std::set<std::string> found = {
        "global",  "shared",  "local",   "const", "param",  "v2",    "v4",   "v8",      "volatile",
        "acquire", "release", "relaxed", "cta",   "gpu",    "sys",   "sync", "aligned", "arrive",
        "red",     "popc",    "pred",    "b8",    "b16",    "b32",   "b64",  "b128",    "u8",
        "s8",      "u16",     "s16",     "u32",   "s32",    "u64",   "s64",  "f16",     "bf16",
        "f16x2",   "bf16x2",  "f32",     "f64",   "tf32",   "trans", "x1",   "x2",      "x4",
        "m8n8",    "row",     "col",     "1d",    "2d",     "3d",    "a1d",  "a2d",     "cube",
        "trap",    "clamp",   "zero",    "wide",  "uni",    "idx",   "add",  "min",     "max",
        "cas",     "exch",    "inc",     "dec",   "ballot", "any",   "all",  "nc",      "align",
        "reg"};
    for (const ptx::InstructionRow& row : ptx::instruction_rows()) {
      size_t at = row.form.find('.');
      while (at != std::string_view::npos) {
        const size_t next = row.form.find_first_of("./", at + 1);
        found.emplace(
            row.form.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
        at =
            next != std::string_view::npos && row.form[next] == '.' ? next : std::string_view::npos;
      }
    }
    return std::vector<std::string>(found.begin(), found.end());
  }();
  return all;
}

size_t pick(Random& random, size_t n) { return n == 0 ? 0 : random() % n; }

std::string fresh_instruction(Random& random) {
  std::vector<uint8_t> bytes(48);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random() >> 8);
  Choices choices({bytes.data(), bytes.size()});
  return random_instruction(choices) + "\n";
}

std::string fresh_number(Random& random) {
  std::vector<uint8_t> bytes(12);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random() >> 8);
  Choices choices({bytes.data(), bytes.size()});
  return choices.immediate();
}

// Replaces one word of a statement by another of its kind.
void change_word(std::vector<std::string>& all, size_t at, Random& random) {
  std::string& statement = all[at];
  const std::vector<Word> words = words_of(statement);
  if (words.empty()) return;
  const Word word = words[pick(random, words.size())];
  std::string fresh;
  if (word.kind == Word::Kind::kModifier) {
    fresh = modifiers()[pick(random, modifiers().size())];
    if (random() % 8 == 0) {  // or remove it
      statement.erase(word.at - 1, word.size + 1);
      return;
    }
    if (random() % 8 == 0) fresh = statement.substr(word.at, word.size) + "." + fresh;
  } else if (word.kind == Word::Kind::kNumber) {
    // The register count in `%r<N>` is rarely very large, since declaring them one by one takes
    // many times as long as a run.
    const bool count = word.at > 0 && statement[word.at - 1] == '<' && random() % 64 != 0;
    fresh = count ? std::to_string(random() % 40) : fresh_number(random);
  } else {
    const std::string& donor = all[pick(random, all.size())];
    std::vector<Word> same;
    for (const Word& w : words_of(donor)) {
      if (w.kind == word.kind) same.push_back(w);
    }
    if (same.empty()) return;
    const Word& w = same[pick(random, same.size())];
    fresh = donor.substr(w.at, w.size);
  }
  statement.replace(word.at, word.size, fresh);
}

void change_once(std::vector<std::string>& all, Random& random) {
  const size_t at = pick(random, all.size());
  const auto here = all.begin() + static_cast<ptrdiff_t>(at);
  switch (random() % 12) {
    case 0:
      all.erase(here);
      break;
    case 1: {
      std::string copy = *here;
      all.insert(all.begin() + static_cast<ptrdiff_t>(pick(random, all.size())), std::move(copy));
      break;
    }
    case 2:
      std::swap(all[at], all[pick(random, all.size())]);
      break;
    case 3:
    case 4:
      all.insert(here, fresh_instruction(random));
      break;
    case 5:
      *here = fresh_instruction(random);
      break;
    case 6: {
      const size_t start = here->find_first_not_of(" \t\n");
      if (start == std::string::npos) break;
      if ((*here)[start] == '@') {
        here->erase(start, here->find(' ', start) - start);
      } else {
        here->insert(start, "@" + std::string(random() % 2 == 0 ? "!" : "") + "%q" +
                                std::to_string(random() % 8) + " ");
      }
      break;
    }
    default:
      change_word(all, at, random);
      break;
  }
}

}  // namespace

std::string mutate_ptx(std::string_view text, uint32_t seed) {
  Random random(seed + 1);
  std::vector<std::string> all = statements_of(text);
  const uint64_t changes = 1 + random() % 4;
  for (uint64_t n = 0; n < changes && !all.empty(); ++n) change_once(all, random);
  if (all.empty()) return fresh_instruction(random);
  return joined(all);
}

std::string cross_ptx(std::string_view one, std::string_view other, uint32_t seed) {
  Random random(seed + 1);
  std::vector<std::string> all = statements_of(one);
  const std::vector<std::string> more = statements_of(other);
  if (all.empty() || more.empty()) return std::string(one);
  const size_t from = pick(random, more.size());
  const size_t count = std::min(more.size() - from, 1 + pick(random, 12));
  const size_t at = pick(random, all.size());
  all.insert(all.begin() + static_cast<ptrdiff_t>(at), more.begin() + static_cast<ptrdiff_t>(from),
             more.begin() + static_cast<ptrdiff_t>(from + count));
  return joined(all);
}

}  // namespace warpshop::fuzz
