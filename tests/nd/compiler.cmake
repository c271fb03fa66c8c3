# cmake -D program= -D work= -D case= -P compiler.cmake
# Arrays where the compiler refuses a kernel, of which the error shows the text, and where there is no compiler, which is
# said once.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
set(compiler ${work}/compiler)

if(case STREQUAL "missing")
  set(status_expected 0)
  set(rounds 60)
  set(expected "run as functions, which is slower: TESSERA_CXX names no program: '${compiler}'" "right")
elseif(case STREQUAL "refusing")
  file(WRITE ${compiler} "#!/bin/sh
[ \"$1\" = --version ] && echo compiler 1.0 && exit 0
echo 'a refused line' >&2
exit 4
")
  file(CHMOD ${compiler} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(status_expected 3)
  set(rounds 2000)
  set(expected "compile_error: " "one_expression.cpp:" "a refused line" "of the text" "__global__ void nd_")
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -E env TESSERA_CXX=${compiler} TESSERA_CACHE_DIR=${work}/cache TESSERA_DEVICES=cpu*2
          TESSERA_SMALL=0 ${program} ${rounds}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 90)
if(NOT status EQUAL status_expected)
  message(FATAL_ERROR "it ended with ${status}:\n${output}")
endif()
foreach(text IN LISTS expected)
  string(FIND "${output}" "${text}" place)
  if(place LESS 0)
    message(FATAL_ERROR "'${text}' is not in:\n${output}")
  endif()
endforeach()
string(REGEX MATCHALL "run as functions" warnings "${output}")
list(LENGTH warnings count)
if(case STREQUAL "missing" AND NOT count EQUAL 1)
  message(FATAL_ERROR "it is said ${count} times that there is no compiler:\n${output}")
endif()
