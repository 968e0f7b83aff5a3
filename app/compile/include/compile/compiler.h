// CUDA C++ → PTX for the emulator and a cubin for the figures that only the back end knows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnostic.h"
#include "core/result.h"

namespace warpshop::compile {

// What the back end gave one kernel, read from the cubin's ELF sections (no extra tool).
struct KernelResources {
  int registers = 0;                // per thread; EIATTR_REGCOUNT (0x2f) of .nv.info
  uint32_t static_shared_bytes = 0; // size of .nv.shared.NAME without the system's 1 KiB
  uint32_t local_bytes = 0;         // per thread: EIATTR_FRAME_SIZE (0x11) of .nv.info
  uint32_t constant_bytes = 0;      // user constants: size of .nv.constant3
  int max_threads_per_block = 0;    // __launch_bounds__, 0 when not given
};

struct CompileInput {
  std::string source;                // the text, as the student wrote it
  std::string file_name;             // what diagnostics and .file directives name
  std::string architecture = "sm_90";
  std::vector<std::string> options;  // further NVRTC options, e.g. -DTILE=16
  std::string trailer;               // appended after the text under its own `#line 1 "<launch>"`; may be empty
  bool prelude = true;               // assert, printf, Launch: see assets/prelude/warpshop.h; off for `run --spec`
  std::vector<std::string> include_dirs;
};

struct CompileOutput {
  std::string ptx;
  std::vector<uint8_t> cubin;
  Diagnostics warnings;
  std::map<std::string, KernelResources> kernels;  // by the name in the PTX
  double seconds = 0;
};

// NVRTC, loaded with dlopen. Copies share the library. Thread-safe (NVRTC serialises inside).
class Compiler {
 public:
  // Looks for libnvrtc in $WARPSHOP_CUDA, the toolkit brought by ./start, /usr/local/cuda and the
  // loader's own path. Error: every place tried and what to install.
  static Result<Compiler> load();

  // Errors: one diagnostic for each message of the compiler, with file, line and column.
  Result<CompileOutput> compile(const CompileInput& input) const;

  // Compiles an empty kernel: the first compilation of a process costs some 20 ms more than later ones.
  // For a background thread at the start.
  void warm_up() const;

  std::string library_path() const;
  std::string version() const;        // "13.0"
  std::string include_path() const;   // the toolkit headers in use; empty when none were found

  struct Library;                     // the table of entry points

 private:
  explicit Compiler(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
};

// Figures of every kernel in a cubin. Error: not an ELF file of a GPU, or a truncated one.
Result<std::map<std::string, KernelResources>> read_kernel_resources(
    const std::vector<uint8_t>& cubin);

// NVRTC's log → diagnostics. Lines look like `file(12): error: …` followed by the source line and a caret.
// `end_of_source` is the place of what the compiler finds "At end of source".
Diagnostics diagnostics_from_log(std::string_view log, const SourcePlace& end_of_source = {});

}  // namespace warpshop::compile
