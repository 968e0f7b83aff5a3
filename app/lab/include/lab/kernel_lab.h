// A lab made from a kernel in the user's own file. The kernel as first opened is the reference;
// later versions are compared with it by results, counters and times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "compile/device_source.h"
#include "core/result.h"
#include "core/sentence.h"
#include "lab/lab.h"

namespace warpshop::lab {

// A source file and the kernels in it.
struct KernelFile {
  std::filesystem::path path;
  std::string text;
  std::vector<compile::SourceKernel> kernels;
};

// Error: the file cannot be read, or has no kernel.
Result<KernelFile> read_kernel_file(const std::filesystem::path& path);

// The argument for one parameter of the kernel.
struct KernelLabArg {
  std::string type;  // as written in the file, of an instance its own: "const float*"
  std::string name;  // the parameter's; "argument2" if unnamed
  bool is_buffer = false;
  ElementType element =
      ElementType::kF32;    // the buffer's elements, or the value (a type of the same size)
  std::string amount;       // buffers: element count; else the value. An expression over n
  std::string fill;         // buffers: fills.h
  bool output = false;      // buffers: compared with the reference's
  bool is_updated = false;  // buffers: the kernel also reads what it writes
  Sentence unfit;           // why a lab cannot pass this argument; empty: it can
};

// A __constant__ or __device__ variable that the host code sets, which a lab leaves out.
struct KernelLabVariable {
  std::string declaration;  // "__constant__ float w[5]"
  std::string name;
  std::string value;  // its initialiser in the lab's text: "{0.6, 0.1}"; empty: it stays zero
  int line = 0;       // where the program states the value; 0: made up, or the user's
};

// What the user chooses before running their own kernel.
struct KernelLabForm {
  std::string kernel;       // "scale", "detail::scale", "scale<16>"
  std::string grid, block;  // C++ over n, as between <<< and >>>: "(n + 255) / 256", "dim3(16, 16)"
  std::string dynamic_shared_bytes = "0";  // likewise
  std::string n = "65536";
  std::vector<KernelLabArg> args;
  std::vector<KernelLabVariable> variables;  // every one in the file, in order
  // What the program itself states, with its line; everything else is a guess.
  struct Origin {
    Sentence field;
    int line = 0;
  };
  std::vector<Origin> origins;
  int64_t program_n = 0;  // the program's size, if it is larger than the one proposed here
};

// Takes the numbers that the program's first launch of the kernel states plainly (host_launch.h),
// with n reduced to what the emulator runs in seconds. The rest is guessed: one thread per element
// for n elements, or n × n if the kernel uses threadIdx.y; integers are n; floating-point buffers
// are random, other inputs 0, 1, 2, …, other outputs zero; writable buffers are compared. Variables
// that the host code sets are treated alike.
KernelLabForm proposed_form(const KernelFile& file, const compile::SourceKernel& kernel);

// Writes the lab into a new folder in `below` and returns its id; its only step is "kernel". Copies
// the file's own headers from its folder. Errors ("usage"): invalid input, naming the field;
// ("file"): the folder cannot be written. Leaves nothing behind after an error.
Result<std::string> create_kernel_lab(const LabPlaces& places, const std::filesystem::path& below,
                                      const KernelFile& file, const KernelLabForm& form);

// The newest of the labs that were made from a file of this name and the kernel; null: none.
const Lab* kernel_lab_of(const LabLibrary& labs, const KernelFile& file, const std::string& kernel);

}  // namespace warpshop::lab
