#include "lab/runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "checks/checks.h"
#include "checks/whole_kernel.h"
#include "compile/kernel_name.h"
#include "core/expression.h"
#include "film/film_source.h"
#include "lab/fills.h"
#include "lab/findings.h"
#include "lab/gpu_job.h"
#include "lab/measure.h"
#include "run/block_order.h"
#include "run/debug_build.h"
#include "run/exercise_run.h"
#include "run/kernel_key.h"
#include "run/predicted_times.h"
#include "run/removed_code.h"

namespace warpshop::lab {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Sentence duration_words(double seconds) {
  if (seconds < 1) return decimal(seconds * 1e3, seconds < 0.01 ? 1 : 0).then("ms");
  return decimal(seconds, 1).then("s");
}

}  // namespace

struct Runner::State {
  compile::Compiler compiler;
  RecentCache<CompiledKernel> kernels{16};
  RecentCache<ExerciseRun> references{64};
  RecentCache<KernelRun> baselines{64};                 // starts and worked solutions
  RecentCache<timing::Prediction> lab_predictions{64};  // of references and starts
};

namespace {

// About 20 ms of work for the memory models, which cannot be stopped.
constexpr uint64_t kTimelineTransactions = 30'000;

// Thread instructions: about 0.3 s of an unoptimised kernel, while a student with a wrong result
// waits.
constexpr uint64_t kDebugInstructions = 50'000'000;

// One run, stage by stage. Each step returns false if the rest cannot proceed.
class OneRun {
 public:
  OneRun(const compile::Compiler& compiler, RecentCache<CompiledKernel>& kernels,
         RecentCache<ExerciseRun>& references, RecentCache<KernelRun>& baselines,
         RecentCache<timing::Prediction>& lab_predictions, const RunRequest& request)
      : compiler_(compiler),
        kernels_(kernels),
        references_(references),
        baselines_(baselines),
        lab_predictions_(lab_predictions),
        request_(request),
        exercise_(*request.step->exercise) {}

  RunResult run() {
    const Clock::time_point begin = Clock::now();
    result_.lab = request_.lab->id;
    result_.step = request_.step->id;
    result_.file_name = request_.file_name;
    result_.source = request_.source;
    result_.gpu = request_.gpu;
    if (request_.only_predict_timed) {
      predict_timed();
      return std::move(result_);
    }
    const bool complete = compile() && emulate() && compare();
    if (!complete) finish_unreached();
    if (complete) place_timed();
    measure(complete);
    result_.checks = evaluate_checks(exercise_, result_.sizes);
    // A user's own kernel has no grade to protect.
    if (!is_own_kernel())
      result_.checks.push_back(complete ? judged_as_a_whole() : whole_kernel_check());
    result_.passed = complete && !request_.first_size_only && !result_.stopped &&
                     !has_errors(result_.diagnostics);
    for (const CheckResult& check : result_.checks) result_.passed = result_.passed && check.passed;
    if (measured_) put_measured(*measured_, result_);
    result_.seconds = seconds_since(begin);
    announce();
    if (complete && !result_.stopped) {
      if (request_.memory_timeline) play_memory();
      if (request_.predict) predict();
      if (request_.predict && measured_) put_measured(*measured_, result_);  // the errors
    }
    return std::move(result_);
  }

 private:
  bool compile() {
    start(Stage::kCompile);
    const Clock::time_point begin = Clock::now();
    if (is_empty_text(request_.source)) {
      report({make_error_at({request_.file_name, 1, 1}, "kernel",
                            request_.source.find_first_not_of(" \t\r\n") == std::string::npos
                                ? sentence("the file is empty: there is no kernel")
                                : sentence("there is no kernel: the file has only comments"),
                            sentence("\"Reset step…\" restores the start of this step"))},
             false);
      return fail(Stage::kCompile, begin, sentence("no kernel"));
    }
    student_ = compiled(request_.source, request_.file_name, false);
    if (stopped()) return stop(Stage::kCompile, begin);
    if (student_ == nullptr) return fail(Stage::kCompile, begin, sentence("errors"));
    result_.diagnostics.insert(result_.diagnostics.end(), student_->file->warnings.begin(),
                               student_->file->warnings.end());
    const std::string reference_name = exercise_.reference_file.filename().string();
    if (is_own_kernel() && !compiled_text(exercise_.reference, reference_name).ok()) {
      reference_ = student_;
      reference_text_ = request_.source;
      result_.first_to_compile = true;
      return pass(Stage::kCompile, begin);
    }
    reference_ = compiled(reference_text_, reference_name, true);
    if (stopped()) return stop(Stage::kCompile, begin);
    if (reference_ == nullptr) return fail(Stage::kCompile, begin, sentence("reference fails"));
    return pass(Stage::kCompile, begin);
  }

  bool is_own_kernel() const { return exercise_.whole_program && !exercise_.has_solution(); }

  // Only for kernels that pass everything else: it compiles and runs two more kernels, once per
  // exercise.
  CheckResult judged_as_a_whole() {
    const bool holds = std::all_of(result_.checks.begin(), result_.checks.end(),
                                   [](const CheckResult& check) { return check.passed; });
    if (!holds || request_.first_size_only || stopped()) return whole_kernel_check();
    SizeResult& size = result_.sizes.front();
    size.start = baseline(exercise_.skeleton, size.size);
    size.solution = baseline(exercise_.solution, size.size);
    if (stopped()) {
      result_.stopped = true;
      return whole_kernel_check();
    }
    return judge_whole_kernel(exercise_, size);
  }

  // Runs one of the lab's own kernels at one size. Null: it does not compile or does not complete.
  std::shared_ptr<const KernelRun> baseline(const std::string& text, const ProblemSize& size) {
    const std::string key = kernel_key(request_, exercise_, size, text);
    std::shared_ptr<const KernelRun> run = baselines_.find(key);
    if (run == nullptr) {
      KernelRunOptions options;
      options.threads = request_.threads;
      options.stop = request_.stop;
      options.instruction_budget = request_.instruction_budget;
      if (exercise_.model_gpu) options.model_gpu = &*exercise_.model_gpu;
      const auto kernel = compiled_text(text, request_.file_name);
      if (!kernel.ok()) return nullptr;
      Result<ExerciseRun> got = run_at_size(**kernel, exercise_, size, text, request_.gpu, options);
      if (!got.ok() || stopped()) return nullptr;
      got->run.ptx.clear();  // only its figures are needed
      got->run.cubin.reset();
      run = baselines_.insert(key, std::move(got->run));
    }
    return run->completed ? run : nullptr;
  }

  compile::CompileInput input_of(const std::string& source, const std::string& file_name) const {
    compile::CompileInput input;
    input.source = source;
    input.file_name = file_name;
    input.architecture = architecture_for(request_.gpu);
    input.trailer = launch_trailer(exercise_);
    input.most_seconds = request_.compile_seconds;
    if (exercise_.whole_program) {
      input.whole_program = true;
      input.include_dirs = {exercise_.reference_file.parent_path().string()};
      if (const std::string instance = compile::instance_of(exercise_.kernel); !instance.empty())
        input.instances = {instance};
    }
    return input;
  }

  // From the cache, or compiled now. Error: in the student's terms.
  Result<std::shared_ptr<const CompiledKernel>> compiled_text(const std::string& source,
                                                              const std::string& file_name) {
    compile::CompileInput input = input_of(source, file_name);
    input.stop = request_.stop;
    std::string key = input.architecture + '\n' + file_name + '\n' + exercise_.kernel + '\n' +
                      input.trailer + source;
    if (auto known = kernels_.find(key)) return known;
    const Result<CompiledFilePtr> file = compile_cuda(compiler_, input);
    if (!file.ok()) return explain_launch_errors(file.errors(), exercise_, file_name, source);
    Result<CompiledKernel> kernel = find_kernel(*file, exercise_.kernel);
    if (!kernel.ok()) return explain_missing_kernel(kernel.errors(), exercise_, file_name, source);
    return kernels_.insert(std::move(key), std::move(*kernel));
  }

  // Null after reporting diagnostics.
  std::shared_ptr<const CompiledKernel> compiled(const std::string& source,
                                                 const std::string& file_name, bool is_reference) {
    auto kernel = compiled_text(source, file_name);
    if (kernel.ok()) return std::move(*kernel);
    if (!stopped()) report(kernel.errors(), is_reference);
    return nullptr;
  }

  bool emulate() {
    start(Stage::kCheck);
    start(Stage::kEmulate);
    const Clock::time_point begin = Clock::now();
    double emulated = 0;
    const size_t count = request_.first_size_only ? std::min<size_t>(1, exercise_.sizes.size())
                                                  : exercise_.sizes.size();
    bool launched = true;
    for (size_t i = 0; i < count && launched && !stopped(); ++i) {
      launched = run_size(exercise_.sizes[i], i == 0);
      emulated += result_.sizes.back().student.seconds;
    }
    const double seconds = seconds_since(begin);
    if (stopped()) {
      result_.stopped = true;
      stage(Stage::kCheck) = {StageState::kStopped, seconds, sentence("stopped")};
      stage(Stage::kEmulate) = {StageState::kStopped, seconds, sentence("stopped")};
      announce();
      return false;
    }
    const FindingCounts findings = count_findings(result_.sizes);
    const Sentence found = findings.all() == 0 ? sentence("no findings") : findings.words();
    stage(Stage::kCheck) = {
        !findings_fail(exercise_, findings) && launched ? StageState::kPassed : StageState::kFailed,
        emulated, launched ? found : sentence("launch refused")};
    const bool completed =
        launched && std::all_of(result_.sizes.begin(), result_.sizes.end(),
                                [](const SizeResult& size) { return size.student.completed; });
    stage(Stage::kEmulate) = {completed ? StageState::kPassed : StageState::kFailed, seconds,
                              !launched    ? sentence("not run")
                              : !completed ? sentence("ended early")
                                           : duration_words(seconds)};
    announce();
    return launched;
  }

  bool run_size(const ProblemSize& size, bool record) {
    SizeResult& out = result_.sizes.emplace_back();
    out.size = size;
    out.useful_bytes = useful_bytes_of(exercise_, size);
    KernelRunOptions options;
    options.threads = request_.threads;
    options.stop = request_.stop;
    if (exercise_.model_gpu) options.model_gpu = &*exercise_.model_gpu;
    if (record) options.record_blocks = request_.record_blocks;

    const std::string key =
        (record ? "recorded\n" : "\n") + kernel_key(request_, exercise_, size, reference_text_);
    std::shared_ptr<const ExerciseRun> expected = references_.find(key);
    if (expected == nullptr) {
      Result<ExerciseRun> run =
          run_at_size(*reference_, exercise_, size, reference_text_, request_.gpu, options);
      if (stopped()) return false;
      if (!run.ok()) {
        report(run.errors(), true);
        out.problems = run.errors();
        return false;
      }
      if (!run->run.completed) {
        Sentence ended =
            sentence("the reference does not finish at {size}", {{"size", size.label}});
        if (!run->run.findings.empty()) ended.then(run->run.findings.front().message, ": ");
        report({make_error("lab-file", std::move(ended))}, true);
        return false;
      }
      if (!run->changed_inputs.empty()) {
        report({make_error(
                   "lab-file",
                   sentence("the reference changes its input {buffer}",
                            {{"buffer", exercise_.args[run->changed_inputs.front().arg].name}}),
                   sentence(
                       "give the buffer output = true, or the fill none if it is scratch space"))},
               true);
        return false;
      }
      expected = references_.insert(key, std::move(*run));
    }
    out.reference = expected->run;

    if (record) options.prints = request_.prints;
    options.instruction_budget = request_.instruction_budget;
    options.order_seed = request_.order_seed;
    Result<ExerciseRun> got =
        run_at_size(*student_, exercise_, size, request_.source, request_.gpu, options);
    if (!got.ok()) {
      out.problems = got.errors();
      report(got.errors(), false);
      return false;
    }
    const Clock::time_point begin = Clock::now();
    out.outputs = compare_outputs(exercise_, size, *expected, *got);
    compare_seconds_ += seconds_since(begin);
    out.student = std::move(got->run);
    explain_trap(out.student, request_.source);
    if (request_.explain && !request_.first_size_only) explain_removed(size, options, out);
    if (record) {
      out.student.films =
          make_film_source(student_, {compiler_, input_of(request_.source, request_.file_name)},
                           exercise_, size, out.student, request_.gpu, request_.instruction_budget);
    }
    out.correct = out.student.completed;
    for (const BufferComparison& output : out.outputs)
      out.correct = out.correct && output.wrong == 0;
    if (out.correct && !request_.first_size_only) {
      if (auto found = find_order_dependence(
              {*student_, exercise_, size, request_.source, request_.gpu, *expected}, out.student,
              options))
        out.student.findings.insert(out.student.findings.begin(), std::move(*found));
    }
    if (is_own_kernel()) out.unproven = why_unproven(exercise_, size, *expected);
    if (out.correct && record && !out.unproven.empty())
      result_.diagnostics.push_back(
          unproven_warning(out.unproven, *student_, request_.source, request_.file_name));
    return true;
  }

  // Runs the debug build at a size.
  Result<KernelRun> run_debug(const ProblemSize& size, KernelRunOptions options) {
    options.record_blocks.clear();
    options.instruction_budget = std::min(options.instruction_budget, kDebugInstructions);
    options.prints = nullptr;
    if (debug_ == nullptr) {
      compile::CompileInput input = input_of(request_.source, request_.file_name);
      input.stop = request_.stop;
      Result<DebugBuild> built = build_debug(compiler_, std::move(input), exercise_.kernel);
      if (!built.ok()) return built.errors();
      debug_ = std::make_shared<const DebugBuild>(std::move(*built));
    }
    Result<ExerciseRun> run =
        run_at_size(debug_->kernel, exercise_, size, request_.source, request_.gpu, options);
    if (!run.ok()) return run.errors();
    return std::move(run->run);
  }

  // Only if nothing else explains the result.
  void explain_removed(const ProblemSize& size, const KernelRunOptions& options, SizeResult& out) {
    if (stopped()) return;
    const auto debug = [&] { return run_debug(size, options); };
    explain_endless_loop(out.student, debug);
    const bool wrong = std::any_of(out.outputs.begin(), out.outputs.end(),
                                   [](const BufferComparison& output) { return output.wrong > 0; });
    if (!wrong || !out.student.completed || !out.student.findings.empty()) return;
    out.student.findings = find_removed_code(*student_, out.student, debug);
    // Drop warnings that are findings now.
    for (const emulator::Finding& finding : out.student.findings) {
      std::erase_if(result_.diagnostics, [&](const Diagnostic& d) {
        return d.severity == Severity::kWarning && d.place == finding.place;
      });
    }
  }

  bool compare() {
    bool correct = true;
    for (const SizeResult& size : result_.sizes) correct = correct && size.correct;
    stage(Stage::kCompare) = {correct ? StageState::kPassed : StageState::kFailed, compare_seconds_,
                              correct ? sentence("correct") : sentence("wrong")};
    announce();
    return true;
  }

  // Only correct kernels get times.
  void place_timed() {
    const bool asked = request_.predict || request_.worker != nullptr;
    const bool right = !findings_fail(exercise_, count_findings(result_.sizes)) &&
                       std::all_of(result_.sizes.begin(), result_.sizes.end(),
                                   [](const SizeResult& size) { return size.correct; });
    if (!exercise_.timed || !asked || !right || request_.first_size_only) return;
    predicted_times().place_timed(student(), reference(), result_);
  }

  void measure(bool complete) {
    if (request_.worker == nullptr || !complete) {
      stage(Stage::kMeasure) = {StageState::kSkipped, 0, sentence("not measured")};
      return;
    }
    start(Stage::kMeasure);
    const Clock::time_point begin = Clock::now();
    MeasureOptions options;
    options.worker = request_.worker;
    options.gpu = request_.worker_gpu;
    options.required = request_.worker_required;
    options.time_limit_s = request_.worker_time_limit_s;
    options.counters = true;
    options.stop = request_.stop;
    measured_.emplace();
    measure_run(exercise_, result_, options, *measured_);
    measured_->stage.seconds = seconds_since(begin);
    stage(Stage::kMeasure) = measured_->stage;
    if (stopped()) result_.stopped = true;
    announce();
  }

  void play_memory() {
    if (request_.on_partial) request_.on_partial(result_);
    if (result_.sizes.empty() || stopped()) return;
    SizeResult& size = result_.sizes.front();
    Result<timing::MemoryTimeline> memory =
        memory_at_size(*student_, exercise_, size.size, request_.source, request_.gpu, size.student,
                       kTimelineTransactions, request_.stop);
    // A kernel that was ended early still shows what it did until then.
    if (memory.ok())
      size.student.memory = std::make_shared<const timing::MemoryTimeline>(std::move(*memory));
  }

  void predict() {
    predicted_times().predict(student(), reference(), result_);
    if (!stopped() && result_.prediction_problems.empty()) predict_start();
  }

  // A start without a body does no work that a speedup could be relative to.
  void predict_start() {
    const bool asked = exercise_.estimate && exercise_.estimate->of == Estimate::Of::kSpeedup &&
                       !exercise_.contract;
    if (!asked || !result_.passed) return;
    const auto start = compiled_text(exercise_.skeleton, request_.file_name);
    if (start.ok()) predicted_times().predict_start({**start, exercise_.skeleton}, result_);
  }

  void predict_timed() {
    student_ = compiled(request_.source, request_.file_name, false);
    if (student_ != nullptr && !stopped()) predicted_times().predict_timed(student(), result_);
  }

  PredictedTimes predicted_times() const { return {request_, exercise_, lab_predictions_}; }
  KernelWithText student() const { return {*student_, request_.source}; }
  KernelWithText reference() const { return {*reference_, reference_text_}; }

  // Errors in the reference are attributed to the lab.
  void report(Diagnostics errors, bool is_reference) {
    for (Diagnostic& error : errors) {
      if (is_reference) {
        error.kind = "lab-file";
        if (error.place.file.empty())
          error.place.file = exercise_.reference_file.filename().string();
        error.message =
            sentence("the lab's reference kernel is broken: {error}", {{"error", error.message}});
      }
      result_.diagnostics.push_back(std::move(error));
    }
  }

  void finish_unreached() {
    for (StageReport& report : result_.stages) {
      if (report.state == StageState::kWaiting || report.state == StageState::kRunning) {
        report = {StageState::kSkipped, 0, ""};
      }
    }
  }

  StageReport& stage(Stage s) { return result_.stages[static_cast<size_t>(s)]; }
  void start(Stage s) {
    stage(s) = {StageState::kRunning, 0, ""};
    announce();
  }
  bool pass(Stage s, Clock::time_point begin) {
    const double seconds = seconds_since(begin);
    stage(s) = {StageState::kPassed, seconds, duration_words(seconds)};
    announce();
    return true;
  }
  bool fail(Stage s, Clock::time_point begin, Sentence why) {
    stage(s) = {StageState::kFailed, seconds_since(begin), std::move(why)};
    announce();
    return false;
  }
  bool stop(Stage s, Clock::time_point begin) {
    result_.stopped = true;
    stage(s) = {StageState::kStopped, seconds_since(begin), sentence("stopped")};
    announce();
    return false;
  }
  bool stopped() const { return request_.stop != nullptr && request_.stop->requested(); }
  void announce() {
    if (request_.on_stage) request_.on_stage(result_.stages);
  }

  const compile::Compiler& compiler_;
  RecentCache<CompiledKernel>& kernels_;
  RecentCache<ExerciseRun>& references_;
  RecentCache<KernelRun>& baselines_;
  RecentCache<timing::Prediction>& lab_predictions_;
  const RunRequest& request_;
  const Exercise& exercise_;
  std::string reference_text_ = exercise_.reference;
  RunResult result_;
  std::optional<Measured> measured_;
  std::shared_ptr<const CompiledKernel> student_;
  std::shared_ptr<const CompiledKernel> reference_;
  std::shared_ptr<const DebugBuild> debug_;  // of the student's text; built on first use
  double compare_seconds_ = 0;
};

}  // namespace

Result<Runner> Runner::create() {
  Result<compile::Compiler> compiler = compile::Compiler::load();
  if (!compiler.ok()) return compiler.errors();
  return Runner(std::move(*compiler));
}

RunResult Runner::run(const RunRequest& request) {
  return OneRun(state_->compiler, state_->kernels, state_->references, state_->baselines,
                state_->lab_predictions, request)
      .run();
}

Runner::Runner(compile::Compiler compiler)
    : state_(std::make_unique<State>(State{std::move(compiler)})) {}
Runner::Runner(Runner&&) noexcept = default;
Runner& Runner::operator=(Runner&&) noexcept = default;
Runner::~Runner() = default;

}  // namespace warpshop::lab
