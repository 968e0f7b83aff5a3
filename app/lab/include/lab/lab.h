// Lab modules as loaded from labs/ID/lab.toml. Plain data; docs/writing-a-lab.md describes the file
// format.
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
#include "core/stop.h"
#include "lab/demo.h"
#include "lab/recorded_times.h"
#include "lab/tensor_arg.h"
#include "lab/texture_arg.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

using warpshop::Fill;  // core/fill.h

// A number to be typed as an answer.
struct NumberAnswer {
  double value = 0;
  double tolerance = 0;  // largest absolute error that still counts as right
  std::string unit;      // shown after the field; may be empty
  std::string unit_one;  // shown after a 1; empty: `unit`
  bool accepts(double typed) const;
  const std::string& unit_of(double number) const;
};

// Asked before the run; the student compares the answer afterwards. Either of a choice or of a
// number.
struct Question {
  std::string ask;
  std::vector<std::string> choices;    // in the file's order; empty: a number
  std::vector<int> order;              // in which the choices are shown: indices into them
  int answer = 0;                      // index into choices
  std::optional<NumberAnswer> number;  // none: a choice
  std::string explanation;             // shown after the answer
  int line = 0;                        // in lab.toml
};

// A question whose answer is taken home: it opens once the step is passed.
struct FurtherQuestion {
  std::string ask;     // Markdown
  std::string answer;  // Markdown
};

// What students say about their kernel's time before they run it, for Times to score.
struct Estimate {
  enum class Of {
    kTime,     // of the student's kernel, µs
    kSpeedup,  // start's time / the student's kernel's time
  };
  std::string ask;
  Of of = Of::kSpeedup;
};

// What an exercise with an empty body promises: shown above its task.
struct Contract {
  std::string text;                 // one sentence: what the kernel computes
  int lines = 0;                    // of the worked solution's body, about
  std::vector<std::string> budget;  // "2 loads and 1 store per thread"
};

using warpshop::ElementType;  // core/element_type.h
using warpshop::name_of;
using warpshop::size_bytes;

// An argument of the kernel, in the order of its parameters.
struct KernelArg {
  std::string name;
  bool is_buffer = false;
  ElementType type = ElementType::kF32;
  // For buffers passed as a texture or surface object; the extents are expressions, in texels.
  std::optional<TextureArg> texture;
  std::string width;
  std::string height;  // empty: one-dimensional
  // For buffers passed as a tensor map; `type` is that of their elements.
  std::optional<TensorArg> tensor;
  // Buffers: element count, an expression over the size's variables, e.g. "n * n".
  std::string count;
  std::string
      fill;  // buffers: zero, none, iota, random, bits, chase=S, each=EXPR, file=NAME; see fills.h
  uint32_t seed = 0;       // buffers: for random and bits; default: the number of preceding buffers
  uint64_t key = 0;        // buffers: for random and bits; see with_inputs
  std::string file_bytes;  // buffers: the contents of file=NAME
  bool output = false;     // buffers: compared with the reference's after the run
  std::string value;       // scalars: an expression over the size's variables
};

// One problem size: its variables, e.g. {n: 1024}. The panels show the first size.
struct ProblemSize {
  std::string label;  // "1024 × 1024"; never empty
  std::map<std::string, int64_t> variables;
};

// A structural check by machine. Correctness at all sizes and absence of findings are always
// checked.
struct CheckRule {
  std::string id;      // "coalesced-loads"
  std::string title;   // "Load sectors per request at most 4"
  std::string metric;  // an expression over counters and figures, e.g. "global_load_sectors /
                       // global_load_requests"
  // Expressions over the same names, including "reference.X" and "ideal.X".
  std::optional<std::string> at_most;
  std::optional<std::string> at_least;
  std::string unit;        // shown after the number, "sectors per request"; may be empty
  std::string unit_one;    // shown after a 1, "sector per request"; empty: `unit`
  bool all_sizes = false;  // must pass at every size, not just the first
  std::string message;     // shown to the student when the check fails
};

// Bounds on the cost of the whole kernel, besides what the checks count: factors relative to the
// costlier of start and worked solution at the first size. docs/writing-a-lab.md, "The whole
// kernel".
struct WholeKernelFactors {
  double instructions = 2;  // for thread_instructions and for warp_instructions
  double memory_sectors = 2;
  double shared_memory = 2;  // 16 KiB per block are always allowed
  double ratios = 1.5;       // for work that dilutes a check's ratio
};

// A plausible mistake and the check that must catch it. Used to prove the lab; never shown to
// students.
struct WrongKernel {
  std::filesystem::path file;
  std::string source;
  std::string fails;  // a check's id, "correct", "no-findings" or "whole-kernel"
};

struct Exercise {
  std::string kernel;  // __global__ function that the student's file must define; in a whole
                       // program also one in a namespace or an instance: "detail::scale<16>"
  std::string launch;  // call of the file's launch function: "launch(n)"
  bool whole_program =
      false;  // the files may hold host code, which is left out: compile/device_source.h
  bool cooperative = false;              // all blocks resident at once, for grid.sync()
  bool warnings_fail = false;            // a warning fails "no-findings", as an error does
  std::filesystem::path solution_file;   // marked worked solution; if there is none, the reference
  std::filesystem::path reference_file;  // reference kernel
  std::string solution;   // text with marks removed; if there is none, the skeleton's
  std::string skeleton;   // generated from the marked solution
  std::string reference;  // text
  std::vector<KernelArg> args;
  std::vector<ProblemSize> sizes;
  // The size at which times are predicted and measured, large enough to make launch overhead small.
  // The emulator does not check results there. None: times are taken at `sizes`.
  std::optional<ProblemSize> timed;
  std::string output_width;  // expression: columns of the output's map; empty: 1-D
  std::string useful_bytes;  // expression: bytes a perfect kernel moves (for bandwidth)
  double tolerance = 0;      // relative; 0: bit-exact
  std::optional<models::GpuProfile> model_gpu;  // the GPU whose rules the `model.` figures follow
  std::vector<CheckRule> checks;
  WholeKernelFactors whole_kernel;
  std::optional<Estimate> estimate;
  std::optional<Contract> contract;
  std::string wrong_result;        // a question for students whose result is wrong; may be empty
  std::vector<std::string> hints;  // shown one at a time
  std::string solution_note;       // Markdown: why each changed line changed
  std::vector<WrongKernel> wrong;
  bool has_solution() const { return solution != skeleton; }
};

// `sizes`, then `timed` if there is one.
std::vector<const ProblemSize*> all_sizes(const Exercise& exercise);

// The arguments' element counts, scalar values and initial contents at one size. The loader has
// checked that they can be evaluated at every size of the exercise.
uint64_t element_count(const KernelArg& arg, const ProblemSize& size);
struct Content {
  Fill fill;
  std::string bytes;  // for FillKind::kFile
};
// Error: an element of each=EXPR that its type cannot hold; "stopped".
Result<Content> content_of(const KernelArg& arg, const ProblemSize& size,
                           const StopFlag* stop = nullptr);
bool has_content(const KernelArg& arg);  // the kernel may read it
TextureExtent extent_of(const KernelArg& arg, const ProblemSize& size);

struct Step {
  std::string id;
  std::string title;
  std::string able;  // "count sectors": what students can do afterwards; may be empty
  std::string text;  // Markdown; lab/step_text.h tells what of it is shown when
  std::filesystem::path text_file;
  std::vector<Question> questions;
  std::vector<FurtherQuestion> further;
  std::vector<std::string> learned;  // two lines, shown once the step is passed; may be empty
  std::optional<Exercise> exercise;  // none: a step for reading and answering
};

inline constexpr const char* kInstructorFile = "INSTRUCTOR.md";

struct Lab {
  std::string id;
  std::string title;
  std::string summary;
  int order = 0;
  bool own = false;              // from one of the user's folders, not the program's data
  std::filesystem::path folder;  // lab.toml and the texts
  std::filesystem::path kernel_folder, solution_folder;  // inside `folder`, or beside labs/
  std::vector<Step> steps;
  std::string instructor;                     // Markdown of labs/ID/INSTRUCTOR.md; may be empty
  std::optional<Demo> demo;                   // the lecture's script, labs/ID/demo.toml
  std::vector<RecordedTimes> recorded_times;  // by GPU, labs/ID/times.toml
  const Step* find_step(std::string_view id) const;
};

// A time recorded in the lab, and the GPU it was measured on.
struct Recorded {
  const RecordedTimes* on = nullptr;
  const RecordedTime* time = nullptr;  // null: none
};
// The recording of the text with this id (text_id) at this size on the GPU with this profile's id.
Recorded find_recorded(const Lab& lab, std::string_view gpu, std::string_view step,
                       std::string_view text, const std::map<std::string, int64_t>& size);

// The lab with different inputs, reproducible from the seed: every randomly filled buffer gets a
// key derived from the seed, the exercise and its own seed (buffers that share one stay equal).
// Seed 0: the lab's own inputs.
Lab with_inputs(Lab lab, uint64_t seed);

// Whether this is a valid id of a lab or step: lower-case letters, digits and '-', not starting
// with '-'.
bool is_lab_id(std::string_view text);

// Where to look for labs.
struct LabPlaces {
  std::filesystem::path data;  // the program's data: labs/, kernels/, solutions/, assets/
  // The user's; each is a lab, contains labs, or has labs/ like the data.
  std::vector<std::filesystem::path> own;
};

// data_dir(), the folders in $WARPSHOP_LABS (separated by ':'), and labs/ in user_dir() if it
// exists.
LabPlaces lab_places();
// Where a new lab of the user's goes: the first folder in $WARPSHOP_LABS, else labs/ in user_dir().
std::filesystem::path new_labs_folder();
// Sets $WARPSHOP_LABS, for --labs. Relative folders are resolved against the current one.
void use_lab_folders(const std::string& folders);

// Error: file and line of every mistake found, not just the first.
Result<Lab> load_lab(const std::filesystem::path& data_dir, std::string_view id);
// Also an error: no place has the lab (lists the labs that exist), or two do (names both folders).
Result<Lab> load_lab(const LabPlaces& places, std::string_view id);

struct LabLibrary {
  std::vector<Lab> labs;  // by order, then id
  Diagnostics problems;   // why labs could not be loaded; the others still work
};
LabLibrary load_labs(const std::filesystem::path& data_dir);
LabLibrary load_labs(const LabPlaces& places);

}  // namespace warpshop::lab
