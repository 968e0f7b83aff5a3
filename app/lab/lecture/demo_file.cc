#include "lecture/demo_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/beneath.h"
#include "core/expression.h"
#include "core/lines.h"
#include "files/exercise_file.h"
#include "files/text_problems.h"
#include "files/toml_table.h"
#include "lab/metric_names.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

// Reads one of a few words; nothing after a diagnostic.
template <typename Value>
std::optional<Value> choice(TomlTable& table, const Placed<std::string>& word,
                            const std::vector<std::pair<std::string_view, Value>>& known) {
  std::string all;
  for (const auto& [name, value] : known) {
    if (word.value == name) return value;
    all += (all.empty() ? "\"" : ", \"") + std::string(name) + "\"";
  }
  if (!word.value.empty()) table.error(word.place, "\"" + word.value + "\" is none of " + all);
  return std::nullopt;
}

class SceneReader {
 public:
  SceneReader(const toml::table& raw, const Lab& lab, const std::vector<models::GpuProfile>& gpus,
              const std::string& file, Diagnostics& problems)
      : lab_(lab),
        gpus_(gpus),
        file_(file),
        problems_(problems),
        table_(raw, "the scene", file, problems) {}

  Scene read() {
    scene_.toml_line = table_.place().line;
    scene_.title = table_.text("title").value;
    scene_.say = table_.text("say").value;
    if (const auto ask = table_.optional_text("ask")) scene_.ask = ask->value;
    if (const auto answer = table_.optional_text("answer")) scene_.answer = answer->value;
    if (const auto notes = table_.optional_text("notes")) {
      find_text_problems(notes->value, {notes->place.file, notes->place.line}, lab_.folder,
                         problems_);
      scene_.notes = notes->value;
    }
    if (const auto minutes = table_.optional_number("minutes")) {
      constexpr double kMost = 60;
      scene_.minutes = *minutes;
      if (!(*minutes > 0 && *minutes <= kMost)) {
        table_.error(table_.place_of_key("minutes"), "'minutes' is more than 0 and at most 60");
      }
    }
    read_kernel();
    read_show();
    read_gpu();
    if (const toml::table* published = table_.optional_table("published"))
      read_published(*published);
    table_.finish();
    return std::move(scene_);
  }

 private:
  void read_kernel() {
    const Placed<std::string> step = table_.text("step");
    scene_.step = step.value;
    const Step* found = lab_.find_step(step.value);
    if (!step.value.empty() && (!found || !found->exercise)) {
      table_.error(step.place, found ? "the step '" + step.value + "' has no exercise to run"
                                     : "the lab has no step '" + step.value + "'");
    }
    exercise_ = found && found->exercise ? &*found->exercise : nullptr;
    const Placed<std::string> kernel = table_.text("kernel");
    if (kernel.value.empty()) return;
    const bool named =
        kernel.value == "start" || kernel.value == "solution" || kernel.value == "reference";
    if (!named) {
      scene_.source = read_named_file(table_, kernel, lab_.folder);
      scene_.file_name = fs::path(kernel.value).filename().string();
    } else if (exercise_) {
      scene_.source = kernel.value == "start"      ? exercise_->skeleton
                      : kernel.value == "solution" ? exercise_->solution
                                                   : exercise_->reference;
      scene_.file_name = step.value + ".cu";
    }
  }

  // A scene with figures of a model GPU must show that GPU.
  void read_gpu() {
    const auto gpu = table_.optional_text("gpu");
    const std::string model =
        uses_model_ && exercise_ && exercise_->model_gpu ? exercise_->model_gpu->id : std::string();
    if (!gpu) {
      scene_.gpu = model;
      return;
    }
    if (!model.empty() && gpu->value != model) {
      table_.error(gpu->place,
                   "the figures of 'model.' are by the rules of " + model +
                       ", and the scene is headed with another GPU",
                   "leave 'gpu' out");
    }
    scene_.gpu = gpu->value;
    std::string ids;
    for (const models::GpuProfile& known : gpus_) {
      if (known.id == gpu->value) return;
      ids += (ids.empty() ? "" : ", ") + known.id;
    }
    if (!gpus_.empty()) {
      table_.error(gpu->place, "there is no GPU '" + gpu->value + "'", "the GPUs are " + ids);
    }
  }

  void read_show() {
    const Placed<std::string> word = table_.text("show");
    std::vector<std::pair<std::string_view, Scene::Show>> known = {
        {"transactions", Scene::Show::kTransactions},
        {"banks", Scene::Show::kBanks},
        {"number", Scene::Show::kNumber}};
    for (const std::string_view panel : kScenePanels)
      known.emplace_back(panel, Scene::Show::kPanel);
    const auto show = choice<Scene::Show>(table_, word, known);
    scene_.show = show.value_or(Scene::Show::kTransactions);
    if (scene_.show == Scene::Show::kPanel) scene_.panel = word.value;
    const bool shows_number = scene_.show == Scene::Show::kNumber;
    const bool has_number = shows_number || scene_.show == Scene::Show::kPanel;
    const auto at = table_.optional_text("at");
    const auto access = table_.optional_text("access");
    const auto number = table_.optional_expression("number");
    const auto unit = table_.optional_text("unit");
    const auto ideal = table_.optional_expression("ideal");
    const auto expect = table_.optional_expression("expect");
    if (shows_number && !number)
      table_.error(table_.place(), "a scene that shows a number has the key 'number'");
    if (shows_number && access) table_.error(access->place, "'access' chooses what a map shows");
    if (!has_number && number)
      table_.error(number->place, "'number' is not for a map; 'expect' is what it has to show");
    if (!shows_number) {
      for (const auto& [key, value] : {std::pair("unit", &unit), std::pair("ideal", &ideal)}) {
        if (*value)
          table_.error((*value)->place, std::string("'") + key + "' is for show = \"number\"");
      }
    }
    if (expect && scene_.show == Scene::Show::kPanel && !number && !has_panel_number(scene_.panel))
      table_.error(expect->place, "'expect' needs 'number', which says what is expected");
    if (number) scene_.number = expression(*number);
    if (unit) scene_.unit = unit->value;
    if (ideal) scene_.ideal = expression(*ideal);
    if (expect) scene_.expect = expression(*expect);
    scene_.whole_run = shows_number || (scene_.show == Scene::Show::kPanel && !access &&
                                        !panel_needs_access(scene_.panel));
    if (at) scene_.line = line_of(*at);
    if (shows_number) return;
    if (access && !at) table_.error(access->place, "'access' needs 'at', the line that it is in");
    if (access && at) read_access(*access);
  }

  // "load", "store 2", "as[ty][k]", "load s[t]".
  void read_access(const Placed<std::string>& text) {
    using emulator::AccessKind;
    static const std::vector<std::pair<std::string_view, AccessKind>> kKinds = {
        {"load", AccessKind::kLoad},
        {"store", AccessKind::kStore},
        {"atomic", AccessKind::kAtomic}};
    std::string_view rest = text.value;
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& known) {
      return rest.starts_with(known.first) &&
             (rest.size() == known.first.size() || rest[known.first.size()] == ' ');
    });
    if (kind != kKinds.end()) {
      scene_.access.kind = kind->second;
      rest.remove_prefix(std::min(rest.size(), kind->first.size() + 1));
      if (rest.empty()) return;
    }
    if (rest.find_first_not_of("0123456789") == std::string_view::npos && kind != kKinds.end()) {
      scene_.access.number = rest.size() < 4 ? std::stoi(std::string(rest)) : 0;
      if (scene_.access.number == 0) table_.error(text.place, "accesses are counted from 1");
      return;
    }
    const size_t bracket = rest.find('[');
    const std::string name(rest.substr(0, bracket));
    if (bracket == std::string_view::npos || name.empty() || rest.back() != ']') {
      table_.error(text.place, "\"" + text.value + "\" is no access",
                   "write \"load\", \"store\" or \"atomic\", with a number if the line has "
                   "several, or as the line does: \"tile[ty][k]\"");
      return;
    }
    if (scene_.line == 0) return;  // already reported
    const std::string_view line = nth_line(scene_.source, scene_.line);
    const size_t found = line.find(rest);
    if (found == std::string_view::npos) {
      table_.error(text.place, "the line has no \"" + std::string(rest) + "\"",
                   "the line is: " + std::string(line));
      return;
    }
    if (kind == kKinds.end()) {
      // The left-hand side of an assignment is stored to.
      std::string_view after = line.substr(found + rest.size());
      after.remove_prefix(std::min(after.size(), after.find_first_not_of(' ')));
      const bool stored = after.starts_with("=") && !after.starts_with("==");
      scene_.access.kind = stored ? AccessKind::kStore : AccessKind::kLoad;
    }
    scene_.access.param = exercise_ ? parameter_place(scene_.source, exercise_->kernel, name) : -1;
    if (scene_.access.param < 0) scene_.access.array = name;
  }

  // The only line of the kernel that contains the text.
  int line_of(const Placed<std::string>& text) {
    if (scene_.source.empty() || text.value.empty()) return 0;
    int line = 1, found = 0, count = 0;
    for (std::string_view rest = scene_.source; !rest.empty(); ++line) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      if (rest.substr(0, end).find(text.value) != std::string_view::npos) {
        found = line;
        ++count;
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (count != 1) {
      table_.error(text.place,
                   (count == 0 ? std::string("no line") : std::to_string(count) + " lines") +
                       " of " + scene_.file_name + (count == 0 ? " has \"" : " have \"") +
                       text.value + "\"",
                   "write a part that one line alone has");
    }
    return count == 1 ? found : 0;
  }

  std::string expression(const Placed<std::string>& text) {
    SourcePlace inside = text.place;
    if (inside.column > 0) ++inside.column;  // after the quote
    const Result<Expression> parsed = Expression::parse(text.value, inside);
    if (!parsed.ok()) {
      for (Diagnostic error : parsed.errors()) {
        error.kind = "lab-file";
        problems_.push_back(std::move(error));
      }
      return {};
    }
    for (const Expression::NameUse& use : parsed->names()) {
      uses_model_ = uses_model_ || use.name.starts_with("model.");
      const bool variable = exercise_ && !exercise_->sizes.empty() &&
                            exercise_->sizes.front().variables.contains(use.name);
      if (variable || is_metric_name(use.name)) continue;
      table_.error(use.place, "there is no counter or size variable '" + use.name + "'",
                   "to list the names: warpshop labs --names");
    }
    return text.value;
  }

  void read_published(const toml::table& raw) {
    TomlTable table(raw, "the published figure", file_, problems_);
    PublishedFigure figure;
    figure.label = table.text("label").value;
    figure.unit = table.text("unit").value;
    figure.source = table.text("source").value;
    const auto value = table.optional_number("value");
    if (value) {
      figure.value = *value;
      if (*value <= 0) table.error(table.place_of_key("value"), "'value' is more than 0");
    } else if (!table.has("value")) {
      table.error(table.place(), "the published figure has no 'value'");
    }
    table.finish();
    scene_.published = std::move(figure);
  }

  const Lab& lab_;
  const std::vector<models::GpuProfile>& gpus_;
  const std::string& file_;
  Diagnostics& problems_;
  TomlTable table_;
  const Exercise* exercise_ = nullptr;
  bool uses_model_ = false;  // figures by the rules of the exercise's model GPU
  Scene scene_;
};

}  // namespace

std::optional<Demo> read_demo(const Lab& lab, const fs::path& data_dir, Diagnostics& problems) {
  const std::string file = (lab.folder / "demo.toml").string();
  std::error_code missing;
  if (!fs::exists(file, missing)) return std::nullopt;
  Result<std::string> text = read_file_beneath(lab.folder, "demo.toml");
  if (!text.ok()) {
    problems.insert(problems.end(), text.errors().begin(), text.errors().end());
    return std::nullopt;
  }
  std::vector<models::GpuProfile> gpus;
  if (Result<std::vector<models::GpuProfile>> loaded = models::load_gpu_profiles(data_dir);
      loaded.ok()) {
    gpus = std::move(*loaded);
  }
  const Result<toml::table> raw = parse_toml(*text, file);
  if (!raw.ok()) {
    problems.insert(problems.end(), raw.errors().begin(), raw.errors().end());
    return std::nullopt;
  }
  TomlTable table(*raw, "the demo", file, problems);
  Demo demo;
  const int64_t format = table.whole("format");
  if (table.has("format") && format != 1) {
    table.error(table.place_of_key("format"),
                "format " + std::to_string(format) + " is unknown, expected format 1",
                "a newer Warpshop may read this demo");
  }
  demo.title = table.text("title").value;
  for (const toml::table* scene : table.tables("scene", true)) {
    demo.scenes.push_back(SceneReader(*scene, lab, gpus, file, problems).read());
  }
  if (table.has("scene") && demo.scenes.empty()) {
    table.error(table.place_of_key("scene"), "the demo has no scene", "add a [[scene]]");
  }
  table.finish();
  return demo;
}

}  // namespace warpshop::lab
