#include <doctest/doctest.h>

#include <thread>

#include "tessera/runtime/channel.h"
#include "tests/runtime/executor_bench.h"

using namespace tessera;
using support::executor_bench;
using words = std::vector<std::string>;

namespace {

std::string reason_of(const runtime::failure_table& failures, array_id array) {
  const runtime::failure found = failures.reason_for(array);
  return found ? runtime::what_of(found.reason) : "none";
}

}  // namespace

TEST_CASE("a launch that is compiled does not wait for one that is not") {
  executor_bench t;
  t.warm_up("kernel_fast");
  t.backend.delay("kernel_late");
  t.launch("kernel_late", t.create(10), t.create(10));
  CHECK(t.executor->held() == 1);
  t.launch("kernel_fast", t.create(10), t.create(10));
  CHECK(t.backend.launched() == words{"kernel_fast", "kernel_fast"});
  CHECK(t.executor->held() == 1);
  t.backend.allow("kernel_late");
  t.issue_held();
  CHECK(t.backend.launched() == words{"kernel_fast", "kernel_fast", "kernel_late"});
}

TEST_CASE("what depends on a held launch is held with it and goes in the order of the plan") {
  executor_bench t;
  for (const char* word : {"kernel_a", "kernel_b", "kernel_c", "kernel_d"}) t.warm_up(word);
  const std::size_t before = t.backend.launched().size();
  t.backend.delay("kernel_late");
  const auto x = t.create(10), y = t.create(10), z = t.create(10), other = t.create(10);
  t.launch("kernel_late", y, x);
  t.launch("kernel_a", z, y);             // reads what it writes
  t.launch("kernel_b", other, z);         // by way of another
  t.launch("kernel_c", x, t.create(10));  // overwrites what it reads
  t.launch("kernel_d", t.create(10), t.create(10));
  const auto launched = [&] {
    const words all = t.backend.launched();
    return words(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
  };
  CHECK(launched() == words{"kernel_d"});
  CHECK(t.executor->held() == 4);
  t.backend.allow("kernel_late");
  t.issue_held();
  CHECK(launched() == words{"kernel_d", "kernel_late", "kernel_a", "kernel_b", "kernel_c"});
}

TEST_CASE("of several held launches each goes when its own kernel is compiled") {
  executor_bench t;
  for (const char* word : {"kernel_one", "kernel_two", "kernel_three"}) t.backend.delay(word);
  t.launch("kernel_one", t.create(10), t.create(10));
  t.launch("kernel_two", t.create(10), t.create(10));
  t.backend.allow("kernel_two");
  t.issue_held(1);
  CHECK(t.backend.launched() == words{"kernel_two"});
  CHECK(t.executor->held() == 1);
  t.launch("kernel_three", t.create(10), t.create(10));
  CHECK(t.executor->held() == 2);
  t.backend.allow("kernel_three");
  t.backend.allow("kernel_one");
  t.issue_held();
  CHECK(t.backend.launched().size() == 3);
}

TEST_CASE("a held launch whose kernel does not compile fails what depends on it and nothing else") {
  executor_bench t;
  t.warm_up("kernel_fast");
  t.backend.delay("kernel_wrong");
  const auto x = t.create(10), y = t.create(10), z = t.create(10), other = t.create(10);
  t.launch("kernel_wrong", y, x);
  t.launch("kernel_fast", z, y);
  t.launch("kernel_fast", other, x);
  t.backend.allow("kernel_wrong");
  t.issue_held();
  t.executor->drain();
  CHECK(reason_of(t.failures, other.id) == "none");
  for (const auto& lost : {y, z}) {
    const std::string reason = reason_of(t.failures, lost.id);
    CHECK(reason.find("kernel 'kernel_wrong', superblock 0") != std::string::npos);
    CHECK(reason.find("nonsense in line 1") != std::string::npos);
  }
}

TEST_CASE("a ticket for everything waits for what is held") {
  executor_bench t;
  t.backend.delay("kernel_late");
  t.launch("kernel_late", t.create(10), t.create(10));
  const auto ticket = t.fence();
  CHECK_FALSE(ticket->done());
  CHECK(t.executor->held() == 2);
  t.backend.allow("kernel_late");
  t.issue_held();
  ticket->wait();
  CHECK(t.backend.launched() == words{"kernel_late"});
}

TEST_CASE("an array that a held launch uses is released after it") {
  executor_bench t;
  t.backend.delay("kernel_late");
  const auto x = t.create(10), y = t.create(10);
  t.launch("kernel_late", y, x);
  t.run(plan::drop_task{x.id});
  CHECK(t.memory.format(x.id).bytes > 0);
  t.backend.allow("kernel_late");
  t.issue_held();
  t.executor->drain();
  CHECK_THROWS(static_cast<void>(t.memory.format(x.id)));
}

TEST_CASE("no array is released in front of what is held, which may name it without using it") {
  executor_bench t;
  t.backend.delay("kernel_late");
  const auto other = t.create(10);
  t.launch("kernel_late", t.create(10), t.create(10));
  t.run(plan::drop_task{other.id});
  CHECK(t.executor->held() == 2);
  CHECK(t.memory.format(other.id).bytes > 0);
  t.backend.allow("kernel_late");
  t.issue_held();
  CHECK_THROWS(static_cast<void>(t.memory.format(other.id)));
}

TEST_CASE("a held launch lets one horizon pass, and is issued before the second") {
  executor_bench t;
  t.warm_up("kernel_fast");
  t.backend.delay("kernel_late");
  const auto x = t.create(10), y = t.create(10);
  t.launch("kernel_late", t.create(10), t.create(10));
  for (int k = 0; k < 1000; ++k) t.launch("kernel_fast", y, x);
  CHECK(t.executor->held() == 1);
  CHECK(t.backend.times_launched("kernel_fast") == 1001);
  std::thread compiler([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(t.backend.times_launched("kernel_fast") < 4000);
    t.backend.allow("kernel_late");
  });
  for (int k = 0; k < 4000; ++k) t.launch("kernel_fast", y, x);
  compiler.join();
  CHECK(t.executor->held() == 0);
  const words all = t.backend.launched();
  CHECK(std::count(all.begin(), all.end(), "kernel_fast") == 5001);
  CHECK(std::find(all.begin(), all.end(), "kernel_late") - all.begin() < 3500);
}

TEST_CASE("an executor that ends issues what it holds") {
  executor_bench t;
  t.backend.delay("kernel_late");
  t.launch("kernel_late", t.create(10), t.create(10));
  std::thread compiler([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    t.backend.allow("kernel_late");
  });
  t.executor.reset();
  compiler.join();
  CHECK(t.backend.launched() == words{"kernel_late"});
}

TEST_CASE("where memory is short nothing is held: it is given in the order of the plan") {
  executor_bench t(64 << 10);
  t.warm_up("kernel_fast");
  t.backend.delay("kernel_late");
  const auto big = t.create(10 << 10), small = t.create(10);
  std::thread compiler([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(t.backend.times_launched("kernel_fast") == 1);
    t.backend.allow("kernel_late");
  });
  t.launch("kernel_late", big, small);                 // held: it fits
  t.launch("kernel_fast", t.create(10 << 10), small);  // does not fit beside it
  compiler.join();
  CHECK(t.executor->held() == 0);
  CHECK(t.backend.launched() == words{"kernel_fast", "kernel_late", "kernel_fast"});
}

TEST_CASE("a consumer that sleeps can be woken without a value") {
  runtime::channel<int> values(10);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    values.wake();
  });
  std::vector<int> batch{1};
  CHECK(values.pop_all(batch));
  CHECK(batch.empty());
  other.join();
  values.wake();
  CHECK(values.push(7));
  CHECK(values.pop_all(batch));
  CHECK(batch == std::vector{7});
  values.close();
  values.wake();
  CHECK_FALSE(values.pop_all(batch));
}
