# cmake -D program=... -D work=... -P signals.cmake
# A program that spills is ended by a signal once it has spilled: it ends at once and leaves nothing behind.
cmake_minimum_required(VERSION 3.25)

# Prints what the program printed and the seconds from the signal to its end. It waits for the first line about bytes on
# disk, up to a minute: how long a program takes to get there depends on what else the machine does. A shell lets what it
# starts in the background ignore SIGINT, hence `env`.
set(run_and_signal [[
: >"$3"
env --default-signal=INT "$2" >"$3" 2>&1 &
program=$!
tries=0
until grep -q '[1-9][0-9]* bytes on disk' "$3" || [ "$tries" -ge 600 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
begin=$(date +%s)
kill -"$1" "$program"
wait "$program"
tail -n 3 "$3"
echo "ended after $(($(date +%s) - begin)) s"
]])

foreach(signal IN ITEMS INT TERM KILL)
  file(REMOVE_RECURSE ${work})
  file(MAKE_DIRECTORY ${work})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env TESSERA_SPILL_DIR=${work} sh -c "${run_and_signal}" sh ${signal} ${program} ${work}.txt
                  OUTPUT_VARIABLE output ERROR_VARIABLE messages TIMEOUT 90)
  if(NOT output MATCHES "[1-9][0-9]* bytes on disk")
    message(FATAL_ERROR "nothing was spilled:\n${output}${messages}")
  endif()
  if(NOT output MATCHES "ended after ([0-9]+) s" OR CMAKE_MATCH_1 GREATER 5)
    message(FATAL_ERROR "SIG${signal} did not end it at once:\n${output}${messages}")
  endif()
  file(GLOB left ${work}/*)
  if(left)
    message(FATAL_ERROR "SIG${signal} left behind: ${left}")
  endif()
endforeach()
