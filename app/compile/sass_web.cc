// A page in a browser starts no disassembler.
#include "compile/sass.h"

namespace warpshop::compile {

Result<std::filesystem::path> find_nvdisasm() {
  return make_error("sass",
                    sentence("a browser cannot run nvdisasm, which disassembles machine code"),
                    sentence("use the lab that is installed on your machine for this"));
}

Result<std::vector<SassKernel>> disassemble(const std::vector<uint8_t>&, const StopFlag*) {
  return find_nvdisasm().errors();
}

}  // namespace warpshop::compile
