#include "run/predicted_times.h"

#include <chrono>
#include <thread>

#include "lab/gpu_job.h"
#include "run/kernel_key.h"
#include "run/kernel_prediction.h"
#include "run/launch_function.h"

namespace warpshop::lab {
namespace {

// The one on display first.
std::vector<SizeResult*> sizes_of(RunResult& result) {
  std::vector<SizeResult*> out;
  if (result.timed && result.timed->problems.empty()) out.push_back(&*result.timed);
  for (SizeResult& size : result.sizes) out.push_back(&size);
  return out;
}

}  // namespace

void PredictedTimes::place_timed(KernelWithText student, KernelWithText reference,
                                 RunResult& result) const {
  SizeResult out;
  out.size = *exercise_.timed;
  out.useful_bytes = useful_bytes_of(exercise_, out.size);
  out.correct = true;
  place(student, result.sizes.front().student, out, out.student);
  place(reference, result.sizes.front().reference, out, out.reference);
  result.timed = std::move(out);
}

void PredictedTimes::place(KernelWithText kernel, const KernelRun& small, SizeResult& size,
                           KernelRun& run) const {
  Result<LaunchShape> shape =
      evaluate_launch(kernel.kernel.file, exercise_, size.size, kernel.source);
  if (!shape.ok()) {
    size.problems = shape.errors();
    return;
  }
  run.kernel = small.kernel;
  run.grid = shape->grid;
  run.block = shape->block;
  run.dynamic_shared_bytes = shape->dynamic_shared_bytes;
  run.registers = small.registers;
  run.static_shared_bytes = small.static_shared_bytes;
  emulator::LaunchConfig config;
  config.grid = shape->grid;
  config.block = shape->block;
  config.dynamic_shared_bytes = shape->dynamic_shared_bytes;
  run.occupancy = occupancy_of(kernel.kernel, config, request_.gpu);
  run.file_name = small.file_name;
}

void PredictedTimes::predict(KernelWithText student, KernelWithText reference,
                             RunResult& result) const {
  const std::vector<SizeResult*> sizes = sizes_of(result);
  for (SizeResult* size : sizes) {
    if (stopped()) return;
    if (request_.on_partial) request_.on_partial(result);
    if (result.timed && size == &*result.timed && !pause_before_timed()) return;
    const bool shown = size == sizes.front();
    const bool done = predict_one(*size, student, Whose::kStudents, shown, result, size->student) &&
                      predict_one(*size, reference, Whose::kLabs, shown, result, size->reference);
    if (!done) return;
  }
}

void PredictedTimes::predict_timed(KernelWithText student, RunResult& result) const {
  SizeResult& size = result.timed.emplace();
  size.size = exercise_.timed ? *exercise_.timed : exercise_.sizes.front();
  predict_one(size, student, Whose::kStudents, false, result, size.student);
}

void PredictedTimes::predict_start(KernelWithText start, RunResult& result) const {
  const std::vector<SizeResult*> sizes = sizes_of(result);
  if (sizes.empty()) return;
  const Result<timing::Prediction> prediction =
      prediction_of(*sizes.front(), start, Whose::kLabs, false);
  if (prediction.ok()) sizes.front()->start_us = prediction->time_us;
}

bool PredictedTimes::pause_before_timed() const {
  const auto end = std::chrono::steady_clock::now() + request_.pause_before_timed;
  while (!stopped() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return !stopped();
}

bool PredictedTimes::predict_one(const SizeResult& size, KernelWithText kernel, Whose whose,
                                 bool timelines, RunResult& result, KernelRun& out) const {
  Result<timing::Prediction> prediction = prediction_of(size, kernel, whose, timelines);
  if (!prediction.ok()) {
    result.prediction_problems = prediction.errors();
    return false;
  }
  out.limiter = timing::limiter_summary_of(*prediction, request_.gpu, size.useful_bytes);
  if (out.completed) prediction->flow.take_counted(out.counters, out.chip);
  out.prediction = std::move(*prediction);
  return true;
}

Result<timing::Prediction> PredictedTimes::prediction_of(const SizeResult& size,
                                                         KernelWithText kernel, Whose whose,
                                                         bool timelines) const {
  const std::string key =
      (timelines ? "timelines " + std::to_string(request_.timeline_warps) : "") + '\n' +
      kernel_key(request_, exercise_, size.size, kernel.source);
  if (whose == Whose::kLabs) {
    if (const auto known = lab_predictions_.find(key)) return *known;
  }
  KernelPredictionOptions options;
  options.timeline_warps = timelines ? request_.timeline_warps : 0;
  options.stop = request_.stop;
  Result<timing::Prediction> prediction =
      predict_at_size(kernel.kernel, exercise_, size.size, kernel.source, request_.gpu, options);
  if (whose == Whose::kLabs && prediction.ok()) lab_predictions_.insert(key, *prediction);
  return prediction;
}

}  // namespace warpshop::lab
