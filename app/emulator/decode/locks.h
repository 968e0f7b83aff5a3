// Locks and flags in shared memory: which accesses may order the threads of a block.
#pragma once

#include <vector>

namespace warpshop::ptx {
struct Module;
}

namespace warpshop::emulator {

struct DecodedProgram;

// False if no access of the functions can have a role for the order of threads in shared memory.
bool may_have_locks(const ptx::Module& module, const std::vector<int>& functions);
// Likewise of blocks, in global memory.
bool may_order_blocks(const ptx::Module& module, const std::vector<int>& functions);
// Sets order_roles (shadows/order_role.h), and parts_wait where they matter. After find_polling and
// the provenance.
void find_locks(DecodedProgram& program);

}  // namespace warpshop::emulator
