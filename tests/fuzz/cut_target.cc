#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/cuda_tokens.h"
#include "compile/device_source.h"
#include "fuzz_targets.h"
#include "own_folder.h"

namespace warpshop::fuzz {
namespace {

using compile::DeviceSource;
using Lines = std::vector<std::string_view>;

constexpr std::string_view kProgram = "p.cu";

// The program's own headers: one with an include guard, one without, two that include each other.
constexpr std::pair<std::string_view, std::string_view> kHeaders[] = {
    {"a.h",
     "#pragma once\n#define HD __host__ __device__\nHD int a();\nint host_a() {\n  return 1;\n}\n"},
    {"b.h", "int host_b;\n__device__ int b() { return 2; }"},
    {"c.h", "#include \"d.h\"\nstruct C { int c; };\n"},
    {"d.h", "#include \"c.h\"\n#include <vector>\n__constant__ int d[4];\n"}};

[[noreturn]] void fail(const char* what, std::string_view one, std::string_view other) {
  std::fprintf(stderr, "%s:\n%.*s\nfrom\n%.*s\n", what, static_cast<int>(one.size()), one.data(),
               static_cast<int>(other.size()), other.data());
  std::abort();
}

Lines lines_of(std::string_view text) {
  Lines lines;
  for (size_t at = 0;;) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return lines;
    at = end + 1;
  }
}

// True if `kept` has some of the line's characters, each in its column, and blanks elsewhere.
bool is_part_of(std::string_view kept, std::string_view line) {
  if (kept.size() > line.size()) return false;
  return std::equal(kept.begin(), kept.end(), line.begin(),
                    [](char k, char c) { return k == c || k == ' '; });
}

// The program's text without the headers that its names ask for, such as <cmath> for std::tan: they
// stand before it, and a #line behind them.
std::string_view without_added_headers(std::string_view text) {
  const std::string line = "#line 1 \"" + std::string(kProgram) + "\"\n";
  const size_t at = text.find(line);
  if (at == std::string_view::npos) return text;
  for (const std::string_view header : lines_of(text.substr(0, at))) {
    if (!header.empty() && !header.starts_with("#include <")) return text;
  }
  return text.substr(at + line.size());
}

void lines_are_kept(const DeviceSource& cut, std::string_view source) {
  const Lines lines = lines_of(source);
  // Only a text that has grown has been given any.
  const std::string_view text =
      cut.text.size() > source.size() ? without_added_headers(cut.text) : cut.text;
  const Lines kept = lines_of(text);
  if (kept.size() != lines.size() || text.size() != source.size())
    fail("lines are lost or made", cut.text, source);
  for (size_t n = 0; n < kept.size(); ++n) {
    if (!is_part_of(kept[n], lines[n])) fail("a line has moved", kept[n], lines[n]);
  }
}

// A header's text is between its #line and the next one.
void lines_are_named(const DeviceSource& cut, std::string_view source) {
  std::map<std::string_view, Lines> files = {{kProgram, lines_of(source)}};
  for (const auto& [name, text] : kHeaders) files[name] = lines_of(text);
  const Lines* file = &files[kProgram];
  size_t line = 0;
  for (const std::string_view text : lines_of(without_added_headers(cut.text))) {
    const size_t at = text.rfind("#line ");
    const size_t open = text.find('"', at == std::string_view::npos ? text.size() : at);
    if (open != std::string_view::npos) {
      const auto next = files.find(text.substr(open + 1, text.find('"', open + 1) - open - 1));
      if (next == files.end()) fail("a #line that names no file", text, source);
      file = &next->second;
      line = static_cast<size_t>(std::stoul(std::string(text.substr(at + 6)))) - 1;
      continue;
    }
    // A header without a final line end, and the file itself, are followed by an empty line.
    if (line < file->size() ? !is_part_of(text, (*file)[line]) : !text.empty())
      fail("a line is not where #line says", text, source);
    ++line;
  }
}

// Removes the doubtful declarations one by one, as if the compiler had refused each.
void leave_out_all(DeviceSource& cut) {
  constexpr int kMost = 16;
  for (int n = 0; n < kMost && !cut.doubtful.empty(); ++n) {
    const compile::LeftOut& last = cut.doubtful.back().left_out;
    SourcePlace place = last.place;
    place.line = last.last_line;
    if (!compile::leave_out_refused(cut, {make_error_at(place, "usage", {})}))
      fail("a refused declaration is kept", last.name, cut.text);
  }
}

}  // namespace

void cut_host_code(Bytes bytes) {
  static const OwnFolder folder("cut");
  static const bool written = [] {
    for (const auto& [name, text] : kHeaders) folder.write(name, text);
    return true;
  }();
  (void)written;
  const std::string_view source(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  // The machine's own files are not our input, and where #line is checked the text must not contain
  // any itself.
  for (const std::string_view word : {"..", "\"/", "</"}) {
    if (source.find(word) != std::string_view::npos) return;
  }
  if (compile::without_comments(source).size() != source.size())
    fail("comments moved the text", {}, source);
  (void)compile::kernels_of(source, std::string(kProgram));

  const auto cut_by = [&](std::string_view text, const compile::HeaderPath& path) {
    DeviceSource cut = compile::device_source(text, std::string(kProgram), path);
    for (const compile::LeftOut& part : cut.left_out) (void)part.diagnostic();
    for (const compile::SourceKernel& kernel : cut.kernels) (void)kernel.signature();
    return cut;
  };
  const compile::HeaderPath nowhere{folder.path() / "none", {}, {}};
  DeviceSource alone = cut_by(source, nowhere);
  lines_are_kept(alone, source);
  // Unmatched brackets may match others once the text between them is gone, so more may be removed;
  // no line is.
  lines_are_kept(cut_by(alone.text, nowhere), alone.text);
  leave_out_all(alone);
  lines_are_kept(alone, source);

  if (source.find("line") != std::string_view::npos) return;
  DeviceSource with_headers = cut_by(source, {folder.path(), {}, {}});
  lines_are_named(with_headers, source);
  leave_out_all(with_headers);
  lines_are_named(with_headers, source);
}

}  // namespace warpshop::fuzz
