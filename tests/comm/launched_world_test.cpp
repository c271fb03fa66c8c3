// The transport suite over MPI: every rank that the launcher starts runs it.
#include "tests/comm/transport_suite.h"

TRANSPORT_SUITE(launched);
