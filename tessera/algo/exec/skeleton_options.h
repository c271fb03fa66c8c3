#pragma once

#include <string>

#include "tessera/algo/exec/placement/device_choice.h"

namespace tessera::algo {

/// What a program may say about the launches of a skeleton.
struct skeleton_options {
  std::string name{};  ///< For traces and messages; empty: the function's.
  device_choice on{};  ///< Where it runs; left out: where its elements are.
};

}  // namespace tessera::algo
