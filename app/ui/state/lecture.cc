#include "state/lecture.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/expression.h"
#include "lab/shown_access.h"

namespace warpshop::ui {

std::string_view panel_of(const lab::Scene& scene) {
  switch (scene.show) {
    case lab::Scene::Show::kTransactions:
      return "transactions";
    case lab::Scene::Show::kBanks:
      return "banks";
    case lab::Scene::Show::kNumber:
      return "number";
    case lab::Scene::Show::kPanel:
      return scene.panel;
  }
  return "number";
}

std::string_view Lecture::panel() const {
  if (!brought.empty()) return brought;
  return hidden() ? "curtain" : panel_of(current());
}

void Lecture::keep_edit(const std::string& text) {
  if (text == current().source) {
    edits.erase(scene);
  } else {
    edits[scene] = text;
  }
}

std::vector<SeenFigure> seen_figures(const Lecture& lecture) {
  std::vector<SeenFigure> out;
  std::string unit, step;
  for (size_t i = 0; i <= lecture.scene; ++i) {
    const lab::Scene& scene = lecture.demo().scenes[i];
    const bool now = i == lecture.scene;
    if (!scene.published || (now && lecture.hidden())) continue;
    out.push_back({&*scene.published, now});
    unit = scene.published->unit;
    step = scene.step;
  }
  if (!lecture.current().published && lecture.current().step != step) return {};
  std::erase_if(out, [&](const SeenFigure& seen) { return seen.figure->unit != unit; });
  return out;
}

double slowest_load(const Lecture& lecture) {
  double slowest = 1;
  for (const lab::Scene& scene : lecture.demo().scenes) {
    if (scene.panel != "partitions" || scene.gpu != lecture.current().gpu) continue;
    const Result<Expression> expect = Expression::parse(scene.expect);
    const std::map<std::string, int64_t> no_variables;
    if (!expect.ok()) continue;
    if (const Result<double> value = expect->evaluate(lookup_in(no_variables)); value.ok())
      slowest = std::max(slowest, *value);
  }
  return slowest;
}

int kernel_line(const lab::Scene& scene) {
  const size_t at = scene.source.find("__global__");
  if (at == std::string::npos) return 1;
  return 1 +
         static_cast<int>(std::count(scene.source.begin(),
                                     scene.source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

int line_to_show(const lab::Scene& scene) {
  return scene.line > 0 ? scene.line : kernel_line(scene);
}

std::optional<size_t> scene_access(const lab::Scene& scene, const AccessIndex& accesses,
                                   const lab::RunResult& result) {
  const lab::KernelRun* run = result.student();
  if (!run) return std::nullopt;
  if (const std::optional<lab::ShownAccess> shown = lab::shown_access(scene, *run, result.gpu)) {
    const auto entry = std::find_if(
        accesses.entries.begin(), accesses.entries.end(),
        [&](const AccessEntry& e) { return e.record == shown->record && e.part == shown->part; });
    if (entry != accesses.entries.end())
      return static_cast<size_t>(entry - accesses.entries.begin());
  }
  const bool map =
      scene.show == lab::Scene::Show::kTransactions || scene.show == lab::Scene::Show::kBanks;
  std::optional<size_t> costliest;
  for (size_t i = 0; i < accesses.entries.size(); ++i) {
    const AccessEntry& entry = accesses.entries[i];
    if (map && entry.shared != (scene.show == lab::Scene::Show::kBanks)) continue;
    if (!costliest || entry.waste() > accesses.entries[*costliest].waste()) costliest = i;
  }
  return costliest;
}

}  // namespace warpshop::ui
