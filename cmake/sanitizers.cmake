# WARPSHOP_SANITIZE: everything is built with these sanitizers of the compiler. ON is the old spelling of
# address,undefined. WARPSHOP_FUZZ adds libFuzzer's instrumentation to both of them.
set(sanitizers "${WARPSHOP_SANITIZE}")
if(sanitizers STREQUAL "ON")
  set(sanitizers address,undefined)
elseif(sanitizers STREQUAL "OFF")
  set(sanitizers "")
endif()
if(WARPSHOP_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "WARPSHOP_FUZZ needs Clang: -DCMAKE_CXX_COMPILER=clang++")
  endif()
  if(NOT sanitizers)
    set(sanitizers address,undefined)
  endif()
  # Nothing is learnt from the numbers that are compared: PTX is changed by a mutator of its own, keywords of the other
  # languages are in a dictionary, and the comparison of strings is seen without it. To report each takes half of a run.
  # Line numbers are all that a sanitizer's message needs. Clang 14 looks for uses after a return only when asked at
  # run time: without that the code need not ask whether to.
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp -gline-tables-only
    -fsanitize-address-use-after-return=never)
  # Of a handler of lanes it is enough to know that it was called; of rooms that no target enters, nothing.
  # With a sanitizer's checks in their loops they are not vectorised, which each of a thousand would say.
  set(fuzz_calls_only -fno-sanitize-coverage=edge -fsanitize-coverage=func -Wno-pass-failed)
  set(fuzz_no_coverage -fno-sanitize-coverage=edge,bb,func,indirect-calls,inline-8bit-counters,pc-table,stack-depth)
endif()
if(sanitizers)
  # The check of virtual calls (vptr) opens a pipe, which the sandbox of submissions forbids.
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()
