#include "lab/hand_in.h"

#include <ctime>
#include <utility>

#include "core/files.h"
#include "core/zip.h"

namespace warpshop::lab {

namespace {

Status write_archive(const std::filesystem::path& file,
                     const std::vector<std::pair<std::string, std::string>>& texts) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return write_file_atomically(file, zip_archive(texts, local));
}

}  // namespace

Result<std::vector<HandedIn>> hand_in(const std::vector<const Lab*>& labs,
                                      const std::filesystem::path& place) {
  std::vector<HandedIn> written;
  std::vector<std::pair<std::string, std::string>> texts;
  for (const Lab* lab : labs) {
    for (const Step& step : lab->steps) {
      if (!step.exercise || !step.exercise->has_solution())
        continue;  // to read, or the user's own kernel
      const Result<StandingText> text = standing_text(*lab, step);
      if (!text.ok()) return text.errors();
      if (text->version == StandingText::Version::kNotBegun) continue;
      texts.emplace_back(lab->id + "/" + step.id + ".cu", text->source);
      written.push_back({lab->id + "/" + step.id, text->version, text->changed_since});
    }
  }
  if (place.extension() == ".zip" && !texts.empty()) {
    const Status saved = write_archive(place, texts);
    if (!saved.ok()) return saved.errors();
    return written;
  }
  for (const auto& [name, source] : texts) {
    const Status saved = write_file_atomically(place / name, source);
    if (!saved.ok()) return saved.errors();
  }
  return written;
}

}  // namespace warpshop::lab
