#include "compile/compiler.h"

#include <utility>

#include "compile/remote.h"
#include "compiler_backend.h"

namespace warpshop::compile {
namespace {

class RemoteCompiler : public Compiler::Backend {
 public:
  RemoteCompiler(Compiler::Transport transport, Compiler::About about)
      : transport_(std::move(transport)), about_(std::move(about)) {}

  Result<CompileOutput> compile(const CompileInput& input) const override {
    const Result<std::string> answer = transport_(request_of(input), input.stop);
    if (!answer.ok()) return answer.errors();
    return output_of(*answer);
  }
  Compiler::About about() const override { return about_; }

 private:
  Compiler::Transport transport_;
  Compiler::About about_;
};

}  // namespace

Compiler Compiler::remote(Transport transport, About about) {
  return Compiler(std::make_shared<RemoteCompiler>(std::move(transport), std::move(about)));
}

Result<CompileOutput> Compiler::compile(const CompileInput& input) const {
  return backend_->compile(input);
}

std::string Compiler::library_path() const { return backend_->about().library_path; }

std::string Compiler::version() const { return backend_->about().version; }

std::string Compiler::include_path() const {
  const std::vector<std::filesystem::path> paths = include_paths();
  return paths.empty() ? std::string() : paths.front().string();
}

std::vector<std::filesystem::path> Compiler::include_paths() const {
  return backend_->about().include_paths;
}

}  // namespace warpshop::compile
