# Files of a target that are compiled together parse their headers once: most of the compiler's time goes there. A
# release does so unless -DWARPSHOP_UNITY=OFF; the other presets compile each file alone, which shows that each includes
# what it needs. What stands in `namespace {` therefore has a name that is unique in its room or test program.
#
#   warpshop_unity(<target> <files>)   this many at a time: more of them save more, fewer are compiled again sooner
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(WARPSHOP_UNITY ON CACHE BOOL "Compile several files of a target together")
endif()

function(warpshop_unity target files)
  if(NOT WARPSHOP_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${files})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC takes the file that includes the others for all of the program.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    # It collects garbage from 128 MiB on, whenever its memory has doubled: a tenth of its time, for little garbage.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=524288)
  endif()
endfunction()

# For sources that do not take the user's time.
set(quick_to_compile $<$<CONFIG:Release>:-O1>)
