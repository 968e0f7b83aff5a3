#include "spec/spec_fill_file.h"

#include "core/files.h"

namespace warpshop::lab {

Result<std::string> read_fill_file(const SpecCase& spec_case, const SpecArg& arg) {
  const std::filesystem::path file = spec_case.folder / arg.fill.file;
  Result<std::string> bytes = read_file(file, kMostDataBytes);
  if (bytes.ok() && bytes->size() < arg.size_bytes) {
    return make_error_at({file.string()}, "spec",
                         "the file holds " + std::to_string(bytes->size()) +
                             " bytes, the buffer has " + std::to_string(arg.size_bytes));
  }
  return bytes;
}

}  // namespace warpshop::lab
