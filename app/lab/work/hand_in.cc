#include "lab/hand_in.h"

#include <algorithm>
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

struct Collected {
  std::vector<HandedIn> kernels;
  std::vector<std::pair<std::string, std::string>> texts;  // by file name
};

Result<Collected> collect(const std::vector<const Lab*>& labs) {
  Collected out;
  for (const Lab* lab : labs) {
    for (const Step& step : lab->steps) {
      if (!step.exercise || !step.exercise->has_solution())
        continue;  // to read, or the user's own kernel
      const Result<StandingText> text = standing_text(*lab, step);
      if (!text.ok()) return text.errors();
      if (text->version == StandingText::Version::kNotBegun) continue;
      const std::string name = lab->id + "/" + step.id;
      out.texts.emplace_back(name + ".cu", text->source);
      out.kernels.push_back({name, step.title, text->version, text->changed_since});
    }
  }
  return out;
}

}  // namespace

size_t passed_among(const std::vector<HandedIn>& kernels) {
  return static_cast<size_t>(std::count_if(
      kernels.begin(), kernels.end(),
      [](const HandedIn& kernel) { return kernel.version == StandingText::Version::kPassed; }));
}

Result<std::vector<HandedIn>> work_to_hand_in(const std::vector<const Lab*>& labs) {
  Result<Collected> collected = collect(labs);
  if (!collected.ok()) return collected.errors();
  return std::move(collected->kernels);
}

Result<std::vector<HandedIn>> hand_in(const std::vector<const Lab*>& labs,
                                      const std::filesystem::path& place) {
  Result<Collected> collected = collect(labs);
  if (!collected.ok()) return collected.errors();
  const auto& texts = collected->texts;
  if (place.extension() == ".zip" && !texts.empty()) {
    const Status saved = write_archive(place, texts);
    if (!saved.ok()) return saved.errors();
    return std::move(collected->kernels);
  }
  for (const auto& [name, source] : texts) {
    const Status saved = write_file_atomically(place / name, source);
    if (!saved.ok()) return saved.errors();
  }
  return std::move(collected->kernels);
}

}  // namespace warpshop::lab
