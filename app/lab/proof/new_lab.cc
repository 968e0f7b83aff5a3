#include "lab/new_lab.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <string>

#include "core/ascii.h"
#include "core/files.h"
#include "core/toml_string.h"
#include "lab/lab.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemplateId = "new-lab";
constexpr std::string_view kTemplateTitle = "New lab";
constexpr std::string_view kTemplateOrder = "order = 900";

std::string title_from_id(std::string_view id) {
  std::string title(id);
  std::replace(title.begin(), title.end(), '-', ' ');
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

// The template's text with the new lab's names. The title is replaced last, since it may contain
// anything.
std::string with_names(const fs::path& file, std::string text, std::string_view id,
                       std::string_view title, int order) {
  text = replace_all(std::move(text), kTemplateId, id);
  const bool toml = file.extension() == ".toml";
  if (toml) text = replace_all(std::move(text), kTemplateOrder, "order = " + std::to_string(order));
  if (!toml) return replace_all(std::move(text), kTemplateTitle, title);
  return replace_all(std::move(text), toml_string(kTemplateTitle), toml_string(title));
}

// The template's files: path in the new lab's folder → text.
Result<std::map<fs::path, std::string>> template_files(const fs::path& data_dir) {
  std::map<fs::path, std::string> files;
  const fs::path from = data_dir / "assets" / kTemplateId;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(from, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_regular_file()) continue;
    Result<std::string> text = read_file(entry->path());
    if (!text.ok()) return text.errors();
    files[entry->path().lexically_relative(from)] = std::move(*text);
  }
  if (error) {
    return make_error("file",
                      "the template " + from.string() + " cannot be read: " + error.message());
  }
  return files;
}

}  // namespace

Result<std::vector<fs::path>> create_lab(const LabPlaces& places, const fs::path& below,
                                         std::string_view id, std::string_view title) {
  if (!is_lab_id(id)) {
    return make_error("usage", "'" + std::string(id) + "' cannot be a lab's id",
                      "use lower-case letters, digits and '-'");
  }
  if (std::any_of(title.begin(), title.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; })) {
    return make_error("usage", "a title is one line of text");
  }
  int last_order = 0;
  for (const Lab& lab : load_labs(places).labs) {
    last_order = std::max(last_order, lab.order);
    if (lab.id == id) {
      return make_error("usage",
                        "there is already a lab '" + lab.id + "' in " + lab.folder.string(),
                        "choose another id");
    }
  }
  std::error_code ignored;
  const fs::path folder = (fs::is_directory(below / "labs", ignored) ? below / "labs" : below) / id;
  if (fs::exists(folder, ignored)) {
    return make_error("usage", "there is already a folder " + folder.string(),
                      "choose another id, or remove the folder");
  }
  const std::string shown = title.empty() ? title_from_id(id) : std::string(title);
  Result<std::map<fs::path, std::string>> files = template_files(places.data);
  if (!files.ok()) return files.errors();
  std::vector<fs::path> written;
  for (auto& [place, text] : *files) {
    const fs::path file = folder / place;
    const Status status =
        write_file_atomically(file, with_names(file, std::move(text), id, shown, last_order + 10));
    if (!status.ok()) return status.errors();
    written.push_back(file);
  }
  return written;
}

std::filesystem::path lab_guide() { return data_dir() / "docs" / "writing-a-lab.md"; }

}  // namespace warpshop::lab
