#include "profiles/kernel_names.h"

#include "core/ascii.h"
#include "core/demangle.h"

namespace warpshop::lab {
namespace {

// "<float,32>" for "<float, (int)32>", "<float, 32u>": demanglers differ in spaces, casts, suffixes
// and booleans.
std::string plain_arguments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    bool skipped = false;
    for (const std::string_view cast :
         {" ", "(int)", "(unsigned int)", "(long)", "(unsigned long)", "(bool)", "(short)",
          "(unsigned short)", "(char)", "(long long)", "(unsigned long long)"}) {
      if (!text.starts_with(cast)) continue;
      text.remove_prefix(cast.size());
      skipped = true;
      break;
    }
    if (skipped) continue;
    if (text.starts_with("true") || text.starts_with("false")) {
      out += text.front() == 't' ? '1' : '0';
      text.remove_prefix(text.front() == 't' ? 4 : 5);
      continue;
    }
    const bool suffix = (text.front() == 'u' || text.front() == 'l' || text.front() == 'U' ||
                         text.front() == 'L') &&
                        !out.empty() && is_digit(out.back());
    if (!suffix) out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

}  // namespace

PlainName plain_name(std::string_view kernel) {
  std::string text(kernel);
  if (text.starts_with("_Z")) text = demangled(text).value_or(source_name(text));
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  for (size_t at = text.find(kAnonymous); at != std::string::npos; at = text.find(kAnonymous))
    text.erase(at, kAnonymous.size());
  // Outside template arguments: the name starts after the last space or "::", and ends at '('.
  int depth = 0;
  size_t start = 0, arguments = std::string::npos, end = text.size();
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '<' && depth++ == 0) arguments = at;
    if (c == '>' && depth > 0) --depth;
    if (depth > 0) continue;
    if (c == '(') {
      end = at;
      break;
    }
    if (c == ' ' || c == ':') {
      start = at + 1;
      arguments = std::string::npos;
    }
  }
  if (arguments == std::string::npos || arguments < start || arguments > end) arguments = end;
  return {text.substr(start, arguments - start),
          plain_arguments(std::string_view(text).substr(arguments, end - arguments))};
}

bool may_be_same(const PlainName& a, const PlainName& b) {
  return a.name == b.name && !a.name.empty() &&
         (a.arguments == b.arguments || a.arguments.empty() || b.arguments.empty());
}

}  // namespace warpshop::lab
