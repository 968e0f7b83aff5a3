// The launch is the student's: their file's `launch` function says grid, block and dynamic shared
// memory. It runs on the emulator with one thread, called by a small kernel that is appended to the
// file.
#pragma once

#include <string>
#include <string_view>

#include "compiled_file.h"
#include "core/result.h"
#include "emulator/launch.h"
#include "lab/lab.h"

namespace warpshop::lab {

struct LaunchShape {
  emulator::Dim3 grid;
  emulator::Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
};

// What is appended to the file: CompileInput::trailer.
std::string launch_trailer(const Exercise& exercise);

// The compiler's errors with those of the trailer put into the student's terms: no launch function,
// wrong parameters, not for the device. `source` is the student's text.
Diagnostics explain_launch_errors(Diagnostics errors, const Exercise& exercise,
                                  const std::string& file_name, std::string_view source);

// The error that the exercise's kernel is not there, with the place and the name of the one that was most likely meant.
Diagnostics explain_missing_kernel(Diagnostics errors, const Exercise& exercise, const std::string& file_name,
                                   std::string_view source);

// Nothing but blanks and comments.
bool is_empty_text(std::string_view source);

// Where the launch function stands in the text; without a line when it cannot be found.
SourcePlace launch_function_place(const Exercise& exercise, const std::string& file_name,
                                  std::string_view source);

// Where it says what the launch is: its return, or the function where it has several or none.
SourcePlace launch_result_place(const Exercise& exercise, const std::string& file_name, std::string_view source);

// Calls the launch function for one size. Error: it fails, does not end, or gives no blocks or no threads, at its place.
Result<LaunchShape> evaluate_launch(const CompiledFilePtr& file, const Exercise& exercise,
                                    const ProblemSize& size, std::string_view source);

}  // namespace warpshop::lab
