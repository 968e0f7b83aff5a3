// A whole CUDA program's file as the GPU's compiler needs it: host code is left out, device code stays where it stands.
//
// NVRTC compiles device code alone. A program's file holds more: main(), functions that allocate, copy and launch,
// headers of the host. device_source() reads the file's declarations (it neither expands macros nor decides
// conditionals), blanks those that cannot be for the GPU and puts the program's own headers in their place, treated
// likewise, so that lines stay what they are. docs/cli.md, "A program's file", gives the rules.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::compile {

struct SourceParameter {
  std::string type;   // "const float*"
  std::string name;   // empty: it has none
  SourcePlace place;  // of the whole parameter
};

// A kernel's launch in host code: what stands between <<< and >>>.
struct SourceLaunch {
  std::string configuration;  // "(n + 255) / 256, 256"
  SourcePlace place;
};

struct SourceKernel {
  std::string name;   // "scale"
  std::string scope;  // its namespaces: "", "detail::"
  SourcePlace place;  // of its name
  std::vector<SourceParameter> parameters;
  bool is_template = false;
  std::vector<std::string> instances;  // of a template, as the file launches or instantiates them: "scale<16>"
  std::vector<SourceLaunch> launches;

  std::string signature() const;  // "detail::scale(const float* in, int n)"
};

// The `__global__` functions of a text with their launches, in the order of their first declarations. A name that is
// declared and later defined is one kernel.
std::vector<SourceKernel> kernels_of(std::string_view source, const std::string& file_name);

// The parameters of the list that opens at `open`; `code` has no comments.
std::vector<SourceParameter> parameters_at(std::string_view code, size_t open, const std::string& file_name);

// Something of the file that is not compiled.
struct LeftOut {
  enum class Why : uint8_t {
    kHostFunction,   // no __global__ or __device__ before it
    kHostVariable,   // likewise
    kHostHeader,     // a header of the host's libraries
    kMissingHeader,  // found nowhere
    kNotForGpu,      // kept at first, but the compiler refused it, and it says nothing of a device
  };
  Why why = Why::kHostFunction;
  std::string name;  // "main", "iostream"
  SourcePlace place;
  int last_line = 0;
  Diagnostic diagnostic() const;  // a note; a missing header is a warning
};

// Where headers are looked for, as the compiler does.
struct HeaderPath {
  std::filesystem::path folder;                  // of the file itself
  std::vector<std::filesystem::path> program;    // the program's own: their host code is left out, too
  std::vector<std::filesystem::path> libraries;  // for device code: included as they are
};

struct DeviceSource {
  // A declaration that may be for the host alone, as nothing in it says for whom it is.
  struct Doubtful {
    size_t at = 0;  // in text
    size_t length = 0;
    LeftOut left_out;
  };
  std::string text;  // for the compiler; #line names the files and lines that it was made of
  std::vector<LeftOut> left_out;
  std::vector<Doubtful> doubtful;
  std::vector<SourceKernel> kernels;  // of all files
};

// Any text is accepted; what cannot be understood is kept, for the compiler to judge.
DeviceSource device_source(std::string_view source, const std::string& file_name, const HeaderPath& path);

// Leaves out the doubtful declarations in which the compiler found errors. Returns whether there was one.
bool leave_out_refused(DeviceSource& source, const Diagnostics& errors);

}  // namespace warpshop::compile
