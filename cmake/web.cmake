# The browser edition: the rooms as WebAssembly, with threads and SIMD, by Emscripten (preset `web`). Rooms and files
# that need a system with processes are left out in app/; a file NAME_web.cc takes the place of NAME_linux.cc.
#
# Exceptions are compiled only into rooms that catch some (CATCHES in cmake/rooms.cmake): Emscripten 3.1.6 sends each
# call that may throw through JavaScript, and its WebAssembly exceptions do not work together with threads.
add_compile_options(-pthread -msimd128)
add_link_options(-pthread -msimd128 -fexceptions)

# Emscripten's linker runs acorn in Node.js. Debian's package of acorn lies here, where only Debian's Node.js looks.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")

# Debian's libraries of headers: the include folder of the system would bring the headers of its C library as well.
function(warpshop_system_headers target folder)
  if(TARGET ${target} OR NOT EXISTS /usr/include/${folder})
    return()
  endif()
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/system-headers)
  file(CREATE_LINK /usr/include/${folder} ${PROJECT_BINARY_DIR}/system-headers/${folder} SYMBOLIC)
  string(MAKE_C_IDENTIFIER ${target} name)
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/system-headers)
  add_library(${target} ALIAS ${name})
endfunction()
warpshop_system_headers(nlohmann_json::nlohmann_json nlohmann)
warpshop_system_headers(tomlplusplus::tomlplusplus toml++)
warpshop_system_headers(CLI11::CLI11 CLI)
