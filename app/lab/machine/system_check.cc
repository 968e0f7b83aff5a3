#include "lab/system_check.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "compile/compiler.h"
#include "core/fetched.h"
#include "core/files.h"
#include "lab/lab.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;

using SystemCheck = std::vector<SystemCheckLine>;
using State = SystemCheckLine::State;

void say(SystemCheck& lines, State state, Sentence what, Sentence found, Sentence fix = {}) {
  if (state == State::kOk) fix.clear();
  lines.push_back({state, std::move(what), std::move(found), std::move(fix)});
}

void check_compiler(SystemCheck& lines) {
  const Result<compile::Compiler> compiler = compile::Compiler::load();
  if (!compiler.ok()) {
    const Diagnostic& error = compiler.errors().front();
    say(lines, State::kFail, "NVRTC", error.message, error.help);
    return;
  }
  const bool pinned = compiler->version() == "13.0";
  const std::string fetch = fetch_command("cuda-13.0");
  say(lines, pinned ? State::kOk : State::kWarn, "NVRTC",
      sentence("{version} at {path}",
               {{"version", compiler->version()}, {"path", compiler->library_path()}}),
      sentence("register counts were validated with 13.0: run {command} to fetch it",
               {{"command", fetch}}));
  if (compiler->include_path().empty()) {
    say(lines, State::kWarn, sentence("CUDA headers"),
        sentence("none found: kernels that include cuda_fp16.h and the like fail"),
        sentence("run {command}, or install the CUDA Toolkit 13.0", {{"command", fetch}}));
  } else {
    say(lines, State::kOk, sentence("CUDA headers"), compiler->include_path());
  }
  compile::CompileInput input;
  input.source = "__global__ void probe(int* out) { *out = 1; }";
  input.file_name = "probe.cu";
  const Result<compile::CompileOutput> output = compiler->compile(input);
  if (output.ok()) {
    say(lines, State::kOk, sentence("compiling"),
        sentence("a kernel compiles in {ms} ms", {{"ms", decimal(output->seconds * 1e3, 0)}}));
  } else {
    say(lines, State::kFail, sentence("compiling"), render(output.errors()),
        sentence("reinstall NVRTC: run {command}", {{"command", fetch}}));
  }
}

// A GPU is optional: the emulator does the lab's work.
void check_gpu(SystemCheck& lines) {
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    say(lines, State::kOk, sentence("GPU driver"),
        sentence("none (libcuda.so.1 is not installed): kernels run on the emulator"));
    return;
  }
  using Init = int (*)(unsigned);
  using GetCount = int (*)(int*);
  using GetVersion = int (*)(int*);
  const auto init = reinterpret_cast<Init>(::dlsym(library, "cuInit"));  // NOLINT
  const auto get_count =
      reinterpret_cast<GetCount>(::dlsym(library, "cuDeviceGetCount"));  // NOLINT
  const auto get_version =
      reinterpret_cast<GetVersion>(::dlsym(library, "cuDriverGetVersion"));  // NOLINT
  int count = 0;
  int version = 0;
  const bool works = init != nullptr && get_count != nullptr && get_version != nullptr &&
                     init(0) == 0 && get_count(&count) == 0 && get_version(&version) == 0;
  if (works && count > 0) {
    say(lines, State::kOk, sentence("GPU driver"),
        counted(static_cast<uint64_t>(count), "{count} GPU, driver for CUDA {version}",
                "{count} GPUs, driver for CUDA {version}",
                {{"version",
                  std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)}}));
  } else {
    say(lines, State::kWarn, sentence("GPU driver"),
        sentence("libcuda.so.1 is installed but finds no GPU: kernels run on the emulator"),
        sentence("nvidia-smi shows whether the driver works"));
  }
}

void check_display(SystemCheck& lines) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  const bool x11 = set("DISPLAY");
  if (x11) {
    say(lines, State::kOk, sentence("display"), std::string("DISPLAY=") + std::getenv("DISPLAY"));
  } else {
    say(lines, State::kWarn, sentence("display"),
        set("WAYLAND_DISPLAY") ? sentence("Wayland without XWayland") : sentence("none"),
        set("WAYLAND_DISPLAY") ? sentence("install XWayland")
                               : sentence("the commands work without one; for the window, log in "
                                          "to a desktop or use ssh -X"));
  }
  bool found = false;
  for (const char* name : {"libGL.so.1", "libOpenGL.so.0"}) {
    if (void* library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
      say(lines, State::kOk, sentence("OpenGL"), sentence("{name} is installed", {{"name", name}}));
      ::dlclose(library);
      found = true;
      break;
    }
  }
  if (!found) {
    say(lines, State::kWarn, sentence("OpenGL"),
        sentence("libGL is not installed: the window cannot open"),
        "apt-get install libgl1 libgl1-mesa-dri");
  }
}

// Creates the folder if possible, as the program would.
void check_folder(SystemCheck& lines, Sentence what, const fs::path& folder, State when_not,
                  Sentence fix) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) == 0) {
    say(lines, State::kOk, std::move(what), folder.string());
  } else {
    say(lines, when_not, std::move(what),
        sentence("{folder} is not writable", {{"folder", folder.string()}}), std::move(fix));
  }
}

void check_fonts(SystemCheck& lines, const fs::path& data) {
  std::error_code error;
  size_t fonts = 0;
  for (fs::recursive_directory_iterator
           at(data / "fonts", fs::directory_options::follow_directory_symlink, error),
       end;
       !error && at != end; at.increment(error)) {
    const std::string extension = at->path().extension().string();
    if (extension == ".ttf" || extension == ".otf") ++fonts;
  }
  say(lines, fonts > 0 ? State::kOk : State::kWarn, sentence("fonts"),
      fonts > 0 ? sentence("{count} files", {{"count", fonts}})
                : sentence("none in {folder}", {{"folder", (data / "fonts").string()}}),
      sentence("run ./start, which fetches them; the window falls back to its built-in font"));
}

void check_data(SystemCheck& lines, bool window) {
  std::error_code error;
  const fs::path data = data_dir();
  std::string missing;
  for (const char* name : {"labs", "kernels", "solutions", "assets/gpus", "assets/prelude"}) {
    if (!fs::is_directory(data / name, error))
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (missing.empty()) {
    say(lines, State::kOk, sentence("data"), data.string());
  } else {
    say(lines, State::kFail, sentence("data"),
        sentence("{folder} lacks {missing}", {{"folder", data.string()}, {"missing", missing}}),
        sentence("run ./start, or set WARPSHOP_DATA to the folder that holds them"));
  }
  const lab::LabLibrary labs = lab::load_labs(lab::lab_places());
  if (labs.problems.empty()) {
    say(lines, State::kOk, sentence("labs"),
        sentence("{count} can be opened", {{"count", labs.labs.size()}}));
  } else {
    say(lines, State::kFail, sentence("labs"), render(labs.problems),
        sentence("repair the files named"));
  }
  Diagnostics unreadable;
  const Result<std::vector<models::GpuProfile>> gpus = models::load_gpu_profiles(data, &unreadable);
  if (!unreadable.empty()) {
    say(lines, State::kFail, sentence("GPU profiles"), render(unreadable),
        sentence("repair the files named"));
  } else if (gpus.ok()) {
    say(lines, State::kOk, sentence("GPU profiles"),
        sentence("{count} can be simulated", {{"count", gpus->size()}}));
  } else {
    say(lines, State::kFail, sentence("GPU profiles"), render(gpus.errors()),
        sentence("repair the files named"));
  }
  if (window) check_fonts(lines, data);
}

}  // namespace

std::vector<SystemCheckLine> check_system(bool window) {
  SystemCheck lines;
  check_compiler(lines);
  check_gpu(lines);
  if (window) check_display(lines);
  check_data(lines, window);
  check_folder(
      lines, sentence("your work"), user_dir(), State::kWarn,
      sentence(
          "make it writable or set WARPSHOP_HOME; until then nothing that you write is saved"));
  check_folder(lines, sentence("cache"), cache_dir(), State::kWarn,
               sentence("make it writable or set WARPSHOP_CACHE"));
  say(lines, State::kOk, sentence("cores"), std::to_string(std::thread::hardware_concurrency()));
  return lines;
}

bool any_failed(const std::vector<SystemCheckLine>& lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [](const SystemCheckLine& line) { return line.state == State::kFail; });
}

}  // namespace warpshop::lab
