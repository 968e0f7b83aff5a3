// size_t and ptrdiff_t are NVRTC's own.
#pragma once
#ifndef NULL
#define NULL 0
#endif
