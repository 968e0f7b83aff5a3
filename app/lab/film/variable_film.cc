#include "film/variable_film.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "core/dim3.h"
#include "film/film_alignment.h"
#include "ptx/operand_registers.h"

namespace warpshop::lab {
namespace {

using emulator::kWarpSize;
using emulator::ReplayRegister;
using emulator::ReplayState;
using emulator::ReplayStep;

constexpr uint64_t kMostElements = 64;  // array elements shown

// A step's exchange with other lanes of the warp; the same in every build.
uint32_t joint_number(const ptx::Instruction& i) {
  static constexpr std::string_view kJoint[] = {"bar",   "barrier", "shfl",      "vote",
                                                "match", "redux",   "activemask"};
  const auto found = std::find(std::begin(kJoint), std::end(kJoint), i.opcode);
  if (found == std::end(kJoint)) return 0;
  const bool of_warp = !i.modifiers.empty() && i.modifiers.front() == "warp";
  return static_cast<uint32_t>(found - std::begin(kJoint)) * 2 + (of_warp ? 2 : 1);
}

AlignedFilm aligned(const emulator::Replay& replay, const std::string& file_name) {
  AlignedFilm out{.steps = &replay.steps(), .trace = &replay.trace(), .lines = {}, .joint = {}};
  const ptx::Module& module = replay.program().module();
  for (const ptx::Function& function : module.functions) {
    std::vector<int>& lines = out.lines.emplace_back();
    std::vector<uint32_t>& joint = out.joint.emplace_back();
    for (const ptx::Instruction& i : function.body) {
      lines.push_back(line_in_file(module, i.source, file_name));
      joint.push_back(joint_number(i));
    }
  }
  return out;
}

// Per instruction, the step in which each lane first executed it.
class FirstRuns {
 public:
  explicit FirstRuns(const emulator::Replay& replay) {
    const std::vector<ReplayStep>& steps = replay.steps();
    for (size_t n = 0; n < steps.size(); ++n) {
      Runs& runs = by_place_[key(steps[n].function, steps[n].instruction)];
      for (uint32_t fresh = steps[n].mask & ~runs.lanes; fresh != 0; fresh &= fresh - 1) {
        runs.first[static_cast<size_t>(std::countr_zero(fresh))] = n;
      }
      runs.lanes |= steps[n].mask;
    }
  }
  bool ran(int function, int instruction, size_t lane, uint64_t until) const {
    const auto found = by_place_.find(key(function, instruction));
    return found != by_place_.end() && (found->second.lanes >> lane & 1) &&
           found->second.first[lane] <= until;
  }

 private:
  struct Runs {
    uint32_t lanes = 0;
    std::array<uint64_t, kWarpSize> first{};
  };
  static uint64_t key(int function, int instruction) {
    return static_cast<uint64_t>(function) << 32 | static_cast<uint32_t>(instruction);
  }
  std::unordered_map<uint64_t, Runs> by_place_;
};

bool is_float(ptx::Type type) { return type == ptx::Type::kF32 || type == ptx::Type::kF64; }

uint64_t as_scalar(ptx::Type type, uint64_t bytes, uint64_t bits) {
  if (bytes < 8) bits &= (uint64_t{1} << (8 * bytes)) - 1;
  if (type == ptx::Type::kS8)
    bits = static_cast<uint16_t>(static_cast<int16_t>(static_cast<int8_t>(bits)));
  return bits;
}

// A state of the debug build's film, for the lanes at that point.
struct DebugMoment {
  uint32_t lanes = 0;
  uint64_t step = 0;  // completed steps
  int function = 0;
  int next = 0;   // next instruction
  int scope = 0;  // instruction whose scopes apply
  ReplayState state;
};

class TwoFilms final : public VariableFilm {
 public:
  TwoFilms(const FilmScript& script, const emulator::Replay& replay,
           std::shared_ptr<const DebugBuild> build, emulator::Replay debug,
           const emulator::LaunchConfig& launch, const StopFlag* stop)
      : script_(script),
        film_module_(replay.program().module()),
        build_(std::move(build)),
        debug_(std::move(debug)),
        launch_(launch),
        debug_film_(aligned(debug_, build_->kernel.file->file_name)),
        alignment_(aligned(replay, build_->kernel.file->file_name), debug_film_, debug_.truncated(),
                   stop),
        first_runs_(debug_) {}

  VariableState at(const ReplayState& state) override {
    VariableState out;
    out.step = state.step;
    out.shared = build_->shapes;
    const std::vector<FilmAlignment::Place> places = alignment_.at(state.step);
    const FilmAlignment::Place* shown = nullptr;
    for (const FilmAlignment::Place& place : places) {
      if (!shown && (place.lanes & (state.what.mask != 0 ? state.what.mask : ~0u))) shown = &place;
    }
    if (shown) out.position = shown->position;
    for (const FilmAlignment::Place& place : places)
      out.lanes_differ |= shown && place.step != shown->step;
    const std::vector<DebugMoment> moments = moments_of(places);
    const int function =
        shown && shown->step ? function_of(moments, shown->lanes) : main_function();
    if (const ptx::DebugFunction* described = build_->info.of(function)) {
      out.function = described->name;
      for (const ptx::DebugVariable& variable : described->variables)
        add(variable, function, moments, state, out);
    }
    add_launch_values(out);
    return out;
  }

 private:
  int main_function() const {
    const ptx::Module& module = debug_.program().module();
    const auto found =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const ptx::Function& f) { return f.name == debug_.program().kernel(); });
    return static_cast<int>(found - module.functions.begin());
  }

  static int function_of(const std::vector<DebugMoment>& moments, uint32_t lanes) {
    for (const DebugMoment& m : moments) {
      if (m.lanes & lanes) return m.function;
    }
    return -1;
  }

  bool of_student(int function) const {
    const std::vector<int>& lines = debug_film_.lines[static_cast<size_t>(function)];
    return std::any_of(lines.begin(), lines.end(), [](int line) { return line > 0; });
  }

  std::vector<DebugMoment> moments_of(const std::vector<FilmAlignment::Place>& places) {
    std::vector<DebugMoment> out;
    for (const FilmAlignment::Place& place : places) {
      const bool known = place.position.kind != DebugPosition::Kind::kUnknown;
      if (!place.step || !known) continue;
      DebugMoment moment =
          moment_of(*place.step, place.lanes, place.position.kind == DebugPosition::Kind::kAfter);
      const auto same = std::find_if(out.begin(), out.end(), [&](const DebugMoment& m) {
        return m.step == moment.step && m.next == moment.next && m.scope == moment.scope &&
               m.function == moment.function;
      });
      if (same != out.end()) {
        same->lanes |= place.lanes;
      } else {
        out.push_back(std::move(moment));
      }
    }
    for (DebugMoment& moment : out) moment.state = debug_.at(moment.step);
    return out;
  }

  // The moment just after `step`; `inside`: still within its line, whose variables remain in scope
  // even if nothing of it follows. Inside a function that is not the student's, or just at its end:
  // once the lanes are back in the student's text.
  DebugMoment moment_of(uint64_t step, uint32_t lanes, bool inside) const {
    const std::vector<ReplayStep>& steps = debug_.steps();
    const int lane = std::countr_zero(lanes);
    const auto next_of = [&](uint64_t n) {
      for (++n; n < steps.size() && !(steps[n].mask >> lane & 1);) ++n;
      return n;
    };
    DebugMoment out;
    out.lanes = lanes;
    uint64_t at = step, next = next_of(at);
    const auto left = [&] {
      const ReplayStep& s = steps[at];
      return next < steps.size() && steps[next].function != s.function && opcode(s) != "call";
    };
    bool came_back = false;
    while (next < steps.size() && (!of_student(steps[at].function) || left())) {
      came_back = left();
      at = next;
      next = next_of(at);
      if (came_back && of_student(steps[at].function)) break;
    }
    out.step = at;
    out.function = steps[at].function;
    const bool goes_on =
        !came_back && next < steps.size() && steps[next].function == steps[at].function;
    out.next = came_back ? steps[at].instruction
               : goes_on ? steps[next].instruction
                         : steps[at].instruction + 1;
    out.scope = inside && at == step ? steps[at].instruction : out.next;
    return out;
  }

  const std::string& opcode(const ReplayStep& s) const {
    return debug_.program()
        .module()
        .functions[s.function]
        .body[static_cast<size_t>(s.instruction)]
        .opcode;
  }

  // ---- values

  void add(const ptx::DebugVariable& variable, int function,
           const std::vector<DebugMoment>& moments, const ReplayState& state,
           VariableState& out) const {
    // Out of scope in every lane: omit it, as any debugger would.
    const bool in_scope = std::any_of(moments.begin(), moments.end(), [&](const DebugMoment& m) {
      return m.function == function && m.scope >= variable.first && m.scope < variable.last;
    });
    if (!in_scope || variable.type < 0) return;
    add_part(variable, variable.name, variable.type, 0, function, moments, state, out);
  }

  void add_part(const ptx::DebugVariable& variable, const std::string& name, int type_index,
                uint64_t offset, int function, const std::vector<DebugMoment>& moments,
                const ReplayState& state, VariableState& out) const {
    if (type_index < 0) return;
    const ptx::DebugType& type = build_->info.types[static_cast<size_t>(type_index)];
    if (type.kind == ptx::DebugType::Kind::kStruct) {
      for (const ptx::DebugType::Member& m : type.members) {
        add_part(variable, name + "." + m.name, m.type, offset + m.offset_bytes, function, moments,
                 state, out);
      }
      return;
    }
    if (type.kind == ptx::DebugType::Kind::kArray) {
      add_elements(variable, name, type, 0, offset, function, moments, state, out);
      return;
    }
    NamedValue value;
    value.name = name;
    value.type = type.name;
    value.scalar = type.scalar;
    value.is_bool = type.is_bool;
    value.is_pointer = type.kind == ptx::DebugType::Kind::kPointer;
    value.is_parameter = variable.is_parameter;
    value.line = variable.line;
    bool placed = !variable.places.empty();
    for (const DebugMoment& m : moments) {
      if (m.function == function && m.scope >= variable.first && m.scope < variable.last)
        read(variable, type, offset, m, value, placed);
    }
    if (value.lanes != 0)
      value.held_in = holder_of(value, assigned_lines(variable, function), state);
    if (value.lanes == 0)
      value.absent = placed ? NamedValue::Absent::kNotAssigned : NamedValue::Absent::kNoPlace;
    out.values.push_back(std::move(value));
  }

  void add_elements(const ptx::DebugVariable& variable, const std::string& name,
                    const ptx::DebugType& array, size_t dimension, uint64_t offset, int function,
                    const std::vector<DebugMoment>& moments, const ReplayState& state,
                    VariableState& out) const {
    if (dimension == array.counts.size())
      return add_part(variable, name, array.element, offset, function, moments, state, out);
    if (array.element < 0) return;
    uint64_t pitch = build_->info.types[static_cast<size_t>(array.element)].size_bytes;
    for (size_t d = dimension + 1; d < array.counts.size(); ++d) pitch *= array.counts[d];
    for (uint64_t n = 0; n < std::min(array.counts[dimension], kMostElements); ++n) {
      if (out.values.size() > 4 * kMostElements) return;
      add_elements(variable, name + "[" + std::to_string(n) + "]", array, dimension + 1,
                   offset + n * pitch, function, moments, state, out);
    }
  }

  // Reads the lanes of one moment. Clears `placed` if the value's location cannot be shown.
  void read(const ptx::DebugVariable& variable, const ptx::DebugType& type, uint64_t offset,
            const DebugMoment& m, NamedValue& value, bool& placed) const {
    const int at = m.next < variable.last ? m.next : m.scope;
    for (const ptx::DebugPlace& place : variable.places) {
      if (at < place.first || at >= place.last) continue;
      if (place.kind == ptx::DebugPlace::Kind::kRegister && offset == 0)
        read_register(place.register_index, type, m, value);
      if (place.kind == ptx::DebugPlace::Kind::kLocal) read_local(place, type, offset, m, value);
      if (place.kind == ptx::DebugPlace::Kind::kOther) placed = false;
    }
  }

  void read_register(int index, const ptx::DebugType& type, const DebugMoment& m,
                     NamedValue& value) const {
    const ptx::Function& function =
        debug_.program().module().functions[static_cast<size_t>(m.function)];
    const std::string& name = function.registers[static_cast<size_t>(index)].name;
    const auto reg = std::find_if(m.state.registers.begin(), m.state.registers.end(),
                                  [&](const ReplayRegister& r) { return r.name == name; });
    if (reg == m.state.registers.end()) return;
    const std::vector<int>& writers = writers_of(m.function, static_cast<size_t>(index));
    for (uint32_t rest = m.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(rest));
      const bool assigned = std::any_of(writers.begin(), writers.end(), [&](int instruction) {
        return first_runs_.ran(m.function, instruction, lane, m.step);
      });
      if (!assigned) continue;
      value.lanes |= 1u << lane;
      value.bits[lane] = as_scalar(type.scalar, type.size_bytes, reg->bits[lane]);
    }
  }

  void read_local(const ptx::DebugPlace& place, const ptx::DebugType& type, uint64_t offset,
                  const DebugMoment& m, NamedValue& value) const {
    const ptx::Function& function =
        debug_.program().module().functions[static_cast<size_t>(m.function)];
    uint64_t at = 0;
    for (const ptx::Variable& v : function.variables) {
      if (v.space != ptx::Space::kLocal) continue;
      const uint64_t unit = std::max<uint64_t>(1, v.align_bytes);
      at = (at + unit - 1) / unit * unit;
      if (v.name == place.variable) break;
      at += v.size_bytes;
    }
    at += place.offset_bytes + offset;
    if (type.size_bytes > 8 || at + type.size_bytes > m.state.local_bytes) return;
    for (uint32_t rest = m.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(rest));
      const size_t from = lane * m.state.local_bytes + at;
      const auto written = m.state.local_written.begin() + static_cast<ptrdiff_t>(from);
      if (std::find(written, written + static_cast<ptrdiff_t>(type.size_bytes), 0) !=
          written + static_cast<ptrdiff_t>(type.size_bytes))
        continue;
      uint64_t bits = 0;
      std::memcpy(&bits, m.state.local.data() + from, type.size_bytes);
      value.lanes |= 1u << lane;
      value.bits[lane] = as_scalar(type.scalar, type.size_bytes, bits);
    }
  }

  // The instructions that write a register.
  const std::vector<int>& writers_of(int function, size_t index) const {
    std::vector<std::vector<int>>& all = writers_[function];
    if (all.empty()) {
      const ptx::Function& f = debug_.program().module().functions[static_cast<size_t>(function)];
      all.resize(f.registers.size());
      for (size_t n = 0; n < f.body.size(); ++n) {
        for (const size_t r : ptx::written_registers(f.body[n]))
          all[r].push_back(static_cast<int>(n));
      }
    }
    return all[index];
  }

  // The lines of the instructions that write a variable.
  std::set<int> assigned_lines(const ptx::DebugVariable& variable, int function) const {
    std::set<int> out;
    for (const ptx::DebugPlace& place : variable.places) {
      if (place.kind != ptx::DebugPlace::Kind::kRegister) continue;
      for (const int instruction :
           writers_of(function, static_cast<size_t>(place.register_index))) {
        out.insert(
            debug_film_.lines[static_cast<size_t>(function)][static_cast<size_t>(instruction)]);
      }
    }
    return out;
  }

  // A register of the optimised kernel that has these values in all lanes and is written on a line
  // that writes the variable. If no register is written there, the compiler has attributed the
  // value to another line: accept any register with these values, unless all lanes agree, since
  // zeros are in many registers.
  std::string holder_of(const NamedValue& value, const std::set<int>& lines,
                        const ReplayState& state) const {
    const int bytes = ptx::size_bytes(value.scalar);
    const auto lane_0 = static_cast<size_t>(std::countr_zero(value.lanes));
    bool uniform = true;
    for (size_t lane = 0; lane < kWarpSize; ++lane)
      uniform = uniform && (!(value.lanes >> lane & 1) || value.bits[lane] == value.bits[lane_0]);
    std::string other;
    bool written_there = false;
    for (const ReplayRegister& r : state.registers) {
      const bool there = writes_on(state.what.function, r.name, lines);
      written_there = written_there || there;
      const bool fits = value.is_bool ? r.type == ptx::Type::kPred
                                      : ptx::size_bytes(r.type) == bytes && bytes > 1;
      if (!r.written || !fits || (is_float(r.type) && !is_float(value.scalar))) continue;
      bool same = true;
      for (uint32_t rest = value.lanes; rest != 0 && same; rest &= rest - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(rest));
        same = r.bits[lane] == value.bits[lane];
      }
      if (!same) continue;
      if (there) return r.name;
      if (!uniform && other.empty()) other = r.name;
    }
    return written_there ? "" : other;
  }

  // Whether the optimised kernel writes the register on one of the lines.
  bool writes_on(int function, const std::string& name, const std::set<int>& lines) const {
    const ptx::Function& f = film_module_.functions[static_cast<size_t>(function)];
    std::map<std::string, std::set<int>>& written = optimised_lines_[function];
    if (written.empty()) {
      for (size_t n = 0; n < f.body.size(); ++n) {
        for (const size_t r : ptx::written_registers(f.body[n])) {
          written[f.registers[r].name].insert(script_.of(function, static_cast<int>(n)).line);
        }
      }
    }
    const std::set<int>& its = written[name];
    return std::any_of(lines.begin(), lines.end(),
                       [&](int line) { return line > 0 && its.contains(line); });
  }

  void add_launch_values(VariableState& out) const {
    const Dim3 &block = launch_.block, &grid = launch_.grid;
    const auto lanes =
        static_cast<uint32_t>(std::min<uint64_t>(32, block.count() - uint64_t{32} * script_.warp));
    const auto add = [&](const char* name, auto value_of_lane) {
      NamedValue value;
      value.name = name;
      value.type = "unsigned int";
      value.scalar = ptx::Type::kU32;
      value.is_launch = true;
      value.lanes = lanes >= 32 ? ~0u : (1u << lanes) - 1;
      for (uint32_t lane = 0; lane < lanes; ++lane)
        value.bits[lane] = value_of_lane(uint64_t{32} * script_.warp + lane);
      out.values.push_back(std::move(value));
    };
    const Dim3 at = index_in(grid, script_.block);
    add("threadIdx.x", [&](uint64_t t) { return uint64_t{index_in(block, t).x}; });
    if (block.y > 1) add("threadIdx.y", [&](uint64_t t) { return uint64_t{index_in(block, t).y}; });
    if (block.z > 1) add("threadIdx.z", [&](uint64_t t) { return uint64_t{index_in(block, t).z}; });
    add("blockIdx.x", [&](uint64_t) { return uint64_t{at.x}; });
    if (grid.y > 1) add("blockIdx.y", [&](uint64_t) { return uint64_t{at.y}; });
    if (grid.z > 1) add("blockIdx.z", [&](uint64_t) { return uint64_t{at.z}; });
    add("blockDim.x", [&](uint64_t) { return uint64_t{block.x}; });
    if (block.y > 1) add("blockDim.y", [&](uint64_t) { return uint64_t{block.y}; });
    if (block.z > 1) add("blockDim.z", [&](uint64_t) { return uint64_t{block.z}; });
    add("gridDim.x", [&](uint64_t) { return uint64_t{grid.x}; });
    if (grid.y > 1) add("gridDim.y", [&](uint64_t) { return uint64_t{grid.y}; });
    if (grid.z > 1) add("gridDim.z", [&](uint64_t) { return uint64_t{grid.z}; });
  }

  const FilmScript& script_;
  const ptx::Module& film_module_;  // of the optimised kernel
  std::shared_ptr<const DebugBuild> build_;
  emulator::Replay debug_;
  emulator::LaunchConfig launch_;
  AlignedFilm debug_film_;
  FilmAlignment alignment_;
  FirstRuns first_runs_;
  // Indexed by function and register.
  mutable std::map<int, std::vector<std::vector<int>>> writers_;
  // Likewise, for the optimised kernel.
  mutable std::map<int, std::map<std::string, std::set<int>>> optimised_lines_;
};

class NoVariables final : public VariableFilm {
 public:
  explicit NoVariables(std::string problem) : problem_(std::move(problem)) {}
  VariableState at(const ReplayState& state) override {
    VariableState out;
    out.step = state.step;
    out.problem = problem_;
    return out;
  }

 private:
  std::string problem_;
};

}  // namespace

std::unique_ptr<VariableFilm> make_variable_film(const FilmScript& script,
                                                 const emulator::Replay& replay,
                                                 std::shared_ptr<const DebugBuild> build,
                                                 emulator::Replay debug,
                                                 const emulator::LaunchConfig& launch,
                                                 const StopFlag* stop) {
  return std::make_unique<TwoFilms>(script, replay, std::move(build), std::move(debug), launch,
                                    stop);
}

std::unique_ptr<VariableFilm> no_variables(std::string problem) {
  return std::make_unique<NoVariables>(std::move(problem));
}

}  // namespace warpshop::lab
