// cp.async and mbarrier.
#include "access/async_copy.h"
#include "access/mbarrier.h"
#include "decode/decoder.h"

namespace warpshop::emulator {

// cp.async.{ca,cg}.shared.global{.hints} [to], [from], size
//     {, source size | ignore predicate}{, policy}
// cp.async.commit_group · cp.async.wait_group n · cp.async.wait_all
// cp.async.mbarrier.arrive{.noinc}.b64 [object]
void FunctionDecoder::decode_async_copy(const Instruction& i) {
  const auto& o = i.operands;
  MicroOp op;
  op.instruction = current_index_;
  op.b = op.c = op.d = kNoRegister;
  if (has_modifier(i, "bulk")) return decode_bulk_copy(i);
  if (!has_modifier(i, "async")) return unsupported(i, sentence("copies in bulk are not known"));
  // Scratch register of the wait: no constant of the program has these bits and this instruction's
  // number.
  auto scratch = [&] {
    return constant(0x5741495400000000u + static_cast<uint64_t>(current_index_), 8);
  };
  if (has_modifier(i, "commit_group")) {
    op.run = async_copy::commit_group;
    out_.code.push_back(op);
    return;
  }
  const bool wait_all = has_modifier(i, "wait_all");
  if (wait_all || has_modifier(i, "wait_group")) {
    if (!wait_all && (o.size() != 1 || o[0].kind != Operand::Kind::kInteger)) {
      return unsupported(i, sentence("a number of groups was expected"));
    }
    op.run = async_copy::wait_group;
    op.imm = wait_all ? async_copy::kWaitForAll : o[0].bits & 0xffffffffu;
    op.a = scratch();
    out_.code.push_back(op);
    return;
  }
  if (has_modifier(i, "mbarrier")) {
    if (o.size() != 1) return unsupported(i, sentence("an address was expected"));
    MicroOp wait = op;
    wait.run = async_copy::wait_group;
    wait.imm = async_copy::kWaitForAll;
    wait.a = scratch();
    out_.code.push_back(wait);
    const ptx::Space space = space_of(i);
    const Address address = address_of(o[0], space);
    op.run = has_modifier(i, "noinc") ? mbarrier::copies_arrived_noinc : mbarrier::copies_arrived;
    op.a = address.base;
    op.imm = address.offset;
    op.flags = address.flags | space_flag(space);
    op.site = add_site(i, space, AccessKind::kAtomic, 8, 1);
    out_.code.push_back(op);
    return;
  }
  if (o.size() < 3 || o[2].kind != Operand::Kind::kInteger ||
      (o[2].bits != 4 && o[2].bits != 8 && o[2].bits != 16)) {
    return unsupported(i, sentence("two addresses and 4, 8 or 16 bytes were expected"));
  }
  if (has_modifier(i, "cg") && o[2].bits != 16)
    return unsupported(i, sentence(".cg copies 16 bytes"));
  const size_t extra = has_modifier(i, "L2::cache_hint") ? 1 : 0;
  if (o.size() > 4 + extra) return unsupported(i, sentence("there are too many operands"));
  const int bytes = static_cast<int>(o[2].bits);
  if (o.size() == 4 + extra) {
    const bool predicate = o[3].kind == Operand::Kind::kRegister && register_bytes(o[3]) == 0;
    if (predicate) {
      op.c = predicate_of(o[3], async_copy::kIgnoreNegated, op.flags);
    } else {
      op.b = source_of(o[3], ptx::Type::kU32);
    }
  }
  const Address from = address_of(o[1], ptx::Space::kGlobal);
  op.run = async_copy::start;
  op.a = from.base;
  op.imm = from.offset;
  op.e = static_cast<uint32_t>(bytes);
  op.flags |= from.flags | space_flag(ptx::Space::kGlobal);
  op.site = add_site(i, ptx::Space::kGlobal, AccessKind::kLoad, bytes, 1);
  out_.code.push_back(op);
  const Address to = address_of(o[0], ptx::Space::kShared);
  MicroOp write;
  write.run = async_copy::place;
  write.instruction = current_index_;
  write.a = to.base;
  write.b = scratch();
  write.imm = to.offset;
  write.flags = to.flags | space_flag(ptx::Space::kShared);
  write.site = add_site(i, ptx::Space::kShared, AccessKind::kStore, bytes, 1);
  out_.code.push_back(write);
}

void FunctionDecoder::decode_mbarrier(const Instruction& i) {
  const auto& o = i.operands;
  MicroOp op;
  op.instruction = current_index_;
  op.b = op.d = kNoRegister;
  if (i.modifiers.empty()) return unsupported(i, sentence("an operation was expected"));
  const std::string& what = i.modifiers[0];
  if (what == "pending_count") {
    if (o.size() != 2) return unsupported(i, sentence("a destination and a state were expected"));
    op.run = mbarrier::pending_count;
    op.d = register_of(o[0], 4);
    op.b = source_of(o[1], ptx::Type::kB64);
    if (op.d == kNoRegister)
      return unsupported(i, sentence("a register was expected as destination"));
    out_.code.push_back(op);
    return;
  }
  size_t at = 0;  // index of the address operand
  size_t operands = 1;
  AccessKind kind = AccessKind::kAtomic;
  if (what == "init" || what == "inval") {
    kind = AccessKind::kStore;
    op.run = what == "init" ? mbarrier::init : mbarrier::invalidate;
    operands = what == "init" ? 2 : 1;
    if (what == "init" && o.size() == 2) op.b = source_of(o[1], ptx::Type::kU32);
  } else if (what == "expect_tx" || what == "complete_tx") {
    op.run = what == "expect_tx" ? mbarrier::expect : mbarrier::complete;
    operands = 2;
    if (o.size() == 2) op.b = source_of(o[1], ptx::Type::kU32);
  } else if (what == "arrive" || what == "arrive_drop") {
    const bool drop = what == "arrive_drop";
    const bool bytes = has_modifier(i, "expect_tx");
    at = !o.empty() && o[0].kind == Operand::Kind::kAddress ? 0 : 1;  // old PTX omits the sink
    op.run = bytes ? (drop ? mbarrier::arrive_drop_expect : mbarrier::arrive_expect)
                   : (drop ? mbarrier::arrive_drop : mbarrier::arrive);
    operands = o.size() > at + 1 || bytes || has_modifier(i, "noComplete") ? at + 2 : at + 1;
    if (o.size() == operands) {
      if (at == 1) op.d = register_of(o[0], 8);
      op.b = operands == at + 2 ? source_of(o[at + 1], ptx::Type::kU32) : constant(1, 4);
    }
  } else if (what == "test_wait" || what == "try_wait") {
    program_.parts_wait = true;
    const bool parity = has_modifier(i, "parity");
    at = 1;
    operands = what == "try_wait" && o.size() == 4 ? 4 : 3;  // a suggested time to wait
    op.run = parity ? mbarrier::test_parity : mbarrier::test_state;
    if (o.size() == operands) {
      op.d = register_of(o[0], 0);
      op.b = source_of(o[2], parity ? ptx::Type::kU32 : ptx::Type::kB64);
    }
  } else {
    return unsupported(i, sentence("this operation on mbarrier objects is not known"));
  }
  if (o.size() != operands)
    return unsupported(i, sentence("{wanted} operands were expected", {{"wanted", operands}}));
  const ptx::Space space = space_of(i);
  const Address address = address_of(o[at], space);
  op.a = address.base;
  op.imm = address.offset;
  op.flags = address.flags | space_flag(space) |
             (has_modifier(i, "shared::cluster") ? uint32_t{kClusterSpace} : 0u);
  op.site = add_site(i, space, kind, 8, 1);
  out_.code.push_back(op);
}

}  // namespace warpshop::emulator
