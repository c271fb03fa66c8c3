# cmake -D launcher=tessera -D program=divergent -P divergence.cmake
# One of three ranks makes another call than the others: the job ends with an error that names the call.
cmake_minimum_required(VERSION 3.25)

function(run_job out what)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_DEVICES=cpu ${ARGN} ${launcher} run -n 3 ${program} ${what}
                  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 15)
  set(${out} "${output}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

foreach(checks IN ITEMS "" TESSERA_CHECK=all)
  run_job(output nothing ${checks})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "a job without a difference ended with ${status}:\n${output}")
  endif()
endforeach()
run_job(output padding)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "bytes between the members of a structure count as a difference (${status}):\n${output}")
endif()
set(found "the ranks make different calls: call")
set(launched "launch of 'scale' at [^\n]*divergent.cpp:[0-9]+")
set(read "an array is read at [^\n]*divergent.cpp:[0-9]+")
set(both "(${read}[^\n]*${launched}|${launched}[^\n]*${read})")  # the rank that sees it first
set(made "an array is made at [^\n]*divergent.cpp:[0-9]+")
set(shifted "(${made}[^\n]*${launched}|${launched}[^\n]*${made})")
foreach(case IN ITEMS "read=303 of rank [01] is: ${both}" "skip=402 of rank [01] is: ${shifted}"
                      "scalar=303 of rank [01] is: ${launched}"
                      "layout=403 of rank [01] is: an array is made at" "type=404 of rank [01] is: an array is made at"
                      "data=405 of rank [01] is: an array is written at [^\n]*, with contents of hash"
                      "let=407 of rank [01] is: launch of 'window'" "split=408 of rank [01] is: launch of 'window'"
                      "short=509 of rank 2 is: ${read}[^\n]*; rank 1 makes no more calls")
  string(REGEX MATCH "^[a-z]+" what "${case}")
  string(REGEX REPLACE "^[a-z]+=" "" message "${case}")
  run_job(output ${what} TESSERA_CHECK=ranks)
  if(status EQUAL 0 OR NOT output MATCHES "${found} ${message}")
    message(FATAL_ERROR "${what}: nobody says '${message}' (status ${status}):\n${output}")
  endif()
endforeach()
