// JSON of what stands in more than one message.
#pragma once

#include <nlohmann/json.hpp>

#include "device/protocol.h"

namespace warpshop::device {

using Json = nlohmann::json;

// The readers throw what the JSON library throws; read_message catches it.
Json json_of(const Diagnostics& diagnostics);
Diagnostics diagnostics_of(const Json& list);
Json json_of(const GpuInfo& gpu);
GpuInfo gpu_of(const Json& json);
Json json_of(const CounterReading& reading);
CounterReading counters_of(const Json& json);
Json json_of(const GpuDescription& description);
GpuDescription description_of(const Json& json);

}  // namespace warpshop::device
