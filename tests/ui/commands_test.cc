#include "app/commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/command_table.h"
#include "shown_texts.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

const fs::path kProjectFolder = WARPSHOP_SOURCE_DIR;

// The names behind each occurrence of these tokens.
std::vector<std::string> names_after(const std::vector<Token>& tokens,
                                     const std::vector<std::string>& before) {
  std::vector<std::string> out;
  for (size_t i = 0; i + before.size() < tokens.size(); ++i) {
    bool same = true;
    for (size_t n = 0; n < before.size(); ++n) same = same && tokens[i + n].text == before[n];
    if (same) out.push_back(tokens[i + before.size()].text);
  }
  return out;
}

TEST(Commands, EachIsHandledByOneController) {
  std::map<std::string, int> handlers;
  for (const auto& [file, tokens] : sources_in(kProjectFolder, "app/ui")) {
    for (const std::string on : {"on", "on_work"}) {
      for (const std::string& name :
           names_after(tokens, {on, "(", "[", "this", "]", "(", "const", "command", ":", ":"}))
        ++handlers[name];
    }
  }
  // A struct of the namespace stands at the start of its line.
  const std::string source = *read_file(kProjectFolder / "app/ui/app/commands.h");
  const size_t begin = source.find("namespace command {"),
               end = source.find("}  // namespace command");
  ASSERT_TRUE(begin < end && end != std::string::npos);
  const std::vector<std::string> commands =
      names_after(tokens_of(source.substr(begin, end - begin)), {"struct"});
  EXPECT_GT(commands.size(), 100u);
  for (const std::string& command : commands) EXPECT_EQ(handlers[command], 1) << command;
}

TEST(Commands, AreAppliedByTheirTypeAndSayWhetherTheyChangeTheStudentsWork) {
  CommandTable table;
  int steps = 0;
  std::string gpu;
  table.on_work([&](const command::MoveStep& c) { steps += c.by; });
  table.on([&](const command::SelectGpu& c) { gpu = c.id; });
  table.apply(command::MoveStep{-1});
  table.apply(command::SelectGpu{"h200"});
  EXPECT_EQ(steps, -1);
  EXPECT_EQ(gpu, "h200");
  EXPECT_TRUE(table.is_work(command::MoveStep{}));
  EXPECT_FALSE(table.is_work(command::SelectGpu{}));
}

}  // namespace
}  // namespace warpshop::ui
