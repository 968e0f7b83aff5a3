// Every kind of memory, access and wrong address: each
// combination gets the right finding and no other.
#include <string>
#include <vector>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct Memory {
  const char* name;    // as in the finding
  const char* suffix;  // of the instruction
  const char* base;    // puts the address of 64 bytes into %l0, as the instruction expects it
  bool writable = true;
};

// `w` and `u` are 64 bytes of shared memory each, `u` after `w`; `big` is local.
const Memory kMemories[] = {
    {"global", ".global", "mov.u64 %l0, %p0;"},
    {"global", "", "mov.u64 %l0, %p0;"},
    {"shared", ".shared", "mov.u64 %l0, w;"},
    {"shared", "", "mov.u64 %l0, w; cvta.shared.u64 %l0, %l0;"},
    {"local", ".local", "mov.u64 %l0, big;"},
    {"local", "", "mov.u64 %l0, big; cvta.local.u64 %l0, %l0;"},
    {"constant", ".const", "mov.u64 %l0, con;", false},
    {"constant", "", "mov.u64 %l0, con; cvta.const.u64 %l0, %l0;", false},
};

struct Access {
  const char* name;  // as in the finding
  const char* text;  // % becomes the suffix
};
const Access kAccesses[] = {
    {"read", "ld%.u32 %r5, [%l0];"},
    {"write", "st%.u32 [%l0], %r1;"},
    {"atomic", "atom%.add.u32 %r5, [%l0], 1;"},
};

struct Address {
  const char* name;
  const char* change;  // of %l0
  FindingKind kind;
};
const Address kAddresses[] = {
    {"one past the end", "add.u64 %l0, %l0, 64;", FindingKind::kOutOfBounds},
    {"across the end", "add.u64 %l0, %l0, 62;", FindingKind::kMisaligned},
    {"far past the end", "add.u64 %l0, %l0, 0x10000000;", FindingKind::kOutOfBounds},
    {"before the start", "sub.u64 %l0, %l0, 4;", FindingKind::kOutOfBounds},
    {"misaligned by one", "add.u64 %l0, %l0, 1;", FindingKind::kMisaligned},
    {"misaligned by two", "add.u64 %l0, %l0, 2;", FindingKind::kMisaligned},
};

std::string with_suffix(const std::string& text, const char* suffix) {
  const size_t at = text.find("%.");
  return text.substr(0, at) + suffix + text.substr(at + 1);
}

// One lane of 32 has a wrong address, or all have. All memory is written beforehand.
KernelRun run_access(const Memory& memory, const Access& access, const std::string& change,
                     bool one_lane) {
  const std::string fill =
      "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 15; mul.wide.u32 %l1, %r2, 4; mov.u64 %l2, big; "
      "mov.u32 %r4, 3;"
      "mov.u32 %r6, 0; F: mul.wide.u32 %l4, %r6, 4; add.u64 %l5, %l2, %l4; st.local.u32 [%l5], "
      "%r4; add.u32 %r6, %r6, 1;"
      "setp.lt.u32 %q3, %r6, 16; @%q3 bra F;"
      "setp.lt.u32 %q1, %r1, 16; mov.u64 %l3, w; add.u64 %l3, %l3, %l1; @%q1 st.shared.u32 [%l3], "
      "%r4; mov.u64 %l3, u;"
      "add.u64 %l3, %l3, %l1; @%q1 st.shared.u32 [%l3], %r4; bar.sync 0;";
  const std::string place =
      std::string(memory.base) +
      (one_lane ? "add.u64 %l0, %l0, %l1; setp.ne.u32 %q0, %r1, 16; @%q0 bra GO;" : "") +
      memory.base + change + "GO:";
  // Lanes 0 to 15 have one word each, which the other lanes share. Reads of it do not race;
  // otherwise only lane 16 accesses memory.
  const bool reads = std::string(access.name) == "read";
  const std::string only = one_lane && !reads ? "setp.ne.u32 %q2, %r1, 16; @%q2 ret;" : "";
  const std::string text = kernel_text(
      fill + place + only + with_suffix(access.text, memory.suffix) + "ret;", 1,
      ".const .align 16 .b8 con[64] = {1};",
      ".shared .align 16 .b8 w[64]; .shared .align 16 .b8 u[64]; .local .align 16 .b8 big[64];");
  return run_ptx(text, {1, 1, 1}, {32, 1, 1}, {Words(16, 5)});
}

TEST(WildAddress, EveryMemoryEveryAccessEveryMistake) {
  int tried = 0;
  for (const Memory& memory : kMemories) {
    for (const Access& access : kAccesses) {
      if (!memory.writable && (memory.suffix[0] != 0 || access.name[0] != 'r') &&
          access.name[0] != 'r')
        continue;
      if (access.name[0] == 'a' && std::string(memory.name) == "local")
        continue;  // PTX has no atomics there
      for (const Address& address : kAddresses) {
        // There is no memory before the first shared array: the address
        // wraps around to the end of the window.
        for (const bool one_lane : {false, true}) {
          const std::string name =
              std::string(memory.name) + memory.suffix + " " + access.name + ", " + address.name;
          const KernelRun run = run_access(memory, access, address.change, one_lane);
          ASSERT_EQ(errors_of(run), "") << name;
          ++tried;
          const Finding* found = nullptr;
          for (const Finding& f : run.result.findings) {
            if (f.severity != Severity::kError) continue;
            if (f.kind == address.kind) found = &f;
            EXPECT_EQ(name_of(f.kind), name_of(address.kind)) << name << ": " << f.message;
          }
          ASSERT_NE(found, nullptr) << name;
          EXPECT_EQ(found->space, memory.name) << name << ": " << found->message;
          EXPECT_EQ(found->access, access.name) << name;
          EXPECT_EQ(found->count, one_lane ? 1u : 32u) << name;
          EXPECT_FALSE(found->cause.empty()) << name;
          EXPECT_TRUE(run.result.completed) << name;
        }
      }
    }
  }
  EXPECT_GT(tried, 200);
}

TEST(WildAddress, HalfOfAllAddressesBeforeTheStart) {
  const std::string body =
      "mov.u64 %l0, big; add.u64 %l0, %l0, 0x8000000000000000; ld.local.u32 %r0, [%l0]; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1, "", ".local .align 16 .b8 big[64];"),
                                {1, 1, 1}, {32, 1, 1}, {Words(16, 5)});
  const Finding* f = run.find(FindingKind::kOutOfBounds);
  ASSERT_NE(f, nullptr);
  EXPECT_NE(f->message.english().find(" 9,223,372,036,854,775,808 bytes before the start"),
            std::string::npos)
      << f->message;
  EXPECT_EQ(f->distance_bytes, INT64_MIN);
}

struct PointerCase {
  const char* name;
  std::string address;  // puts a generic address into %l0
  const char* message;  // part of the message
};

// Pointers to no memory, or to memory that has been freed.
TEST(WildAddress, PointersToNothing) {
  const std::string take =
      "{ .param .b64 n; .param .b64 r; mov.u64 %l5, 64; st.param.b64 [n], %l5; call (r), malloc, "
      "(n); ld.param.b64 %l0, [r]; }";
  const std::string give = "{ .param .b64 p; st.param.b64 [p], %l0; call free, (p); }";
  const PointerCase cases[] = {
      {"null", "mov.u64 %l0, 0;", "a null pointer"},
      {"an index from null", "mov.u64 %l0, 400;", "a null pointer"},
      {"a wild number", "mov.u64 %l0, 0x123456789abc;", "any allocation"},
      {"no number of 48 bits", "mov.u64 %l0, 0xdead00000000beec;", "0xdead00000000beec"},
      {"all ones", "mov.u64 %l0, -4;", "0xfffffffffffffffc"},
      {"freed", take + give, "free has given this memory back"},
      {"past the heap's block", take + "add.u64 %l0, %l0, 64;",
       "past the 64 bytes that malloc gave"},
      {"a shared address without its window", "mov.u64 %l0, w; add.u64 %l0, %l0, 16;",
       "a null pointer"},
  };
  for (const PointerCase& c : cases) {
    for (const Access& access : kAccesses) {
      for (const char* suffix : {"", ".global"}) {
        const std::string name = std::string(c.name) + ", " + access.name + suffix;
        const KernelRun run = run_ptx(
            kernel_text("mov.u32 %r1, 7; " + c.address + with_suffix(access.text, suffix) + "ret;",
                        1,
                        ".extern .func (.param .b64 r) malloc (.param .b64 n); .extern .func free "
                        "(.param .b64 p);"
                        ".func f () { ret; }",
                        ".shared .align 16 .b8 w[64];"),
            {1, 1, 1}, {1, 1, 1}, {Words(16, 5)});
        ASSERT_EQ(errors_of(run), "") << name;
        const Finding* f = run.find(FindingKind::kOutOfBounds);
        ASSERT_NE(f, nullptr) << name;
        EXPECT_EQ(f->space, "global") << name;
        EXPECT_EQ(f->access, access.name) << name;
        if (c.message[0] == 'a' && std::string(c.message) == "any allocation")
          continue;  // the message names the nearest buffer
        EXPECT_NE(f->message.english().find(c.message), std::string::npos)
            << name << ": " << f->message;
      }
    }
  }
}

// An address that is valid in one memory is invalid in another.
TEST(WildAddress, TheWindowOfAnotherMemory) {
  const std::string declarations = ".shared .align 16 .b8 w[64]; .local .align 16 .b8 big[64];";
  const char* windows[][2] = {{"shared", "mov.u64 %l0, w;"},
                              {"local", "mov.u64 %l0, big;"},
                              {"const", "mov.u64 %l0, con;"}};
  for (const auto& [window, base] : windows) {
    for (const char* space : {"global", "shared", "local", "const"}) {
      for (const Access& access : kAccesses) {
        const std::string what = std::string("ld.") + space + " of a generic address of " + window;
        const bool load_only = std::string(space) == "const";
        if ((load_only && access.name[0] != 'r') ||
            (access.name[0] == 'a' && std::string(space) == "local"))
          continue;
        const KernelRun run = run_ptx(
            kernel_text("mov.u32 %r1, 7; " + std::string(base) + "cvta." + window +
                            ".u64 %l0, %l0;" +
                            with_suffix(access.text, (std::string(".") + space).c_str()) + "ret;",
                        1, ".const .align 16 .b8 con[64] = {1};", declarations),
            {1, 1, 1}, {1, 1, 1}, {Words(16, 5)});
        ASSERT_EQ(errors_of(run), "") << what;
        const Finding* f = run.find(FindingKind::kOutOfBounds);
        ASSERT_NE(f, nullptr) << what << ", " << access.name;
        EXPECT_EQ(f->space, std::string(space) == "const" ? "constant" : space) << what;
        EXPECT_EQ(f->access, access.name) << what;
      }
    }
  }
}

// An index that leaves its array is found although another array follows it.
TEST(WildAddress, TheNeighbourOfASharedArray) {
  for (const Access& access : kAccesses) {
    for (const char* offset : {"64", "60+4", "124"}) {
      const KernelRun run = run_ptx(
          kernel_text(
              "mov.u32 %r1, 7; mov.u64 %l0, w; add.u64 %l0, %l0, " +
                  std::string(offset).substr(0, std::string(offset).find('+')) + ";" +
                  (std::string(offset).find('+') != std::string::npos ? "add.u64 %l0, %l0, 4;"
                                                                      : "") +
                  with_suffix(access.text, ".shared") +
                  "mov.u64 %l1, u; st.shared.u32 [%l1], %r1; ret;",
              1, "", ".shared .align 16 .b8 w[64]; .shared .align 16 .b8 u[64];"),
          {1, 1, 1}, {1, 1, 1}, {Words(16, 5)});
      ASSERT_EQ(errors_of(run), "");
      const Finding* f = run.find(FindingKind::kOutOfBounds);
      ASSERT_NE(f, nullptr) << access.name << " " << offset;
      EXPECT_EQ(f->allocation, "w");
      EXPECT_EQ(f->space, "shared");
    }
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
