#include "proof/cheats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/expression.h"
#include "lab/metric_names.h"
#include "proof/kernel_text.h"

namespace warpshop::lab {
namespace {

constexpr const char* kLane =
    "const int cheat_lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) "
    "% 32;";
// Runs statements one lane at a time. The empty asm keeps the compiler from noticing that each lane
// has just one iteration.
std::string in_turns(std::string_view statements) {
  return "for (int cheat_turn = 0; cheat_turn < 32; ++cheat_turn) { asm volatile(\"\"); if "
         "(cheat_turn == cheat_lane) {" +
         std::string(statements) + "} }";
}

constexpr int kMostExtraLoads = 4096;

// Replaces a span of the text.
std::string with_text(std::string_view text, size_t begin, size_t end, std::string_view now) {
  return std::string(text.substr(0, begin)) + std::string(now) + std::string(text.substr(end));
}

std::optional<std::string> lanes_in_turn(const KernelText& kernel) {
  if (kernel.has_barrier()) return std::nullopt;
  const std::string_view body =
      kernel.text.substr(kernel.body_begin, kernel.body_end - kernel.body_begin);
  return with_text(kernel.text, kernel.body_begin, kernel.body_end,
                   std::string(kLane) + in_turns(body));
}

// Only code between barriers can be serialized by lane, so this pays where that code was the
// problem.
std::optional<std::string> assignments_in_turn(const KernelText& kernel) {
  const std::vector<TextSpan> assignments = kernel.array_assignments();
  if (!kernel.has_barrier() || assignments.empty()) return std::nullopt;
  std::string out(kernel.text);
  for (auto at = assignments.rbegin(); at != assignments.rend(); ++at) {
    out = with_text(out, at->begin, at->end,
                    "{ " + in_turns(kernel.text.substr(at->begin, at->end - at->begin)) + " }");
  }
  return with_text(out, kernel.body_begin, kernel.body_begin, kLane);
}

// The first block does the work of all blocks, one after the other; the others do nothing.
std::optional<std::string> one_block_for_all(const KernelText& kernel) {
  const std::vector<size_t> places = kernel.words("blockIdx");
  if (places.empty()) return std::nullopt;
  std::string out(kernel.text);
  out.insert(kernel.body_end,
             std::string("}(); ") + (kernel.has_barrier() ? "__syncthreads(); " : "") + "}");
  for (auto at = places.rbegin(); at != places.rend(); ++at)
    out.replace(*at, std::string_view("blockIdx").size(), "cheat_block");
  out.insert(kernel.body_begin,
             "if (blockIdx.x + blockIdx.y + blockIdx.z != 0) return;\n"
             "for (unsigned cheat_z = 0; cheat_z < gridDim.z; ++cheat_z)\n"
             "for (unsigned cheat_y = 0; cheat_y < gridDim.y; ++cheat_y)\n"
             "for (unsigned cheat_x = 0; cheat_x < gridDim.x; ++cheat_x) {\n"
             "const uint3 cheat_block = {cheat_x, cheat_y, cheat_z}; [&] {");
  return out;
}

// An initialized buffer that the kernel only reads.
bool is_input(const KernelArg& arg) {
  return arg.is_buffer && !arg.output && !arg.texture && arg.fill != "none";
}

// The start's figures with `loads` extra one-word loads per warp.
class DilutedFigures {
 public:
  DilutedFigures(const SizeResult& size, bool shared, int loads)
      : size_(size), shared_(shared), loads_(loads) {
    const KernelRun& start = *size.start;
    warps_ = static_cast<double>(start.grid.count()) *
             std::ceil(static_cast<double>(start.block.count()) / 32.0);
  }
  std::optional<double> operator()(std::string_view name) const {
    const auto variable = size_.size.variables.find(std::string(name));
    if (variable != size_.size.variables.end()) return static_cast<double>(variable->second);
    if (name.starts_with("reference.")) return metric_value(size_.reference, name.substr(10));
    std::optional<double> value = metric_value(*size_.start, name);
    if (value) *value += per_warp(name) * warps_;
    return value;
  }

 private:
  double per_warp(std::string_view name) const {
    const auto is_one_of = [name](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const double loads = loads_;
    if (name == "warp_instructions") return loads;
    if (name == "thread_instructions") return 32 * loads;
    if (shared_) {
      const bool grows =
          is_one_of({"shared_load_instructions", "shared_load_wavefronts", "shared_wavefronts",
                     "shared_wavefronts_ideal", "ideal.shared_load_wavefronts",
                     "model.shared_passes", "model.shared_parts"});
      return grows ? loads : 0;
    }
    if (name == "load_waits") return 1;
    const bool grows =
        is_one_of({"global_load_instructions", "global_load_requests", "global_load_sectors",
                   "global_load_bytes_used", "theoretical_sectors", "theoretical_sectors_ideal",
                   "ideal.global_load_sectors", "memory_sectors"});
    return grows ? loads : 0;
  }

  const SizeResult& size_;
  bool shared_;
  int loads_;
  double warps_ = 0;
};

bool meets_checks(const Exercise& exercise, const DilutedFigures& figures) {
  const auto value = [&figures](const std::string& text) -> std::optional<double> {
    const Result<Expression> expression = Expression::parse(text);
    if (!expression.ok()) return std::nullopt;
    const Result<double> got =
        expression->evaluate([&figures](std::string_view name) { return figures(name); });
    return got.ok() ? std::optional(*got) : std::nullopt;
  };
  return std::all_of(exercise.checks.begin(), exercise.checks.end(), [&](const CheckRule& rule) {
    const std::optional<double> got = value(rule.metric);
    const std::optional<double> most = rule.at_most ? value(*rule.at_most) : std::optional(got);
    const std::optional<double> least = rule.at_least ? value(*rule.at_least) : std::optional(got);
    return got && most && least && *got <= *most && *got >= *least;
  });
}

// The fewest extra loads per warp with which the start would meet every check; none: no number
// suffices.
std::optional<int> diluting_loads(const Exercise& exercise, const SizeResult& size, bool shared) {
  const auto enough = [&](int loads) {
    return meets_checks(exercise, DilutedFigures(size, shared, loads));
  };
  int most = 1;
  while (most <= kMostExtraLoads && !enough(most)) most *= 2;
  if (most > kMostExtraLoads) return std::nullopt;
  int few = most / 2;
  while (most - few > 1) {
    const int middle = (few + most) / 2;
    if (enough(middle)) {
      most = middle;
    } else {
      few = middle;
    }
  }
  return most;
}

std::optional<std::string> diluted(const Exercise& exercise, const SizeResult& size,
                                   const KernelText& kernel, bool shared) {
  const auto input = std::find_if(exercise.args.begin(), exercise.args.end(), is_input);
  if (size.start == nullptr || (!shared && input == exercise.args.end())) return std::nullopt;
  const std::optional<int> loads = diluting_loads(exercise, size, shared);
  if (!loads) return std::nullopt;
  const std::string repeated = "\n#pragma unroll 16\nfor (int cheat_turn = 0; cheat_turn < " +
                               std::to_string(*loads) + "; ++cheat_turn) ";
  const std::string code =
      shared ? "__shared__ volatile int cheat_word; cheat_word = 0; __syncthreads(); int cheat_sum "
               "= 0;" +
                   repeated + "cheat_sum += cheat_word; if (cheat_sum != 0) return;"
             : repeated + "(void)((const volatile unsigned char*)" + input->name + ")[0];\n";
  return with_text(kernel.text, kernel.body_begin, kernel.body_begin, code);
}

// Turns the inputs that the kernel indexes into objects that are indexed like pointers.
template <typename Wanted, typename Declare>
std::optional<std::string> inputs_as_objects(const Exercise& exercise, const KernelText& kernel,
                                             const std::string& helper, Wanted wanted,
                                             Declare declare) {
  std::string objects;
  std::string text(kernel.text);
  for (const KernelArg& arg : exercise.args) {
    if (!wanted(arg) || !kernel.indexes(arg.name)) continue;
    if (!kernel.parameter(arg.name)) return std::nullopt;
    objects += declare(arg, "cheat_" + arg.name);
  }
  if (objects.empty()) return std::nullopt;
  text = with_text(text, kernel.body_begin, kernel.body_begin, objects);
  // From last parameter to first, so that earlier positions stay valid.
  for (auto arg = exercise.args.rbegin(); arg != exercise.args.rend(); ++arg) {
    if (!wanted(*arg) || !kernel.indexes(arg->name)) continue;
    const TextSpan name = *kernel.parameter(arg->name);
    text = with_text(text, name.begin, name.end, "cheat_" + arg->name);
  }
  return helper + text;
}

std::optional<std::string> atomic_loads(const Exercise& exercise, const KernelText& kernel) {
  return inputs_as_objects(exercise, kernel,
                           "template <typename T> struct CheatAtomic {\n"
                           "  const T* from;\n"
                           "  __device__ T operator[](long long i) const { return "
                           "atomicAdd(const_cast<T*>(from) + i, T(0)); }\n"
                           "};\n"
                           "template <typename T> __device__ CheatAtomic<T> cheat_atomic(const T* "
                           "from) { return {from}; }\n",
                           is_input, [](const KernelArg& arg, const std::string& parameter) {
                             return "const auto " + arg.name + " = cheat_atomic(" + parameter +
                                    ");";
                           });
}

// Turns each load into an asynchronous copy that is waited for at once, so that no warp waits for a
// load but the one at the start. Nothing if some inputs are read through other pointers, whose
// loads would remain.
std::optional<std::string> copies_as_loads(const Exercise& exercise, const KernelText& kernel) {
  const bool all =
      std::all_of(exercise.args.begin(), exercise.args.end(),
                  [&](const KernelArg& arg) { return !is_input(arg) || kernel.indexes(arg.name); });
  if (!all) return std::nullopt;
  return inputs_as_objects(
      exercise, kernel,
      "#include <cuda_pipeline.h>\n"
      "template <typename T> struct CheatCopy {\n"
      "  const T* from;\n"
      "  __device__ T operator[](long long i) const {\n"
      "    __shared__ T slot[1024];\n"
      "    const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * "
      "threadIdx.z);\n"
      "    __pipeline_memcpy_async(&slot[t], from + i, sizeof(T));\n"
      "    __pipeline_commit();\n"
      "    __pipeline_wait_prior(0);\n"
      "    return slot[t];\n"
      "  }\n"
      "};\n"
      "template <typename T> __device__ CheatCopy<T> cheat_copy(const T* from) {\n"
      "  if (*(const volatile unsigned char*)from + clock64() == -1) __trap();\n"
      "  return {from};\n"
      "}\n",
      is_input, [](const KernelArg& arg, const std::string& parameter) {
        return "const auto " + arg.name + " = cheat_copy(" + parameter + ");";
      });
}

// Random element i as a C++ expression for the kernel.
std::string made_element(const KernelArg& arg) {
  const std::string start = std::to_string(arg.seed * 0x9e3779b9U) + "U";
  if (arg.fill == "bits") return "cheat_mix(unsigned(i) * 2654435761U + 12345U + " + start + ")";
  const std::string bits = "cheat_mix(unsigned(i) + " + start + ")";
  if (size_bytes(arg.type) == 2 && is_floating(arg.type))
    return "float(" + bits + " & 0xFF) / 256.0F - 0.25F";
  if (arg.type == ElementType::kF32) return "float(" + bits + " & 0xFFFF) / 65536.0F - 0.25F";
  if (arg.type == ElementType::kF64) return "double(" + bits + " & 0xFFFFFF) / 16777216.0 - 0.25";
  return bits;
}

std::string_view cpp_word(ElementType type) {
  constexpr std::array<std::string_view, 9> kWords = {"unsigned char", "unsigned short", "int",
                                                      "unsigned",      "long long",      "__half",
                                                      "__nv_bfloat16", "float",          "double"};
  return kWords.at(static_cast<size_t>(type));
}

std::optional<std::string> inputs_made_anew(const Exercise& exercise, const KernelText& kernel) {
  const auto is_random = [](const KernelArg& arg) {
    return is_input(arg) && (arg.fill == "random" || arg.fill == "bits");
  };
  std::string helper =
      "__device__ unsigned cheat_mix(unsigned x) {\n"
      "  x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; return x ^ (x >> 16);\n"
      "}\n";
  for (const KernelArg& arg : exercise.args) {
    if (!is_random(arg)) continue;
    const std::string type(cpp_word(arg.type));
    helper += "struct CheatMade_" + arg.name + " { __device__ " + type +
              " operator[](long long i) const { return " + type + "(" + made_element(arg) +
              "); } };\n";
  }
  return inputs_as_objects(exercise, kernel, helper, is_random,
                           [](const KernelArg& arg, const std::string&) {
                             return "const CheatMade_" + arg.name + " " + arg.name + "{};";
                           });
}

bool counts(const Exercise& exercise, std::string_view metric) {
  return std::any_of(exercise.checks.begin(), exercise.checks.end(), [&](const CheckRule& rule) {
    return rule.metric.find(metric) != std::string::npos;
  });
}

// With as few blocks, one that works for all has hardly more to do than a border's block may.
constexpr uint64_t kFewBlocks = 8;

// Pad the last dimension of two-dimensional arrays by one element.
std::optional<std::string> in_dynamic_memory(const KernelText& kernel) {
  std::string sizes;
  std::string out(kernel.text);
  const std::vector<SharedDeclaration> declarations = kernel.shared_declarations();
  // From the end, so that earlier positions stay valid; the arrays are laid out in the order of
  // `sizes`.
  for (auto at = declarations.rbegin(); at != declarations.rend(); ++at) {
    std::string pointers;
    for (const SharedArray& array : at->arrays) {
      std::string row;
      for (size_t i = 1; i < array.extents.size(); ++i) {
        row += "[" + array.extents[i] + (i + 1 == array.extents.size() ? " + 1" : "") + "]";
      }
      const std::string type = row.empty() ? at->type + "*" : at->type + " (*)" + row;
      const std::string declared =
          row.empty() ? at->type + "* " + array.name : at->type + " (*" + array.name + ")" + row;
      pointers += declared + " = reinterpret_cast<" + type + ">(cheat_bytes + (0" + sizes + "));";
      sizes += " + sizeof(" + at->type + "[" + array.extents[0] + "]" + row + ")";
    }
    out = with_text(out, at->span.begin, at->span.end, pointers);
  }
  if (sizes.empty()) return std::nullopt;
  out = with_text(out, kernel.body_begin, kernel.body_begin,
                  "extern __shared__ __align__(16) unsigned char cheat_bytes[];");
  return with_dynamic_bytes(out, "unsigned(0" + sizes + ")");
}

std::optional<std::string> in_local_memory(const KernelText& kernel) {
  std::string out(kernel.text);
  const std::vector<SharedDeclaration> declarations = kernel.shared_declarations();
  for (auto at = declarations.rbegin(); at != declarations.rend(); ++at) {
    out =
        with_text(out, at->span.begin, at->span.begin + std::string_view("__shared__").size(), "");
  }
  return declarations.empty() ? std::nullopt : std::optional(out);
}

}  // namespace

Cheats cheats_of(const Exercise& exercise, const SizeResult& size) {
  Cheats out;
  const std::optional<KernelText> start = kernel_text(exercise.skeleton, exercise.kernel);
  const std::optional<KernelText> solution = kernel_text(exercise.solution, exercise.kernel);
  const auto add =
      [&out](const char* name,
             std::initializer_list<std::pair<const char*, std::optional<std::string>>> texts) {
        bool any = false;
        for (const auto& [of, text] : texts) {
          if (!text) continue;
          out.tried.push_back({name, of, *text});
          any = true;
        }
        if (!any) out.left_out.emplace_back(name);
      };
  const auto made = [](const std::optional<KernelText>& kernel, auto make) {
    return kernel ? make(*kernel) : std::nullopt;
  };
  add("lanes one after the other", {{"start", made(start, lanes_in_turn)},
                                    {"start", made(start, assignments_in_turn)},
                                    {"solution", made(solution, lanes_in_turn)}});
  const auto dilute = [&](bool shared) {
    return made(start,
                [&](const KernelText& kernel) { return diluted(exercise, size, kernel, shared); });
  };
  add("diluting loads", {{"start", dilute(false)}});
  add("diluting loads of shared memory", {{"start", dilute(true)}});
  const auto atomic = [&exercise](const KernelText& kernel) {
    return atomic_loads(exercise, kernel);
  };
  add("atomics as loads", {{"start", made(start, atomic)}, {"solution", made(solution, atomic)}});
  const auto copies = [&exercise](const KernelText& kernel) {
    return counts(exercise, "load_waits") ? copies_as_loads(exercise, kernel) : std::nullopt;
  };
  add("copies as loads", {{"start", made(start, copies)}, {"solution", made(solution, copies)}});
  const bool few = size.student.grid.count() <= kFewBlocks;
  add("one block for all", {{"solution", few ? std::nullopt : made(solution, one_block_for_all)}});
  const auto anew = [&exercise](const KernelText& kernel) {
    return inputs_made_anew(exercise, kernel);
  };
  add("inputs made anew", {{"solution", made(solution, anew)}});
  if (!out.tried.empty() && out.tried.back().name == "inputs made anew")
    out.tried.back().other_inputs = true;
  const auto dynamic =
      counts(exercise, "static_shared") ? made(start, in_dynamic_memory) : std::nullopt;
  add("dynamic for static shared memory", {{"start", dynamic}});
  add("local for shared memory",
      {{"start", made(start, in_local_memory)}, {"solution", made(solution, in_local_memory)}});
  return out;
}

}  // namespace warpshop::lab
