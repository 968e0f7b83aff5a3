#include "lab/translation.h"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/ascii.h"
#include "core/beneath.h"
#include "files/singular_unit.h"
#include "files/text_problems.h"
#include "files/toml_table.h"
#include "lab/step_text.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kTranslationFormat = 1;

// Accepts "de" and "pt-BR", but nothing that could be a path.
bool is_language(std::string_view text) {
  return !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '-';
  });
}

class Translator {
 public:
  Translator(Lab& lab, fs::path folder, Diagnostics& problems)
      : lab_(lab), folder_(std::move(folder)), problems_(problems) {}

  void translate() {
    take_files();
    read("lab.toml", "the lab", [this](TomlTable& table) { take_lab(table); });
    if (lab_.demo) read("demo.toml", "the script", [this](TomlTable& table) { take_demo(table); });
  }

 private:
  // A text's file is the one in labs/ID/ with exactly that text.
  void take_files() {
    std::map<std::string, std::string> translated;  // keyed by the English text
    std::error_code error;
    for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
      if (at->path().extension() != ".md") continue;
      const Result<std::string> english = read_file_beneath(lab_.folder, at->path().filename());
      const Result<std::string> text =
          read_file_beneath(lab_.folder, at->path().lexically_relative(lab_.folder));
      if (!english.ok()) {
        problems_.push_back(make_error_at(
            {at->path().string()}, "lab-file",
            "the lab has no text '" + at->path().filename().string() + "' in English"));
      } else if (!text.ok()) {
        problems_.insert(problems_.end(), text.errors().begin(), text.errors().end());
      } else {
        if (parts_of(*text).after_run.empty() != parts_of(*english).after_run.empty()) {
          problems_.push_back(make_error_at(
              {at->path().string()}, "lab-file",
              "'" + std::string(kAfterRunMark) + "' is in one of this text and its English alone"));
        } else if (find_text_problems(*text, {at->path().string(), 1, 1}, lab_.folder, problems_)) {
          translated[*english] = *text;
        }
      }
    }
    const auto take = [&](std::string& text) {
      const auto found = translated.find(text);
      if (found != translated.end()) text = found->second;
    };
    for (Step& step : lab_.steps) {
      take(step.text);
      if (step.exercise) take(step.exercise->solution_note);
    }
  }

  template <typename Take>
  void read(const char* name, const char* what, Take take) {
    std::error_code error;
    file_ = (folder_ / name).string();
    if (!fs::is_regular_file(file_, error)) return;
    Result<std::string> text =
        read_file_beneath(lab_.folder, fs::path(file_).lexically_relative(lab_.folder));
    if (!text.ok()) {
      problems_.insert(problems_.end(), text.errors().begin(), text.errors().end());
      return;
    }
    const Result<toml::table> raw = parse_toml(*text, file_);
    if (!raw.ok()) {
      problems_.insert(problems_.end(), raw.errors().begin(), raw.errors().end());
      return;
    }
    TomlTable table(*raw, what, file_, problems_);
    const int64_t format = table.whole("format");
    if (table.has("format") && format != kTranslationFormat) {
      table.error(table.place_of_key("format"),
                  "format " + std::to_string(format) + " is unknown, expected format 1");
    }
    take(table);
    table.finish();
  }

  static void take_text(TomlTable& table, std::string_view key, std::string& text) {
    const auto said = table.optional_text(key);
    if (said && !said->value.empty()) text = said->value;
  }

  void take_markdown(TomlTable& table, std::string_view key, std::string& text) {
    const auto said = table.optional_text(key);
    if (!said || said->value.empty()) return;
    if (find_text_problems(said->value, {said->place.file, said->place.line}, lab_.folder,
                           problems_))
      text = said->value;
  }

  // All or none: a list of a different length would put texts in the wrong places.
  void take_texts(TomlTable& table, std::string_view key, std::vector<std::string>& texts,
                  bool markdown = false) {
    if (!table.has(key)) return;
    const std::vector<Placed<std::string>> said = table.texts(key, false);
    if (said.size() != texts.size()) {
      table.error(table.place_of_key(key), "'" + std::string(key) + "' has " +
                                               std::to_string(said.size()) + " texts, in English " +
                                               std::to_string(texts.size()));
      return;
    }
    const size_t before = problems_.size();
    for (size_t i = 0; markdown && i < said.size(); ++i) {
      find_text_problems(said[i].value, {said[i].place.file, said[i].place.line}, lab_.folder,
                         problems_);
    }
    if (problems_.size() > before) return;
    for (size_t i = 0; i < said.size(); ++i) texts[i] = said[i].value;
  }

  // The tables of a list, one for each of `count` items in order; empty after a diagnostic.
  static std::vector<const toml::table*> as_many(TomlTable& table, std::string_view key,
                                                 size_t count) {
    if (!table.has(key)) return {};
    std::vector<const toml::table*> all = table.tables(key, false);
    if (all.size() == count) return all;
    table.error(table.place_of_key(key), "there are " + std::to_string(all.size()) + " [[" +
                                             std::string(key) + "]], in English " +
                                             std::to_string(count));
    return {};
  }

  void take_lab(TomlTable& table) {
    take_text(table, "title", lab_.title);
    std::erase(lab_.title, '`');  // as in lab_file.cc
    take_text(table, "summary", lab_.summary);
    const toml::table* steps = table.optional_table("step");
    if (steps == nullptr) return;
    for (const auto& [key, node] : *steps) {
      const auto step = std::find_if(lab_.steps.begin(), lab_.steps.end(),
                                     [id = key.str()](const Step& s) { return s.id == id; });
      const toml::table* raw = node.as_table();
      if (step == lab_.steps.end() || raw == nullptr) {
        table.error(table.place_of(node), "the lab has no step '" + std::string(key.str()) + "'",
                    "write [step.ID] with the id of a step");
        continue;
      }
      TomlTable of_step(*raw, "the step", file_, problems_);
      take_step(of_step, *step);
      of_step.finish();
    }
  }

  void take_step(TomlTable& table, Step& step) {
    take_text(table, "title", step.title);
    std::erase(step.title, '`');
    take_markdown(table, "able", step.able);
    take_texts(table, "learned", step.learned, true);
    const std::vector<const toml::table*> questions =
        as_many(table, "question", step.questions.size());
    for (size_t i = 0; i < questions.size(); ++i) {
      TomlTable of_question(*questions[i], "the question", file_, problems_);
      take_markdown(of_question, "ask", step.questions[i].ask);
      take_texts(of_question, "choices", step.questions[i].choices);
      if (std::optional<NumberAnswer>& number = step.questions[i].number) {
        take_text(of_question, "unit", number->unit);
        if (of_question.has("unit")) number->unit_one = singular_unit(number->unit);
      }
      take_markdown(of_question, "explanation", step.questions[i].explanation);
      of_question.finish();
    }
    const std::vector<const toml::table*> further = as_many(table, "further", step.further.size());
    for (size_t i = 0; i < further.size(); ++i) {
      TomlTable of_further(*further[i], "the further question", file_, problems_);
      take_markdown(of_further, "ask", step.further[i].ask);
      take_markdown(of_further, "answer", step.further[i].answer);
      of_further.finish();
    }
    if (!step.exercise) return;
    if (step.exercise->estimate) take_markdown(table, "estimate", step.exercise->estimate->ask);
    if (step.exercise->contract) {
      take_markdown(table, "contract", step.exercise->contract->text);
      take_texts(table, "budget", step.exercise->contract->budget, true);
    }
    take_texts(table, "hints", step.exercise->hints, true);
    take_text(table, "wrong_result", step.exercise->wrong_result);
    std::vector<std::string> labels;
    for (const ProblemSize& size : step.exercise->sizes) labels.push_back(size.label);
    take_texts(table, "sizes", labels);
    for (size_t i = 0; i < labels.size(); ++i) step.exercise->sizes[i].label = labels[i];
    if (step.exercise->timed) take_text(table, "timed", step.exercise->timed->label);
    const toml::table* checks = table.optional_table("check");
    if (checks == nullptr) return;
    for (const auto& [key, node] : *checks) {
      std::vector<CheckRule>& rules = step.exercise->checks;
      const auto rule = std::find_if(rules.begin(), rules.end(),
                                     [id = key.str()](const CheckRule& r) { return r.id == id; });
      const toml::table* raw = node.as_table();
      if (rule == rules.end() || raw == nullptr) {
        table.error(table.place_of(node), "the step has no check '" + std::string(key.str()) + "'",
                    "write [step.ID.check.ID] with the id of a check");
        continue;
      }
      TomlTable of_check(*raw, "the check", file_, problems_);
      take_text(of_check, "title", rule->title);
      take_text(of_check, "unit", rule->unit);
      if (of_check.has("unit")) rule->unit_one = singular_unit(rule->unit);
      take_text(of_check, "unit_one", rule->unit_one);
      take_text(of_check, "message", rule->message);
      of_check.finish();
    }
  }

  void take_demo(TomlTable& table) {
    take_text(table, "title", lab_.demo->title);
    const std::vector<const toml::table*> scenes =
        as_many(table, "scene", lab_.demo->scenes.size());
    for (size_t i = 0; i < scenes.size(); ++i) {
      Scene& scene = lab_.demo->scenes[i];
      TomlTable of_scene(*scenes[i], "the scene", file_, problems_);
      take_text(of_scene, "title", scene.title);
      take_text(of_scene, "say", scene.say);
      if (!scene.ask.empty()) take_text(of_scene, "ask", scene.ask);
      if (!scene.answer.empty()) take_text(of_scene, "answer", scene.answer);
      if (!scene.notes.empty()) take_markdown(of_scene, "notes", scene.notes);
      if (!scene.unit.empty()) take_text(of_scene, "unit", scene.unit);
      if (scene.published) take_text(of_scene, "label", scene.published->label);
      of_scene.finish();
    }
  }

  Lab& lab_;
  const fs::path folder_;
  Diagnostics& problems_;
  std::string file_;  // the file being read
};

}  // namespace

bool translate(Lab& lab, std::string_view language, Diagnostics& problems) {
  if (!is_language(language)) return false;
  const fs::path folder = lab.folder / language;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return false;
  Translator(lab, folder, problems).translate();
  return true;
}

bool speaks(const Lab& lab, std::string_view language) {
  if (lab.own || !is_language(language) || language == "en") return true;
  std::error_code error;
  return fs::is_directory(lab.folder / language, error);
}

LabLibrary load_labs_in(const fs::path& data_dir, std::string_view language) {
  return load_labs_in(LabPlaces{data_dir, {}}, language);
}

LabLibrary load_labs_in(const LabPlaces& places, std::string_view language) {
  LabLibrary library = load_labs(places);
  for (Lab& lab : library.labs) translate(lab, language, library.problems);
  return library;
}

Diagnostics translation_problems(const Lab& lab) {
  Diagnostics problems;
  std::set<std::string> languages;
  std::error_code error;
  for (fs::directory_iterator at(lab.folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && (fs::exists(at->path() / "lab.toml", ignored) ||
                                      fs::exists(at->path() / "demo.toml", ignored))) {
      languages.insert(at->path().filename().string());
    }
  }
  for (const std::string& language : languages) {
    Lab copy = lab;
    translate(copy, language, problems);
  }
  return problems;
}

}  // namespace warpshop::lab
