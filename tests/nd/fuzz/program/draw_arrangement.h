#pragma once

#include "tests/fuzz/frame/random.h"
#include "tests/nd/fuzz/reference/plain_array.h"

namespace tessera::fuzz {

/// Draws how the array is arranged anew, and with which numbers.
void draw_arrangement(random_source& random, const plain_array& a, step& s);

}  // namespace tessera::fuzz
