#include "report/run_fragment.h"

#include <algorithm>
#include <vector>

#include "core/fixed.h"
#include "core/text_id.h"
#include "html.h"
#include "lab/findings.h"
#include "map_pictures.h"
#include "models/known_error.h"
#include "page_style.h"
#include "run_sections.h"

namespace warpshop::report {
namespace {

// Rules under an id outweigh those of the page around it. Its themes: JupyterLab and Notebook 7, VS
// Code, Colab; a page without any of these marks has the system's.
std::string fragment_style(const std::string& id) {
  const std::string self = "#" + id,
                    dark = " { color-scheme: dark; " + std::string(kDarkColors) + " }\n";
  return "<style>\n" + self + " { color-scheme: light; --waste: url(#" + id + "-waste); " +
         std::string(kLightColors) + " }\n@media screen and (prefers-color-scheme: dark) {\n" +
         "body:not([data-jp-theme-light], .vscode-light, .vscode-high-contrast-light) " + self +
         dark + "}\n[data-jp-theme-light=\"false\"] " + self + ", .vscode-dark " + self +
         ", .vscode-high-contrast:not(.vscode-high-contrast-light) " + self +
         ", html[theme=\"dark\"] " + self + dark + "html[theme=\"light\"] " + self +
         " { color-scheme: light; " + std::string(kLightColors) + " }\n" + self + R"css( {
box-sizing: border-box; background: var(--panel); color: var(--text);
padding: .2rem 1rem .6rem; border-radius: 6px;
max-width: 60rem; font: 14px/1.5 Roboto, "Segoe UI", "Helvetica Neue", Arial, sans-serif;)css" +
         std::string(kContentStyle) +
         R"css(p, ul { margin: .4rem 0; }
ul { padding-left: 1.2rem; }
table { font-size: 13px; table-layout: auto; border: 0; }
tr, tbody tr:nth-child(odd), tbody tr:nth-child(even), tbody tr:hover { background: none; }
thead { border: 0; }
code { background: none; color: inherit; padding: 0; }
summary { margin: .3rem 0; }
.verdict { font-size: 16px; white-space: normal; }
.verdict small { font-weight: normal; font-size: 13px; }
.narrow table { width: auto; min-width: 50%; }
)css"
         "}\n</style>\n";
}

// "✓ coalescing/stride: all checks pass", "✗ saxpy: 1 error".
std::string verdict_line(const lab::RunResult& result, std::string_view name) {
  const lab::FindingCounts counts = lab::count_findings(result);
  const lab::KernelRun* run = result.student();
  const bool ran = run != nullptr && run->completed;
  const bool good = result.checks.empty() ? ran && counts.errors == 0 : result.passed;
  const std::string found = counts.all() == 0 ? "no findings" : counts.words().english();
  std::string words = ran ? "completed, " + found : "did not complete";
  if (result.sizes.empty() && counts.errors > 0) {
    words = found;
  } else if (!result.checks.empty()) {
    size_t failed = 0, judged = 0;
    for (const lab::CheckResult& check : result.checks) {
      judged += check.evaluated ? 1 : 0;
      failed += check.evaluated && !check.passed ? 1 : 0;
    }
    words = good          ? "all checks pass"
            : judged == 0 ? "not judged"
                          : number(failed) + " of " + number(judged) + " checks fail";
  }
  if (result.stopped) words = "stopped";
  return "<p class=\"verdict " + std::string(good ? "good" : "poor") + "\">" +
         (good ? "✓ " : "✗ ") + escaped(name) + ": " + escaped(words) + " <small>· " +
         escaped(result.gpu.name) + "</small></p>\n";
}

std::string times_section(const lab::RunResult& result) {
  Table table{"Predicted times", {"size", "yours"}, {}, {1}};
  const auto has_prediction = [](const lab::SizeResult* size) {
    return size->student.prediction.has_value();
  };
  const std::vector<const lab::SizeResult*> sizes = result.sizes_by_time();
  if (std::none_of(sizes.begin(), sizes.end(), has_prediction)) return {};
  const bool compared = std::any_of(sizes.begin(), sizes.end(), [](const lab::SizeResult* size) {
    return size->reference.prediction.has_value();
  });
  const auto us = [](const lab::KernelRun& run) {
    return run.prediction ? fixed(run.prediction->time_us, 2) + " µs" : std::string("–");
  };
  if (compared) {
    table.header.emplace_back("reference");
    table.numbers.push_back(2);
  }
  for (const lab::SizeResult* size : sizes) {
    if (!has_prediction(size)) continue;
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {escaped(size->size.label.empty() ? "this launch" : size->size.label), us(size->student)};
    if (compared) row.push_back(us(size->reference));
  }
  std::string out = "<div class=\"narrow\">" + html_of(table) + "</div>\n";
  const lab::KernelRun& shown = result.timed_size()->student;
  if (shown.limiter) {
    out += "<p><strong>" + escaped(shown.limiter->headline.english()) + "</strong><br/>" +
           escaped(shown.limiter->why.english()) + "</p>\n";
  } else if (shown.prediction) {
    out += text_element("p", shown.prediction->reason);
  }
  return out + "<p class=\"quiet\">" +
         escaped("Predicted by a model. " + models::known_error(result.gpu).english()) + "</p>\n";
}

std::string problems_list(const Diagnostics& problems) {
  if (problems.empty()) return {};
  std::string out = "<ul>\n";
  for (const Diagnostic& problem : problems) {
    out += "<li><strong>" + escaped(severity_name(problem.severity)) +
           "</strong>: " + escaped(problem.message) + " <em>" + escaped(problem.help) +
           "</em></li>\n";
  }
  return out + "</ul>\n";
}

bool any_judged(const lab::RunResult& result) {
  return std::any_of(result.checks.begin(), result.checks.end(),
                     [](const lab::CheckResult& check) { return check.evaluated; });
}

}  // namespace

std::string run_fragment(const lab::RunResult& result, std::string_view name) {
  const std::string id =
      "warpshop-" + text_id(std::string(name) + '\n' + result.gpu.id + '\n' + result.source);
  std::string out = "<div class=\"warpshop\" id=\"" + id + "\">\n" + fragment_style(id) +
                    picture_patterns(id + "-waste") + verdict_line(result, name);
  if (any_judged(result)) out += checks_table(result);
  out += findings_list(result, id);
  const bool wrong =
      std::any_of(result.sizes.begin(), result.sizes.end(), [](const lab::SizeResult& size) {
        return std::any_of(size.outputs.begin(), size.outputs.end(),
                           [](const lab::BufferComparison& output) { return output.wrong > 0; });
      });
  if (wrong) out += comparison_with_reference(result, id);
  out += costliest_maps(result, id);
  const lab::KernelRun* run = result.student();
  if (run != nullptr && run->completed) {
    out += "<div class=\"narrow\">" + counters_table(result.sizes.front(), Detail::kBrief) +
           "</div>\n" + text_element("p", launch_words(*run));
  }
  out += times_section(result) + problems_list(result.prediction_problems);
  if (run != nullptr && !run->printed.empty())
    out += "<p>Printed by the kernel:</p>\n" + text_element("pre", run->printed);
  // The findings' links lead to its lines.
  out += "<details><summary>" +
         std::string(run != nullptr ? "What each line costs" : "The source, line by line") +
         "</summary>\n" + kernel_listing(result, id) + "</details>\n";
  return out + "</div>\n";
}

}  // namespace warpshop::report
