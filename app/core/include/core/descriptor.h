// Open file descriptors: their owner, and closing all that a process has inherited.
#pragma once

#include <unistd.h>

#include <utility>

namespace warpshop {

// Owns one.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }  // to another owner
  // For writers that must not miss a late write error. Returns false on failure; errno gives the
  // reason.
  bool close_now() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_ = -1;
};

// Closes all descriptors from this number on.
void close_descriptors_from(int first);

}  // namespace warpshop
