# warpshop_tests(<room> [PROGRAM] [SLOW] [SLOW_CASES <pattern>] [LINKS <target>...]): every tests/<room>/*.cc in one program
# `<room>_tests`, each of its cases a test of ctest. Nothing happens while there is no such file. The
# room's private headers may be included too. PROGRAM: the cases start build/warpshop (its path is
# WARPSHOP_PROGRAM), so it is built first. SLOW: begun before others, so that no core is idle at the end.
# SLOW_CASES: those of this pattern get the label slow (tests/parts.py).
function(warpshop_tests room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAM;SLOW" "SLOW_CASES" "LINKS")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${room}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(${room}_tests ${sources})
  warpshop_test_program(${room}_tests ${room} ${arg_LINKS} GTest::gtest_main)
  if(arg_PROGRAM)
    add_dependencies(${room}_tests warpshop)
  endif()
  set(cost 1)
  if(arg_SLOW)
    set(cost 50)
  endif()
  set(discovery TEST_PREFIX "${room}: " NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60)
  if(arg_SLOW_CASES)
    gtest_discover_tests(${room}_tests TEST_FILTER "${arg_SLOW_CASES}" TEST_LIST ${room}_slow_tests ${discovery}
      PROPERTIES TIMEOUT 300 COST 80 LABELS slow)
    set(quick TEST_FILTER "-${arg_SLOW_CASES}")
  endif()
  gtest_discover_tests(${room}_tests ${quick} ${discovery}
    PROPERTIES TIMEOUT 300 COST ${cost} LABELS ${room})
endfunction()

# Slow tests are run a part at a time (.ci/run): as many parts as there are shards of a program, so that each part has one.
set(slow_parts 16)

# warpshop_shards(<name> [DISPLAY <number>] [LABELS <label>...] COMMAND <GoogleTest program, with arguments before it>): its
# tests as `slow_parts` slow tests of ctest, "<name>, K of N". DISPLAY: each in an X server of its own, without a GPU,
# whose number is looked for from there on.
function(warpshop_shards name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DISPLAY" "LABELS;COMMAND")
  foreach(part RANGE 1 ${slow_parts})
    math(EXPR shard "${part} - 1")
    set(environment GTEST_TOTAL_SHARDS=${slow_parts} GTEST_SHARD_INDEX=${shard})
    set(display)
    if(arg_DISPLAY)
      math(EXPR number "${arg_DISPLAY} + 20 * ${shard}")
      set(display ${XVFB_RUN} --server-num=${number} --auto-servernum "--server-args=-screen 0 1600x1000x24 -noreset")
      list(APPEND environment LIBGL_ALWAYS_SOFTWARE=1)
    endif()
    set(test "${name}, ${part} of ${slow_parts}")
    add_test(NAME ${test} COMMAND ${display} ${arg_COMMAND})
    set_tests_properties(${test} PROPERTIES
      SKIP_RETURN_CODE 77 TIMEOUT 1200 COST 100 LABELS "${arg_LABELS};slow" ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# warpshop_window_tests(): tests/window/*.cc, the lab in a real window of a virtual display with
# Mesa's software renderer, driven by ImGui Test Engine.
function(warpshop_window_tests)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/window/*.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(window_tests ${sources})
  warpshop_test_program(window_tests ui imgui_for_tests imgui_test_engine GTest::gtest_main)
  add_dependencies(window_tests warpshop)
  find_program(XVFB_RUN xvfb-run)
  if(NOT XVFB_RUN)
    message(WARNING "There is no xvfb-run: the window's test is built, but ctest does not know it")
    return()
  endif()
  warpshop_shards("window: the lab under a virtual display" DISPLAY 100 LABELS window COMMAND $<TARGET_FILE:window_tests>)
endfunction()

# warpshop_typing_tests(): tests/typing/*.cc, keys and clicks through the X server into the program's own window. Without
# XTEST's library they are not built.
function(warpshop_typing_tests)
  find_package(X11 QUIET)
  find_program(XVFB_RUN xvfb-run)
  if(NOT TARGET X11::Xtst OR NOT XVFB_RUN)
    message(WARNING "There is no libXtst or no xvfb-run: what hands do is not tested")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/typing/*.cc)
  add_executable(typing_tests ${sources})
  warpshop_test_program(typing_tests ui imgui X11::Xtst X11::X11 GTest::gtest_main)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/typing/fake_input.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  warpshop_shards("typing: hands at the window" DISPLAY 500 LABELS typing COMMAND $<TARGET_FILE:typing_tests>)
  # Not a test: what each step of a lab takes. docs/BUILDING.md, "Walking a lab".
  add_executable(lab_walk EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/walk/lab_walk.cc
    ${PROJECT_SOURCE_DIR}/tests/typing/typist.cc ${PROJECT_SOURCE_DIR}/tests/typing/fake_input.cc)
  warpshop_test_program(lab_walk ui imgui X11::Xtst X11::X11 GTest::gtest_main)
  set_target_properties(lab_walk PROPERTIES UNITY_BUILD OFF)
endfunction()

function(warpshop_test_program target room)
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/app/${room})
  target_link_libraries(${target} PRIVATE
    warpshop_${room} nlohmann_json::nlohmann_json ${ARGN} GTest::gmock GTest::gtest
    warpshop_warnings)
  target_compile_definitions(${target} PRIVATE
    WARPSHOP_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    WARPSHOP_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests"
    WARPSHOP_PROGRAM="${PROJECT_BINARY_DIR}/warpshop")
  # Tests spend their time in the rooms they test: their own code need only compile fast.
  target_compile_options(${target} PRIVATE ${quick_to_compile})
  warpshop_use_precompiled(${target} tests)
  warpshop_unity(${target} 18)
endfunction()
