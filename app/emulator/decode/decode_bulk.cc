// Copies in bulk, of rows and of tensors, and asynchronous stores to other blocks of a cluster.
#include <algorithm>
#include <string>

#include "access/bulk_copy.h"
#include "access/bulk_reduction.h"
#include "access/bulk_store.h"
#include "access/tensor_copy.h"
#include "decode/decoder.h"

namespace warpshop::emulator {
namespace {

bool is_bulk_space(const std::string& m) {
  return m == "global" || m == "shared::cta" || m == "shared::cluster";
}

}  // namespace

// The address of one end of a copy, as `place`.
MicroOp FunctionDecoder::bulk_address(const Instruction& i, const Operand& o, ptx::Space space,
                                      AccessKind kind, int bytes) {
  const Address at = address_of(o, space);
  MicroOp op;
  op.run = bulk_copy::place;
  op.instruction = current_index_;
  op.b = op.c = op.d = kNoRegister;
  op.a = at.base;
  op.imm = at.offset;
  op.flags = at.flags | space_flag(space);
  op.site = add_site(i, space, kind, bytes, 1);
  return op;
}

// `number`: for MicroOp::e. False: reported.
bool FunctionDecoder::find_bulk_reduction(const Instruction& i, uint32_t& number) {
  const auto operation = atomic_operation(i);
  const Reduction reduction =
      operation ? find_reduction(*operation, type_of(i)) : Reduction(nullptr);
  if (reduction == nullptr) {
    unsupported(i, sentence("this reduction is not known"));
    return false;
  }
  program_.reductions.push_back(reduction);
  number = static_cast<uint32_t>(program_.reductions.size());
  return true;
}

// cp{.reduce}.async.bulk.DST.SRC.… [to], [from], size{, [object]}{, mask}{, policy}
// cp.async.bulk.commit_group · cp.async.bulk.wait_group{.read} n · cp.async.bulk.prefetch.…
void FunctionDecoder::decode_bulk_copy(const Instruction& i) {
  const auto& o = i.operands;
  if (has_modifier(i, "commit_group")) {
    emit(bulk_copy::commit_stores);
    return;
  }
  if (has_modifier(i, "wait_group")) {
    if (o.size() != 1 || o[0].kind != Operand::Kind::kInteger)
      return unsupported(i, sentence("a number of groups was expected"));
    MicroOp& op = emit(bulk_copy::wait_for_stores);
    op.imm = o[0].bits & 0xffffffffu;
    op.flags = has_modifier(i, "read") ? 1 : 0;
    return;
  }
  if (has_modifier(i, "tensor")) return decode_tensor_copy(i);
  if (has_modifier(i, "prefetch")) {
    emit(bulk_copy::place);
    return;
  }
  // The first space is the destination's.
  const auto to = std::find_if(i.modifiers.begin(), i.modifiers.end(), is_bulk_space);
  const auto from =
      to == i.modifiers.end() ? to : std::find_if(to + 1, i.modifiers.end(), is_bulk_space);
  if (from == i.modifiers.end())
    return unsupported(i, sentence("two spaces of memory were expected"));
  const bool counted = has_modifier(i, "mbarrier::complete_tx::bytes");
  const bool many = has_modifier(i, "multicast::cluster");
  const size_t wanted =
      3 + (counted ? 1 : 0) + (many ? 1 : 0) + (has_modifier(i, "L2::cache_hint") ? 1 : 0);
  if (o.size() != wanted)
    return unsupported(i, sentence("{wanted} operands were expected", {{"wanted", wanted}}));
  uint32_t reduction = 0;
  if (has_modifier(i, "reduce") && !find_bulk_reduction(i, reduction)) return;
  if (*to == "global") {
    if (*from == "global" || counted || has_modifier(i, "cp_mask"))
      return unsupported(i, sentence("this direction is not known"));
    program_.reads_past_stores = true;
    MicroOp read = bulk_address(i, o[1], ptx::Space::kShared, AccessKind::kLoad, 16);
    read.run = bulk_copy::start_store;
    read.b = source_of(o[2], ptx::Type::kU32);
    read.e = reduction;
    out_.code.push_back(read);
    out_.code.push_back(bulk_address(i, o[0], ptx::Space::kGlobal,
                                     reduction == 0 ? AccessKind::kStore : AccessKind::kReduction,
                                     16));
    return;
  }
  if (!counted || (*from != "global" && many))
    return unsupported(i, sentence("an mbarrier object that counts the bytes was expected"));
  const bool shared = *from != "global";
  program_.reads_past_stores = program_.reads_past_stores || shared;
  MicroOp read = bulk_address(i, o[1], shared ? ptx::Space::kShared : ptx::Space::kGlobal,
                              AccessKind::kLoad, 16);
  read.run = shared ? bulk_copy::start_from_shared : bulk_copy::start;
  read.b = source_of(o[2], ptx::Type::kU32);
  if (many) read.c = source_of(o[4], ptx::Type::kB16);
  read.e = reduction;
  out_.code.push_back(read);
  out_.code.push_back(bulk_address(i, o[0], ptx::Space::kShared, AccessKind::kStore, 16));
  out_.code.push_back(bulk_address(i, o[3], ptx::Space::kShared, AccessKind::kAtomic, 8));
}

// st.async{.weak}.shared::cluster.mbarrier::complete_tx::bytes{.vec}.type [to], value, [object]
// red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.op.type [to], value, …
void FunctionDecoder::decode_store_to_block(const Instruction& i) {
  const auto& o = i.operands;
  if (o.size() != 3 || !has_modifier(i, "mbarrier::complete_tx::bytes"))
    return unsupported(i, sentence("an mbarrier object that counts the bytes was expected"));
  uint32_t reduction = 0;
  if (i.opcode == "red" && !find_bulk_reduction(i, reduction)) return;
  const int bytes = ptx::size_bytes(type_of(i));
  Operand list = o[1];
  if (list.kind != Operand::Kind::kVector) {
    list = Operand();
    list.kind = Operand::Kind::kVector;
    list.elements.push_back(o[1]);
  }
  MicroOp value;
  value.run = bulk_copy::start_from_registers;
  value.instruction = current_index_;
  value.b = value.c = kNoRegister;
  value.d = register_list(list, bytes, ListUse::kSource);
  value.imm = static_cast<uint64_t>(bytes);
  value.e = reduction;
  out_.code.push_back(value);
  const int all = bytes * static_cast<int>(list.elements.size());
  out_.code.push_back(bulk_address(i, o[0], ptx::Space::kShared, AccessKind::kStore, all));
  out_.code.push_back(bulk_address(i, o[2], ptx::Space::kShared, AccessKind::kAtomic, 8));
}

// cp{.reduce}.async.bulk{.prefetch}.tensor.Nd.DST.SRC{.op}{.tile}.… with a tensor map in the place
// of the address in global memory: [map, {coordinates}].
void FunctionDecoder::decode_tensor_copy(const Instruction& i) {
  const auto& o = i.operands;
  if (has_modifier(i, "im2col") || has_modifier(i, "im2col_no_offs"))
    return unsupported(i, sentence("of tensor copies only those of tiles are known"));
  if (has_modifier(i, "prefetch")) {
    emit(bulk_copy::place);
    return;
  }
  int rank = 0;
  for (const std::string& m : i.modifiers) {
    if (m.size() == 2 && m[1] == 'd' && m[0] >= '1' && m[0] <= '5') rank = m[0] - '0';
  }
  const bool loads = has_modifier(i, "mbarrier::complete_tx::bytes");
  const bool many = has_modifier(i, "multicast::cluster");
  const size_t wanted =
      2 + (loads ? 1 : 0) + (many ? 1 : 0) + (has_modifier(i, "L2::cache_hint") ? 1 : 0);
  if (o.size() != wanted || rank == 0)
    return unsupported(i, sentence("{wanted} operands were expected", {{"wanted", wanted}}));
  const Operand& tensor = o[loads ? 1 : 0];
  if (tensor.elements.size() != 1 ||
      static_cast<int>(tensor.elements[0].kind == Operand::Kind::kVector
                           ? tensor.elements[0].elements.size()
                           : 1) != rank)
    return unsupported(i, sentence("a tensor map with one coordinate per dimension was expected"));
  Operand coordinates = tensor.elements[0];
  if (coordinates.kind != Operand::Kind::kVector) {
    coordinates = Operand();
    coordinates.kind = Operand::Kind::kVector;
    coordinates.elements.push_back(tensor.elements[0]);
  }
  Operand map = tensor;
  map.elements.clear();
  const bool reduces = has_modifier(i, "reduce");
  const auto operation = atomic_operation(i);
  if (reduces && !operation) return unsupported(i, sentence("this reduction is not known"));
  const Address at = address_of(map, ptx::Space::kGeneric);
  MicroOp op;
  op.instruction = current_index_;
  op.run = loads ? tensor_copy::load : tensor_copy::place;
  op.a = at.base;
  op.imm = at.offset;
  op.flags = at.flags | space_flag(ptx::Space::kGlobal);
  op.d = static_cast<uint32_t>(rank);
  op.b = register_list(coordinates, 4, ListUse::kSource);
  op.c = kNoRegister;
  op.site = add_site(i, ptx::Space::kGlobal,
                     loads     ? AccessKind::kLoad
                     : reduces ? AccessKind::kReduction
                               : AccessKind::kStore,
                     16, 1);
  if (loads) {
    if (many) op.c = source_of(o[3], ptx::Type::kB16);
    out_.code.push_back(op);
    out_.code.push_back(bulk_address(i, o[0], ptx::Space::kShared, AccessKind::kStore, 16));
    out_.code.push_back(bulk_address(i, o[2], ptx::Space::kShared, AccessKind::kAtomic, 8));
    return;
  }
  program_.reads_past_stores = true;
  MicroOp read = bulk_address(i, o[1], ptx::Space::kShared, AccessKind::kLoad, 16);
  read.run = tensor_copy::store;
  read.e = reduces ? static_cast<uint32_t>(*operation) + 1 : 0;
  out_.code.push_back(read);
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
