// Compiling on another machine: a request and its answer as bytes. Compiler::remote() is the side
// that asks; what answers parses a request, compiles it, and returns the answer.
//
// A request is untrusted. It may name only options that cannot reach another file, and no folder of
// headers except those that are part of the program's own data.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "compile/compiler.h"
#include "core/result.h"

namespace warpshop::compile {

struct RemoteLimits {
  size_t most_bytes = size_t{1} << 20;  // of a request
  double most_seconds = 20;             // a request that asks for more gets this
};

// Folders of headers below data_dir() are sent relative to it, others are left out: the other
// machine does not have them. CompileInput::stop stays here.
std::string request_of(const CompileInput& input);

// Error: it is damaged, larger than the limit, or asks for something that is refused; says which.
Result<CompileInput> input_of(std::string_view request, const RemoteLimits& limits = {});

// Sentences keep their parts, so that they can be translated where they are shown.
std::string answer_of(const Result<CompileOutput>& output);

// Errors: the compiler's, or one that says that the answer is damaged.
Result<CompileOutput> output_of(std::string_view answer);

}  // namespace warpshop::compile
