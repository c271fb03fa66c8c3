#pragma once

#include <string>

#include "tessera/array/split.h"

namespace tessera::algo {

/// What a program may say about the launches of a skeleton.
struct skeleton_options {
  std::string name{};      ///< For traces and messages; empty: the function's.
  tessera::split split{};  ///< Where it runs; left out: where its elements are.
};

}  // namespace tessera::algo
