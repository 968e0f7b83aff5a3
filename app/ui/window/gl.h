// OpenGL's functions: of OpenGL 3.3 on the desktop, of OpenGL ES 3 (WebGL 2) in a browser.
#pragma once

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>
#endif
