#pragma once

namespace tessera {

/// The next call without a context makes a new default one; the current one ends with its last array. For programs that
/// end MPI themselves before the process does.
void forget_default_context();

}  // namespace tessera
