// The public interface of a decoded program.
#include "emulator/program.h"

#include <algorithm>
#include <string>
#include <vector>

#include "decode/decoder.h"
#include "state/decoded.h"

namespace warpshop::emulator {

const std::string& Program::kernel() const { return decoded_->kernel; }
const ptx::Module& Program::module() const { return *decoded_->module; }
const ptx::Function& Program::function() const { return *decoded_->functions[0].source; }
const std::vector<AccessSite>& Program::access_sites() const { return decoded_->sites; }
std::vector<Program::BasicBlock> Program::basic_blocks() const {
  std::vector<BasicBlock> blocks;
  for (const DecodedProgram::BlockOfInstructions& block : decoded_->block_instructions) {
    blocks.push_back({.function = decoded_->functions[static_cast<size_t>(block.function)].index,
                      .instructions = block.instructions});
  }
  return blocks;
}
bool Program::may_hide_races() const {
  return decoded_->orders_blocks || decoded_->has_strong_stores;
}
uint64_t Program::static_shared_bytes() const { return decoded_->static_shared_bytes; }
std::vector<Program::SharedArray> Program::shared_arrays() const {
  const DecodedProgram& program = *decoded_;
  std::vector<SharedArray> out;
  for (const DecodedProgram::SharedVariable& v : program.shared_variables)
    out.push_back({v.name, v.offset, v.size_bytes});
  const auto add_dynamic = [&](const std::vector<ptx::Variable>& variables,
                               const std::vector<uint64_t>& offsets) {
    for (size_t n = 0; n < variables.size() && n < offsets.size(); ++n) {
      const ptx::Variable& v = variables[n];
      if (v.space != ptx::Space::kShared || !(v.is_extern || v.is_flexible) ||
          offsets[n] == ~uint64_t{0})
        continue;
      const SharedArray array{readable_name(v.name), offsets[n], 0};
      if (std::find(out.begin(), out.end(), array) == out.end()) out.push_back(array);
    }
  };
  for (const auto& [function, offsets] : program.shared_offset_of_function) {
    add_dynamic(function < 0 ? program.module->variables
                             : program.module->functions[static_cast<size_t>(function)].variables,
                offsets);
  }
  return out;
}
uint64_t Program::param_bytes() const { return decoded_->param_bytes; }
const std::vector<Program::Param>& Program::params() const { return decoded_->params; }

}  // namespace warpshop::emulator
