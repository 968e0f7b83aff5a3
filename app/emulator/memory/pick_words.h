// Gathers neighbouring words into lanes with two loads and a permutation.
#pragma once

#ifdef __x86_64__
#include <immintrin.h>

#include "memory/address_math.h"

namespace warpshop::emulator {

// True if this processor supports the code below.
inline const bool kHasAvx512 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") != 0;
}();

// to[l] = word pattern.word[l] after `lowest`. Reads only words in near_words, which is not 0.
__attribute__((target("avx512f"))) inline void pick_words_avx512(uint32_t* to,
                                                                 const uint8_t* lowest,
                                                                 const AddressPattern& pattern) {
  const __m512i low = _mm512_maskz_loadu_epi32(static_cast<__mmask16>(pattern.near_words), lowest);
  const __m512i first_half = _mm512_load_si512(pattern.word);
  const __m512i second_half = _mm512_load_si512(pattern.word + 16);
  const auto more_words = static_cast<__mmask16>(pattern.near_words >> 16);
  if (more_words == 0) {
    _mm512_storeu_si512(to, _mm512_permutexvar_epi32(first_half, low));
    _mm512_storeu_si512(to + 16, _mm512_permutexvar_epi32(second_half, low));
    return;
  }
  const __m512i high = _mm512_maskz_loadu_epi32(more_words, lowest + 64);
  _mm512_storeu_si512(to, _mm512_permutex2var_epi32(low, first_half, high));
  _mm512_storeu_si512(to + 16, _mm512_permutex2var_epi32(low, second_half, high));
}

}  // namespace warpshop::emulator
#endif
