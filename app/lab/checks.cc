#include "checks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lab/demo.h"
#include "lab/expression.h"
#include "lab/metric_names.h"

namespace warpshop::lab {
namespace {

Sentence number_words(double value) { return number(number_text(value)); }

// The first wrong element and what all wrong ones have in common; of a later size that the first is right.
void explain_wrong(const Exercise& exercise, const std::vector<SizeResult>& sizes, const SizeResult& size, CheckResult& check) {
  check.got = sentence("not run to the end at {size}", {{"size", size.size.label}});
  if (!size.problems.empty()) check.message = size.problems.front().message;
  for (const BufferComparison& output : size.outputs) {
    if (!output.first) continue;
    check.got = counted(output.wrong, "{count_text} element of {all} wrong at {size}", "{count_text} elements of {all} wrong at {size}",
                        {{"count_text", number_words(static_cast<double>(output.wrong))},
                         {"all", number_words(static_cast<double>(output.count))},
                         {"size", size.size.label}});
    check.message = sentence("{element} is {got}, expected {expected}.",
                             {{"element", output.buffer + "[" + std::to_string(output.first->index) + "]"},
                              {"got", sentence(output.first->got_text)},
                              {"expected", output.first->expected_text}});
    check.message.then(output.in_common);
    break;
  }
  if (&size != &sizes.front()) {
    check.message.then(
        sentence("At {size} all is right: what holds at that size alone?", {{"size", sizes.front().size.label}}));
  }
  if (size.student.completed) check.message.then(exercise.wrong_result);
}

CheckResult check_correct(const Exercise& exercise, const std::vector<SizeResult>& sizes) {
  CheckResult check{.id = "correct",
                    .title = counted(exercise.sizes.size(), "Result correct, {count} size", "Result correct, {count} sizes")};
  check.wanted = sentence("the reference's results");
  check.evaluated = !sizes.empty();
  check.passed = check.evaluated;
  check.got = check.evaluated ? sentence("equal") : sentence("not run");
  for (const SizeResult& size : sizes) {
    if (size.correct) continue;
    check.passed = false;
    explain_wrong(exercise, sizes, size, check);
    break;
  }
  return check;
}

CheckResult check_no_findings(const std::vector<SizeResult>& sizes) {
  CheckResult check{.id = "no-findings", .title = sentence("No findings")};
  check.wanted = sentence("none");
  check.evaluated = !sizes.empty();
  uint64_t most = 0;
  const emulator::Finding* first = nullptr;
  for (const SizeResult& size : sizes) {
    most = std::max<uint64_t>(most, size.student.findings.size());
    if (first == nullptr && !size.student.findings.empty()) first = &size.student.findings.front();
  }
  check.passed = check.evaluated && first == nullptr;
  check.got = !check.evaluated ? sentence("not run")
              : first == nullptr ? sentence("none")
                                 : counted(most, "{count} finding", "{count} findings");
  if (first != nullptr) {
    check.message = first->place.line > 0 ? sentence("line {line}: {message}", {{"line", first->place.line}, {"message", first->message}})
                                          : first->message;
  }
  return check;
}

NameLookup names_of(const SizeResult& size) {
  return [&size](std::string_view name) -> std::optional<double> {
    const auto variable = size.size.variables.find(std::string(name));
    if (variable != size.size.variables.end()) return static_cast<double>(variable->second);
    if (name.starts_with("reference.")) return metric_value(size.reference, name.substr(10));
    return metric_value(size.student, name);
  };
}

// The value of an expression that the loader has parsed before.
Result<double> value_of(const std::string& text, const NameLookup& names) {
  const Result<Expression> expression = Expression::parse(text);
  if (!expression.ok()) return expression.errors();
  return expression->evaluate(names);
}

Sentence limit_words(bool is_most, Sentence limit) {
  return is_most ? sentence("at most {limit}", {{"limit", std::move(limit)}}) : sentence("at least {limit}", {{"limit", std::move(limit)}});
}

// Judges one rule at one size. True when it holds; `check` says what was got and wanted.
bool judge(const CheckRule& rule, const SizeResult& size, CheckResult& check) {
  if (!size.student.completed) {
    check.got = sentence("not run to the end");
    check.evaluated = false;
    return false;
  }
  const NameLookup names = names_of(size);
  const Result<double> got = value_of(rule.metric, names);
  if (!got.ok()) {
    check.got = sentence("no value");
    check.message = sentence("{error}. {message}", {{"error", got.errors().front().message}, {"message", rule.message}});
    return false;
  }
  check.got = number_words(*got);
  check.got.then(rule.unit);
  bool holds = true;
  check.wanted.clear();
  for (auto [limit, is_most] : {std::pair{&rule.at_least, false}, {&rule.at_most, true}}) {
    if (!*limit) continue;
    const Result<double> bound = value_of(**limit, names);
    if (!bound.ok()) {
      check.wanted = bound.errors().front().message;
      return false;
    }
    check.wanted.then(limit_words(is_most, number_words(*bound)), ", ");
    // Ratios of counts are compared as they are written, not as they were rounded in between.
    const double slack = 1e-9 * std::max(1.0, std::abs(*bound));
    holds = holds && (is_most ? *got <= *bound + slack : *got >= *bound - slack);
  }
  return holds;
}

CheckResult check_rule(const CheckRule& rule, const std::vector<SizeResult>& sizes) {
  CheckResult check{.id = rule.id, .title = rule.title, .got = sentence("not run"), .message = rule.message};
  if (rule.at_least) check.wanted = limit_words(false, *rule.at_least);
  if (rule.at_most) check.wanted.then(limit_words(true, *rule.at_most), ", ");
  for (const SizeResult& size : sizes) {
    check.evaluated = true;
    check.passed = judge(rule, size, check);
    if (!check.passed && rule.all_sizes && sizes.size() > 1) {
      check.got = sentence("{got} at {size}", {{"got", check.got}, {"size", size.size.label}});
    }
    if (!check.passed || !rule.all_sizes) break;
  }
  if (check.passed || !check.evaluated) check.message.clear();
  return check;
}

}  // namespace

Result<SceneNumber> scene_number(const Scene& scene, const RunResult& result) {
  if (result.sizes.empty() || !result.sizes.front().student.completed) {
    return make_error("run", sentence("the kernel did not run to its end"));
  }
  const NameLookup names = names_of(result.sizes.front());
  const Result<double> value = value_of(scene.number, names);
  if (!value.ok()) return value.errors();
  SceneNumber number{*value, std::nullopt, std::nullopt};
  for (const auto& [text, into] :
       {std::pair(&scene.ideal, &number.ideal), std::pair(&scene.expect, &number.expect)}) {
    if (text->empty()) continue;
    const Result<double> other = value_of(*text, names);
    if (!other.ok()) return other.errors();
    *into = *other;
  }
  return number;
}

std::optional<bool> is_good(const SceneNumber& number) {
  if (!number.ideal) return std::nullopt;
  return std::abs(number.value - *number.ideal) <= 0.05 * std::abs(*number.ideal);
}

std::vector<CheckResult> evaluate_checks(const Exercise& exercise,
                                         const std::vector<SizeResult>& sizes) {
  std::vector<CheckResult> checks = {check_correct(exercise, sizes), check_no_findings(sizes)};
  for (const CheckRule& rule : exercise.checks) checks.push_back(check_rule(rule, sizes));
  return checks;
}

}  // namespace warpshop::lab
