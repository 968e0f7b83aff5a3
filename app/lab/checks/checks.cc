#include "checks/checks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/expression.h"
#include "core/grouped.h"
#include "lab/findings.h"
#include "lab/metric_names.h"

namespace warpshop::lab {
namespace {

Sentence number_words(double value) { return number(number_text(value)); }

// A value, or "never written".
Sentence got_words(const std::string& text) {
  return text == "never written" ? sentence("never written") : number(grouped(text));
}

// Reports the first wrong element and what all wrong elements have in common; at a later size, that
// the first size is right.
void explain_wrong(const Exercise& exercise, const std::vector<SizeResult>& sizes,
                   const SizeResult& size, CheckResult& check) {
  check.got = sentence("did not finish at {size}", {{"size", size.size.label}});
  if (!size.problems.empty()) check.message = size.problems.front().message;
  std::string first;
  for (const BufferComparison& output : size.outputs) {
    if (!output.first) continue;
    first = number_text(static_cast<double>(output.first->index));
    const std::vector<SentencePart> parts = {
        {"count_text", number_words(static_cast<double>(output.wrong))},
        {"all", number_words(static_cast<double>(output.count))}};
    check.got = output.count == 1 ? sentence("the only element is wrong")
                : output.wrong == output.count
                    ? sentence("all {all} elements wrong", parts)
                    : counted(output.wrong, "{count_text} of {all} elements wrong",
                              "{count_text} of {all} elements wrong", parts);
    if (sizes.size() > 1)
      check.got = sentence("{got} at {size}", {{"got", check.got}, {"size", size.size.label}});
    const std::vector<SentencePart> element = {
        {"element", output.buffer + "[" + std::to_string(output.first->index) + "]"},
        {"got", got_words(output.first->got_text)},
        {"expected", number(grouped(output.first->expected_text))}};
    if (output.is_input) {
      check.got = sentence("the kernel changed its input {buffer}: {got}",
                           {{"buffer", output.buffer}, {"got", check.got}});
      check.message = sentence(
          "{element} was {expected} and is {got} after the run; the kernel may only read it.",
          element);
      break;
    }
    check.message = sentence("{element} is {got}, expected {expected}.", element);
    check.message.then(output.in_common);
    break;
  }
  if (&size != &sizes.front()) {
    check.message.then(sentence("At {size} everything is correct. What is special about that size?",
                                {{"size", sizes.front().size.label}}));
  }
  const auto& findings = size.student.findings;
  const bool faulty = std::any_of(findings.begin(), findings.end(), [](const emulator::Finding& f) {
    return f.severity == Severity::kError;
  });
  if (faulty) {
    // Facts about such a result mislead: the fault may be the only thing wrong with it.
    check.message.then(sentence("Look at the findings first."));
    return;
  }
  if (size.student.completed)
    check.message.then(fill_places(exercise.wrong_result, {{"element", first}}));
}

CheckResult check_correct(const Exercise& exercise, const std::vector<SizeResult>& sizes) {
  CheckResult check{.id = "correct",
                    .title = counted(exercise.sizes.size(), "Result correct, {count} size",
                                     "Result correct, {count} sizes")};
  check.wanted = sentence("the same results as the reference");
  check.evaluated = !sizes.empty();
  check.passed = check.evaluated;
  check.got = check.evaluated ? sentence("equal") : sentence("not run");
  for (const SizeResult& size : sizes) {
    if (size.correct && !size.unproven.empty())
      check.got = sentence("equal, but {why}", {{"why", size.unproven}});
    if (size.correct) continue;
    check.passed = false;
    explain_wrong(exercise, sizes, size, check);
    break;
  }
  return check;
}

CheckResult check_no_findings(const Exercise& exercise, const std::vector<SizeResult>& sizes) {
  CheckResult check{.id = "no-findings", .title = sentence("No findings")};
  check.wanted = sentence("none");
  // A kernel that did not run was not checked: a refused launch has no findings because nothing
  // looked for any.
  check.evaluated = !sizes.empty() &&
                    std::none_of(sizes.begin(), sizes.end(),
                                 [](const SizeResult& size) { return has_errors(size.problems); });
  const FindingCounts counts = count_findings(sizes);
  check.passed = check.evaluated && !findings_fail(exercise, counts);
  if (check.passed && counts.warnings > 0) {
    check.title = sentence("No errors found");
    check.wanted = sentence("no errors");
  }
  check.got = check.evaluated ? counts.words() : sentence("not run");
  if (counts.all() > 0) {
    const emulator::Finding& first = *findings_of(sizes).front().finding;
    check.message = first.place.line > 0
                        ? sentence("line {line}: {message}",
                                   {{"line", first.place.line}, {"message", first.message}})
                        : first.message;
    // A warning is not obviously a mistake, so say right away what to do about it.
    if (first.severity == Severity::kWarning) check.message.then(first.cause, ". ");
  }
  return check;
}

struct Undone {
  std::string_view counter;
  Sentence words;  // what the kernel did not do if the counter is 0
};

std::vector<Undone> make_undone_table() {
  const Sentence no_load = sentence("there was no load from global memory"),
                 no_store = sentence("there was no store to global memory"),
                 no_shared_load = sentence("nothing was loaded from shared memory"),
                 no_shared = sentence("shared memory was not used");
  return {
      {"global_load_requests", no_load},
      {"global_load_sectors", no_load},
      {"global_load_bytes_used", no_load},
      {"ideal.global_load_sectors", no_load},
      {"model.load_bursts", no_load},
      {"model.load_transactions", no_load},
      {"global_store_requests", no_store},
      {"global_store_sectors", no_store},
      {"global_store_bytes_used", no_store},
      {"ideal.global_store_sectors", no_store},
      {"model.store_bursts", no_store},
      {"model.store_transactions", no_store},
      {"shared_load_instructions", no_shared_load},
      {"matrix_load_instructions", no_shared_load},
      {"ideal.shared_load_wavefronts", no_shared_load},
      {"ideal.shared_store_wavefronts", sentence("nothing was stored to shared memory")},
      {"shared_wavefronts_ideal", no_shared},
      {"model.shared_parts", no_shared},
      {"theoretical_sectors_ideal", sentence("there was no access to global memory")},
      {"load_waits", sentence("no warp waited for a load")},
      {"dependent_steps", sentence("there was no chain of arithmetic")},
  };
}
const std::vector<Undone>& undone_table() {
  static const std::vector<Undone> kTable = make_undone_table();
  return kTable;
}

// Why a quotient has no value when its divisor is 0: what the kernel did not do, in words. Empty:
// no known counter.
Sentence what_was_not_done(const std::string& metric, const NameLookup& names) {
  const Result<Expression> expression = Expression::parse(metric);
  if (!expression.ok()) return {};
  Sentence out;
  for (const std::string& name : expression->zero_divisor(names)) {
    const bool reference = name.starts_with("reference.");
    for (const Undone& undone : undone_table()) {
      if (undone.counter !=
          (reference ? std::string_view(name).substr(10) : std::string_view(name)))
        continue;
      out.then(reference ? sentence("in the reference, {nothing}", {{"nothing", undone.words}})
                         : undone.words,
               ", ");
    }
  }
  return out;
}

// What the kernel did not do, if the metric only is 0 because the accesses that it rates never
// happened: nothing at all is not few. Empty: something happened, or the metric rates no accesses
// to global memory.
Sentence no_such_access(const std::string& metric, const NameLookup& names) {
  const Result<Expression> expression = Expression::parse(metric);
  if (!expression.ok()) return {};
  Sentence out;
  for (const Expression::NameUse& use : expression->names()) {
    const std::string_view name = use.name;
    const bool rated = name.starts_with("global_load_") || name.starts_with("global_store_") ||
                       name.starts_with("model.load_") || name.starts_with("model.store_");
    if (!rated) continue;
    if (names(name).value_or(0) != 0) return {};
    for (const Undone& undone : undone_table()) {
      if (undone.counter == name && out.english().find(undone.words.english()) == std::string::npos)
        out.then(undone.words, ", ");
    }
  }
  return out;
}

Sentence limit_words(bool is_most, Sentence limit) {
  return is_most ? sentence("at most {limit}", {{"limit", std::move(limit)}})
                 : sentence("at least {limit}", {{"limit", std::move(limit)}});
}

// A limit before anything has run: a number, or its formula.
Sentence as_written(const std::string& limit) {
  const Result<double> value = value_of(limit, [](std::string_view) { return std::nullopt; });
  return value.ok() ? number_words(*value) : Sentence(limit);
}

void nothing_to_judge(const Sentence& missing, const CheckRule& rule, CheckResult& check) {
  check.value.reset();
  check.got = missing;
  check.wanted = sentence("some, {limit}", {{"limit", check.wanted}});
  check.message = sentence("There is nothing to judge: {missing}. {message}",
                           {{"missing", missing}, {"message", rule.message}});
}

// Judges one rule at one size. True when it holds; fills in what `check` got and wanted.
bool judge(const CheckRule& rule, const SizeResult& size, CheckResult& check) {
  if (!size.student.completed) {
    check.got = sentence("did not finish");
    check.evaluated = false;
    return false;
  }
  const NameLookup names = names_of(size);
  const Result<double> got = value_of(rule.metric, names);
  if (!got.ok()) {
    const Sentence missing = what_was_not_done(rule.metric, names);
    if (!missing.empty()) {
      nothing_to_judge(missing, rule, check);
      return false;
    }
    check.got = sentence("no value");
    check.message = sentence("{error}. {message}",
                             {{"error", got.errors().front().message}, {"message", rule.message}});
    return false;
  }
  check.value = *got;
  check.got = number_words(*got);
  const bool one = number_text(*got) == "1" && !rule.unit_one.empty();
  check.unit = one ? rule.unit_one : rule.unit;
  check.got.then(check.unit);
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
    // A limit of 0 asks for no access at all.
    if (is_most && *got == 0 && *bound > 0) {
      if (const Sentence missing = no_such_access(rule.metric, names); !missing.empty()) {
        nothing_to_judge(missing, rule, check);
        holds = false;
      }
    }
    // Compare ratios of counts as they are displayed, not as floating point rounds them on the way.
    const double slack = 1e-9 * std::max(1.0, std::abs(*bound));
    holds = holds && (is_most ? *got <= *bound + slack : *got >= *bound - slack);
  }
  return holds;
}

CheckResult check_rule(const CheckRule& rule, const std::vector<SizeResult>& sizes) {
  CheckResult check{
      .id = rule.id, .title = rule.title, .got = sentence("not run"), .message = rule.message};
  check.unit = rule.unit;
  check.metric = rule.metric;
  if (rule.at_least) check.wanted = limit_words(false, as_written(*rule.at_least));
  if (rule.at_most) check.wanted.then(limit_words(true, as_written(*rule.at_most)), ", ");
  // When the check passes at all sizes, report the figure of the first, which the panels show.
  std::optional<CheckResult> first;
  for (const SizeResult& size : sizes) {
    check.evaluated = true;
    check.passed = judge(rule, size, check);
    if (!check.passed && rule.all_sizes && sizes.size() > 1) {
      check.got = sentence("{got} at {size}", {{"got", check.got}, {"size", size.size.label}});
    }
    if (!check.passed || !rule.all_sizes) break;
    if (!first) first = check;
  }
  if (check.passed && first) check = *first;
  if (check.passed || !check.evaluated) check.message.clear();
  return check;
}

}  // namespace

NameLookup names_of(const SizeResult& size) {
  return [&size](std::string_view name) -> std::optional<double> {
    const auto variable = size.size.variables.find(std::string(name));
    if (variable != size.size.variables.end()) return static_cast<double>(variable->second);
    if (name.starts_with("reference.")) return metric_value(size.reference, name.substr(10));
    return metric_value(size.student, name);
  };
}

Result<double> value_of(const std::string& text, const NameLookup& names) {
  const Result<Expression> expression = Expression::parse(text);
  if (!expression.ok()) return expression.errors();
  return expression->evaluate(names);
}

std::vector<CheckResult> evaluate_checks(const Exercise& exercise,
                                         const std::vector<SizeResult>& sizes) {
  std::vector<CheckResult> checks = {check_correct(exercise, sizes),
                                     check_no_findings(exercise, sizes)};
  for (const CheckRule& rule : exercise.checks) checks.push_back(check_rule(rule, sizes));
  return checks;
}

}  // namespace warpshop::lab
