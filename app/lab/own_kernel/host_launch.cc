#include "own_kernel/host_launch.h"

#include <algorithm>

#include "own_kernel/host_source.h"

namespace warpshop::lab {
namespace {

class LaunchReader : HostSource {
 public:
  using HostSource::HostSource;

  std::optional<HostLaunch> first_launch(const compile::SourceKernel& kernel) const {
    const size_t sign = launch_sign(kernel);
    if (sign == kNothing) return std::nullopt;
    const size_t end = closing_angles(sign);
    const std::vector<Range> configuration = parts(sign + 1, end);
    HostLaunch out;
    out.line = kernel.launches.front().place.line;
    out.instance = instance_before(sign, kernel.name);
    if (!configuration.empty()) out.grid = dimensions(configuration[0]);
    if (configuration.size() > 1) out.block = dimensions(configuration[1]);
    if (configuration.size() > 2) out.shared_bytes = number(configuration[2]);
    out.arguments.resize(kernel.parameters.size());
    const size_t open = end + 3;
    if (!is(open, "(")) return out;
    const std::vector<Range> given = parts(open + 1, matching(open));
    for (size_t n = 0; n < std::min(given.size(), kernel.parameters.size()); ++n) {
      const bool pointer = kernel.parameters[n].type.find('*') != std::string::npos;
      out.arguments[n] = pointer ? allocated_bytes(given[n]) : number(given[n]);
    }
    return out;
  }

 private:
  // The token of the launch's <<<, found from the kernel's name.
  size_t launch_sign(const compile::SourceKernel& kernel) const {
    if (kernel.launches.empty()) return kNothing;
    const compile::SourceLaunch& launch = kernel.launches.front();
    for (size_t at = 0; at < size(); ++at) {
      if (!token(at).is(kernel.name) || line_of(at) != launch.place.line) continue;
      while (at < size() && !token(at).is("<<<") && !token(at).is(";")) ++at;
      return is(at, "<<<") && is(closing_angles(at), ">") ? at : kNothing;
    }
    return kNothing;
  }
  std::string instance_before(size_t sign, std::string_view kernel) const {
    size_t name = sign;
    while (name > 0 && !is(name, kernel)) --name;
    if (!is(name + 1, "<") || !is(sign - 1, ">")) return {};
    std::string out;
    for (const Range& part : parts(name + 2, sign - 1))
      out += (out.empty() ? "" : ", ") + template_argument(part);
    return std::string(kernel) + "<" + out + ">";
  }
  std::string template_argument(Range part) const {
    const std::optional<HostNumber> value = number(part);
    if (value && value->whole && !value->names.empty()) {
      const std::optional<Declaration> declared = declaration(token(part.first).text, part.first);
      const bool truth = part.last == part.first + 1 && declared && declared->element &&
                         declared->element->kind == ValueType::Kind::kBool;
      return truth ? value->value != 0 ? "true" : "false" : plain_number(value->value);
    }
    return std::string(text_of(part));
  }
  size_t closing_angles(size_t sign) const {
    size_t at = sign + 1;
    while (at < size() && !token(at).is(";") &&
           !(is(at, ">") && is(at + 1, ">") && is(at + 2, ">")))
      at = past(at);
    return at;
  }

  std::vector<HostNumber> dimensions(Range range) const {
    if (range.last == range.first + 1 && is_word(range.first)) {
      const std::optional<Declaration> declared = declaration(token(range.first).text, range.first);
      if (declared && declared->type == "dim3") {
        if (!declared->constant && !stays(*declared, range.first)) return {};
        return declared->bracketed ? all_of(parts(declared->value.first, declared->value.last))
                                   : dimensions(declared->value);
      }
    }
    if (is(range.first, "dim3") && range.first + 1 < range.last && opens(range.first + 1)) {
      return all_of(parts(range.first + 2, range.last - 1));
    }
    return all_of({range});
  }
  std::vector<HostNumber> all_of(const std::vector<Range>& ranges) const {
    std::vector<HostNumber> out;
    for (const Range& range : ranges) {
      std::optional<HostNumber> read = number(range);
      if (!read || !read->whole || read->value < 1) return {};
      out.push_back(std::move(*read));
    }
    return out;
  }

  // The size of the last allocation for a pointer before it is passed.
  std::optional<HostNumber> allocated_bytes(Range range) const {
    if (range.last != range.first + 1 || !is_word(range.first)) return std::nullopt;
    const std::string_view name = token(range.first).text;
    const std::optional<Declaration> declared = declaration(name, range.first);
    if (!declared) return std::nullopt;
    for (size_t at = range.first; at-- > declared->name;) {
      if (!is_word(at) || !token(at).text.starts_with("cudaMalloc") || !is(at + 1, "(")) continue;
      const std::vector<Range> given = parts(at + 2, matching(at + 1));
      if (given.size() < 2 || given[0].last < 2 || !is(given[0].last - 1, name) ||
          !is(given[0].last - 2, "&"))
        continue;
      return number(given[1]);
    }
    return std::nullopt;
  }
};

}  // namespace

std::optional<HostLaunch> first_launch(std::string_view source,
                                       const compile::SourceKernel& kernel) {
  return LaunchReader(source).first_launch(kernel);
}

}  // namespace warpshop::lab
