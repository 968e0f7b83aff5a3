#include "run_sections.h"

#include <algorithm>
#include <map>
#include <vector>

#include "core/expression.h"
#include "core/grouped.h"
#include "html.h"
#include "lab/access_cost.h"
#include "lab/findings.h"
#include "lab/worst_access.h"
#include "map_pictures.h"

namespace warpshop::report {
namespace {

std::string line_id(std::string_view id, int line) {
  return std::string(id) + "-line-" + std::to_string(line);
}

std::string place_link(const lab::RunResult& result, const SourcePlace& place,
                       std::string_view id) {
  if (place.line <= 0) return {};
  const std::string words = "line " + std::to_string(place.line);
  if (!place.file.empty() && place.file != result.file_name) {
    return escaped(place.file + ", " + words) + ": ";
  }
  return "<a href=\"#" + line_id(id, place.line) + "\">" + words + "</a>: ";
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

}  // namespace

std::string number(uint64_t value) { return number_text(static_cast<double>(value)); }

std::string text_element(std::string_view name, std::string_view text) {
  return "<" + std::string(name) + ">" + escaped(text) + "</" + std::string(name) + ">\n";
}

std::string verdict(bool evaluated, bool passed) {
  if (!evaluated) return "<span class=\"open\">– not judged</span>";
  return passed ? "<span class=\"good\">✓ passes</span>" : "<span class=\"poor\">✗ fails</span>";
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

std::string findings_list(const lab::RunResult& result, std::string_view id) {
  std::vector<std::string> items;
  const auto add = [&](std::string_view word, const SourcePlace& place, const std::string& message,
                       const std::string& help) {
    std::string item = "<li>" + place_link(result, place, id) + "<strong>" + escaped(word) +
                       "</strong>: " + escaped(message);
    if (!help.empty()) item += " <em>" + escaped(help) + "</em>";
    if (place.line > 0 && place.file == result.file_name)
      item += "<br/><code>" + escaped(lab::line_text(result.source, place.line)) + "</code>";
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
  if (items.empty()) return {};
  std::string out = "<ul class=\"findings\">\n";
  for (const std::string& item : items) out += item;
  return out + "</ul>\n";
}

std::string kernel_listing(const lab::RunResult& result, std::string_view id) {
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
    out += "<tr id=\"" + line_id(id, line) + "\"><th scope=\"row\" class=\"number\">" +
           std::to_string(line) + "</th><td><code>" + escaped(rest.substr(0, end)) +
           "</code></td><td>" + costs[line] + "</td></tr>\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out + "</tbody>\n</table>\n";
}

std::string counters_table(const lab::SizeResult& size, Detail detail) {
  const bool full = detail == Detail::kFull, compared = size.reference.completed;
  // Columns: the counter, yours, the reference's, its unit, Nsight Compute's name.
  Table table{
      "Counters" + (size.size.label.empty() ? "" : " at " + size.size.label) + ", simulated",
      {"counter", compared || full ? "yours" : "count"},
      {},
      {1}};
  if (compared || full) {
    table.header.emplace_back("reference");
    table.numbers.push_back(2);
  }
  table.header.emplace_back("unit");
  if (full) table.header.emplace_back("Nsight Compute");
  for (const timing::CounterInfo& info : timing::counter_table()) {
    const uint64_t yours = size.student.counters.*info.field;
    const uint64_t reference = size.reference.counters.*info.field;
    if (yours == 0 && reference == 0) continue;
    std::string name(info.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    const std::string value = number(yours);
    const bool worse =
        compared && lab::is_worse(static_cast<double>(yours), static_cast<double>(reference));
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(full ? escaped(name) + "<br/><small>" + escaped(info.meaning) + "</small>"
                       : "<span title=\"" + escaped(info.meaning) + "\">" + escaped(name) +
                             "</span>");
    row.push_back(worse ? "<span class=\"poor\">" + value + "</span>" : value);
    if (compared || full) row.push_back(compared ? number(reference) : "–");
    row.push_back(escaped(std::string(info.unit) + "s"));
    if (full)
      row.push_back(info.nsight.empty() ? "–" : "<code>" + escaped(info.nsight) + "</code>");
  }
  return html_of(table);
}

std::string launch_words(const lab::KernelRun& run) {
  const auto dim = [](const Dim3& d) {
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

std::string costliest_maps(const lab::RunResult& result, std::string_view id) {
  const lab::KernelRun* run = result.student();
  if (!run) return {};
  std::string out;
  int figures = 0;
  for (const lab::AccessChoice choice :
       {lab::AccessChoice::kGlobalLoad, lab::AccessChoice::kGlobalStore,
        lab::AccessChoice::kShared}) {
    const timing::RecordedAccess* worst = lab::worst_access(*run, result.gpu, choice);
    if (!worst || lab::worst_request(*run, result.gpu, *worst).active_mask == 0) continue;
    out += access_figure(result, *worst, std::string(id) + "-map-" + std::to_string(++figures),
                         result.source);
  }
  return out;
}

std::string comparison_with_reference(const lab::RunResult& result, std::string_view id) {
  Table table{"Compared with the reference", {"size", "verdict", "first mismatch"}, {}, {}};
  std::string pictures;
  int figures = 0;
  for (const lab::SizeResult& size : result.sizes) {
    std::string first = "–";
    for (const lab::BufferComparison& output : size.outputs) {
      if (!output.first) continue;
      if (first == "–") {
        first = escaped(output.buffer + "[" + number(output.first->index) + "]: got " +
                        warpshop::grouped(output.first->got_text) + ", expected " +
                        warpshop::grouped(output.first->expected_text) + "; " +
                        number(output.wrong) + " of " + number(output.count) + " are wrong");
      }
      if (pictures.empty() && !output.wrong_bits.empty()) {
        pictures = mismatch_figure(output, std::string(id) + "-wrong-" + std::to_string(++figures));
      }
    }
    table.rows.push_back({escaped(size.size.label),
                          verdict(size.student.completed || !size.outputs.empty(), size.correct),
                          first});
  }
  return html_of(table) + pictures;
}

}  // namespace warpshop::report
