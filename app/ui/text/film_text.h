// A film in words: lanes, paths and register values. No drawing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/replay.h"
#include "lab/film.h"

namespace warpshop::ui {

// "all lanes", "lane 3", "lanes 0–9", "lanes 0–3, 8",
// or "16 lanes" if they form more than three ranges.
std::string lanes_text(uint32_t mask);

// "waits at line 12 for the lanes above", "runs", …
std::string path_text(const lab::FilmScript& film, const emulator::ReplayPath& path);

// The position in the source to which the values of variables belong: "before line 12", "in line
// 12, after its access", …
std::string position_text(const lab::DebugPosition& position);

// A lane's value of a variable; "–" if the lane has none.
std::string value_text(const lab::NamedValue& value, int lane);

// The values of all lanes that have one: "5 in all lanes", or a line for each eight lanes.
std::string values_text(const lab::NamedValue& value);

// The name at a place in a line of code, with the variable that it is a member of: "threadIdx.x" at
// its x. Empty: there is none, or a member of something that is no name, as in p[i].x.
std::string name_at(std::string_view line, size_t index);

// A lane's value in a register or in memory, formatted by its type: "1.5", "-3", "true", "0x7f00…".
std::string value_text(ptx::Type type, uint64_t bits);

}  // namespace warpshop::ui
