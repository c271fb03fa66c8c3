#include <cstdlib>

#include "tests/fuzz/frame/command_line.h"
#include "tests/nd/fuzz/nd_subject.h"

int main(int argc, char** argv) {
  unsetenv("TESSERA_SMALL");  // programs draw it
  tessera::fuzz::nd_subject tested;
  return tessera::fuzz::run_fuzzer(argc, argv, tested);
}
