#include "nvrtc_job.h"

#include <algorithm>
#include <cstdlib>

#include "core/charconv.h"
#include "core/thread_time.h"

namespace warpshop::compile {
namespace {

using Library = Compiler::Library;

constexpr size_t kMostFields = 100'000;
constexpr size_t kMostBytes = size_t{1} << 30;

// Owns an NVRTC program and destroys it.
class Program {
 public:
  Program(const Library& library, const NvrtcJob& job) : library_(library), job_(job) {
    result_ = library.nvrtcCreateProgram(&program_, job.text.c_str(), job.name.c_str(), 0, nullptr,
                                         nullptr);
    for (const std::string& instance : job.instances) {
      if (result_ == 0) result_ = library.nvrtcAddNameExpression(program_, instance.c_str());
    }
  }
  ~Program() {
    if (program_ != nullptr) library_.nvrtcDestroyProgram(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void compile() {
    if (result_ != 0) return;
    end_s_ = thread_cpu_seconds() + job_.most_seconds;
    if (library_.nvrtcSetFlowCallback != nullptr)
      library_.nvrtcSetFlowCallback(program_, &Program::is_late, this);
    std::vector<const char*> pointers;
    for (const std::string& option : job_.options) pointers.push_back(option.c_str());
    result_ =
        library_.nvrtcCompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  NvrtcAnswer answer() const {
    NvrtcAnswer out;
    out.result = result_;
    out.late = late_;
    out.error = library_.nvrtcGetErrorString(result_);
    out.log = text(library_.nvrtcGetProgramLogSize, library_.nvrtcGetProgramLog);
    if (result_ != 0) return out;
    out.ptx = text(library_.nvrtcGetPTXSize, library_.nvrtcGetPTX);
    out.cubin = read(library_.nvrtcGetCUBINSize, library_.nvrtcGetCUBIN);
    for (const std::string& instance : job_.instances) {
      const char* name = nullptr;
      const bool known =
          library_.nvrtcGetLoweredName(program_, instance.c_str(), &name) == 0 && name != nullptr;
      out.names.emplace_back(known ? name : "");
    }
    return out;
  }

 private:
  static int is_late(void* program, void*) {
    auto* const self = static_cast<Program*>(program);
    self->late_ = self->late_ || thread_cpu_seconds() > self->end_s_;
    return self->late_ ? 1 : 0;
  }

  std::string read(NvrtcResult (*get_size)(NvrtcProgram, size_t*),
                   NvrtcResult (*get)(NvrtcProgram, char*)) const {
    size_t size = 0;
    if (program_ == nullptr || get_size(program_, &size) != 0 || size == 0) return {};
    std::string bytes(size, '\0');
    if (get(program_, bytes.data()) != 0) return {};
    return bytes;
  }

  std::string text(NvrtcResult (*get_size)(NvrtcProgram, size_t*),
                   NvrtcResult (*get)(NvrtcProgram, char*)) const {
    std::string bytes = read(get_size, get);
    while (!bytes.empty() && bytes.back() == '\0') bytes.pop_back();
    return bytes;
  }

  const Library& library_;
  const NvrtcJob& job_;
  NvrtcProgram program_ = nullptr;
  NvrtcResult result_ = 0;
  double end_s_ = 0;
  bool late_ = false;
};

}  // namespace

NvrtcAnswer run_nvrtc(const Library& library, const NvrtcJob& job) {
  Program program(library, job);
  program.compile();
  return program.answer();
}

std::string frame_of(const std::vector<std::string>& fields) {
  std::string out;
  for (const std::string& field : fields) out += std::to_string(field.size()) + ' ';
  out.back() = '\n';
  for (const std::string& field : fields) out += field;
  return out;
}

std::optional<std::vector<size_t>> lengths_of(std::string_view line) {
  std::vector<size_t> lengths;
  size_t all = 0;
  for (size_t at = 0; at <= line.size();) {
    const size_t end = std::min(line.find(' ', at), line.size());
    const std::optional<size_t> length = parse_number<size_t>(line.substr(at, end - at));
    if (!length || *length > kMostBytes || lengths.size() == kMostFields) return std::nullopt;
    all += *length;
    if (all > kMostBytes) return std::nullopt;
    lengths.push_back(*length);
    at = end + 1;
  }
  return lengths;
}

std::vector<std::string> fields_of(const std::vector<size_t>& lengths, std::string_view bytes) {
  std::vector<std::string> fields;
  for (const size_t length : lengths) {
    fields.emplace_back(bytes.substr(0, length));
    bytes.remove_prefix(std::min(length, bytes.size()));
  }
  return fields;
}

std::string seen_folder(size_t n) {
  return "/proc/self/fd/" + std::to_string(kFirstFolder + static_cast<int>(n));
}

std::vector<std::string> fields_of(const NvrtcJob& job) {
  std::vector<std::string> fields = {job.text, job.name, std::to_string(job.most_seconds),
                                     std::to_string(job.folders.size()),
                                     std::to_string(job.options.size())};
  fields.insert(fields.end(), job.folders.begin(), job.folders.end());
  fields.insert(fields.end(), job.options.begin(), job.options.end());
  fields.insert(fields.end(), job.instances.begin(), job.instances.end());
  return fields;
}

std::optional<NvrtcJob> job_of(const std::vector<std::string>& fields) {
  constexpr size_t kFirstFolderField = 5;
  if (fields.size() < kFirstFolderField) return std::nullopt;
  const std::optional<double> most_seconds = parse_number<double>(fields[2]);
  const std::optional<size_t> folders = parse_number<size_t>(fields[3]);
  const std::optional<size_t> options = parse_number<size_t>(fields[4]);
  const size_t left = fields.size() - kFirstFolderField;
  if (!most_seconds || !folders || !options || *folders > kMostFolders || *folders > left ||
      *options > left - *folders)
    return std::nullopt;
  NvrtcJob job;
  job.text = fields[0];
  job.name = fields[1];
  job.most_seconds = *most_seconds;
  const auto folder = fields.begin() + kFirstFolderField;
  const auto first = folder + static_cast<std::ptrdiff_t>(*folders);
  job.folders.assign(folder, first);
  const auto last = first + static_cast<std::ptrdiff_t>(*options);
  job.options.assign(first, last);
  job.instances.assign(last, fields.end());
  return job;
}

std::vector<std::string> fields_of(const NvrtcAnswer& answer) {
  std::vector<std::string> fields = {std::to_string(answer.result),
                                     answer.late ? "1" : "0",
                                     answer.error,
                                     answer.log,
                                     answer.ptx,
                                     answer.cubin};
  fields.insert(fields.end(), answer.names.begin(), answer.names.end());
  return fields;
}

std::optional<NvrtcAnswer> answer_of(const std::vector<std::string>& fields) {
  constexpr size_t kFirstName = 6;
  if (fields.size() < kFirstName) return std::nullopt;
  const std::optional<NvrtcResult> result = parse_number<NvrtcResult>(fields[0]);
  if (!result) return std::nullopt;
  NvrtcAnswer answer;
  answer.result = *result;
  answer.late = fields[1] == "1";
  answer.error = fields[2];
  answer.log = fields[3];
  answer.ptx = fields[4];
  answer.cubin = fields[5];
  answer.names.assign(fields.begin() + kFirstName, fields.end());
  return answer;
}

}  // namespace warpshop::compile
