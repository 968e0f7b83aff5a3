// One submission as currently on disk: its text, its folders held open, and the fingerprint of
// everything that decides its grade.
#pragma once

#include <map>
#include <string>

#include "core/descriptor.h"
#include "core/result.h"
#include "grade/grade.h"

namespace warpshop::grade {

struct HandedIn {
  std::string text;
  std::string refused;      // why the text cannot be judged; empty: it can
  std::string fingerprint;  // a different one means grading again
  Descriptor folder;        // the student's
  Descriptor parent;        // the file's; the compiler's working folder
};

// Reads submissions and computes their fingerprints. A fingerprint covers the text; if that may
// read other files (an #include), the student's whole folder; the lab with its start, solution,
// reference, data and inputs; the GPU's profile; the prelude; the program; and every limit.
class Reader {
 public:
  Reader(const Class& submissions, const GradeOptions& options);

  // Follows no links, even if the student's folder changes meanwhile. Error: it cannot be read,
  // which is not the student's fault; gives the system's reason.
  Result<HandedIn> read(const Submission& submission);

 private:
  std::string exercise_hash(const Submission& submission);
  std::string folder_hash(const Submission& submission, int folder);

  const Class& class_;
  const GradeOptions& options_;
  std::string common_;  // the part common to all exercises
  std::map<const lab::Step*, std::string> exercises_;
  std::map<std::string, std::string> folders_;  // by student
};

}  // namespace warpshop::grade
