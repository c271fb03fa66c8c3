# cmake -D build= -D foreign= -D work= -D generator= -D compiler= -P run.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work} OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
# The foreign sources are copied, so that nothing is found by way of our tree.
file(COPY ${foreign}/ DESTINATION ${work}/source)
run(${CMAKE_COMMAND} -S ${work}/source -B ${work}/build -G ${generator}
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)

set(expected)
foreach(devices IN ITEMS cpu cpu*4 cpu*7)
  set(with_devices ${CMAKE_COMMAND} -E env TESSERA_DEVICES=${devices} ${CMAKE_COMMAND} -E chdir ${work}/source)
  run(${with_devices} ${work}/build/program)
  run(${with_devices} ${work}/build/same_bits)
  message(STATUS "${devices}: ${output}")
  if(expected AND NOT output STREQUAL expected)
    message(FATAL_ERROR "${devices} gives other bits: ${output} instead of ${expected}")
  endif()
  set(expected "${output}")
endforeach()
