#include <cstdlib>

#include "tests/fuzz/frame/command_line.h"
#include "tests/fuzz/run/engine_subject.h"

int main(int argc, char** argv) {
  unsetenv("TESSERA_SMALL");  // programs draw it
  tessera::fuzz::engine_subject tested;
  return tessera::fuzz::run_fuzzer(argc, argv, tested);
}
