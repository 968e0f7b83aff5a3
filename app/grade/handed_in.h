// One submission as it lies on the disk at this moment: its text, its folders held open, and the fingerprint of all that
// decides its grade.
#pragma once

#include <map>
#include <string>

#include "core/descriptor.h"
#include "core/result.h"
#include "grade/grade.h"

namespace warpshop::grade {

struct HandedIn {
  std::string text;
  std::string refused;      // why it is no text that can be judged; empty: it is one
  std::string fingerprint;  // another one means grading again
  Descriptor folder;        // the student's
  Descriptor parent;        // of the file: where the compiler works
};

// Reads submissions and makes their fingerprints. These cover the text; where it may read other files (an #include), the
// student's whole folder; the lab, its start, solution, reference, data and inputs; the GPU's profile; the prelude; the program; and every limit.
class Reader {
 public:
  Reader(const Class& submissions, const GradeOptions& options);

  // No link is followed, whatever the student's folder has become meanwhile. Error: it cannot be read, which is not the
  // student's fault, with the system's reason.
  Result<HandedIn> read(const Submission& submission);

 private:
  std::string exercise_hash(const Submission& submission);
  std::string folder_hash(const Submission& submission, int folder);

  const Class& class_;
  const GradeOptions& options_;
  std::string common_;                               // what is the same for every exercise
  std::map<const lab::Step*, std::string> exercises_;
  std::map<std::string, std::string> folders_;       // by student
};

}  // namespace warpshop::grade
