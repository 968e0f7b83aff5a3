# NOTICES.txt: whose work is in the program, under which licence. It is written while configuring,
# from the licence files of what was fetched or found, so that it says what this build contains.
set(WARPSHOP_NOTICES ${WARPSHOP_BUILD_DATADIR}/NOTICES.txt)
set(notices_text "Warpshop's own licence is in LICENSE. This program also contains the works below.\n")

# warpshop_notice(NAME FILE... [FROM text] [TO text] [COPYRIGHT line]): the files' texts, or the part
# from the first FROM up to the first TO after it, below the COPYRIGHT line.
function(warpshop_notice name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM;TO;COPYRIGHT" "")
  string(REPEAT "-" 98 rule)
  set(entry "\n${rule}\n${name}\n${rule}\n")
  if(arg_COPYRIGHT)
    string(APPEND entry "${arg_COPYRIGHT}\n\n")
  endif()
  foreach(file ${arg_UNPARSED_ARGUMENTS})
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "The licence of ${name} is missing: ${file}")
    endif()
    file(READ ${file} text)
    foreach(side FROM TO)
      if(DEFINED arg_${side})
        string(FIND "${text}" "${arg_${side}}" place)
        if(place EQUAL -1)
          message(FATAL_ERROR "The licence of ${name} is not where it was in ${file}")
        endif()
        if(side STREQUAL "FROM")
          string(SUBSTRING "${text}" ${place} -1 text)
        else()
          string(SUBSTRING "${text}" 0 ${place} text)
        endif()
      endif()
    endforeach()
    string(APPEND entry "${text}\n")
  endforeach()
  set(notices_text "${notices_text}${entry}" PARENT_SCOPE)
endfunction()

# A library from the system's packages or from FetchContent.
function(warpshop_package_notice name debian_package)
  string(TOLOWER ${ARGV2} fetched)
  foreach(file ${${fetched}_SOURCE_DIR}/LICENSE.MIT ${${fetched}_SOURCE_DIR}/LICENSE
               ${${fetched}_licence} /usr/share/doc/${debian_package}/copyright)
    if(EXISTS ${file})
      warpshop_notice(${name} ${file})
      set(notices_text "${notices_text}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(WARNING "No licence text of ${name} was found; NOTICES.txt names it alone")
  string(REPEAT "-" 98 rule)
  set(notices_text
    "${notices_text}\n${rule}\n${name}\n${rule}\nSee the package ${debian_package}.\n" PARENT_SCOPE)
endfunction()

warpshop_package_notice("JSON for Modern C++" nlohmann-json3-dev nlohmann_json)
warpshop_package_notice("toml++" libtomlplusplus-dev tomlplusplus)
warpshop_package_notice("CLI11" libcli11-dev CLI11)
warpshop_notice("Boost (Beast and the libraries below it)" ${PROJECT_SOURCE_DIR}/cmake/third_party/licences/BSL-1.0.txt
  COPYRIGHT "Copyright (c) 2016-2019 Vinnie Falco and others: https://www.boost.org")
warpshop_package_notice("SQLite" libsqlite3-dev SQLite3)
if(qrcodegen_library)
  warpshop_package_notice("QR Code generator" libqrcodegencpp-dev qrcodegen)
endif()
warpshop_notice("MD4C" ${md4c_folder}/LICENSE.md)

if(WARPSHOP_UI)
  set(text_edit ${external}/ImGuiColorTextEdit/ImGuiColorTextEdit)
  set(licences ${PROJECT_SOURCE_DIR}/cmake/third_party/licences)
  warpshop_notice("Dear ImGui" ${external}/imgui/imgui/LICENSE.txt)
  foreach(stb rectpack textedit truetype)
    warpshop_notice("stb_${stb} (in Dear ImGui)" ${external}/imgui/imgui/imstb_${stb}.h
      FROM "This software is available under 2 licenses")
  endforeach()
  warpshop_notice("GLFW" ${external}/glfw/glfw/LICENSE.md)
  warpshop_notice("ImGuiColorTextEdit" ${text_edit}/LICENSE)
  warpshop_notice("Diff Template Library (in ImGuiColorTextEdit)" ${text_edit}/dtl.h
    FROM "   In short" TO "*/")
  warpshop_notice("Portable File Dialogs" ${licences}/WTFPL-2.txt
    COPYRIGHT "Copyright (c) 2018-2022 Sam Hocevar <sam@hocevar.net>")
  set(fonts_from ${imgui_bundle_SOURCE_DIR}/bindings/imgui_bundle/assets/fonts)
  warpshop_notice("Roboto (font)" ${fonts_from}/Roboto/LICENSE.txt
    COPYRIGHT "Copyright 2011 Google Inc. All Rights Reserved.")
  warpshop_notice("Inconsolata (font)" ${licences}/OFL-1.1.txt COPYRIGHT
    "Copyright 2006 The Inconsolata Project Authors (https://github.com/cyrealtype/Inconsolata)")
  warpshop_notice("Font Awesome 6 Free (font)" ${licences}/OFL-1.1.txt
    COPYRIGHT "Copyright (c) Font Awesome (https://fontawesome.com)")
endif()

# Loaded at run time; installed with the program.
set(cuda_licence ${WARPSHOP_CACHE}/cuda-13.0/licenses/nvidia_cuda_nvrtc.txt)
if(EXISTS ${cuda_licence})
  warpshop_notice("NVIDIA NVRTC (which the program loads) and the CUDA headers (which kernels may include)" ${cuda_licence})
endif()

# Fetched beside the program, which starts it.
set(nvdisasm_licence ${WARPSHOP_CACHE}/nvdisasm-13.2/licenses/nvidia_cuda_nvdisasm.txt)
if(EXISTS ${nvdisasm_licence})
  warpshop_notice("NVIDIA nvdisasm (a program of its own beside this one)" ${nvdisasm_licence})
endif()

set(curand_licence ${WARPSHOP_CACHE}/curand-10.4/licenses/nvidia_curand.txt)
if(EXISTS ${curand_licence})
  warpshop_notice("NVIDIA cuRAND's headers (which kernels may include)" ${curand_licence})
endif()

file(WRITE ${WARPSHOP_NOTICES}.new "${notices_text}")
file(COPY_FILE ${WARPSHOP_NOTICES}.new ${WARPSHOP_NOTICES} ONLY_IF_DIFFERENT)
file(REMOVE ${WARPSHOP_NOTICES}.new)
