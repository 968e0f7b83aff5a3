#include "demo_file.h"

#include <toml++/toml.h>

#include <algorithm>

#include "core/files.h"
#include "exercise_file.h"
#include "lab/expression.h"
#include "lab/metric_names.h"
#include "models/gpu_profile.h"
#include "toml_table.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

// One of a few words; nothing after a diagnostic.
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
    scene_.title = table_.text("title").value;
    scene_.say = table_.text("say").value;
    if (const auto ask = table_.optional_text("ask")) scene_.ask = ask->value;
    if (const auto answer = table_.optional_text("answer")) scene_.answer = answer->value;
    read_kernel();
    read_gpu();
    read_show();
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

  void read_gpu() {
    const auto gpu = table_.optional_text("gpu");
    if (!gpu) return;
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
    const auto show = choice<Scene::Show>(table_, word,
                                          {{"transactions", Scene::Show::kTransactions},
                                           {"banks", Scene::Show::kBanks},
                                           {"number", Scene::Show::kNumber}});
    scene_.show = show.value_or(Scene::Show::kTransactions);
    const auto at = table_.optional_text("at");
    const auto access = table_.optional_text("access");
    const auto number = table_.optional_expression("number");
    const auto unit = table_.optional_text("unit");
    const auto ideal = table_.optional_expression("ideal");
    const auto expect = table_.optional_expression("expect");
    if (scene_.show == Scene::Show::kNumber) {
      if (!number) table_.error(table_.place(), "a scene that shows a number has the key 'number'");
      if (at || access)
        table_.error((at ? at : access)->place, "'at' and 'access' choose what a map shows");
      if (number) scene_.number = expression(*number);
      if (unit) scene_.unit = unit->value;
      if (ideal) scene_.ideal = expression(*ideal);
      if (expect) scene_.expect = expression(*expect);
      return;
    }
    if (const auto& first = number ? number : ideal ? ideal : expect) {
      table_.error(first->place, "'number', 'ideal' and 'expect' are for show = \"number\"");
    }
    if (at) scene_.line = line_of(*at);
    if (access && !at) table_.error(access->place, "'access' needs 'at', the line that it is in");
    if (access) {
      const auto kind = choice<emulator::AccessKind>(table_, *access,
                                                     {{"load", emulator::AccessKind::kLoad},
                                                      {"store", emulator::AccessKind::kStore},
                                                      {"atomic", emulator::AccessKind::kAtomic}});
      scene_.access = kind.value_or(emulator::AccessKind::kLoad);
    }
  }

  // The one line of the kernel that has the text.
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
    if (inside.column > 0) ++inside.column;  // behind the quote
    const Result<Expression> parsed = Expression::parse(text.value, inside);
    if (!parsed.ok()) {
      for (Diagnostic error : parsed.errors()) {
        error.kind = "lab-file";
        problems_.push_back(std::move(error));
      }
      return {};
    }
    for (const Expression::NameUse& use : parsed->names()) {
      const bool variable = exercise_ && !exercise_->sizes.empty() &&
                            exercise_->sizes.front().variables.contains(use.name);
      if (variable || is_metric_name(use.name)) continue;
      table_.error(use.place, "there is no counter or size variable '" + use.name + "'",
                   "warpshop labs --names lists the names");
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
  Scene scene_;
};

}  // namespace

std::optional<Demo> read_demo(const Lab& lab, const fs::path& data_dir, Diagnostics& problems) {
  const std::string file = (lab.folder / "demo.toml").string();
  std::error_code missing;
  if (!fs::exists(file, missing)) return std::nullopt;
  Result<std::string> text = read_file(file);
  if (!text.ok()) {
    problems.insert(problems.end(), text.errors().begin(), text.errors().end());
    return std::nullopt;
  }
  std::vector<models::GpuProfile> gpus;
  if (Result<std::vector<models::GpuProfile>> loaded = models::load_gpu_profiles(data_dir);
      loaded.ok()) {
    gpus = std::move(*loaded);
  }
  try {
    const toml::table raw = toml::parse(*text, file);
    TomlTable table(raw, "the demo", file, problems);
    Demo demo;
    const int64_t format = table.whole("format");
    if (table.has("format") && format != 1) {
      table.error(table.place_of_key("format"),
                  "format " + std::to_string(format) + " is not known, format 1 was expected",
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
  } catch (const toml::parse_error& error) {
    problems.push_back(toml_problem(error, file));
    return std::nullopt;
  }
}

}  // namespace warpshop::lab
