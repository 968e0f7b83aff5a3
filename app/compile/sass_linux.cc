#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "compile/sass.h"
#include "core/ascii.h"
#include "core/child_process.h"
#include "core/fetched.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPinnedDisassembler = "nvdisasm-13.2";  // its folder, see cmake/fetch.py
constexpr auto kLongestDisassembly = std::chrono::seconds(20);

// Deleted on destruction.
struct TemporaryFile {
  fs::path path;
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path.empty()) fs::remove(path, ignored);
  }
};

Result<fs::path> write_temporary(const std::vector<uint8_t>& bytes) {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "warpshop-XXXXXX").string();
  const int file = error ? -1 : mkstemp(name.data());
  if (file < 0) return make_error("sass", sentence("cannot create a temporary file for nvdisasm"));
  close(file);
  std::ofstream out(name, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) {
    fs::remove(name, error);
    return make_error("sass", sentence("cannot write the temporary file {file}", {{"file", name}}));
  }
  return fs::path(name);
}

}  // namespace

Result<fs::path> find_nvdisasm() {
  std::vector<fs::path> places;
  if (const char* own = std::getenv("WARPSHOP_NVDISASM"); own != nullptr && *own != 0)
    places.emplace_back(own);
  for (const fs::path& place : places_of_fetched(kPinnedDisassembler))
    places.push_back(place / "bin" / "nvdisasm");
  for (const char* name : {"WARPSHOP_CUDA", "CUDA_HOME"}) {
    if (const char* dir = std::getenv(name); dir != nullptr && *dir != 0)
      places.push_back(fs::path(dir) / "bin" / "nvdisasm");
  }
  places.emplace_back("/usr/local/cuda-13.0/bin/nvdisasm");
  places.emplace_back("/usr/local/cuda/bin/nvdisasm");
  std::string tried;
  for (auto at = places.begin(); at != places.end(); ++at) {
    const fs::path& place = *at;
    if (access(place.c_str(), X_OK) == 0) return place;
    if (std::find(places.begin(), at, place) != at) continue;
    tried += "\n    " + place.string();
  }
  return make_error(
      "sass",
      sentence("NVIDIA's disassembler nvdisasm was not found. Tried:{tried}", {{"tried", tried}}),
      sentence("run {command} to fetch it; or install the Python wheel nvidia-cuda-nvdisasm or the "
               "CUDA Toolkit and set WARPSHOP_NVDISASM to the program's path",
               {{"command", fetch_command(kPinnedDisassembler)}}));
}

Result<std::vector<SassKernel>> disassemble(const std::vector<uint8_t>& cubin,
                                            const StopFlag* stop) {
  const Result<fs::path> program = find_nvdisasm();
  if (!program.ok()) return program.errors();
  const Result<fs::path> file = write_temporary(cubin);
  if (!file.ok()) return file.errors();
  const TemporaryFile goes{*file};
  Result<ChildProcess> child =
      ChildProcess::start({program->string(), "-c", "-gp", file->string()});
  if (!child.ok()) return child.errors();
  child->close_input();
  const auto deadline = ChildProcess::Clock::now() + kLongestDisassembly;
  std::string text, line;
  for (;;) {
    const ChildProcess::Read read = child->read_line(line, deadline, stop);
    if (read == ChildProcess::Read::kLine) {
      text += line + "\n";
      continue;
    }
    if (read == ChildProcess::Read::kClosed) break;
    return make_error("sass", read == ChildProcess::Read::kStopped
                                  ? sentence("stopped")
                                  : sentence("nvdisasm did not finish in time"));
  }
  const std::optional<int> status = child->wait_status(deadline);
  if (!status || *status != 0) {
    return make_error("sass", sentence("nvdisasm cannot read the kernel's machine code: {why}",
                                       {{"why", std::string(trimmed(child->error_tail()))}}));
  }
  return read_disassembly(text);
}

}  // namespace warpshop::compile
