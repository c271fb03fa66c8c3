#include <cstdlib>

#include "tests/fuzz/frame/command_line.h"
#include "tests/linop/fuzz/linop_subject.h"

int main(int argc, char** argv) {
  unsetenv("TESSERA_SMALL");
  tessera::fuzz::linop_subject tested;
  return tessera::fuzz::run_fuzzer(argc, argv, tested);
}
