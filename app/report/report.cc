#include "report/report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "html.h"
#include "core/expression.h"
#include "lab/findings.h"
#include "lab/step_text.h"
#include "lab/times.h"
#include "lab/worst_access.h"
#include "map_pictures.h"
#include "page.h"

namespace warpshop::report {
namespace {

constexpr const char* kNotBegun = "<span class=\"open\">– not started</span>";

std::string number(uint64_t value) { return number_text(static_cast<double>(value)); }

// An element with this text, escaped.
std::string text_element(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + escaped(text) + "</" + std::string(name) + ">\n";
}

// A verdict as a mark and a word; never by colour alone.
std::string verdict(bool evaluated, bool passed) {
  if (!evaluated) return "<span class=\"open\">– not judged</span>";
  return passed ? "<span class=\"good\">✓ passes</span>" : "<span class=\"poor\">✗ fails</span>";
}

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

std::string checks_table(const lab::RunResult& result) {
  Table table{"Checks", {"check", "verdict", "got", "wanted"}, {}, {}};
  for (const lab::CheckResult& check : result.checks) {
    std::string title = escaped(check.title);
    if (!check.passed && !check.message.empty())
      title += "<br/><small>" + escaped(check.message) + "</small>";
    table.rows.push_back(
        {title, verdict(check.evaluated, check.passed), escaped(check.got), escaped(check.wanted)});
  }
  return html_of(table);
}

std::string line_id(const lab::Step& step, int line) {
  return step.id + "-line-" + std::to_string(line);
}

std::string place_link(const lab::Step& step, const lab::RunResult& result,
                       const SourcePlace& place) {
  if (place.line <= 0) return {};
  const std::string words = "line " + std::to_string(place.line);
  if (!place.file.empty() && place.file != result.file_name) {
    return escaped(place.file + ", " + words) + ": ";
  }
  return "<a href=\"#" + line_id(step, place.line) + "\">" + words + "</a>: ";
}

std::string findings_section(const lab::Step& step, const lab::RunResult& result) {
  std::vector<std::string> items;
  const auto add = [&](std::string_view word, const SourcePlace& place, const std::string& message,
                       const std::string& help) {
    std::string item = "<li>" + place_link(step, result, place) + "<strong>" + escaped(word) +
                       "</strong>: " + escaped(message);
    if (!help.empty()) item += " <em>" + escaped(help) + "</em>";
    item += "</li>\n";
    if (std::find(items.begin(), items.end(), item) == items.end())
      items.push_back(std::move(item));
  };
  for (const lab::ProblemAt& at : lab::problems_of(result)) {
    add(severity_name(at.problem->severity), at.problem->place, at.problem->message,
        at.problem->help);
  }
  for (const lab::FoundAt& at : lab::findings_of(result.sizes)) {
    const emulator::Finding& f = *at.finding;
    const std::string kind(emulator::name_of(f.kind));
    add(f.severity == Severity::kError ? kind
                                       : std::string(severity_name(f.severity)) + ", " + kind,
        f.place, f.message, f.cause);
  }
  if (items.empty()) return "<p>No findings.</p>\n";
  std::string out = "<ul class=\"findings\">\n";
  for (const std::string& item : items) out += item;
  return out + "</ul>\n";
}

// Summarizes the cost of a line's memory instructions.
std::string cost_words(const lab::LineCost& cost) {
  std::string out;
  const auto add = [&](const timing::SiteCounters& counters, bool shared, const char* what) {
    if (counters.requests == 0) return;
    const uint64_t total = shared ? counters.wavefronts : counters.sectors;
    const uint64_t ideal = shared ? counters.wavefronts_ideal : counters.sectors_ideal;
    const double each = static_cast<double>(total) / static_cast<double>(counters.requests);
    const std::string text = std::string(what) + " " + number_text(each) +
                             (shared ? " wavefronts" : " sectors") + " per request";
    out += (out.empty() ? "" : ", ") +
           (total > ideal ? "<span class=\"poor\">✗ " + text + "</span>" : text);
  };
  add(cost.load, false, "load");
  add(cost.store, false, "store");
  add(cost.shared, true, "shared");
  return out;
}

std::string kernel_listing(const lab::Step& step, const lab::RunResult& result) {
  std::map<int, std::string> costs;
  if (const lab::KernelRun* run = result.student()) {
    for (const lab::LineCost& cost : run->lines) costs[cost.line] = cost_words(cost);
  }
  std::string out =
      "<table class=\"listing\">\n<caption>" + escaped(result.file_name) +
      "</caption>\n<thead><tr><th scope=\"col\" class=\"number\">line</th><th "
      "scope=\"col\">text</th><th scope=\"col\">what it costs</th></tr></thead>\n<tbody>\n";
  std::string_view rest = result.source;
  for (int line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    out += "<tr id=\"" + line_id(step, line) + "\"><th scope=\"row\" class=\"number\">" +
           std::to_string(line) + "</th><td><code>" + escaped(rest.substr(0, end)) +
           "</code></td><td>" + costs[line] + "</td></tr>\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out + "</tbody>\n</table>\n";
}

std::string counters_table(const lab::SizeResult& size) {
  Table table{"Counters at " + size.size.label + ", simulated",
              {"counter", "yours", "reference", "unit", "Nsight Compute"},
              {},
              {1, 2}};
  for (const timing::CounterInfo& info : timing::counter_table()) {
    const uint64_t yours = size.student.counters.*info.field;
    const uint64_t reference = size.reference.counters.*info.field;
    if (yours == 0 && reference == 0) continue;
    std::string name(info.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string value = number(yours);
    const bool worse = size.reference.completed &&
                       lab::is_worse(static_cast<double>(yours), static_cast<double>(reference));
    table.rows.push_back({escaped(name) + "<br/><small>" + escaped(info.meaning) + "</small>",
                          worse ? "<span class=\"poor\">" + value + "</span>" : value,
                          size.reference.completed ? number(reference) : "–",
                          escaped(std::string(info.unit) + "s"),
                          info.nsight.empty() ? "–" : "<code>" + escaped(info.nsight) + "</code>"});
  }
  return html_of(table);
}

std::string launch_words(const lab::KernelRun& run) {
  const auto dim = [](const emulator::Dim3& d) {
    return number(d.x) + " × " + number(d.y) + " × " + number(d.z);
  };
  std::string out = "Grid " + dim(run.grid) + ", block " + dim(run.block) + ", " +
                    number(run.static_shared_bytes + uint64_t{run.dynamic_shared_bytes}) +
                    " bytes of shared memory per block";
  if (run.registers > 0) {
    out += ", " + std::to_string(run.registers) + " registers per thread. Theoretical occupancy " +
           number_text(run.occupancy.fraction * 100) + " %";
    if (!run.occupancy.reason.empty()) out += " (" + run.occupancy.reason + ")";
  }
  return out + ".";
}

std::string maps_section(const lab::Step& step, const lab::RunResult& result) {
  const lab::KernelRun* run = result.student();
  if (!run) return {};
  std::string out;
  int figures = 0;
  for (const lab::AccessChoice choice :
       {lab::AccessChoice::kGlobalLoad, lab::AccessChoice::kGlobalStore,
        lab::AccessChoice::kShared}) {
    const timing::RecordedAccess* worst = lab::worst_access(*run, result.gpu, choice);
    if (!worst || lab::worst_request(*run, result.gpu, *worst).active_mask == 0) continue;
    out +=
        access_figure(result, *worst, step.id + "-map-" + std::to_string(++figures), result.source);
  }
  return out.empty() ? out : "<h4>The costliest accesses of the first block</h4>\n" + out;
}

std::string result_section(const lab::Step& step, const lab::RunResult& result) {
  std::string out = "<h4>Result</h4>\n";
  if (result.sizes.empty()) return out + "<p>The kernel did not run.</p>\n";
  Table table{"Compared with the reference", {"size", "verdict", "first mismatch"}, {}, {}};
  std::string pictures;
  int figures = 0;
  for (const lab::SizeResult& size : result.sizes) {
    std::string first = "–";
    for (const lab::BufferComparison& output : size.outputs) {
      if (!output.first) continue;
      if (first == "–") {
        first = escaped(output.buffer + "[" + number(output.first->index) + "]: got " +
                        output.first->got_text + ", expected " + output.first->expected_text +
                        "; " + number(output.wrong) + " of " + number(output.count) + " are wrong");
      }
      if (pictures.empty() && !output.wrong_bits.empty()) {
        pictures = mismatch_figure(output, step.id + "-wrong-" + std::to_string(++figures));
      }
    }
    table.rows.push_back({escaped(size.size.label),
                          verdict(size.student.completed || !size.outputs.empty(), size.correct),
                          first});
  }
  return out + html_of(table) + pictures;
}

std::string exercise_section(const lab::Step& step, const StepReport& report) {
  const lab::RunResult& result = *report.result;
  std::string out = "<h3>" + escaped(report.whose) + "</h3>\n";
  out += result.passed ? "<p class=\"verdict good\">✓ All checks pass.</p>\n"
                       : "<p class=\"verdict poor\">✗ Not all checks pass.</p>\n";
  out += "<h4>Checks</h4>\n" + checks_table(result);
  out += "<h4>Findings</h4>\n" + findings_section(step, result);
  out += "<h4>Kernel source</h4>\n" + kernel_listing(step, result);
  out += maps_section(step, result);
  const lab::KernelRun* run = result.student();
  if (run && run->completed) {
    out += "<h4>Counters</h4>\n" + text_element("p", launch_words(*run)) +
           counters_table(result.sizes.front());
  }
  return out + result_section(step, result);
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
