#include "tests/comm/transport_suite.h"

TRANSPORT_CONTROL_SUITE(pretended);

namespace tessera::comm {

TEST_CASE("a pretended rank is in the middle of ranks that answer at once") {
  const auto network = make_pretended(5);
  CHECK(network->open());
  CHECK(network->rank() == node_id(2));
  CHECK(network->size() == 5);
  suite::member self(*network);
  for (std::uint64_t n = 1; n <= 20; ++n)
    for (const int p : self.peers()) CHECK(self.receive(p, n, 100).arrival.done());
  CHECK(network->pending().empty());
  network->close();
}

TEST_CASE("a pretended rank gets its own description as that of every other rank") {
  const auto network = make_pretended(3);
  suite::member self(*network);
  self.send(0, 1, 64);
  CHECK(*self.receive(2, 1, 64).data == suite::contents(1, 0, 1, 64));
  CHECK(*self.receive(2, 1, 63).data == suite::bytes(63));
  CHECK(*self.receive(2, 2, 64).data == suite::bytes(64));
}

}  // namespace tessera::comm
