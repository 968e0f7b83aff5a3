#include "core/diagnostic.h"
#include "fuzz_targets.h"
#include "ptx/parser.h"

namespace warpshop::fuzz {

void parse_ptx(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const ptx::ParseOutput output = ptx::parse(text, "fuzz.ptx");
  // Every message must be printable, whatever the text is.
  (void)render(output.diagnostics, text);
  for (const ptx::Function& function : output.module.functions) {
    (void)render(function.problems, text);
  }
}

}  // namespace warpshop::fuzz
