# cmake -D launcher=tessera -D programs=a;b [-D whole=c] -D folder=... -P ranks.cmake
# Runs each example, which prints a hash of its result, on one rank and on several, with and without memory, and with
# messages in tiny pieces: every rank prints the same line. Those of `whole` have a matrix that lies on one device as a
# whole, and are not tried with little memory.
cmake_minimum_required(VERSION 3.25)

function(run_on out ranks program)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${ARGN} ${launcher} run -n ${ranks} ${program}
                  WORKING_DIRECTORY ${folder} OUTPUT_VARIABLE output ERROR_VARIABLE messages RESULT_VARIABLE status
                  TIMEOUT 120)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${program} on ${ranks} ranks with ${ARGN} ended with ${status}:\n${output}${messages}")
  endif()
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

set(plenty 2:DEVICES=cpu 3:DEVICES=cpu*2 4:DEVICES=cpu+MESSAGE_LIMIT=1000 7:DEVICES=cpu+DISTURB=3)
set(little 3:DEVICES=cpu*3+DEVICE_MEMORY=128KiB+HOST_MEMORY=64KiB)
foreach(program IN LISTS programs whole)
  set(settings ${plenty} ${little})
  if(program IN_LIST whole)
    set(settings ${plenty})
  endif()
  run_on(expected 1 ${program} TESSERA_DEVICES=cpu)
  foreach(setting IN LISTS settings)
    string(REGEX MATCH "^[0-9]+" ranks ${setting})
    string(REGEX REPLACE "^[0-9]+:" "TESSERA_" variables ${setting})
    string(REPLACE "+" ";TESSERA_" variables ${variables})
    run_on(output ${ranks} ${program} ${variables})
    string(REPEAT "${expected}" ${ranks} wanted)
    if(NOT output STREQUAL wanted)
      message(FATAL_ERROR "${program} with ${setting} prints\n${output}instead of ${ranks} times\n${expected}")
    endif()
  endforeach()
endforeach()
