# The functions that every folder uses: one module per library folder, one test program per tests/ folder, one program
# per example. tessera/CMakeLists.txt joins the modules into the library `tessera::tessera`.

find_package(Threads REQUIRED)

# How our own code is compiled; never part of what an installed library asks of its users.
add_library(tessera_compile_options INTERFACE)
target_compile_features(tessera_compile_options INTERFACE cxx_std_20)
target_include_directories(tessera_compile_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(tessera_compile_options INTERFACE -Wall -Wextra -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in plain string concatenation (its bug 105651).
  target_compile_options(tessera_compile_options INTERFACE -Wno-restrict)
endif()
if(TESSERA_WERROR)
  target_compile_options(tessera_compile_options INTERFACE -Werror)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  target_compile_options(tessera_compile_options INTERFACE -march=x86-64-v2)
endif()
set(TESSERA_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")
if(TESSERA_SANITIZE)
  target_compile_options(tessera_compile_options INTERFACE
    -fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tessera_compile_options INTERFACE -fsanitize=${TESSERA_SANITIZE})
endif()
set(tessera_sanitizer_sources)  # of every program
if(TESSERA_SANITIZE STREQUAL "thread")
  set(tessera_sanitizer_sources ${PROJECT_SOURCE_DIR}/tests/support/thread_sanitizer.cpp)
elseif(TESSERA_SANITIZE MATCHES "address")
  set(tessera_sanitizer_sources ${PROJECT_SOURCE_DIR}/tests/support/address_sanitizer.cpp)
endif()
if(TESSERA_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TESSERA_BUILD_FUZZERS needs clang: libFuzzer is part of it. Use `cmake --preset fuzz`.")
  endif()
  target_compile_options(tessera_compile_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(TESSERA_PLANT_DEFECTS)
  target_compile_definitions(tessera_compile_options INTERFACE TESSERA_PLANT_DEFECTS=1)
endif()

# CUDA's headers, where they are installed; its libraries are never linked but opened at run time. Give
# -DTESSERA_CUDA_INCLUDE=OFF to build as if there were none.
find_path(TESSERA_CUDA_INCLUDE NAMES nvrtc.h
  HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES include
  DOC "Directory of cuda.h and nvrtc.h")

# tessera_module(NAME SOURCES ... [CUDA_SOURCES ...] [NO_CUDA_SOURCES ...] [DEPENDS ...] [PUBLIC_HEADERS ...]): the object
# library of folder tessera/NAME.
#   CUDA_SOURCES    built only where CUDA's headers are; the module is then compiled with TESSERA_HAVE_CUDA=1.
#   NO_CUDA_SOURCES built only where they are not.
#   DEPENDS         the folders it may include; tools/check_layers compares this list with the #include lines.
#   PUBLIC_HEADERS  its headers that the umbrellas tessera/*.h reach, relative to the folder: only these are installed.
#                   tools/check_layers names one that is missing or needless.
function(tessera_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;CUDA_SOURCES;NO_CUDA_SOURCES;DEPENDS;PUBLIC_HEADERS" ${ARGN})
  set(target tessera_${name})
  add_library(${target} OBJECT ${arg_SOURCES})
  if(arg_CUDA_SOURCES AND TESSERA_CUDA_INCLUDE)
    target_sources(${target} PRIVATE ${arg_CUDA_SOURCES})
    target_include_directories(${target} SYSTEM PRIVATE ${TESSERA_CUDA_INCLUDE})
    target_compile_definitions(${target} PRIVATE TESSERA_HAVE_CUDA=1)
  else()
    target_sources(${target} PRIVATE ${arg_NO_CUDA_SOURCES})
  endif()
  target_link_libraries(${target} PUBLIC tessera_compile_options Threads::Threads)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(other IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC tessera_${other})
  endforeach()
  foreach(header IN LISTS arg_PUBLIC_HEADERS)
    set_property(GLOBAL APPEND PROPERTY TESSERA_PUBLIC_HEADERS ${CMAKE_CURRENT_SOURCE_DIR}/${header})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TESSERA_MODULES ${target})
  set_property(TARGET ${target} PROPERTY TESSERA_DEPENDS "${arg_DEPENDS}")
endfunction()

# tessera_embed(FUNCTION NAMESPACE FILE ...): sets FUNCTION to the name of a generated source, which defines
# `std::string_view NAMESPACE::FUNCTION(std::string_view name)`, the text of the file of that name.
function(tessera_embed function namespace)
  set(output ${PROJECT_BINARY_DIR}/generated/${function}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${namespace} -DFUNCTION=${function} "-DINPUTS=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
    VERBATIM)
  set(${function} ${output} PARENT_SCOPE)
endfunction()

# The object files of a module and of everything below it.
function(tessera_closure out)
  set(todo ${ARGN})
  set(done)
  while(todo)
    list(POP_FRONT todo name)
    if(NOT name IN_LIST done)
      list(APPEND done ${name})
      get_target_property(below tessera_${name} TESSERA_DEPENDS)
      list(APPEND todo ${below})
    endif()
  endwhile()
  set(objects)
  foreach(name IN LISTS done)
    list(APPEND objects $<TARGET_OBJECTS:tessera_${name}>)
  endforeach()
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

set(TESSERA_TEST_LABEL "" CACHE STRING "Of the programs that tessera_test makes, build those with this label; empty: all")

# tessera_test(NAME SOURCES ... USES module ... [LABELS ...] [DEFINITIONS ...] [OWN_MAIN]): one doctest program for a folder of
# tests, linked with the named modules (and what they depend on) only. One that ends with 77 is skipped. Labels of CTest:
# `unit`; `threads` for what the thread sanitizer is to see, which tests of modules that have threads get by themselves;
# `long` for what only `make test-long` runs. There is no program where TESSERA_TEST_LABEL leaves the test out: what its
# target needs is said here and not after the call.
function(tessera_test name)
  cmake_parse_arguments(arg "OWN_MAIN" "" "SOURCES;USES;LABELS;DEFINITIONS;ENVIRONMENT" ${ARGN})
  foreach(module IN ITEMS device memory comm runtime array)
    if(module IN_LIST arg_USES)
      list(APPEND arg_LABELS threads)
    endif()
  endforeach()
  set(labels unit ${arg_LABELS})
  list(REMOVE_DUPLICATES labels)
  if(TESSERA_TEST_LABEL AND NOT TESSERA_TEST_LABEL IN_LIST labels)
    return()
  endif()
  set(target test_${name})
  tessera_closure(objects ${arg_USES})
  if(NOT arg_OWN_MAIN)
    list(APPEND arg_SOURCES ${PROJECT_SOURCE_DIR}/tests/support/main.cpp)
  endif()
  add_executable(${target} ${arg_SOURCES} ${tessera_sanitizer_sources} ${objects})
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
  target_link_libraries(${target} PRIVATE tessera_compile_options Threads::Threads ${CMAKE_DL_LIBS})
  add_test(NAME ${name} COMMAND ${target})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 900 ENVIRONMENT "${arg_ENVIRONMENT}"
    SKIP_RETURN_CODE 77)
endfunction()

# tessera_program(NAME SOURCES ... [LINK ...]): a program that uses the library as its users do.
function(tessera_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES} ${tessera_sanitizer_sources})
  target_link_libraries(${name} PRIVATE tessera_compile_options tessera::tessera ${arg_LINK})
endfunction()

# tessera_example(NAME SOURCES ... [LINK ...] [NO_TEST]): program NAME of examples/. CTest runs it on 1, 2, 3 and 5
# pretended devices, in examples/ so that it finds its .cu files. It checks its own result and returns 0 if it is right.
function(tessera_example name)
  cmake_parse_arguments(arg "NO_TEST" "" "SOURCES;LINK" ${ARGN})
  tessera_program(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK})
  if(arg_NO_TEST OR NOT TESSERA_BUILD_TESTS)
    return()
  endif()
  foreach(devices IN ITEMS cpu cpu*2 cpu*3 cpu*5)
    set(test example.${name}.${devices})
    add_test(NAME ${test} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/examples)
    set_tests_properties(${test} PROPERTIES LABELS examples TIMEOUT 300 ENVIRONMENT "TESSERA_DEVICES=${devices}")
  endforeach()
endfunction()

# tessera_fuzzer(NAME SOURCES ... USES module ...): a libFuzzer program, where TESSERA_BUILD_FUZZERS is on.
function(tessera_fuzzer name)
  if(NOT TESSERA_BUILD_FUZZERS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;USES" ${ARGN})
  tessera_closure(objects ${arg_USES})
  add_executable(${name} ${arg_SOURCES} ${objects})
  target_link_libraries(${name} PRIVATE tessera_compile_options Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()

# tessera_check_headers(): target `check_headers`, not part of `all`, compiles every header of tessera/ alone, twice in
# a row. Kernel-side headers (kernel/device/) belong to run-time compilation and are tested there; those of device/cuda/
# are left out where CUDA's are missing.
function(tessera_check_headers)
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tessera/*.h)
  list(FILTER headers EXCLUDE REGEX "^tessera/kernel/device/")
  if(NOT TESSERA_CUDA_INCLUDE)
    list(FILTER headers EXCLUDE REGEX "^tessera/device/cuda/")
  endif()
  set(sources)
  foreach(header IN LISTS headers)
    set(source ${PROJECT_BINARY_DIR}/check_headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(check_headers OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(check_headers PRIVATE tessera_compile_options)
  if(TESSERA_CUDA_INCLUDE)
    target_include_directories(check_headers SYSTEM PRIVATE ${TESSERA_CUDA_INCLUDE})
  endif()
endfunction()
