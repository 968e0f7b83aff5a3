# md4c: Markdown into blocks (the window) and into HTML (reports). Dear ImGui Bundle holds it; a build
# without the window takes it from the cache that ./start fills, else from its home.
set(md4c_release release-0.5.2)
if(WARPSHOP_UI)
  set(md4c_folder ${imgui_bundle_SOURCE_DIR}/external/imgui_md/md4c)
elseif(EXISTS ${WARPSHOP_CACHE}/imgui-bundle-1.92.801/complete)
  set(md4c_folder ${WARPSHOP_CACHE}/imgui-bundle-1.92.801/external/imgui_md/md4c)
else()
  FetchContent_Declare(md4c_home
    GIT_REPOSITORY https://github.com/mity/md4c.git
    GIT_TAG ${md4c_release}
    GIT_SHALLOW ON
    SOURCE_SUBDIR not-its-own-build)  # only its sources
  FetchContent_MakeAvailable(md4c_home)
  set(md4c_folder ${md4c_home_SOURCE_DIR})
endif()
message(STATUS "md4c: ${md4c_folder}")

add_library(md4c STATIC EXCLUDE_FROM_ALL
  ${md4c_folder}/src/md4c.c ${md4c_folder}/src/md4c-html.c ${md4c_folder}/src/entity.c)
target_compile_definitions(md4c PRIVATE MD4C_USE_UTF8)
target_include_directories(md4c SYSTEM PUBLIC ${md4c_folder}/src)
target_compile_options(md4c PRIVATE -w $<$<CONFIG:Release>:-O1>)  # its warnings are for its authors
