// JSON for types that occur in several messages.
#pragma once

#include <nlohmann/json.hpp>

#include "device/protocol.h"

namespace warpshop::device {

using Json = nlohmann::json;

// The readers let the JSON library's exceptions through; read_message catches them.
Json json_of(const Diagnostics& diagnostics);
Diagnostics diagnostics_of(const Json& list);
Json json_of(const GpuInfo& gpu);
GpuInfo gpu_of(const Json& json);
Json json_of(const CounterReading& reading);
CounterReading counters_of(const Json& json);
Json json_of(const GpuDescription& description);
GpuDescription description_of(const Json& json);

}  // namespace warpshop::device
