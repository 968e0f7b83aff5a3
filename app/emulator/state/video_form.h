// Video instructions as decoded. The operations are in operations/video.h.
#pragma once

#include <cstdint>

namespace warpshop::emulator::video {

enum class Operation : uint8_t {
  kAdd,
  kSub,
  kAbsDiff,
  kMin,
  kMax,
  kAverage,
  kShl,
  kShr,
  kMad,
  kSet
};
enum class Second : uint8_t { kNone, kMerge, kAdd, kMin, kMax };
enum class Compare : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

struct Form {
  Operation operation = Operation::kAdd;
  Second second = Second::kNone;
  Compare compare = Compare::kEq;
  bool signed_d = false;
  bool signed_a = false;
  bool signed_b = false;
  bool saturate = false;
  bool wrap = false;            // shifts: the amount modulo 32; otherwise clamped to 32
  bool negate_product = false;  // vmad: -a or -b
  bool negate_c = false;
  bool plus_one = false;  // vmad.po
  int shift = 0;          // vmad.shr7, .shr15
  int lanes = 1;          // 1, 2 or 4 parts
  // Scalar: width and first bit of the parts read from a and b, and of the part of d that is
  // written (32: all of it).
  int bits_a = 32, start_a = 0;
  int bits_b = 32, start_b = 0;
  int bits_d = 32, start_d = 0;
  // SIMD: for each part of the result, the source part (those of a, then those of b); and the parts
  // that are written.
  uint8_t from_a[4] = {0, 1, 2, 3};
  uint8_t from_b[4] = {4, 5, 6, 7};
  uint8_t mask = 0xf;
};

}  // namespace warpshop::emulator::video
