#include "lab/gpu_job.h"

#include "core/expression.h"
#include "files/each_fill.h"
#include "run/exercise_run.h"
#include "run/job_tensor.h"
#include "run/texture_objects.h"

namespace warpshop::lab {
namespace {

device::KernelSource kernel_of(const Exercise& exercise, const std::string& source,
                               const std::string& file_name, const KernelRun& run) {
  device::KernelSource out;
  out.source = source;
  out.file_name = file_name;
  out.entry = exercise.kernel;
  out.whole_program = exercise.whole_program;
  if (exercise.whole_program) out.include_dirs = {exercise.reference_file.parent_path().string()};
  out.grid = run.grid;
  out.block = run.block;
  out.dynamic_shared_bytes = run.dynamic_shared_bytes;
  out.cooperative = exercise.cooperative;
  return out;
}

}  // namespace

double useful_bytes_of(const Exercise& exercise, const ProblemSize& size) {
  if (exercise.useful_bytes.empty()) return 0;
  const Result<Expression> bytes = Expression::parse(exercise.useful_bytes);
  return bytes->evaluate(lookup_in(size.variables)).value();
}

Result<device::Job> gpu_job(const Exercise& exercise, const SizeResult& size, const RunResult& run,
                            int gpu) {
  device::Job job;
  job.gpu = gpu;
  job.student = kernel_of(exercise, run.source, run.file_name, size.student);
  job.reference = kernel_of(exercise, exercise.reference,
                            exercise.reference_file.filename().string(), size.reference);
  job.tolerance = exercise.tolerance;
  for (const KernelArg& arg : exercise.args) {
    device::JobArg out;
    out.name = arg.name;
    out.type = arg.type;
    if (arg.is_buffer) {
      out.is_buffer = true;
      out.size_bytes = element_count(arg, size.size) * static_cast<uint64_t>(size_bytes(arg.type));
      out.each = each_element_of(arg, size.size);
      if (out.each) {
        out.fill.kind = FillKind::kFile;
      } else {
        Result<Content> content = content_of(arg, size.size);
        if (!content.ok()) return content.errors();
        out.fill = std::move(content->fill);
        out.file_bytes = std::move(content->bytes);
      }
      out.output = arg.output;
      if (arg.texture) out.texture = job_texture(*arg.texture, extent_of(arg, size.size));
      if (arg.tensor) {
        const Result<emulator::TensorMap> map = tensor_map_of(*arg.tensor, size.size.variables);
        if (!map.ok()) return map.errors();
        out.tensor = job_tensor(*map);
      }
    } else {
      out.scalar = scalar_argument(arg, size.size).bytes;
    }
    job.args.push_back(std::move(out));
  }
  return job;
}

}  // namespace warpshop::lab
