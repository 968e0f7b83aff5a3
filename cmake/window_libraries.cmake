# The window's libraries: Dear ImGui (docking), GLFW, ImGuiColorTextEdit with its TextDiff,
# portable file dialogs and, for the tests only, ImGui Test Engine; and md4c's sources for markdown.cmake.
#
# One commit of Dear ImGui Bundle pins them all, as submodules. Its source distribution for Python
# holds the same files, so ./start can bring them where git hosts are out of reach; it is used when
# it lies in the cache. Another copy: -DFETCHCONTENT_SOURCE_DIR_IMGUI_BUNDLE=DIR.
set(imgui_bundle_version 1.92.801)
set(imgui_bundle_commit 995d44385255c9eec74b9e235e063b1cc8eade71)  # tag v1.92.801

set(cached ${WARPSHOP_CACHE}/imgui-bundle-${imgui_bundle_version})
if(NOT FETCHCONTENT_SOURCE_DIR_IMGUI_BUNDLE AND EXISTS ${cached}/complete)
  set(FETCHCONTENT_SOURCE_DIR_IMGUI_BUNDLE ${cached})
endif()
FetchContent_Declare(imgui_bundle
  GIT_REPOSITORY https://github.com/pthom/imgui_bundle.git
  GIT_TAG ${imgui_bundle_commit}
  GIT_SUBMODULES
    external/glfw/glfw
    external/imgui/imgui
    external/imgui_md/md4c
    external/imgui_test_engine/imgui_test_engine
    external/ImGuiColorTextEdit/ImGuiColorTextEdit
  GIT_SUBMODULES_RECURSE OFF
  SOURCE_SUBDIR not-its-own-build)  # only its sources: we compile the few that we need
FetchContent_MakeAvailable(imgui_bundle)
set(external ${imgui_bundle_SOURCE_DIR}/external)
message(STATUS "Dear ImGui Bundle ${imgui_bundle_version}: ${imgui_bundle_SOURCE_DIR}")

# The browser edition has a canvas in GLFW's place (app/ui/window/gl_window_web.cc).
if(NOT EMSCRIPTEN)
  # GLFW on X11 alone. Wayland desktops run it through XWayland; native Wayland gives a program no
  # place for its windows on the screen, which panels pulled out of the main window need.
  set(GLFW_BUILD_DOCS OFF)
  set(GLFW_BUILD_TESTS OFF)
  set(GLFW_BUILD_EXAMPLES OFF)
  set(GLFW_INSTALL OFF)
  set(GLFW_BUILD_X11 ON)
  set(GLFW_BUILD_WAYLAND OFF)
  add_subdirectory(${external}/glfw/glfw ${PROJECT_BINARY_DIR}/third_party/glfw EXCLUDE_FROM_ALL)

  set(OpenGL_GL_PREFERENCE GLVND)
  find_package(OpenGL REQUIRED)
  set(window_system glfw OpenGL::GL)
endif()

# The text editor as a hand expects it: what the patch changes in the widget is listed at its top. tests/typing/typing_test.cc
# types into it.
set(text_editor ${PROJECT_BINARY_DIR}/third_party/color_text_edit)
set(text_editor_patch ${PROJECT_SOURCE_DIR}/cmake/third_party/color_text_edit.patch)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${text_editor_patch})
find_program(PATCH_PROGRAM patch REQUIRED)
set(patching ${PROJECT_BINARY_DIR}/third_party/patching)
file(REMOVE_RECURSE ${patching})
file(GLOB text_editor_files ${external}/ImGuiColorTextEdit/ImGuiColorTextEdit/*.h
  ${external}/ImGuiColorTextEdit/ImGuiColorTextEdit/*.cpp)
file(COPY ${text_editor_files} DESTINATION ${patching})
execute_process(COMMAND ${PATCH_PROGRAM} --strip=1 --silent --forward --input=${text_editor_patch}
  WORKING_DIRECTORY ${patching} RESULT_VARIABLE patch_status OUTPUT_VARIABLE patch_output ERROR_VARIABLE patch_output)
if(NOT patch_status EQUAL 0)
  message(FATAL_ERROR "${text_editor_patch} does not fit the text editor of Dear ImGui Bundle ${imgui_bundle_version}:\n${patch_output}")
endif()
file(GLOB patched_files RELATIVE ${patching} ${patching}/*.h ${patching}/*.cpp)
foreach(file ${patched_files})  # those that are as before keep their time: nothing is compiled again
  configure_file(${patching}/${file} ${text_editor}/${file} COPYONLY)
endforeach()

# What every user of ImGui must see alike: the headers and the configuration.
add_library(imgui_headers INTERFACE)
target_include_directories(imgui_headers SYSTEM INTERFACE
  ${external}/imgui/imgui
  ${external}/imgui/imgui/backends
  ${external}/imgui/imgui/misc/cpp
  ${text_editor}
  ${external}/imgui_md/md4c/src
  ${external}/portable_file_dialogs/portable_file_dialogs)
target_include_directories(imgui_headers INTERFACE ${PROJECT_SOURCE_DIR}/cmake/third_party)
target_compile_definitions(imgui_headers INTERFACE IMGUI_USER_CONFIG="warpshop_imconfig.h")

# ImGui itself, as object files that the program names last. It exists twice: `imgui` in the
# program, and `imgui_for_tests` with the test engine's hooks. Nothing else is compiled twice: the
# hooks are in ImGui's own sources, its data structures are the same with and without them.
set(imgui_sources
  ${external}/imgui/imgui/imgui.cpp
  ${external}/imgui/imgui/imgui_demo.cpp
  ${external}/imgui/imgui/imgui_draw.cpp
  ${external}/imgui/imgui/imgui_stacklayout.cpp  # the bundle's ImGui calls it when it places an item
  ${external}/imgui/imgui/imgui_tables.cpp
  ${external}/imgui/imgui/imgui_widgets.cpp
  ${external}/imgui/imgui/misc/cpp/imgui_stdlib.cpp
  ${external}/imgui/imgui/backends/imgui_impl_opengl3.cpp)
if(EMSCRIPTEN)
  target_compile_definitions(imgui_headers INTERFACE IMGUI_IMPL_OPENGL_ES3)  # WebGL 2
else()
  list(APPEND imgui_sources ${external}/imgui/imgui/backends/imgui_impl_glfw.cpp)
endif()

add_library(imgui OBJECT EXCLUDE_FROM_ALL ${imgui_sources})
target_link_libraries(imgui PUBLIC imgui_headers ${window_system} ${CMAKE_DL_LIBS})

add_library(color_text_edit STATIC EXCLUDE_FROM_ALL
  ${text_editor}/TextEditor.cpp
  ${text_editor}/TextDiff.cpp)
target_link_libraries(color_text_edit PUBLIC imgui_headers)

add_library(portable_file_dialogs INTERFACE)
target_include_directories(portable_file_dialogs SYSTEM INTERFACE
  ${external}/portable_file_dialogs/portable_file_dialogs)

set(window_libraries imgui color_text_edit)
if(NOT EMSCRIPTEN)
  list(APPEND window_libraries glfw)
endif()

if(BUILD_TESTING)
  set(test_engine ${external}/imgui_test_engine/imgui_test_engine/imgui_test_engine)
  set(test_engine_definitions
    IMGUI_ENABLE_TEST_ENGINE
    IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1
    IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1)

  add_library(imgui_for_tests OBJECT EXCLUDE_FROM_ALL ${imgui_sources})
  target_link_libraries(imgui_for_tests PUBLIC imgui_headers glfw OpenGL::GL ${CMAKE_DL_LIBS})
  target_compile_definitions(imgui_for_tests PUBLIC ${test_engine_definitions})

  file(GLOB test_engine_sources ${test_engine}/*.cpp)
  add_library(imgui_test_engine STATIC EXCLUDE_FROM_ALL ${test_engine_sources})
  target_include_directories(imgui_test_engine SYSTEM PUBLIC ${test_engine})
  target_compile_definitions(imgui_test_engine PUBLIC ${test_engine_definitions})
  target_link_libraries(imgui_test_engine PUBLIC imgui_headers Threads::Threads)
  list(APPEND window_libraries imgui_for_tests imgui_test_engine)
endif()

# Their warnings are for their authors. A frame's time goes to OpenGL: -O1 will do, at half of -O3's time to compile.
foreach(library ${window_libraries})
  target_compile_options(${library} PRIVATE -w ${quick_to_compile})
  if(NOT library STREQUAL glfw)
    warpshop_unity(${library} 20)
  endif()
endforeach()
# Both bring OpenGL's functions.
set_source_files_properties(${external}/imgui/imgui/backends/imgui_impl_glfw.cpp
  ${external}/imgui/imgui/backends/imgui_impl_opengl3.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
