#include <filesystem>
#include <string>

#include "core/expression.h"
#include "fuzz_targets.h"
#include "lab/fills.h"
#include "lab/lab.h"
#include "lab/marks.h"
#include "lab/spec.h"
#include "models/gpu_profile.h"
#include "own_folder.h"

namespace warpshop::fuzz {
namespace {

template <typename T>
void look_at(const Result<T>& result, std::string_view text) {
  if (!result) (void)render(result.errors(), text);
}

}  // namespace

void read_lab_files(Bytes bytes) {
  if (bytes.empty()) return;
  static const OwnFolder folder("lab");
  const std::string text(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  const auto file = [&](const std::filesystem::path& name) { return folder.write(name, text); };
  switch (bytes[0] % 6) {
    case 0:
      file("labs/x/lab.toml");
      return look_at(lab::load_lab(folder.path(), "x"), text);
    case 1:
      return look_at(lab::load_spec(file("spec.json")), text);
    case 2:
      return look_at(models::load_gpu_profile(file("gpu.toml")), text);
    case 3:
      return look_at(lab::split_marks(text, "marked.cu"), text);
    case 4:
      return look_at(lab::fill_from_spec(text), text);
    default: {
      const Result<Expression> expression = Expression::parse(text);
      look_at(expression, text);
      if (expression)
        look_at(expression->evaluate([](std::string_view) { return std::optional<double>(3); }),
                text);
    }
  }
}

}  // namespace warpshop::fuzz
