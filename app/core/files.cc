#include "core/files.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "core/descriptor.h"
#include "core/fetched.h"
#include "core/write_all.h"

namespace warpshop {
namespace {

namespace fs = std::filesystem;

Diagnostic file_error(const fs::path& path, Sentence what, int code) {
  what.then(std::generic_category().message(code), ": ");
  return make_error_at({path.string()}, "file", std::move(what));
}

// Adds a suggestion for fixing it.
Diagnostic write_error(const fs::path& path, Sentence what, int code) {
  Diagnostic error = file_error(path, std::move(what), code);
  if (code == ENOSPC || code == EDQUOT) {
    error.kind = kDiskFull;
    error.help = sentence("free some space on that disk, or choose a folder on another disk");
  } else if (code == EFBIG) {
    error.kind = "tool";
    error.help = sentence("raise the limit on the size of files: ulimit -f");
  } else if (code == EACCES || code == EPERM || code == EROFS) {
    error.kind = kNotWritable;
    error.help = sentence("make the folder writable, or choose another one");
  }
  return error;
}

Diagnostic too_large(const fs::path& path, size_t most) {
  return make_error_at(
      {path.string()}, "file",
      sentence("larger than {most} MiB, the most that is read here", {{"most", most >> 20}}));
}

Result<std::string> read_all(int fd, const fs::path& path, size_t most) {
  struct stat status = {};
  std::string content;
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    const auto size = static_cast<size_t>(status.st_size);
    if (size > most) return too_large(path, most);
    content.reserve(size);
  }
  char chunk[65536];
  for (;;) {
    const ssize_t got = ::read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(path, sentence("cannot read the file"), errno);
    if (got == 0) return content;
    if (content.size() + static_cast<size_t>(got) > most) return too_large(path, most);
    content.append(chunk, static_cast<size_t>(got));
  }
}

// The mode that a newly created file would get, found without changing the umask, which all threads
// share.
mode_t mode_for(const fs::path& path) {
  struct stat old = {};
  if (::stat(path.c_str(), &old) == 0) return old.st_mode & 07777;
  return 0644;
}

fs::path from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? fs::path(value) : fs::path();
}

// XDG Base Directory Specification: relative paths in these variables must be ignored.
fs::path xdg_base(const char* xdg_variable, const char* below_home) {
  if (fs::path xdg = from_environment(xdg_variable); xdg.is_absolute()) return xdg;
  fs::path home = from_environment("HOME");
  if (home.empty()) {
    const passwd* user = ::getpwuid(::getuid());
    home = user != nullptr ? user->pw_dir : "/";
  }
  return home / below_home;
}

fs::path xdg_dir(const char* own_variable, const char* xdg_variable, const char* below_home) {
  if (fs::path own = from_environment(own_variable); !own.empty()) return own;
  return xdg_base(xdg_variable, below_home) / "warpshop";
}

}  // namespace

Result<std::string> read_file(const fs::path& path, size_t most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return file_error(path, sentence("cannot open the file"), errno);
  return read_all(file.get(), path, most);
}

Result<std::string> read_standard_input() {
  return read_all(STDIN_FILENO, "standard input", kMostTextBytes);
}

bool is_written_in_place(const fs::path& path) {
  struct stat there = {};
  return ::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

Status write_file_atomically(const fs::path& path, std::string_view content) {
  if (is_written_in_place(path)) {
    Descriptor device(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (device.get() < 0) return write_error(path, sentence("cannot open the file"), errno);
    if (write_all(device.get(), content) && device.close_now()) return success();
    return write_error(path, sentence("cannot write to this device or pipe"), errno);
  }
  // Keeps symbolic links: replaces the file that the link points to.
  std::error_code error;
  fs::path target = path;
  if (fs::is_symlink(path, error)) {
    target = fs::weakly_canonical(path, error);
    if (error) return file_error(path, sentence("cannot follow the link"), error.value());
  }
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  fs::create_directories(folder, error);
  if (error) return write_error(folder, sentence("cannot create the folder"), error.value());

  std::string temporary = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) {
    return write_error(
        target, sentence("cannot write in the folder {folder}", {{"folder", folder.string()}}),
        errno);
  }
  const bool written = ::fchmod(file.get(), mode_for(target)) == 0 &&
                       write_all(file.get(), content) && ::fsync(file.get()) == 0 &&
                       file.close_now() && ::rename(temporary.c_str(), target.c_str()) == 0;
  if (written) return success();
  const int code = errno;
  ::unlink(temporary.c_str());
  return write_error(target, sentence("cannot write the file (the old text is untouched)"), code);
}

fs::path data_dir() {
  if (fs::path own = from_environment("WARPSHOP_DATA"); !own.empty()) return own;
  if (const fs::path prefix = installed_prefix(); !prefix.empty())
    return prefix / WARPSHOP_INSTALL_DATADIR;
  return fs::path(WARPSHOP_DATA_DIR_BUILD);
}

fs::path path_as_typed(const std::string& text) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (text == "~" || text.starts_with("~/")))
    return fs::path(home) / text.substr(std::min<size_t>(2, text.size()));
  return text;
}

fs::path user_dir() { return xdg_dir("WARPSHOP_HOME", "XDG_DATA_HOME", ".local/share"); }

fs::path config_base() { return xdg_base("XDG_CONFIG_HOME", ".config"); }

fs::path cache_dir() { return xdg_dir("WARPSHOP_CACHE", "XDG_CACHE_HOME", ".cache"); }

}  // namespace warpshop
