// Lab modules as loaded from labs/ID/lab.toml. Plain data; docs/writing-a-lab.md gives the file format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/element_type.h"
#include "core/fill.h"
#include "core/result.h"
#include "lab/demo.h"
#include "lab/kept_times.h"
#include "lab/texture_arg.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

using warpshop::Fill;  // core/fill.h

// Asked before the run; the answer is compared afterwards.
struct Question {
  std::string ask;
  std::vector<std::string> choices;
  int answer = 0;            // index into choices
  std::string explanation;   // shown once answered
};

using warpshop::ElementType;  // core/element_type.h
using warpshop::name_of;
using warpshop::size_bytes;

// An argument of the kernel, in the order of its parameters.
struct KernelArg {
  std::string name;
  bool is_buffer = false;
  ElementType type = ElementType::kF32;
  // Of buffers that the kernel gets as a texture or surface object, with their extents in texels: expressions.
  std::optional<TextureArg> texture;
  std::string width;
  std::string height;        // empty: one-dimensional
  std::string count;         // buffers: elements, an expression over the size's variables, e.g. "n * n"
  std::string fill;          // buffers: zero, none, iota, random, bits, chase=S, file=NAME; see fills.h
  uint32_t seed = 0;         // buffers: of random and bits; by default the number of buffers before
  uint64_t key = 0;          // buffers: of random and bits; see with_inputs
  std::string file_bytes;    // buffers: what file=NAME holds
  bool output = false;       // buffers: compared with the reference's after the run
  std::string value;         // scalars: an expression over the size's variables
};

// One problem size: its variables, e.g. {n: 1024}. The first size is the one that the panels show.
struct ProblemSize {
  std::string label;                        // "1024 × 1024"; never empty
  std::map<std::string, int64_t> variables;
};

// A machine check on structure. Correctness over all sizes and freedom from findings are checked always.
struct CheckRule {
  std::string id;            // "coalesced-loads"
  std::string title;         // "Load sectors per request at most 4"
  std::string metric;        // an expression over counters and figures, e.g. "global_load_sectors / global_load_requests"
  std::optional<std::string> at_most;   // expressions over the same names, "reference.X" and "ideal.X" too
  std::optional<std::string> at_least;
  std::string unit;          // written behind the number, "sectors per request"; may be empty
  bool all_sizes = false;    // must hold at every size, not only at the first
  std::string message;       // what to tell the student when it fails
};

// How much a kernel may cost as a whole, beside what the checks count: factors of what the worse of start and worked
// solution costs at the first size. docs/writing-a-lab.md, "The whole kernel".
struct WholeKernelFactors {
  double instructions = 2;    // of thread_instructions, and of warp_instructions
  double memory_sectors = 2;
  double shared_memory = 2;   // 16 KiB per block are always allowed
  double ratios = 1.5;        // of the work that a check's ratio may be diluted with
};

// A plausible mistake, and the check that must catch it: for the proof of the lab, not for students.
struct WrongKernel {
  std::filesystem::path file;
  std::string source;
  std::string fails;         // a check's id, "correct", "no-findings" or "whole-kernel"
};

struct Exercise {
  std::string kernel;                        // __global__ function that the student's file must define; of a whole program also
                                             // one in a namespace or an instance: "detail::scale<16>"
  std::string launch;                        // call of the file's launch function, "launch(n)"
  bool whole_program = false;                // the files may hold host code, which is left out: compile/device_source.h
  bool cooperative = false;                  // all blocks at the same time: for grid.sync()
  bool warnings_fail = false;                // "no-findings" fails with a warning as it does with an error
  std::filesystem::path solution_file;       // marked worked solution; where there is none, the reference
  std::filesystem::path reference_file;      // reference kernel
  std::string solution;                      // text with marks removed; the skeleton's where there is none
  std::string skeleton;                      // generated from the marked solution
  std::string reference;                     // text
  std::vector<KernelArg> args;
  std::vector<ProblemSize> sizes;
  // At which times are predicted and measured: so large that a launch itself is little of them. Results are not checked
  // there by the emulator. None: times are those of `sizes`.
  std::optional<ProblemSize> timed;
  std::string output_width;                  // expression: columns of the output for the map; empty: 1-D
  std::string useful_bytes;                  // expression: bytes a perfect kernel moves (for bandwidth)
  double tolerance = 0;                      // relative; 0: bit-exact
  std::optional<models::GpuProfile> model_gpu;  // by whose rules the `model.` figures are counted
  std::vector<CheckRule> checks;
  WholeKernelFactors whole_kernel;
  std::string wrong_result;                  // what to ask whose result is wrong; may be empty
  std::vector<std::string> hints;            // one level at a time
  std::string solution_note;                 // Markdown: why each changed line changed
  std::vector<WrongKernel> wrong;
  bool has_solution() const { return solution != skeleton; }
};

// `sizes`, then `timed` where there is one.
std::vector<const ProblemSize*> all_sizes(const Exercise& exercise);

// The arguments' elements, scalar values and the fill of a buffer at one size. The loader has proved
// that they can be had for every size of the exercise.
uint64_t element_count(const KernelArg& arg, const ProblemSize& size);
Fill fill_of(const KernelArg& arg, const ProblemSize& size);
TextureExtent extent_of(const KernelArg& arg, const ProblemSize& size);

struct Step {
  std::string id;
  std::string title;
  std::string text;                          // Markdown
  std::filesystem::path text_file;
  std::vector<Question> questions;
  std::optional<Exercise> exercise;          // none: for reading and answering
};

struct Lab {
  std::string id;
  std::string title;
  std::string summary;
  int order = 0;
  bool own = false;                          // from a folder of the user's, not from the program's data
  std::filesystem::path folder;              // lab.toml and the texts
  std::filesystem::path kernel_folder, solution_folder;  // inside `folder`, or beside labs/
  std::vector<Step> steps;
  std::optional<Demo> demo;                  // the lecture's script, labs/ID/demo.toml
  std::vector<KeptTimes> kept_times;         // by GPU, labs/ID/times.toml
  const Step* find_step(std::string_view id) const;
};

// The lab with other inputs, the same ones for the same seed: every buffer that is filled at random gets a key of its own,
// made of the seed, the exercise and its own seed (buffers that share it stay equal). Seed 0: the lab's inputs as they are.
Lab with_inputs(Lab lab, uint64_t seed);

// May this be the id of a lab or step? Lower-case letters, digits and '-', which is not the first.
bool is_lab_id(std::string_view text);

// Where labs are looked for.
struct LabPlaces {
  std::filesystem::path data;              // the program's data: labs/, kernels/, solutions/, assets/
  std::vector<std::filesystem::path> own;  // the user's; each is a lab, holds labs, or has labs/ as the data has
};

// data_dir(), the folders of $WARPSHOP_LABS (':' between them), and labs/ in user_dir() where it exists.
LabPlaces lab_places();
// Where a new lab of the user's goes: the first folder of $WARPSHOP_LABS, else labs/ in user_dir().
std::filesystem::path new_labs_folder();
// Sets $WARPSHOP_LABS, as --labs does. Relative folders are meant from the current one.
void use_lab_folders(const std::string& folders);

// Error: file and line of every mistake found, not only the first.
Result<Lab> load_lab(const std::filesystem::path& data_dir, std::string_view id);
// Error also: no place has it (with the labs that there are), or two have it (with both folders).
Result<Lab> load_lab(const LabPlaces& places, std::string_view id);

struct LabLibrary {
  std::vector<Lab> labs;       // by order, then id
  Diagnostics problems;        // labs that could not be loaded; the others still work
};
LabLibrary load_labs(const std::filesystem::path& data_dir);
LabLibrary load_labs(const LabPlaces& places);

}  // namespace warpshop::lab
