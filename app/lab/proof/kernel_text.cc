#include "proof/kernel_text.h"

#include <algorithm>
#include <initializer_list>

#include "core/ascii.h"
#include "core/cpp_text.h"

namespace warpshop::lab {
namespace {

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The next position that is code and not a blank.
size_t code_from(std::string_view text, size_t at, size_t end) {
  while (at < end) {
    const size_t past = past_unread(text, at);
    if (past == at && !is_white_space(text[at])) break;
    at = past == at ? at + 1 : past;
  }
  return std::min(at, end);
}

std::string_view word_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && is_word_character(text[end])) ++end;
  return text.substr(at, end - at);
}

// The position after the first `wanted` outside brackets; if `wanted` closes the bracket at `at`,
// after that one.
size_t past_sign(std::string_view text, size_t at, size_t end, char wanted) {
  int depth = 0;
  for (at = code_from(text, at, end); at < end; at = code_from(text, at + 1, end)) {
    const char c = text[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == wanted && depth <= 0) return at + 1;
    if (depth < 0) break;
  }
  return std::string_view::npos;
}

// The code's words and punctuation characters, in order.
template <typename See>
void for_each_word(std::string_view text, size_t begin, size_t end, See see) {
  for (size_t at = code_from(text, begin, end); at < end;) {
    const std::string_view word =
        is_word_character(text[at]) ? word_at(text, at) : text.substr(at, 1);
    see(at, word);
    at = code_from(text, at + word.size(), end);
  }
}

// Whether the statement assigns and indexes something. `begin` is its first word.
bool assigns_with_index(std::string_view text, size_t begin, size_t end) {
  const std::string_view first = word_at(text, begin);
  if (is_any_of(first, {"return", "break", "continue", "case", "default", "goto", "using",
                        "typedef", "asm"}))
    return false;
  // A declaration: a word after the type.
  const size_t next = code_from(text, begin + first.size(), end);
  if (!first.empty() && next < end &&
      (is_word_character(text[next]) || text[next] == '*' || text[next] == '&' ||
       text[next] == '<' || text[next] == ':')) {
    return false;
  }
  for (size_t at = code_from(text, begin, end); at < end; at = code_from(text, at + 1, end)) {
    const bool compares = at + 1 < end && text[at + 1] == '=';
    const bool compared =
        at > begin && std::string_view("=!<>").find(text[at - 1]) != std::string_view::npos;
    if (text[at] == '=' && !compares && !compared)
      return text.substr(begin, end - begin).find('[') != std::string_view::npos;
  }
  return false;
}

// Parses name[32][33]; none: something else.
std::optional<SharedArray> array_of(std::string_view text, size_t at, size_t end) {
  SharedArray out;
  at = code_from(text, at, end);
  out.name = word_at(text, at);
  if (out.name.empty()) return std::nullopt;
  at = code_from(text, at + out.name.size(), end);
  while (at < end && text[at] == '[') {
    const size_t past = past_sign(text, at, end, ']');
    if (past == std::string_view::npos) return std::nullopt;
    out.extents.emplace_back(text.substr(at + 1, past - at - 2));
    at = code_from(text, past, end);
  }
  return at >= end && !out.extents.empty() ? std::optional(out) : std::nullopt;
}

// Parses from after __shared__ to the semicolon.
std::optional<SharedDeclaration> shared_declaration_at(std::string_view text, size_t begin,
                                                       size_t end) {
  SharedDeclaration out;
  size_t at = code_from(text, begin, end);
  // The words before the array's name.
  size_t name = at;
  while (at < end && (is_word_character(text[at]) || text[at] == '(')) {
    if (text[at] == '(') {  // __align__(16)
      at = past_sign(text, at, end, ')');
      if (at == std::string_view::npos) return std::nullopt;
      begin = at = code_from(text, at, end);
      continue;
    }
    name = at;
    at = code_from(text, at + word_at(text, at).size(), end);
  }
  if (at >= end || text[at] != '[' || name <= begin) return std::nullopt;
  out.type = text.substr(begin, name - begin);
  out.type.erase(0, out.type.find_first_not_of(" \t\r\n"));
  out.type.erase(out.type.find_last_not_of(" \t\r\n") + 1);
  if (out.type.empty()) return std::nullopt;
  while (name < end) {
    const size_t comma = past_sign(text, name, end, ',');
    const size_t stop = comma == std::string_view::npos ? end : comma - 1;
    const std::optional<SharedArray> array = array_of(text, name, stop);
    if (!array) return std::nullopt;
    out.arrays.push_back(*array);
    name = comma == std::string_view::npos ? end : comma;
  }
  return out;
}

}  // namespace

bool KernelText::has_barrier() const {
  bool found = false;
  for_each_word(text, body_begin, body_end, [&found](size_t, std::string_view word) {
    found = found || word.starts_with("__sync") || word.ends_with("_sync") ||
            word == "this_thread_block" || word == "tiled_partition";
  });
  return found;
}

bool KernelText::indexes(std::string_view name) const {
  bool found = false;
  std::string_view last;
  for_each_word(text, body_begin, body_end, [&](size_t, std::string_view word) {
    found = found || (last == name && word == "[");
    last = word;
  });
  return found;
}

std::vector<size_t> KernelText::words(std::string_view wanted) const {
  std::vector<size_t> out;
  for_each_word(text, body_begin, body_end, [&](size_t at, std::string_view word) {
    if (word == wanted) out.push_back(at);
  });
  return out;
}

std::optional<TextSpan> KernelText::parameter(std::string_view name) const {
  std::optional<TextSpan> out;
  for_each_word(text, open + 1, close, [&](size_t at, std::string_view word) {
    if (word == name) out = TextSpan{at, at + word.size()};
  });
  return out;
}

std::vector<TextSpan> KernelText::array_assignments() const {
  std::vector<TextSpan> out;
  for (size_t at = code_from(text, body_begin, body_end); at < body_end;
       at = code_from(text, at, body_end)) {
    const std::string_view word = word_at(text, at);
    if (is_any_of(word, {"for", "while", "if", "switch"})) {
      const size_t bracket = std::min(text.find('(', at), body_end);
      at = std::min(past_sign(text, bracket, body_end, ')'), body_end);
    } else if (is_any_of(word, {"else", "do"})) {
      at += word.size();
    } else if (word.empty() && (text[at] == '{' || text[at] == '}' || text[at] == ';')) {
      ++at;
    } else {
      const size_t end = std::min(past_sign(text, at, body_end, ';'), body_end);
      if (assigns_with_index(text, at, end)) out.push_back({at, end});
      at = end;
    }
  }
  return out;
}

std::vector<SharedDeclaration> KernelText::shared_declarations() const {
  std::vector<SharedDeclaration> out;
  bool is_extern = false;
  for_each_word(text, body_begin, body_end, [&](size_t at, std::string_view word) {
    if (word == "__shared__" && !is_extern) {
      const size_t end = past_sign(text, at, body_end, ';');
      if (end != std::string_view::npos) {
        if (auto declaration = shared_declaration_at(text, at + word.size(), end - 1)) {
          declaration->span = {at, end};
          out.push_back(std::move(*declaration));
        }
      }
    }
    is_extern = word == "extern";
  });
  return out;
}

std::optional<KernelText> kernel_text(std::string_view text, std::string_view function) {
  std::optional<KernelText> out;
  for_each_word(text, 0, text.size(), [&](size_t at, std::string_view word) {
    if (out || word != function) return;
    const size_t open = code_from(text, at + word.size(), text.size());
    if (open >= text.size() || text[open] != '(') return;
    const size_t past = past_sign(text, open, text.size(), ')');
    if (past == std::string_view::npos) return;
    const size_t body = code_from(text, past, text.size());
    if (body >= text.size() || text[body] != '{') return;
    const size_t end = past_sign(text, body, text.size(), '}');
    if (end != std::string_view::npos) out = KernelText{text, open, past - 1, body + 1, end - 1};
  });
  return out;
}

std::optional<std::string> with_dynamic_bytes(std::string_view text, std::string_view bytes) {
  std::vector<size_t> places;
  bool is_return = false;
  for_each_word(text, 0, text.size(), [&](size_t at, std::string_view word) {
    if (is_return && word == "{") {
      const size_t end = past_sign(text, at, text.size(), '}');
      const size_t first = past_sign(text, at + 1, text.size(), ',');
      const bool one_comma = end != std::string_view::npos && first < end &&
                             past_sign(text, first, end - 1, ',') == std::string_view::npos;
      if (one_comma) places.push_back(end - 1);
    }
    is_return = word == "return";
  });
  if (places.empty()) return std::nullopt;
  std::string out(text);
  for (auto at = places.rbegin(); at != places.rend(); ++at)
    out.insert(*at, ", " + std::string(bytes));
  return out;
}

}  // namespace warpshop::lab
