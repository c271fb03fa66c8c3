# cmake -D program=... -D work=... -P signals.cmake
# A program that spills is ended by a signal: it ends at once and leaves nothing behind.
cmake_minimum_required(VERSION 3.25)

foreach(signal IN ITEMS INT TERM KILL)
  file(REMOVE_RECURSE ${work})
  file(MAKE_DIRECTORY ${work})
  string(TIMESTAMP begin "%s")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_SPILL_DIR=${work} timeout -s ${signal} 4 ${program}
                  OUTPUT_VARIABLE output ERROR_VARIABLE messages RESULT_VARIABLE status TIMEOUT 30)
  string(TIMESTAMP end "%s")
  math(EXPR seconds "${end} - ${begin}")
  if(NOT output MATCHES "[1-9][0-9]* bytes on disk")
    message(FATAL_ERROR "nothing was spilled:\n${output}${messages}")
  endif()
  if(seconds GREATER 9)
    message(FATAL_ERROR "SIG${signal} took ${seconds} s")
  endif()
  file(GLOB left ${work}/*)
  if(left)
    message(FATAL_ERROR "SIG${signal} left behind: ${left}")
  endif()
endforeach()
