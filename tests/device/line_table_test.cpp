#include "tessera/device/cpu/jit/line_table.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cpu/jit/library.h"
#include "tessera/device/cpu/jit/loaded_lines.h"

using namespace tessera;
using device::line_table;

namespace {

std::vector<std::byte> compiled(const std::string& text, bool lines) {
  std::vector<std::string> flags{"-std=c++20", "-O2", "-fPIC", "-shared", "-nostdlib"};
  if (lines) flags.insert(flags.end(), {"-gdwarf-4", "-g1", "-gz=none"});
  return device::compile_shared_object({text, {}, flags});
}

const std::string two_functions = R"(
#line 40 "folder/user.cu"
extern "C" int first(int a) { return a / 3; }
#line 70 "other.cu"
extern "C" int second(int a) { return a * 5; }
)";

std::uintptr_t address_of(const device::library& loaded, const std::string& name) {
  return reinterpret_cast<std::uintptr_t>(loaded.find(name));
}

}  // namespace

TEST_CASE("an instruction of a loaded library is found in the file and line that it was compiled from") {
  const auto loaded = device::library::load(compiled(two_functions, true));
  const line_table::place first = device::loaded_lines::find(address_of(*loaded, "first"));
  CHECK(first.file == "folder/user.cu");
  CHECK(first.line == 40);
  const line_table::place second = device::loaded_lines::find(address_of(*loaded, "second"));
  CHECK(second.file == "other.cu");
  CHECK(second.line == 70);
}

TEST_CASE("code of a file that stands aside counts as part of the line before it") {
  const auto loaded = device::library::load(compiled(R"(
#line 5 "aside/helper.h"
static inline __attribute__((always_inline)) int scaled(int* a) { return __atomic_fetch_add(a, 7, 0) / 9; }
#line 40 "user.cu"
extern "C" int first(int* a) { a[1] = 4; return scaled(a) + 1; }
)",
                                                     true));
  const std::uintptr_t begin = address_of(*loaded, "first");
  bool inside = false;
  for (std::uintptr_t at = begin; device::loaded_lines::find(at).line != 0; ++at) {
    inside = inside || device::loaded_lines::find(at).file == "aside/helper.h";
    CHECK(device::loaded_lines::find(at, "aside/").file == "user.cu");
    CHECK(device::loaded_lines::find(at, "aside/").line == 40);
  }
  CHECK(inside);
}

TEST_CASE("addresses outside of all libraries, and libraries without notes, have no line") {
  const auto plain = device::library::load(compiled("extern \"C\" int first(int a) { return a / 7; }", false));
  CHECK(device::loaded_lines::find(address_of(*plain, "first")).line == 0);
  CHECK(device::loaded_lines::find(0).line == 0);
  CHECK(device::loaded_lines::find(UINTPTR_MAX).line == 0);
}

TEST_CASE("lines are forgotten with their library") {
  // Variables of its own: a library that is not shared, and unloaded with its last user.
  auto loaded = device::library::load(compiled("int calls; extern \"C\" int count() { return ++calls; }", true));
  const std::uintptr_t address = address_of(*loaded, "count");
  CHECK(device::loaded_lines::find(address).line == 1);
  loaded.reset();
  CHECK(device::loaded_lines::find(address).line == 0);
}

TEST_CASE("a damaged table of lines is read without harm") {
  const std::vector<std::byte> whole = compiled(two_functions, true);
  REQUIRE(!line_table::decode(whole).empty());
  CHECK(line_table::decode({}).empty());
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> damaged = whole;
    // The table lies behind the code and before the names of sections: the last part of a small library.
    std::uniform_int_distribution<std::size_t> place(whole.size() / 2, whole.size() - 1);
    for (int k = 0; k < 8; ++k) damaged[place(random)] = static_cast<std::byte>(random());
    const line_table table = line_table::decode(damaged);
    for (const std::uint64_t address : {table.begin(), table.end(), std::uint64_t{0x1004}})
      CHECK(table.find(address).line >= 0);
  }
}
