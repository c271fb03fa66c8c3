#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

/// Arrays of tests are tiny: their launches are shared all the same, unless a test or the environment says otherwise.
int main(int argc, char** argv) {
  setenv("TESSERA_SMALL", "0", 0);
  return doctest::Context(argc, argv).run();
}
