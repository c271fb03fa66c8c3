#include "tests/comm/transport_suite.h"

namespace tessera::comm::suite {

using two_ranks = local<2, 0>;
using two_ranks_shuffled = local<2, 1>;
using three_ranks_shuffled = local<3, 7>;
using five_ranks = local<5, 0>;

}  // namespace tessera::comm::suite

TRANSPORT_SUITE(two_ranks, two_ranks_shuffled, three_ranks_shuffled, five_ranks);

TEST_CASE("a network of one rank needs no other") {
  const auto alone = tessera::comm::make_alone();
  CHECK(alone->size() == 1);
  CHECK(alone->rank() == tessera::node_id(0));
  CHECK(alone->open());
  alone->abort("no more paper");
  CHECK(alone->failed());
  alone->close();
}
