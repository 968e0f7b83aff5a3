// The buffers of a job on the GPU. Each lies between two guard zones; what it holds before a launch
// is kept on the host, where no kernel reaches it. Behind a texture or surface stands an array of the
// GPU's, which is filled and read through a buffer that the kernel does not know.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"
#include "job_texture.h"

namespace warpshop::device {

class JobBuffers {
 public:
  JobBuffers(Gpu& gpu, const Job& job) : gpu_(gpu), job_(job) {}
  // Error: the GPU's memory does not hold them.
  Status allocate();

  // Fills all buffers anew from the host: the emulator's fills. Buffers without a fill get
  // `poison`.
  Status fill(unsigned char poison);
  // The same on the GPU, for timed launches: random fills get words that no launch had before.
  Status refill(unsigned char poison, uint32_t launch);
  bool can_change_inputs() const;

  // In the order of the arguments, as a launch takes them.
  std::vector<void*>& arguments() { return arguments_; }

  // Copies of the outputs, in the order of the arguments that are outputs.
  Result<std::vector<DeviceBytes>> copy_outputs();
  Status copy_outputs_into(const std::vector<DeviceBytes>& copies);
  const std::vector<size_t>& outputs() const { return outputs_; }  // indices of arguments
  const std::vector<size_t>& buffers() const { return buffers_; }
  // The buffer's bytes; of a texture over an array what fetch() brought last.
  CuPointer at(size_t argument) const { return at_[argument]; }
  Status fetch(size_t argument) const {
    return textures_[argument].store_to(gpu_, at_[argument]);
  }
  bool any_poisoned() const;

  // Stores that hit the zones since allocate(), found on the GPU.
  Result<std::vector<GuardHit>> guard_hits();

 private:
  Status make_image(size_t argument);
  bool has_array(size_t argument) const { return textures_[argument].has_array(); }

  Gpu& gpu_;
  const Job& job_;
  std::vector<DeviceBytes> memory_;           // one for each argument; empty for scalars
  std::vector<uint64_t> guard_;               // bytes of each zone
  std::vector<CuPointer> at_;                 // of the buffer itself
  std::vector<DeviceTexture> textures_;       // one for each argument; empty for most
  std::vector<CuObject> objects_;             // theirs
  std::vector<std::vector<uint8_t>> images_;  // what the fills gave, made at the first use
  std::vector<DeviceBytes> pristine_;         // the same on the GPU, for refill()
  std::vector<std::vector<uint8_t>> scalars_;
  std::vector<void*> arguments_;
  std::vector<size_t> outputs_;
  std::vector<size_t> buffers_;
};

}  // namespace warpshop::device
