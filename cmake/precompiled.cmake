# Headers of others that most files include are parsed once for all files with the same flags: half of the compiler's
# time would go there. Each file names what it needs nevertheless: the other presets, and a release with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON, parse them for each file. So do the rooms that are built with -O3: making such
# a header takes four seconds of a processor and saves 0.8 for each unit that uses it, of which these rooms have few.
#
#   warpshop_precompile(<name> OPTIONS <flag>... LINKS <target>... HEADERS <header>...)
#   warpshop_use_precompiled(<target> <name>)   the target's flags have to be those of <name>, see -Winvalid-pch
function(warpshop_precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;LINKS;HEADERS")
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR NOT CMAKE_BUILD_TYPE STREQUAL Release)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "// CMake wants a source for each library.\n")
  add_library(precompiled_${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(precompiled_${name} PRIVATE ${arg_LINKS})
  # ccache reads in the preprocessor's output which precompiled header was used.
  target_compile_options(precompiled_${name} PRIVATE ${arg_OPTIONS} -fpch-preprocess)
  target_precompile_headers(precompiled_${name} PRIVATE ${arg_HEADERS})
endfunction()

function(warpshop_use_precompiled target name)
  if(TARGET precompiled_${name})
    target_precompile_headers(${target} REUSE_FROM precompiled_${name})
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # Wrong about std::vector and std::string where their headers come precompiled.
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
  endif()
endfunction()

set(often_included <algorithm> <array> <bit> <cmath> <cstdint> <cstdio> <cstring> <functional> <map> <memory> <optional>
  <set> <span> <string> <string_view> <utility> <vector>)
warpshop_precompile(quick_room OPTIONS ${quick_to_compile}
  HEADERS ${often_included} <chrono> <filesystem> <mutex>)
if(BUILD_TESTING)
  warpshop_precompile(tests OPTIONS ${quick_to_compile} LINKS GTest::gmock GTest::gtest
    HEADERS ${often_included} <chrono> <filesystem> <fstream> <sstream> <gmock/gmock.h> <gtest/gtest.h>)
endif()
