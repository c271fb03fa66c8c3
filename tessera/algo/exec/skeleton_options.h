#pragma once

#include <span>
#include <string>

#include "tessera/algo/exec/placement/device_choice.h"
#include "tessera/array/kernel.h"

namespace tessera::algo {

/// What a program may say about the launches of a skeleton.
struct skeleton_options {
  std::string name{};           ///< For traces and messages; empty: the function's.
  device_choice on{};           ///< Where it runs; left out: where its elements are.
  std::string* told = nullptr;  ///< Where launches are told instead of made, if there is such a text.

  void launch(const kernel& made, const launch_options& with, std::span<const argument> arguments) const {
    if (told != nullptr)
      told->append(made.explain_with(with, arguments));
    else
      made.launch_with(with, arguments);
  }
};

}  // namespace tessera::algo
