#include "secrets.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace warpshop::serve {
namespace {

constexpr std::string_view kLetters = "bcdfghjkmnpqrstvwxz23456789";

// A class behind one address mistypes a code now and then.
constexpr double kBurst = 30;
constexpr double kEvery_s = 4;
constexpr double kBurstOfAll = 300;
constexpr double kEveryOfAll_s = 0.5;
constexpr size_t kMostAddresses = 10'000;

std::vector<uint8_t> random_bytes(size_t count) {
  std::vector<uint8_t> out(count);
  for (size_t at = 0; at < count;) {
    const ssize_t got = ::getrandom(out.data() + at, count - at, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) std::abort();  // no secrets without them
    at += static_cast<size_t>(got);
  }
  return out;
}

}  // namespace

std::string random_code(size_t length) {
  std::string out;
  while (out.size() < length) {
    for (const uint8_t byte : random_bytes(length)) {
      // Bytes beyond the last full round would favour the first letters.
      if (byte < 256 / kLetters.size() * kLetters.size() && out.size() < length)
        out += kLetters[byte % kLetters.size()];
    }
  }
  return out;
}

std::string random_token() {
  std::string out;
  for (const uint8_t byte : random_bytes(16)) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

std::string plain_code(std::string_view typed) {
  std::string out;
  for (const char c : typed) {
    if (c == ' ' || c == '-' || c == '\t') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

bool is_same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size() || a.empty()) return false;
  unsigned differs = 0;
  for (size_t n = 0; n < a.size(); ++n)
    differs |= static_cast<unsigned char>(a[n]) ^ static_cast<unsigned char>(b[n]);
  return differs == 0;
}

double Guesses::filled(const Bucket& bucket, double every, Clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - bucket.at).count();
  return std::max(0.0, bucket.guesses - seconds / every);
}

void Guesses::add(Bucket& bucket, double every, Clock::time_point now) {
  bucket.guesses = filled(bucket, every, now) + 1;
  bucket.at = now;
}

int Guesses::wait(const std::string& address, Clock::time_point now) {
  double seconds = (filled(all_, kEveryOfAll_s, now) + 1 - kBurstOfAll) * kEveryOfAll_s;
  const auto found = of_address_.find(address);
  if (found != of_address_.end())
    seconds = std::max(seconds, (filled(found->second, kEvery_s, now) + 1 - kBurst) * kEvery_s);
  return static_cast<int>(std::ceil(std::max(0.0, seconds)));
}

void Guesses::wrong(const std::string& address, Clock::time_point now) {
  if (of_address_.size() >= kMostAddresses) {
    std::erase_if(of_address_,
                  [&](const auto& entry) { return filled(entry.second, kEvery_s, now) == 0; });
    if (of_address_.size() >= kMostAddresses) of_address_.clear();  // the limit of all remains
  }
  add(of_address_[address], kEvery_s, now);
  add(all_, kEveryOfAll_s, now);
}

}  // namespace warpshop::serve
