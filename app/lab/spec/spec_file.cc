// Reads CASES.json into a list of cases. docs/cli.md, "A spec".
#include <cstdio>
#include <cstring>
#include <limits>
#include <set>
#include <type_traits>

#include "core/files.h"
#include "lab/spec.h"
#include "lab/value_type.h"
#include "spec/json_places.h"

namespace warpshop::lab {
namespace {

using JsonKind = PlacedJson::Kind;

// Case names become file names in a dump.
bool is_case_name(std::string_view name) {
  return !name.empty() && name[0] != '.' && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

class SpecReader {
 public:
  SpecReader(const std::filesystem::path& file)
      : file_(file.string()), folder_(file.parent_path()) {}

  Result<std::vector<SpecCase>> read(std::string_view text) {
    const Result<PlacedJson> root = parse_json(text, file_);
    if (!root.ok()) return root.errors();
    if (root->kind != JsonKind::kList) {
      error(*root, "expected a list of cases, found " + std::string(name_of(root->kind)));
      return errors_;
    }
    std::vector<SpecCase> cases;
    for (const PlacedJson& item : root->items) cases.push_back(read_case(item));
    if (!errors_.empty()) return errors_;
    return cases;
  }

 private:
  SpecCase read_case(const PlacedJson& item) {
    SpecCase out;
    out.place = {file_, item.line};
    if (item.kind != JsonKind::kObject) {
      error(item,
            "expected a case, an object with name, source, kernel, grid, block and args; found " +
                std::string(name_of(item.kind)));
      return out;
    }
    if (const PlacedJson* name = member(item, "name", JsonKind::kText)) {
      out.name = name->text;
      if (!is_case_name(out.name)) error(*name, "a case's name is not empty and has no '/'");
      if (!names_.insert(out.name).second)
        error(*name, "there are two cases named \"" + out.name + "\"");
    }
    if (const PlacedJson* source = member(item, "source", JsonKind::kText)) {
      out.source = folder_ / source->text;
      const auto extension = out.source.extension();
      if (extension != ".cu" && extension != ".ptx") {
        error(*source, "the source \"" + source->text + "\" is neither a .cu nor a .ptx file");
      }
    }
    out.folder = folder_;
    if (const PlacedJson* kernel = member(item, "kernel", JsonKind::kText))
      out.kernel = kernel->text;
    if (const PlacedJson* options = optional_member(item, "options", JsonKind::kList)) {
      for (const PlacedJson& option : options->items) {
        if (expect(option, JsonKind::kText, "an option")) out.options.push_back(option.text);
      }
    }
    out.grid = read_dim(item, "grid");
    out.block = read_dim(item, "block");
    if (const PlacedJson* shared = optional_member(item, "dynamic_shared", JsonKind::kWhole)) {
      out.dynamic_shared_bytes = static_cast<uint32_t>(
          in_range(*shared, "\"dynamic_shared\"", 0, std::numeric_limits<uint32_t>::max()));
    }
    if (const PlacedJson* start = optional_member(item, "buffers_start", JsonKind::kWhole))
      out.buffers_start = in_range(*start, "\"buffers_start\"", 0, 4095);
    if (const PlacedJson* cooperative = optional_member(item, "cooperative", JsonKind::kFlag))
      out.cooperative = cooperative->flag;
    if (optional_member(item, "cluster", JsonKind::kList) != nullptr)
      out.cluster = read_dim(item, "cluster");
    if (const PlacedJson* large = optional_member(item, "large_clusters", JsonKind::kFlag))
      out.large_clusters = large->flag;
    if (const PlacedJson* args = member(item, "args", JsonKind::kList)) {
      for (const PlacedJson& arg : args->items) out.args.push_back(read_arg(arg));
    }
    return out;
  }

  Dim3 read_dim(const PlacedJson& item, std::string_view key) {
    Dim3 out;
    const PlacedJson* list = member(item, key, JsonKind::kList);
    if (list == nullptr) return out;
    if (list->items.size() != 3) {
      error(*list, "\"" + std::string(key) + "\" has three numbers, not " +
                       std::to_string(list->items.size()));
      return out;
    }
    // The launch will refuse a 0.
    uint32_t* const parts[] = {&out.x, &out.y, &out.z};
    for (size_t i = 0; i < 3; ++i) {
      if (!expect(list->items[i], JsonKind::kWhole, "a number of \"" + std::string(key) + "\""))
        continue;
      *parts[i] =
          static_cast<uint32_t>(in_range(list->items[i], "a number of \"" + std::string(key) + "\"",
                                         0, std::numeric_limits<uint32_t>::max()));
    }
    return out;
  }

  SpecArg read_arg(const PlacedJson& item) {
    SpecArg out;
    if (!expect(item, JsonKind::kObject, "an argument")) return out;
    if (const PlacedJson* buffer = item.find("buffer")) {
      out.is_buffer = true;
      if (expect(*buffer, JsonKind::kWhole, "\"buffer\" (its bytes)")) {
        out.size_bytes =
            static_cast<uint64_t>(in_range(*buffer, "\"buffer\"", 1, int64_t{1} << 40));
      }
      read_fill(item, out);
    } else if (item.find("texture") != nullptr || item.find("surface") != nullptr) {
      read_texture(item, item.find("surface") != nullptr, out);
    } else if (item.find("tensor_map") != nullptr) {
      read_tensor_map(item, out);
    } else if (const PlacedJson* fields = item.find("struct")) {
      read_struct(*fields, out);
    } else {
      read_value(item, out);
    }
    return out;
  }

  void read_struct(const PlacedJson& fields, SpecArg& out) {
    if (!expect(fields, JsonKind::kList, "\"struct\" (its fields)")) return;
    if (fields.items.empty()) return error(fields, "a struct has at least one field");
    for (const PlacedJson& item : fields.items) {
      SpecArg field = read_arg(item);
      if (field.texture || field.tensor)
        error(item,
              "a texture, surface or tensor map cannot stand in a struct here: pass it as an "
              "argument of its "
              "own");
      out.fields.push_back(std::move(field));
    }
    out.alignment_bytes = struct_alignment(out.fields);
  }

  // {"i32": 5}, {"float4": [1, 2, 3, 4]}: the only member whose name is a type.
  void read_value(const PlacedJson& item, SpecArg& out) {
    for (const auto& [name, value] : item.members) {
      const std::optional<ValueType> type = value_type_named(name);
      if (!type) continue;
      std::vector<std::string> numbers;
      const bool list = value.kind == JsonKind::kList;
      for (const PlacedJson& number : list ? value.items : std::vector<PlacedJson>{value}) {
        switch (number.kind) {
          case JsonKind::kWhole:
            numbers.push_back(std::to_string(number.whole));
            break;
          case JsonKind::kFlag:
            numbers.emplace_back(number.flag ? "true" : "false");
            break;
          case JsonKind::kText:
            numbers.push_back(number.text);
            break;
          case JsonKind::kNumber: {
            char text[40];
            std::snprintf(text, sizeof text, "%.17g", number.number);
            numbers.emplace_back(text);
            break;
          }
          default:
            return error(number, "a value of \"" + name + "\" is a number, not " +
                                     std::string(name_of(number.kind)));
        }
      }
      // "i32" has always accepted any 32-bit pattern.
      ValueType taken = *type;
      const bool pattern = name == "i32" && value.kind == JsonKind::kWhole &&
                           value.whole > std::numeric_limits<int32_t>::max();
      if (pattern) taken.kind = ValueType::Kind::kUnsigned;
      Result<std::vector<uint8_t>> bytes = value_bytes(taken, numbers);
      if (!bytes.ok()) {
        const Diagnostic& why = bytes.errors().front();
        if (list || numbers.empty())
          return error(value, "\"" + name + "\": " + why.message, why.help);
        return error(value, "\"" + name + "\" is " + numbers.front() + ": " + why.help.english());
      }
      out.scalar.bytes = std::move(*bytes);
      out.alignment_bytes = static_cast<uint32_t>(type->alignment_bytes);
      return;
    }
    error(item,
          "expected an argument with \"buffer\" and \"fill\", or \"texture\", \"surface\", "
          "\"tensor_map\", \"struct\", or a value's type",
          "the types of values are " + std::string(kValueTypes) +
              "; for example {\"float4\": [1, 2, 3, 4]}");
  }

  void read_fill(const PlacedJson& item, SpecArg& out) {
    const PlacedJson* fill = member(item, "fill", JsonKind::kText);
    if (fill == nullptr) return;
    const Result<Fill> read = fill_from_spec(fill->text);
    if (read.ok()) {
      out.fill = *read;
    } else {
      error(*fill, read.errors().front().message, read.errors().front().help);
    }
  }

  // {"tensor_map": "f16", "extents": [256, 64], "box": [64, 8], "fill": "iota"}: a buffer of its
  // own behind a CUtensorMap. Lists start with the contiguous dimension.
  void read_tensor_map(const PlacedJson& item, SpecArg& out) {
    emulator::TensorMap map;
    const PlacedJson* type = member(item, "tensor_map", JsonKind::kText);
    const PlacedJson* extents = member(item, "extents", JsonKind::kList);
    const PlacedJson* box = member(item, "box", JsonKind::kList);
    if (type == nullptr || extents == nullptr || box == nullptr) return;
    const auto known = tensor_type_named(type->text);
    if (!known) return error(*type, "there is no element type \"" + type->text + "\"");
    map.type = *known;
    const size_t rank = extents->items.size();
    if (rank < 1 || rank > map.extents.size())
      return error(*extents, "a tensor has 1 to 5 dimensions, not " + std::to_string(rank));
    map.rank = static_cast<int>(rank);
    const auto take = [&](const PlacedJson* list, const std::string& key, size_t wanted, auto& to) {
      if (list == nullptr) return;
      if (list->items.size() != wanted) {
        return error(*list, "\"" + key + "\" has " + std::to_string(wanted) +
                                " numbers here, not " + std::to_string(list->items.size()));
      }
      for (size_t n = 0; n < wanted; ++n) {
        if (expect(list->items[n], JsonKind::kWhole, "a number of \"" + key + "\""))
          to[n] = static_cast<std::remove_reference_t<decltype(to[0])>>(
              in_range(list->items[n], "a number of \"" + key + "\"", 0, int64_t{1} << 40));
      }
    };
    take(extents, "extents", rank, map.extents);
    take(box, "box", rank, map.box);
    map.pack();
    take(optional_member(item, "strides", JsonKind::kList), "strides", rank - 1, map.strides);
    take(optional_member(item, "element_strides", JsonKind::kList), "element_strides", rank,
         map.element_strides);
    if (const PlacedJson* swizzle = optional_member(item, "swizzle", JsonKind::kWhole)) {
      map.swizzle_bytes = static_cast<int>(in_range(*swizzle, "\"swizzle\"", 0, 128));
      if (map.swizzle_bytes != 0 && map.swizzle_bytes != 32 && map.swizzle_bytes != 64 &&
          map.swizzle_bytes != 128)
        error(*swizzle, "\"swizzle\" is 0, 32, 64 or 128");
    }
    if (const PlacedJson* nan = optional_member(item, "nan_outside", JsonKind::kFlag))
      map.nan_outside = nan->flag;
    const Status good = emulator::check_tensor_map(map, type->text);
    if (!good.ok()) {
      for (const Diagnostic& why : good.errors())
        error(item, why.message.english(), why.help.english());
      return;
    }
    out.is_buffer = true;
    out.size_bytes = map.buffer_bytes();
    if (out.size_bytes > uint64_t{1} << 38) return error(*extents, "the tensor is too large");
    out.tensor = map;
    read_fill(item, out);
  }

  void read_texture(const PlacedJson& item, bool surface, SpecArg& out) {
    out.is_buffer = true;
    TextureArg texture;
    texture.surface = surface;
    const PlacedJson* type = member(item, surface ? "surface" : "texture", JsonKind::kText);
    if (type == nullptr) return;
    const std::optional<ElementType> known = element_type_named(type->text);
    if (!known) return error(*type, "there is no element type \"" + type->text + "\"");
    out.type = *known;
    constexpr int64_t kMost = 0xffffffff;
    if (const PlacedJson* count =
            surface ? nullptr : optional_member(item, "count", JsonKind::kWhole)) {
      texture.plain = true;
      out.extent.width = static_cast<uint64_t>(in_range(*count, "\"count\"", 1, kMost));
    } else if (const PlacedJson* width = member(item, "width", JsonKind::kWhole)) {
      out.extent.width = static_cast<uint64_t>(in_range(*width, "\"width\"", 1, kMost));
      const auto extent = [&](std::string_view key, uint64_t& to) {
        if (const PlacedJson* value = optional_member(item, key, JsonKind::kWhole))
          to = static_cast<uint64_t>(in_range(*value, "\"" + std::string(key) + "\"", 1, kMost));
      };
      extent("height", out.extent.height);
      extent("depth", out.extent.depth);
      extent("layers", out.extent.layers);
      if (const PlacedJson* cube = optional_member(item, "cube", JsonKind::kFlag))
        out.extent.cube = cube->flag;
    }
    if (const PlacedJson* channels = optional_member(item, "channels", JsonKind::kWhole)) {
      texture.channels = static_cast<int>(in_range(*channels, "\"channels\"", 1, 4));
    }
    const auto take = [&](std::string_view key, auto parse, auto& to) {
      const PlacedJson* word = surface ? nullptr : optional_member(item, key, JsonKind::kText);
      if (word == nullptr) return;
      const auto value = parse(word->text);
      if (!value.ok())
        return error(*word, value.errors().front().message, value.errors().front().help);
      to = *value;
    };
    take("address", texture_address_named, texture.settings.address[0]);
    texture.settings.address[1] = texture.settings.address[2] = texture.settings.address[0];
    take("filter", texture_filter_named, texture.settings.filter);
    take("read", texture_read_named, texture.settings.read);
    if (const PlacedJson* normalised = surface ? nullptr : item.find("normalized")) {
      if (expect(*normalised, JsonKind::kFlag, "\"normalized\"")) {
        texture.settings.normalized_coordinates = normalised->flag;
      }
    }
    for (const Status& possible :
         {check_texture(texture, out.type), check_extent(texture, out.type, out.extent, "image")}) {
      if (possible.ok()) continue;
      return error(item, possible.errors().front().message, possible.errors().front().help);
    }
    out.texture = texture;
    out.size_bytes = texels_of(texture, out.type, out.extent)->size_bytes_all();
    read_fill(item, out);
  }

  const PlacedJson* member(const PlacedJson& object, std::string_view key, JsonKind kind) {
    const PlacedJson* value = object.find(key);
    if (value == nullptr) {
      error(object, "there is no \"" + std::string(key) + "\" here: expected " +
                        std::string(name_of(kind)));
      return nullptr;
    }
    return expect(*value, kind, "\"" + std::string(key) + "\"") ? value : nullptr;
  }
  const PlacedJson* optional_member(const PlacedJson& object, std::string_view key, JsonKind kind) {
    const PlacedJson* value = object.find(key);
    if (value == nullptr) return nullptr;
    return expect(*value, kind, "\"" + std::string(key) + "\"") ? value : nullptr;
  }
  bool expect(const PlacedJson& value, JsonKind kind, const std::string& what) {
    if (value.kind == kind) return true;
    error(value, what + " must be " + std::string(name_of(kind)) + ", not " +
                     std::string(name_of(value.kind)));
    return false;
  }
  int64_t in_range(const PlacedJson& value, const std::string& what, int64_t low, int64_t high) {
    if (value.whole >= low && value.whole <= high) return value.whole;
    error(value, what + " is " + std::to_string(value.whole) + ", expected " + std::to_string(low) +
                     " to " + std::to_string(high));
    return low;
  }
  void error(const PlacedJson& at, std::string message, std::string help = {}) {
    errors_.push_back(make_error_at({file_, at.line}, "spec", std::move(message), std::move(help)));
  }

  std::string file_;
  std::filesystem::path folder_;
  std::set<std::string> names_;
  Diagnostics errors_;
};

}  // namespace

uint32_t struct_alignment(const std::vector<SpecArg>& fields) {
  uint32_t most = 1;
  for (const SpecArg& field : fields) most = std::max(most, field.alignment_bytes);
  return most;
}

std::vector<uint8_t> struct_bytes(const std::vector<std::vector<uint8_t>>& fields,
                                  const std::vector<SpecArg>& of) {
  std::vector<uint8_t> out;
  const auto pad_to = [&out](uint32_t alignment) {
    out.resize((out.size() + alignment - 1) / alignment * alignment);
  };
  for (size_t n = 0; n < fields.size(); ++n) {
    pad_to(of[n].alignment_bytes);
    out.insert(out.end(), fields[n].begin(), fields[n].end());
  }
  pad_to(struct_alignment(of));
  return out;
}

Result<std::vector<SpecCase>> load_spec(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text.ok()) return text.errors();
  return SpecReader(file).read(*text);
}

}  // namespace warpshop::lab
