#include "tests/comm/transport_suite.h"

TRANSPORT_CONTROL_SUITE(pretended);

namespace tessera::comm {

TEST_CASE("a pretended rank is in the middle of ranks that answer at once") {
  const auto network = make_pretended(5, 0);
  CHECK(network->open());
  CHECK(network->rank() == node_id(2));
  CHECK(network->size() == 5);
  suite::member self(*network);
  for (std::uint64_t n = 1; n <= 20; ++n)
    for (const int p : self.peers()) CHECK(self.receive(p, n, 100).arrival.done());
  CHECK(network->pending().empty());
  network->close();
}

TEST_CASE("a pretended rank gets its own first messages as those of every other rank") {
  const auto network = make_pretended(3, 2);
  suite::member self(*network);
  self.send(0, 1, 64);
  self.send(0, 2, 32);
  self.send(0, 3, 64);
  CHECK(*self.receive(2, 1, 64).data == suite::contents(1, 0, 1, 64));
  CHECK(*self.receive(0, 1, 64).data == suite::contents(1, 0, 1, 64));
  CHECK(*self.receive(2, 1, 63).data == suite::bytes(63));
  CHECK(*self.receive(2, 2, 32).data == suite::contents(1, 0, 2, 32));
  CHECK(*self.receive(2, 3, 64).data == suite::bytes(64));
}

TEST_CASE("a pretended rank that echoes nothing hears nothing") {
  const auto network = make_pretended(3, 0);
  suite::member self(*network);
  self.send(0, 1, 64);
  CHECK(*self.receive(2, 1, 64).data == suite::bytes(64));
}

}  // namespace tessera::comm
