#include "tessera/nd/stats.h"

#include "tessera/nd/array.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {

graph_stats stats(const array& a) { return a.owner()->stats(); }
graph_stats stats() { return graph::of(default_context())->stats(); }

}  // namespace tessera::nd
