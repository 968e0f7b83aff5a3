# Where the program finds its data. One layout everywhere: a folder share/warpshop that holds
# labs/ kernels/ solutions/ assets/ fonts/. In the build tree it is made of links to the sources,
# so that a changed lab is there at once; an installed one is made of copies (install.cmake).
set(WARPSHOP_BUILD_DATADIR ${PROJECT_BINARY_DIR}/share/warpshop)

# The toolkit that ./start brought is preferred to any other that is installed: register counts
# depend on the compiler's version. An empty string means that nothing was found at configure time.
set(WARPSHOP_CUDA_DIR "" CACHE PATH "Toolkit with NVRTC and the CUDA headers; empty: look for one")
set(cuda_dir "${WARPSHOP_CUDA_DIR}")
if(NOT cuda_dir AND NOT EMSCRIPTEN)
  foreach(candidate "${WARPSHOP_CACHE}/cuda-13.0" "$ENV{CUDA_HOME}" /usr/local/cuda-13.0
                    /usr/local/cuda)
    if(candidate AND EXISTS "${candidate}/include/cuda_fp16.h")
      set(cuda_dir "${candidate}")
      break()
    endif()
  endforeach()
endif()
if(NOT EMSCRIPTEN)
  message(STATUS "CUDA headers and NVRTC: ${cuda_dir}")
endif()
string(FIND "${cuda_dir}" "${WARPSHOP_CACHE}/" cuda_dir_in_cache)

# For the sources that look these places up (core/files, compile/):
#   WARPSHOP_DATA_DIR_BUILD   share/warpshop of this build tree
#   WARPSHOP_INSTALL_DATADIR  the data folder below the prefix: "share/warpshop"
#   WARPSHOP_CUDA_DIR         the toolkit found while configuring, "" when none was
set(data_dir_at_run_time ${WARPSHOP_BUILD_DATADIR})
if(EMSCRIPTEN)
  set(data_dir_at_run_time /share/warpshop)  # in the page's file system
endif()
add_library(warpshop_places INTERFACE)
target_compile_definitions(warpshop_places INTERFACE
  WARPSHOP_DATA_DIR_BUILD="${data_dir_at_run_time}"
  WARPSHOP_INSTALL_DATADIR="${CMAKE_INSTALL_DATADIR}/warpshop"
  WARPSHOP_CUDA_DIR="${cuda_dir}"
  WARPSHOP_VERSION="${PROJECT_VERSION}")

file(MAKE_DIRECTORY ${WARPSHOP_BUILD_DATADIR})
foreach(folder labs kernels solutions assets)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${WARPSHOP_BUILD_DATADIR}/${folder} SYMBOLIC)
endforeach()
# The window's glossary, and the pages that it opens.
set(WARPSHOP_PAGES GLOSSARY.md class.md courses.md grading.md lecture.md serving.md writing-a-lab.md)
file(MAKE_DIRECTORY ${WARPSHOP_BUILD_DATADIR}/docs)
foreach(page ${WARPSHOP_PAGES})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/docs/${page} ${WARPSHOP_BUILD_DATADIR}/docs/${page} SYMBOLIC)
endforeach()

if(WARPSHOP_UI)
  set(fonts_from ${imgui_bundle_SOURCE_DIR}/bindings/imgui_bundle/assets/fonts)
  set(fonts
    ${fonts_from}/Roboto/Roboto-Regular.ttf
    ${imgui_bundle_SOURCE_DIR}/external/imgui/imgui/misc/fonts/Roboto-Medium.ttf
    ${fonts_from}/Roboto/Roboto-Bold.ttf
    ${fonts_from}/Roboto/Roboto-RegularItalic.ttf
    ${fonts_from}/Roboto/Roboto-BoldItalic.ttf
    ${fonts_from}/Inconsolata-Medium.ttf
    ${fonts_from}/Font_Awesome_6_Free-Solid-900.otf)
  file(COPY ${fonts} DESTINATION ${WARPSHOP_BUILD_DATADIR}/fonts)
endif()

include(notices)
