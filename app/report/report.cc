#include "report/report.h"

#include <cmath>

#include "core/expression.h"
#include "html.h"
#include "lab/step_text.h"
#include "lab/times.h"
#include "page.h"
#include "run_sections.h"

namespace warpshop::report {
namespace {

constexpr const char* kNotBegun = "<span class=\"open\">– not started</span>";

std::string quantity(double value, const std::string& unit) {
  const bool close = unit.empty() || unit.starts_with('%');
  return number_text(value) + (close ? "" : " ") + unit;
}

// Reveals the right answer only after the student has answered.
std::string choices_of(const lab::Question& question, int chosen) {
  std::string out = "<ul>\n";
  for (const int c : question.order) {
    const bool mine = chosen == c, right = question.answer == c;
    out += "<li>" + escaped(question.choices[static_cast<size_t>(c)]);
    if (mine) out += " <strong>(your answer)</strong>";
    if (chosen >= 0 && right) out += " <span class=\"good\">✓ right</span>";
    if (mine && !right) out += " <span class=\"poor\">✗</span>";
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

std::string number_of(const lab::NumberAnswer& asked, const double* said) {
  if (!said)
    return "<p>A number" + (asked.unit.empty() ? "" : ", in " + escaped(asked.unit)) +
           ": <span class=\"open\">– not answered</span></p>\n";
  const bool right = asked.accepts(*said);
  return "<p>You said <strong>" + escaped(quantity(*said, asked.unit_of(*said))) + "</strong>" +
         (right ? " <span class=\"good\">✓ right</span>" : " <span class=\"poor\">✗</span>") +
         "; it is " + escaped(quantity(asked.value, asked.unit_of(asked.value))) + ".</p>\n";
}

std::string questions_section(const lab::Step& step, const lab::StepProgress* progress,
                              const std::filesystem::path& folder) {
  std::string out = "<h3>Questions</h3>\n<ol class=\"questions\">\n";
  for (size_t i = 0; i < step.questions.size(); ++i) {
    const lab::Question& question = step.questions[i];
    const int place = static_cast<int>(i);
    const bool given = progress && progress->answered(step, place);
    out += "<li>" + html_of_markdown(question.ask, {}, 4, folder);
    out += question.number
               ? number_of(*question.number, given ? &progress->numbers.at(place) : nullptr)
               : choices_of(question, given ? progress->answers.at(place) : -1);
    if (given) out += html_of_markdown(question.explanation, {}, 4, folder);
    out += "</li>\n";
  }
  return out + "</ol>\n";
}

std::string markdown_list(const std::vector<std::string>& items,
                          const std::filesystem::path& folder) {
  std::string text;
  for (const std::string& item : items) text += "- " + item + "\n";
  return html_of_markdown(text, {}, 4, folder);
}

std::string contract_section(const lab::Contract& contract, const std::filesystem::path& folder) {
  return "<h3>What to write</h3>\n" + html_of_markdown(contract.text, {}, 4, folder) + "<p>About " +
         number(static_cast<uint64_t>(contract.lines)) +
         (contract.lines == 1 ? " line" : " lines") + ", within this budget:</p>\n" +
         markdown_list(contract.budget, folder);
}

// The question, what the student said, and what it is by the result's times.
std::string estimate_section(const Report& report, const lab::Step& step,
                             const std::optional<lab::RunResult>& result,
                             const lab::StepProgress* progress) {
  const lab::Estimate& estimate = *step.exercise->estimate;
  const std::string unit = estimate.of == lab::Estimate::Of::kTime ? "µs" : "×";
  std::string out =
      "<h3>Estimate</h3>\n" + html_of_markdown(estimate.ask, {}, 4, report.lab->folder) + "<p>";
  if (!progress || !progress->estimate) {
    return out + "<span class=\"open\">– no estimate was made</span></p>\n";
  }
  out += "You said <strong>" + quantity(*progress->estimate, unit) + "</strong>";
  const lab::SizeResult* size = result && result->passed ? result->timed_size() : nullptr;
  const auto outcome = size ? lab::outcome_of(estimate, *report.lab, *result, *size,
                                              lab::time_rows(*report.lab, *result, *size))
                            : std::nullopt;
  if (outcome) {
    out += "; it is " + quantity(std::round(outcome->value * 10) / 10, unit) + " (" +
           std::string(lab::name_of(outcome->provenance)) + ")";
  }
  return out + ".</p>\n";
}

// Questions that go further; their answers only once the step is passed.
std::string further_section(const lab::Step& step, bool passed,
                            const std::filesystem::path& folder) {
  std::string out = "<h3>Go further</h3>\n<ul>\n";
  for (const lab::FurtherQuestion& further : step.further) {
    out += "<li>" + html_of_markdown(further.ask, {}, 4, folder);
    if (passed) out += html_of_markdown(further.answer, {}, 4, folder);
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

std::string exercise_section(const lab::Step& step, const StepReport& report) {
  const lab::RunResult& result = *report.result;
  std::string out = "<h3>" + escaped(report.whose) + "</h3>\n";
  out += result.passed ? "<p class=\"verdict good\">✓ All checks pass.</p>\n"
                       : "<p class=\"verdict poor\">✗ Not all checks pass.</p>\n";
  out += "<h4>Checks</h4>\n" + checks_table(result);
  const std::string findings = findings_list(result, step.id);
  out += "<h4>Findings</h4>\n" + (findings.empty() ? "<p>No findings.</p>\n" : findings);
  out += "<h4>Kernel source</h4>\n" + kernel_listing(result, step.id);
  const std::string maps = costliest_maps(result, step.id);
  if (!maps.empty()) out += "<h4>The costliest accesses of the first block</h4>\n" + maps;
  const lab::KernelRun* run = result.student();
  if (run && run->completed) {
    out += "<h4>Counters</h4>\n" + text_element("p", launch_words(*run)) +
           counters_table(result.sizes.front(), Detail::kFull);
  }
  out += "<h4>Result</h4>\n";
  return out + (result.sizes.empty() ? "<p>The kernel did not run.</p>\n"
                                     : comparison_with_reference(result, step.id));
}

std::string step_section(const Report& report, const StepReport& part, size_t place) {
  const lab::Step& step = *part.step;
  std::string out = "<section aria-labelledby=\"" + step.id + "\">\n<h2 id=\"" + step.id + "\">" +
                    std::to_string(place + 1) + " " + escaped(step.title) + "</h2>\n";
  const std::filesystem::path& folder = report.lab->folder;
  const lab::StepProgress* progress =
      report.progress ? report.progress->find(*report.lab, step) : nullptr;
  if (!step.able.empty())
    out += html_of_markdown("After this step you can " + step.able + ".", {}, 3, folder);
  const lab::StepText parts = lab::parts_of(step.text);
  out += html_of_markdown(std::string(parts.before), step.title, 2, folder);
  if (step.exercise && step.exercise->contract)
    out += contract_section(*step.exercise->contract, folder);
  if (!step.questions.empty()) out += questions_section(step, progress, folder);
  if (step.exercise && step.exercise->estimate)
    out += estimate_section(report, step, part.result, progress);
  if (!parts.after_run.empty())
    out += html_of_markdown(std::string(parts.after_run), step.title, 2, folder);
  const bool passed = step.exercise
                          ? (progress && progress->passed) || (part.result && part.result->passed)
                          : progress && progress->answered_all(step);
  if (passed && !step.learned.empty())
    out += "<h3>What you learned</h3>\n" + markdown_list(step.learned, folder);
  if (!step.further.empty()) out += further_section(step, passed, folder);
  if (!part.begun) out += "<h3>The kernel</h3>\n<p>" + std::string(kNotBegun) + "</p>\n";
  if (part.result) out += exercise_section(step, part);
  return out + "</section>\n";
}

std::string overview(const Report& report) {
  Table table{"Steps", {"step", "verdict"}, {}, {}};
  for (const StepReport& part : report.steps) {
    const lab::StepProgress* progress =
        report.progress ? report.progress->find(*report.lab, *part.step) : nullptr;
    const bool reading = !part.step->exercise;
    if (!part.begun) {
      table.rows.push_back(
          {"<a href=\"#" + part.step->id + "\">" + escaped(part.step->title) + "</a>", kNotBegun});
      continue;
    }
    const bool judged = reading ? progress != nullptr && progress->passed : true;
    std::string words = verdict(judged, reading ? true : part.result->passed);
    if (reading) words = judged ? "<span class=\"good\">✓ answered</span>" : "– for reading";
    table.rows.push_back(
        {"<a href=\"#" + part.step->id + "\">" + escaped(part.step->title) + "</a>", words});
  }
  return html_of(table);
}

}  // namespace

std::string html_page(const Report& report) {
  std::string facts = report.author.empty() ? "" : report.author + " · ";
  facts += "rules of " + report.gpu;
  if (!report.written.empty()) facts += " · " + report.written;
  std::string out = page_start(report.lab->title, report.lab->summary, facts);
  if (report.steps.size() > 1)
    out += "<nav aria-label=\"Steps\">\n" + overview(report) + "</nav>\n";
  for (const StepReport& part : report.steps) {
    const auto place = static_cast<size_t>(part.step - report.lab->steps.data());
    out += step_section(report, part, place);
  }
  return out + page_end();
}

}  // namespace warpshop::report
