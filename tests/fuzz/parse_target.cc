#include <algorithm>

#include "core/diagnostic.h"
#include "fuzz_targets.h"
#include "ptx/parser.h"

namespace warpshop::fuzz {

namespace {

// Messages must be printable, whatever the text. The first few suffice: later ones are mostly of
// the same kinds.
void look_at(Diagnostics diagnostics, std::string_view text) {
  constexpr size_t kMost = 8;
  diagnostics.resize(std::min(diagnostics.size(), kMost));
  (void)render(diagnostics, text);
}

}  // namespace

void parse_ptx(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const ptx::ParseOutput output = ptx::parse(text, "fuzz.ptx");
  look_at(output.diagnostics, text);
  for (const ptx::Function& function : output.module.functions) look_at(function.problems, text);
}

}  // namespace warpshop::fuzz
