// Generates secrets and limits attempts to guess them.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace warpshop::serve {

// From the system's random numbers, in an alphabet of 27 letters and digits: none that look alike,
// and no vowels, so that no words appear.
std::string random_code(size_t length);
std::string random_token();  // 128 bits in hexadecimal

// Normalises a typed code: removes spaces and dashes, converts to lower case.
std::string plain_code(std::string_view typed);

// Takes constant time for texts of the same lengths.
bool is_same_secret(std::string_view a, std::string_view b);

// Limits wrong guesses, per address and in total. Each address may make `burst` at once, and one
// more every `every` seconds.
class Guesses {
 public:
  using Clock = std::chrono::steady_clock;
  // Seconds until the next guess is allowed; 0: now.
  int wait(const std::string& address, Clock::time_point now);
  void wrong(const std::string& address, Clock::time_point now);

 private:
  struct Bucket {
    double guesses = 0;
    Clock::time_point at;
  };
  static double filled(const Bucket& bucket, double every, Clock::time_point now);
  static void add(Bucket& bucket, double every, Clock::time_point now);
  std::map<std::string, Bucket> of_address_;
  Bucket all_;
};

}  // namespace warpshop::serve
