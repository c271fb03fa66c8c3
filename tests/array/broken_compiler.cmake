# cmake -D program= -D work= -D case= -P broken_compiler.cmake
# A compiler that is missing, fails, is killed, makes nothing or hangs gives a compile_error that says what to do.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(compiler ${work}/compiler)

if(case STREQUAL "missing")
  set(expected "TESSERA_CXX names no program: '${compiler}'" "install g++ or set TESSERA_CXX")
elseif(case STREQUAL "failing")
  set(script "exit 4")
  set(expected "failed with status 4")
elseif(case STREQUAL "killed")
  set(script "kill -9 $$")
  set(expected "was killed by signal 9" "memory")
elseif(case STREQUAL "idle")
  set(script "exit 0")
  set(expected "made no library" "TESSERA_CXX")
elseif(case STREQUAL "hanging")
  set(script "sleep 600")
  set(expected "did not end within 30000 ms" "check the compiler by hand")
endif()
if(script)
  # The version is asked for first; it is given, so that the compilation itself is what fails.
  file(WRITE ${compiler} "#!/bin/sh\n[ \"$1\" = --version ] && echo compiler 1.0 && exit 0\n${script}\n")
  file(CHMOD ${compiler} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -E env TESSERA_CXX=${compiler} TESSERA_CACHE_DIR=${work}/cache TESSERA_DEVICES=cpu*2 ${program}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 90)
if(NOT status EQUAL 3)
  message(FATAL_ERROR "it ended with ${status} instead of an error:\n${output}")
endif()
foreach(text IN ITEMS "compile_error: " "one_kernel.cpp:" ": kernel 'stencil'" ${expected})
  string(FIND "${output}" "${text}" place)
  if(place LESS 0)
    message(FATAL_ERROR "'${text}' is not in:\n${output}")
  endif()
endforeach()
