// The prediction for chips that no compiler of today makes machine code for. Private to the room.
#pragma once

#include "timing/predict.h"

namespace warpshop::timing {

Result<Prediction> predict_whole_chip(const models::GpuProfile& gpu, const PredictionInput& input,
                                      emulator::DeviceMemory& memory);

}  // namespace warpshop::timing
