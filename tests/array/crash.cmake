# cmake -D program=... -D case=... -P crash.cmake
# A kernel that crashes is named in one line, and the process ends by the signal; what crashes elsewhere is not.
cmake_minimum_required(VERSION 3.25)

set(ENV{TESSERA_CHECK} "")
if(case MATCHES "line$")
  set(ENV{TESSERA_CHECK} lines)
endif()
execute_process(COMMAND ${program} ${case} OUTPUT_VARIABLE messages ERROR_VARIABLE messages RESULT_VARIABLE status
                TIMEOUT 60)
set(launch "crashing_kernel.cpp:[0-9]+: kernel 'the last launch', superblock [01] .* on device [01]: the kernel crashed: ")
set(line "${launch}segmentation fault at address 0x[0-9a-f]+\n")
set(ending "Segmentation fault|SIGSEGV")
if(case STREQUAL "fpe")
  set(line "${launch}division error\n")
  set(ending "Floating-point exception|SIGFPE")
elseif(case STREQUAL "line")
  # The line of the text that writes.
  string(REPLACE "crashed: " "crashed at stray.cu:10: " line "${line}")
elseif(case STREQUAL "fiber_line")
  # Somewhere in the function that calls itself.
  string(REPLACE "crashed: " "crashed at recurse.cu:[2-6]: " line "${line}")
elseif(case STREQUAL "handled")
  string(APPEND line "(.*\n)?the program's own handler\n")
  set(ending "^7$")
elseif(case STREQUAL "elsewhere")
  set(line "^$")
endif()
if(NOT messages MATCHES "${line}")
  message(FATAL_ERROR "not named as expected:\n${messages}")
endif()
if(NOT status MATCHES "${ending}")
  message(FATAL_ERROR "the program ended with '${status}'")
endif()
