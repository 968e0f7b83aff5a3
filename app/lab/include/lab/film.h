// The film of one warp of a run: every instruction it executed, with source lines, and the state at
// each step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "emulator/replay.h"
#include "lab/variables.h"

namespace warpshop::lab {

// An instruction of the film in readable form.
struct FilmInstruction {
  int line = 0;  // in the student's file; 0: none
  int ptx_line = 0;
  std::string text;        // including its guard
  std::string place = {};  // what repeats where the compiler has unrolled a loop: the opcode, its
                           // column in the source, and which call of a statement it belongs to
};

// The parts of a film that are known without replaying to a state; immutable.
struct FilmScript {
  uint64_t block = 0;  // linear
  uint32_t warp = 0;   // of the block
  std::vector<emulator::ReplayStep> steps;
  bool truncated = false;
  std::vector<emulator::Program::SharedArray> shared_arrays;
  // Indexed by the module's function and instruction.
  std::vector<std::vector<FilmInstruction>> functions;
  const FilmInstruction& at(size_t step) const {
    return of(steps[step].function, steps[step].instruction);
  }
  const FilmInstruction& of(int function, int instruction) const {
    return functions[static_cast<size_t>(function)][static_cast<size_t>(instruction)];
  }
};

// Which thread wrote an element of an output last, and with which of its warp's accesses (numbered
// as in ReplayStep::first_access).
struct ElementWriter {
  uint64_t block = 0;  // linear
  uint32_t warp = 0;   // of the block
  int lane = 0;
  uint32_t access = 0;
  bool operator==(const ElementWriter&) const = default;
};

// Looks up the values of the source's variables at a state of the film.
class VariableFilm {
 public:
  virtual ~VariableFilm() = default;
  virtual VariableState at(const emulator::ReplayState& state) = 0;
};

class Film {
 public:
  // `variables` makes the VariableFilm on first use, which takes a second compilation and a second
  // replay.
  using OpenVariables = std::function<std::unique_ptr<VariableFilm>(
      const FilmScript&, const emulator::Replay&, const StopFlag*)>;
  Film(std::shared_ptr<const FilmScript> script, emulator::Replay replay,
       OpenVariables variables = nullptr)
      : script_(std::move(script)),
        replay_(std::move(replay)),
        open_variables_(std::move(variables)) {}
  const std::shared_ptr<const FilmScript>& script() const { return script_; }
  emulator::ReplayState at(size_t step) { return replay_.at(step); }
  // `state`: of this film. After a stop the film is no longer usable.
  VariableState variables_at(const emulator::ReplayState& state, const StopFlag* stop = nullptr) {
    if (!variables_ && open_variables_) variables_ = open_variables_(*script_, replay_, stop);
    return variables_ ? variables_->at(state) : VariableState{};
  }

 private:
  std::shared_ptr<const FilmScript> script_;
  emulator::Replay replay_;
  OpenVariables open_variables_;
  std::unique_ptr<VariableFilm> variables_;
};

// Everything needed to replay any warp of a run. Immutable, and safe to use from any thread.
class FilmSource {
 public:
  virtual ~FilmSource() = default;
  // Error: no such warp, or stopped.
  virtual Result<Film> open(uint64_t block, uint32_t warp, const StopFlag* stop) const = 0;
  // Runs the launch again, blocks in ascending order, to find the last store to that element of
  // that argument. None: no store, or the output is a surface. Error: no such argument or element,
  // or stopped.
  virtual Result<std::optional<ElementWriter>> writer_of(const std::string& argument,
                                                         uint64_t element,
                                                         const StopFlag* stop) const = 0;
};

}  // namespace warpshop::lab
