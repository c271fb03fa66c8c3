#include <cstdlib>

#include "tests/algo/fuzz/algo_subject.h"
#include "tests/fuzz/frame/command_line.h"

int main(int argc, char** argv) {
  unsetenv("TESSERA_SMALL");  // programs draw it
  tessera::fuzz::algo_subject tested;
  return tessera::fuzz::run_fuzzer(argc, argv, tested);
}
