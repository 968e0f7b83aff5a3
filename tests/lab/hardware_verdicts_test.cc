// Planted mistakes and instruction forms, compared with the
// verdicts of an H200 and of compute-sanitizer.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/files.h"
#include "lab/spec.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kVerdicts = fs::path(WARPSHOP_TESTS_DIR) / "hardware";

json verdicts_json(const fs::path& file) {
  std::ifstream stream(file);
  return json::parse(stream);
}

std::vector<CaseResult> run_folder(const char* folder) {
  const auto cases = load_spec(kVerdicts / folder / "cases.json");
  EXPECT_TRUE(cases.ok()) << render(cases.errors());
  SpecOptions options;
  options.gpu = models::find_gpu_profile(data_dir(), "h200").value();
  options.keep_buffers = true;
  return run_spec(*cases, options);
}

TEST(HardwareTruth, EveryPlantedMistakeIsFoundAndNoCorrectKernelIsBlamed) {
  std::map<std::string, KernelRun> runs;
  for (CaseResult& result : run_folder("bugs")) runs[result.name] = std::move(result.run);
  const json truth = verdicts_json(kVerdicts / "bugs" / "truth.json");
  ASSERT_EQ(runs.size(), truth.size());
  for (const json& t : truth) {
    SCOPED_TRACE(t["name"].get<std::string>());
    const std::vector<emulator::Finding>& findings = runs[t["name"]].findings;
    if (t["expect"].empty()) {
      EXPECT_TRUE(findings.empty()) << findings[0].message;
      continue;
    }
    const json& e = t["expect"][0];
    const auto lines = e["lines"].get<std::set<int>>();
    bool hit = false;
    for (const emulator::Finding& f : findings) {
      hit = hit || (json(name_of(f.kind)) == e["kind"] && lines.contains(f.place.line) &&
                    (e["space"].is_null() || json(f.space) == e["space"]) &&
                    (e["access"].is_null() || json(f.access) == e["access"]));
    }
    EXPECT_TRUE(hit) << "expected " << e;
    for (const emulator::Finding& f : findings) {
      EXPECT_FALSE(f.message.empty());
      EXPECT_FALSE(f.cause.empty());
    }
  }
}

// The bits as a number, if the type is floating-point.
double number(const std::string& type, uint64_t bits) {
  if (type == "f32") return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == "f64") return std::bit_cast<double>(bits);
  if (type == "bf16") return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  const uint32_t exponent = (bits >> 10) & 0x1f;
  const auto fraction = static_cast<double>(bits & 0x3ff);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
}

// True if the bits are equal, or both are NaNs. An approximate instruction may be off
// by 2^-20, which is within 2 ulp of every bound that the manual gives for these. It
// bounds sine and cosine for |x| ≤ 100 only.
bool agree(const json& c, uint64_t got, uint64_t want, uint64_t input) {
  if (got == want) return true;
  std::string type = c["result"];
  if (type == "f16x2" || type == "bf16x2") {
    json half = c;
    half["result"] = type.substr(0, type.size() - 2);
    return agree(half, got & 0xffff, want & 0xffff, input) &&
           agree(half, got >> 16, want >> 16, input);
  }
  if (type != "f32" && type != "f64" && type != "f16" && type != "bf16") return false;
  const double g = number(type, got);
  const double w = number(type, want);
  if (std::isnan(g) && std::isnan(w)) return true;
  if (c["exact"].get<bool>()) return false;
  const std::string name = c["name"];
  const bool absolute =
      name.starts_with("sin") || name.starts_with("cos") || name.starts_with("lg2");
  if ((name.starts_with("sin") || name.starts_with("cos")) &&
      !(std::fabs(number(type, input)) <= 100))
    return true;
  if (std::fabs(g) < 1e-36 && std::fabs(w) < 1e-36) return true;
  if (!std::isfinite(g) || !std::isfinite(w)) return g == w;
  return std::fabs(g - w) <= std::ldexp(absolute ? std::fmax(1, std::fabs(w)) : std::fabs(w), -20);
}

std::vector<uint64_t> words(const std::vector<uint8_t>& bytes) {
  std::vector<uint64_t> out(bytes.size() / 8);
  std::memcpy(out.data(), bytes.data(), out.size() * 8);
  return out;
}

TEST(HardwareTruth, EveryInstructionFormGivesTheChipsBits) {
  const std::vector<CaseResult> results = run_folder("instructions");
  const json cases = verdicts_json(kVerdicts / "instructions" / "cases.json");
  const auto expected = read_file(kVerdicts / "instructions" / "expected.bin");
  ASSERT_TRUE(expected.ok());
  ASSERT_EQ(results.size(), cases.size());
  const size_t rows = expected->size() / 8 / cases.size();
  for (size_t n = 0; n < results.size(); ++n) {
    SCOPED_TRACE(results[n].name);
    ASSERT_TRUE(results[n].errors.empty()) << render(results[n].errors);
    ASSERT_EQ(results[n].bytes.size(), 2U);
    const std::vector<uint64_t> input = words(results[n].bytes[0]);
    const std::vector<uint64_t> got = words(results[n].bytes[1]);
    ASSERT_EQ(got.size(), rows);
    for (size_t row = 0; row < rows; ++row) {
      uint64_t want = 0;
      std::memcpy(&want, expected->data() + (n * rows + row) * 8, 8);
      EXPECT_TRUE(agree(cases[n], got[row], want, input[row * 3]))
          << "row " << row << std::hex << ": inputs " << input[row * 3] << " " << input[row * 3 + 1]
          << " " << input[row * 3 + 2] << " give " << got[row] << ", the chip " << want;
    }
  }
}

}  // namespace
}  // namespace warpshop::lab
