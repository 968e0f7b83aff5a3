#include "host_operations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warpshop::emulator::testing {
namespace {

using u32 = uint32_t;
using s32 = int32_t;
using u64 = uint64_t;
using s64 = int64_t;
using u128 = unsigned __int128;

u32 r(Bits b) { return static_cast<u32>(b); }
s32 s(Bits b) { return static_cast<s32>(static_cast<u32>(b)); }
s64 sl(Bits b) { return static_cast<s64>(b); }
float f(Bits b) { return std::bit_cast<float>(static_cast<u32>(b)); }
double d(Bits b) { return std::bit_cast<double>(b); }
Bits of(float v) { return std::bit_cast<u32>(v); }
Bits of(double v) { return std::bit_cast<u64>(v); }
Bits of_s(s64 v) { return static_cast<u32>(v); }

float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

template <typename T>
T smaller(T a, T b) {  // PTX ISA min: a number beats a NaN; +0.0 > -0.0
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <typename T>
T larger(T a, T b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

// PTX ISA cvt: clamp to the range; NaN becomes 0, or only the top bit if either type has 64 bits.
template <typename T, typename F>
T to_integer(F v) {
  if (std::isnan(v))
    return sizeof(F) == 8 || sizeof(T) == 8
               ? static_cast<T>(std::make_unsigned_t<T>{1} << (8 * sizeof(T) - 1))
               : T{0};
  v = std::trunc(v);
  if (v <= static_cast<F>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (v >= static_cast<F>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(v);
}

u32 permute(u32 a, u32 b, u32 selector) {
  const u64 bytes = u64{b} << 32 | a;
  u32 out = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 pick = selector >> (4 * i);
    u32 byte = static_cast<u32>(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    out |= byte << (8 * i);
  }
  return out;
}

Bits field(Bits a, u32 position, u32 length, int width, bool is_signed) {
  position &= 0xff;
  length &= 0xff;
  const auto bit = [&](u32 at) { return a >> at & 1; };
  const u32 last = static_cast<u32>(width - 1);
  const u64 sign = !is_signed || length == 0 ? 0 : bit(std::min(position + length - 1, last));
  u64 out = 0;
  for (u32 i = 0; i <= last; ++i)
    out |= (i < length && position + i <= last ? bit(position + i) : sign) << i;
  return out;
}

u32 inserted(u32 a, u32 b, u32 position, u32 length) {
  position &= 0xff;
  length &= 0xff;
  for (u32 i = 0; i < length && position + i <= 31; ++i) {
    b = (b & ~(1u << (position + i))) | (a >> i & 1) << (position + i);
  }
  return b;
}

u32 reversed(u32 v) {
  u32 out = 0;
  for (int i = 0; i < 32; ++i) out |= (v >> i & 1) << (31 - i);
  return out;
}

u32 lookup(u32 a, u32 b, u32 c, u32 table) {
  u32 out = 0;
  for (int i = 0; i < 32; ++i)
    out |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return out;
}

u32 dot4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i) c += (a >> (8 * i) & 0xff) * (b >> (8 * i) & 0xff);
  return c;
}

// NOLINTBEGIN: a table is most readable with one row per line
const Operation kOperations[] = {
    {"add.u32 $0, $1, $2;", 'r', "rr", [](const Bits* x) -> Bits { return r(x[0]) + r(x[1]); }},
    {"sub.s32 $0, $1, $2;", 'r', "rr", [](const Bits* x) -> Bits { return r(x[0]) - r(x[1]); }},
    {"mul.lo.s32 $0, $1, $2;", 'r', "rr", [](const Bits* x) -> Bits { return r(x[0]) * r(x[1]); }},
    {"mul.hi.u32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return u64{r(x[0])} * r(x[1]) >> 32; }},
    {"mul.hi.s32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return of_s(s64{s(x[0])} * s(x[1]) >> 32); }},
    {"mul24.lo.u32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return r(u64{r(x[0]) & 0xffffff} * (r(x[1]) & 0xffffff)); }},
    {"mad.lo.u32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return r(x[0]) * r(x[1]) + r(x[2]); }},
    {"mad.hi.u32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return r((u64{r(x[0])} * r(x[1]) >> 32) + r(x[2])); }},
    {"sad.u32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits {
       return r(x[2]) + (r(x[0]) < r(x[1]) ? r(x[1]) - r(x[0]) : r(x[0]) - r(x[1]));
     }},
    {"sad.s32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits {
       return r(x[2]) + (s(x[0]) < s(x[1]) ? r(x[1]) - r(x[0]) : r(x[0]) - r(x[1]));
     }},
    {"or.b32 %t0, $2, 1; div.u32 $0, $1, %t0;", 'r', "rr",
     [](const Bits* x) -> Bits { return r(x[0]) / (r(x[1]) | 1); }},
    {"or.b32 %t0, $2, 1; rem.u32 $0, $1, %t0;", 'r', "rr",
     [](const Bits* x) -> Bits { return r(x[0]) % (r(x[1]) | 1); }},
    {"or.b32 %t0, $2, 1; and.b32 %t0, %t0, 0x7fffffff; div.s32 $0, $1, %t0;", 'r', "rr",
     [](const Bits* x) -> Bits { return of_s(s(x[0]) / s((r(x[1]) | 1) & 0x7fffffff)); }},
    {"or.b32 %t0, $2, 1; and.b32 %t0, %t0, 0x7fffffff; rem.s32 $0, $1, %t0;", 'r', "rr",
     [](const Bits* x) -> Bits { return of_s(s(x[0]) % s((r(x[1]) | 1) & 0x7fffffff)); }},
    {"min.s32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return of_s(std::min(s(x[0]), s(x[1]))); }},
    {"max.s32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return of_s(std::max(s(x[0]), s(x[1]))); }},
    {"min.u32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return std::min(r(x[0]), r(x[1])); }},
    {"max.u32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return std::max(r(x[0]), r(x[1])); }},
    {"and.b32 $0, $1, $2;", 'r', "rr", [](const Bits* x) -> Bits { return r(x[0]) & r(x[1]); }},
    {"or.b32 $0, $1, $2;", 'r', "rr", [](const Bits* x) -> Bits { return r(x[0]) | r(x[1]); }},
    {"xor.b32 $0, $1, $2;", 'r', "rr", [](const Bits* x) -> Bits { return r(x[0]) ^ r(x[1]); }},
    {"not.b32 $0, $1;", 'r', "r", [](const Bits* x) -> Bits { return ~r(x[0]); }},
    {"cnot.b32 $0, $1;", 'r', "r", [](const Bits* x) -> Bits { return r(x[0]) == 0; }},
    {"neg.s32 $0, $1;", 'r', "r", [](const Bits* x) -> Bits { return 0 - r(x[0]); }},
    {"abs.s32 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits { return s(x[0]) < 0 ? 0 - r(x[0]) : r(x[0]); }},
    {"shl.b32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return r(x[1]) > 31 ? 0 : r(x[0]) << r(x[1]); }},
    {"shr.u32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return r(x[1]) > 31 ? 0 : r(x[0]) >> r(x[1]); }},
    {"shr.s32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return of_s(s(x[0]) >> std::min(r(x[1]), 31u)); }},
    {"and.b32 %t0, $2, 31; shl.b32 $0, $1, %t0;", 'r', "rr",
     [](const Bits* x) -> Bits { return r(x[0]) << (r(x[1]) & 31); }},
    {"shf.l.wrap.b32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits {
       return r((u64{r(x[1])} << 32 | r(x[0])) << (r(x[2]) & 31) >> 32);
     }},
    {"shf.r.wrap.b32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return r((u64{r(x[1])} << 32 | r(x[0])) >> (r(x[2]) & 31)); }},
    {"shf.r.clamp.b32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits {
       return r((u64{r(x[1])} << 32 | r(x[0])) >> std::min(r(x[2]), 32u));
     }},
    {"popc.b32 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits { return static_cast<Bits>(std::popcount(r(x[0]))); }},
    {"clz.b32 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits { return static_cast<Bits>(std::countl_zero(r(x[0]))); }},
    {"brev.b32 $0, $1;", 'r', "r", [](const Bits* x) -> Bits { return reversed(r(x[0])); }},
    {"bfind.u32 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits {
       return r(x[0]) == 0 ? 0xffffffff : static_cast<Bits>(31 - std::countl_zero(r(x[0])));
     }},
    {"bfe.u32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return field(r(x[0]), r(x[1]), r(x[2]), 32, false); }},
    {"bfe.s32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return field(r(x[0]), r(x[1]), r(x[2]), 32, true); }},
    {"and.b32 %t0, $2, 31; and.b32 %t1, $3, 31; bfe.s32 $0, $1, %t0, %t1;", 'r', "rrr",
     [](const Bits* x) -> Bits { return field(r(x[0]), r(x[1]) & 31, r(x[2]) & 31, 32, true); }},
    {"bfi.b32 $0, $1, $2, $3, $4;", 'r', "rrrr",
     [](const Bits* x) -> Bits { return inserted(r(x[0]), r(x[1]), r(x[2]), r(x[3])); }},
    {"and.b32 %t0, $3, 31; and.b32 %t1, $4, 31; bfi.b32 $0, $1, $2, %t0, %t1;", 'r', "rrrr",
     [](const Bits* x) -> Bits { return inserted(r(x[0]), r(x[1]), r(x[2]) & 31, r(x[3]) & 31); }},
    {"prmt.b32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return permute(r(x[0]), r(x[1]), r(x[2])); }},
    {"lop3.b32 $0, $1, $2, $3, 0x96;", 'r', "rrr",
     [](const Bits* x) -> Bits { return lookup(r(x[0]), r(x[1]), r(x[2]), 0x96); }},
    {"lop3.b32 $0, $1, $2, $3, 0xca;", 'r', "rrr",
     [](const Bits* x) -> Bits { return lookup(r(x[0]), r(x[1]), r(x[2]), 0xca); }},
    {"lop3.b32 $0, $1, $2, $3, 0x1d;", 'r', "rrr",
     [](const Bits* x) -> Bits { return lookup(r(x[0]), r(x[1]), r(x[2]), 0x1d); }},
    {"dp4a.u32.u32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return dot4(r(x[0]), r(x[1]), r(x[2])); }},
    {"setp.lt.s32 %u0, $1, $2; selp.b32 $0, $3, $4, %u0;", 'r', "rrrr",
     [](const Bits* x) -> Bits { return s(x[0]) < s(x[1]) ? r(x[2]) : r(x[3]); }},
    {"set.ge.u32.s32 $0, $1, $2;", 'r', "rr",
     [](const Bits* x) -> Bits { return s(x[0]) >= s(x[1]) ? 0xffffffff : 0; }},
    {"slct.u32.s32 $0, $1, $2, $3;", 'r', "rrr",
     [](const Bits* x) -> Bits { return s(x[2]) >= 0 ? r(x[0]) : r(x[1]); }},
    {"add.cc.u32 %t0, $1, $2; addc.u32 $0, $3, %t0;", 'r', "rrr",
     [](const Bits* x) -> Bits {
       const u64 sum = u64{r(x[0])} + r(x[1]);
       return r(r(x[2]) + sum + (sum >> 32));
     }},
    {"sub.cc.u32 %t0, $1, $2; subc.u32 $0, $3, %t0;", 'r', "rrr",
     [](const Bits* x) -> Bits {
       const u32 low = r(x[0]) - r(x[1]);
       return r(x[2]) - low - (r(x[0]) < r(x[1]) ? 1 : 0);
     }},
    {"cvt.s32.s8 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits { return of_s(static_cast<int8_t>(x[0])); }},
    {"cvt.u32.u8 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits { return static_cast<uint8_t>(x[0]); }},
    {"cvt.s32.s16 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits { return of_s(static_cast<int16_t>(x[0])); }},
    {"cvt.u32.u16 $0, $1;", 'r', "r",
     [](const Bits* x) -> Bits { return static_cast<uint16_t>(x[0]); }},
    {"cvt.u32.u64 $0, $1;", 'r', "l", [](const Bits* x) -> Bits { return r(x[0]); }},
    {"popc.b64 $0, $1;", 'r', "l",
     [](const Bits* x) -> Bits { return static_cast<Bits>(std::popcount(x[0])); }},
    {"clz.b64 $0, $1;", 'r', "l",
     [](const Bits* x) -> Bits { return static_cast<Bits>(std::countl_zero(x[0])); }},
    {"cvt.rzi.s32.f32 $0, $1;", 'r', "f",
     [](const Bits* x) -> Bits { return of_s(to_integer<s32>(f(x[0]))); }},
    {"cvt.rzi.u32.f32 $0, $1;", 'r', "f",
     [](const Bits* x) -> Bits { return to_integer<u32>(f(x[0])); }},
    {"cvt.rzi.s32.f64 $0, $1;", 'r', "d",
     [](const Bits* x) -> Bits { return of_s(to_integer<s32>(d(x[0]))); }},
    {"setp.lt.f32 %u0, $1, $2; selp.u32 $0, 1, 0, %u0;", 'r', "ff",
     [](const Bits* x) -> Bits { return f(x[0]) < f(x[1]); }},
    {"setp.geu.f64 %u0, $1, $2; selp.u32 $0, 1, 0, %u0;", 'r', "dd",
     [](const Bits* x) -> Bits { return !(d(x[0]) < d(x[1])); }},

    {"add.u64 $0, $1, $2;", 'l', "ll", [](const Bits* x) -> Bits { return x[0] + x[1]; }},
    {"sub.s64 $0, $1, $2;", 'l', "ll", [](const Bits* x) -> Bits { return x[0] - x[1]; }},
    {"mul.lo.u64 $0, $1, $2;", 'l', "ll", [](const Bits* x) -> Bits { return x[0] * x[1]; }},
    {"mul.hi.u64 $0, $1, $2;", 'l', "ll",
     [](const Bits* x) -> Bits { return static_cast<u64>(u128{x[0]} * x[1] >> 64); }},
    {"mul.wide.u32 $0, $1, $2;", 'l', "rr",
     [](const Bits* x) -> Bits { return u64{r(x[0])} * r(x[1]); }},
    {"mul.wide.s32 $0, $1, $2;", 'l', "rr",
     [](const Bits* x) -> Bits { return static_cast<u64>(s64{s(x[0])} * s(x[1])); }},
    {"mad.wide.u32 $0, $1, $2, $3;", 'l', "rrl",
     [](const Bits* x) -> Bits { return u64{r(x[0])} * r(x[1]) + x[2]; }},
    {"mad.lo.s64 $0, $1, $2, $3;", 'l', "lll",
     [](const Bits* x) -> Bits { return x[0] * x[1] + x[2]; }},
    {"and.b64 $0, $1, $2;", 'l', "ll", [](const Bits* x) -> Bits { return x[0] & x[1]; }},
    {"or.b64 $0, $1, $2;", 'l', "ll", [](const Bits* x) -> Bits { return x[0] | x[1]; }},
    {"xor.b64 $0, $1, $2;", 'l', "ll", [](const Bits* x) -> Bits { return x[0] ^ x[1]; }},
    {"not.b64 $0, $1;", 'l', "l", [](const Bits* x) -> Bits { return ~x[0]; }},
    {"shl.b64 $0, $1, $2;", 'l', "lr",
     [](const Bits* x) -> Bits { return r(x[1]) > 63 ? 0 : x[0] << r(x[1]); }},
    {"shr.u64 $0, $1, $2;", 'l', "lr",
     [](const Bits* x) -> Bits { return r(x[1]) > 63 ? 0 : x[0] >> r(x[1]); }},
    {"and.b32 %t0, $2, 63; shr.s64 $0, $1, %t0;", 'l', "lr",
     [](const Bits* x) -> Bits { return static_cast<u64>(sl(x[0]) >> (r(x[1]) & 63)); }},
    {"or.b64 %v0, $2, 1; div.u64 $0, $1, %v0;", 'l', "ll",
     [](const Bits* x) -> Bits { return x[0] / (x[1] | 1); }},
    {"or.b64 %v0, $2, 1; rem.u64 $0, $1, %v0;", 'l', "ll",
     [](const Bits* x) -> Bits { return x[0] % (x[1] | 1); }},
    {"min.s64 $0, $1, $2;", 'l', "ll",
     [](const Bits* x) -> Bits { return sl(x[0]) < sl(x[1]) ? x[0] : x[1]; }},
    {"max.u64 $0, $1, $2;", 'l', "ll", [](const Bits* x) -> Bits { return std::max(x[0], x[1]); }},
    {"brev.b64 $0, $1;", 'l', "l",
     [](const Bits* x) -> Bits { return u64{reversed(r(x[0]))} << 32 | reversed(r(x[0] >> 32)); }},
    // The manual reads eight bits of position and length; in the 64-bit form, chips read all bits.
    // Test only values on which both agree.
    {"and.b32 %t0, $2, 127; and.b32 %t1, $3, 127; bfe.u64 $0, $1, %t0, %t1;", 'l', "lrr",
     [](const Bits* x) -> Bits { return field(x[0], r(x[1]) & 127, r(x[2]) & 127, 64, false); }},
    {"cvt.u64.u32 $0, $1;", 'l', "r", [](const Bits* x) -> Bits { return r(x[0]); }},
    {"cvt.s64.s32 $0, $1;", 'l', "r",
     [](const Bits* x) -> Bits { return static_cast<u64>(s64{s(x[0])}); }},
    {"mov.b64 $0, {$1, $2};", 'l', "rr",
     [](const Bits* x) -> Bits { return u64{r(x[1])} << 32 | r(x[0]); }},

    {"add.rn.f32 $0, $1, $2;", 'f', "ff", [](const Bits* x) { return of(f(x[0]) + f(x[1])); }},
    {"sub.rn.f32 $0, $1, $2;", 'f', "ff", [](const Bits* x) { return of(f(x[0]) - f(x[1])); }},
    {"mul.rn.f32 $0, $1, $2;", 'f', "ff", [](const Bits* x) { return of(f(x[0]) * f(x[1])); }},
    {"fma.rn.f32 $0, $1, $2, $3;", 'f', "fff",
     [](const Bits* x) { return of(std::fma(f(x[0]), f(x[1]), f(x[2]))); }},
    {"div.rn.f32 $0, $1, $2;", 'f', "ff", [](const Bits* x) { return of(f(x[0]) / f(x[1])); }},
    {"rcp.rn.f32 $0, $1;", 'f', "f", [](const Bits* x) { return of(1.0f / f(x[0])); }},
    {"sqrt.rn.f32 $0, $1;", 'f', "f", [](const Bits* x) { return of(std::sqrt(f(x[0]))); }},
    {"add.rn.ftz.f32 $0, $1, $2;", 'f', "ff",
     [](const Bits* x) { return of(flushed(flushed(f(x[0])) + flushed(f(x[1])))); }},
    {"min.f32 $0, $1, $2;", 'f', "ff", [](const Bits* x) { return of(smaller(f(x[0]), f(x[1]))); }},
    {"max.f32 $0, $1, $2;", 'f', "ff", [](const Bits* x) { return of(larger(f(x[0]), f(x[1]))); }},
    {"neg.f32 $0, $1;", 'f', "f", [](const Bits* x) { return of(-f(x[0])); }},
    {"abs.f32 $0, $1;", 'f', "f", [](const Bits* x) { return of(std::fabs(f(x[0]))); }},
    {"cvt.rn.f32.s32 $0, $1;", 'f', "r",
     [](const Bits* x) { return of(static_cast<float>(s(x[0]))); }},
    {"cvt.rn.f32.u32 $0, $1;", 'f', "r",
     [](const Bits* x) { return of(static_cast<float>(r(x[0]))); }},
    {"cvt.rn.f32.u64 $0, $1;", 'f', "l",
     [](const Bits* x) { return of(static_cast<float>(x[0])); }},
    {"cvt.rn.f32.f64 $0, $1;", 'f', "d",
     [](const Bits* x) { return of(static_cast<float>(d(x[0]))); }},
    {"cvt.rmi.f32.f32 $0, $1;", 'f', "f", [](const Bits* x) { return of(std::floor(f(x[0]))); }},
    {"cvt.rpi.f32.f32 $0, $1;", 'f', "f", [](const Bits* x) { return of(std::ceil(f(x[0]))); }},
    {"cvt.rni.f32.f32 $0, $1;", 'f', "f",
     [](const Bits* x) { return of(std::nearbyint(f(x[0]))); }},

    {"add.rn.f64 $0, $1, $2;", 'd', "dd", [](const Bits* x) { return of(d(x[0]) + d(x[1])); }},
    {"sub.rn.f64 $0, $1, $2;", 'd', "dd", [](const Bits* x) { return of(d(x[0]) - d(x[1])); }},
    {"mul.rn.f64 $0, $1, $2;", 'd', "dd", [](const Bits* x) { return of(d(x[0]) * d(x[1])); }},
    {"fma.rn.f64 $0, $1, $2, $3;", 'd', "ddd",
     [](const Bits* x) { return of(std::fma(d(x[0]), d(x[1]), d(x[2]))); }},
    {"div.rn.f64 $0, $1, $2;", 'd', "dd", [](const Bits* x) { return of(d(x[0]) / d(x[1])); }},
    {"sqrt.rn.f64 $0, $1;", 'd', "d", [](const Bits* x) { return of(std::sqrt(d(x[0]))); }},
    {"min.f64 $0, $1, $2;", 'd', "dd", [](const Bits* x) { return of(smaller(d(x[0]), d(x[1]))); }},
    {"max.f64 $0, $1, $2;", 'd', "dd", [](const Bits* x) { return of(larger(d(x[0]), d(x[1]))); }},
    {"cvt.f64.f32 $0, $1;", 'd', "f",
     [](const Bits* x) { return of(static_cast<double>(f(x[0]))); }},
    {"cvt.rn.f64.s64 $0, $1;", 'd', "l",
     [](const Bits* x) { return of(static_cast<double>(sl(x[0]))); }},
    {"cvt.rn.f64.u64 $0, $1;", 'd', "l",
     [](const Bits* x) { return of(static_cast<double>(x[0])); }},
    {"cvt.rn.f64.s32 $0, $1;", 'd', "r",
     [](const Bits* x) { return of(static_cast<double>(s(x[0]))); }},
};

const Comparison kComparisons[] = {
    {"setp.eq.u32", 'r', [](Bits a, Bits b) { return r(a) == r(b); }},
    {"setp.ne.s32", 'r', [](Bits a, Bits b) { return r(a) != r(b); }},
    {"setp.lt.u32", 'r', [](Bits a, Bits b) { return r(a) < r(b); }},
    {"setp.lt.s32", 'r', [](Bits a, Bits b) { return s(a) < s(b); }},
    {"setp.ge.s32", 'r', [](Bits a, Bits b) { return s(a) >= s(b); }},
    {"setp.hi.u32", 'r', [](Bits a, Bits b) { return r(a) > r(b); }},
    {"setp.gt.s64", 'l', [](Bits a, Bits b) { return sl(a) > sl(b); }},
    {"setp.le.u64", 'l', [](Bits a, Bits b) { return a <= b; }},
    {"setp.lt.f32", 'f', [](Bits a, Bits b) { return f(a) < f(b); }},
    {"setp.neu.f32", 'f', [](Bits a, Bits b) { return !(f(a) == f(b)); }},
    {"setp.num.f32", 'f', [](Bits a, Bits b) { return !std::isnan(f(a)) && !std::isnan(f(b)); }},
    {"setp.gtu.f64", 'd', [](Bits a, Bits b) { return !(d(a) <= d(b)); }},
};
// NOLINTEND

}  // namespace

std::span<const Operation> operations() { return kOperations; }
std::span<const Comparison> comparisons() { return kComparisons; }

}  // namespace warpshop::emulator::testing
