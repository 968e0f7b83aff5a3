#include "lab/scene_run.h"

#include "core/files.h"

namespace warpshop::lab {

RunRequest scene_request(const Lab& lab, const Scene& scene, const models::GpuProfile& gpu) {
  RunRequest request;
  request.lab = &lab;
  request.step = lab.find_step(scene.step);
  request.source = scene.source;
  request.file_name = scene.file_name;
  request.gpu = gpu;
  const std::optional<Exercise>& exercise = request.step->exercise;
  if (!scene.gpu.empty()) {
    if (const auto profile = models::find_gpu_profile(data_dir(), scene.gpu); profile.ok())
      request.gpu = *profile;
  } else if (exercise && exercise->model_gpu) {
    request.gpu = *exercise->model_gpu;
  }
  request.record_blocks = {0};
  request.memory_timeline = scene.panel == "partitions" || scene.panel == "dram";
  return request;
}

}  // namespace warpshop::lab
