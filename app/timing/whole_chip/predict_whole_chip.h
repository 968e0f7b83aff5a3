// Prediction for chips that current compilers no longer support. Private to the room.
#pragma once

#include "timing/predict.h"

namespace warpshop::timing {

Result<Prediction> predict_whole_chip(const models::GpuProfile& gpu, const PredictionInput& input,
                                      emulator::DeviceMemory& memory);

}  // namespace warpshop::timing
