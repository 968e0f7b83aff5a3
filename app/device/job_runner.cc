#include "job_runner.h"

#include <chrono>

#include "compare_outputs.h"
#include "describe.h"
#include "helper_kernels.h"
#include "job_buffers.h"
#include "measure.h"

namespace warpshop::device {
namespace {

constexpr size_t kKeptReferences = 16;
constexpr size_t kPrintedLimit = size_t{1} << 20;

std::string key_of(const KernelSource& s) {
  std::string key = s.file_name + '\n' + s.entry + '\n' + s.trailer + '\n';
  for (const std::string& option : s.options) key += option + '\n';
  for (uint32_t n :
       {s.grid.x, s.grid.y, s.grid.z, s.block.x, s.block.y, s.block.z, s.dynamic_shared_bytes}) {
    key += std::to_string(n) + ' ';
  }
  if (s.cooperative) key += "together ";
  return key + (s.prelude ? "+\n" : "-\n") + s.source;
}

// Launches a kernel on freshly filled buffers and copies its outputs.
Result<std::vector<DeviceBytes>> run_once(Gpu& gpu, JobBuffers& buffers, const Kernel& kernel,
                                          unsigned char poison, const Sentence& running) {
  Status status = buffers.fill(poison);
  if (status.ok()) status = gpu.wait(sentence("filling the buffers"));
  if (status.ok()) status = gpu.start(kernel, buffers.arguments());
  if (status.ok()) status = gpu.wait(running);
  if (!status.ok()) return status.errors();
  return buffers.copy_outputs();
}

// Runs twice if outputs are poisoned, to detect elements that are never written.
Result<OutputPair> run_pair(Gpu& gpu, JobBuffers& buffers, const Kernel& kernel,
                            const Sentence& running) {
  OutputPair out;
  Result<std::vector<DeviceBytes>> first = run_once(gpu, buffers, kernel, kPoison[0], running);
  if (!first.ok()) return first.errors();
  out.first = std::move(*first);
  if (!buffers.any_poisoned()) return out;
  Result<std::vector<DeviceBytes>> second = run_once(gpu, buffers, kernel, kPoison[1], running);
  if (!second.ok()) return second.errors();
  out.second = std::move(*second);
  return out;
}

// Without a reference nothing is compared: buffers without a fill start as zeros, as on the
// emulator, and their final contents are the result.
Status run_alone(Gpu& gpu, const Job& job, JobBuffers& buffers, const Kernel& student,
                 JobResult& result) {
  Result<std::vector<DeviceBytes>> outputs =
      run_once(gpu, buffers, student, 0, sentence("running the kernel"));
  if (!outputs.ok()) return outputs.errors();
  if (!job.hashes && !job.bytes) return success();
  for (size_t i : buffers.buffers()) {
    std::vector<uint8_t> bytes(job.args[i].size_bytes);
    Status got = buffers.fetch(i);
    if (got.ok()) got = gpu.download(bytes.data(), buffers.at(i), bytes.size());
    if (!got.ok()) return got;
    if (job.hashes) result.hashes.push_back(fnv1a_hex(bytes));
    if (job.bytes) result.bytes.push_back(std::move(bytes));
  }
  return success();
}

}  // namespace

Result<JobResult> JobRunner::run(const Job& job, const Hooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  JobResult result;
  if (job.describe) {
    hooks.on_stage("run");
    Result<GpuDescription> description = describe(gpu_);
    if (!description.ok()) return description.errors();
    result.description = std::move(*description);
    return result;
  }
  hooks.on_stage("compile");
  // Loads the student's module anew for each job, so that it cannot remember an earlier one.
  Result<Kernel> student = gpu_.load(job.student, result.warnings);
  if (!student.ok()) return student.errors();
  result.student = student->figures;
  std::shared_ptr<const Kernel> reference;
  if (job.reference) {
    Result<std::shared_ptr<const Kernel>> loaded = reference_kernel(*job.reference);
    if (!loaded.ok()) return loaded.errors();
    reference = *loaded;
    result.reference = reference->figures;
  }

  hooks.on_stage("run");
  JobBuffers buffers(gpu_, job);
  const Status allocated = buffers.allocate();
  if (!allocated.ok()) return allocated.errors();
  std::vector<double> magnitudes(buffers.outputs().size());
  hooks.take_printed();
  if (reference == nullptr) {
    const Status ran = run_alone(gpu_, job, buffers, *student, result);
    if (!ran.ok()) return ran.errors();
    result.printed = hooks.take_printed().substr(0, kPrintedLimit);
  } else {
    // Runs the student's kernel first, while no buffer holds any result of the reference.
    Result<OutputPair> got = run_pair(gpu_, buffers, *student, sentence("running the kernel"));
    if (!got.ok()) return got.errors();
    result.printed = hooks.take_printed().substr(0, kPrintedLimit);
    Result<OutputPair> expected =
        run_pair(gpu_, buffers, *reference, sentence("running the reference"));
    if (!expected.ok()) return expected.errors();
    hooks.on_stage("compare");
    Result<std::vector<double>> means = mean_magnitudes(gpu_, job, buffers, expected->first);
    if (!means.ok()) return means.errors();
    magnitudes = std::move(*means);
    Result<std::vector<OutputComparison>> compared =
        compare_outputs(gpu_, job, buffers, *expected, *got, magnitudes);
    if (!compared.ok()) return compared.errors();
    result.outputs = std::move(*compared);
  }
  if (job.time) {
    hooks.on_stage("time");
    Result<Timing> timing = measure(gpu_, job, buffers, *student, reference.get(), magnitudes);
    if (!timing.ok()) return timing.errors();
    result.timing = std::move(*timing);
    hooks.take_printed();
  }
  if (job.counters) {
    hooks.on_stage("count");
    Result<CounterReading> counters = counters_.read(buffers, *student);
    if (!counters.ok()) return counters.errors();
    result.counters = std::move(*counters);
    hooks.take_printed();
  }
  Result<std::vector<GuardHit>> hits = buffers.guard_hits();
  if (!hits.ok()) return hits.errors();
  result.guards = std::move(*hits);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

Result<std::shared_ptr<const Kernel>> JobRunner::reference_kernel(const KernelSource& source) {
  std::string key = key_of(source);
  for (auto at = references_.begin(); at != references_.end(); ++at) {
    if (at->first != key) continue;
    references_.splice(references_.begin(), references_, at);
    return references_.front().second;
  }
  Diagnostics ignored;
  Result<Kernel> kernel = gpu_.load(source, ignored);
  if (!kernel.ok()) {
    Diagnostics errors = kernel.errors();
    for (Diagnostic& error : errors) {
      error.message =
          sentence("the lab's reference kernel is broken: {message}", {{"message", error.message}});
    }
    return errors;
  }
  references_.emplace_front(std::move(key), std::make_shared<const Kernel>(std::move(*kernel)));
  if (references_.size() > kKeptReferences) references_.pop_back();
  return references_.front().second;
}

}  // namespace warpshop::device
