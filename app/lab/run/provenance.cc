#include "lab/provenance.h"

namespace warpshop::lab {

std::string_view name_of(Provenance provenance) {
  switch (provenance) {
    case Provenance::kMeasured:
      return "measured";
    case Provenance::kSimulated:
      return "simulated";
    case Provenance::kPredicted:
      return "predicted";
    case Provenance::kPublished:
      return "published";
  }
  return "";
}

}  // namespace warpshop::lab
