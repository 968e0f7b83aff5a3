#include "analysis/limits.h"

#include <string>

#include "analysis/names.h"
#include "analysis/source_place.h"

namespace warpshop::emulator {
namespace {

// The first place in the student's file where one of these functions uses the variable, since PTX
// gives declarations no place. `function`: declares it; nullptr: the module does.
SourcePlace first_use(const ptx::Module& module, const std::vector<int>& reached,
                      const ptx::Function* function, size_t index) {
  const auto table = function == nullptr ? ptx::Symbol::Table::kModuleVariable
                                         : ptx::Symbol::Table::kLocalVariable;
  for (int f : reached) {
    const ptx::Function& user = module.functions[static_cast<size_t>(f)];
    if (function != nullptr && function != &user) continue;
    for (const ptx::Instruction& i : user.body) {
      for (const ptx::Operand& o : i.operands) {
        if (o.symbol.table == table && o.symbol.index == static_cast<int>(index))
          return source_place(module, i.source);
      }
    }
  }
  return {};
}

// Sums up the variables of one memory; reports the first one over the limit.
class Budget {
 public:
  Budget(Sentence memory, uint64_t limit_bytes, Diagnostics& problems)
      : memory_(std::move(memory)), limit_bytes_(limit_bytes), problems_(problems) {}

  void add(const ptx::Variable& v) {
    add(v, [] { return SourcePlace{}; });
  }
  template <typename Place>
  void add(const ptx::Variable& v, Place place) {
    if (full_) return;
    placer_.place(v);
    if (placer_.end() <= limit_bytes_) return;
    full_ = true;
    problems_.push_back(
        make_error_at(place(), "unsupported",
                      sentence("\"{name}\" of {bytes} bytes (PTX line {ptx_line}) does not fit: "
                               "{memory} together have at most {most} bytes",
                               {{"name", readable_name(v.name)},
                                {"bytes", v.size_bytes},
                                {"ptx_line", v.ptx_line},
                                {"memory", memory_},
                                {"most", limit_bytes_}}),
                      sentence("make it smaller, or allocate it as a buffer")));
  }

 private:
  Sentence memory_;
  uint64_t limit_bytes_;
  Diagnostics& problems_;
  Placer placer_;
  bool full_ = false;
};

void check_function(const ptx::Module& module, const std::vector<int>& reached, size_t n,
                    Budget& shared, Diagnostics& problems) {
  const ptx::Function& function = module.functions[static_cast<size_t>(reached[n])];
  const bool kernel = n == 0;
  Budget local(sentence("the .local variables of a function"), kMostLocalBytes, problems);
  Budget frame(sentence("the .param variables of a function"), kMostFrameParamBytes, problems);
  Budget params(sentence("the parameters of a kernel"), kMostKernelParamBytes, problems);
  if (kernel && !function.returns.empty()) {
    problems.push_back(
        make_error("unsupported",
                   sentence("the kernel \"{kernel}\" (PTX line {ptx_line}) returns a value",
                            {{"kernel", function.name}, {"ptx_line", function.ptx_line}}),
                   sentence("a kernel gives its results through pointers")));
  }
  for (const ptx::Variable& v : function.returns) frame.add(v);
  for (const ptx::Variable& v : function.params) (kernel ? params : frame).add(v);
  for (size_t index = 0; index < function.variables.size(); ++index) {
    const ptx::Variable& v = function.variables[index];
    const auto place = [&] { return first_use(module, reached, &function, index); };
    if (v.space == ptx::Space::kLocal) local.add(v, place);
    if (v.space == ptx::Space::kParam) frame.add(v, place);
    if (v.space == ptx::Space::kShared) shared.add(v, place);
    if (v.space == ptx::Space::kConst || v.space == ptx::Space::kSpecial) {
      problems.push_back(
          make_error("unsupported",
                     sentence("\"{name}\" (PTX line {ptx_line}) is declared inside a function",
                              {{"name", v.name}, {"ptx_line", v.ptx_line}}),
                     sentence("declare it at the beginning of the file")));
    }
  }
}

}  // namespace

void check_sizes(const ptx::Module& module, const std::vector<int>& reached,
                 Diagnostics& problems) {
  Budget global(sentence("the .global variables of a module"), kMostGlobalBytes, problems);
  Budget constant(sentence("the .const variables of a module"), kMostConstBytes, problems);
  Budget shared(sentence("the .shared variables of a kernel"), kMostSharedBytes, problems);
  for (size_t index = 0; index < module.variables.size(); ++index) {
    const ptx::Variable& v = module.variables[index];
    const auto place = [&] { return first_use(module, reached, nullptr, index); };
    if (v.space == ptx::Space::kGlobal) global.add(v, place);
    if (v.space == ptx::Space::kConst) constant.add(v, place);
    if (v.space == ptx::Space::kShared) shared.add(v, place);
  }
  for (size_t n = 0; n < reached.size(); ++n) check_function(module, reached, n, shared, problems);
}

}  // namespace warpshop::emulator
