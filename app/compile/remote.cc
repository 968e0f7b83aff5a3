#include "compile/remote.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <filesystem>

#include "core/ascii.h"
#include "core/files.h"
#include "wire.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;

// Changes with the format: two versions of the program do not misread each other.
constexpr std::string_view kRequestMark = "warpshop compile 1\n";
constexpr std::string_view kAnswerMark = "warpshop compiled 1\n";

constexpr size_t kMostNames = 256;       // options, instances, folders
constexpr size_t kMostNameBytes = 4096;  // of each, and of the file's name
constexpr size_t kMostAnswerBytes = size_t{256} << 20;

template <typename Struct, typename Wanted>
concept Is = std::same_as<std::remove_const_t<Struct>, Wanted>;

}  // namespace

template <>
inline constexpr LeftOut::Why kLastOf<LeftOut::Why> = LeftOut::Why::kNotForGpu;

// What a request and an answer hold. WireWriter and WireReader find these functions by their own
// namespace, so they stand before those that need them.
template <typename Wire>
void fields(Wire& wire, Is<CompileInput> auto& it) {
  wire(it.source, it.file_name, it.architecture, it.options, it.trailer, it.prelude,
       it.include_dirs, it.whole_program, it.instances, it.most_seconds);
}
template <typename Wire>
void fields(Wire& wire, Is<KernelResources> auto& it) {
  wire(it.registers, it.static_shared_bytes, it.local_bytes, it.constant_bytes,
       it.max_threads_per_block);
}
template <typename Wire>
void fields(Wire& wire, Is<SourcePlace> auto& it) {
  wire(it.file, it.line, it.column, it.length);
}
template <typename Wire>
void fields(Wire& wire, Is<Diagnostic> auto& it) {
  wire(it.severity, it.kind, it.place, it.message, it.help);
}
template <typename Wire>
void fields(Wire& wire, Is<LeftOut> auto& it) {
  wire(it.why, it.name, it.place, it.last_line);
}
template <typename Wire>
void fields(Wire& wire, Is<SourceParameter> auto& it) {
  wire(it.type, it.name, it.place);
}
template <typename Wire>
void fields(Wire& wire, Is<SourceLaunch> auto& it) {
  wire(it.configuration, it.place);
}
template <typename Wire>
void fields(Wire& wire, Is<SourceKernel> auto& it) {
  wire(it.name, it.scope, it.place, it.parameters, it.is_template, it.template_parameters,
       it.instances, it.launches);
}
template <typename Wire>
void fields(Wire& wire, Is<CompileOutput> auto& it) {
  wire(it.ptx, it.cubin, it.warnings, it.kernels, it.instances, it.left_out, it.source_kernels,
       it.seconds);
}

namespace {

Diagnostic refused(Sentence what, Sentence help = {}) {
  return make_error("usage", std::move(what), std::move(help));
}

bool is_macro(std::string_view text) {
  const std::string_view name = text.substr(0, text.find('='));
  return !name.empty() && std::all_of(name.begin(), name.end(), is_word_character);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 4 && std::all_of(text.begin(), text.end(), is_digit);
}

// NVRTC takes each with one dash or two. None of them names a file.
bool is_harmless(std::string_view option) {
  if (option.starts_with("-D") || option.starts_with("-U")) return is_macro(option.substr(2));
  for (const std::string_view name : {"--define-macro=", "--undefine-macro="}) {
    if (option.starts_with(name)) return is_macro(option.substr(name.size()));
  }
  if (!option.starts_with('-')) return false;
  option.remove_prefix(option.starts_with("--") ? 2 : 1);
  const size_t equals = option.find('=');
  const std::string_view name = option.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : option.substr(equals + 1);
  if (equals == std::string_view::npos) {
    static constexpr std::array<std::string_view, 10> kFlags = {"use_fast_math",
                                                                "device-debug",
                                                                "G",
                                                                "lineinfo",
                                                                "generate-line-info",
                                                                "restrict",
                                                                "relocatable-device-code",
                                                                "device-as-default-execution-space",
                                                                "default-device",
                                                                "extra-device-vectorization"};
    return std::find(kFlags.begin(), kFlags.end(), name) != kFlags.end();
  }
  if (name == "maxrregcount") return is_number(value);
  if (name == "std") return value.starts_with("c++") && is_number(value.substr(3));
  static constexpr std::array<std::string_view, 5> kSwitches = {
      "fmad", "ftz", "prec-div", "prec-sqrt", "extra-device-vectorization"};
  return std::find(kSwitches.begin(), kSwitches.end(), name) != kSwitches.end() &&
         (value == "true" || value == "false");
}

// "sm_90", "compute_100a".
bool is_architecture(std::string_view text) {
  if (text.starts_with("sm_")) {
    text.remove_prefix(3);
  } else if (text.starts_with("compute_")) {
    text.remove_prefix(8);
  } else {
    return false;
  }
  if (text.ends_with('a') || text.ends_with('f')) text.remove_suffix(1);
  return is_number(text);
}

bool is_name(std::string_view text) {
  return text.size() <= kMostNameBytes &&
         std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

bool are_names(const std::vector<std::string>& texts) {
  return texts.size() <= kMostNames && std::all_of(texts.begin(), texts.end(), is_name);
}

// Empty: it is not below data_dir().
fs::path within_data(const fs::path& folder) {
  const fs::path data = data_dir().lexically_normal();
  const fs::path relative = folder.lexically_normal().lexically_relative(data);
  return relative.empty() || *relative.begin() == ".." ? fs::path() : relative;
}

}  // namespace

std::string request_of(const CompileInput& input) {
  CompileInput sent = input;
  sent.include_dirs.clear();
  for (const std::string& folder : input.include_dirs) {
    if (const fs::path relative = within_data(folder); !relative.empty())
      sent.include_dirs.push_back(relative.generic_string());
  }
  WireWriter wire;
  wire(sent);
  return std::string(kRequestMark) + wire.take();
}

Result<CompileInput> input_of(std::string_view request, const RemoteLimits& limits) {
  if (request.size() > limits.most_bytes) {
    return refused(
        sentence("the source has more than {bytes} bytes", {{"bytes", limits.most_bytes}}),
        sentence("make the file smaller"));
  }
  if (!request.starts_with(kRequestMark)) {
    return refused(sentence("this is not a request to compile, or one of another version"),
                   sentence("reload the page"));
  }
  CompileInput input;
  WireReader wire(request.substr(kRequestMark.size()));
  wire(input);
  if (!wire.done()) return refused(sentence("the request to compile is damaged"));

  if (!is_name(input.file_name) || !are_names(input.options) || !are_names(input.instances) ||
      !are_names(input.include_dirs)) {
    return refused(sentence("the request to compile holds names that are too long or no text"));
  }
  if (!is_architecture(input.architecture)) {
    return refused(sentence("unknown GPU architecture: {name}", {{"name", input.architecture}}),
                   sentence("expected sm_90, for example"));
  }
  for (const std::string& option : input.options) {
    if (is_harmless(option)) continue;
    return refused(
        sentence("compiler option that is not allowed here: {option}", {{"option", option}}),
        sentence("allowed are macros (-D), --use_fast_math, -maxrregcount and the like"));
  }
  for (std::string& folder : input.include_dirs) {
    const fs::path path = data_dir() / folder;
    if (fs::path(folder).is_absolute() || within_data(path).empty()) {
      return refused(
          sentence("folder of headers that is not allowed here: {folder}", {{"folder", folder}}));
    }
    folder = path.lexically_normal().string();
  }
  // Also if it is not a number.
  if (!(input.most_seconds > 0 && input.most_seconds < limits.most_seconds))
    input.most_seconds = limits.most_seconds;
  return input;
}

std::string answer_of(const Result<CompileOutput>& output) {
  WireWriter wire;
  wire(output.ok());
  if (output.ok()) {
    wire(output.value());
  } else {
    wire(output.errors());
  }
  return std::string(kAnswerMark) + wire.take();
}

Result<CompileOutput> output_of(std::string_view answer) {
  if (answer.size() <= kMostAnswerBytes && answer.starts_with(kAnswerMark)) {
    WireReader wire(answer.substr(kAnswerMark.size()));
    bool compiled = false;
    CompileOutput output;
    Diagnostics errors;
    wire(compiled);
    if (compiled) {
      wire(output);
    } else {
      wire(errors);
    }
    if (wire.done() && compiled) return output;
    if (wire.done() && !errors.empty()) return errors;
  }
  return make_error("nvrtc", sentence("the compile server sent a damaged answer"),
                    sentence("reload the page; if that does not help, tell your lecturer"));
}

}  // namespace warpshop::compile
