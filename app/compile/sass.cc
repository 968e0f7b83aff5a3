#include "compile/sass.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "core/child_process.h"
#include "core/files.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;

constexpr auto kLongestDisassembly = std::chrono::seconds(20);

std::string_view trimmed_line(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

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

// "/*00a0*/  @!P0 BRA `(.L_x_0) ;" → its address and "@!P0 BRA L_x_0 ;"
bool read_instruction(std::string_view line, SassLine& out) {
  if (!line.starts_with("/*")) return false;
  const size_t end = line.find("*/");
  if (end == std::string_view::npos) return false;
  uint64_t address = 0;
  const std::string_view digits = line.substr(2, end - 2);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return false;
  out.address = static_cast<int64_t>(address);
  out.text.clear();
  // Labels are written as `(.L_x_0).
  line = trimmed_line(line.substr(end + 2));
  for (size_t n = 0; n < line.size(); ++n) {
    if (line.substr(n).starts_with("`(.")) {
      const size_t close = line.find(')', n);
      if (close != std::string_view::npos) {
        out.text += line.substr(n + 3, close - n - 3);
        n = close;
        continue;
      }
    }
    out.text += line[n];
  }
  return !out.text.empty();
}

}  // namespace

Result<fs::path> find_nvdisasm() {
  std::vector<fs::path> places;
  if (const char* own = std::getenv("WARPSHOP_NVDISASM"); own != nullptr && *own != 0)
    places.emplace_back(own);
  places.push_back(cache_dir() / "nvdisasm-13.2" / "bin" / "nvdisasm");  // fetched by ./start
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
      sentence("run ./start to fetch it; or install the Python wheel nvidia-cuda-nvdisasm or the "
               "CUDA Toolkit and set WARPSHOP_NVDISASM to the program's path"));
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
                                       {{"why", std::string(trimmed_line(child->error_tail()))}}));
  }
  return read_disassembly(text);
}

std::vector<SassKernel> read_disassembly(std::string_view text) {
  constexpr std::string_view kSection = "//--------------------- .text.";
  std::vector<SassKernel> out;
  int ptx_line = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("//---------------------")) {
      ptx_line = 0;
      if (!line.starts_with(kSection)) {
        out.emplace_back();  // from another section; removed at the end
        continue;
      }
      line = line.substr(kSection.size());
      out.emplace_back().name = line.substr(0, line.find(' '));
      continue;
    }
    if (out.empty()) continue;
    if (line.starts_with("//## File")) {
      const size_t number = line.find("line ");
      ptx_line = 0;
      if (number != std::string_view::npos)
        (void)std::from_chars(line.data() + number + 5, line.data() + line.size(), ptx_line);
      continue;
    }
    SassLine shown;
    if (read_instruction(line, shown)) {
      shown.ptx_line = ptx_line;
      out.back().lines.push_back(std::move(shown));
    } else if (line.starts_with(".L_") && line.ends_with(':')) {
      shown.text = line.substr(1);
      out.back().lines.push_back(std::move(shown));
    }
  }
  std::erase_if(out, [](const SassKernel& k) { return k.name.empty(); });
  return out;
}

}  // namespace warpshop::compile
