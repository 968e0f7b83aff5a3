#include "diagnostic_places.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "compile/cuda_tokens.h"
#include "core/ascii.h"
#include "core/demangle.h"
#include "core/lines.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;

// "_Z1kPf" → "k"; plain names stay.
std::string plain_name(const std::string& symbol) {
  std::string name = source_name(symbol);
  name = name.substr(0, name.find('<'));
  // "void k" for a template instance, "lab::k" for a namespace member.
  const size_t start = name.find_last_of(" :");
  return start == std::string::npos ? name : name.substr(start + 1);
}

// The numbers after ".loc": file, line, column.
bool read_loc(std::string_view line, int& file, int& source_line, int& column) {
  const size_t at = line.find(".loc");
  if (at == std::string_view::npos || line.find_first_not_of(" \t") != at) return false;
  const std::string fields(line.substr(at + 4));
  return std::sscanf(fields.c_str(), "%d %d %d", &file, &source_line, &column) == 3;
}

}  // namespace

size_t offset_of(std::string_view source, const SourcePlace& place) {
  const size_t at = place.line < 1 ? std::string_view::npos : offset_of_line(source, place.line);
  if (at == std::string_view::npos) return source.size();
  return std::min(source.size(), at + static_cast<size_t>(std::max(place.column, 1)) - 1);
}

SourcePlace end_of_source(std::string_view source, const std::string& file_name) {
  const size_t last = source.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return {file_name, 1, 1, 1};
  return place_in_text(source, last, 1, file_name);
}

SourcePlace longest_unrolled_loop(std::string_view source, const std::string& file_name) {
  const std::string text = without_comments(source);
  constexpr std::string_view kPragma = "#pragma";
  constexpr std::string_view kUnroll = "unroll";
  SourcePlace longest;
  longest.file = file_name;
  unsigned long long most = 0;
  for (size_t at = text.find(kPragma); at != std::string::npos; at = text.find(kPragma, at + 1)) {
    const size_t word = text.find_first_not_of(" \t", at + kPragma.size());
    if (word == std::string::npos || text.compare(word, kUnroll.size(), kUnroll) != 0) continue;
    // The largest number in the loop's head, or in the pragma if it limits the loop.
    const size_t end = text.find(')', word);
    unsigned long long count = 0;
    for (size_t n = word; n < std::min(end, text.size()); ++n) {
      if (!is_digit(text[n]) || is_word_character(text[n - 1])) continue;
      count = std::max(count, std::strtoull(text.c_str() + n, nullptr, 10));
    }
    if (longest.line > 0 && count <= most) continue;
    most = count;
    longest = place_in_text(text, at, kPragma.size(), file_name);
  }
  return longest;
}

void place_by_ptx(std::string_view ptx, const std::string& file_name, Diagnostics& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.file != kPtxName) continue;
    int best_line = 0;
    int best_column = 0;
    std::string_view rest = ptx;
    for (int number = 1; number <= diagnostic.place.line && !rest.empty(); ++number) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      int file = 0;
      int line = 0;
      int column = 0;
      if (read_loc(rest.substr(0, end), file, line, column) && file == 1 && line > 0) {
        best_line = line;
        best_column = column;
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (best_line > 0) diagnostic.place = {file_name, best_line, best_column, 0};
  }
}

void place_by_kernel(std::string_view source, const std::string& file_name,
                     Diagnostics& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.line > 0) continue;
    std::string message = diagnostic.message;
    const size_t open = message.find('\'');
    const size_t close = message.find('\'', open + 1);
    if (open == std::string::npos || close == std::string::npos) continue;
    const std::string name = plain_name(message.substr(open + 1, close - open - 1));
    const size_t at = find_word(source, name);
    if (at == std::string_view::npos) continue;
    diagnostic.place = place_in_text(source, at, name.size(), file_name);
    message.replace(open + 1, close - open - 1, name);
    diagnostic.message = message;
  }
}

void place_unfinished_end(std::string_view source, const std::string& file_name,
                          Diagnostics& diagnostics) {
  // Nothing else can be wrong with the words with which every trailer begins.
  constexpr std::string_view kFirstWords = "extern \"C\"", kSemicolon = "expected a \";\"";
  const auto blamed =
      std::find_if(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) {
        return d.severity == Severity::kError && d.place.file == kTrailerName &&
               d.place.line == 1 && d.place.column <= static_cast<int>(kFirstWords.size());
      });
  const std::vector<CudaToken> tokens = cuda_tokens(source);
  const auto last = std::find_if(tokens.rbegin(), tokens.rend(), [](const CudaToken& token) {
    return token.kind != TokenKind::kDirective;
  });
  if (blamed == diagnostics.end() || last == tokens.rend()) return;
  const SourcePlace place = place_in_text(source, last->end() - 1, 1, file_name);
  // `float extern "C"` and `struct S {…} extern "C"` are said to be unexpected, for the same
  // reason.
  const bool names_a_sign = blamed->message.english().starts_with("expected a \"");
  Diagnostic error = make_error_at(place, "compile",
                                   Sentence(names_a_sign ? blamed->message.english() : kSemicolon));
  if (error.message.english() == kSemicolon)
    error.help = sentence("put a ';' at the end of line {line}", {{"line", place.line}});
  // What else is said of the unfinished declaration may be true once it is finished.
  std::erase_if(diagnostics, [&](const Diagnostic& d) {
    return d.place.file == kTrailerName ||
           (d.place.file == file_name && d.place.line >= place.line);
  });
  diagnostics.push_back(std::move(error));
}

std::string short_name(const std::string& name, const std::vector<fs::path>& searched) {
  const auto below = [&name](const fs::path& folder) {
    const std::string way = folder.lexically_normal().string();
    const std::string start = way.ends_with('/') ? way : way + '/';
    return folder.is_absolute() && start != "/" && name.starts_with(start)
               ? name.substr(start.size())
               : std::string();
  };
  for (const fs::path& folder : searched) {
    if (std::string way = below(folder); !way.empty()) return way;
  }
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error) return name;
  if (std::string way = below(here); !way.empty()) return way;
  const std::string way = below(here.parent_path());
  return way.empty() ? name : "../" + way;
}

void shorten_names(const std::vector<fs::path>& searched, Diagnostics& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.place.file = short_name(diagnostic.place.file, searched);
    std::string text = diagnostic.message;
    const size_t before = text.size();
    for (const fs::path& folder : searched) {
      const std::string way = folder.string() + "/";
      if (!folder.is_absolute()) continue;
      for (size_t at = text.find(way); at != std::string::npos; at = text.find(way, at))
        text.erase(at, way.size());
    }
    if (text.size() != before) diagnostic.message = text;
  }
}

std::string with_plain_file_names(std::string ptx, const std::string& file_name,
                                  const std::vector<fs::path>& searched, const fs::path& here) {
  const std::string absolute[] = {(here / file_name).lexically_normal().string(),
                                  (here / kTrailerName).string()};
  const std::string plain[] = {file_name, std::string(kTrailerName)};
  for (size_t at = ptx.find("\t.file\t"); at != std::string::npos;
       at = ptx.find("\t.file\t", at + 1)) {
    const size_t open = ptx.find('"', at);
    const size_t close = open == std::string::npos ? open : ptx.find('"', open + 1);
    if (close == std::string::npos || ptx.find('\n', at + 1) < close) continue;
    const std::string given = ptx.substr(open + 1, close - open - 1);
    const std::string name = fs::path(given).lexically_normal().string();
    // "/proc/self/fd/10/../x.h" begins with a link: it is not "/proc/self/fd/x.h".
    std::string known = short_name(given, searched);
    if (known == given) known = short_name(name, searched);
    for (size_t i = 0; i < std::size(plain); ++i) {
      if (name == absolute[i]) known = plain[i];
    }
    ptx.replace(open + 1, close - open - 1, known);
  }
  return ptx;
}

}  // namespace warpshop::compile
