#include <algorithm>
#include <complex>
#include <cstdint>

#include "tests/array/support.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::message_of;
using support::quiet;
using support::says;

TEST_CASE("a grid may have any number of blocks along y and z") {
  context ctx(quiet("cpu*2"));
  const kernel number = ctx.compile(
      "//@tessera global [x, y, z] => write a[z, y, x]\n"
      "__global__ void number(int h, int* a) {\n"
      "  int y = blockIdx.y, z = blockIdx.z;\n  a[z * h + y] = 3 * y + z + (int)gridDim.y;\n}\n",
      "number");
  const int h = 70'000;
  const auto a = ctx.empty<int>({2, h, 1});
  number.launch({.threads = {1, h, 2}, .block = {1}}, h, a);
  const std::vector<int> found = a.read();
  for (const int y : {0, 65'534, 65'535, 65'536, h - 1}) CHECK(found[static_cast<std::size_t>(h + y)] == 3 * y + 1 + h);
}

TEST_CASE("one source with other macros is another kernel") {
  context ctx(quiet("cpu"));
  const char* source = "__global__ void fill(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = VALUE; }";
  const kernel one = ctx.compile(source, "fill", {.defines = {{"VALUE", "1"}}});
  const kernel two = ctx.compile(source, "fill", {.defines = {{"VALUE", "2"}}});
  auto a = ctx.zeros<int>({8}), b = ctx.zeros<int>({8});
  two.launch({.threads = {8}, .block = {8}}, b);
  one.launch({.threads = {8}, .block = {8}}, a);
  CHECK(a.read() == std::vector<int>(8, 1));
  CHECK(b.read() == std::vector<int>(8, 2));
}

TEST_CASE("atomics whose values nobody wants count the same however many cores share the array") {
  const int n = 40'000;
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i)
    x[static_cast<std::size_t>(i)] = static_cast<int>(static_cast<unsigned>(i) * 2654435761U >> 20);
  const std::string begin =
      "__global__ void count(int n, const int* x, unsigned* h, int* most) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n";
  const std::string plain = begin + "  atomicAdd(&h[x[i]], 2u);\n  atomicMax(most, x[i]);\n}\n";
  const std::string valued = begin + "  if (atomicAdd(&h[x[i]], 2u) < 100000u) atomicMax(most, x[i]);\n}\n";
  for (const char* mode : {"atomic", "reduce"})
    for (const std::string& source : {plain, valued})
      for (const char* devices : {"cpu", "cpu*3"}) {
        CAPTURE(devices);
        context ctx(quiet(devices));
        const kernel k = ctx.compile(
            source, "count",
            {.annotation = "global i => read x[i], " + std::string(mode) + "(+) h, " + mode + "(max) most"});
        auto input = ctx.from<int>({n}, x);
        auto bins = ctx.full<unsigned>({4096}, 1);
        auto most = ctx.zeros<int>({1});
        for (int round = 0; round < 2; ++round) k.launch({.threads = {n}, .block = {128}}, n, input, bins, most);
        const bool adds = mode[0] == 'a';
        std::vector<unsigned> expected(4096, adds ? 1 : 0);
        for (int v : x) expected[static_cast<std::size_t>(v)] += adds ? 4 : 2;
        CHECK(bins.read() == expected);
        CHECK(most.read()[0] == *std::max_element(x.begin(), x.end()));
      }
}

TEST_CASE("native kernels of one name but other signatures are not mixed up") {
  context ctx(quiet("cpu"));
  const auto fill_with = [](int parameter, int value) {
    return [=](native_call& call) {
      for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i) call.data<int>(parameter)[i] = value;
    };
  };
  const kernel three =
      ctx.native("fill", "int a, int b, int* y", "global i => write y[i]", support::everywhere(fill_with(2, 3)));
  const kernel one = ctx.native("fill", "int* y", "global i => write y[i]", support::everywhere(fill_with(0, 1)));
  auto a = ctx.zeros<int>({8}), b = ctx.zeros<int>({8});
  three.launch({.threads = {8}}, 5, 6, a);
  one.launch({.threads = {8}}, b);
  CHECK(a.read() == std::vector<int>(8, 3));
  CHECK(b.read() == std::vector<int>(8, 1));
}

TEST_CASE("a file with several kernels gives the one that is named, and asks for a name otherwise") {
  const support::temporary_directory folder;
  const std::string file = folder.write("two.cu",
                                        "__global__ void first(int* y) { y[0] = 1; }\n"
                                        "__global__ void second(int* y) { y[0] = 2; }\n");
  context ctx(quiet("cpu*2"));
  auto y = ctx.zeros<int>({4});
  ctx.load_kernel(file, {.name = "second"}).launch({.threads = {1}, .block = {1}}, y);
  CHECK(y.read() == std::vector<int>{2, 0, 0, 0});
  CHECK(says(message_of<compile_error>([&] { (void)ctx.load_kernel(file); }), "first", "second"));
}

TEST_CASE("a kernel without annotation runs whole, on one device") {
  context ctx(quiet("cpu*3"));
  const kernel k = ctx.compile(
      "__global__ void prefix(int n, int* y, const int* x) { int s = 0; for (int i = 0; i < n; ++i) y[i] = s += x[i]; "
      "}",
      "prefix");
  auto x = ctx.ones<int>({300}), y = ctx.empty<int>({300});
  k.launch({.threads = {1}, .block = {1}}, 300, y, x);
  CHECK(y.read()[299] == 300);
  CHECK(ctx.stats().superblocks == 1);
}

TEST_CASE("a native kernel sees the slice it is given") {
  context ctx(quiet("cpu*2"));
  const kernel k =
      ctx.native("mark", "int* y", "global [j, i] => write y[i, j]", support::everywhere([](native_call& call) {
                   const native_array& y = call.array(0);
                   if (y.shape != extents{4, 3}) throw std::runtime_error("another shape");
                   for (std::int64_t j = call.points().lo[0]; j < call.points().hi[0]; ++j)
                     for (std::int64_t i = call.points().lo[1]; i < call.points().hi[1]; ++i)
                       *reinterpret_cast<int*>(y.data + i * y.strides[0] + j * y.strides[1]) = 1;
                 }));
  auto a = ctx.zeros<int>({10, 10}, rows(4));
  k.launch({.threads = {3, 4}}, a.slice({{2, 6}, {5, 8}}));
  const std::vector<int> result = a.read();
  for (std::size_t i = 0; i < 100; ++i)
    CHECK(result[i] == (i / 10 >= 2 && i / 10 < 6 && i % 10 >= 5 && i % 10 < 8 ? 1 : 0));
}

TEST_CASE("sums over a whole array are combined into the old contents, of any rank") {
  context ctx(quiet("cpu*3"));
  const kernel sum = ctx.compile(
      "//@tessera global i => read x[i], atomic(+) total\n"
      "__global__ void sum(int n, const int* x, int* total) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) atomicAdd(total, x[i]);\n}\n",
      "sum");
  auto x = ctx.from<int>({1000}, support::counted(1000));
  auto total = ctx.full<int>({}, 5);
  sum.launch({.threads = {1000}, .block = {64}}, 1000, x, total);
  CHECK(total.read() == std::vector<int>{499'500 + 5});
}

TEST_CASE("a reduction that has no meaning for the elements is refused") {
  context ctx(quiet("cpu*2"));
  const kernel k = ctx.native("mask", "float* y", "global i => atomic(&) y", support::everywhere([](native_call&) {}));
  auto y = ctx.zeros<float>({4});
  CHECK(says(message_of<argument_error>([&] { k.launch({.threads = {4}}, y); }), "'&'", "float32"));
}

TEST_CASE("a reduction leaves the elements between those it declares as they were, whatever the split") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    const kernel k = ctx.compile(
        "//@tessera global i => reduce(+) y[2*i]\n"
        "__global__ void spread(int n, int* y) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[2 * i] += i;\n}\n",
        "spread");
    for (const split& spec : {split(), split(blocks(16)), split(blocks(48)), whole()}) {
      auto y = ctx.full<int>({200}, 7);
      k.launch({.threads = {96}, .block = {16}, .split = spec}, 96, y);
      const std::vector<int> result = y.read();
      for (int i = 0; i < 200; ++i) CHECK(result[static_cast<std::size_t>(i)] == (i % 2 == 0 && i < 192 ? i / 2 : 7));
    }
  }
}

TEST_CASE("splits by hand give the same result as automatic ones") {
  context ctx(quiet("cpu*3"));
  const kernel k = ctx.compile(
      "//@tessera global [x, y] => read a[y, x], write b[y, x]\n"
      "__global__ void copy(int rows, int columns, int* b, const int* a) {\n"
      "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  if (x < columns && y < rows) b[y * columns + x] = a[y * columns + x];\n}\n",
      "copy");
  auto a = ctx.from<int>({70, 90}, support::counted(70 * 90), columns(20));
  for (const split& spec : {split(), split(blocks({20, 30})), split(blocks(7)), whole(), like(a)}) {
    auto b = ctx.zeros<int>({70, 90}, rows(16));
    k.launch({.threads = {90, 70}, .block = {8, 8}, .split = spec}, 70, 90, b, a);
    CHECK(b.read() == support::counted(70 * 90));
  }
}

TEST_CASE("a context that goes at once finishes what it was given") {
  for (int i = 0; i < 20; ++i) {
    array<int> y;
    {
      context ctx(quiet("cpu*2"));
      y = ctx.empty<int>({100});
      support::make_increment(ctx).launch({.threads = {100}}, y, ctx.full<int>({100}, i));
    }
    CHECK(y.read() == std::vector<int>(100, i + 1));
  }
}
