// CUDA C++ → PTX for the emulator and a cubin for the figures that only the back end knows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/device_source.h"
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
  std::vector<std::string> include_dirs;  // the first is the file's own folder
  // The file may hold a whole program: its host code is left out (compile/device_source.h).
  bool whole_program = false;
  std::vector<std::string> instances;  // of template kernels, to be made: "scale<16>"
};

struct CompileOutput {
  std::string ptx;
  std::vector<uint8_t> cubin;
  Diagnostics warnings;
  std::map<std::string, KernelResources> kernels;  // by the name in the PTX
  std::map<std::string, std::string> instances;    // CompileInput::instances: their names in the PTX
  std::vector<LeftOut> left_out;                   // of a whole program
  std::vector<SourceKernel> source_kernels;        // likewise
  double seconds = 0;
};

// NVRTC, loaded with dlopen. Copies share the library. Thread-safe (NVRTC serialises inside).
class Compiler {
 public:
  // Looks for libnvrtc in $WARPSHOP_CUDA, the toolkit brought by ./start, /usr/local/cuda and the
  // loader's own path. Error: every place tried and what to install.
  static Result<Compiler> load();

  // Errors: one diagnostic for each message of the compiler, with file, line and column.
  // Of a whole program, first the headers that were not found.
  Result<CompileOutput> compile(const CompileInput& input) const;

  // What compile() makes of a whole program's file before it compiles it.
  DeviceSource device_source_of(const CompileInput& input) const;

  // Compiles an empty kernel: the first compilation of a process costs some 20 ms more than later ones.
  // For a background thread at the start.
  void warm_up() const;

  std::string library_path() const;
  std::string version() const;        // "13.0"
  std::string include_path() const;   // the toolkit headers in use; empty when none were found
  std::vector<std::filesystem::path> include_paths() const;   // these and what is fetched beside them

  struct Library;                     // the table of entry points

 private:
  Result<CompileOutput> compile_text(const CompileInput& input, const std::string& text) const;

  explicit Compiler(std::shared_ptr<const Library> library) : library_(std::move(library)) {}
  std::shared_ptr<const Library> library_;
};

// Figures of every kernel in a cubin. Error: not an ELF file of a GPU, or a truncated one.
Result<std::map<std::string, KernelResources>> read_kernel_resources(
    const std::vector<uint8_t>& cubin);

// What the compiler warns of a text whose kernel then has no such code any more.
bool warns_of_division_by_zero(const Diagnostic& warning);    // by a constant, of integers
bool warns_of_unset_variable(const Diagnostic& warning);      // read before it has a value

// NVRTC's log → diagnostics. Lines look like `file(12): error: …` followed by the source line and a caret.
// `end_of_source` is the place of what the compiler finds "At end of source".
Diagnostics diagnostics_from_log(std::string_view log, const SourcePlace& end_of_source = {});

}  // namespace warpshop::compile
