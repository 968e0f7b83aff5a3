// A job's buffers on the GPU. Each sits between two guard zones; its initial contents are kept on
// the host, out of reach of any kernel. A texture or surface is backed by a GPU array, filled and
// read through a buffer that the kernel cannot access.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"
#include "job_tensor_map.h"
#include "job_texture.h"

namespace warpshop::device {

class JobBuffers {
 public:
  JobBuffers(Gpu& gpu, const Job& job) : gpu_(gpu), job_(job) {}
  // Error: not enough GPU memory.
  Status allocate();

  // Refills all buffers from the host with the emulator's fills. Buffers without a fill get
  // `poison`.
  Status fill(unsigned char poison);
  // The same on the GPU, for timed launches; random fills get words that no previous launch had.
  Status refill(unsigned char poison, uint32_t launch);
  bool can_change_inputs() const;

  // In argument order, as a launch takes them.
  std::vector<void*>& arguments() { return arguments_; }

  // Copies the outputs, in argument order.
  Result<std::vector<DeviceBytes>> copy_outputs();
  Status copy_outputs_into(const std::vector<DeviceBytes>& copies);
  const std::vector<size_t>& outputs() const { return outputs_; }  // argument indices
  const std::vector<size_t>& buffers() const { return buffers_; }
  // The buffer's bytes; for a texture backed by an array, those last copied by fetch().
  CuPointer at(size_t argument) const { return at_[argument]; }
  Status fetch(size_t argument) const { return textures_[argument].store_to(gpu_, at_[argument]); }
  bool any_poisoned() const;

  // Stores into the guard zones since allocate(), found on the GPU.
  Result<std::vector<GuardHit>> guard_hits();

 private:
  Status make_image(size_t argument);
  bool has_array(size_t argument) const { return textures_[argument].has_array(); }

  Gpu& gpu_;
  const Job& job_;
  std::vector<DeviceBytes> memory_;           // one per argument; empty for scalars
  std::vector<uint64_t> guard_;               // bytes per zone
  std::vector<CuPointer> at_;                 // of the buffer itself
  std::vector<DeviceTexture> textures_;       // one per argument; mostly empty
  std::vector<CuObject> objects_;             // of textures_
  std::vector<EncodedTensorMap> maps_;        // one per argument; mostly empty
  std::vector<std::vector<uint8_t>> images_;  // contents produced by the fills, made on first use
  std::vector<DeviceBytes> pristine_;         // the same on the GPU, for refill()
  std::vector<std::vector<uint8_t>> scalars_;
  std::vector<void*> arguments_;
  std::vector<size_t> outputs_;
  std::vector<size_t> buffers_;
};

}  // namespace warpshop::device
