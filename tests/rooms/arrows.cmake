# A wrong arrow between rooms does not compile: for each room, including a header of a room that it
# must not see ends in "No such file", and including its own does not.
set(rooms core compile device ptx emulator models timing lab report grade serve cli ui)
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
set(serve_sees core compile device ptx emulator models timing lab grade)
set(cli_sees core compile device ptx emulator models timing lab report grade serve)
set(ui_sees core compile device ptx emulator models timing lab report)

# add_probe(NAME ROOM HEADER INCLUDES SEEN): compiles `#include "HEADER"` with what ROOM can see, which
# works if it is SEEN.
function(add_probe name room header includes seen)
  set(probe ${CMAKE_CURRENT_BINARY_DIR}/probes/${room}-${name}.cc)
  file(CONFIGURE OUTPUT ${probe} CONTENT "#include \"${header}\"\n")
  add_test(
    NAME "rooms: ${room} ${name}"
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only "-I$<JOIN:${includes},;-I>" ${probe}
    COMMAND_EXPAND_LISTS)
  if(NOT seen)
    set_tests_properties("rooms: ${room} ${name}" PROPERTIES
      PASS_REGULAR_EXPRESSION "fatal error: '?${header}'?:? (file not found|No such file)")
  endif()
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
    set(includes $<TARGET_PROPERTY:warpshop_${room},INCLUDE_DIRECTORIES>)
    if(other STREQUAL room)
      add_probe("sees itself" ${room} ${header} "${includes}" YES)
    else()
      add_probe("does not see ${other}" ${room} ${header} "${includes}" NO)
    endif()
  endforeach()
endforeach()

# The layers of the emulator, likewise; "sees" as in the table above, written out.
set(layers memory shadows state analysis backend lanes checks access texture operations decode run)
set(memory_layer_sees)
set(shadows_layer_sees memory)
set(state_layer_sees memory shadows)
set(analysis_layer_sees)
set(backend_layer_sees memory shadows state analysis)
set(lanes_layer_sees memory shadows state)
set(checks_layer_sees memory shadows state analysis lanes)
set(access_layer_sees memory shadows state analysis lanes checks)
set(texture_layer_sees memory shadows state analysis lanes checks)
set(operations_layer_sees memory shadows state analysis lanes checks access)
set(decode_layer_sees memory shadows state analysis backend lanes checks access texture operations)
set(run_layer_sees memory shadows state analysis backend lanes checks access texture operations decode)

set(layers_and_objects)
foreach(layer ${layers})
  set(targets warpshop_emulator_${layer})
  if(layer STREQUAL lanes)
    get_target_property(targets warpshop_emulator WARPSHOP_LANES)
  endif()
  list(GET targets 0 target)
  set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  foreach(other ${layers})
    file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/app/emulator CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/app/emulator/${other}/*.h)
    list(GET headers 0 header)
    if(other STREQUAL layer)
      add_probe("sees itself" emulator/${layer} ${header}
        "${includes};$<TARGET_PROPERTY:warpshop_ptx,INTERFACE_INCLUDE_DIRECTORIES>" YES)
    elseif(NOT other IN_LIST ${layer}_layer_sees)
      add_probe("does not see ${other}" emulator/${layer} ${header} "${includes}" NO)
    endif()
  endforeach()
  list(TRANSFORM targets REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
  list(APPEND layers_and_objects --layer ${layer} --sees ${${layer}_layer_sees} --objects ${targets})
endforeach()
# A function that is declared below and defined above would be an arrow upwards, too.
add_test(NAME "rooms: the emulator's layers call downwards"
  COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_LIST_DIR}/calls_down.py ${CMAKE_NM} ${layers_and_objects}
  COMMAND_EXPAND_LISTS)
# Each room names the rooms that it includes, and no other.
add_test(NAME "rooms: each names what it includes"
  COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_LIST_DIR}/named_arrows.py ${PROJECT_SOURCE_DIR}/app)
# Nor may a path climb out of a folder, past what a room or a layer sees.
add_test(NAME "rooms: no include climbs out of its folder"
  COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_LIST_DIR}/no_match.py ${PROJECT_SOURCE_DIR}/app
    [[^\s*#\s*include\s+["<][^">]*\.\./]])
# Parts of the standard library that the browser edition's lacks: libc++ 14, of Debian 12's Emscripten. The browser edition
# is not built with each change.
add_test(NAME "rooms: app has what the browser edition's library has"
  COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_LIST_DIR}/no_match.py ${PROJECT_SOURCE_DIR}/app
    [[std::(ranges|views|format|jthread|stop_token|source_location)\b]])
