#include "lab/left_over.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "core/ascii.h"
#include "core/files.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKinds[] = {".md", ".cu", ".cuh", ".png", ".svg", ".bin"};

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) out.push_back(at->path());
  }
  return out;
}

// All the text in which a lab names its files.
std::string naming_text(const fs::path& folder) {
  std::string out;
  for (const fs::path& file : files_below(folder)) {
    const std::string kind = file.extension().string();
    if (kind != ".toml" && kind != ".md") continue;
    const Result<std::string> text = read_file(file);
    if (!text.ok()) continue;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      const size_t first = line.find_first_not_of(" \t");
      const bool comment = kind == ".toml" && first != std::string::npos && line[first] == '#';
      if (!comment) out += line + "\n";
    }
  }
  return out;
}

// "b.cu" is found in "b.cu", "demo/b.cu" and "(b.cu)", but not in "ab.cu".
bool names(const std::string& text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (!is_word_character(before) && before != '-' && before != '.') return true;
  }
  return false;
}

}  // namespace

std::vector<fs::path> left_over_files(const Lab& lab) {
  const std::string text = naming_text(lab.folder);
  std::set<fs::path> out;
  for (const fs::path& folder : {lab.folder, lab.kernel_folder, lab.solution_folder}) {
    for (const fs::path& file : files_below(folder)) {
      const std::string kind = file.extension().string();
      if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds)) continue;
      std::string name = file.filename().string();
      if (name == kInstructorFile || name[0] == '.') continue;
      if (const size_t dark = name.find("-dark."); dark != std::string::npos) name.erase(dark, 5);
      if (!names(text, name)) out.insert(file);
    }
  }
  return {out.begin(), out.end()};
}

}  // namespace warpshop::lab
