# cmake -D programs=a;b [-D whole=c] -D folder=... -P same_bits.cmake
# Runs each example, which prints a hash of its result, on 1, 4 and 7 devices, in other tiers, with all accesses checked, and with hardly any memory,
# so that most data is on disk, and random delays: the lines must be equal.
# -D whole=a: programs that factorise a matrix, which must lie on a device as a whole, run without the settings of little
# memory.
cmake_minimum_required(VERSION 3.25)

set(plenty DEVICES=cpu DEVICES=cpu*4 DEVICES=cpu*7 CPU_TIER=fiber CHECK=access DEVICES=cpu*3+DISTURB=7+DETERMINISTIC=1)
set(little HOST_MEMORY=256KiB DEVICES=cpu*3+DEVICE_MEMORY=128KiB+HOST_MEMORY=64KiB+DISTURB=7+DETERMINISTIC=1)
foreach(program IN LISTS programs whole)
  set(expected)
  set(settings ${plenty} ${little})
  if(program IN_LIST whole)
    set(settings ${plenty})
  endif()
  foreach(setting IN LISTS settings)
    string(REPLACE "+" ";TESSERA_" variables "TESSERA_${setting}")
    execute_process(COMMAND ${CMAKE_COMMAND} -E env ${variables} ${program} WORKING_DIRECTORY ${folder}
                    OUTPUT_VARIABLE output ERROR_VARIABLE messages RESULT_VARIABLE status TIMEOUT 120)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${program} with ${setting} ended with ${status}:\n${output}${messages}")
    endif()
    if(NOT output MATCHES ", all right, [0-9a-f][0-9a-f][0-9a-f][0-9a-f]")
      message(FATAL_ERROR "${program} with ${setting} prints no hash:\n${output}")
    endif()
    if(expected AND NOT output STREQUAL expected)
      message(FATAL_ERROR "${program} with ${setting} gives other bits:\n${output}instead of\n${expected}")
    endif()
    set(expected "${output}")
  endforeach()
endforeach()
