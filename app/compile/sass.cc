#include "compile/sass.h"

#include <algorithm>
#include <charconv>

#include "core/ascii.h"

namespace warpshop::compile {
namespace {

// "/*00a0*/  @!P0 BRA `(.L_x_0) ;" → its address and "@!P0 BRA L_x_0 ;"
bool read_instruction(std::string_view line, SassLine& out) {
  if (!line.starts_with("/*")) return false;
  const size_t end = line.find("*/");
  if (end == std::string_view::npos) return false;
  uint64_t address = 0;
  const std::string_view digits = line.substr(2, end - 2);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return false;
  out.address = static_cast<int64_t>(address);
  out.text.clear();
  // Labels are written as `(.L_x_0).
  line = trimmed(line.substr(end + 2));
  for (size_t n = 0; n < line.size(); ++n) {
    if (line.substr(n).starts_with("`(.")) {
      const size_t close = line.find(')', n);
      if (close != std::string_view::npos) {
        out.text += line.substr(n + 3, close - n - 3);
        n = close;
        continue;
      }
    }
    out.text += line[n];
  }
  return !out.text.empty();
}

}  // namespace

std::vector<SassKernel> read_disassembly(std::string_view text) {
  constexpr std::string_view kSection = "//--------------------- .text.";
  std::vector<SassKernel> out;
  int ptx_line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("//---------------------")) {
      ptx_line = 0;
      if (!line.starts_with(kSection)) {
        out.emplace_back();  // from another section; removed at the end
        continue;
      }
      line = line.substr(kSection.size());
      out.emplace_back().name = line.substr(0, line.find(' '));
      continue;
    }
    if (out.empty()) continue;
    if (line.starts_with("//## File")) {
      const size_t number = line.find("line ");
      ptx_line = 0;
      if (number != std::string_view::npos)
        (void)std::from_chars(line.data() + number + 5, line.data() + line.size(), ptx_line);
      continue;
    }
    SassLine shown;
    if (read_instruction(line, shown)) {
      shown.ptx_line = ptx_line;
      out.back().lines.push_back(std::move(shown));
    } else if (line.starts_with(".L_") && line.ends_with(':')) {
      shown.text = line.substr(1);
      out.back().lines.push_back(std::move(shown));
    }
  }
  std::erase_if(out, [](const SassKernel& k) { return k.name.empty(); });
  return out;
}

}  // namespace warpshop::compile
