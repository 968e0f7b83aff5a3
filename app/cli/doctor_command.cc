// What this machine has and lacks, each line with a fix.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "cli/main_cli.h"
#include "commands.h"
#include "compile/compiler.h"
#include "core/files.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

namespace fs = std::filesystem;

enum class Health { kOk, kWarn, kFail };

class Doctor {
 public:
  explicit Doctor(const Paint& paint) : paint_(paint) {}

  void say(Health health, const std::string& what, const std::string& found,
           const std::string& fix = {}) {
    const std::string mark = health == Health::kOk     ? paint_.good("ok  ")
                             : health == Health::kWarn ? paint_.bad("warn")
                                                       : paint_.bad("fail");
    print(mark + "  " + pad_right(what, 14) + "  " + found + "\n");
    if (health != Health::kOk && !fix.empty())
      print("      " + pad_right("", 14) + "  → " + fix + "\n");
    failed_ |= health == Health::kFail;
  }
  bool failed() const { return failed_; }

 private:
  const Paint& paint_;
  bool failed_ = false;
};

void check_compiler(Doctor& doctor) {
  const Result<compile::Compiler> compiler = compile::Compiler::load();
  if (!compiler.ok()) {
    const Diagnostic& error = compiler.errors().front();
    doctor.say(Health::kFail, "NVRTC", error.message, error.help);
    return;
  }
  const bool pinned = compiler->version() == "13.0";
  doctor.say(pinned ? Health::kOk : Health::kWarn, "NVRTC",
             compiler->version() + " at " + compiler->library_path(),
             "register counts were proved with 13.0: run ./start, which fetches it");
  if (compiler->include_path().empty()) {
    doctor.say(Health::kWarn, "CUDA headers",
               "none found: kernels that include cuda_fp16.h and the like fail",
               "run ./start, or install the CUDA Toolkit 13.0");
  } else {
    doctor.say(Health::kOk, "CUDA headers", compiler->include_path());
  }
  compile::CompileInput input;
  input.source = "__global__ void probe(int* out) { *out = 1; }";
  input.file_name = "probe.cu";
  const Result<compile::CompileOutput> output = compiler->compile(input);
  if (output.ok()) {
    char text[64];
    std::snprintf(text, sizeof text, "a kernel compiles in %.0f ms", output->seconds * 1e3);
    doctor.say(Health::kOk, "compiling", text);
  } else {
    doctor.say(Health::kFail, "compiling", render(output.errors()), "reinstall NVRTC: run ./start");
  }
}

// A GPU is a help, not a need: the emulator does the lab's work.
void check_gpu(Doctor& doctor) {
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    doctor.say(Health::kOk, "GPU driver",
               "none (libcuda.so.1 is not installed): kernels run on the emulator");
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
    doctor.say(Health::kOk, "GPU driver",
               std::to_string(count) + (count == 1 ? " GPU" : " GPUs") + ", driver for CUDA " +
                   std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10));
  } else {
    doctor.say(Health::kWarn, "GPU driver",
               "libcuda.so.1 is there but gives no GPU: kernels run on the emulator",
               "nvidia-smi says whether the driver works");
  }
}

void check_display(Doctor& doctor) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  const bool x11 = set("DISPLAY");
  if (x11) {
    doctor.say(Health::kOk, "display", std::string("DISPLAY=") + std::getenv("DISPLAY"));
  } else {
    doctor.say(
        Health::kWarn, "display", set("WAYLAND_DISPLAY") ? "Wayland without XWayland" : "none",
        set("WAYLAND_DISPLAY")
            ? "install XWayland"
            : "the commands work without one; for the window, log in to a desktop or use ssh -X");
  }
  bool found = false;
  for (const char* name : {"libGL.so.1", "libOpenGL.so.0"}) {
    if (void* library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL)) {
      doctor.say(Health::kOk, "OpenGL", std::string(name) + " is installed");
      ::dlclose(library);
      found = true;
      break;
    }
  }
  if (!found) {
    doctor.say(Health::kWarn, "OpenGL", "libGL is not installed: the window cannot open",
               "apt-get install libgl1 libgl1-mesa-dri");
  }
}

// Creates the folder when it can, as the program would.
void check_folder(Doctor& doctor, const char* what, const fs::path& folder, Health when_not,
                  const char* fix) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && ::access(folder.c_str(), W_OK) == 0) {
    doctor.say(Health::kOk, what, folder.string());
  } else {
    doctor.say(when_not, what, folder.string() + " cannot be written", fix);
  }
}

void check_data(Doctor& doctor) {
  std::error_code error;
  const fs::path data = data_dir();
  std::string missing;
  for (const char* name : {"labs", "kernels", "solutions", "assets/gpus", "assets/prelude"}) {
    if (!fs::is_directory(data / name, error))
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (missing.empty()) {
    doctor.say(Health::kOk, "data", data.string());
  } else {
    doctor.say(Health::kFail, "data", data.string() + " lacks " + missing,
               "run ./start, or set WARPSHOP_DATA to the folder that holds them");
  }
  const lab::LabLibrary labs = lab::load_labs(data);
  if (labs.problems.empty()) {
    doctor.say(Health::kOk, "labs", std::to_string(labs.labs.size()) + " can be opened");
  } else {
    doctor.say(Health::kFail, "labs", render(labs.problems), "repair the files named");
  }
  const Result<std::vector<models::GpuProfile>> gpus = models::load_gpu_profiles(data);
  if (gpus.ok()) {
    doctor.say(Health::kOk, "GPU profiles", std::to_string(gpus->size()) + " can be simulated");
  } else {
    doctor.say(Health::kFail, "GPU profiles", render(gpus.errors()), "repair the files named");
  }
  size_t fonts = 0;
  for (fs::recursive_directory_iterator
           at(data / "fonts", fs::directory_options::follow_directory_symlink, error),
       end;
       !error && at != end; at.increment(error)) {
    const std::string extension = at->path().extension().string();
    if (extension == ".ttf" || extension == ".otf") ++fonts;
  }
  doctor.say(fonts > 0 ? Health::kOk : Health::kWarn, "fonts",
             fonts > 0 ? std::to_string(fonts) + " files" : "none in " + (data / "fonts").string(),
             "run ./start, which fetches them; the window falls back to its built-in font");
}

}  // namespace

int doctor_command() {
  const Paint paint = Paint::for_standard_output();
  Doctor doctor(paint);
  print("Warpshop " WARPSHOP_VERSION "\n");
  check_compiler(doctor);
  check_gpu(doctor);
  check_display(doctor);
  check_data(doctor);
  check_folder(doctor, "your work", user_dir(), Health::kWarn,
               "make it writable or set WARPSHOP_HOME; until then nothing that you write is saved");
  check_folder(doctor, "cache", cache_dir(), Health::kWarn,
               "make it writable or set WARPSHOP_CACHE");
  doctor.say(Health::kOk, "cores", std::to_string(std::thread::hardware_concurrency()));
  print(doctor.failed()
            ? paint.bad("something is missing: see the lines that begin with fail") + "\n"
            : paint.good("ready") + "\n");
  return doctor.failed() ? kToolFailed : kAllPassed;
}

}  // namespace warpshop::cli
