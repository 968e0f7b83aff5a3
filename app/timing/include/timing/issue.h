// The requests that the memory pipeline receives for one recorded access, as issued by the back
// end.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/access.h"
#include "models/banks.h"
#include "models/request.h"
#include "models/transactions.h"

namespace warpshop::timing {

// How global memory serves an access of that kind.
models::GlobalAccess global_access_of(emulator::AccessKind kind);

// How shared memory serves this site: as a plain access, atomic, counting add or compare-and-swap.
// docs/models.md, "Atomics and reductions", says which atomics become which.
models::SharedAccess shared_access_of(const emulator::AccessSite& site);

// The requests made by one execution of `site`: none if the back end removed the access or merged
// it into another site, two if it split the access, else one. For an elected site, only one lane is
// active.
std::vector<models::WarpRequest> issued_requests(const emulator::AccessSite& site,
                                                 const emulator::WarpAccess& access);

}  // namespace warpshop::timing
