// Phrases of findings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/sentence.h"
#include "emulator/access.h"
#include "emulator/finding.h"

namespace warpshop::emulator {

std::string mask_text(uint32_t mask);  // "0x0000ffff"
Sentence count_words(uint64_t count);  // "10,007"

Sentence thread_words(const ThreadPlace& who);  // "thread (1, 0, 0)"
Sentence block_words(const Dim3& block);        // "block (1, 0, 0)"
// The finding's array or buffer in quotes; without one, "shared memory" or "global memory".
Sentence memory_words(const Finding& f);
// For "read", "write", "atomic", at the start of a sentence.
Sentence access_words(std::string_view access);
// For "read", "write" and "atomic" as the second party: "the write by …", "a write by …".
Sentence the_access_by(std::string_view access, Sentence who);
Sentence an_access_by(std::string_view access, Sentence who);

}  // namespace warpshop::emulator
