// A page in a browser starts no programs.
#include "core/child_process.h"

namespace warpshop {

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& argv,
                                         const ChildOptions&) {
  return make_error("process",
                    sentence("'{program}' cannot be started: a browser starts no programs",
                             {{"program", argv.empty() ? std::string("nothing") : argv.front()}}),
                    sentence("use the lab that is installed on your machine for this"));
}

// No child exists.
bool ChildProcess::write(std::string_view, Clock::time_point) { return false; }
ChildProcess::Read ChildProcess::read_line(std::string&, Clock::time_point, const StopFlag*,
                                           size_t) {
  return Read::kClosed;
}
ChildProcess::Read ChildProcess::read_bytes(std::string&, size_t, Clock::time_point,
                                            const StopFlag*) {
  return Read::kClosed;
}
void ChildProcess::close_input() {}
Sentence ChildProcess::finish(Clock::time_point) { return {}; }
void ChildProcess::kill() {}
std::optional<int> ChildProcess::wait_status(Clock::time_point) { return std::nullopt; }
std::string ChildProcess::error_tail() { return {}; }
void ChildProcess::release() {}
ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() = default;

std::filesystem::path own_program() { return "warpshop"; }

}  // namespace warpshop
