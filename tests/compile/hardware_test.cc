// Registers and static shared memory of the 246 measured kernels, as reported by the H200's driver.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "compile/compiler.h"
#include "core/files.h"

namespace warpshop::compile {
namespace {

using nlohmann::json;

json read_json(const std::filesystem::path& path) {
  auto text = read_file(path);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? json::parse(*text) : json();
}

TEST(HardwareCases, RegistersAndStaticSharedAreThoseOfTheDriver) {
  auto compiler = Compiler::load();
  ASSERT_TRUE(compiler.ok()) << render(compiler.errors());
  if (compiler->version() != "13.0") {
    GTEST_SKIP() << "the truth was made with NVRTC 13.0, here is " << compiler->version();
  }
  const std::filesystem::path folder =
      std::filesystem::path(WARPSHOP_TESTS_DIR) / "hardware" / "cases";
  const json cases = read_json(folder / "cases.json");
  const json truth = read_json(folder / "truth.json");
  ASSERT_EQ(cases.size(), 246u);
  ASSERT_EQ(truth.size(), 246u);

  // Many cases share source and options; compile each combination once.
  std::map<std::string, std::map<std::string, KernelResources>> compiled;
  for (size_t i = 0; i < cases.size(); ++i) {
    const json& one = cases[i];
    ASSERT_EQ(one["name"], truth[i]["name"]);
    CompileInput input;
    input.file_name = one["source"];
    input.options = one.value("options", std::vector<std::string>());
    input.prelude = false;
    std::string key = input.file_name;
    for (const std::string& option : input.options) key += " " + option;
    if (!compiled.contains(key)) {
      auto source = read_file(folder / input.file_name);
      ASSERT_TRUE(source.ok());
      input.source = *source;
      auto output = compiler->compile(input);
      ASSERT_TRUE(output.ok()) << render(output.errors(), *source);
      compiled[key] = output->kernels;
    }
    const auto& kernels = compiled[key];
    const std::string kernel = one["kernel"];
    ASSERT_TRUE(kernels.contains(kernel)) << one["name"];
    EXPECT_EQ(kernels.at(kernel).registers, truth[i]["registers"]) << one["name"];
    EXPECT_EQ(kernels.at(kernel).static_shared_bytes, truth[i]["static_shared"]) << one["name"];
  }
}

}  // namespace
}  // namespace warpshop::compile
