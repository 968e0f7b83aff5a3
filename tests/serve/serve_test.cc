// Parts of the class server on their own; tests/serve/*.py try the whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <variant>

#include "../compile/code_that_varies.h"
#include "../lab/temporary_folder.h"
#include "compile/compiler.h"
#include "compile/remote.h"
#include "compile_pool.h"
#include "compile_process.h"
#include "compile_turns.h"
#include "http.h"
#include "members.h"
#include "secrets.h"
#include "static_files.h"
#include "student_files.h"

namespace warpshop::serve {
namespace {

using namespace std::chrono_literals;

struct NameCase {
  const char* typed;
  const char* shown;  // null: refused
};
constexpr NameCase kNames[] = {
    {"Ada", "Ada"},
    {"  Ada \t", nullptr},  // a tab is no space
    {"  Ada   Lovelace ", "Ada Lovelace"},
    {"\u00a0Zo\u00eb\u3000", "Zo\u00eb"},
    {"\u6885 \u5170", "\u6885 \u5170"},
    {"", nullptr},
    {"   ", nullptr},
    {"a\nb", nullptr},
    {"a\u202eb", nullptr},  // writes what follows from right to left
    {"a\u200bb", nullptr},  // no width: two names would look the same
    {"a\xff", nullptr},
    {"\xed\xa0\x80", nullptr},  // half a surrogate pair
    {"\U000e0041", nullptr},    // an invisible letter
    // Unicode's other spaces are spaces, and what fonts leave empty is no letter.
    {"Ada\u2009\u202f", "Ada"},
    {"Ada\u2003Lovelace\u2800", "Ada Lovelace"},
    {"\u3164", nullptr},  // the fillers of Hangul
    {"Ada\u1160", nullptr},
    {"\uffa0Ada", nullptr},
    {"Ada\u180e", nullptr},
    {"A\u034fda", nullptr},
    {"\u2800", nullptr},
    {"\u200d", nullptr},  // joiners need something to join
    {"\u0928\u200d\u0926", "\u0928\u200d\u0926"},
    {"e\u0301\u0323", "e\u0301\u0323"},
    {"e\u0301\u0301\u0301\u0301\u0301", nullptr},  // reaches into the lines above
};

TEST(Names, AreShownAsTyped) {
  for (const NameCase& c : kNames) {
    const std::optional<std::string> shown = shown_name(c.typed);
    EXPECT_EQ(shown, c.shown != nullptr ? std::optional<std::string>(c.shown) : std::nullopt)
        << c.typed;
  }
  EXPECT_TRUE(shown_name(std::string(60, 'x')));
  EXPECT_FALSE(shown_name(std::string(61, 'x')));
}

TEST(Paths, StayBelowTheirFolder) {
  for (const char* good : {"a", "a/b.cu", "work/\u00e9 1.cu", "...", "a..b", ".hidden"})
    EXPECT_TRUE(is_file_path(good)) << good;
  for (const char* bad : {"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/./b", "a\nb",
                          "a\\b", "\xff", "1/2/3/4/5/6/7/8/9/10"})
    EXPECT_FALSE(is_file_path(bad)) << bad;
  EXPECT_FALSE(is_file_path(std::string("a\0b", 3)));
  EXPECT_FALSE(is_file_path(std::string(241, 'x')));
}

TEST(Percent, IsDecodedOrRefused) {
  std::string out;
  EXPECT_TRUE(decode_percent("/a%20b%C3%a9", out));
  EXPECT_EQ(out, "/a b\u00e9");
  for (const char* bad : {"%", "%a", "%zz", "%00", "a%2"})
    EXPECT_FALSE(decode_percent(bad, out)) << bad;
}

TEST(Secrets, AreAllDifferent) {
  std::set<std::string> seen;
  for (int n = 0; n < 1000; ++n) {
    const std::string code = random_code(12);
    EXPECT_EQ(code.size(), 12U);
    EXPECT_EQ(code.find_first_of("aeiou01l"), std::string::npos) << code;
    EXPECT_TRUE(seen.insert(code).second);
    EXPECT_TRUE(seen.insert(random_token()).second);
  }
  EXPECT_TRUE(is_same_secret(plain_code(" AB-cd "), "abcd"));
  EXPECT_FALSE(is_same_secret("", ""));
  EXPECT_FALSE(is_same_secret("abcd", "abce"));
  EXPECT_FALSE(is_same_secret("abc", "abcd"));
}

TEST(Guesses, AreFewAndComeBack) {
  Guesses guesses;
  Guesses::Clock::time_point now{};
  int made = 0;
  while (guesses.wait("a", now) == 0 && made < 1000) {
    guesses.wrong("a", now);
    ++made;
  }
  EXPECT_EQ(made, 30);
  EXPECT_EQ(guesses.wait("b", now), 0);
  const int wait = guesses.wait("a", now);
  EXPECT_GT(wait, 0);
  now += std::chrono::seconds(wait);
  EXPECT_EQ(guesses.wait("a", now), 0);
  // In an hour, one address has 30 at once and one every four seconds.
  for (int second = 0; second < 3600; ++second) {
    now += 1s;
    while (guesses.wait("a", now) == 0) {
      guesses.wrong("a", now);
      ++made;
    }
  }
  EXPECT_LE(made, 30 + 3700 / 4);
  // Many addresses share what all may guess.
  made = 0;
  for (int n = 0; n < 2000; ++n) {
    const std::string address = std::to_string(n);
    if (guesses.wait(address, now) != 0) continue;
    guesses.wrong(address, now);
    ++made;
  }
  EXPECT_LE(made, 300);
}

TEST(CompileTurns, LongOnesLetShortOnesGoFirstForAWhile) {
  using namespace std::chrono_literals;
  using Turns = CompileTurns<std::string>;
  const Turns::Clock::time_point start{};
  Turns turns;
  const auto come = [&](const char* student, std::chrono::milliseconds at) {
    turns.push(student, student, start + at);
  };
  // Nobody is known: first come, first served.
  come("long", 0ms);
  come("short", 1ms);
  EXPECT_EQ(turns.pop(), "long");
  EXPECT_EQ(turns.pop(), "short");
  turns.note("long", 300ms);
  turns.note("short", 40ms);
  come("long", 0ms);
  come("short", 100ms);
  come("new", 200ms);
  come("late", 1100ms);  // the long one has waited for four times what it is likely to take
  EXPECT_EQ(turns.pop(), "short");
  EXPECT_EQ(turns.pop(), "new");
  EXPECT_EQ(turns.pop(), "long");
  EXPECT_EQ(turns.pop(), "late");
  EXPECT_TRUE(turns.empty());
}

TEST(AnswerCache, ForgetsTheLeastRecentlyUsed) {
  AnswerCache cache(10'000);
  const auto answer = [](char c) { return std::make_shared<const std::string>(3000, c); };
  cache.insert("a", answer('a'));
  cache.insert("b", answer('b'));
  cache.insert("c", answer('c'));
  ASSERT_NE(cache.find("a"), nullptr);
  cache.insert("d", answer('d'));
  EXPECT_EQ(cache.find("b"), nullptr);
  ASSERT_NE(cache.find("a"), nullptr);
  EXPECT_EQ(*cache.find("a"), std::string(3000, 'a'));
  EXPECT_LE(cache.bytes(), 10'000U);
  cache.insert("large", std::make_shared<const std::string>(20'000, 'x'));
  EXPECT_LE(cache.bytes(), 10'000U);
}

Request asking(const char* header, const char* value) {
  Request request;
  request.headers.emplace_back(header, value);
  return request;
}

// NVRTC 13.0 makes different code of this kernel, depending on where its own objects lie; here it
// must be what the lab on the desktop makes of it.
TEST(CompileChild, MakesTheSameCodeOfATextAsAWindow) {
  if (!addresses_can_be_fixed()) GTEST_SKIP() << "memory is not where it was";
  const Result<compile::Compiler> window = compile::Compiler::load();
  ASSERT_TRUE(window.ok());
  compile::CompileInput input;
  input.source = kCodeThatVaries;
  input.file_name = "student.cu";
  const Result<compile::CompileOutput> wanted = window->compile(input);
  ASSERT_TRUE(wanted.ok());
  Result<CompileChild> child = CompileChild::start({});
  ASSERT_TRUE(child.ok()) << render(child.errors());
  for (int time = 0; time < 3; ++time) {
    const auto answer = child->answer(compile::request_of(input), nullptr);
    ASSERT_TRUE(std::holds_alternative<std::string>(answer));
    const Result<compile::CompileOutput> output = compile::output_of(std::get<std::string>(answer));
    ASSERT_TRUE(output.ok()) << render(output.errors());
    EXPECT_EQ(output->cubin, wanted->cubin);
    EXPECT_EQ(output->ptx, wanted->ptx);
  }
}

// A text that ends NVRTC takes nothing from the next one.
TEST(CompileChild, SaysHowACompilationEndedAndGoesOn) {
  Result<CompileChild> child = CompileChild::start({});
  ASSERT_TRUE(child.ok()) << render(child.errors());
  compile::CompileInput input;
  input.file_name = "student.cu";
  // NVRTC 13.0 crashes on a constant address here.
  input.source =
      "__global__ void k() { asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(0ull)); }\n";
  const auto none = child->answer(compile::request_of(input), nullptr);
  ASSERT_TRUE(std::holds_alternative<compile::NoAnswer>(none));
  EXPECT_EQ(std::get<compile::NoAnswer>(none).why, compile::NoAnswer::Why::kCrashed);
  EXPECT_TRUE(child->is_well());
  input.source = "__global__ void k() {}\n";
  EXPECT_TRUE(
      std::holds_alternative<std::string>(child->answer(compile::request_of(input), nullptr)));
}

TEST(StaticFiles, ComeInTheSmallestAcceptedForm) {
  TemporaryFolder folder;
  folder.write("page.html", "plain");
  folder.write("page.html.gz", "zipped");
  folder.write("page.html.br", "brotli");
  folder.write("app.0123abcd.wasm", "code");
  StaticFiles files;
  const auto body = [&](const char* encodings) {
    const Response response =
        files.get(folder.path(), "page.html", asking("accept-encoding", encodings));
    EXPECT_EQ(response.status, 200);
    return *response.shared;
  };
  EXPECT_EQ(body(""), "plain");
  EXPECT_EQ(body("gzip, deflate"), "zipped");
  EXPECT_EQ(body("gzip, br;q=0.5"), "brotli");
  EXPECT_EQ(body("br;q=0, gzip"), "zipped");
  EXPECT_EQ(body("brr, xgzip"), "plain");

  const Response first = files.get(folder.path(), "page.html", Request());
  std::string etag;
  for (const auto& [name, value] : first.headers) {
    if (name == "ETag") etag = value;
  }
  EXPECT_EQ(files.get(folder.path(), "page.html", asking("if-none-match", etag.c_str())).status,
            304);
  folder.write("page.html", "changed");
  const Response again =
      files.get(folder.path(), "page.html", asking("if-none-match", etag.c_str()));
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(*again.shared, "changed");

  const Response hashed = files.get(folder.path(), "app.0123abcd.wasm", Request());
  EXPECT_EQ(hashed.type, "application/wasm");
  EXPECT_THAT(hashed.headers,
              testing::Contains(testing::Pair("Cache-Control", testing::HasSubstr("immutable"))));
  for (const char* none : {"no.html", "", ".", "..", "../x", "/etc/passwd"})
    EXPECT_EQ(files.get(folder.path(), none, Request()).status, 404) << none;
}

TEST(Store, KeepsAllOrNothingOfEachJob) {
  TemporaryFolder folder;
  const std::filesystem::path data = folder.path() / "data";
  {
    Result<std::unique_ptr<Store>> store = Store::open(data, 0);
    ASSERT_TRUE(store.ok()) << render(store.errors());
    EXPECT_FALSE(Store::open(data, 0).ok());  // a second server
    std::vector<std::string> done;
    (*store)->start([](const std::function<void()>& answer) { answer(); });
    for (int n = 0; n < 20; ++n) {
      (*store)->run(
          [n](Database& database) {
            database.query("INSERT INTO settings (key, value) VALUES (?, 'x')")
                .bind(std::string_view("k" + std::to_string(n)))
                .run();
            if (n % 5 == 0) database.query("INSERT INTO no_such_table VALUES (1)").run();
          },
          [&done](const Store::Problem& problem) { done.emplace_back(problem ? "no" : "kept"); });
    }
    store->reset();
    EXPECT_EQ(done.size(), 20U);
    EXPECT_EQ(std::count(done.begin(), done.end(), "kept"), 16);
  }
  struct stat info {};
  ASSERT_EQ(::stat((data / "class.sqlite").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0077, 0U);
  Result<std::unique_ptr<Store>> store = Store::open(data, 0);
  ASSERT_TRUE(store.ok());
  int64_t rows = 0;
  ASSERT_TRUE((*store)
                  ->load([&rows](Database& database) {
                    Query query = database.query("SELECT count(*) FROM settings");
                    if (query.step()) rows = query.number(0);
                    // sqlite.org/pragma.html: 2 is FULL, which survives a loss of power in WAL
                    // mode.
                    Query durable = database.query("PRAGMA synchronous");
                    EXPECT_TRUE(durable.step());
                    EXPECT_EQ(durable.number(0), 2);
                  })
                  .ok());
  EXPECT_EQ(rows, 16);
}

}  // namespace
}  // namespace warpshop::serve
