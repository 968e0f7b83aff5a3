#include <utility>

#include "core/child_process.h"

namespace warpshop {

Result<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\'') {
      if (c == '\'')
        quote = '\0';
      else
        word.push_back(c);
    } else if (c == '\\' && i + 1 < text.size()) {
      word.push_back(text[++i]);
      in_word = true;
    } else if (quote == '"') {
      if (c == '"')
        quote = '\0';
      else
        word.push_back(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word.push_back(c);
      in_word = true;
    }
  }
  if (quote != '\0') {
    return make_error("usage", sentence("the command '{command}' has an unclosed {quote}",
                                        {{"command", text}, {"quote", std::string(1, quote)}}));
  }
  if (in_word) words.push_back(std::move(word));
  if (words.empty()) return make_error("usage", sentence("the command is empty"));
  return words;
}

}  // namespace warpshop
