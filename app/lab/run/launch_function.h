// Runs the student's `launch` function, which returns grid, block and dynamic shared memory. It
// runs on the emulator with one thread, called by a small kernel appended to the file.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "emulator/launch.h"
#include "lab/lab.h"
#include "run/compiled_file.h"

namespace warpshop::lab {

struct LaunchShape {
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
};

// The text appended to the file: CompileInput::trailer.
std::string launch_trailer(const Exercise& exercise);

// The compiler's errors, with those in the trailer translated into the student's terms: no launch
// function, wrong parameters, not for the device. `source` is the student's text.
Diagnostics explain_launch_errors(Diagnostics errors, const Exercise& exercise,
                                  const std::string& file_name, std::string_view source);

// The error for a missing kernel, with the place and name of the one that was most likely meant.
Diagnostics explain_missing_kernel(Diagnostics errors, const Exercise& exercise,
                                   const std::string& file_name, std::string_view source);

// Whether the text is only blanks and comments.
bool is_empty_text(std::string_view source);

// The place of the launch function in the text; without a line if not found.
SourcePlace launch_function_place(const Exercise& exercise, const std::string& file_name,
                                  std::string_view source);

// The place that decides the launch: its return statement, or the function's head if it has several
// or none.
SourcePlace launch_result_place(const Exercise& exercise, const std::string& file_name,
                                std::string_view source);

// Calls the launch function for one size. Error, at its place: it fails, does not end, or gives no
// blocks or no threads.
Result<LaunchShape> evaluate_launch(const CompiledFilePtr& file, const Exercise& exercise,
                                    const ProblemSize& size, std::string_view source);

}  // namespace warpshop::lab
