// Reads the sources for the tests of texts: each text that the program shows, and where it is.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/files.h"

namespace warpshop::ui {

// A word, mark or whole literal of C++; adjacent literals are one. Comments and preprocessor lines
// are left out.
struct Token {
  std::string text;  // of a literal: its contents
  bool literal = false;
  int line = 0;
};

inline std::vector<Token> tokens_of(const std::string& source) {
  std::vector<Token> out;
  int line = 1;
  bool line_start = true;
  for (size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (c == '\n') {
      ++line;
      ++at;
      line_start = true;
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++at;
      continue;
    }
    if ((c == '#' && line_start) || source.compare(at, 2, "//") == 0) {
      at = std::min(source.find('\n', at), source.size());
      continue;
    }
    line_start = false;
    if (c == '\'' || c == '"') {
      std::string text;
      size_t end = at + 1;
      for (; end < source.size() && source[end] != c; ++end) {
        if (source[end] == '\\' && end + 1 < source.size()) {
          ++end;
          text += source[end] == 'n' ? '\n' : source[end];
        } else {
          text += source[end];
        }
      }
      at = end + 1;
      if (c == '"') {
        if (!out.empty() && out.back().literal) {
          out.back().text += text;
        } else {
          out.push_back({text, true, line});
        }
      } else {
        out.push_back({"'" + text + "'", false, line});
      }
      continue;
    }
    size_t end = at + 1;
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;  // 1'000
      while (end < source.size() && (std::isalnum(static_cast<unsigned char>(source[end])) ||
                                     source[end] == '_' || (number && source[end] == '\''))) {
        ++end;
      }
    }
    out.push_back({source.substr(at, end - at), false, line});
    at = end;
  }
  return out;
}

// Marks the tokens that are arguments of a call of one of `names`, at any depth.
inline std::vector<bool> inside_calls(const std::vector<Token>& tokens,
                                      const std::set<std::string>& names) {
  std::vector<bool> inside(tokens.size());
  std::vector<bool> open;
  bool in = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].literal && tokens[i].text == "(") {
      open.push_back(in);
      in = in || (i > 0 && !tokens[i - 1].literal && names.contains(tokens[i - 1].text));
    } else if (!tokens[i].literal && tokens[i].text == ")" && !open.empty()) {
      in = open.back();
      open.pop_back();
    }
    inside[i] = in;
  }
  return inside;
}

// True for text meant for people: words with a space between them, or a capitalised word.
inline bool is_text(const std::string& literal) {
  const std::string text = literal.substr(0, literal.find("##"));
  bool letters = false;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    const auto at = [&](size_t n) {
      return n < text.size() ? static_cast<unsigned char>(text[n]) : 0;
    };
    letters |= std::isalpha(at(i)) && std::isalpha(at(i + 1));
    if (std::isalpha(at(i)) && at(i + 1) == ' ' && std::isalpha(at(i + 2))) return true;
  }
  return letters && text.size() >= 2 && std::isupper(static_cast<unsigned char>(text[0])) &&
         std::islower(static_cast<unsigned char>(text[1]));
}

// The sources below a folder of the project, by their paths from its root.
inline std::map<std::string, std::vector<Token>> sources_in(const std::filesystem::path& project,
                                                            const std::string& folder) {
  std::map<std::string, std::vector<Token>> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(project / folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".h") continue;
    out[std::filesystem::relative(entry.path(), project).string()] =
        tokens_of(*read_file(entry.path()));
  }
  return out;
}

// A text, with its place in a source.
struct ShownText {
  std::string text;
  std::string file;
  int line = 0;
};

// Finds the literals passed as first argument to one of `says`, or as second and third argument to
// `counted`.
inline std::vector<ShownText> texts_shown(const std::map<std::string, std::vector<Token>>& sources,
                                          const std::set<std::string>& says,
                                          const std::string& counted) {
  std::vector<ShownText> out;
  for (const auto& [file, tokens] : sources) {
    for (size_t i = 0; i + 2 < tokens.size(); ++i) {
      const bool is_counted = tokens[i].text == counted;
      if (tokens[i].literal || (!is_counted && !says.contains(tokens[i].text)) ||
          tokens[i + 1].literal || tokens[i + 1].text != "(") {
        continue;
      }
      size_t at = i + 2;
      if (is_counted) {
        for (int depth = 0;
             at < tokens.size() && !(depth == 0 && tokens[at].text == "," && !tokens[at].literal);
             ++at) {
          if (tokens[at].literal) continue;
          depth += tokens[at].text == "(" || tokens[at].text == "{" || tokens[at].text == "[";
          depth -= tokens[at].text == ")" || tokens[at].text == "}" || tokens[at].text == "]";
        }
        ++at;
      }
      for (int n = is_counted ? 2 : 1; n > 0 && at < tokens.size() && tokens[at].literal;
           --n, at += 2) {
        out.push_back({tokens[at].text, file, tokens[at].line});
      }
    }
  }
  return out;
}

// The sources whose sentences appear in the window: of each of these rooms, and those files of the
// server that answer a browser's lab. The others write to the terminal, to reports and to the
// grading log.
inline std::vector<std::map<std::string, std::vector<Token>>> speaking_sources(
    const std::filesystem::path& project) {
  std::vector<std::map<std::string, std::vector<Token>>> out;
  for (const char* room : {"core", "compile", "device", "emulator", "models", "timing", "lab"})
    out.push_back(sources_in(project, std::string("app/") + room));
  out.emplace_back();
  for (const char* file :
       {"app/serve/compile_child.cc", "app/serve/compile_process.cc", "app/serve/gpu_queue.cc"})
    out.back()[file] = tokens_of(*read_file(project / file));
  return out;
}

inline std::vector<ShownText> sentences_of_rooms(const std::filesystem::path& project) {
  std::vector<ShownText> out;
  for (const auto& sources : speaking_sources(project)) {
    const std::vector<ShownText> said = texts_shown(sources, {"sentence"}, "counted");
    out.insert(out.end(), said.begin(), said.end());
  }
  return out;
}

// Sentences in tables of those rooms, which are not literals in a call.
std::vector<std::string> sentences_of_tables();

}  // namespace warpshop::ui
