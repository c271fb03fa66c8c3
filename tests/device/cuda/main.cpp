// Ends with 77, which CTest reads as "skipped", where there is no GPU.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "tessera/device/backend.h"

int main(int argc, char** argv) {
  std::string reason;
  if (tessera::device::count_gpus(&reason) == 0) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  return doctest::Context(argc, argv).run();
}
