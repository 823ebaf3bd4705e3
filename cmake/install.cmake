# What a second project gets: find_package(wattflex) with one target a library folder (wattflex::base ...).
# The report library stays inside: only the program uses it, and it drags in templates and figures.
include(CMakePackageConfigHelpers)

set(libraries)
foreach(name base model device control stats ingest elasticity allocate twin sweep study)
  if(TARGET wattflex_${name})
    list(APPEND libraries wattflex_${name})
    install(DIRECTORY src/${name} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/wattflex FILES_MATCHING PATTERN "*.h")
  endif()
endforeach()
# Its headers lie in ingest's folder.
list(APPEND libraries wattflex_logs)
install(TARGETS ${libraries} EXPORT wattflex)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/wattflex)
install(EXPORT wattflex NAMESPACE wattflex:: FILE wattflexTargets.cmake DESTINATION ${package})
configure_package_config_file(cmake/wattflexConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/wattflexConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/wattflexConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/wattflexConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/wattflexConfigVersion.cmake
  DESTINATION ${package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
