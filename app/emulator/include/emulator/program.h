// A kernel decoded once: micro-ops, reconvergence points, access sites. Immutable, shared by
// launches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "emulator/access.h"
#include "ptx/module.h"

namespace warpshop::emulator {

struct DecodedProgram;  // emulator-private

// How much of an instruction a sample of the kernel has to carry out.
enum class Wanted : uint8_t {
  kAll,
  kAccess,  // of a load, a store, a texture fetch or wgmma: where it goes, but no value
  kNothing,
};

class Program {
 public:
  // Error: the kernel is missing (the message lists the available ones), its PTX is broken, or it
  // uses an unsupported instruction: PTX line, CUDA line and the instruction as written.
  static Result<Program> decode(const std::shared_ptr<const ptx::Module>& module,
                                std::string_view kernel);

  const std::string& kernel() const;
  const ptx::Module& module() const;
  const ptx::Function& function() const;
  const std::vector<AccessSite>& access_sites() const;
  // True if its results may depend on the order of its threads although no accesses race: fences
  // may order its blocks or not, and volatile, relaxed and atomic accesses do not race with each
  // other.
  bool order_may_matter() const;
  uint64_t static_shared_bytes() const;  // as laid out by the emulator
  uint64_t param_bytes() const;          // size of the parameter block

  // Offset and size of each kernel parameter inside the parameter block, bytes.
  struct Param {
    std::string name;
    uint64_t offset_bytes;
    uint64_t size_bytes;
  };
  const std::vector<Param>& params() const;

  // The shared-memory arrays that the kernel uses, by source name, in ascending offset.
  struct SharedArray {
    std::string name;
    uint64_t offset_bytes = 0;
    uint64_t size_bytes = 0;  // 0: `extern __shared__`, up to the end of the block's shared memory
    bool operator==(const SharedArray&) const = default;
  };
  std::vector<SharedArray> shared_arrays() const;
  // Its `__device__` variables; `offset_bytes` is their address.
  std::vector<SharedArray> device_variables() const;
  // The one that contains the address; of several, the one that starts last. Null: none.
  static const SharedArray* array_at(const std::vector<SharedArray>& arrays, uint64_t address);

  // Basic blocks of the kernel and of the functions it calls, numbered as in PathSink::on_block.
  struct BasicBlock {
    int function = 0;               // index into module().functions
    std::vector<int> instructions;  // indices into that function's body, in order
  };
  std::vector<BasicBlock> basic_blocks() const;

  // Whether the kernel, or a function it calls, allocates or frees memory.
  bool uses_heap() const;

  // The kernel for samples of which only paths and accesses count: carries out what is wanted of
  // its own instructions, by index in function().body. Registers and memory then hold whatever they
  // did, and what nobody stored counts as stored. Basic blocks and access sites stay the same.
  Program reduced_to(const std::vector<Wanted>& wanted) const;

  const DecodedProgram& decoded() const { return *decoded_; }

 private:
  std::shared_ptr<const DecodedProgram> decoded_;
};

}  // namespace warpshop::emulator
