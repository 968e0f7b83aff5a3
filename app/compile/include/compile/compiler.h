// Compiles CUDA C++ to PTX for the emulator, and to a cubin for figures that only the back end
// knows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/device_source.h"
#include "core/diagnostic.h"
#include "core/result.h"
#include "core/stop.h"

namespace warpshop::compile {

// Resources the back end assigned to one kernel, read from the cubin's ELF sections without any
// other tool.
struct KernelResources {
  int registers = 0;                 // per thread; EIATTR_REGCOUNT (0x2f) of .nv.info
  uint32_t static_shared_bytes = 0;  // size of .nv.shared.NAME without the 1 KiB reserved by the
                                     // system
  uint32_t local_bytes = 0;          // per thread: EIATTR_FRAME_SIZE (0x11) of .nv.info
  uint32_t constant_bytes = 0;       // user constants: size of .nv.constant3
  int max_threads_per_block = 0;     // __launch_bounds__; 0 if not given
};

struct CompileInput {
  std::string source;     // exactly as the student wrote it
  std::string file_name;  // the name used in diagnostics and .file directives
  std::string architecture = "sm_90";
  std::vector<std::string> options;  // extra NVRTC options, e.g. -DTILE=16
  std::string trailer;  // appended to the source under its own `#line 1 "<launch>"`; may be empty
  bool prelude =
      true;  // assert, printf, Launch: see assets/prelude/warpshop.h; off for `run --spec`
  std::vector<std::string> include_dirs;  // the first is the file's own folder
  // The file may hold a whole program; its host code is left out (compile/device_source.h).
  bool whole_program = false;
  std::vector<std::string> instances;  // template kernels to instantiate: "scale<16>"
  double most_seconds = 20;            // processor time; infinity: no limit
  const StopFlag* stop = nullptr;      // ends the compilation early
};

struct CompileOutput {
  std::string ptx;
  std::vector<uint8_t> cubin;
  Diagnostics warnings;
  std::map<std::string, KernelResources> kernels;  // by PTX name
  std::map<std::string, std::string> instances;    // CompileInput::instances → names in the PTX
  std::vector<LeftOut> left_out;                   // whole programs only
  std::vector<SourceKernel> source_kernels;        // whole programs only
  double seconds = 0;
};

// NVRTC, on this machine or another one. Copies share it. Thread-safe: compilations on this machine
// take turns.
class Compiler {
 public:
  // Looks for libnvrtc in $WARPSHOP_CUDA, the toolkit fetched by ./start, /usr/local/cuda and the
  // loader's default path. Error: every place tried and what to install.
  static Result<Compiler> load();

  // Takes a request to another machine and returns its answer (compile/remote.h). Error: why there
  // is none.
  using Transport =
      std::function<Result<std::string>(const std::string& request, const StopFlag* stop)>;
  struct About {
    std::string library_path;
    std::string version;                               // "13.0"
    std::vector<std::filesystem::path> include_paths;  // of the toolkit, then any others
  };
  // `transport` may be called by several threads at once.
  static Compiler remote(Transport transport, About about);

  // Errors: one diagnostic per compiler message, with file, line and column. For a whole program,
  // headers that were not found come first. One diagnostic if the compiler itself crashed, took too
  // long, was stopped, or is out of reach.
  Result<CompileOutput> compile(const CompileInput& input) const;

  std::string library_path() const;
  std::string version() const;
  std::string include_path() const;  // the toolkit headers in use; empty if none were found
  std::vector<std::filesystem::path> include_paths() const;  // these and any fetched alongside them

  struct Library;  // the table of entry points
  class Backend;
  explicit Compiler(std::shared_ptr<const Backend> backend) : backend_(std::move(backend)) {}

 private:
  std::shared_ptr<const Backend> backend_;
};

// Reads the figures of every kernel in a cubin. Error: not a GPU ELF file, or truncated.
Result<std::map<std::string, KernelResources>> read_kernel_resources(
    const std::vector<uint8_t>& cubin);

// Warnings about code that the compiler then removes from the kernel.
bool warns_of_division_by_zero(const Diagnostic& warning);  // integer division by a constant 0
bool warns_of_unset_variable(const Diagnostic& warning);    // read before it has a value

// Parses NVRTC's log. Lines look like `file(12): error: …`, followed by the source line and a
// caret. `end_of_source` is the place to use for messages "At end of source".
Diagnostics diagnostics_from_log(std::string_view log, const SourcePlace& end_of_source = {});

}  // namespace warpshop::compile
