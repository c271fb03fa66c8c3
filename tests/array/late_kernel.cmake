# cmake -D program= -D work= -D case= -P late_kernel.cmake
# A compiler that takes two seconds for kernels that say "slowly_compiled": launches of others do not wait for it.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
find_program(real NAMES g++ c++ clang++ REQUIRED)
set(compiler ${work}/compiler)
file(WRITE ${compiler} "#!/bin/sh
[ \"$1\" = --version ] && exec ${real} --version
text=${work}/source.$$
cat > $text
grep -q slowly_compiled $text && sleep 2
exec ${real} \"$@\" < $text
")
file(CHMOD ${compiler} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

set(expected "")
if(case STREQUAL "without_compiler")
  set(compiler ${work}/missing)
  set(expected "run as functions, which is slower: TESSERA_CXX names no program")
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -E env TESSERA_CXX=${compiler} TESSERA_CACHE_DIR=${work}/cache TESSERA_DEVICES=cpu*2
          ${program} ${case}
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 50)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "it ended with ${status}:\n${output}")
endif()
string(REGEX MATCHALL "run as functions" warnings "${output}")
list(LENGTH warnings count)
string(FIND "${output}" "${expected}" place)
if(expected AND (place LESS 0 OR NOT count EQUAL 1))
  message(FATAL_ERROR "'${expected}' is not said once in:\n${output}")
endif()
