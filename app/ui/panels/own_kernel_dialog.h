// The dialog that opens the student's own kernel: choice of file, kernel and launch.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "core/diagnostic.h"
#include "lab/kernel_lab.h"
#include "panels/file_list.h"

namespace warpshop::ui {

struct OwnKernelState {
  FileList files;
  std::optional<lab::KernelFile> file;  // once it has been read
  size_t kernel = 0;                    // index in the file
  lab::KernelLabForm form;
  Diagnostics problems;  // with the file or with the choices made

  void read(const std::filesystem::path& from);  // loads the file, or notes why not
  void choose(size_t which);  // selects a kernel of the file, with defaults guessed from its code

 private:
  friend void own_kernel_dialog(const lab::LabLibrary* labs, OwnKernelState& state, bool appearing,
                                CommandQueue& queue);
  bool fresh_ = false;  // the file has just been read: the form takes the keyboard
};

// `labs`: among them may be one that was made from the same kernel before. May be null.
void own_kernel_dialog(const lab::LabLibrary* labs, OwnKernelState& state, bool appearing,
                       CommandQueue& queue);

}  // namespace warpshop::ui
