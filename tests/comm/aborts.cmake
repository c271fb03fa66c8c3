# cmake -D launcher=tessera -D program=test_launched_world -D ranks=N -P aborts.cmake
# Jobs that fail, over MPI. A process in which a job failed never ends with status 0, so what the ranks print counts.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${launcher} run -n ${ranks} ${program} -nc -tc=*abort* OUTPUT_VARIABLE output ERROR_VARIABLE messages
                RESULT_VARIABLE status TIMEOUT 100)
string(REGEX MATCHALL "Status: SUCCESS!" passed "${output}")
list(LENGTH passed count)
if(NOT count EQUAL ranks OR status EQUAL 0)
  message(FATAL_ERROR "${count} of ${ranks} ranks say that all is well (status ${status}):\n${output}${messages}")
endif()
