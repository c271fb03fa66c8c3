#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tessera/array/kernel.h"
#include "tessera/base/geometry/box.h"

namespace tessera::algo {

/// What stands for a neighbour outside of the container; numbers as in device/edge_region.h.
enum class edge_kind : std::uint8_t { none, duplicate, cyclic, pad };

/// The elements that one launch of a stencil computes, and what its kernel knows about their neighbourhoods.
struct region_frame {
  box part;                                                 ///< Of the elements: which ones the launch computes.
  extents whole;                                            ///< Shape of all elements.
  std::vector<int> axes;                                    ///< Of the elements, along which neighbours lie.
  bool at_edge = false;                                     ///< Neighbours may not exist: the kernel looks for each.
  edge_kind edge{};                                         ///< What it does then.
  argument padding{};                                       ///< For `edge_kind::pad`.
  std::vector<std::pair<std::string, std::int64_t>> let{};  ///< Distances for the kernel's annotation.
};

}  // namespace tessera::algo
