// `run --spec` on a GPU: each case becomes a job for the worker.
#include "core/files.h"
#include "lab/spec.h"
#include "run/job_tensor.h"
#include "run/texture_objects.h"
#include "spec/spec_fill_file.h"

namespace warpshop::lab {
namespace {

// The bytes of a scalar, or of a struct of scalars.
Result<std::vector<uint8_t>> bytes_without_buffers(const SpecArg& arg) {
  if (arg.is_buffer) {
    return make_error("gpu", sentence("a struct that holds a buffer runs on the emulator only"),
                      sentence("pass the buffer as an argument of its own"));
  }
  if (arg.fields.empty()) return arg.scalar.bytes;
  std::vector<std::vector<uint8_t>> fields;
  for (const SpecArg& field : arg.fields) {
    Result<std::vector<uint8_t>> bytes = bytes_without_buffers(field);
    if (!bytes.ok()) return bytes;
    fields.push_back(std::move(*bytes));
  }
  return struct_bytes(fields, arg.fields);
}

Result<device::Job> job_of(const SpecCase& spec_case, const SpecOptions& options, int gpu) {
  Result<std::string> text = read_file(spec_case.source);
  if (!text.ok()) return text.errors();
  device::Job job;
  job.gpu = gpu;
  job.hashes = true;
  job.bytes = options.keep_buffers || !options.dump_dir.empty();
  job.time = options.measure;
  job.counters = options.counters;
  job.time_limit_s = options.time_limit_s;
  device::KernelSource& kernel = job.student;
  kernel.source = std::move(*text);
  kernel.file_name = spec_case.source.filename().string();
  kernel.entry = spec_case.kernel;
  kernel.options = spec_case.options;
  kernel.prelude = spec_case.prelude;
  kernel.whole_program = true;
  kernel.is_ptx = spec_case.source.extension() == ".ptx";
  const std::filesystem::path folder = spec_case.source.parent_path();
  kernel.include_dirs = {folder.empty() ? std::string(".") : folder.string()};
  kernel.grid = spec_case.grid;
  kernel.block = spec_case.block;
  kernel.dynamic_shared_bytes = spec_case.dynamic_shared_bytes;
  kernel.cooperative = spec_case.cooperative;
  if (spec_case.cluster.count() > 0 || spec_case.large_clusters) {
    return make_error_at(spec_case.place, "gpu",
                         "a cluster size of the launch cannot be measured on a GPU yet",
                         "write the size into the kernel: __cluster_dims__(x, y, z)");
  }
  size_t index = 0;
  for (const SpecArg& arg : spec_case.args) {
    device::JobArg out;
    if (!arg.is_buffer) {
      const Result<std::vector<uint8_t>> bytes = bytes_without_buffers(arg);
      if (!bytes.ok())
        return make_error_at(spec_case.place, "gpu", bytes.errors().front().message,
                             bytes.errors().front().help);
      out.scalar = *bytes;
      job.args.push_back(std::move(out));
      continue;
    }
    out.is_buffer = true;
    out.name = arg.buffer_name(index++);
    out.size_bytes = arg.size_bytes;
    out.fill = arg.fill;
    if (arg.tensor) {
      out.type = element_type_of(arg.tensor->type);
      out.tensor = job_tensor(*arg.tensor);
    }
    if (arg.texture && !arg.extent.is_flat()) {
      return make_error_at(
          spec_case.place, "gpu",
          "a texture or surface with depth, layers or cube cannot be passed to a GPU worker yet",
          "run this case on the emulator");
    }
    if (arg.texture) {
      out.type = arg.type;
      out.texture = job_texture(*arg.texture, arg.extent);
    }
    if (arg.fill.kind == FillKind::kFile) {
      Result<std::string> bytes = read_fill_file(spec_case, arg);
      if (!bytes.ok()) return bytes.errors();
      out.file_bytes = bytes->substr(0, arg.size_bytes);
    }
    job.args.push_back(std::move(out));
  }
  return job;
}

void take(device::JobResult got, const SpecCase& spec_case, const SpecOptions& options,
          CaseResult& result) {
  result.ran = true;
  result.on_gpu = true;
  result.has_resources = true;
  result.run.completed = true;
  result.run.registers = got.student.registers;
  result.run.static_shared_bytes = got.student.static_shared_bytes;
  result.run.occupancy.blocks_per_sm = got.student.blocks_per_sm;
  result.run.printed = std::move(got.printed);
  result.buffers = std::move(got.hashes);
  result.measured = std::move(got.timing);
  result.counted = std::move(got.counters);
  for (const device::GuardHit& hit : got.guards) {
    result.errors.push_back(make_error_at(
        spec_case.place, "out-of-bounds",
        "the kernel stored " + std::to_string(hit.bytes) + " bytes outside " + hit.buffer +
            ", first at byte offset " + std::to_string(hit.offset_bytes)));
  }
  for (size_t i = 0; !options.dump_dir.empty() && i < got.bytes.size(); ++i) {
    const auto path = options.dump_dir / (spec_case.name + "." + std::to_string(i) + ".bin");
    const std::vector<uint8_t>& bytes = got.bytes[i];
    const Status written = write_file_atomically(
        path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});  // NOLINT: as text
    if (!written.ok()) result.errors.push_back(written.errors().front());
  }
  if (options.keep_buffers) result.bytes = std::move(got.bytes);
}

}  // namespace

Result<std::vector<CaseResult>> run_spec_on_gpu(const std::vector<SpecCase>& cases,
                                                const SpecOptions& options,
                                                device::WorkerClient& worker, int gpu) {
  const Result<device::Hello> hello = worker.hello(options.stop);
  if (!hello.ok()) return hello.errors();
  const Result<device::GpuInfo> info = device::usable_gpu(hello.value(), gpu);
  if (!info.ok()) return info.errors();
  gpu = info.value().index;

  std::vector<CaseResult> out(cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    CaseResult& result = out[i];
    result.name = cases[i].name;
    const Result<device::Job> job = job_of(cases[i], options, gpu);
    if (options.stop != nullptr && options.stop->requested()) {
      result.errors = {make_error("stopped", "stopped before this case ran")};
    } else if (!job.ok()) {
      result.errors = job.errors();
    } else {
      Result<device::JobResult> got = worker.run(job.value(), options.stop);
      if (got.ok()) {
        take(std::move(*got), cases[i], options, result);
      } else {
        result.errors = got.errors();
      }
    }
    if (options.progress) {
      options.progress("cases", static_cast<double>(i + 1) / static_cast<double>(cases.size()));
    }
  }
  return out;
}

}  // namespace warpshop::lab
