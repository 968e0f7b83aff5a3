#include "handed_in.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "core/beneath.h"
#include "core/child_process.h"
#include "core/files.h"
#include "core/fill.h"
#include "core/utf8.h"

namespace warpshop::grade {
namespace {

namespace fs = std::filesystem;

// Limits on hashing a student's folder, whose texts may include each other. Files beyond them count
// by size and times.
constexpr size_t kMostEntries = 4096;
constexpr size_t kMostBytes = size_t{64} << 20;
// No path that the compiler can open has more folders: PATH_MAX is 4096.
constexpr int kDeepest = 2048;

std::string hash_of(std::string_view text) {
  return fnv1a_hex({reinterpret_cast<const uint8_t*>(text.data()), text.size()});  // NOLINT
}

// Appends a part with its length, so that no two sequences of parts look the same.
void add(std::string& to, std::string_view part) {
  to += std::to_string(part.size()) + ':';
  to += part;
}

Diagnostic unreadable(const std::string& name, int why) {
  return make_error("unreadable", name + " cannot be read: " + std::strerror(why),
                    "make it readable for yourself, and grade again");
}

bool is_link(int why) { return why == ELOOP || why == EXDEV; }

// Whether nothing in the text makes the compiler open another file. Backslashes, trigraphs and line
// ends can split a word.
bool stands_alone(std::string_view text) {
  std::string words;
  for (const char c : text) {
    if (std::string_view("\\\n\r\t\v\f ?/").find(c) == std::string_view::npos) words += c;
  }
  constexpr std::string_view kReaders[] = {"include", "embed", "import"};
  return std::none_of(std::begin(kReaders), std::end(kReaders),
                      [&](std::string_view word) { return words.find(word) != std::string::npos; });
}

// Hashes everything in a folder, by name and content.
class FolderText {
 public:
  explicit FolderText(int root) : root_(root) {}

  std::string read() {
    add_folder(".", 0);
    return std::move(out_);
  }

 private:
  void add_folder(const fs::path& relative, int depth) {
    const Result<std::vector<FolderEntry>> entries = entries_beneath(root_, relative);
    if (!entries.ok() || depth > kDeepest) return add(out_, "unreadable");
    for (const FolderEntry& entry : *entries) {
      ++entries_;
      const fs::path path = relative / entry.name;
      add(out_, entry.name);
      switch (entry.kind) {
        case EntryKind::kFolder:
          add(out_, "{");
          add_folder(path, depth + 1);
          add(out_, "}");
          break;
        case EntryKind::kFile:
          add_file(path);
          break;
        case EntryKind::kLink:
          add_link(path);
          break;
        case EntryKind::kOther:
          add(out_, "other");
      }
    }
  }

  void add_file(const fs::path& path) {
    const Descriptor file = open_beneath(root_, path, O_RDONLY | O_NONBLOCK);
    struct stat info {};
    if (!file.is_open() || ::fstat(file.get(), &info) != 0) return add(out_, "unreadable");
    bytes_ += static_cast<size_t>(info.st_size);
    if (!S_ISREG(info.st_mode) || bytes_ > kMostBytes || entries_ > kMostEntries) {
      char times[96];
      std::snprintf(times, sizeof times, "%" PRIdMAX " %" PRIdMAX ".%09ld %" PRIdMAX ".%09ld",
                    static_cast<intmax_t>(info.st_size), static_cast<intmax_t>(info.st_mtim.tv_sec),
                    info.st_mtim.tv_nsec, static_cast<intmax_t>(info.st_ctim.tv_sec),
                    info.st_ctim.tv_nsec);
      return add(out_, times);
    }
    std::string text(static_cast<size_t>(info.st_size), '\0');
    const ssize_t got = text.empty() ? 0 : ::pread(file.get(), text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<size_t>(got));
    add(out_, hash_of(text));
  }

  void add_link(const fs::path& path) {
    const Descriptor link = open_beneath(
        root_, path.parent_path().empty() ? "." : path.parent_path(), O_PATH | O_DIRECTORY);
    char target[4096];
    const ssize_t length = ::readlinkat(link.get(), path.filename().c_str(), target, sizeof target);
    add(out_, length < 0 ? "unreadable" : std::string_view(target, static_cast<size_t>(length)));
  }

  int root_;
  std::string out_;
  size_t entries_ = 0;
  size_t bytes_ = 0;
};

// A folder of the program's own data, whose links can be trusted.
std::string hash_of_data(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator
           at(folder, fs::directory_options::follow_directory_symlink, error),
       end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    const Result<std::string> text = read_file(at->path());
    files[at->path().lexically_relative(folder).string()] =
        text.ok() ? hash_of(*text) : "unreadable";
  }
  std::string all;
  for (const auto& [name, hash] : files) {
    add(all, name);
    add(all, hash);
  }
  return hash_of(all);
}

// Fingerprint of this program: a newer one may judge differently.
const std::string& program_hash() {
  static const std::string hash = [] {
    const Result<std::string> program = read_file(own_program(), kMostDataBytes);
    return program.ok() ? hash_of(*program) : std::string(WARPSHOP_VERSION);
  }();
  return hash;
}

// The file's text, or why it is not one.
Status read_text(const Descriptor& file, const std::string& name, uint64_t limit, HandedIn& out) {
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return unreadable(name, errno);
  if (!S_ISREG(info.st_mode)) {
    out.refused = name + " is not a text file";
    return success();
  }
  if (static_cast<uint64_t>(info.st_size) > limit) {
    out.refused = name + " has " + std::to_string(info.st_size) + " bytes; at most " +
                  std::to_string(limit) + " are read";
    return success();
  }
  // Reading one byte more than allowed detects a file that grows.
  out.text.resize(static_cast<size_t>(limit) + 1);
  size_t at = 0;
  while (at < out.text.size()) {
    const ssize_t got = ::read(file.get(), out.text.data() + at, out.text.size() - at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(name, errno);
    if (got == 0) break;
    at += static_cast<size_t>(got);
  }
  out.text.resize(at);
  if (at > limit) {
    out.refused = name + " has more than the " + std::to_string(limit) + " bytes that are read";
  } else if (out.text.find('\0') != std::string::npos) {
    out.refused = name + (looks_like_utf16(out.text) ? " is in UTF-16: save it as UTF-8"
                                                     : " is not text: it has bytes of value 0");
  }
  return success();
}

}  // namespace

Reader::Reader(const Class& submissions, const GradeOptions& options)
    : class_(submissions), options_(options) {
  add(common_, program_hash());
  add(common_, hash_of_data(data_dir() / "assets" / "prelude"));
  add(common_, hash_of_data(data_dir() / "assets" / "gpus"));
  add(common_, models::gpu_profile_toml(options.gpu, {}));  // may be a file of the lecturer's
  char limits[256];
  std::snprintf(limits, sizeof limits, "%.17g %.17g %" PRIu64 " %" PRIu64 " %" PRIu64,
                options.time_limit_s, options.wall_limit_s, options.memory_bytes,
                options.file_limit_bytes, options.instruction_budget);
  add(common_, limits);
  if (options.on_gpu()) {
    std::snprintf(limits, sizeof limits, "gpu %d %.17g", options.worker_gpu,
                  options.worker_time_limit_s);
    add(common_, limits);
  }
}

std::string Reader::exercise_hash(const Submission& submission) {
  std::string& hash = exercises_[submission.step];
  if (!hash.empty()) return hash;
  const lab::Exercise& exercise = *submission.step->exercise;
  const Result<std::string> lab_file = read_file(submission.lab->folder / "lab.toml");
  std::string all = common_;
  for (const std::string_view part :
       {std::string_view(lab_file.ok() ? *lab_file : std::string_view()),
        std::string_view(submission.step->id), std::string_view(exercise.reference),
        std::string_view(exercise.skeleton), std::string_view(exercise.solution)}) {
    add(all, part);
  }
  for (const lab::KernelArg& arg : exercise.args) {
    add(all, arg.file_bytes);
    add(all, std::to_string(arg.key));
  }
  return hash = hash_of(all);
}

std::string Reader::folder_hash(const Submission& submission, int folder) {
  std::string& hash = folders_[submission.student];
  if (hash.empty()) hash = hash_of(FolderText(folder).read());
  return hash;
}

Result<HandedIn> Reader::read(const Submission& submission) {
  const std::string name = shown_name(submission.file.lexically_normal().string());
  HandedIn out;
  out.folder = open_beneath(class_.root->get(), submission.folder, O_PATH | O_DIRECTORY);
  int why = errno;
  if (out.folder.is_open()) {
    out.parent =
        open_beneath(class_.root->get(), submission.file.parent_path(), O_PATH | O_DIRECTORY);
    why = errno;
  }
  Descriptor file;
  if (out.parent.is_open()) {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    file = open_beneath(out.parent.get(), submission.file.filename(), O_RDONLY | O_NONBLOCK);
    why = errno;
  }
  if (file.is_open()) {
    const Status done = read_text(file, name, options_.file_limit_bytes, out);
    if (!done.ok()) return done.errors();
  } else if (is_link(why)) {
    out.refused =
        name + (out.parent.is_open() ? " is a link; hand in the file itself"
                                     : " is reached through a link; hand in the folder itself");
  } else if (why == ENXIO) {  // open(2): a socket
    out.refused = name + " is not a text file";
  } else {
    return unreadable(name, why);
  }
  out.fingerprint = exercise_hash(submission) + '-' +
                    hash_of(out.refused.empty() ? out.text : "refused: " + out.refused);
  if (out.refused.empty() && !stands_alone(out.text))
    out.fingerprint += '-' + folder_hash(submission, out.folder.get());
  return out;
}

}  // namespace warpshop::grade
