#include "report.h"

#include <algorithm>
#include <cstdio>

#include "access_map.h"
#include "core/expression.h"
#include "core/grouped.h"
#include "lab/access_cost.h"
#include "lab/findings.h"
#include "lab/worst_access.h"

namespace warpshop::cli {
namespace {

std::string number(uint64_t value) { return number_text(static_cast<double>(value)); }

std::string dim_text(const Dim3& dim) {
  return number(dim.x) + " × " + number(dim.y) + " × " + number(dim.z);
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out.append(indent).append(text.substr(at, end - at)).append("\n");
    at = end + 1;
  }
  return out;
}

std::string stage_mark(lab::StageState state, const Paint& paint) {
  switch (state) {
    case lab::StageState::kPassed:
      return paint.good("✓");
    case lab::StageState::kFailed:
      return paint.bad("✗");
    default:
      return paint.quiet("–");
  }
}

std::string stages_line(const lab::RunResult& result, const Paint& paint) {
  std::string out;
  for (int i = 0; i < lab::kStageCount; ++i) {
    const auto stage = static_cast<lab::Stage>(i);
    const lab::StageReport& report = result.stage(stage);
    if (i > 0) out += "   ";
    out += stage_mark(report.state, paint) + " " + std::string(lab::name_of(stage));
    if (!report.summary.empty()) out += " " + paint.quiet(report.summary);
  }
  return "  " + out + "\n";
}

std::string checks_table(const lab::RunResult& result, const Paint& paint) {
  size_t width = 0;
  for (const lab::CheckResult& check : result.checks)
    width = std::max(width, screen_width(check.title));
  std::string out = "Checks\n";
  for (const lab::CheckResult& check : result.checks) {
    const std::string mark = check.passed      ? paint.good("✓")
                             : check.evaluated ? paint.bad("✗")
                                               : paint.quiet("–");
    out += "  " + mark + " " + pad_right(check.title, width) + "  ";
    if (check.passed) {
      out += check.got;
    } else if (check.evaluated) {
      out += paint.bad("got " + check.got) + ", wanted " + check.wanted;
    } else {
      out += paint.quiet(check.got);
    }
    out += "\n";
    if (!check.passed && !check.message.empty()) out += indented(check.message, "      ");
  }
  return out;
}

}  // namespace

std::string mismatch_report(const lab::RunResult& result, const Paint& paint) {
  for (const lab::SizeResult& size : result.sizes) {
    for (const lab::BufferComparison& output : size.outputs) {
      if (!output.first) continue;
      const lab::BufferComparison::Mismatch& first = *output.first;
      std::string place = output.buffer + "[" + std::to_string(first.index) + "]";
      if (output.has_rows) {
        place += " (row " + number(first.index / output.width) + ", column " +
                 number(first.index % output.width) + ")";
      }
      return "First mismatch at " + size.size.label + "\n  " + place + ": got " +
             paint.bad(grouped(first.got_text)) + ", expected " + grouped(first.expected_text) +
             "; " + number(output.wrong) + " of " + number(output.count) + " elements are wrong\n";
    }
  }
  return {};
}

std::string check_report(const lab::Lab& lab, const lab::Step& step, const lab::RunResult& result,
                         const Paint& paint) {
  std::string out = paint.strong(lab.title + " › " + step.title) + "\n";
  out += "  " +
         paint.quiet(lab.id + "/" + step.id + " · " + result.file_name + " · " + result.gpu.name) +
         "\n";
  out += stages_line(result, paint);
  Diagnostics problems;
  for (const lab::ProblemAt& at : lab::problems_of(result)) problems.push_back(*at.problem);
  if (!problems.empty()) {
    out += "\n" + diagnostics_report(problems, result.file_name, result.source, paint);
  }
  out += "\n" + checks_table(result, paint);
  if (const std::string mismatch = mismatch_report(result, paint); !mismatch.empty())
    out += "\n" + mismatch;
  std::vector<emulator::Finding> findings;
  for (const lab::FoundAt& found : lab::findings_of(result.sizes))
    findings.push_back(*found.finding);
  if (!findings.empty()) {
    out += "\n" + findings_report(findings, result.file_name, result.source, paint);
    if (lab::more_findings(result))
      out += paint.quiet("There are more. Fix these first, then run again.") + "\n";
  }
  const lab::KernelRun* run = result.student();
  if (run != nullptr && run->grid.count() > 0 && !run->sites.empty()) {
    out += "\n" + launch_report(*run);
    const lab::KernelRun* reference = result.reference();
    out += "\n" + counters_report(*run, reference, paint);
    out += "  " + paint.quiet("at " + result.sizes.front().size.label + ", simulated") + "\n";
    if (const std::string maps = maps_report(*run, result.gpu, result.source, true); !maps.empty())
      out += "\n" + maps;
    if (!run->printed.empty()) out += "\nPrinted by the kernel\n" + indented(run->printed, "  ");
  }
  if (const std::string measured = measured_report(result, paint); !measured.empty())
    out += "\n" + measured;
  if (const std::string predicted = predicted_report(result, paint); !predicted.empty())
    out += "\n" + predicted;
  // The whole-kernel check waits for the others: until then it does not count as failed.
  const auto waits = std::count_if(
      result.checks.begin(), result.checks.end(),
      [](const lab::CheckResult& c) { return c.id == "whole-kernel" && !c.evaluated; });
  const auto failed = std::count_if(result.checks.begin(), result.checks.end(),
                                    [](const lab::CheckResult& c) { return !c.passed; }) -
                      waits;
  out += "\n";
  if (result.stopped) {
    out += paint.bad("stopped") + "\n";
  } else if (result.passed) {
    out += paint.good("passed") + ": all checks of " + lab.id + "/" + step.id + " pass\n";
  } else {
    out += paint.bad("not passed") + ": " + std::to_string(failed) + " of " +
           std::to_string(static_cast<long>(result.checks.size()) - waits) + " checks of " +
           lab.id + "/" + step.id + " fail\n";
  }
  return out;
}

std::string launch_report(const lab::KernelRun& run) {
  std::string out = "Launch of " + run.kernel + "\n";
  out += "  grid " + dim_text(run.grid) + ", block " + dim_text(run.block) + ", shared " +
         number(run.static_shared_bytes) + " + " + number(run.dynamic_shared_bytes) + " bytes";
  if (run.registers > 0) {
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f", run.occupancy.fraction * 100);
    out += ", " + std::to_string(run.registers) + " registers\n";
    out += "  occupancy " + std::string(percent) +
           " %: " + number(static_cast<uint64_t>(run.occupancy.blocks_per_sm)) + " blocks, " +
           number(static_cast<uint64_t>(run.occupancy.warps_per_sm)) + " warps per SM";
    if (!run.occupancy.reason.empty()) out += " (" + run.occupancy.reason + ")";
  }
  return out + "\n";
}

std::string counters_report(const lab::KernelRun& run, const lab::KernelRun* reference,
                            const Paint& paint) {
  struct Row {
    std::string name, yours, theirs, unit;
  };
  std::vector<Row> rows = {
      {"", reference != nullptr ? "yours" : "", reference != nullptr ? "reference" : "", ""}};
  const auto add = [&](std::string_view name, uint64_t yours, uint64_t theirs,
                       std::string_view unit) {
    if (yours == 0 && theirs == 0) return;
    rows.push_back({std::string(name), number(yours), reference != nullptr ? number(theirs) : "",
                    std::string(unit) + (yours == 1 ? "" : "s")});
  };
  for (const timing::CounterInfo& info : timing::counter_table()) {
    add(info.name, run.counters.*info.field,
        reference != nullptr ? reference->counters.*info.field : 0, info.unit);
  }
  add("thread_instructions", run.thread_instructions,
      reference != nullptr ? reference->thread_instructions : 0, "instruction");
  size_t name_width = 0;
  size_t yours_width = 0;
  size_t theirs_width = 0;
  for (const Row& row : rows) {
    name_width = std::max(name_width, row.name.size());
    yours_width = std::max(yours_width, screen_width(row.yours));
    theirs_width = std::max(theirs_width, screen_width(row.theirs));
  }
  std::string out;
  for (const Row& row : rows) {
    std::string line =
        "  " + pad_right(row.name, name_width) + "  " + pad_left(row.yours, yours_width);
    if (reference != nullptr) {
      line += "  " + paint.quiet(pad_left(row.theirs, theirs_width));
    }
    if (!row.unit.empty()) line += "  " + paint.quiet(row.unit);
    line.erase(line.find_last_not_of(' ') + 1);
    if (&row != &rows.front()) {
      out += line + "\n";
    } else {
      out += "Counters" + (line.size() > 8 ? line.substr(8) : "") + "\n";
    }
  }
  return out;
}

std::string sites_report(const lab::KernelRun& run, std::string_view source, const Paint& paint) {
  std::string out = "Memory instructions by line\n";
  bool any = false;
  const auto add = [&](int line, const char* what, const timing::SiteCounters& cost, bool shared) {
    if (cost.executions == 0) return;
    any = true;
    char text[200];
    const double each = cost.requests == 0
                            ? 0
                            : static_cast<double>(shared ? cost.wavefronts : cost.sectors) /
                                  static_cast<double>(cost.requests);
    const uint64_t total = shared ? cost.wavefronts : cost.sectors;
    const uint64_t ideal = shared ? cost.wavefronts_ideal : cost.sectors_ideal;
    std::snprintf(
        text, sizeof text, "  line %-4d %-6s %12s requests  %12s %s  ideal %12s  %s per request",
        line, what, number(cost.requests).c_str(), number(total).c_str(),
        shared ? "wavefronts" : "sectors   ", number(ideal).c_str(), number_text(each).c_str());
    out += (total > ideal ? paint.bad(text) : std::string(text)) + "\n";
  };
  for (const lab::LineCost& line : run.lines) {
    add(line.line, "load", line.load, false);
    add(line.line, "store", line.store, false);
    add(line.line, "shared", line.shared, true);
    if (line.load.executions + line.store.executions + line.shared.executions == 0) continue;
    const std::string_view text = lab::line_text(source, line.line);
    if (!text.empty()) out += "            " + paint.quiet(text) + "\n";
  }
  return any ? out : std::string();
}

std::string findings_report(const std::vector<emulator::Finding>& findings,
                            std::string_view file_name, std::string_view source,
                            const Paint& paint) {
  std::string out;
  for (const emulator::Finding& finding : findings) {
    Diagnostic diagnostic{
        finding.severity, emulator::diagnostic_kind_of(finding.kind), finding.place,
        std::string(emulator::name_of(finding.kind)) + ": " + finding.message, finding.cause};
    if (finding.count > 1)
      diagnostic.message = diagnostic.message + " (" + number(finding.count) + " times)";
    if (diagnostic.place.file.empty()) diagnostic.place.file = std::string(file_name);
    out += diagnostics_report({diagnostic}, file_name, source, paint);
    if (finding.other_place && finding.other_place->line > 0) {
      const Diagnostic other{Severity::kNote, diagnostic.kind, *finding.other_place,
                             "the other " + (finding.other_access.empty() ? std::string("party")
                                                                          : finding.other_access),
                             ""};
      out += diagnostics_report({other}, file_name, source, paint);
    }
  }
  return out;
}

std::string maps_report(const lab::KernelRun& run, const models::GpuProfile& gpu,
                        std::string_view source, bool shared_only_if_wasteful) {
  std::string out;
  for (lab::AccessChoice choice : {lab::AccessChoice::kGlobalLoad, lab::AccessChoice::kGlobalStore,
                                   lab::AccessChoice::kShared}) {
    const timing::RecordedAccess* worst = lab::worst_access(run, gpu, choice);
    if (worst == nullptr) continue;
    const bool wasteful = run.counters.shared_wavefronts > run.counters.shared_wavefronts_ideal;
    if (choice == lab::AccessChoice::kShared && shared_only_if_wasteful && !wasteful) continue;
    out += (out.empty() ? "" : "\n") + access_map(run, gpu, *worst, source);
  }
  return out;
}

std::string diagnostics_report(const Diagnostics& diagnostics, std::string_view file_name,
                               std::string_view source, const Paint& paint) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) {
    const bool ours = diagnostic.place.file == file_name;
    std::string text = render(diagnostic, ours ? source : std::string_view());
    const std::string word = std::string(severity_name(diagnostic.severity)) + ":";
    if (const size_t at = text.find(word); at != std::string::npos) {
      const bool bad = diagnostic.severity != Severity::kNote;
      text.replace(at, word.size(), bad ? paint.bad(word) : paint.quiet(word));
    }
    out += text + "\n";
  }
  return out;
}

}  // namespace warpshop::cli
