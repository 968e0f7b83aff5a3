#include "state/lecture.h"

#include <algorithm>
#include <string>

namespace warpshop::ui {

std::vector<SeenFigure> seen_figures(const Lecture& lecture) {
  std::vector<SeenFigure> out;
  std::string unit;
  for (size_t i = 0; i <= lecture.scene; ++i) {
    const lab::Scene& scene = lecture.demo().scenes[i];
    const bool now = i == lecture.scene;
    if (!scene.published || (now && lecture.hidden())) continue;
    out.push_back({&*scene.published, now});
    unit = scene.published->unit;
  }
  std::erase_if(out, [&](const SeenFigure& seen) { return seen.figure->unit != unit; });
  return out;
}

int kernel_line(const lab::Scene& scene) {
  const size_t at = scene.source.find("__global__");
  if (at == std::string::npos) return 1;
  return 1 + static_cast<int>(std::count(scene.source.begin(), scene.source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

int line_to_show(const lab::Scene& scene) { return scene.line > 0 ? scene.line : kernel_line(scene); }

std::optional<size_t> scene_access(const lab::Scene& scene, const AccessIndex& accesses) {
  const bool shared = scene.show == lab::Scene::Show::kBanks;
  const auto costliest = [&](bool any) {
    std::optional<size_t> best;
    for (size_t i = 0; i < accesses.entries.size(); ++i) {
      const AccessEntry& entry = accesses.entries[i];
      if (entry.shared != shared) continue;
      if (!any && scene.line > 0 && (entry.line != scene.line || entry.kind != scene.access))
        continue;
      if (!best || entry.waste() > accesses.entries[*best].waste()) best = i;
    }
    return best;
  };
  const std::optional<size_t> exact = costliest(false);
  return exact ? exact : costliest(true);
}

}  // namespace warpshop::ui
