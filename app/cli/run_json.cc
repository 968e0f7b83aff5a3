#include "run_json.h"

#include "core/json_text.h"
#include "core/terminal_text.h"
#include "core/text_id.h"
#include "lab/prediction_json.h"

namespace warpshop::cli {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json line_or_null(int line) { return line > 0 ? Json(line) : Json(); }

std::string state_name(lab::StageState state) {
  switch (state) {
    case lab::StageState::kWaiting:
      return "waiting";
    case lab::StageState::kRunning:
      return "running";
    case lab::StageState::kPassed:
      return "passed";
    case lab::StageState::kFailed:
      return "failed";
    case lab::StageState::kSkipped:
      return "skipped";
    case lab::StageState::kStopped:
      return "stopped";
  }
  return "";
}

Json json_of_occupancy(const timing::Occupancy& occupancy) {
  return {{"percent", occupancy.fraction * 100},
          {"blocks_per_sm", occupancy.blocks_per_sm},
          {"warps_per_sm", occupancy.warps_per_sm},
          {"limiter", std::string(timing::name_of(occupancy.limiter))},
          {"reason", occupancy.reason}};
}

Json json_of_outputs(const std::vector<lab::BufferComparison>& outputs) {
  Json out = Json::array();
  for (const lab::BufferComparison& output : outputs) {
    Json first;
    if (output.first) {
      first = {{"index", output.first->index},
               {"expected", output.first->expected_text},
               {"got", output.first->got_text}};
    }
    out.push_back({{"buffer", output.buffer},
                   {"type", std::string(lab::name_of(output.type))},
                   {"count", output.count},
                   {"width", output.width},
                   {"wrong", output.wrong},
                   {"max_abs_error", output.max_abs_error},
                   {"input", output.is_input},
                   {"first_mismatch", first},
                   {"in_common", output.in_common}});
  }
  return out;
}

Json json_of_timing(const device::KernelTiming& t) {
  return {{"cold_us", t.median_us},      {"cold_min_us", t.min_us}, {"cold_spread_us", t.spread_us},
          {"warm_us", t.warm_median_us}, {"launches", t.launches},  {"outliers", t.outliers},
          {"samples_us", t.samples_us}};
}

Json json_of_figures(const device::KernelFigures& f) {
  return {{"registers", f.registers},
          {"static_shared", f.static_shared_bytes},
          {"local_bytes", f.local_bytes},
          {"blocks_per_sm", f.blocks_per_sm}};
}

Json json_of_measurement(const lab::Measurement& measured) {
  Json outputs = Json::array();
  for (const device::OutputComparison& output : measured.job.outputs) {
    outputs.push_back({{"buffer", output.buffer},
                       {"count", output.count},
                       {"wrong", output.wrong},
                       {"max_abs_error", output.max_abs_error}});
  }
  Json guards = Json::array();
  for (const device::GuardHit& hit : measured.job.guards) {
    guards.push_back({{"buffer", hit.buffer}, {"offset", hit.offset_bytes}, {"bytes", hit.bytes}});
  }
  Json out = {{"correct", measured.correct},
              {"student", json_of_figures(measured.job.student)},
              {"outputs", outputs},
              {"guards", guards},
              {"printed", measured.job.printed}};
  if (measured.job.reference) out["reference"] = json_of_figures(*measured.job.reference);
  if (measured.job.timing) out["timing"] = json_of(*measured.job.timing);
  if (measured.job.counters) add_gpu_counters(*measured.job.counters, out);
  if (measured.student_gb_s > 0) {
    out["student_gb_s"] = measured.student_gb_s;
    out["reference_gb_s"] = measured.reference_gb_s;
    out["student_of_ceiling"] = measured.student_of_ceiling;
  }
  if (measured.student_prediction_error) {
    out["student_prediction_error"] = *measured.student_prediction_error;
  }
  if (measured.reference_prediction_error) {
    out["reference_prediction_error"] = *measured.reference_prediction_error;
  }
  return out;
}

Json json_of_gpu(const lab::MeasuredOn& on) {
  return {{"gpu", on.gpu.name},
          {"index", on.gpu.index},
          {"compute_capability",
           std::to_string(on.gpu.capability_major) + "." + std::to_string(on.gpu.capability_minor)},
          {"host", on.host},
          {"driver", on.driver},
          {"driver_version", on.driver_version},
          {"peak_gb_s", on.peak_gb_s}};
}

Json json_of_size(const lab::SizeResult& size) {
  Json variables = Json::object();
  for (const auto& [name, value] : size.size.variables) variables[name] = value;
  Json problems = Json::array();
  for (const Diagnostic& problem : size.problems) problems.push_back(json_of(problem));
  Json out = {{"label", size.size.label},
              {"variables", variables},
              {"correct", size.correct},
              {"useful_bytes", size.useful_bytes},
              {"outputs", json_of_outputs(size.outputs)},
              {"problems", problems},
              {"student", json_of(size.student)},
              {"reference", json_of(size.reference)}};
  if (size.measured) out["measured"] = json_of_measurement(*size.measured);
  return out;
}

}  // namespace

Json json_of(const Diagnostic& diagnostic) {
  return {{"severity", std::string(severity_name(diagnostic.severity))},
          {"kind", diagnostic.kind.name()},
          {"file", text_or_null(diagnostic.place.file)},
          {"line", line_or_null(diagnostic.place.line)},
          {"column", line_or_null(diagnostic.place.column)},
          {"message", diagnostic.message},
          {"help", text_or_null(diagnostic.help)}};
}

void add_gpu_counters(const device::CounterReading& reading, Json& out) {
  out["counters"] = Json::object();
  for (const device::CounterValue& value : reading.values) {
    out["counters"][value.name] = {
        {"value", value.value}, {"unit", value.unit}, {"metric", value.metric}};
  }
  if (reading.problems.empty()) return;
  out["counter_problems"] = Json::array();
  for (const Diagnostic& problem : reading.problems) {
    out["counter_problems"].push_back(json_of(problem));
  }
}

Json json_of(const device::Timing& timing) {
  Json out = {{"student", json_of_timing(timing.student)}};
  if (timing.reference) out["reference"] = json_of_timing(*timing.reference);
  out["wrong_when_timed"] = timing.wrong_when_timed;
  out["inputs_changed"] = timing.inputs_changed;
  out["empty_launch_us"] = timing.empty_launch_us;
  out["clock_mhz"] = timing.clock_mhz;
  out["memory_clock_mhz"] = timing.memory_clock_mhz;
  out["temperature_c"] = timing.temperature_c;
  out["throttled"] = timing.throttled;
  out["copy_ceiling_gb_s"] = timing.copy_ceiling_gb_s;
  return out;
}

Json json_of(const emulator::Finding& finding) {
  Json out = {{"kind", std::string(emulator::name_of(finding.kind))},
              {"severity", std::string(severity_name(finding.severity))},
              {"space", text_or_null(finding.space)},
              {"access", text_or_null(finding.access)},
              {"file", text_or_null(finding.place.file)},
              {"line", line_or_null(finding.place.line)},
              {"block", finding.who.block},
              {"thread", finding.who.thread},
              {"address", finding.address},
              {"bytes", finding.size_bytes},
              {"allocation", text_or_null(finding.allocation)},
              {"distance_bytes", finding.distance_bytes},
              {"count", finding.count},
              {"message", finding.message},
              {"cause", text_or_null(finding.cause)}};
  if (finding.other_place) {
    out["other_file"] = text_or_null(finding.other_place->file);
    out["other_line"] = line_or_null(finding.other_place->line);
    out["other_access"] = text_or_null(finding.other_access);
  }
  if (finding.other_who) {
    out["other_block"] = finding.other_who->block;
    out["other_thread"] = finding.other_who->thread;
  }
  return out;
}

Json json_of(const timing::SiteCounters& counters) {
  return {{"executions", counters.executions},
          {"lanes", counters.lanes},
          {"requests", counters.requests},
          {"sectors", counters.sectors},
          {"sectors_ideal", counters.sectors_ideal},
          {"wavefronts", counters.wavefronts},
          {"wavefronts_ideal", counters.wavefronts_ideal},
          {"bytes_used", counters.bytes_used}};
}

Json json_of(const lab::KernelRun& run) {
  Json counters = Json::object();
  for (const timing::CounterInfo& info : timing::counter_table()) {
    counters[std::string(info.name)] = run.counters.*info.field;
  }
  Json lines = Json::array();
  for (const lab::LineCost& line : run.lines) {
    Json out = {{"line", line.line}, {"warp_instructions", line.warp_instructions}};
    if (line.load.executions > 0) out["load"] = json_of(line.load);
    if (line.store.executions > 0) out["store"] = json_of(line.store);
    if (line.shared.executions > 0) out["shared"] = json_of(line.shared);
    lines.push_back(out);
  }
  Json findings = Json::array();
  for (const emulator::Finding& finding : run.findings) findings.push_back(json_of(finding));
  Json out = {{"kernel", run.kernel},
              {"completed", run.completed},
              {"grid", run.grid},
              {"block", run.block},
              {"dynamic_shared", run.dynamic_shared_bytes},
              {"static_shared", run.static_shared_bytes},
              {"registers", run.registers},
              {"occupancy", json_of_occupancy(run.occupancy)},
              {"counters", counters},
              {"lines", lines},
              {"findings", findings},
              {"printed", run.printed},
              {"thread_instructions", run.thread_instructions},
              {"warp_instructions", run.warp_instructions},
              {"seconds", run.seconds}};
  if (run.prediction) out["prediction"] = lab::prediction_json(*run.prediction);
  if (run.limiter) {
    out["limit"] = {{"headline", run.limiter->headline},
                    {"why", run.limiter->why},
                    {"floor", run.limiter->floor},
                    {"floor_us", run.limiter->floor_us}};
    if (run.limiter->gain) out["limit"]["gain_pct"] = *run.limiter->gain * 100;
  }
  return out;
}

Json json_of(const lab::RunResult& result) {
  Json stages = Json::object();
  for (int i = 0; i < lab::kStageCount; ++i) {
    const auto stage = static_cast<lab::Stage>(i);
    const lab::StageReport& report = result.stage(stage);
    std::string key(lab::name_of(stage));
    key[0] = static_cast<char>(key[0] - 'A' + 'a');
    stages[key] = {{"state", state_name(report.state)},
                   {"seconds", report.seconds},
                   {"summary", report.summary}};
  }
  Json diagnostics = Json::array();
  for (const Diagnostic& diagnostic : result.diagnostics)
    diagnostics.push_back(json_of(diagnostic));
  Json checks = Json::array();
  for (const lab::CheckResult& check : result.checks) {
    checks.push_back({{"id", check.id},
                      {"title", check.title},
                      {"passed", check.passed},
                      {"evaluated", check.evaluated},
                      {"got", check.got},
                      {"wanted", check.wanted},
                      {"message", text_or_null(check.message)}});
  }
  Json sizes = Json::array();
  for (const lab::SizeResult& size : result.sizes) sizes.push_back(json_of_size(size));
  Json out = {
      {"lab", result.lab},          {"step", result.step},     {"file", result.file_name},
      {"gpu", result.gpu.id},       {"passed", result.passed}, {"stopped", result.stopped},
      {"seconds", result.seconds},  {"stages", stages},        {"checks", checks},
      {"diagnostics", diagnostics}, {"sizes", sizes},          {"text", text_id(result.source)}};
  if (result.timed) {
    out["timed"] = json_of_size(*result.timed);
    // Only a GPU compared anything there; its verdict is in "measured".
    out["timed"].erase("correct");
    out["timed"].erase("outputs");
  }
  if (result.measured_on) out["measured_on"] = json_of_gpu(*result.measured_on);
  if (!result.measure_problems.empty()) {
    Json problems = Json::array();
    for (const Diagnostic& problem : result.measure_problems) problems.push_back(json_of(problem));
    out["measure_problems"] = problems;
  }
  if (result.timed && result.timed->student.prediction)
    out["known_error"] = lab::known_error_json(result.gpu);
  if (!result.prediction_problems.empty()) {
    Json problems = Json::array();
    for (const Diagnostic& problem : result.prediction_problems)
      problems.push_back(json_of(problem));
    out["prediction_problems"] = problems;
  }
  return out;
}

std::string dumped(const Json& value) { return terminal_json(json_text(value, 2)) + "\n"; }

}  // namespace warpshop::cli
