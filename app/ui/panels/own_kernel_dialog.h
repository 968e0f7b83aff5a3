// The dialog that opens a kernel of the student's own: which file, which kernel, and what it runs
// with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "core/diagnostic.h"
#include "lab/kernel_lab.h"

namespace warpshop::ui {

struct OwnKernelState {
  std::string path;                     // as it is typed: a folder or a file
  std::optional<lab::KernelFile> file;  // once it is read
  size_t kernel = 0;                    // of the file
  lab::KernelLabForm form;
  Diagnostics problems;  // with the file, or with what was chosen

  void read(const std::filesystem::path& from);  // the file, or why it cannot be read
  void choose(size_t which);  // a kernel of the file, with what can be guessed of it

 private:
  friend void own_kernel_dialog(OwnKernelState& state, bool appearing, CommandQueue& queue);
  std::string listed_;  // the folder that `entries_` were read of
  std::vector<std::filesystem::directory_entry> entries_;
};

void own_kernel_dialog(OwnKernelState& state, bool appearing, CommandQueue& queue);

}  // namespace warpshop::ui
