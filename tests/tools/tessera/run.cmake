# cmake -D program= -D arguments= -D status= -D contains= -D folder= -P run.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${program} ${arguments} WORKING_DIRECTORY ${folder}
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE ended TIMEOUT 60)
if(NOT ended EQUAL status)
  message(FATAL_ERROR "tessera ${arguments} ended with ${ended} instead of ${status}:\n${output}")
endif()
foreach(text IN LISTS contains)
  string(FIND "${output}" "${text}" place)
  if(place LESS 0)
    message(FATAL_ERROR "'${text}' is not in:\n${output}")
  endif()
endforeach()
