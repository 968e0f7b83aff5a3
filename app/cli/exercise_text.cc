#include "exercise_text.h"

#include "core/files.h"
#include "lab/workspace.h"

namespace warpshop::cli {

Result<ExerciseText> exercise_text(const TextChoice& choice, const lab::Lab& lab,
                                   const lab::Step& step) {
  const lab::Exercise& exercise = *step.exercise;
  if (choice.solution) {
    return ExerciseText{exercise.solution, exercise.solution_file.filename().string()};
  }
  if (choice.start) return ExerciseText{exercise.skeleton, step.id + ".cu"};
  if (choice.file == "-") {
    Result<std::string> source = read_standard_input();
    if (!source.ok()) return source.errors();
    return ExerciseText{std::move(*source), "standard input"};
  }
  if (!choice.file.empty()) {
    Result<std::string> source = read_file(choice.file);
    if (!source.ok()) return source.errors();
    return ExerciseText{std::move(*source), choice.file};
  }
  Result<std::string> source = lab::open_student_file(lab, step);
  if (!source.ok()) return source.errors();
  const std::filesystem::path path = lab::student_file(lab, step);
  std::error_code ignored;
  const bool begun = std::filesystem::exists(path, ignored);
  return ExerciseText{
      std::move(*source), step.id + ".cu",
      begun ? "Your text: " + path.string() : "The skeleton: you have no text in " + path.string()};
}

}  // namespace warpshop::cli
