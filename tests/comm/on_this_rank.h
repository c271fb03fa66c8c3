#pragma once

#include <tessera/tessera.h>

#include <cstdlib>
#include <iostream>

#include "tessera/base/text.h"

namespace tessera::support {

/// The main function of a program whose ranks do different things: returns what `body(rank)` returns, or prints what it
/// throws and returns 1.
template <class Body>
int on_this_rank(Body body) {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank == nullptr) rank = std::getenv("PMI_RANK");  // MPICH
  if (rank == nullptr) return 2;
  try {
    return body(std::atoi(rank));
  } catch (const std::exception& e) {
    const bool differ = dynamic_cast<const divergence_error*>(&e) != nullptr;
    // In one piece: ranks share the terminal.
    std::cerr << cat("rank ", rank, differ ? ": divergence_error: " : ": ", e.what(), "\n") << std::flush;
    return 1;
  }
}

}  // namespace tessera::support
