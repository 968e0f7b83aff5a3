#include "core/beneath.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "beneath_parts.h"

namespace warpshop {
namespace {

namespace fs = std::filesystem;

struct CloseList {
  void operator()(DIR* list) const { ::closedir(list); }
};

Diagnostic refusal(const fs::path& folder, const fs::path& relative, int why) {
  const std::string name = relative.string();
  return make_error_at(
      {(folder / relative).string()}, "file",
      why == ELOOP || why == EXDEV
          ? sentence("{file} is a link, or is reached through one; links are not followed",
                     {{"file", name}})
          : sentence("{file} cannot be read: {error}",
                     {{"file", name}, {"error", std::generic_category().message(why)}}));
}

}  // namespace

Descriptor open_part_by_part(int folder, const fs::path& relative, int flags) {
  Descriptor at(::openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (auto part = relative.begin(); at.is_open() && part != relative.end(); ++part) {
    if (*part == ".." || part->is_absolute()) {
      errno = EXDEV;
      return {};
    }
    const bool last = std::next(part) == relative.end();
    const int how = last ? flags | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW;
    Descriptor next(::openat(at.get(), part->c_str(), how | O_CLOEXEC));
    if (!next.is_open()) {
      // O_DIRECTORY on a link gives ENOTDIR; report it as a link.
      const int why = errno;
      struct stat info {};
      const bool link = ::fstatat(at.get(), part->c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                        S_ISLNK(info.st_mode);
      errno = link ? ELOOP : why;
      return {};
    }
    struct stat info {};
    if (::fstat(next.get(), &info) == 0 && S_ISLNK(info.st_mode)) {  // O_PATH opens the link itself
      errno = ELOOP;
      return {};
    }
    at = std::move(next);
  }
  return at;
}

Descriptor open_folder(const fs::path& path) {
  return Descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

Result<std::vector<FolderEntry>> entries_beneath(int folder, const fs::path& relative) {
  const auto failed = [] { return make_error("file", std::generic_category().message(errno)); };
  Descriptor opened = open_beneath(folder, relative, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open()) return failed();
  // fdopendir takes ownership, so duplicate it
  const int again = ::fcntl(opened.get(), F_DUPFD_CLOEXEC, 3);
  const std::unique_ptr<DIR, CloseList> list(again < 0 ? nullptr : ::fdopendir(again));
  if (list == nullptr) return failed();
  std::vector<FolderEntry> out;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(list.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat info {};
    if (::fstatat(opened.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) continue;  // deleted in the meantime
      return failed();
    }
    out.push_back({name, S_ISREG(info.st_mode)   ? EntryKind::kFile
                         : S_ISDIR(info.st_mode) ? EntryKind::kFolder
                         : S_ISLNK(info.st_mode) ? EntryKind::kLink
                                                 : EntryKind::kOther});
  }
  if (errno != 0) return failed();
  std::sort(out.begin(), out.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return out;
}

Result<std::string> read_file_beneath(const fs::path& folder, const fs::path& relative) {
  const Descriptor root = open_folder(folder);
  if (!root.is_open()) return refusal(folder, relative, errno);
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  const Descriptor file = open_beneath(root.get(), relative, O_RDONLY | O_NONBLOCK);
  if (!file.is_open()) return refusal(folder, relative, errno);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return refusal(folder, relative, errno);
  if (!S_ISREG(info.st_mode)) {
    return make_error_at({(folder / relative).string()}, "file",
                         sentence("{file} is not a text file", {{"file", relative.string()}}));
  }
  std::string text;
  text.reserve(static_cast<size_t>(info.st_size));
  char chunk[65536];
  for (;;) {
    const ssize_t got = ::read(file.get(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refusal(folder, relative, errno);
    if (got == 0) return text;
    text.append(chunk, static_cast<size_t>(got));
  }
}

}  // namespace warpshop
