#include "tessera/base/containers/recent_map.h"

#include <doctest/doctest.h>

#include <string>

#include "tessera/base/containers/weak_map.h"

using namespace tessera;

TEST_CASE("of more values than a recent_map keeps the one used longest ago goes") {
  recent_map<int, std::string> values(2);
  CHECK_FALSE(values.insert(1, "one"));
  CHECK_FALSE(values.insert(2, "two"));
  REQUIRE(values.find(1) != nullptr);
  CHECK(*values.find(1) == "one");
  CHECK(values.insert(3, "three") == "two");
  CHECK(values.find(2) == nullptr);
  CHECK(values.find(1) != nullptr);
  CHECK(values.insert(2, "two again") == "three");
  CHECK(values.size() == 2);
}

TEST_CASE("a weak_map finds what others own and keeps little of what they owned") {
  weak_map<int, int> values;
  const auto kept = std::make_shared<int>(7);
  values.insert(0, kept);
  for (int k = 1; k < 10'000; ++k) values.insert(k, std::make_shared<int>(k));
  CHECK(values.find(0) == kept);
  CHECK(values.find(1) == nullptr);
  CHECK(values.find(9'999) == nullptr);
  CHECK(values.size() <= 64);
}
