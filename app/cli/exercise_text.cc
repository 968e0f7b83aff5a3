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
  Result<std::optional<lab::WrittenText>> text = lab::newest_text(lab, step);
  if (!text.ok()) return text.errors();
  if (!text->has_value()) {
    return ExerciseText{
        exercise.skeleton, step.id + ".cu",
        "The skeleton: you have no text in " + lab::student_file(lab, step).string()};
  }
  return ExerciseText{std::move((*text)->text), step.id + ".cu",
                      "Your text: " + (*text)->file.string()};
}

}  // namespace warpshop::cli
