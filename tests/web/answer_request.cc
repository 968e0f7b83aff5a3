// What the class's server does with a request to compile, for one that comes on standard input.
#include <cstdio>
#include <string>

#include "compile/compiler.h"
#include "compile/remote.h"
#include "core/files.h"

int main() {
  using namespace warpshop;
  const Result<std::string> request = read_standard_input();
  const Result<compile::Compiler> compiler = compile::Compiler::load();
  if (!request.ok() || !compiler.ok()) return 2;
  const Result<compile::CompileInput> input = compile::input_of(*request);
  const Result<compile::CompileOutput> output =
      input.ok() ? compiler->compile(*input) : Result<compile::CompileOutput>(input.errors());
  const std::string answer = compile::answer_of(output);
  return std::fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() ? 0 : 2;
}
