# The browser edition's program: the target `web` fills build/web/web/ with
#   warpshop.ID.js, warpshop.worker.ID.js, warpshop.ID.wasm   the program and its threads
#   warpshop.ID.data                                         the labs, texts and fonts, as files in memory
#   bundle.json                                              their names and sizes
# each also as .gz and, if the program `brotli` is there, as .br: a server sends these as they are. The page that loads
# them is in assets/web.
set(web_folder ${PROJECT_BINARY_DIR}/web)

add_executable(warpshop web_main.cc)
target_link_libraries(warpshop PRIVATE warpshop_ui imgui warpshop_warnings)
set(page_code ${PROJECT_SOURCE_DIR}/app/ui/window/gl_window_web.js)
set_target_properties(warpshop PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/program
  LINK_DEPENDS "${page_code}"
  SUFFIX .js)

# The labs as the page's files. What only the other commands need stays out.
set(preloaded "")
foreach(folder labs kernels solutions assets/gpus assets/prelude assets/text assets/new-lab)
  list(APPEND preloaded "SHELL:--preload-file ${PROJECT_SOURCE_DIR}/${folder}@/data/${folder}")
endforeach()
foreach(page ${WARPSHOP_PAGES})
  list(APPEND preloaded "SHELL:--preload-file ${PROJECT_SOURCE_DIR}/docs/${page}@/data/docs/${page}")
endforeach()
list(APPEND preloaded
  "SHELL:--preload-file ${WARPSHOP_BUILD_DATADIR}/fonts@/data/fonts"
  "SHELL:--preload-file ${WARPSHOP_NOTICES}@/data/NOTICES.txt")

target_link_options(warpshop PRIVATE
  ${preloaded}
  "SHELL:--js-library ${page_code}"
  -sENVIRONMENT=web,worker
  -sMODULARIZE=1 -sEXPORT_NAME=createWarpshop
  -sEXPORTED_RUNTIME_METHODS=FS,ENV
  -sFORCE_FILESYSTEM=1
  -sDYNAMIC_EXECUTION=0  # the pages' content security policy forbids eval
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  # The window's workers and one thread per core of a common machine: a thread that is not in the pool can start only
  # when the page's own thread is idle.
  "-sPTHREAD_POOL_SIZE=Math.min(navigator.hardwareConcurrency,16)+5"
  -sINITIAL_MEMORY=268435456 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2147483648
  -O2 -sTOTAL_STACK=4194304 -sDEFAULT_PTHREAD_STACK_SIZE=4194304
  -sINCOMING_MODULE_JS_API=arguments,canvas,locateFile,mainScriptUrlOrBlob,preRun,print,printErr,onAbort,setStatus,onExit,onRuntimeInitialized,monitorRunDependencies,getPreloadedPackage,instantiateWasm
  -Wno-pthreads-mem-growth)

find_program(BROTLI_PROGRAM brotli)
add_custom_command(OUTPUT ${web_folder}/bundle.json
  COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_BINARY_DIR}/program -DTO=${web_folder}
    "-DFILES=warpshop.js warpshop.worker.js warpshop.wasm warpshop.data"
    "-DBROTLI=$<$<BOOL:${BROTLI_PROGRAM}>:${BROTLI_PROGRAM}>"
    -P ${PROJECT_SOURCE_DIR}/cmake/web_bundle.cmake
  DEPENDS warpshop ${PROJECT_SOURCE_DIR}/cmake/web_bundle.cmake
  VERBATIM)
add_custom_target(web DEPENDS ${web_folder}/bundle.json)
