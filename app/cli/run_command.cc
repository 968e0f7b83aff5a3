#include <charconv>
#include <cstring>

#include "cli/main_cli.h"
#include "commands.h"
#include "compile/readable_source.h"
#include "core/element.h"
#include "core/expression.h"
#include "core/files.h"
#include "kernel_args.h"
#include "lab/kernel_choice.h"
#include "lab/prediction_json.h"
#include "lab/spec.h"
#include "models/known_error.h"
#include "profile_report.h"
#include "report.h"
#include "report/run_fragment.h"
#include "run_json.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

constexpr size_t kShownElements = 8;

// One line per buffer after the run: "  1 out f32[1024]     4c2b…  0, 0.5, 1, …".
std::string buffers_report(const lab::CaseResult& result, const lab::SpecCase& spec_case,
                           const std::vector<KernelWord>& words, const Paint& paint) {
  std::string out;
  size_t index = 0;
  std::vector<std::pair<lab::ElementType, std::string>> buffers;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& name = spec_case.args[i].name;
    for (const lab::ElementType type : words[i].types)
      buffers.emplace_back(type, name.empty() ? "" : name + " ");
  }
  for (const auto& [type, parameter] : buffers) {
    if (index >= result.bytes.size()) break;
    const std::vector<uint8_t>& bytes = result.bytes[index];
    const auto size = static_cast<size_t>(lab::size_bytes(type));
    const size_t count = bytes.size() / size;
    std::string values;
    for (size_t i = 0; i < std::min(count, kShownElements); ++i) {
      values += (i == 0 ? "" : ", ") + element_text(type, bytes.data() + i * size);
    }
    if (count > kShownElements) values += ", …";
    const std::string name = std::string(lab::name_of(type)) + "[" + std::to_string(count) + "]";
    out += "  " + pad_right(std::to_string(index) + " " + parameter + name, 22) + "  " +
           paint.quiet(result.buffers[index]) + "  " + values + "\n";
    ++index;
  }
  return out.empty() ? out : "Buffers after the run\n" + out;
}

Result<lab::SpecCase> case_of(const RunOptions& options, std::vector<KernelWord>& words) {
  lab::SpecCase out;
  Diagnostics errors;
  const auto keep = [&errors](const Diagnostics& more) {
    errors.insert(errors.end(), more.begin(), more.end());
  };
  out.source = options.file;
  out.name = out.source.stem().string();
  out.kernel = options.kernel;
  out.options = options.compiler_options;
  out.prelude = true;
  out.place.file = "command line";  // the source of grid and arguments
  const auto extension = out.source.extension();
  if (extension != ".cu" && extension != ".ptx") {
    errors.push_back(make_error("usage", options.file + " is neither a .cu nor a .ptx file"));
  }
  const Result<Dim3> grid = read_dim(options.grid, "--grid");
  if (grid.ok())
    out.grid = *grid;
  else
    keep(grid.errors());
  const Result<Dim3> block = read_dim(options.block, "--block");
  if (block.ok())
    out.block = *block;
  else
    keep(block.errors());
  if (options.shared > UINT32_MAX)
    errors.push_back(make_error("usage", "--shared is at most 4294967295 bytes"));
  out.dynamic_shared_bytes = static_cast<uint32_t>(options.shared);
  out.cooperative = options.cooperative;
  out.large_clusters = options.large_clusters;
  if (!options.cluster.empty()) {
    const Result<Dim3> cluster = read_dim(options.cluster, "--cluster");
    if (cluster.ok())
      out.cluster = *cluster;
    else
      keep(cluster.errors());
  }
  for (const std::string& text : options.args) {
    const Result<KernelWord> word = read_argument(text);
    if (!word.ok()) {
      keep(word.errors());
      continue;
    }
    words.push_back(*word);
    out.args.push_back(word->arg);
  }
  if (!errors.empty()) return errors;
  return out;
}

// Runs the same case on the GPU. Error: a GPU was requested, but none is usable.
Status measure_case(const lab::SpecCase& spec_case, lab::SpecOptions options,
                    const WorkerChoice& worker, const lab::CaseResult& emulated,
                    std::optional<lab::CaseResult>& measured) {
  options.time_limit_s = worker.time_limit_s;
  options.counters = true;
  options.dump_dir.clear();  // dump the emulator's buffers instead
  Result<std::vector<lab::CaseResult>> results =
      lab::run_spec_on_gpu({spec_case}, options, *worker.client, worker.gpu);
  if (!results.ok()) {
    if (worker.required) return results.errors();
    return success();
  }
  measured = std::move(results.value().front());
  for (Diagnostic& error : measured->errors) {
    if (error.kind != "gpu-fault" && error.kind != "gpu-timeout") continue;
    error = lab::with_emulators_finding(std::move(error), emulated.run.findings);
  }
  return success();
}

// The GPU's times, and whether its buffers equal the emulator's.
std::string measured_case_report(const lab::CaseResult& measured, const lab::CaseResult& emulated) {
  std::string out = "Measured on the GPU\n";
  if (measured.measured) {
    const device::KernelTiming& t = measured.measured->student;
    char text[200];
    std::snprintf(text, sizeof text,
                  "  %.2f µs cold (spread %.2f, best %.2f), %.2f µs warm, %d launches; an empty "
                  "kernel takes %.2f µs\n",
                  t.median_us, t.spread_us, t.min_us, t.warm_median_us, t.launches,
                  measured.measured->empty_launch_us);
    out += text;
    out += "  " + std::to_string(measured.run.registers) + " registers, " +
           std::to_string(measured.run.occupancy.blocks_per_sm) + " blocks an SM\n";
  }
  if (!measured.ran) return out;
  if (measured.counted) out += gpu_counters_report(*measured.counted, emulated.run.counters);
  size_t different = 0;
  for (size_t i = 0; i < measured.buffers.size() && i < emulated.buffers.size(); ++i) {
    different += measured.buffers[i] == emulated.buffers[i] ? 0 : 1;
  }
  return out + (different == 0 ? "  every buffer equals the emulator's, bit for bit\n"
                               : "  " + std::to_string(different) + " of " +
                                     std::to_string(measured.buffers.size()) +
                                     " buffers differ from the emulator's\n");
}

Json json_of_case(const lab::CaseResult& result, const std::optional<lab::CaseResult>& measured,
                  const Diagnostics& prediction_problems, const models::GpuProfile& gpu) {
  Json errors = Json::array();
  for (const Diagnostic& error : result.errors) errors.push_back(json_of(error));
  Json left_out = Json::array();
  for (const compile::LeftOut& part : result.left_out) {
    Json entry = json_of(part.diagnostic());
    entry["name"] = part.name;
    entry["last_line"] = part.last_line;
    left_out.push_back(std::move(entry));
  }
  Json warnings = Json::array();
  for (const Diagnostic& warning : result.warnings) warnings.push_back(json_of(warning));
  Json out = {{"errors", errors},
              {"warnings", warnings},
              {"ran", result.ran},
              {"buffers", result.buffers},
              {"left_out", left_out}};
  if (result.ran) out["run"] = json_of(result.run);
  if (result.run.prediction) out["known_error"] = lab::known_error_json(gpu);
  if (!prediction_problems.empty()) {
    Json problems = Json::array();
    for (const Diagnostic& problem : prediction_problems) problems.push_back(json_of(problem));
    out["prediction_problems"] = problems;
  }
  if (measured) {
    Json gpu_errors = Json::array();
    for (const Diagnostic& error : measured->errors) gpu_errors.push_back(json_of(error));
    out["measured"] = {{"errors", gpu_errors},
                       {"buffers", measured->buffers},
                       {"registers", measured->run.registers},
                       {"blocks_per_sm", measured->run.occupancy.blocks_per_sm},
                       {"printed", measured->run.printed}};
    if (measured->measured) out["measured"]["timing"] = json_of(*measured->measured);
    if (measured->counted) add_gpu_counters(*measured->counted, out["measured"]);
  }
  return out;
}

// As the compiler refuses it. None for .ptx.
std::optional<Diagnostic> unreadable(const std::filesystem::path& file, const std::string& text) {
  if (file.extension() != ".cu") return std::nullopt;
  return compile::unreadable(text, file.filename().string());
}

struct FileKernels {
  std::vector<compile::SourceKernel> kernels;  // with a body
  std::vector<compile::KernelMacro> macros;    // that define others
};

// None for .ptx.
FileKernels kernels_in(const std::filesystem::path& file, const std::string& text) {
  if (file.extension() != ".cu") return {};
  compile::HeaderPath path;
  path.folder = file.parent_path().empty() ? "." : file.parent_path();
  path.program = {path.folder};
  compile::DeviceSource source = compile::device_source(text, file.filename().string(), path);
  std::erase_if(source.kernels, [](const auto& kernel) { return !kernel.is_defined; });
  return {std::move(source.kernels), std::move(source.kernel_macros)};
}

// Which kernels are not listed; empty: none.
std::string unlisted(const FileKernels& found, const std::string& file_name) {
  std::string names;
  for (const compile::KernelMacro& macro : found.macros) {
    names += (names.empty() ? "" : ", ") + macro.name + " (line " +
             std::to_string(macro.place.line) +
             (macro.place.file == file_name ? "" : " of " + macro.place.file) + ")";
  }
  return names.empty() ? names
                       : "not listed: kernels that a macro defines, " + names +
                             "; --kernel NAME runs them, too";
}

// Names the arguments as the kernel's parameters, so that findings can.
void name_arguments(const std::vector<compile::SourceKernel>& kernels, lab::SpecCase& of) {
  const std::string name = of.kernel.substr(0, of.kernel.find('<'));
  for (const compile::SourceKernel& kernel : kernels) {
    if (name != kernel.name && name != kernel.scope + kernel.name) continue;
    for (size_t i = 0; i < std::min(kernel.parameters.size(), of.args.size()); ++i)
      of.args[i].name = kernel.parameters[i].name;
    return;
  }
}

// Lists the file's kernels and an example command for the first.
Diagnostic no_kernel_named(const RunOptions& options) {
  const std::string message = "run needs the kernel's name: --kernel NAME";
  const Result<std::string> text = read_file(options.file);
  if (!text.ok()) return text.errors().front();
  const std::filesystem::path file = options.file;
  if (std::optional<Diagnostic> refused = unreadable(file, *text)) return *refused;
  const FileKernels found = kernels_in(file, *text);
  const std::string others = unlisted(found, file.filename().string());
  if (found.kernels.empty()) return make_error("usage", message, others);
  return make_error("usage", message,
                    file.filename().string() + " has" + lab::kernel_lines(found.kernels) +
                        (others.empty() ? "" : "\n  " + others) + "\n  for example: warpshop run " +
                        options.file + " " + lab::proposed_command(*text, found.kernels.front()));
}

int list_kernels(const RunOptions& options) {
  const Result<std::string> text = read_file(options.file);
  if (!text.ok()) return fail(text.errors());
  if (std::optional<Diagnostic> refused = unreadable(options.file, *text)) return fail({*refused});
  const FileKernels found = kernels_in(options.file, *text);
  if (!options.json) {
    const std::string file_name = std::filesystem::path(options.file).filename().string();
    print(found.kernels.empty() ? "no kernels\n"
                                : lab::kernel_lines(found.kernels).substr(1) + "\n");
    if (const std::string others = unlisted(found, file_name); !others.empty())
      print_error(others + "\n");
    return kAllPassed;
  }
  Json list = Json::array();
  for (const compile::SourceKernel& kernel : found.kernels) {
    Json parameters = Json::array();
    // Of a template, those of the instance that --kernel names.
    const auto instance = kernel.parameters_of(options.kernel);
    for (const compile::SourceParameter& parameter : instance)
      parameters.push_back({{"type", parameter.type}, {"name", parameter.name}});
    list.push_back({{"name", kernel.scope + kernel.name},
                    {"line", kernel.place.line},
                    {"template_parameters", kernel.template_parameters},
                    {"parameters", parameters}});
  }
  Json macros = Json::array();
  for (const compile::KernelMacro& macro : found.macros)
    macros.push_back(
        {{"name", macro.name}, {"file", macro.place.file}, {"line", macro.place.line}});
  print(dumped({{"kernels", list}, {"macros", macros}}));
  return kAllPassed;
}

// The kernel alone, without a reference or checks.
lab::RunResult as_run_result(const lab::CaseResult& result, const models::GpuProfile& gpu,
                             const std::string& file_name, const std::string& source) {
  lab::RunResult out;
  out.file_name = file_name;
  out.source = source;
  out.gpu = gpu;
  out.diagnostics = result.errors;
  if (result.ran) out.sizes.emplace_back().student = result.run;
  return out;
}

// Lists what was not compiled, one line per kind.
std::string left_out_report(const std::vector<compile::LeftOut>& left_out,
                            const std::string& file_name) {
  std::string out;
  for (const compile::LeftOut& part : left_out) {
    const std::string lines =
        part.last_line > part.place.line
            ? "lines " + std::to_string(part.place.line) + " to " + std::to_string(part.last_line)
            : "line " + std::to_string(part.place.line);
    const bool header = part.why == compile::LeftOut::Why::kHostHeader ||
                        part.why == compile::LeftOut::Why::kMissingHeader;
    out += (out.empty() ? "" : ", ") + (header ? "<" + part.name + ">" : part.name) + " (" + lines +
           (part.place.file == file_name ? "" : " of " + part.place.file) +
           (part.why == compile::LeftOut::Why::kMissingHeader ? ", not found)" : ")");
  }
  return out.empty() ? out : "Omitted, not GPU code: " + out + "\n";
}

}  // namespace

int run_command(const RunOptions& options) {
  if (!options.spec.empty() && !options.profile.empty())
    return fail({make_error("usage", "--profile is for one kernel, not for --spec")});
  if (!options.spec.empty()) return spec_command(options);
  const Result<WorkerChoice> worker = choose_worker(options.device);
  if (!worker.ok()) return fail(worker.errors());
  if (options.file.empty()) {
    return fail({make_error("usage", "run needs a kernel's file, or --spec CASES.json",
                            "see warpshop run --help")});
  }
  if (options.list) return list_kernels(options);
  if (options.kernel.empty()) return fail({no_kernel_named(options)});
  const Result<models::GpuProfile> gpu = gpu_named(options.gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  std::optional<Result<lab::Profile>> profile;
  if (!options.profile.empty()) {
    profile = lab::load_profile(options.profile);
    if (!profile->ok()) return fail(profile->errors());
  }
  std::vector<KernelWord> words;
  Result<lab::SpecCase> spec_case = case_of(options, words);
  if (!spec_case.ok()) return fail(spec_case.errors());
  const Result<std::string> source = read_file(options.file);
  if (!source.ok()) return fail(source.errors());
  name_arguments(kernels_in(options.file, *source).kernels, *spec_case);

  const Interrupt interrupt;
  lab::SpecOptions spec_options;
  spec_options.gpu = *gpu;
  spec_options.jobs = 1;
  spec_options.instruction_budget = options.budget;
  spec_options.order_seed = options.seed;
  spec_options.record_blocks = {0};
  spec_options.dump_dir = options.dump;
  spec_options.keep_buffers = true;
  spec_options.stop = interrupt.flag();
  lab::CaseResult result;
  std::optional<lab::CaseResult> measured;
  Diagnostics prediction_problems;
  {
    ProgressLine progress("running " + options.kernel);
    result = lab::run_spec({*spec_case}, spec_options).front();
    if (worker.value().client != nullptr && result.ran && !interrupt.requested()) {
      progress.say("measuring " + options.kernel);
      const Status done = measure_case(*spec_case, spec_options, worker.value(), result, measured);
      if (!done.ok()) return fail(done.errors());
    }
    if ((options.predict || profile) && result.ran && !interrupt.requested()) {
      progress.say("predicting " + options.kernel);
      lab::SpecOptions predict_options = spec_options;
      predict_options.predict = true;
      lab::CaseResult predicted = lab::run_spec({*spec_case}, predict_options).front();
      result.run.prediction = std::move(predicted.run.prediction);
      prediction_problems = std::move(predicted.errors);
    }
  }
  std::optional<Result<lab::ProfileComparison>> comparison;
  if (profile && result.ran) comparison = lab::compare_profile(**profile, result.run, *gpu, true);
  const Paint paint = Paint::for_standard_output();
  const std::string file_name = spec_case->source.filename().string();
  const std::string& text = *source;
  if (!options.json) {
    print_error(left_out_report(result.left_out, file_name));
    print_error(diagnostics_report(result.warnings, file_name, text, Paint(false)));
  }
  if (options.json) {
    Json json = json_of_case(result, measured, prediction_problems, *gpu);
    add_profile(comparison, json);
    print(dumped(json));
  } else if (result.ran) {
    print(launch_report(result.run) + "\n" + counters_report(result.run, nullptr, paint));
    if (const std::string sites = sites_report(result.run, text, paint); !sites.empty())
      print("\n" + sites);
    if (const std::string maps = maps_report(result.run, *gpu, text, false); !maps.empty())
      print("\n" + maps);
    if (!result.run.printed.empty()) print("\nPrinted by the kernel\n" + result.run.printed);
    print("\n" + buffers_report(result, *spec_case, words, paint));
    if (measured) {
      print("\n" + measured_case_report(*measured, result));
      print(diagnostics_report(measured->errors, file_name, text, paint));
    }
    if (result.run.prediction) {
      print("\nPredicted by a model. " + models::known_error(*gpu).english() + "\n" +
            prediction_lines(*result.run.prediction));
    }
    if (!prediction_problems.empty()) {
      print("\n" + diagnostics_report(prediction_problems, file_name, text, paint));
    }
    if (comparison && comparison->ok()) print("\n" + profile_report(**comparison, "", paint));
    if (!result.run.findings.empty()) {
      print("\n" + findings_report(result.run.findings, file_name, text, paint));
    }
  }
  if (!options.html.empty()) {
    lab::RunResult shown = as_run_result(result, *gpu, file_name, text);
    shown.prediction_problems = prediction_problems;
    if (write_result(options.html, report::run_fragment(shown, options.kernel)) != kAllPassed)
      return kToolFailed;
  }
  if (interrupt.requested()) {
    print_error("stopped\n");
    return kInterrupted;
  }
  // Warnings do not fail a grade or a build.
  const bool faulty = result.ran && has_error_finding(result);
  if (!result.ran || (!result.errors.empty() && !faulty)) {
    if (!options.json) {
      print_error(diagnostics_report(result.errors, file_name, text, Paint(false)));
    }
    for (const Diagnostic& error : result.errors) {
      if (is_machines_fault(error)) return kToolFailed;
    }
    return kInputError;
  }
  const bool faulty_there = measured && !measured->errors.empty();
  if (comparison && !comparison->ok()) {
    const int status = options.json ? kInputError : fail(comparison->errors());
    return faulty || faulty_there ? kCheckFailed : status;
  }
  return faulty || faulty_there ? kCheckFailed : kAllPassed;
}

}  // namespace warpshop::cli
