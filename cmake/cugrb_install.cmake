# Install rules: the library, the headers, the algorithms, a CMake package (cugrb::cugrb), a pkg-config file, the command, the
# kernel pack.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(cugrb_headers INTERFACE)
set_target_properties(cugrb_headers PROPERTIES EXPORT_NAME headers)
target_include_directories(cugrb_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(cugrb_headers INTERFACE cxx_std_17)

install(TARGETS cugrb_headers EXPORT cugrb_targets)
install(TARGETS cugrb LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS cugrb_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET cugrb_mpi_command)
  install(TARGETS cugrb_mpi_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/cugrb DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(DIRECTORY algorithms DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cugrb FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_BINARY_DIR}/lib/dropin DESTINATION ${CMAKE_INSTALL_LIBDIR}/cugrb OPTIONAL
        USE_SOURCE_PERMISSIONS)

# The kernel pack, where it was made: the target compiles for minutes and is no part of `all`.
add_custom_target(kernel_pack COMMAND ${PROJECT_SOURCE_DIR}/scripts/kernel_pack --build ${PROJECT_BINARY_DIR}
  DEPENDS cugrb_command USES_TERMINAL VERBATIM)
install(FILES ${PROJECT_BINARY_DIR}/lib/cugrb/kernels.pack DESTINATION ${CMAKE_INSTALL_LIBDIR}/cugrb
        COMPONENT kernel_pack OPTIONAL)

install(EXPORT cugrb_targets NAMESPACE cugrb:: FILE cugrbTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cugrb)
configure_package_config_file(cmake/cugrbConfig.cmake.in ${PROJECT_BINARY_DIR}/cugrbConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cugrb PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cugrbConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cugrbConfig.cmake ${PROJECT_BINARY_DIR}/cugrbConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cugrb)
set(graphblas_cflags "")
if(CUGRB_HAVE_GRAPHBLAS)
  set(graphblas_cflags " -I${GRAPHBLAS_INCLUDE_DIR}")
endif()
configure_file(cmake/cugrb.pc.in ${PROJECT_BINARY_DIR}/cugrb.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cugrb.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
