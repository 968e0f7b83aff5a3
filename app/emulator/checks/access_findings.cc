#include "checks/access_findings.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "analysis/liveness.h"
#include "checks/note_finding.h"
#include "checks/words.h"
#include "core/ascii.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/memory_flags.h"
#include "state/regions.h"

namespace warpshop::emulator {
namespace {

Sentence access_at(std::string_view access, int bytes, uint64_t address, Sentence wrong) {
  return sentence(
      "{access} of {bytes} at {address}: {wrong}",
      {{"access", access_words(access)},
       {"bytes", counted(static_cast<uint64_t>(bytes), "{count} byte", "{count} bytes")},
       {"address", hexadecimal(address)},
       {"wrong", std::move(wrong)}});
}

// Names of regions that are not buffers of the launch.
Sentence region_words(const std::string& name) {
  if (name == "shared memory") return sentence("shared memory");
  if (name == "local memory") return sentence("local memory");
  if (name == "constant memory") return sentence("constant memory");
  if (name == "parameters") return sentence("parameters");
  return name;
}

// True for names that can be indexed in C++: buffers of a lab, but not "buffer 0" of `warpshop
// run`.

// True for memory whose elements can be counted: buffers, and named shared or constant variables.
bool is_array(const Region& region, ptx::Space space) {
  const std::string_view name = region.name == nullptr ? "" : region.name;
  return !name.empty() && space != ptx::Space::kLocal && space != ptx::Space::kParam &&
         name != "shared memory" && name != "constant memory";
}

// Names the array element at an address as C++ would index it, with the number of elements and the
// thread: students look for the index first. Empty if the memory is not a named array.
Sentence element_words(const Warp& warp, const MicroOp* op, const Finding& f, const Region& region,
                       ptx::Space space, uint64_t address, int bytes) {
  if (space == ptx::Space::kLocal) {  // of one thread; its arrays have no names in PTX
    return sentence("{thread} of {block}",
                    {{"thread", thread_words(f.who)}, {"block", block_words(f.who.block)}});
  }
  if (!is_array(region, space)) return {};
  const uint32_t written = warp.worker->launch->program->sites[op->site].element_bytes;
  const auto element = static_cast<int64_t>(
      region.element_bytes > 0 ? region.element_bytes : std::max<uint32_t>(written, 1));
  const auto offset = static_cast<int64_t>(address - region.base);
  const int64_t first = offset / element - (offset % element < 0 ? 1 : 0);
  const int64_t elements = (bytes - 1) / element;
  const int64_t last =
      first > std::numeric_limits<int64_t>::max() - elements ? first : first + elements;
  std::string index = std::to_string(first);
  if (last > first) index += "…" + std::to_string(last);
  const std::vector<SentencePart> parts = {
      {"name", region.name},
      {"index", index},
      {"count", count_words(region.size_bytes / static_cast<uint64_t>(element))},
      {"thread", thread_words(f.who)},
      {"block", block_words(f.who.block)}};
  // PTX does not record the dimensions of a variable; its elements are counted row by row.
  if (space == ptx::Space::kGlobal && is_identifier(region.name)) {
    return sentence("{name}[{index}] of {count}, {thread} of {block}", parts);
  }
  return sentence("element {index} of {count} in \"{name}\", {thread} of {block}", parts);
}

// Describes an access error, starting with the element if it is known.
Sentence with_element(Sentence element, Sentence what) {
  return std::move(element.then(std::move(what), ": "));
}

// The buffer that an access without a known base pointer was probably meant for: the nearest one.
const Region* meant_region(const Launch& launch, uint32_t site, uint64_t address) {
  const Region* base = launch.base_of_site[site];
  return base != nullptr ? base : launch.nearest(address);
}

// Handles addresses inside or after a block of malloc. True: the finding is complete.
bool note_heap_access(Warp& warp, Finding& f, std::string_view access, uint64_t address,
                      int bytes) {
  const Launch& launch = *warp.worker->launch;
  Heap::Block block;
  if (!launch.heap || !is_heap_address(address) || !launch.heap->describe(address, block))
    return false;
  f.allocation = block.region.name;
  f.other_place = block.is_free ? block.freed.place : block.allocated.place;
  f.other_who = block.is_free ? block.freed.who : block.allocated.who;
  const uint64_t offset = address - block.region.base;
  f.distance_bytes = static_cast<int64_t>(offset + static_cast<uint64_t>(bytes)) -
                     static_cast<int64_t>(block.region.size_bytes);
  if (block.is_free) {
    const int line = block.freed.place.line;
    f.message = access_at(
        access, bytes, address,
        line > 0 ? sentence("free at line {line} has given this memory back", {{"line", line}})
                 : sentence("free has given this memory back"));
    f.cause = sentence(
        "a pointer that is kept after free, or that another thread has freed: free it when nobody "
        "needs it any more");
    return true;
  }
  const int line = block.allocated.place.line;
  f.message = access_at(
      access, bytes, address,
      line > 0
          ? sentence("it ends {past} bytes past the {all} bytes that malloc at line {line} gave",
                     {{"past", f.distance_bytes}, {"all", block.region.size_bytes}, {"line", line}})
          : sentence("it ends {past} bytes past the {all} bytes that malloc gave",
                     {{"past", f.distance_bytes}, {"all", block.region.size_bytes}}));
  f.cause = sentence("an index that is too large, or a malloc that counts elements and not bytes");
  return true;
}

Sentence negative_index() {
  return sentence(
      "a negative index: too much is subtracted, or a product of ints passed 2,147,483,647 and "
      "wrapped around");
}

// A few elements before the start are usually a neighbour that does not exist.
Sentence missing_neighbour() {
  return sentence(
      "a negative index: the first elements have no neighbours before them; is a guard such as "
      "if (i > 0) missing?");
}
constexpr uint64_t kNeighbours = 64;

// A generic pointer that a negative index has moved below its window points to the end of the
// window below; the intended window is the one above. True: the finding is complete.
bool note_below_window(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent,
                       int lane, uint64_t address, int bytes) {
  constexpr uint64_t kNear = 1 << 20;
  if (written_space(op) != ptx::Space::kGeneric) return false;
  const uint64_t generic = window_of(space) | address;
  const uint64_t window = (generic + kNear) & kWindowMask;
  if (window == (generic & kWindowMask)) return false;
  const ptx::Space meant = space_of_window(window);
  if (meant == ptx::Space::kGlobal) return false;
  Finding* f = note_finding(warp, op, FindingKind::kOutOfBounds, meant, verb(intent), lane);
  if (f == nullptr) return true;
  f->address = generic;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->allocation = region_of_space(warp, op, meant).name;
  f->distance_bytes = static_cast<int64_t>(generic - window);
  f->message = sentence("{access} of {bytes} bytes, {before} bytes before the start of \"{name}\"",
                        {{"access", access_words(verb(intent))},
                         {"bytes", bytes},
                         {"before", window - generic},
                         {"name", region_words(f->allocation)}});
  f->cause = negative_index();
  return true;
}

// True for an exchange whose result nobody uses: a store, as far as what it reads is concerned.
bool only_replaces(const DecodedProgram& program, const AccessSite& site) {
  const ptx::Function& function = program.module->functions[static_cast<size_t>(site.function)];
  const ptx::Instruction& access = function.body[static_cast<size_t>(site.instruction)];
  return access.opcode == "atom" && ptx::has_modifier(access, "exch") &&
         !defines_live(access.operands[0], registers_read(function));
}

}  // namespace

void note_out_of_bounds(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent,
                        int lane, uint64_t address, int bytes) {
  if (note_below_window(warp, op, space, intent, lane, address, bytes)) return;
  Finding* f = note_finding(warp, op, FindingKind::kOutOfBounds, space, verb(intent), lane);
  if (f == nullptr) return;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  Region region = region_of_space(warp, op, space);
  if (space == ptx::Space::kGlobal) {
    if (const Region* meant = meant_region(*warp.worker->launch, op->site, address))
      region = *meant;
    if (note_heap_access(warp, *f, verb(intent), address, bytes)) return;
  }
  f->allocation = region.name == nullptr ? "" : region.name;
  const uint64_t end = region.base + region.size_bytes;
  // Addresses in a window are relative to its start: a negative index makes them negative (64 or 32
  // bits).
  const bool in_window = space != ptx::Space::kGlobal;
  const uint64_t place =
      in_window && (address >> 31) == 1 ? address | ~uint64_t{0xffffffffu} : address;
  const bool before =
      in_window ? static_cast<int64_t>(place - region.base) < 0 : address < region.base;
  f->distance_bytes = before ? static_cast<int64_t>(place - region.base)
                             : static_cast<int64_t>(place + static_cast<uint64_t>(bytes) - end);
  if (space == ptx::Space::kGlobal && (address >> 12) == 0) {
    f->message = access_at(verb(intent), bytes, address, sentence("a null pointer"));
    f->allocation.clear();
    f->distance_bytes = 0;
    f->cause =
        sentence("a pointer argument that was never set, or an index added to a null pointer");
    return;
  }
  if (intent != AccessIntent::kRead && read_only(space) &&
      address - region.base <= region.size_bytes) {
    f->message = access_at(verb(intent), bytes, address,
                           space == ptx::Space::kConst
                               ? sentence("constant memory cannot be written by a kernel")
                               : sentence("parameters cannot be written by a kernel"));
    f->cause = sentence("a pointer to constant memory or to a parameter used as an output");
    return;
  }
  const bool straddles = !before && place < end;
  const uint64_t past =
      before ? region.base - place : place + (straddles ? static_cast<uint64_t>(bytes) : 0) - end;
  const std::vector<SentencePart> parts = {{"past", count_words(past)},
                                           {"name", region_words(f->allocation)},
                                           {"size", count_words(region.size_bytes)}};
  f->message = with_element(
      element_words(warp, op, *f, region, space, place, bytes),
      access_at(
          verb(intent), bytes, address,
          f->allocation.empty()
              ? (before ? sentence("{past} bytes before the start of any allocation ({size} bytes)",
                                   parts)
                        : sentence("{past} bytes past the end of any allocation ({size} bytes)",
                                   parts))
          : before ? sentence("{past} bytes before the start of \"{name}\" ({size} bytes)", parts)
          : straddles
              ? sentence("the last {past} bytes lie past the end of \"{name}\" ({size} bytes)",
                         parts)
          : past == 0 ? sentence("directly after the end of \"{name}\" ({size} bytes)", parts)
                      : sentence("{past} bytes past the end of \"{name}\" ({size} bytes)", parts)));
  const bool neighbour = before && past <= kNeighbours * static_cast<uint64_t>(bytes);
  f->cause = neighbour ? missing_neighbour()
             : before  ? negative_index()
             : space == ptx::Space::kGlobal
                 ? sentence(
                       "an index that is too large: is a guard such as if (i < n) missing, or "
                       "is it i <= n?")
                 : sentence("an index that is too large for an array of fixed size");
}

void note_misaligned(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent, int lane,
                     uint64_t address, int bytes) {
  Finding* f = note_finding(warp, op, FindingKind::kMisaligned, space, verb(intent), lane);
  if (f == nullptr) return;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  Region region = region_of_space(warp, op, space);
  if (space == ptx::Space::kGlobal) {
    if (const Region* meant = meant_region(*warp.worker->launch, op->site, address))
      region = *meant;
  }
  f->message = with_element(
      element_words(warp, op, *f, region, space, address, bytes),
      sentence("{access} of {bytes} bytes at {address}, which is not a multiple of {bytes}",
               {{"access", access_words(verb(intent))},
                {"bytes", bytes},
                {"address", hexadecimal(address)}}));
  f->cause = sentence(
      "a pointer cast to a wider type: an access of {bytes} bytes needs an address that is a "
      "multiple of {bytes}",
      {{"bytes", bytes}});
}

Finding* note_uninitialised(Warp& warp, const MicroOp* op, const Region& region, ptx::Space space,
                            int lane, uint64_t address, int bytes, uint64_t times) {
  const DecodedProgram& program = *warp.worker->launch->program;
  if (only_replaces(program, program.sites[op->site])) return nullptr;
  Finding* f = note_finding(warp, op, FindingKind::kUninitialised, space, "read", lane, times);
  if (f == nullptr) return nullptr;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->allocation = region.name;
  f->message = with_element(
      element_words(warp, op, *f, region, space, address, bytes),
      sentence("read of {bytes} bytes of \"{name}\" at {address} that nothing has written",
               {{"bytes", bytes},
                {"name", region_words(region.name)},
                {"address", hexadecimal(address)}}));
  f->cause =
      space == ptx::Space::kShared
          ? sentence("a part of the tile that no thread fills before it is read")
      : space == ptx::Space::kLocal
          ? sentence("an array inside the kernel of which this element was never set")
          : sentence("an output buffer used as an input, or an element that no thread writes");
  return f;
}

}  // namespace warpshop::emulator
