#include "report/handout.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/expression.h"
#include "core/lines.h"
#include "core/markup.h"
#include "html.h"
#include "lab/run_result.h"
#include "lab/runner.h"
#include "lab/scene_run.h"
#include "lab/shown_access.h"
#include "map_pictures.h"
#include "page.h"

namespace warpshop::report {
namespace {

std::string paragraph(std::string_view kind, std::string_view text) {
  return "<p class=\"" + std::string(kind) + "\">" + escaped(text) + "</p>\n";
}

// The kernel without the comments above it, the scene's line marked.
std::string kernel_text(const lab::Scene& scene) {
  const std::vector<std::string_view> lines = split_lines(scene.source);
  size_t first = 0;
  while (first < lines.size() && (lines[first].empty() || lines[first].starts_with("//"))) ++first;
  size_t last = lines.size();
  while (last > first && lines[last - 1].empty()) --last;
  std::string out = "<pre><code>";
  for (size_t n = first; n < last; ++n) {
    const bool marked = static_cast<int>(n) + 1 == scene.line;
    out += (marked ? "<mark>" : "") + escaped(lines[n]) + (marked ? "</mark>" : "") + "\n";
  }
  return out + "</code></pre>\n";
}

// What the class sees once the answer is revealed.
std::string shown(const lab::Scene& scene, const lab::RunResult& result, const std::string& id) {
  const lab::KernelRun* run = result.student();
  if (run == nullptr || !run->completed) return paragraph("poor", "The kernel did not run.");
  std::string out;
  const bool map =
      scene.show == lab::Scene::Show::kTransactions || scene.show == lab::Scene::Show::kBanks;
  if (map || (scene.show == lab::Scene::Show::kPanel && lab::panel_needs_access(scene.panel))) {
    if (const auto access = lab::shown_access(scene, *run, result.gpu)) {
      out += access_figure(result, run->records[access->record], id + "-map", result.source);
    }
  }
  if (!scene.number.empty()) {
    if (const Result<lab::SceneNumber> number = lab::scene_number(scene, result); number.ok()) {
      std::string words = lab::said_number(scene, number->value) + " " + scene.unit;
      if (number->ideal) words += " (ideal " + number_text(*number->ideal) + ")";
      out += paragraph("verdict", words);
    }
  } else if (scene.show == lab::Scene::Show::kPanel) {
    std::string words = "The panel \"" + scene.panel + "\" is shown";
    if (const auto number = lab::panel_number(scene.panel, result))
      words += ": " + lab::said_number(scene, *number);
    out += paragraph("quiet", words + ".");
  }
  if (scene.published) {
    out += paragraph("quiet", "Published: " + scene.published->label + ", " +
                                  number_text(scene.published->value) + " " +
                                  scene.published->unit + " (" + scene.published->source + ")");
  }
  return out;
}

std::string minutes_text(double minutes) {
  return number_text(minutes) + (minutes == 1 ? " minute" : " minutes");
}

std::string scene_section(const HandoutRequest& request, const lab::Scene& scene, size_t place,
                          const lab::RunResult& result) {
  const std::string id = "scene-" + std::to_string(place + 1);
  std::string out = "<section aria-labelledby=\"" + id + "\">\n<h2 id=\"" + id + "\">" +
                    std::to_string(place + 1) + " " + escaped(scene.title) + "</h2>\n";
  out += paragraph("", scene.say);
  if (!scene.ask.empty()) out += paragraph("verdict", scene.ask);
  std::string about = result.gpu.name;
  if (!result.sizes.empty()) about += " · " + result.sizes.front().size.label;
  if (request.notes && scene.minutes > 0) about += " · " + minutes_text(scene.minutes);
  out += paragraph("quiet", about);
  out += kernel_text(scene) + shown(scene, result, id);
  if (!scene.answer.empty()) out += paragraph("", scene.answer);
  if (request.notes && !scene.notes.empty())
    out += "<h3>For the speaker</h3>\n" + html_of_markdown(scene.notes, {}, 4, request.lab->folder);
  return out + "</section>\n";
}

}  // namespace

Result<std::string> lecture_handout(const HandoutRequest& request) {
  const lab::Lab& lab = *request.lab;
  if (!lab.demo) {
    return Diagnostics{make_error("usage", "the lab '" + lab.id + "' has no script for a lecture",
                                  "labs/ID/demo.toml is one: docs/writing-a-lab.md")};
  }
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) return runner.errors();
  std::string scenes;
  double minutes = 0;
  for (size_t place = 0; place < lab.demo->scenes.size(); ++place) {
    const lab::Scene& scene = lab.demo->scenes[place];
    if (request.on_scene) request.on_scene(scene);
    lab::RunRequest run = lab::scene_request(lab, scene, request.gpu);
    run.stop = request.stop;
    const lab::RunResult result = runner->run(run);
    if (request.stop && request.stop->requested())
      return Diagnostics{make_error("stopped", "the handout was stopped")};
    scenes += scene_section(request, scene, place, result);
    minutes += scene.minutes;
  }
  std::string facts = std::to_string(lab.demo->scenes.size()) + " scenes";
  if (request.notes && minutes > 0) facts += " · " + minutes_text(minutes) + " planned";
  std::string out = page_start(lab.demo->title, lab.summary, facts);
  out += scenes;
  if (request.notes && !lab.instructor.empty()) {
    out += "<section>\n" + html_of_markdown(lab.instructor, {}, 2, lab.folder) + "</section>\n";
  }
  return out + page_end();
}

}  // namespace warpshop::report
