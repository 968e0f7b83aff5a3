// PTX functions → micro-ops. One Decoder per program; one FunctionDecoder per function that it
// reaches.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/memory_ops.h"
#include "analysis/cfg.h"
#include "analysis/instructions.h"
#include "analysis/names.h"
#include "backend/contraction.h"
#include "core/diagnostic.h"
#include "ptx/module.h"
#include "state/decoded.h"

namespace warpshop::emulator {

// Assigns addresses to module variables, shared variables and parameters (layout.cc).
void lay_out_module(DecodedProgram& program);
// Layout of static shared memory: the variables used by reached functions, in order of declaration,
// each at its alignment, the first at offset 0; dynamic shared memory follows at a multiple of 16.
// Measured: ptxas 13.0, sm_90 (docs/models.md).
struct SharedLayout {
  // (function, or -1 for the module; variable) → byte
  std::map<std::pair<int, int>, uint32_t> offset;
  uint32_t static_bytes = 0;
};
SharedLayout lay_out_shared(const ptx::Module& module, const std::vector<int>& reached,
                            DecodedProgram& program);

// The value of a function pointer: not an address in memory, and never null.
inline uint64_t address_of_function(int index) { return static_cast<uint64_t>(index) + 1; }

// Functions of the module that the kernel can reach, the kernel first.
std::vector<int> reached_functions(const ptx::Module& module, int kernel);

class FunctionDecoder {
 public:
  FunctionDecoder(DecodedProgram& program, const SharedLayout& shared,
                  const std::vector<int>& reached, int function, Diagnostics& problems);
  void decode();

 private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;

  // decode.cc: frame, blocks, dispatch
  void place_registers();
  bool frame_fits();
  void place_frame_variables();
  void decode_block(int block);
  void decode_item(const CodeItem& item);
  // Results, then arguments: the first registers.
  std::vector<const ptx::Variable*> register_parameters() const;
  void hand_over_registers(const std::vector<ptx::Variable>& variables, bool take);
  void decode_instruction(const Instruction& i);
  void decode_fence(const Instruction& i);
  void decode_lane_form(const Instruction& i);
  void resolve_branches();

  // decode_operands.cc
  uint32_t register_of(const Operand& o, int bytes);  // destination; kNoRegister for `_`
  // Destination; for `_` a register that is never read.
  uint32_t destination_of(const Operand& o, int bytes);
  uint32_t source_of(const Operand& o, ptx::Type type);  // register or broadcast constant
  bool is_whole(const Operand& o);                       // false: reported as unsupported
  uint32_t predicate_of(const Operand& o, uint32_t negated_flag, uint32_t& flags);
  uint32_t constant(uint64_t bits, int bytes);
  uint32_t special(const std::string& name, int bytes);
  uint64_t constant_bits(const Operand& o, ptx::Type type);
  uint64_t symbol_address(const ptx::Symbol& symbol, int64_t offset);
  int register_bytes(const Operand& o) const;  // 0 for a predicate or no register
  struct Address {
    uint32_t base = kNoRegister;
    uint32_t flags = 0;
    uint64_t offset = 0;
  };
  Address address_of(const Operand& o, ptx::Space space);
  // Index into DecodedProgram::lists. Destinations may be `_`, sources may be constants.
  enum class ListUse : uint8_t { kDestination, kSource };
  uint32_t register_list(const Operand& o, int bytes, ListUse use);

  // decode_memory.cc
  void decode_load(const Instruction& i);
  void decode_store(const Instruction& i);
  void decode_param_access(const Instruction& i, bool store);
  void decode_atomic(const Instruction& i, bool reduction);
  void decode_vector_atomic(const Instruction& i, bool reduction, AtomicOperation operation);
  void decode_order(const Instruction& i);
  void decode_cvta(const Instruction& i);
  void decode_cluster_address(const Instruction& i);
  void decode_cache_policy(const Instruction& i);
  void decode_isspacep(const Instruction& i);
  uint32_t add_site(const Instruction& i, ptx::Space space, AccessKind kind, int element_bytes,
                    int elements);

  // decode_async.cc
  void decode_async_copy(const Instruction& i);

  // decode_bulk.cc
  void decode_bulk_copy(const Instruction& i);
  void decode_store_to_block(const Instruction& i);
  void decode_tensor_copy(const Instruction& i);
  MicroOp bulk_address(const Instruction& i, const Operand& o, ptx::Space space, AccessKind kind,
                       int bytes);
  bool find_bulk_reduction(const Instruction& i, uint32_t& number);
  void decode_mbarrier(const Instruction& i);

  // decode_matrix.cc
  void decode_matrix_access(const Instruction& i);
  void decode_matrix_move(const Instruction& i);
  void decode_mma(const Instruction& i);
  // The registers of d, a, b and c, the first four operands. False: one has not as many as `sizes`
  // says, which is reported.
  bool take_product_lists(const Instruction& i, const std::array<size_t, 4>& sizes, int width,
                          matrix::Product& product);
  void add_product(const matrix::Product& product);

  // decode_wmma.cc
  void decode_wmma(const Instruction& i);
  void decode_wmma_access(const Instruction& i);
  void decode_wmma_product(const Instruction& i);
  uint32_t scratch(int number, int bytes);  // temporary register, reused by other instructions
  uint32_t list_of_registers(const std::vector<uint32_t>& offsets);

  // decode_wgmma.cc
  void decode_wgmma(const Instruction& i);
  void decode_wgmma_product(const Instruction& i);

  // decode_video.cc
  void decode_video(const Instruction& i);
  uint32_t video_source(const Operand& o);
  // decode_texture.cc
  void decode_texture_fetch(const Instruction& i);
  void decode_surface_access(const Instruction& i);
  void decode_texture_query(const Instruction& i);
  bool texture_operand(const Instruction& i, const Operand& o, size_t coordinates, size_t used,
                       MicroOp& op);

  // decode_contraction.cc
  void decode_contraction(const Instruction& sum, const Contraction& how);

  // decode_moves.cc
  void decode_move(const Instruction& i);

  // decode_control.cc
  void decode_branch(const Instruction& i);
  void decode_indexed_branch(const Instruction& i);
  void decode_exit(const Instruction& i, bool guard_moved);
  void decode_call(const Instruction& i);
  void decode_indirect_call(const Instruction& i, const Operand& target,
                            const std::vector<uint32_t>& argument_offsets,
                            const std::vector<uint32_t>& result_offsets);
  const ptx::CallPrototype* prototype_of(const Instruction& i,
                                         std::vector<ptx::CallPrototype>& made) const;
  CallSite site_for(int callee, const std::vector<uint32_t>& argument_offsets,
                    const std::vector<uint32_t>& result_offsets) const;
  // Frame offset of the slot for the n-th value that a call passes in registers.
  uint32_t register_slot(size_t n);
  bool pass_in_register(const Instruction& i, const Operand& o, const ptx::Variable& v,
                        uint32_t slot, bool result);
  void decode_stack(const Instruction& i);
  void decode_barrier(const Instruction& i);
  void decode_cluster_barrier(const Instruction& i);
  void decode_collective(const Instruction& i);
  bool names_all_lanes(const Operand& mask);

  MicroOp& emit(Handler run);
  void branch_to(size_t op, int block) { fix_target_.emplace_back(op, block); }
  void reconverge_at(size_t op, int block) { fix_reconvergence_.emplace_back(op, block); }
  int block_of(const Operand& label) const;
  void unsupported(const Instruction& i, Sentence why);
  bool is_kernel() const { return out_.index == program_.functions[0].index; }
  bool is_read(int register_index) const { return reads_[static_cast<size_t>(register_index)] > 0; }
  void count_reads();

  DecodedProgram& program_;
  const SharedLayout& shared_;
  const std::vector<int>& reached_;
  const ptx::Module& module_;
  const ptx::Function& function_;
  DecodedFunction out_;
  int slot_;  // in DecodedProgram::functions
  Diagnostics& problems_;
  ControlFlow flow_;
  std::map<int, Contraction> contractions_;
  std::vector<uint32_t> register_offset_;
  std::vector<int> reads_;                 // number of reads by register
  uint32_t register_slots_ = 0;            // frame offset of call slots; 0: not allocated yet
  std::vector<bool> only_all_ones_;        // by register: only ever -1; computed on first use
  std::vector<uint32_t> variable_offset_;  // of the function's .local and .param variables
  std::map<std::pair<uint64_t, int>, uint32_t> constant_offset_;
  std::map<std::pair<int, int>, uint32_t> special_offset_;
  std::vector<size_t> block_start_;
  std::vector<std::pair<size_t, int>> fix_target_;
  std::vector<std::pair<size_t, int>> fix_reconvergence_;
  // (branch table, entry, block); op in table_op_
  std::vector<std::tuple<int, int, int>> fix_tables_;
  std::map<int, size_t> table_op_;
  const Instruction* current_ = nullptr;
  int current_index_ = -1;
  int current_block_ = -1;
  std::vector<bool> common_code_after_;  // by block, computed for the first barrier (common_code.h)
};

// The operation in an atomic's, a reduction's or a copy's name.
std::optional<AtomicOperation> atomic_operation(const ptx::Instruction& i);

std::optional<Special> find_special(std::string_view name);

}  // namespace warpshop::emulator
