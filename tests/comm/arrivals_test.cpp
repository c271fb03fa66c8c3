#include "tessera/comm/arrivals.h"

#include <doctest/doctest.h>

namespace tessera::comm {

TEST_CASE("an arrival counts when all before it have come") {
  arrivals from;
  const event first = from.of(1), second = from.of(2), fourth = from.of(4);
  from.complete(2);
  CHECK(!first.done());
  CHECK(!second.done());
  from.complete(1);
  CHECK(first.done());
  CHECK(second.done());
  from.complete(4);
  CHECK(!fourth.done());
  from.complete(3);
  CHECK(fourth.done());
}

TEST_CASE("events of a closed pair have happened") {
  arrivals from;
  const event before = from.of(7);
  from.close();
  CHECK(before.done());
  CHECK(from.of(1000).done());
}

}  // namespace tessera::comm
