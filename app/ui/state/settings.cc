#include "state/settings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/nesting.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

using nlohmann::json;

std::filesystem::path settings_file() { return user_dir() / "settings.json"; }

template <typename T>
void take(const json& from, const char* key, T& into) {
  auto found = from.find(key);
  if (found == from.end()) return;
  if constexpr (std::is_same_v<T, bool>) {
    if (found->is_boolean()) into = found->get<bool>();
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (found->is_number()) into = found->get<T>();
  } else {
    if (found->is_string()) into = found->get<T>();
  }
}

json json_of(const Settings& s) {
  return {{"version", s.version},
          {"mode", std::string(name_of(s.mode))},
          {"theme", std::string(name_of(s.theme))},
          {"zoom", s.zoom},
          {"lecture_zoom", s.lecture_zoom},
          {"language", s.language},
          {"motion", s.motion},
          {"digits", s.digits},
          {"line_measure", s.line_measure},
          {"auto_run", s.auto_run},
          {"everything", s.everything},
          {"wrap", s.wrap},
          {"gpu", s.gpu},
          {"second_gpu", s.second_gpu},
          {"measure_on", s.measure_on},
          {"measure_gpu", s.measure_gpu},
          {"workers", s.workers},
          {"keys", s.keys},
          {"lab", s.lab},
          {"step", s.step},
          {"caret_line", s.caret_line},
          {"caret_column", s.caret_column},
          {"top_line", s.top_line},
          {"recent", s.recent},
          {"tour", s.tour},
          {"tour_open", s.tour_open},
          {"window_width", s.window_width},
          {"window_height", s.window_height},
          {"maximized", s.maximized},
          {"layout_locked", s.layout_locked},
          {"layout_changed", s.layout_changed},
          {"layout_version", s.layout_version}};
}

}  // namespace

float clamp_zoom(float zoom) {
  if (!std::isfinite(zoom)) return 1;
  return std::clamp(zoom, kMinZoom, kMaxZoom);
}

float next_zoom(float zoom, int direction) {
  static constexpr float kSteps[] = {kMinZoom, 0.8f,  0.9f, 1,    1.1f, 1.25f,
                                     1.5f,     1.75f, 2,    2.5f, 3,    kMaxZoom};
  constexpr float kSame = 0.005f;  // half a percent: shown as the same figure
  if (direction > 0) {
    for (const float step : kSteps) {
      if (step > zoom + kSame) return step;
    }
    return kMaxZoom;
  }
  for (auto step = std::rbegin(kSteps); step != std::rend(kSteps); ++step) {
    if (*step < zoom - kSame) return *step;
  }
  return kMinZoom;
}

LoadedSettings load_settings() {
  LoadedSettings loaded;
  std::error_code error;
  if (!std::filesystem::exists(settings_file(), error)) {
    loaded.settings.tour_open = true;
    return loaded;
  }
  Result<std::string> text = read_file(settings_file());
  if (!text.ok()) {
    loaded.problems = text.errors();
    return loaded;
  }
  const json value = json_nests_too_deep(*text) ? json() : json::parse(*text, nullptr, false);
  if (!value.is_object()) {
    const std::filesystem::path kept = settings_file().string() + ".broken";
    std::filesystem::rename(settings_file(), kept, error);
    loaded.problems.push_back(
        make_error_at({settings_file().string(), 0, 0, 0}, "settings",
                      tr("the settings could not be read as JSON"),
                      tr("The defaults are used; the file is kept as {}.", kept.string())));
    return loaded;
  }
  Settings& s = loaded.settings;
  std::string theme;
  take(value, "theme", theme);
  for (ThemeChoice choice : {ThemeChoice::kDark, ThemeChoice::kLight, ThemeChoice::kSystem}) {
    if (theme == name_of(choice)) s.theme = choice;
  }
  std::string mode;
  take(value, "mode", mode);
  for (const Mode known : kModes) {
    if (mode == name_of(known)) s.mode = known;
  }
  take(value, "zoom", s.zoom);
  s.zoom = clamp_zoom(s.zoom);
  take(value, "lecture_zoom", s.lecture_zoom);
  s.lecture_zoom = std::min(clamp_zoom(s.lecture_zoom), kMaxLectureZoom);
  take(value, "language", s.language);
  take(value, "motion", s.motion);
  take(value, "digits", s.digits);
  take(value, "line_measure", s.line_measure);
  take(value, "auto_run", s.auto_run);
  take(value, "everything", s.everything);
  take(value, "wrap", s.wrap);
  take(value, "gpu", s.gpu);
  take(value, "second_gpu", s.second_gpu);
  take(value, "measure_on", s.measure_on);
  take(value, "measure_gpu", s.measure_gpu);
  if (const auto workers = value.find("workers"); workers != value.end() && workers->is_array()) {
    for (const json& worker : *workers) {
      if (worker.is_string()) s.workers.push_back(worker.get<std::string>());
    }
  }
  if (const auto keys = value.find("keys"); keys != value.end() && keys->is_object()) {
    for (const auto& [action, chord] : keys->items()) {
      if (chord.is_string()) s.keys[action] = chord.get<std::string>();
    }
  }
  take(value, "lab", s.lab);
  take(value, "step", s.step);
  for (const auto& [key, into] : {std::pair("caret_line", &s.caret_line),
                                  {"caret_column", &s.caret_column},
                                  {"top_line", &s.top_line}}) {
    take(value, key, *into);
    *into = std::max(*into, 0);
  }
  take(value, "tour", s.tour);
  take(value, "tour_open", s.tour_open);
  if (const auto recent = value.find("recent"); recent != value.end() && recent->is_array()) {
    for (const json& place : *recent) {
      if (place.is_string() && s.recent.size() < kMostRecent)
        s.recent.push_back(place.get<std::string>());
    }
  }
  take(value, "window_width", s.window_width);
  take(value, "window_height", s.window_height);
  s.window_width = std::clamp(s.window_width, 480, 16384);
  s.window_height = std::clamp(s.window_height, 320, 16384);
  take(value, "maximized", s.maximized);
  take(value, "layout_locked", s.layout_locked);
  take(value, "layout_changed", s.layout_changed);
  take(value, "layout_version", s.layout_version);
  json unknown = value;
  const json known = json_of(s);
  for (const auto& [key, ignored] : known.items()) unknown.erase(key);
  s.unknown = unknown.dump();
  return loaded;
}

Status save_settings(const Settings& s) {
  json value = json::parse(s.unknown, nullptr, false);
  if (!value.is_object()) value = json::object();
  value.update(json_of(s));
  return write_file_atomically(settings_file(), value.dump(2) + "\n");
}

}  // namespace warpshop::ui
