// Finds labs, both the program's and the user's, each in a single folder or beside kernels/ and
// solutions/.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "core/files.h"
#include "files/lab_file.h"
#include "lab/lab.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLabsVariable = "WARPSHOP_LABS";

struct FoundLab {
  std::string id;
  fs::path folder;  // the one with lab.toml
  bool own = false;
};

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool has_lab_file(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "lab.toml", ignored);
}

// A lab is either a single folder, with its files in kernels/ and solutions/ or loose, or has
// kernels/ID and solutions/ID beside the labs/ that contains it.
LabFolders folders_of(const fs::path& lab) {
  const auto part = [&](const char* name) {
    const fs::path inside = lab / name;
    return is_folder(inside) ? inside : lab;
  };
  const fs::path root = lab.parent_path().parent_path();
  const bool parts_inside = is_folder(lab / "kernels") || is_folder(lab / "solutions");
  const bool parts_beside = is_folder(root / "kernels") || is_folder(root / "solutions");
  if (!parts_inside && parts_beside && lab.parent_path().filename() == "labs") {
    return {lab, root / "kernels" / lab.filename(), root / "solutions" / lab.filename()};
  }
  return {lab, part("kernels"), part("solutions")};
}

std::vector<fs::path> folders_in(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> out;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string()[0] != '.' && is_folder(at->path()))
      out.push_back(at->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void find_program_labs(const fs::path& data, std::vector<FoundLab>& found, Diagnostics& problems) {
  std::error_code error;
  for (const fs::path& folder : folders_in(data / "labs", error)) {
    found.push_back({folder.filename().string(), folder, false});
  }
  if (error) {
    problems.push_back(make_error_at(
        {(data / "labs").string()}, "lab-file", "cannot read the labs' folder: " + error.message(),
        "set WARPSHOP_DATA to the folder that holds labs/, kernels/, solutions/ and assets/"));
  }
}

void find_own_labs(const fs::path& folder, std::vector<FoundLab>& found, Diagnostics& problems) {
  if (has_lab_file(folder)) {
    found.push_back({folder.filename().string(), folder, true});
    return;
  }
  std::error_code error;
  const size_t before = found.size();
  for (const fs::path& lab :
       folders_in(is_folder(folder / "labs") ? folder / "labs" : folder, error)) {
    if (has_lab_file(lab)) found.push_back({lab.filename().string(), lab, true});
  }
  // An empty labs/ in the user's data is fine; an empty folder that was named explicitly is a
  // mistake.
  if (found.size() > before || (!error && folder == user_dir() / "labs")) return;
  problems.push_back(make_error_at({folder.string()}, "lab-file",
                                   error ? "cannot read the folder of labs: " + error.message()
                                         : "there is no lab in this folder",
                                   "--labs and WARPSHOP_LABS name a lab's folder, which has a "
                                   "lab.toml, or a folder of such folders"));
}

// A folder named twice is found once.
std::vector<FoundLab> find_labs(const LabPlaces& places, Diagnostics& problems) {
  std::vector<FoundLab> all, out;
  find_program_labs(places.data, all, problems);
  for (const fs::path& folder : places.own) find_own_labs(folder, all, problems);
  std::set<fs::path> seen;
  for (FoundLab& lab : all) {
    std::error_code error;
    const fs::path real = fs::canonical(lab.folder, error);
    if (seen.insert(error ? lab.folder : real).second) out.push_back(std::move(lab));
  }
  return out;
}

Diagnostic twice(const FoundLab& first, const FoundLab& second) {
  return make_error_at(
      {(second.folder / "lab.toml").string()}, "lab-file",
      "there is already a lab \"" + first.id + "\" in " + first.folder.string(),
      "give one of the two another id: its folder's name, and 'id' in its lab.toml");
}

// The link that brings a lab's kernels or solutions from elsewhere; empty: none. It could lead to
// any folder of the reader's, as a linked file could (read_named_file).
fs::path linked_part(const LabFolders& folders) {
  std::error_code ignored;
  for (const fs::path& part : {folders.kernels, folders.solutions}) {
    for (const fs::path& folder : {part, part.parent_path()}) {
      const bool is_labs = folder == folders.texts || folder == folders.texts.parent_path();
      if (!is_labs && fs::is_symlink(folder, ignored)) return folder;
    }
  }
  return {};
}

Result<Lab> load(const FoundLab& found, const fs::path& data) {
  const LabFolders folders = folders_of(found.folder);
  // The program's own data may be linked, as it is in a build folder.
  if (const fs::path link = linked_part(folders); found.own && !link.empty()) {
    return make_error_at({(found.folder / "lab.toml").string()}, "lab-file",
                         "the folder " + link.string() + " is a link and is not followed",
                         "lay the lab's kernels and solutions into folders of their own");
  }
  Result<Lab> lab = load_lab_file(folders, found.id, data);
  if (lab.ok()) lab->own = found.own;
  return lab;
}

}  // namespace

LabPlaces lab_places() {
  LabPlaces places{.data = data_dir(), .own = {}};
  const char* variable = std::getenv(kLabsVariable);
  std::string rest = variable != nullptr ? variable : "";
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string folder = rest.substr(0, colon);
    rest.erase(0, colon + 1);
    if (folder.empty()) continue;
    std::error_code error;
    fs::path whole = fs::absolute(folder, error).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    places.own.push_back(error ? fs::path(folder) : whole);
  }
  if (const fs::path labs = user_dir() / "labs"; is_folder(labs)) places.own.push_back(labs);
  return places;
}

fs::path new_labs_folder() {
  const char* variable = std::getenv(kLabsVariable);
  if (variable == nullptr || *variable == '\0') return user_dir() / "labs";
  return lab_places().own.front();
}

void use_lab_folders(const std::string& folders) { ::setenv(kLabsVariable, folders.c_str(), 1); }

Result<Lab> load_lab(const fs::path& data_dir, std::string_view id) {
  if (!is_lab_id(id)) return load_lab_file({data_dir / "labs" / id, {}, {}}, id, data_dir);
  return load({std::string(id), data_dir / "labs" / id, false}, data_dir);
}

Result<Lab> load_lab(const LabPlaces& places, std::string_view id) {
  if (!is_lab_id(id)) return load_lab(places.data, id);  // reports what an id is
  Diagnostics problems;
  const std::vector<FoundLab> found = find_labs(places, problems);
  const FoundLab* first = nullptr;
  std::string known;
  for (const FoundLab& lab : found) {
    known += (known.empty() ? "" : ", ") + lab.id;
    if (lab.id != id) continue;
    if (first != nullptr) return twice(*first, lab);
    first = &lab;
  }
  if (first != nullptr) return load(*first, places.data);
  std::string searched = (places.data / "labs").string();
  for (const fs::path& folder : places.own) searched += " and " + folder.string();
  problems.push_back(make_error("usage", "there is no lab '" + std::string(id) + "' in " + searched,
                                known.empty() ? "set WARPSHOP_DATA to the folder that holds labs/"
                                              : "the labs are " + known));
  return problems;
}

LabLibrary load_labs(const fs::path& data_dir) { return load_labs(LabPlaces{data_dir, {}}); }

LabLibrary load_labs(const LabPlaces& places) {
  LabLibrary library;
  const std::vector<FoundLab> found = find_labs(places, library.problems);
  for (const FoundLab& one : found) {
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const FoundLab& f) { return f.id == one.id; });
    if (&*same != &one) {
      library.problems.push_back(twice(*same, one));
      continue;
    }
    Result<Lab> lab = load(one, places.data);
    if (lab.ok()) {
      library.labs.push_back(std::move(*lab));
    } else {
      library.problems.insert(library.problems.end(), lab.errors().begin(), lab.errors().end());
    }
  }
  std::sort(library.labs.begin(), library.labs.end(), [](const Lab& a, const Lab& b) {
    return std::tie(a.order, a.id) < std::tie(b.order, b.id);
  });
  return library;
}

}  // namespace warpshop::lab
