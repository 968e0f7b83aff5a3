# `cmake --build build --target package` makes build/warpshop_VERSION_ARCHITECTURE.deb: docs/install.md.
#
# It holds NVIDIA's compiler and headers as well, so that it works without a network. NVIDIA's licence permits that
# within an institution; who gives packages to the public leaves them out (docs/install.md, "Licences").
option(WARPSHOP_PACKAGE_CUDA "Put NVRTC, the CUDA headers and nvdisasm into packages" ON)
if(NOT WIN32 AND NOT APPLE)
  find_program(DPKG dpkg)
endif()
if(NOT DPKG)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "Warpshop contributors")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)  # our program; what is NVIDIA's stays as it is
set(CPACK_COMPONENTS_ALL program data desktop docs debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
if(WARPSHOP_PACKAGE_CUDA)
  list(APPEND CPACK_COMPONENTS_ALL cuda)
  if(NOT EXISTS ${WARPSHOP_CACHE}/cuda-13.0/complete)
    message(STATUS "NVRTC is not in ${WARPSHOP_CACHE}: a package will lack it")
  endif()
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)  # xz: a quarter smaller, for two minutes of a processor
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "Warpshop contributors <maintainers@warpshop.example>" CACHE STRING
  "Who answers for packages made here")
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "teaching lab for GPU memory performance")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Edit a CUDA kernel in the editor: within a third of a second the lab shows
whether it is correct, how every warp accesses memory, and what each access
costs. Kernels run on an emulator that executes the compiler's PTX exactly,
so no GPU is needed. Twenty labs with exercises, a lecture mode, and tools
to grade a class.")
# The libraries that the window opens at run time (GLFW); then, when packaging, those that the program is linked with.
# CPack's own way to find these starts a program for each of the package's 3,000 files.
if(WARPSHOP_UI)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libx11-6, libxcursor1, libxi6, libxinerama1, libxrandr2")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "xdg-utils, zenity | kdialog")  # opening reports, choosing files
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "openssh-client, python3-pip")  # GPUs elsewhere; fetch.py

set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/debian/depends.cmake)
file(CONFIGURE OUTPUT ${CPACK_PROJECT_CONFIG_FILE} @ONLY CONTENT [=[
execute_process(COMMAND dpkg-shlibdeps -O @PROJECT_BINARY_DIR@/warpshop WORKING_DIRECTORY @PROJECT_BINARY_DIR@
  OUTPUT_VARIABLE linked ERROR_VARIABLE said RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
if(status MATCHES "^[^0-9]")
  message(FATAL_ERROR "dpkg-shlibdeps: ${status}. It finds the libraries that a package depends on: apt-get install dpkg-dev")
elseif(NOT linked MATCHES "^shlibs:Depends=(.+)$")
  message(FATAL_ERROR "dpkg-shlibdeps did not find the program's libraries: ${said}")
endif()
list(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}")
list(JOIN CPACK_DEBIAN_PACKAGE_DEPENDS ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
]=])

# Files that only a Debian package has.
set(debian ${PROJECT_BINARY_DIR}/debian)
file(READ ${PROJECT_SOURCE_DIR}/LICENSE licence)
file(CONFIGURE OUTPUT ${debian}/copyright @ONLY CONTENT
"Warpshop is released under this licence:

@licence@
The works of others that it contains, with their authors and licences, are in
/usr/share/warpshop/NOTICES.txt.
")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${debian}/changelog @ONLY CONTENT
"warpshop (@PROJECT_VERSION@) unstable; urgency=medium

  * Version @PROJECT_VERSION@; README.md says what it offers.

 -- @CPACK_DEBIAN_PACKAGE_MAINTAINER@  @date@
")
execute_process(COMMAND gzip -9nf ${debian}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${debian}/control "Source: warpshop\n\nPackage: warpshop\nArchitecture: any\n")  # dpkg-shlibdeps asks for one
install(FILES ${debian}/copyright ${debian}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT debian EXCLUDE_FROM_ALL)

# include(CPack)'s own target `package` would build all tests first, and would make folders that nobody else can read
# where somebody has a strict umask.
set(CPACK_OUTPUT_CONFIG_FILE ${debian}/cpack.cmake)
set(CPACK_SOURCE_OUTPUT_CONFIG_FILE ${debian}/cpack_source.cmake)
include(CPack)
add_custom_target(package
  COMMAND sh -c "umask 022 && exec \"$@\"" cpack ${CMAKE_CPACK_COMMAND} --config ${debian}/cpack.cmake
  DEPENDS warpshop USES_TERMINAL VERBATIM)
