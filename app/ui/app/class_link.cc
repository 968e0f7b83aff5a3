#include "app/class_link.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/json_text.h"
#include "lab/measure.h"
#include "lab/shown_choices.h"

namespace warpshop::ui {
namespace {

using nlohmann::json;

}  // namespace

std::optional<std::string> ClassLink::news(const View& view) {
  State now;
  const Session& session = *view.session;
  if (!session.step()) return std::nullopt;
  now.lab = session.lab()->id;
  now.step = session.step()->id;
  now.mode = view.home ? "home" : view.lecture ? "lecture" : name_of(view.settings->mode);
  now.source = session.text();
  if (view.following) {
    // What the lecturer's text passes is not the student's.
  } else if (view.latest && !view.latest->preview && view.latest->result.lab == now.lab &&
             view.latest->result.step == now.step) {  // not of the step before
    for (const lab::CheckResult& check : view.latest->result.checks) {
      // It comes later, and only to those who measure: it is no other run.
      if (check.id == lab::kGpuCheck) continue;
      ++now.of;
      if (check.passed) {
        now.passed.push_back(check.id);
      } else if (now.failing.empty()) {
        now.failing = check.id;
      }
    }
  } else if (now.lab == told_.lab && now.step == told_.step) {
    now.passed = told_.passed;
    now.failing = told_.failing;
    now.of = told_.of;
  }
  if (now == told_) return std::nullopt;
  told_ = std::move(now);
  return json_text(json{{"lab", told_.lab},
                        {"step", told_.step},
                        {"mode", told_.mode},
                        {"passed", told_.passed},
                        {"failing", told_.failing.empty() ? json() : json(told_.failing)},
                        {"of", told_.of},
                        {"source", told_.source}});
}

std::string question_json(const View& view) {
  if (view.lecture) {
    const lab::Scene& scene = view.lecture->current();
    if (scene.ask.empty()) return "null";
    return json_text(json{{"lab", view.lecture->lab->id},
                          {"step", scene.step},
                          {"scene", view.lecture->scene + 1},
                          {"text", scene.ask},
                          {"answer", scene.answer}});
  }
  const lab::Step* step = view.session->step();
  if (view.home || !step || step->questions.empty()) return "null";
  const lab::Question& question = step->questions.front();
  json out = {{"lab", view.session->lab()->id},
              {"step", step->id},
              {"question", 0},
              {"text", question.ask},
              {"explanation", question.explanation}};
  if (question.number) {
    out["number"] = {{"unit", question.number->unit}, {"unit_one", question.number->unit_one}};
    out["answer"] = question.number->value;
    out["tolerance"] = question.number->tolerance;
  } else {
    const lab::ShownChoices shown = lab::shown_choices(question);
    out["choices"] = shown.choices;
    out["answer"] = shown.answer;
  }
  return json_text(out);
}

std::optional<command::FollowText> follow_text_of(std::string_view text) {
  const json value = json::parse(text, nullptr, false);
  command::FollowText out;
  for (const auto& [key, into] :
       {std::pair("lab", &out.lab), {"step", &out.step}, {"source", &out.source}}) {
    if (!value.is_object() || !value.contains(key) || !value[key].is_string()) return std::nullopt;
    *into = value[key].get<std::string>();
  }
  return out;
}

}  // namespace warpshop::ui
