// clock() and clock_t are NVRTC's own; a device has no other clock of this header.
#pragma once
#include "stddef.h"
