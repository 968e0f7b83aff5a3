// The place of an instruction in the student's source.
#pragma once

#include <cstddef>

#include "core/diagnostic.h"
#include "ptx/module.h"

namespace warpshop::emulator {

// Code inlined from another file, such as the compiler's own headers (tex2D, surf2Dwrite), gets the
// line that calls it.
inline SourcePlace source_place(const ptx::Module& module, const ptx::SourceLine& source) {
  const bool elsewhere = source.call_file != 0 && source.call_file != source.file;
  const auto file = module.files.find(elsewhere ? source.call_file : source.file);
  return {.file = file == module.files.end() ? "" : file->second,
          .line = elsewhere ? source.call_line : source.line,
          .column = elsewhere ? source.call_column : source.column};
}

// The place of an instruction or, if it has no line, of the nearest one before it that has one,
// otherwise after it. `line` 0: no instruction of the function has a line.
inline SourcePlace nearest_place(const ptx::Module& module, const ptx::Function& function,
                                 size_t instruction) {
  const auto has_line = [&](size_t n) {
    return source_place(module, function.body[n].source).line > 0;
  };
  for (size_t n = instruction + 1; n > 0; --n) {
    if (has_line(n - 1)) return source_place(module, function.body[n - 1].source);
  }
  for (size_t n = instruction + 1; n < function.body.size(); ++n) {
    if (has_line(n)) return source_place(module, function.body[n].source);
  }
  return source_place(module, function.body[instruction].source);
}

}  // namespace warpshop::emulator
