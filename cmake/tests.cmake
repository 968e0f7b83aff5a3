# warpshop_tests(<room> [PROGRAM] [LINKS <target>...]): every tests/<room>/*_test.cc in one program
# `<room>_tests`, each of its cases a test of ctest. Nothing happens while there is no such file. PROGRAM: the cases start build/warpshop (its path
# is WARPSHOP_PROGRAM), so it is built first.
function(warpshop_tests room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAM" "" "LINKS")
  set(folder ${PROJECT_SOURCE_DIR}/tests/${room})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cc)
  if(NOT sources OR NOT TARGET warpshop_${room})
    return()
  endif()
  add_executable(${room}_tests ${sources})
  target_include_directories(${room}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${room}_tests PRIVATE
    warpshop_${room} ${arg_LINKS} GTest::gmock GTest::gtest_main warpshop_warnings)
  target_compile_definitions(${room}_tests PRIVATE
    WARPSHOP_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests"
    WARPSHOP_PROGRAM="${PROJECT_BINARY_DIR}/warpshop")
  if(arg_PROGRAM)
    add_dependencies(${room}_tests warpshop)
  endif()
  gtest_discover_tests(${room}_tests
    TEST_PREFIX "${room}: " DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300 LABELS ${room})
endfunction()
