#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "fuzz_targets.h"
#include "lab/expression.h"
#include "lab/fills.h"
#include "lab/lab.h"
#include "lab/marks.h"
#include "lab/spec.h"
#include "models/gpu_profile.h"

namespace warpshop::fuzz {
namespace {

// A folder of this process, in memory where the system has such a place.
class Folder {
 public:
  Folder() {
    const std::filesystem::path shm = "/dev/shm";
    std::error_code error;
    const bool in_memory = std::filesystem::is_directory(shm, error);
    path_ = (in_memory ? shm : std::filesystem::temp_directory_path()) /
            ("warpshop-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_ / "labs" / "x");
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <typename T>
void look_at(const Result<T>& result, std::string_view text) {
  if (!result) (void)render(result.errors(), text);
}

}  // namespace

void read_lab_files(Bytes bytes) {
  if (bytes.empty()) return;
  static const Folder folder;
  const std::string text(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  const auto file = [&](const std::filesystem::path& name) {
    std::ofstream(folder.path() / name, std::ios::binary) << text;
    return folder.path() / name;
  };
  switch (bytes[0] % 6) {
    case 0:
      file("labs/x/lab.toml");
      return look_at(lab::load_lab(folder.path(), "x"), text);
    case 1: return look_at(lab::load_spec(file("spec.json")), text);
    case 2: return look_at(models::load_gpu_profile(file("gpu.toml")), text);
    case 3: return look_at(lab::split_marks(text, "marked.cu"), text);
    case 4: return look_at(lab::fill_from_spec(text), text);
    default: {
      const Result<lab::Expression> expression = lab::Expression::parse(text);
      look_at(expression, text);
      if (expression) look_at(expression->evaluate([](std::string_view) { return std::optional<double>(3); }), text);
    }
  }
}

}  // namespace warpshop::fuzz
