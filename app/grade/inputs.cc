// The seed of the inputs that a class is graded with.
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "core/descriptor.h"
#include "core/files.h"
#include "grade/grade.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;

Diagnostic inputs_failure(const fs::path& file, const std::string& what, int why) {
  return make_error("tool", file.string() + ": " + what + ": " + std::strerror(why),
                    "make the folder writable, or choose another --out");
}

// The seed as stored in the file.
std::string seed_text(uint64_t seed) { return std::to_string(seed) + "\n"; }

Result<uint64_t> read_seed(const fs::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text.ok()) return text.errors();
  uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), seed);
  if (error == std::errc() && seed_text(seed) == *text) return seed;
  return make_error(
      "usage", file.string() + ": not a seed: expected a line with one whole number",
      "give this grading's seed with --inputs, or delete the file to grade everything again");
}

// Written completely under a temporary name first: if several processes start at once, one creates
// the file and all read it.
Status write_new(const fs::path& file, uint64_t seed, bool replace) {
  const fs::path temporary = file.string() + "." + std::to_string(::getpid());
  const Descriptor to(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!to.is_open()) return inputs_failure(temporary, "cannot be written", errno);
  const std::string text = seed_text(seed);
  int why = ::write(to.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0
            : errno != 0                                                                     ? errno
                         : ENOSPC;
  if (why == 0 && replace) {
    why = ::rename(temporary.c_str(), file.c_str()) == 0 ? 0 : errno;
  } else if (why == 0) {
    why = ::link(temporary.c_str(), file.c_str()) == 0 || errno == EEXIST ? 0 : errno;
  }
  ::unlink(temporary.c_str());
  return why == 0 ? success() : Status(inputs_failure(file, "cannot be written", why));
}

}  // namespace

Result<uint64_t> inputs_seed(const fs::path& out, std::optional<uint64_t> wanted) {
  const fs::path file = out / "inputs-seed";
  std::error_code error;
  fs::create_directories(out, error);
  if (error) return inputs_failure(out, "cannot create the folder", error.value());
  const bool is_there = fs::exists(file, error);
  if (wanted) {
    const Result<uint64_t> known =
        is_there ? read_seed(file) : Result<uint64_t>(make_error("missing", "no seed"));
    if (known.ok() && *known == *wanted) return *wanted;
    const Status written = write_new(file, *wanted, true);
    if (!written.ok()) return written.errors();
    return *wanted;
  }
  if (is_there) return read_seed(file);
  uint64_t seed = 0;
  while (seed == 0) {
    if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed) && errno != EINTR) {
      return inputs_failure(file, "the system has no random numbers", errno);
    }
  }
  const Status written = write_new(file, seed, false);
  if (!written.ok()) return written.errors();
  return read_seed(file);
}

}  // namespace warpshop::grade
