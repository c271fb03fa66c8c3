# cmake -D launcher=tessera -D program=long_job -P faults.cmake
# One of three ranks leaves in the middle of a job: the others end within ten seconds, and say which one it was.
cmake_minimum_required(VERSION 3.25)

foreach(case IN ITEMS "kill:0" "kill:1" "kill:2" "later:0" "later:1" "later:2" "crash:1" "exit:0" "exit:2" "throw:0" "throw:1")
  string(REPLACE ":" ";" words ${case})
  list(GET words 1 rank)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_DEVICES=cpu ${launcher} run -n 3 ${program} ${words}
                  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 10)
  if(status EQUAL 0)
    message(FATAL_ERROR "${case}: the job ended as if all were well:\n${output}")
  endif()
  if(NOT output MATCHES "rank ${rank} (\\(process [0-9]+\\) has died|ended)")
    message(FATAL_ERROR "${case}: nobody names rank ${rank} (status ${status}):\n${output}")
  endif()
  # The launcher may be gone a little before the ranks.
  execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 2)
  execute_process(COMMAND pgrep -x long_job OUTPUT_VARIABLE left)
  if(left)
    message(FATAL_ERROR "${case}: processes are left: ${left}")
  endif()
endforeach()

# A kernel that crashes on one of two ranks: that rank names the kernel and its line, the other one the rank.
execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_DEVICES=cpu TESSERA_CHECK=lines ${launcher} run -n 2 ${program} stray 1
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 20)
if(status EQUAL 0 OR NOT output MATCHES
   "long_job.cpp:[0-9]+: kernel 'stray', superblock 1 [^\n]*: the kernel crashed at [^\n]*:5: segmentation fault at address 0x")
  message(FATAL_ERROR "stray: rank 1 does not name its kernel (status ${status}):\n${output}")
endif()
if(NOT output MATCHES "rank 1 \\(process [0-9]+\\) has died; rank 0 ends, too")
  message(FATAL_ERROR "stray: rank 0 does not name the rank that died (status ${status}):\n${output}")
endif()

# A rank that sleeps: the others say what they wait for, and for whom.
execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_DEVICES=cpu TESSERA_TIMEOUT=1.5 ${launcher} run -n 3 ${program} sleep 1
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 10)
if(status EQUAL 0 OR NOT output MATCHES
   "no progress for 1.5 s.*waits for message [0-9]+ from rank 1, [0-9]+ bytes, of the call at [^\n]*long_job.cpp:[0-9]+")
  message(FATAL_ERROR "sleep: nobody says what is waited for (status ${status}):\n${output}")
endif()

# A rank that goes on without its context, while it owes the other most of a message.
execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_DEVICES=cpu OMPI_MCA_btl_vader_single_copy_mechanism=none
                        ${launcher} run -n 2 ${program} leave 0
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 10)
if(status EQUAL 0 OR NOT output MATCHES "rank 1: rank 0 ended by an exception")
  message(FATAL_ERROR "leave: rank 1 does not hear of it (status ${status}):\n${output}")
endif()

# Ranks that do not agree about pieces of messages: both end, on whichever rank it is found.
set(differ [[TESSERA_MESSAGE_LIMIT=$((1 + ${OMPI_COMM_WORLD_RANK:-$PMI_RANK})) exec "$0" nothing 0]])
execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_DEVICES=cpu ${launcher} run -n 2 sh -c ${differ} ${program}
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 10)
if(status EQUAL 0 OR NOT output MATCHES "rank 0: " OR NOT output MATCHES "rank 1: ")
  message(FATAL_ERROR "pieces: not both ranks hear of it (status ${status}):\n${output}")
endif()

# A setting that makes no sense on one rank: that rank has no context, and the other one hears why.
set(differ [[if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ]; then export TESSERA_CHECK=everything; fi; exec "$0" nothing 0]])
execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_DEVICES=cpu ${launcher} run -n 2 sh -c "${differ}" ${program}
                OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status TIMEOUT 10)
if(status EQUAL 0 OR NOT output MATCHES "rank 0: rank 1 has no context: TESSERA_CHECK: 'everything' is no check")
  message(FATAL_ERROR "setting: rank 0 does not hear of it (status ${status}):\n${output}")
endif()
