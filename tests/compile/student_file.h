// A student's file, and the compiler for it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "compile/compiler.h"

namespace warpshop::compile {

// This machine's compiler.
inline const Compiler& compiler() {
  static const Result<Compiler> loaded = Compiler::load();
  if (!loaded.ok()) {
    ADD_FAILURE() << render(loaded.errors());
    std::abort();
  }
  return *loaded;
}

inline CompileInput student_file(const std::string& source) {
  CompileInput input;
  input.source = source;
  input.file_name = "student.cu";
  return input;
}

}  // namespace warpshop::compile
