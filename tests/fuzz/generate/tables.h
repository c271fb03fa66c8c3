#pragma once

#include "tests/fuzz/frame/random.h"
#include "tests/fuzz/program/program.h"
#include "tests/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// Draws the rows of the tables that a launch uses, which is complete but for them: as many as its threads ask for and
/// some more, inside the arrays; rows through which elements are written have no element in common.
void draw_tables(random_source& random, const reference& state, launch_op& l);

}  // namespace tessera::fuzz
