#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "compile/child.h"
#include "compile/cuda_tokens.h"
#include "compile/readable_source.h"
#include "compiler_backend.h"
#include "core/ascii.h"
#include "core/files.h"
#include "diagnostic_places.h"
#include "hints.h"
#include "nvrtc_child.h"
#include "nvrtc_job.h"
#include "nvrtc_library.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;
using Library = Compiler::Library;

// `source`: the input's source, or the device code made from it.
std::string with_trailer(const std::string& source, const CompileInput& input) {
  if (input.trailer.empty()) return source;
  return source + "\n#line 1 \"" + std::string(kTrailerName) + "\"\n" + input.trailer;
}

fs::path prelude_dir() { return data_dir() / "assets" / "prelude"; }

std::string name_of(const CompileInput& input) {
  return input.file_name.empty() ? "kernel.cu" : input.file_name;
}

// As a string literal, for #line.
std::string literal_of(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + '"';
}

// The folders of one compilation, by the names under which NVRTC sees them.
class SeenFolders {
 public:
  explicit SeenFolders(bool elsewhere) : elsewhere_(elsewhere) {}

  std::string add(const fs::path& folder) {
    const bool seen = elsewhere_ && opened_.size() < kMostFolders;
    if (seen) opened_.push_back(folder.empty() ? "." : folder.string());
    names_.push_back(seen ? fs::path(seen_folder(opened_.size() - 1)) : folder);
    return names_.back().string();
  }
  // Its files are named without the folder c/ that some are in.
  std::string add_prelude(const fs::path& folder) {
    std::string name = add(folder);
    names_.insert(names_.end() - 1, fs::path(name) / "c");
    return name;
  }
  const std::vector<std::string>& opened() const { return opened_; }  // NvrtcJob::folders
  const std::vector<fs::path>& names() const { return names_; }       // innermost first

 private:
  bool elsewhere_;  // in another process
  std::vector<std::string> opened_;
  std::vector<fs::path> names_;
};

// The folder in an option such as -I DIR, at `n`, which is left at the option's last word.
std::optional<std::string> included_folder(const std::vector<std::string>& options, size_t& n) {
  const std::string_view option = options[n];
  for (const std::string_view name : {"-I", "--include-path"}) {
    if (option == name && n + 1 < options.size()) return options[++n];
    if (option == name || !option.starts_with(name)) continue;
    const std::string_view folder = option.substr(name.size());
    return std::string(folder.starts_with("=") ? folder.substr(1) : folder);
  }
  return std::nullopt;
}

// What NVRTC compiles for, and how much it declares before the text.
struct Target {
  std::string architecture;
  bool runtime_names = false;     // those of is_left_out_by_minimal()
  bool all_instructions = false;  // those of is_rare_instruction()
};

std::vector<std::string> options_of(const CompileInput& input, const Library& library,
                                    const Target& target, SeenFolders& folders) {
  std::vector<std::string> options = {"--gpu-architecture=" + target.architecture, "--std=c++17",
                                      "-lineinfo"};
  if (!target.runtime_names) options.emplace_back("--minimal");
  const auto include = [&](const fs::path& folder) {
    options.push_back("--include-path=" + folders.add(folder));
  };
  for (size_t n = 0; n < input.options.size(); ++n) {
    if (const std::optional<std::string> folder = included_folder(input.options, n)) {
      include(*folder);
    } else {
      options.push_back(input.options[n]);
    }
  }
  for (const std::string& folder : input.include_dirs) include(folder);
  const std::string prelude = folders.add_prelude(prelude_dir());
  if (!target.all_instructions)
    options.push_back("--pre-include=" + prelude + "/few_instructions.h");
  if (input.whole_program) {
    // Allows constants and constexpr functions on both sides, as nvcc does.
    options.emplace_back("--device-as-default-execution-space");
    options.push_back("--pre-include=" + prelude + "/program.h");
  }
  if (input.prelude) options.push_back("--pre-include=" + prelude + "/warpshop.h");
  // C headers that students include by habit; NVRTC has their declarations but not the files.
  options.push_back("--include-path=" + prelude + "/c");
  for (const fs::path& folder : library.include_dirs) include(folder);
  return options;
}

std::vector<fs::path> program_headers(const CompileInput& input) {
  std::vector<fs::path> dirs(input.include_dirs.begin(), input.include_dirs.end());
  for (size_t n = 0; n < input.options.size(); ++n) {
    if (std::optional<std::string> folder = included_folder(input.options, n))
      dirs.emplace_back(std::move(*folder));
  }
  return dirs;
}

// For a whole program: headers that were not found come first, and each error about something left
// out says so.
Diagnostics explain_left_out(Diagnostics errors, const std::vector<LeftOut>& left_out) {
  Diagnostics out;
  for (const LeftOut& part : left_out) {
    if (part.why != LeftOut::Why::kMissingHeader) continue;
    Diagnostic missing = part.diagnostic();
    missing.severity = Severity::kError;
    out.push_back(std::move(missing));
  }
  for (Diagnostic& error : errors) {
    const std::string message = error.message;
    for (const LeftOut& part : left_out) {
      if (part.name.empty() ||
          message.find("identifier \"" + part.name + "\" is undefined") == std::string::npos)
        continue;
      error.help = sentence("line {line} of {file} was left out: {why}",
                            {{"line", part.place.line},
                             {"file", part.place.file},
                             {"why", part.diagnostic().message}});
      break;
    }
    out.push_back(std::move(error));
  }
  return out;
}

// NVRTC 13.0 writes the names of files into its PTX as they are, and cannot read it where one has a
// quotation mark.
std::optional<Diagnostic> stumbled_over_a_name(const Diagnostics& errors,
                                               std::vector<fs::path> names,
                                               const std::string& file_name) {
  const bool stumbled = std::any_of(errors.begin(), errors.end(), [](const Diagnostic& error) {
    return error.message.english().find("Parsing error near") != std::string::npos;
  });
  if (!stumbled) return std::nullopt;
  names.emplace_back(file_name);
  for (const fs::path& name : names) {
    if (name.native().find('"') == std::string::npos) continue;
    return make_error_at(
        {file_name}, "compile",
        sentence("the compiler cannot work with the quotation mark in the name {name}",
                 {{"name", name.string()}}),
        sentence("rename the file or its folder"));
  }
  return std::nullopt;
}

// True if the text uses what only a target such as sm_90a has.
bool needs_the_chips_own_target(const Diagnostics& errors, const std::string& architecture) {
  const std::string lacks = "not supported on .target '" + architecture + "'";
  return std::any_of(errors.begin(), errors.end(), [&](const Diagnostic& error) {
    return error.message.english().find(lacks) != std::string::npos;
  });
}

// True for one of a text's words.
bool has_word(std::string_view text, bool (*is_one)(std::string_view)) {
  for (size_t n = 0; n < text.size();) {
    const size_t start = n;
    while (n < text.size() && is_word_character(text[n])) ++n;
    if (is_one(text.substr(start, n - start))) return true;
    if (n == start) ++n;
  }
  return false;
}

// NVRTC parses some 6 ms less with --minimal, but then declares no textures, no surfaces and
// nothing of the runtime. True for the name of such a thing: cudaError_t, tex2D, surf2Dwrite.
bool is_left_out_by_minimal(std::string_view word) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (word.starts_with("cuda")) return word.size() > 4 && is_upper(word[4]);
  for (const std::string_view name : {"tex", "surf"}) {
    if (!word.starts_with(name) || word.size() == name.size()) continue;
    const char next = word[name.size()];
    if (is_digit(next) || is_upper(next)) return true;
  }
  return word.starts_with("texture") || word.starts_with("surface");
}

// True for what prelude/few_instructions.h leaves out, and for what tells whether it is there.
bool is_rare_instruction(std::string_view word) {
  if (word == "ld" || word.starts_with("ld_") || word.starts_with("tcgen05") ||
      word.starts_with("multimem") || word.starts_with("_CUDA_PTX"))
    return true;
  const std::string small = lower(word);
  return small.find("fp8") != std::string::npos || small.find("fp6") != std::string::npos ||
         small.find("fp4") != std::string::npos;
}

// Whether a text or its headers may use them. Only headers of CUDA's own folder are known not to:
// <cuda_fp16.h>, but not <cuda/barrier>, <array>, or "mine.h".
bool needs_all_instructions(std::string_view text) {
  bool has_them = false;
  if (text.find("<cuda/ptx>") == std::string_view::npos || has_word(text, is_rare_instruction))
    return true;
  for (const CudaToken& token : cuda_tokens(text)) {
    if (token.kind != TokenKind::kDirective || directive_name(token.text) != "include") continue;
    const size_t begin = token.text.find_first_of("<\"");
    if (begin == std::string_view::npos) return true;
    const std::string_view name = token.text.substr(begin, token.text.find('>', begin) - begin + 1);
    if (name == "<cuda/ptx>") {
      has_them = true;
    } else if (name[0] != '<' || !name.ends_with(".h>") ||
               name.find('/') != std::string_view::npos) {
      return true;
    }
  }
  return !has_them;
}

// Whether an error has such a word: a header may name one, too.
bool any_error_has_word(const Diagnostics& errors, bool (*is_one)(std::string_view)) {
  return std::any_of(errors.begin(), errors.end(), [&](const Diagnostic& error) {
    return has_word(error.message.english(), is_one);
  });
}

// The architecture to try first: a text with such an instruction then needs no second compilation.
std::string likely_architecture(const CompileInput& input) {
  if (input.architecture != "sm_90") return input.architecture;
  if (input.source.find("wgmma.") == std::string::npos) return input.architecture;
  const std::vector<CudaToken> tokens = cuda_tokens(input.source);
  const bool has = std::any_of(tokens.begin(), tokens.end(), [](const CudaToken& token) {
    return token.kind == TokenKind::kText && token.text.find("wgmma.") != std::string_view::npos;
  });
  return has ? "sm_90a" : input.architecture;
}

constexpr int kFirstWithMinimal = 13;  // the oldest that was tried

// After each round, declarations that the compiler rejected are dropped, and later ones may have
// depended on them.
constexpr int kMostRounds = 8;

bool names_ptx_line(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.file == kPtxName) return true;
  }
  return false;
}

// What NVRTC is given for an input, and what is known about its names.
struct PreparedJob {
  NvrtcJob job;
  std::vector<fs::path> searched;  // the folders in NVRTC's messages, innermost first
  fs::path here;                   // where NVRTC works
};

// NVRTC, loaded with dlopen.
class LocalCompiler : public Compiler::Backend {
 public:
  LocalCompiler(std::shared_ptr<const Library> library, std::shared_ptr<NvrtcRunner> runner)
      : library_(std::move(library)),
        has_minimal_(library_->major >= kFirstWithMinimal),
        runner_(std::move(runner)) {}
  Result<CompileOutput> compile(const CompileInput& input) const override;
  Compiler::About about() const override {
    return {library_->path, std::to_string(library_->major) + "." + std::to_string(library_->minor),
            library_->include_dirs};
  }

 private:
  Result<CompileOutput> compile_text(const CompileInput& input, const std::string& text) const;
  Result<CompileOutput> compile_for(const Target& target, const CompileInput& input,
                                    const std::string& text) const;
  PreparedJob prepare(const CompileInput& input, const std::string& text,
                      const std::string& file_name, const Target& target) const;
  // Error: there is no answer, and why.
  Result<NvrtcAnswer> run(const NvrtcJob& job, const CompileInput& input) const;
  Diagnostic no_answer(const NoAnswer& none, const CompileInput& input) const {
    return explain(none, input, runner_ == nullptr ? kMostChildBytes : runner_->most_bytes());
  }
  std::string ptx_of_failed(const CompileInput& input, const std::string& text,
                            const std::string& file_name, Target target) const;
  // The text that compile() makes from a whole program's file before compiling it.
  DeviceSource device_source_of(const CompileInput& input) const;

  std::shared_ptr<const Library> library_;
  bool has_minimal_;
  std::shared_ptr<NvrtcRunner> runner_;  // null: NVRTC runs in this process
};

// In another process, NVRTC sees every file in a folder whose name has a fixed length.
PreparedJob LocalCompiler::prepare(const CompileInput& input, const std::string& text,
                                   const std::string& file_name, const Target& target) const {
  const bool elsewhere = runner_ != nullptr;
  PreparedJob out;
  SeenFolders folders(elsewhere);
  std::error_code error;
  out.here = elsewhere ? fs::path("/") : fs::current_path(error);
  if (elsewhere) {
    out.job.name = folders.add(fs::path(file_name).parent_path()) + "/kernel.cu";
    out.job.text = "#line 1 " + literal_of(file_name) + "\n" + text;
  } else {
    out.job.name = file_name;
    out.job.text = text;
  }
  out.job.options = options_of(input, *library_, target, folders);
  out.job.instances = input.instances;
  out.job.most_seconds = input.most_seconds;
  out.job.folders = folders.opened();
  out.searched = folders.names();
  return out;
}

Result<NvrtcAnswer> LocalCompiler::run(const NvrtcJob& job, const CompileInput& input) const {
  if (runner_ == nullptr) return run_nvrtc(*library_, job);
  NvrtcOutcome outcome = runner_->run(job, input.stop);
  if (auto* answer = std::get_if<NvrtcAnswer>(&outcome)) return std::move(*answer);
  return no_answer(std::get<NoAnswer>(outcome), input);
}

// The back end reports lines of the PTX. The PTX itself compiles, and its .loc lines lead back to
// the student's lines.
std::string LocalCompiler::ptx_of_failed(const CompileInput& input, const std::string& text,
                                         const std::string& file_name, Target target) const {
  if (!target.architecture.starts_with("sm_")) return {};
  target.architecture.replace(0, 3, "compute_");
  NvrtcJob job = prepare(input, text, file_name, target).job;
  job.instances.clear();
  Result<NvrtcAnswer> answer = run(job, input);
  return answer.ok() && answer->result == 0 ? std::move(answer->ptx) : std::string();
}

DeviceSource LocalCompiler::device_source_of(const CompileInput& input) const {
  HeaderPath path;
  path.folder = input.include_dirs.empty() ? "." : input.include_dirs.front();
  path.program = program_headers(input);
  path.libraries = {prelude_dir() / "c"};
  path.libraries.insert(path.libraries.end(), library_->include_dirs.begin(),
                        library_->include_dirs.end());
  return device_source(input.source, input.file_name.empty() ? "kernel.cu" : input.file_name, path);
}

Result<CompileOutput> LocalCompiler::compile(const CompileInput& input) const {
  // Windows editors mark UTF-8 so. NVRTC takes the mark for a name.
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (input.source.starts_with(kByteOrderMark)) {
    CompileInput without = input;
    without.source.erase(0, kByteOrderMark.size());
    return compile(without);
  }
  if (std::optional<Diagnostic> refused = unreadable(input.source, name_of(input))) return *refused;
  if (!input.whole_program) return compile_text(input, with_trailer(input.source, input));
  DeviceSource source = device_source_of(input);
  for (int round = 0;; ++round) {
    Result<CompileOutput> output = compile_text(input, with_trailer(source.text, input));
    if (output.ok()) {
      output->left_out = std::move(source.left_out);
      output->source_kernels = std::move(source.kernels);
      return output;
    }
    // The caller explains names that NVRTC cannot instantiate.
    const bool wrong_name =
        std::any_of(output.errors().begin(), output.errors().end(),
                    [](const Diagnostic& error) { return error.place.file == "__nv_name_map"; });
    if (wrong_name && !input.instances.empty()) {
      CompileInput without = input;
      without.instances.clear();
      return compile(without);
    }
    if (round == kMostRounds || !leave_out_refused(source, output.errors())) {
      return explain_left_out(output.errors(), source.left_out);
    }
  }
}

Result<CompileOutput> LocalCompiler::compile_text(const CompileInput& input,
                                                  const std::string& text) const {
  const fs::path prelude = prelude_dir() / "warpshop.h";
  if (std::error_code error; input.prelude && !fs::exists(prelude, error)) {
    return make_error_at(
        {prelude.string()}, "compile",
        sentence("Warpshop's own header is missing: the data folder is incomplete"),
        sentence("reinstall the program; if WARPSHOP_DATA is set, it must name the folder with "
                 "assets, labs and kernels"));
  }
  return compile_for(
      {likely_architecture(input), !has_minimal_ || has_word(text, is_left_out_by_minimal),
       !input.prelude || !input.include_dirs.empty() || needs_all_instructions(text)},
      input, text);
}

Result<CompileOutput> LocalCompiler::compile_for(const Target& target, const CompileInput& input,
                                                 const std::string& text) const {
  const auto start = std::chrono::steady_clock::now();
  const std::string file_name = name_of(input);
  const PreparedJob prepared = prepare(input, text, file_name, target);
  Result<NvrtcAnswer> answer = run(prepared.job, input);
  if (!answer.ok()) return answer.errors();
  if (answer->late) return no_answer({NoAnswer::Why::kLate, {}}, input);
  Diagnostics diagnostics =
      diagnostics_from_log(answer->log, end_of_source(input.source, file_name));
  if (answer->result != 0) {
    if (auto refused = stumbled_over_a_name(diagnostics, prepared.searched, file_name))
      return *refused;
    Target other = target;
    if (!target.runtime_names && any_error_has_word(diagnostics, is_left_out_by_minimal)) {
      other.runtime_names = true;
      return compile_for(other, input, text);
    }
    if (!target.all_instructions && any_error_has_word(diagnostics, is_rare_instruction)) {
      other.all_instructions = true;
      return compile_for(other, input, text);
    }
    if (needs_the_chips_own_target(diagnostics, target.architecture)) {
      other.architecture += "a";
      return compile_for(other, input, text);
    }
    if (names_ptx_line(diagnostics)) {
      place_by_ptx(ptx_of_failed(input, text, file_name, target), file_name, diagnostics);
    }
    place_by_kernel(input.source, file_name, diagnostics);
    place_unfinished_end(input.source, file_name, diagnostics);
    add_hints(input.source, !library_->include_dirs.empty(), diagnostics);
    shorten_names(prepared.searched, diagnostics);
    if (!has_errors(diagnostics)) {
      diagnostics.push_back(make_error_at(
          {file_name}, "compile", sentence("NVRTC failed: {why}", {{"why", answer->error}})));
    }
    return diagnostics;
  }
  add_hints(input.source, !library_->include_dirs.empty(), diagnostics);
  shorten_names(prepared.searched, diagnostics);

  CompileOutput output;
  output.ptx =
      with_plain_file_names(std::move(answer->ptx), file_name, prepared.searched, prepared.here);
  output.cubin.assign(answer->cubin.begin(), answer->cubin.end());
  for (size_t n = 0; n < std::min(answer->names.size(), input.instances.size()); ++n)
    output.instances[input.instances[n]] = answer->names[n];
  output.warnings = std::move(diagnostics);
  if (!output.cubin.empty()) {  // compute_NN has none
    auto kernels = read_kernel_resources(output.cubin);
    if (!kernels.ok()) return kernels.errors();
    output.kernels = std::move(*kernels);
  }
  output.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return output;
}

}  // namespace

Compiler compiler_of(std::shared_ptr<const Compiler::Library> library,
                     std::shared_ptr<NvrtcRunner> runner) {
  return Compiler(std::make_shared<LocalCompiler>(std::move(library), std::move(runner)));
}

Result<Compiler> Compiler::load() {
  std::shared_ptr<NvrtcChild> child;  // loads it at the same time
  if (can_be_child()) child = std::make_shared<NvrtcChild>();
  auto library = load_nvrtc();
  if (!library.ok()) return library.errors();
  return compiler_of(std::move(*library), std::move(child));
}

}  // namespace warpshop::compile
