#include "lab/new_lab.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string>

#include "core/files.h"
#include "lab/lab.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemplateId = "new-lab";
constexpr std::string_view kTemplateTitle = "New lab";
constexpr std::string_view kTemplateOrder = "order = 900";
constexpr const char* kParts[] = {"labs", "kernels", "solutions"};

std::string title_from_id(std::string_view id) {
  std::string title(id);
  std::replace(title.begin(), title.end(), '-', ' ');
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

// As it stands between quotes in TOML.
std::string in_quotes(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The template's text with the new lab's names. The title comes last: it may contain anything. In
// lab.toml it stands between quotes, in the instructor's notes it does not.
std::string with_names(const fs::path& file, std::string text, std::string_view id,
                       std::string_view title, int order) {
  text = replace_all(std::move(text), kTemplateId, id);
  const bool toml = file.filename() == "lab.toml";
  if (toml) text = replace_all(std::move(text), kTemplateOrder, "order = " + std::to_string(order));
  return replace_all(std::move(text), kTemplateTitle, toml ? in_quotes(title) : std::string(title));
}

int next_order(const fs::path& data_dir) {
  int last = 0;
  for (const Lab& lab : load_labs(data_dir).labs) last = std::max(last, lab.order);
  return last + 10;
}

// The template's files: by their place below the new lab's data folder, their text.
Result<std::map<fs::path, std::string>> template_files(const fs::path& data_dir,
                                                       std::string_view id) {
  std::map<fs::path, std::string> files;
  for (const char* part : kParts) {
    const fs::path from = data_dir / "assets" / kTemplateId / part / kTemplateId;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(from, error), end; !error && entry != end;
         entry.increment(error)) {
      if (!entry->is_regular_file()) continue;
      Result<std::string> text = read_file(entry->path());
      if (!text.ok()) return text.errors();
      files[fs::path(part) / id / entry->path().lexically_relative(from)] = std::move(*text);
    }
    if (error) {
      return make_error("file",
                        "the template " + from.string() + " cannot be read: " + error.message());
    }
  }
  return files;
}

}  // namespace

Result<std::vector<fs::path>> create_lab(const fs::path& data_dir, std::string_view id,
                                         std::string_view title) {
  if (!is_lab_id(id)) {
    return make_error("usage", "'" + std::string(id) + "' cannot be a lab's id",
                      "use lower-case letters, digits and '-'");
  }
  if (std::any_of(title.begin(), title.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; })) {
    return make_error("usage", "a title is one line of text");
  }
  for (const char* part : kParts) {
    if (fs::path folder = data_dir / part / id; fs::exists(folder)) {
      return make_error("usage", "there is already a folder " + folder.string(),
                        "choose another id, or remove the folder");
    }
  }
  const std::string shown = title.empty() ? title_from_id(id) : std::string(title);
  Result<std::map<fs::path, std::string>> files = template_files(data_dir, id);
  if (!files.ok()) return files.errors();
  const int order = next_order(data_dir);
  std::vector<fs::path> written;
  for (auto& [place, text] : *files) {
    const fs::path file = data_dir / place;
    const Status status =
        write_file_atomically(file, with_names(file, std::move(text), id, shown, order));
    if (!status.ok()) return status.errors();
    written.push_back(file);
  }
  return written;
}

}  // namespace warpshop::lab
