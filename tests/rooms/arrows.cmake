# A wrong arrow between rooms does not compile: for each room, including a header of a room that it
# must not see ends in "No such file", and including its own does not.
set(rooms core compile device ptx emulator models timing lab report grade cli ui)
set(core_sees)
set(compile_sees core)
set(device_sees core compile)
set(ptx_sees core)
set(emulator_sees core ptx)
set(models_sees core)
set(timing_sees core ptx emulator models)
set(lab_sees core compile device ptx emulator models timing)
set(report_sees core compile device ptx emulator models timing lab)
set(grade_sees core compile device ptx emulator models timing lab)
set(cli_sees core compile device ptx emulator models timing lab report grade)
set(ui_sees core compile device ptx emulator models timing lab report)

# add_probe(NAME ROOM HEADER): compiles `#include "HEADER"` with what ROOM can see.
function(add_probe name room header)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/probes/${room}-${name}.cc)
  file(CONFIGURE OUTPUT ${probe} CONTENT "#include \"${header}\"\n")
  set(includes $<TARGET_PROPERTY:warpshop_${room},INTERFACE_INCLUDE_DIRECTORIES>)
  add_test(
    NAME "rooms: ${room} ${name}"
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only "-I$<JOIN:${includes},;-I>" ${probe}
    COMMAND_EXPAND_LISTS)
endfunction()

foreach(room ${rooms})
  if(NOT TARGET warpshop_${room})
    continue()
  endif()
  foreach(other ${rooms})
    file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/app/${other}/include CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/app/${other}/include/${other}/*.h)
    if(NOT headers OR other IN_LIST ${room}_sees)
      continue()
    endif()
    list(GET headers 0 header)
    if(other STREQUAL room)
      add_probe("sees itself" ${room} ${header})
    else()
      add_probe("does not see ${other}" ${room} ${header})
      set_tests_properties("rooms: ${room} does not see ${other}" PROPERTIES
        PASS_REGULAR_EXPRESSION "fatal error: '?${header}'?:? (file not found|No such file)")
    endif()
  endforeach()
endforeach()
