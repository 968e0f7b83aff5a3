#include "run/kernel_key.h"

namespace warpshop::lab {
namespace {

std::string texture_key(const KernelArg& arg) {
  if (!arg.texture) return {};
  const emulator::TextureSettings& s = arg.texture->settings;
  std::string key = arg.texture->surface ? "surface" : arg.texture->plain ? "plain" : "texture";
  for (const int number :
       {arg.texture->channels, static_cast<int>(s.address[0]), static_cast<int>(s.filter),
        static_cast<int>(s.read), static_cast<int>(s.normalized_coordinates)}) {
    key += ' ' + std::to_string(number);
  }
  return key + ' ' + arg.width + ',' + arg.height;
}

std::string tensor_key(const KernelArg& arg) {
  if (!arg.tensor) return {};
  const TensorArg& tensor = *arg.tensor;
  std::string key = "map " + std::string(name_of(tensor.type)) + ' ' +
                    std::to_string(tensor.swizzle_bytes) + (tensor.nan_outside ? " nan" : "");
  for (const auto* list :
       {&tensor.extents, &tensor.strides, &tensor.box, &tensor.element_strides}) {
    key += ';';
    for (const std::string& number : *list) key += number + ',';
  }
  return key;
}

}  // namespace

std::string kernel_key(const RunRequest& request, const Exercise& exercise, const ProblemSize& size,
                       const std::string& text) {
  std::string key = request.gpu.id + '\n' + exercise.kernel + '\n' + exercise.launch +
                    (exercise.cooperative ? "+\n" : "\n");
  if (exercise.model_gpu) key += "by " + exercise.model_gpu->id + '\n';
  for (const KernelArg& arg : exercise.args) {
    key += std::string(name_of(arg.type)) + (arg.is_buffer ? "*" : "=") + arg.count + arg.value +
           texture_key(arg) + tensor_key(arg) + ',' + arg.fill + ',' + std::to_string(arg.seed) +
           ',' + std::to_string(arg.key) + (arg.output ? ",out" : "") + '\n' + arg.file_bytes;
  }
  for (const auto& [name, value] : size.variables) key += name + '=' + std::to_string(value) + '\n';
  for (uint64_t block : request.record_blocks) key += std::to_string(block) + ' ';
  return key + '\n' + text;
}

}  // namespace warpshop::lab
