// memcpy and memset are NVRTC's own; a device has no other function of this header.
#pragma once
#include "stddef.h"
