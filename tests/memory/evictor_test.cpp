#include "tessera/memory/evictor.h"

#include <doctest/doctest.h>

#include <vector>

#include "tessera/memory/tracked_page.h"
#include "tessera/memory/use_times.h"

using namespace tessera::memory;

namespace {

/// Candidates and the numbers of those that are evicted; every page has 10 bytes.
class choice {
 public:
  choice& unused(std::uint64_t next_use, bool clean = false) {
    return add({&pages_[count_], 10, next_use, 1, false, clean});
  }
  choice& used(std::uint64_t next_use, std::uint64_t last_use, bool clean = false) {
    return add({&pages_[count_], 10, next_use, last_use, true, clean});
  }
  std::vector<int> evict(std::int64_t bytes, eviction_time time = eviction_time::now) {
    std::vector<int> numbers;
    for (const eviction_candidate& c : policy_.choose(bytes, time))
      numbers.push_back(static_cast<int>(c.subject - pages_.data()));
    count_ = 0;
    return numbers;
  }

 private:
  choice& add(const eviction_candidate& c) {
    policy_.add(c);
    ++count_;
    return *this;
  }
  std::vector<tracked_page> pages_ = std::vector<tracked_page>(100);
  std::size_t count_ = 0;
  evictor policy_;
};

using numbers = std::vector<int>;

}  // namespace

TEST_CASE("the page whose next use is farthest is evicted first") {
  choice c;
  CHECK(c.unused(5).unused(9).unused(7).evict(10) == numbers{1});
  CHECK(c.unused(5).unused(9).unused(7).evict(30) == numbers{1, 2, 0});
}

TEST_CASE("as many pages are evicted as hold the bytes that are wanted, and no more") {
  choice c;
  CHECK(c.unused(1).unused(2).unused(3).evict(11) == numbers{2, 1});
  CHECK(c.unused(1).unused(2).unused(3).evict(20) == numbers{2, 1});
  CHECK(c.unused(1).unused(2).evict(1000) == numbers{1, 0});
  CHECK(c.unused(1).evict(0).empty());
  CHECK(c.evict(10).empty());  // the candidates before were those of another choice
}

TEST_CASE("pages in use are evicted last, those issued first before the others") {
  choice c;
  CHECK(c.used(90, 6).unused(3).used(80, 4).unused(2).evict(40) == numbers{1, 3, 2, 0});
}

TEST_CASE("ahead of need a page that is wanted sooner than all in use stays longest") {
  choice c;
  CHECK(c.used(20, 6).unused(15).unused(25).evict(30, eviction_time::ahead) == numbers{2, 0, 1});
  CHECK(c.used(20, 6).unused(15).unused(25).evict(30, eviction_time::now) == numbers{2, 1, 0});
  // Wanted together with the soonest in use: not sooner.
  CHECK(c.used(20, 6).unused(20).evict(20, eviction_time::ahead) == numbers{1, 0});
}

TEST_CASE("of pages that are wanted at the same time those that need no copy are evicted first") {
  choice c;
  CHECK(c.unused(7).unused(7, true).unused(7).unused(7, true).evict(40) == numbers{1, 3, 0, 2});
  CHECK(c.used(7, 3).used(8, 3, true).evict(20) == numbers{1, 0});
  // The next use counts for more.
  CHECK(c.unused(8).unused(7, true).evict(10) == numbers{0});
}

TEST_CASE("of equal pages the one that was added first is evicted first") {
  choice c;
  for (int k = 0; k < 50; ++k) c.unused(7);
  const numbers gone = c.evict(500);
  REQUIRE(gone.size() == 50);
  for (int k = 0; k < 50; ++k) CHECK(gone[static_cast<std::size_t>(k)] == k);
}

TEST_CASE("the next use is the first planned one that has not been reached") {
  use_times t;
  t.expect(4);
  t.expect(4);  // an instruction may use a page in several ways
  t.expect(9);
  CHECK(t.next(1) == 4);
  t.reach(4);
  CHECK(t.next(4) == 9);
  CHECK(t.last() == 4);
}

TEST_CASE("beyond the plan the last two uses are taken to repeat") {
  use_times t;
  t.reach(10);
  t.reach(16);
  CHECK(t.next(16) == 22);
  CHECK(t.next(21) == 22);
  CHECK(t.next(40) == 41);  // it is late; it is not in the past
  t.expect(30);
  CHECK(t.next(16) == 30);  // what is planned is known better
  t.reach(30);
  CHECK(t.next(30) == 44);
}

TEST_CASE("where nothing is known the page that was used least recently is wanted last") {
  use_times older, newer, repeating;
  older.reach(3);
  newer.reach(8);
  repeating.reach(2);
  repeating.reach(9);
  CHECK(older.next(10) > newer.next(10));
  CHECK(newer.next(10) > repeating.next(10));
  choice c;
  CHECK(c.unused(newer.next(10)).unused(older.next(10)).unused(repeating.next(10)).evict(30) == numbers{1, 0, 2});
}

TEST_CASE("a cycle over more pages than fit keeps all but one of those that stay") {
  // Pages 0 to 4 in turn, room for three: the best schedule brings back every other page.
  constexpr std::size_t pages = 5, room = 3, steps = 1000;
  use_times uses[pages];
  std::vector<std::size_t> held;
  std::vector<tracked_page> subjects(pages);
  evictor policy;
  int reloads = 0;
  for (std::uint64_t now = 1; now <= steps; ++now) {
    const std::size_t wanted = now % pages;
    uses[wanted].reach(now);
    if (std::find(held.begin(), held.end(), wanted) != held.end()) continue;
    ++reloads;
    if (held.size() == room) {
      for (const std::size_t b : held) policy.add({&subjects[b], 1, uses[b].next(now), uses[b].last(), false, true});
      const auto gone =
          static_cast<std::size_t>(policy.choose(1, eviction_time::now).front().subject - subjects.data());
      std::erase(held, gone);
    }
    held.push_back(wanted);
  }
  CHECK(reloads <= static_cast<int>(steps) / 2 + 10);  // least recently used: 1000
}
