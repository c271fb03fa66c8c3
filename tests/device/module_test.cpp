#include "tessera/device/cpu/jit/module.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

#include "tessera/base/error.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tests/support/mapped_libraries.h"

using namespace tessera;
using device::module_table;
using support::mapped_libraries;

namespace {

std::vector<std::byte> library(const std::string& text) {
  return device::compile_shared_object({text, {}, {"-std=c++20", "-O2", "-fPIC", "-shared", "-nostdlib"}});
}

const std::string writer = R"(
extern "C" void answer(const void*) {}
extern "C" const int table[2] = {3, 4};
)";

const std::string counter = R"(
int calls = 0;
extern "C" int count() { return ++calls; }
)";

void first(const tessera_cpu_launch*) {}
void second(const tessera_cpu_launch*) {}

int count(module_table& table, device::module_id module) {
  return reinterpret_cast<int (*)()>(const_cast<void*>(table.symbol(module, "count")))();
}

}  // namespace

TEST_CASE("functions and symbols of a compiled library are found") {
  module_table table;
  const auto module = table.load(library(writer));
  CHECK((table.entry(table.find(module, "answer")) != nullptr));
  const auto* values = static_cast<const int*>(table.symbol(module, "table"));
  REQUIRE(values != nullptr);
  CHECK(values[1] == 4);
  CHECK(table.symbol(module, "missing") == nullptr);
}

TEST_CASE("a loaded function runs") {
  module_table table;
  const auto module = table.load(library(R"(
    struct launch { unsigned dims[12]; void* const* params; };
    extern "C" void store(const launch* l) { **static_cast<int**>(l->params[0]) = 42; })"));
  const tessera_cpu_entry store = table.entry(table.find(module, "store"));
  int result = 0;
  int* target = &result;
  void* params[] = {&target};
  tessera_cpu_launch launch{};
  launch.params = params;
  store(&launch);
  CHECK(result == 42);
}

TEST_CASE("a function has one id, different functions have different ones") {
  module_table table;
  const auto module = table.load(library(writer));
  const auto found = table.find(module, "answer");
  CHECK(found == table.find(module, "answer"));
  const auto adopted = table.adopt(first);
  CHECK(adopted != found);
  CHECK((table.entry(adopted) == &first));
}

TEST_CASE("equal libraries are loaded once per process") {
  const std::vector<std::byte> binary = library(writer);
  module_table one, two;
  const auto a = one.load(binary), b = one.load(binary), c = two.load(binary);
  CHECK(one.symbol(a, "table") == one.symbol(b, "table"));
  CHECK(one.symbol(a, "table") == two.symbol(c, "table"));
}

TEST_CASE("libraries with variables of their own are loaded anew each time") {
  const std::vector<std::byte> binary = library(counter);
  module_table table;
  const auto a = table.load(binary), b = table.load(binary);
  CHECK(count(table, a) == 1);
  CHECK(count(table, a) == 2);
  CHECK(count(table, b) == 1);
}

TEST_CASE("what is no library, or lacks the function, is a compile error") {
  module_table table;
  const std::vector<std::byte> nonsense(1000, std::byte{7});
  CHECK_THROWS_AS((void)table.load(nonsense), compile_error);
  CHECK_THROWS_AS((void)table.load({}), compile_error);
  const std::vector<std::byte> whole = library(writer);
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 7)
    CHECK_THROWS_AS((void)table.load(std::span(whole).first(length)), compile_error);
  const auto module = table.load(library(writer));
  CHECK_THROWS_WITH_AS((void)table.find(module, "absent"), doctest::Contains("absent"), compile_error);
  CHECK_THROWS_AS((void)table.find(module + 100, "answer"), argument_error);
}

TEST_CASE("a library that needs a symbol that is nowhere defined is a compile error when it is loaded") {
  module_table table;
  const auto binary = library("extern \"C\" void nobody_has_this(); extern \"C\" void call() { nobody_has_this(); }");
  CHECK_THROWS_WITH_AS((void)table.load(binary), doctest::Contains("nobody_has_this"), compile_error);
}

TEST_CASE("entries stay readable while others are added") {
  module_table table;
  constexpr device::function_id count = 20'000;
  std::atomic<device::function_id> added{0};
  bool in_order = true;
  std::thread adder([&] {
    for (device::function_id i = 0; i < count; ++i) {
      in_order = in_order && table.adopt(i % 2 == 0 ? first : second) == i;
      added.store(i + 1, std::memory_order_release);
    }
  });
  bool right = true;
  for (device::function_id known = 0; known < count;) {
    known = added.load(std::memory_order_acquire);
    for (device::function_id i = known > 100 ? known - 100 : 0; i < known; ++i)
      right = right && table.entry(i) == (i % 2 == 0 ? &first : &second);
  }
  adder.join();
  CHECK(in_order);
  CHECK(right);
  for (device::function_id i = 0; i < count; ++i) right = right && table.entry(i) == (i % 2 == 0 ? &first : &second);
  CHECK(right);
}

TEST_CASE("a module that is given up leaves the process, and its ids come back") {
  const std::vector<std::byte> binary = library(counter);
  module_table table;
  const int before = mapped_libraries();
  const auto module = table.load(binary);
  const auto function = table.find(module, "count");
  CHECK(mapped_libraries() > before);
  table.unload(module);
  CHECK(mapped_libraries() == before);
  CHECK_THROWS_AS((void)table.find(module, "count"), argument_error);
  const auto again = table.load(binary);
  CHECK(again == module);
  CHECK(table.find(again, "count") == function);
  CHECK(count(table, again) == 1);
}

TEST_CASE("modules are given up with their table, and equal libraries stay while one of them is used") {
  const std::vector<std::byte> binary = library(counter), shared = library(writer);
  module_table other;
  const auto kept = other.load(shared);
  const int before = mapped_libraries();
  {
    module_table table;
    const auto a = table.load(shared), b = table.load(binary);
    CHECK(count(table, b) == 1);
    table.unload(a);
  }
  CHECK(static_cast<const int*>(other.symbol(kept, "table"))[1] == 4);
  CHECK(mapped_libraries() == before);
}

TEST_CASE("a library with thread-local variables stays loaded") {
  const std::vector<std::byte> binary =
      library("static thread_local int calls = 0; extern \"C\" int count() { return ++calls; }");
  module_table table;
  const auto a = table.load(binary);
  CHECK(count(table, a) == 1);
  table.unload(a);
  const auto b = table.load(binary);
  CHECK(count(table, b) == 2);  // the same one
}

TEST_CASE("several threads may load and find at once") {
  const std::vector<std::byte> shared = library(writer), own = library(counter);
  module_table table;
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const auto a = table.load(shared), b = table.load(own);
        if (table.entry(table.find(a, "answer")) != nullptr && count(table, b) == 1) ++good;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 80);
}
