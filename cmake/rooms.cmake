# A room is a folder of app/ with one idea: one static library `warpshop_<room>`, whose users see
# only app/<room>/include. A room can include what it uses (and what that passes on), nothing else:
# a wrong arrow does not compile. It names all that it includes, and nothing else (tests/rooms).
#
#   warpshop_room(<room>
#     USES  <room>...      rooms whose headers this room may include; passed on to its users
#     USES_INSIDE <room>...  likewise, but only its own sources do: not passed on
#     LINKS <target>...    libraries that this room's own sources need; not passed on
#     LINKS_PUBLIC <target>...  libraries that this room's public headers include
#     OPTIONS <flag>...    compiler options of this room's sources
#     NATIVE <file>...     sources that the browser edition leaves out: they need processes, a GPU's driver, …
#     CATCHES              its sources catch exceptions of the libraries they call (see cmake/web.cmake)
#     QUICK_TO_COMPILE     a release is built with -O1: the room's time is spent in the libraries and rooms it calls
#   )
#
# Where systems differ, NAME_linux.cc and NAME_web.cc define the same functions: one of them is compiled.
function(warpshop_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QUICK_TO_COMPILE;CATCHES" "" "USES;USES_INSIDE;LINKS;LINKS_PUBLIC;OPTIONS;NATIVE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "warpshop_room(${room}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/app/${room})
  set(target warpshop_${room})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  if(EMSCRIPTEN)
    list(FILTER sources EXCLUDE REGEX "_linux\\.cc$")
    list(TRANSFORM arg_NATIVE PREPEND ${folder}/)
    if(arg_NATIVE)
      list(REMOVE_ITEM sources ${arg_NATIVE})
    endif()
  else()
    list(FILTER sources EXCLUDE REGEX "_web\\.cc$")
  endif()
  list(TRANSFORM arg_USES PREPEND warpshop_)
  list(TRANSFORM arg_USES_INSIDE PREPEND warpshop_)

  # A room that has only headers so far is a library without an archive.
  if(NOT sources)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${folder}/include)
    target_link_libraries(${target} INTERFACE ${arg_USES} ${arg_LINKS_PUBLIC})
    return()
  endif()

  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${folder}/include PRIVATE ${folder})
  target_link_libraries(${target}
    PUBLIC ${arg_USES} ${arg_LINKS_PUBLIC}
    PRIVATE ${arg_USES_INSIDE} ${arg_LINKS} warpshop_warnings)
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  if(EMSCRIPTEN AND arg_CATCHES)
    target_compile_options(${target} PRIVATE -fexceptions)
  endif()
  if(arg_QUICK_TO_COMPILE)
    target_compile_options(${target} PRIVATE ${quick_to_compile})
    warpshop_use_precompiled(${target} quick_room)
  endif()
  warpshop_unity(${target} 18)
endfunction()

# Warnings for our own code; everything fetched is included as a system header.
add_library(warpshop_warnings INTERFACE)
target_compile_options(warpshop_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Wunused
  -Woverloaded-virtual -Wimplicit-fallthrough -Wextra-semi)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # The table of PTX instructions is computed while compiling, in more steps than Clang allows unasked.
  target_compile_options(warpshop_warnings INTERFACE -fconstexpr-steps=50000000)
  # Lanes are compared with & and |, without a branch.
  target_compile_options(warpshop_warnings INTERFACE -Wno-bitwise-instead-of-logical)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Wrong about `"text" + std::move(string)`: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105651
  target_compile_options(warpshop_warnings INTERFACE -Wno-restrict)
endif()
if(WARPSHOP_WERROR)
  target_compile_options(warpshop_warnings INTERFACE -Werror)
endif()
