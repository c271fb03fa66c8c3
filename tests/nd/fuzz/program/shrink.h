#pragma once

#include "tests/fuzz/frame/reducer.h"
#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

/// Looks for a smaller program that fails, too.
void shrink(reducer<program>& search);

}  // namespace tessera::fuzz
