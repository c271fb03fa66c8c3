#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "tessera/device/cpu/jit/abi.h"
#include "tests/kernel/cpu_kernel.h"

using namespace tessera;
using namespace tessera::kernels;
using namespace tessera::support;

namespace {

/// One access as an instrumented kernel tells it.
struct told {
  std::array<unsigned, 3> block, thread;
  std::uintptr_t address;
  unsigned long bytes;
  tessera_touch action;
};
std::vector<told> heard;
told now;

void hear_run(const unsigned block[3], const unsigned* thread, unsigned) {
  now.block = {block[0], block[1], block[2]};
  now.thread = {thread[0], thread[1], thread[2]};
}
void hear_touch(const void* address, unsigned long bytes, tessera_touch action, const void*) {
  now.address = reinterpret_cast<std::uintptr_t>(address);
  now.bytes = bytes;
  now.action = action;
  heard.push_back(now);
}
constexpr tessera_access_services services{hear_run, hear_touch, [] {}};

/// What threads of `text`, an instrumented kernel, tell of `data`.
template <class T>
std::vector<told> accesses(const std::string& text, extents block, std::vector<T>& data, const std::string& compiler) {
  const cpu_kernel k(parse_kernel(text, "k.cu"), block, compiler, instrumented{});
  T* first = data.data();
  heard.clear();
  k.run({2}, {&first}, 0, {0, 0, 0}, &services);
  const auto begin = reinterpret_cast<std::uintptr_t>(first), end = begin + data.size() * sizeof(T);
  std::erase_if(heard, [&](const told& t) { return t.address < begin || t.address >= end; });
  for (told& t : heard) t.address -= begin;
  return heard;
}

}  // namespace

TEST_CASE("an instrumented kernel tells each access with its thread, with every compiler") {
  for (const std::string& compiler : compilers()) {
    CAPTURE(compiler);
    std::vector<int> data(16, 1);
    const auto list =
        accesses("__global__ void k(int* a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] += a[i + 8]; }", {4},
                 data, compiler);
    CHECK(data[0] == 2);
    CHECK(data[7] == 2);
    REQUIRE(list.size() == 24);
    for (unsigned t = 0; t < 8; ++t) {
      int reads = 0, writes = 0;
      for (const told& x : list) {
        if (x.block[0] != t / 4 || x.thread[0] != t % 4) continue;
        CHECK(x.bytes == 4);
        reads += x.action == tessera_reads ? 1 : 0;
        writes += x.action == tessera_writes && x.address == t * 4 ? 1 : 0;
        if (x.action == tessera_reads) CHECK((x.address == t * 4 || x.address == t * 4 + 32));
      }
      CHECK(reads == 2);
      CHECK(writes == 1);
    }
  }
}

TEST_CASE("atomics, structures and threads that meet at barriers are told as well") {
  struct pair {
    double x, y;
    int z;
  };
  for (const std::string& compiler : compilers()) {
    CAPTURE(compiler);
    std::vector<int> counters(4, 0);
    const auto updates = accesses("__global__ void k(int* a) { atomicAdd(a + threadIdx.x, 2); atomicMax(a, 9); }", {4},
                                  counters, compiler);
    CHECK(counters[1] == 4);
    CHECK(counters[0] >= 9);
    CHECK(std::count_if(updates.begin(), updates.end(), [](const told& t) { return t.action == tessera_updates; }) ==
          16);

    std::vector<pair> pairs(8, {1, 2, 3});
    const auto copies = accesses(
        "struct pair { double x, y; int z; };\n"
        "__global__ void k(pair* a) { __shared__ pair t[4]; t[threadIdx.x] = a[threadIdx.x]; __syncthreads();\n"
        "  a[4 + threadIdx.x] = t[3 - threadIdx.x]; }",
        {4}, pairs, compiler);
    std::vector<std::size_t> bytes(pairs.size(), 0);
    for (const told& t : copies) {
      const std::size_t element = t.address / sizeof(pair);
      bytes[element] += t.bytes;
      CHECK((t.action == tessera_reads) == (element < 4));
      CHECK(element % 4 == t.thread[0]);
    }
    for (const std::size_t b : bytes) CHECK(b >= 2 * (sizeof(double) * 2 + sizeof(int)));  // of both blocks
  }
}
