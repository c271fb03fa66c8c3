# Joins the modules into the library and installs it as the package `tessera`: headers, one archive (or shared object
# with BUILD_SHARED_LIBS) and the files find_package(tessera CONFIG) reads.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# tessera_library(HEADERS ...): target `tessera` (alias tessera::tessera) from the objects of all modules. HEADERS are
# public headers that belong to no module; the modules' own PUBLIC_HEADERS join them.
function(tessera_library)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  get_property(modules GLOBAL PROPERTY TESSERA_MODULES)
  get_property(headers GLOBAL PROPERTY TESSERA_PUBLIC_HEADERS)
  set(objects)
  foreach(module IN LISTS modules)
    list(APPEND objects $<TARGET_OBJECTS:${module}>)
  endforeach()

  add_library(tessera ${objects})
  add_library(tessera::tessera ALIAS tessera)
  set_target_properties(tessera PROPERTIES LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(tessera PUBLIC cxx_std_20)
  target_link_libraries(tessera PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
  if(TESSERA_SANITIZE)
    target_link_options(tessera PUBLIC -fsanitize=${TESSERA_SANITIZE})
  endif()
  target_sources(tessera PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS} ${headers})
endfunction()

# tessera_install_package(): what `cmake --install` copies.
function(tessera_install_package)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
  install(TARGETS tessera EXPORT tessera_targets FILE_SET HEADERS)
  install(EXPORT tessera_targets NAMESPACE tessera:: FILE tesseraTargets.cmake DESTINATION ${package_dir})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tesseraConfig.cmake.in
    ${PROJECT_BINARY_DIR}/tesseraConfig.cmake INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
          DESTINATION ${package_dir})
endfunction()
