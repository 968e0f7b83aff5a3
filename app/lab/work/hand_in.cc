#include "lab/hand_in.h"

#include "core/files.h"

namespace warpshop::lab {

Result<std::vector<HandedIn>> hand_in(const std::vector<const Lab*>& labs,
                                      const std::filesystem::path& folder) {
  std::vector<HandedIn> written;
  for (const Lab* lab : labs) {
    for (const Step& step : lab->steps) {
      if (!step.exercise || !step.exercise->has_solution())
        continue;  // to read, or the user's own kernel
      const Result<StandingText> text = standing_text(*lab, step);
      if (!text.ok()) return text.errors();
      if (text->version == StandingText::Version::kNotBegun) continue;
      const Status saved =
          write_file_atomically(folder / lab->id / (step.id + ".cu"), text->source);
      if (!saved.ok()) return saved.errors();
      written.push_back({lab->id + "/" + step.id, text->version, text->changed_since});
    }
  }
  return written;
}

}  // namespace warpshop::lab
