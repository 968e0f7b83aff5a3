// Reduces a kernel to what a sample of its paths and accesses needs.
#include <memory>

#include "access/memory_ops.h"
#include "emulator/program.h"
#include "operations/warpgroup_product.h"
#include "state/decoded.h"
#include "state/warp.h"
#include "texture/texture_ops.h"

namespace warpshop::emulator {
namespace {

const MicroOp* skip(Warp&, const MicroOp* op) { return op + op->imm; }

void leave_out_value(const DecodedProgram& program, MicroOp& op) {
  if (op.run == texture::fetch || op.run == texture::gather_four) {
    op.flags |= texture::kWithoutTexels;
    return;
  }
  if (op.site == kNoSite) return;
  const AccessKind kind = program.sites[op.site].kind;
  if (kind != AccessKind::kLoad && kind != AccessKind::kStore) return;
  op.flags |= kWithoutValue;
  if (op.run != matrix::multiply_in_warpgroup) op.run = access_alone;
}

}  // namespace

Program Program::reduced_to(const std::vector<Wanted>& wanted) const {
  auto program = std::make_shared<DecodedProgram>(*decoded_);
  std::vector<MicroOp>& code = program->functions[0].code;
  const auto wanted_of = [&](const MicroOp& op) {
    return op.instruction < 0 ? Wanted::kAll : wanted[static_cast<size_t>(op.instruction)];
  };
  for (size_t n = 0; n < code.size(); ++n) {
    if (wanted_of(code[n]) == Wanted::kAccess) leave_out_value(*program, code[n]);
    size_t end = n;
    while (end < code.size() && wanted_of(code[end]) == Wanted::kNothing) ++end;
    if (end == n) continue;
    code[n].run = skip;
    code[n].imm = end - n;
    n = end - 1;
  }
  Program result;
  result.decoded_ = std::move(program);
  return result;
}

}  // namespace warpshop::emulator
