# Everything that others wrote, pinned. Nothing of it is in this repository: it comes from the
# system's packages, from the cache that ./start fills, or else from its home with FetchContent.
include(FetchContent)

# The folder that ./start fills. Same rule as core/files.h: cache_dir().
if(DEFINED ENV{WARPSHOP_CACHE})
  set(WARPSHOP_CACHE "$ENV{WARPSHOP_CACHE}")
elseif("$ENV{XDG_CACHE_HOME}" MATCHES "^/")
  set(WARPSHOP_CACHE "$ENV{XDG_CACHE_HOME}/warpshop")
else()
  set(WARPSHOP_CACHE "$ENV{HOME}/.cache/warpshop")
endif()

find_package(Threads REQUIRED)

# warpshop_package(NAME TARGET REPOSITORY TAG VERSION): VERSION or newer from the system's packages,
# else TAG from its home.
function(warpshop_package name target repository tag)
  if(NOT TARGET ${target})
    find_package(${name} ${ARGN} QUIET)
  endif()
  if(TARGET ${target})
    message(STATUS "${name}: from the system")
    return()
  endif()
  message(STATUS "${name}: fetching ${tag}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_MakeAvailable(${name})
endfunction()

set(JSON_BuildTests OFF)
set(JSON_SystemInclude ON)
set(CLI11_BUILD_TESTS OFF)
set(CLI11_BUILD_EXAMPLES OFF)
warpshop_package(nlohmann_json nlohmann_json::nlohmann_json
  https://github.com/nlohmann/json.git v3.11.2 3.10)
# Only the headers of toml++: Ubuntu 22.04 has no package of it, so a program that needs Debian's libtomlplusplus.so
# could not be installed there. There ./start brings the headers.
if(EXISTS ${WARPSHOP_CACHE}/tomlplusplus-3.4.0/complete AND NOT EMSCRIPTEN)
  set(tomlplusplus_licence ${WARPSHOP_CACHE}/tomlplusplus-3.4.0/LICENSE)
  set(toml_headers ${WARPSHOP_CACHE}/tomlplusplus-3.4.0/include)
  message(STATUS "tomlplusplus: from the cache")
else()
  warpshop_package(tomlplusplus tomlplusplus::tomlplusplus
    https://github.com/marzer/tomlplusplus.git v3.4.0 3.0)
  find_path(toml_headers toml++/toml.h HINTS ${tomlplusplus_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/system-headers
    REQUIRED NO_CMAKE_FIND_ROOT_PATH)
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/third_party/toml.cc
  CONTENT "#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n")
add_library(toml STATIC ${PROJECT_BINARY_DIR}/third_party/toml.cc)
target_include_directories(toml SYSTEM PUBLIC ${toml_headers})
target_compile_definitions(toml PUBLIC TOML_HEADER_ONLY=0)
# is_non_ascii_horizontal_whitespace() calls what it reaches for U+00A1 to U+0499 unreachable; what compilers make of it is
# right all the same: TomlTable.LettersOutsideTextsAreMistakes.
target_compile_options(toml PRIVATE ${quick_to_compile} $<$<CXX_COMPILER_ID:GNU,Clang>:-fno-sanitize=unreachable>)
if(EMSCRIPTEN)
  target_compile_options(toml PRIVATE -fexceptions)
endif()
warpshop_package(CLI11 CLI11::CLI11
  https://github.com/CLIUtils/CLI11.git v2.1.2 2.1)

# The class server: Boost.Beast, of which only headers are used, and SQLite.
if(NOT EMSCRIPTEN)
  find_package(Boost 1.74 REQUIRED)
  find_package(SQLite3 3.35 REQUIRED)
  # Inside the program, where it can be: then the program, its wheel and its package need no shared library of it.
  find_library(sqlite3_archive NAMES libsqlite3.a)
  add_library(warpshop_sqlite INTERFACE)
  if(sqlite3_archive)
    target_include_directories(warpshop_sqlite SYSTEM INTERFACE ${SQLite3_INCLUDE_DIRS})
    target_link_libraries(warpshop_sqlite INTERFACE ${sqlite3_archive} Threads::Threads ${CMAKE_DL_LIBS} m)
  else()
    target_link_libraries(warpshop_sqlite INTERFACE SQLite::SQLite3)
  endif()
  # QR codes of its address, where the library is, likewise.
  find_library(qrcodegen_library NAMES libqrcodegencpp.a)
  find_path(qrcodegen_include NAMES qrcodegen/QrCode.hpp)
  if(NOT qrcodegen_include)
    unset(qrcodegen_library CACHE)
  endif()
endif()

if(BUILD_TESTING)
  set(INSTALL_GTEST OFF)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  warpshop_package(GTest GTest::gmock
    https://github.com/google/googletest.git v1.12.1 1.11)
  warpshop_package(benchmark benchmark::benchmark
    https://github.com/google/benchmark.git v1.7.1 1.6)
endif()

if(WARPSHOP_UI)
  include(window_libraries)
endif()
include(markdown)
