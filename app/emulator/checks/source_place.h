// The line that people wrote, of an instruction.
#pragma once

#include "core/diagnostic.h"
#include "ptx/module.h"

namespace warpshop::emulator {

// What was inlined from another file, such as the compiler's own headers (tex2D, surf2Dwrite), is told with the line
// that calls it.
inline SourcePlace source_place(const ptx::Module& module, const ptx::SourceLine& source) {
  const bool elsewhere = source.call_file != 0 && source.call_file != source.file;
  const auto file = module.files.find(elsewhere ? source.call_file : source.file);
  return {.file = file == module.files.end() ? "" : file->second,
          .line = elsewhere ? source.call_line : source.line,
          .column = elsewhere ? source.call_column : source.column};
}

}  // namespace warpshop::emulator
