#include "labs_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/json_text.h"
#include "lab/lab.h"
#include "lab/shown_choices.h"
#include "lab/translation.h"

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

bool is_language(const std::string& text) {
  return text.size() == 2 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

Json question_json(const lab::Question& question) {
  Json out = {{"ask", question.ask}, {"explanation", question.explanation}};
  if (question.number) {
    out["number"] = {{"unit", question.number->unit}, {"unit_one", question.number->unit_one}};
    out["answer"] = question.number->value;
    out["tolerance"] = question.number->tolerance;
  } else {
    const lab::ShownChoices shown = lab::shown_choices(question);
    out["choices"] = shown.choices;
    out["answer"] = shown.answer;
  }
  return out;
}

// The checks of an exercise in their order, and the program's own.
Json checks_json(const lab::Exercise& exercise) {
  Json out = Json::array({{{"id", "correct"}, {"title", "Result correct"}},
                          {{"id", "no-findings"}, {"title", "No findings"}}});
  for (const lab::CheckRule& check : exercise.checks)
    out.push_back({{"id", check.id}, {"title", check.title}});
  out.push_back({{"id", "whole-kernel"}, {"title", "Cost of the whole kernel"}});
  return out;
}

}  // namespace

void LabsJson::load(const std::string& language) {
  if (by_language_.count(language) != 0) return;
  const lab::LabLibrary library = lab::load_labs_in(lab::lab_places(), language);
  Json students = Json::array(), lecturers = Json::array();
  for (const lab::Lab& lab : library.labs) {
    Json steps = Json::array(), full_steps = Json::array();
    for (const lab::Step& step : lab.steps) {
      Json json = {{"id", step.id}, {"title", step.title}, {"exercise", step.exercise.has_value()}};
      if (step.exercise) json["checks"] = checks_json(*step.exercise);
      if (language == "en") {
        Step& known = steps_[{lab.id, step.id}];
        known.title = step.title;
        if (step.exercise) {
          for (const Json& check : json["checks"]) known.checks[check["id"]] = check["title"];
        }
      }
      steps.push_back(json);
      json["questions"] = Json::array();
      for (const lab::Question& question : step.questions)
        json["questions"].push_back(question_json(question));
      full_steps.push_back(std::move(json));
    }
    Json scenes = Json::array();
    if (lab.demo) {
      for (const lab::Scene& scene : lab.demo->scenes)
        scenes.push_back({{"title", scene.title},
                          {"step", scene.step},
                          {"ask", scene.ask},
                          {"answer", scene.answer}});
    }
    students.push_back({{"id", lab.id}, {"title", lab.title}, {"steps", std::move(steps)}});
    lecturers.push_back({{"id", lab.id},
                         {"title", lab.title},
                         {"steps", std::move(full_steps)},
                         {"scenes", std::move(scenes)}});
  }
  by_language_[language] = {
      std::make_shared<const std::string>(json_text(Json{{"labs", std::move(students)}})),
      std::make_shared<const std::string>(json_text(Json{{"labs", std::move(lecturers)}}))};
}

std::shared_ptr<const std::string> LabsJson::text(const std::string& language, bool lecturer) {
  // Any other language is English as well, and takes no more memory.
  std::error_code error;
  const bool known =
      is_language(language) &&
      std::filesystem::exists(data_dir() / "assets" / "text" / (language + ".toml"), error);
  const std::string name = known ? language : "en";
  load(name);
  const Texts& texts = by_language_.at(name);
  return lecturer ? texts.lecturers : texts.students;
}

const LabsJson::Step* LabsJson::step(const std::string& lab, const std::string& step) {
  load("en");
  const auto found = steps_.find({lab, step});
  return found == steps_.end() ? nullptr : &found->second;
}

}  // namespace warpshop::serve
