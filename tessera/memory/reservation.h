#pragma once

#include <cstdint>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"

namespace tessera::memory {

struct tracked_page;

/// One access of an instruction to the copy of an array on a device.
struct use {
  array_id array;
  std::int32_t device = 0;  ///< Within this rank; the host's memory needs no reservation.
  const box* bounds = nullptr;
  bool written = false;
};

/// What an instruction needs of a device besides arrays, until it ends.
struct workspace {
  std::int32_t device = 0;
  std::int64_t bytes = 0;
};

/// The reservation that is being made, or was made last. Written by the thread that makes reservations alone.
struct reservation {
  std::uint64_t number = 0;          ///< Counts those that were made while a device was short of memory.
  std::uint64_t position = 0;        ///< Of the instruction in the stream.
  std::vector<tracked_page*> pages;  ///< That it wants.
  workspace unclaimed;               ///< Lent, but it is not known yet when the work ends.
};

}  // namespace tessera::memory
