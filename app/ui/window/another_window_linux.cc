#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "window/another_window.h"

namespace warpshop::ui {

bool open_another_window(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"warpshop"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, pointers.data(), environ) != 0)
    return false;
  std::thread([child] { ::waitpid(child, nullptr, 0); }).detach();
  return true;
}

}  // namespace warpshop::ui
