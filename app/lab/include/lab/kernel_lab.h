// A lab made of a kernel of somebody's own file. The kernel as it was when it was opened is the reference: what it becomes
// is compared with that, results and counters and times.
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

// A program's file with the kernels that it has.
struct KernelFile {
  std::filesystem::path path;
  std::string text;
  std::vector<compile::SourceKernel> kernels;
};

// Error: the file cannot be read, or it has no kernel.
Result<KernelFile> read_kernel_file(const std::filesystem::path& path);

// What one parameter of the kernel gets.
struct KernelLabArg {
  std::string type;  // as the file has it: "const float*"
  std::string name;  // of the parameter; "argument2" where it has none
  bool is_buffer = false;
  ElementType element = ElementType::kF32;  // of the buffer, or of the value: one of the same size
  std::string amount;                       // buffers: elements; else the value. An expression over n
  std::string fill;                         // buffers: fills.h
  bool output = false;                      // buffers: compared with what the reference leaves there
  Sentence unfit;                           // why a lab cannot pass it; empty: it can
};

// What a person chooses before a kernel of theirs runs.
struct KernelLabForm {
  std::string kernel;                        // "scale", "detail::scale", "scale<16>"
  std::string grid, block;                   // C++ over n, as between <<< and >>>: "(n + 255) / 256", "dim3(16, 16)"
  std::string dynamic_shared_bytes = "0";    // likewise
  std::string n = "65536";
  std::vector<KernelLabArg> args;
};

// What can be guessed: a thread for each of n elements, or of n × n where the kernel asks for threadIdx.y; whole numbers
// are n; fractions are random, other inputs 0, 1, 2, …, other outputs zeroes; what the kernel can write is compared.
KernelLabForm proposed_form(const KernelFile& file, const compile::SourceKernel& kernel);

// Writes the lab into a new folder of `below` and returns its id; its one step is "kernel". The file's own headers that
// stand beside it are copied. Errors ("usage"): what of the form cannot be, in words that name the field; ("file"): the
// folder cannot be written. Nothing is left after an error.
Result<std::string> create_kernel_lab(const LabPlaces& places, const std::filesystem::path& below, const KernelFile& file,
                                      const KernelLabForm& form);

}  // namespace warpshop::lab
