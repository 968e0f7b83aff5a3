#include "lab/times.h"

namespace warpshop::lab {
namespace {

double gb_s(const SizeResult& size, double us) {
  return us > 0 ? size.useful_bytes / us / 1e3 : 0;
}

Sentence origin_of(const std::optional<MeasuredOn>& on) {
  if (!on) return {};
  const std::vector<SentencePart> parts = {{"gpu", on->gpu.name}, {"cuda", on->driver}, {"driver", on->driver_version}};
  return on->driver_version.empty() ? sentence("{gpu}, driver for CUDA {cuda}", parts) : sentence("{gpu}, driver {driver}", parts);
}

TimeRow measured_row(const std::string& what, const SizeResult& size,
                     const device::KernelTiming& timing, const Sentence& origin) {
  TimeRow row;
  row.provenance = Provenance::kMeasured;
  row.what = what;
  row.us = timing.warm_median_us;
  row.cold_us = timing.median_us;
  row.spread_us = timing.spread_us;
  row.gb_s = gb_s(size, row.us);
  row.origin = origin;
  return row;
}

void add_measured(const RunResult& result, const SizeResult& size, std::vector<TimeRow>& out) {
  if (!size.measured || !size.measured->job.timing) return;
  const device::Timing& timing = *size.measured->job.timing;
  const Sentence origin = origin_of(result.measured_on);
  out.push_back(measured_row("yours", size, timing.student, origin));
  if (timing.reference) out.push_back(measured_row("reference", size, *timing.reference, origin));
  if (timing.copy_ceiling_gb_s > 0 && size.useful_bytes > 0) {
    TimeRow copy;
    copy.provenance = Provenance::kMeasured;
    copy.what = "best copy";
    copy.gb_s = timing.copy_ceiling_gb_s;
    copy.origin = origin;
    out.push_back(copy);
  }
}

void add_predicted(const std::string& what, const RunResult& result, const SizeResult& size,
                   const KernelRun& run, const std::optional<double>& error,
                   std::vector<TimeRow>& out) {
  if (!run.prediction) return;
  TimeRow row;
  row.provenance = Provenance::kPredicted;
  row.what = what;
  row.us = run.prediction->time_us;
  row.origin = sentence("the model of {gpu}", {{"gpu", result.gpu.name}});
  if (error) {
    // As the error counts it: with what an empty launch takes on the GPU that measured.
    row.us += size.measured->job.timing->empty_launch_us - run.prediction->launch_us;
    row.origin = sentence("the model of {gpu}, with the measured time of an empty launch", {{"gpu", result.gpu.name}});
  }
  row.gb_s = gb_s(size, row.us);
  row.error = error;
  out.push_back(row);
}

}  // namespace

std::vector<TimeRow> time_rows(const Lab& lab, const RunResult& result, size_t size) {
  std::vector<TimeRow> out;
  if (size < result.sizes.size()) {
    const SizeResult& at = result.sizes[size];
    add_measured(result, at, out);
    const bool known = at.measured.has_value();
    add_predicted("yours", result, at, at.student,
                  known ? at.measured->student_prediction_error : std::nullopt, out);
    add_predicted("reference", result, at, at.reference,
                  known ? at.measured->reference_prediction_error : std::nullopt, out);
  }
  if (!lab.demo) return out;
  for (const Scene& scene : lab.demo->scenes) {
    if (scene.step != result.step || !scene.published) continue;
    TimeRow row;
    row.provenance = Provenance::kPublished;
    row.what = scene.published->label;
    row.value = scene.published->value;
    row.unit = scene.published->unit;
    if (row.unit == "GB/s") row.gb_s = row.value;
    row.origin = scene.published->source;
    out.push_back(row);
  }
  return out;
}

}  // namespace warpshop::lab
