// What the memory pipeline sees of one recorded access: the PTX instruction as the back end issues
// it.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/access.h"
#include "models/banks.h"
#include "models/request.h"

namespace warpshop::timing {

// How shared memory serves this site: plain accesses, atomics, the counting add, compare-and-swap.
// Which of them an atomic becomes: docs/models.md, "Atomics and reductions".
models::SharedAccess shared_access_of(const emulator::AccessSite& site);

// The requests that an execution of `site` causes: none where the back end dropped the access or
// another site issues for it, two where it splits one, else one. An elected site asks with one
// lane.
std::vector<models::WarpRequest> issued_requests(const emulator::AccessSite& site,
                                                 const emulator::WarpAccess& access);

}  // namespace warpshop::timing
