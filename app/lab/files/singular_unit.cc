#include "files/singular_unit.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpshop::lab {
namespace {

// The nouns that labs count, in every language that labs are written in.
constexpr std::array<std::pair<std::string_view, std::string_view>, 37> kNouns = {
    {{"accesses", "access"},
     {"atomics", "atomic"},
     {"barriers", "barrier"},
     {"blocks", "block"},
     {"branches", "branch"},
     {"bursts", "burst"},
     {"bytes", "byte"},
     {"cells", "cell"},
     {"conflicts", "conflict"},
     {"conversions", "conversion"},
     {"elements", "element"},
     {"functions", "function"},
     {"instructions", "instruction"},
     {"KiB", "KiB"},
     {"lanes", "lane"},
     {"loads", "load"},
     {"messages", "message"},
     {"multiply-adds", "multiply-add"},
     {"passes", "pass"},
     {"registers", "register"},
     {"requests", "request"},
     {"sectors", "sector"},
     {"shuffles", "shuffle"},
     {"stores", "store"},
     {"threads", "thread"},
     {"transactions", "transaction"},
     {"visits", "visit"},
     {"waits", "wait"},
     {"warps", "warp"},
     {"wavefronts", "wavefront"},
     {"words", "word"},
     {"Anfragen", "Anfrage"},
     {"Bytes", "Byte"},
     {"Sektoren", "Sektor"},
     {"Transaktionen", "Transaktion"},
     {"Wellenfronten", "Wellenfront"},
     {"Zugriffe", "Zugriff"}}};

}  // namespace

std::string singular_unit(std::string_view unit) {
  // The noun is the first word, or the second after an adjective or another noun: "special
  // instructions per pair", "load requests for 32 elements".
  size_t at = 0;
  for (int word = 0; word < 2 && at < unit.size(); ++word) {
    const size_t end = std::min(unit.find(' ', at), unit.size());
    const auto noun = std::find_if(kNouns.begin(), kNouns.end(), [&](const auto& pair) {
      return pair.first == unit.substr(at, end - at);
    });
    if (noun != kNouns.end())
      return std::string(unit.substr(0, at)) + std::string(noun->second) +
             std::string(unit.substr(end));
    at = end + 1;
  }
  return {};
}

}  // namespace warpshop::lab
