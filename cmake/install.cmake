# What is installed, and where: the only install rules there are. `cmake --install build` installs all of it below the
# prefix, and the packages take the components they need.
#
#   program   bin/warpshop
#   data      share/warpshop: all that the program reads at run time, and whose work it contains
#   cuda      lib/warpshop: NVRTC, the CUDA headers and nvdisasm, in folders named as in the cache (core/fetched.h)
#   desktop   menu entry, icon, manual page
#   docs      share/doc/warpshop
#
# The program finds share/warpshop and lib/warpshop from its own place (core/fetched.h), so the prefix may be moved.

set(data_folder ${CMAKE_INSTALL_DATADIR}/warpshop)

install(TARGETS warpshop RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

install(DIRECTORY labs kernels solutions assets DESTINATION ${data_folder} COMPONENT data
  PATTERN "__pycache__" EXCLUDE PATTERN ".*" EXCLUDE PATTERN "*~" EXCLUDE)
list(TRANSFORM WARPSHOP_PAGES PREPEND docs/ OUTPUT_VARIABLE pages)
install(FILES ${pages} DESTINATION ${data_folder}/docs COMPONENT data)
install(FILES LICENSE ${WARPSHOP_NOTICES} DESTINATION ${data_folder} COMPONENT data)
# Where the component cuda is left out, this fetches it: fetch_command() in core/fetched.h.
install(FILES cmake/fetch.py DESTINATION ${data_folder} COMPONENT data)
if(WARPSHOP_UI)
  install(FILES ${fonts} DESTINATION ${data_folder}/fonts COMPONENT data)
endif()

# The browser edition, if it has been built (cmake --preset web).
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web/web DESTINATION ${data_folder} COMPONENT data OPTIONAL)

foreach(fetched cuda-13.0 curand-10.4 nvdisasm-13.2)
  if(EXISTS ${WARPSHOP_CACHE}/${fetched}/complete)
    install(DIRECTORY ${WARPSHOP_CACHE}/${fetched} DESTINATION lib/warpshop COMPONENT cuda
      PATTERN "bin" EXCLUDE)
    if(IS_DIRECTORY ${WARPSHOP_CACHE}/${fetched}/bin)
      install(DIRECTORY ${WARPSHOP_CACHE}/${fetched}/bin DESTINATION lib/warpshop/${fetched} COMPONENT cuda
        FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endif()
  endif()
endforeach()

if(WARPSHOP_UI)
  install(FILES cmake/linux/warpshop.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT desktop)
  install(FILES assets/web/warpshop.svg
    DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT desktop)
endif()
# The manual page is `warpshop --help`, in the form of one.
find_program(HELP2MAN help2man)
find_program(GZIP gzip)
if(HELP2MAN AND GZIP)
  set(manual_page ${PROJECT_BINARY_DIR}/warpshop.1)
  install(CODE "
    execute_process(COMMAND ${HELP2MAN} --no-info \"--name=teaching lab for GPU memory performance\"
      --output=${manual_page} $<TARGET_FILE:warpshop> COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${GZIP} -9nf ${manual_page} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT desktop)
  install(FILES ${manual_page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT desktop)
else()
  message(STATUS "There is no help2man: no manual page will be installed")
endif()

install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
