#include <tessera/front_end.h>

#include <cstdint>
#include <limits>
#include <random>

#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

using namespace tessera;
using support::on_ranks;
using support::quiet;
using support::require;

namespace {

struct best {
  float value;
  int at;
  bool operator==(const best&) const = default;
};

const char* const find_least = R"(
struct best { float value; int at; };
__global__ void find_least(int n, best* least, const float* x) {
  __shared__ best part[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  part[t] = best{i < n ? x[i] : INFINITY, i < n ? i : -1};
  __syncthreads();
  if (t != 0) return;
  for (int k = 1; k < 32; ++k)
    if (part[k].value < part[0].value) part[0] = part[k];
  *least = part[0];
}
)";

const registered_reduction argmin{
    "argmin", "{INFINITY, -1}",
    "if (b.at >= 0 && (a.at < 0 || b.value < a.value || (b.value == a.value && b.at < a.at))) a = b;"};

const kernel_options least_options{.annotation = "global i => read x[i], reduce(argmin) least", .reductions = {argmin}};

std::vector<float> drawn(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> x(static_cast<std::size_t>(n));
  for (float& value : x) value = static_cast<float>(random() % 1000);
  return x;
}

best least_of(const std::vector<float>& x) {
  const auto at = std::min_element(x.begin(), x.end());
  return at == x.end() ? best{std::numeric_limits<float>::infinity(), -1} : best{*at, static_cast<int>(at - x.begin())};
}

best find_in(context& ctx, const std::vector<float>& values) {
  const kernel k = ctx.compile(find_least, "find_least", least_options);
  const auto n = static_cast<int>(values.size());
  auto x = ctx.from<float>({n}, values);
  auto least = ctx.full<best>({1}, {-5, 7});
  k.launch({.threads = {n}, .block = {32}}, n, least, x);
  return least.read()[0];
}

/// Of integers, so that the order does not count. Padding: none.
struct moments {
  std::int64_t count, sum;
  std::int32_t least, most;
  bool operator==(const moments&) const = default;
};

const registered_reduction gather_moments{"moments", "{0, 0, 2147483647, -2147483647 - 1}", R"(
  a.count += b.count;
  a.sum += b.sum;
  if (b.least < a.least) a.least = b.least;
  if (b.most > a.most) a.most = b.most;
)"};

void add(moments& m, int x) { m = {m.count + 1, m.sum + x, std::min(m.least, x), std::max(m.most, x)}; }
constexpr moments no_moments{0, 0, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};

/// Threads of a block share a column or a row of results; MOMENTS says which element a thread adds to.
const char* const matrix_moments = R"(
struct moments { long long count, sum; int least, most; };
__device__ void put(moments* m, int x) {
  m->count += 1;
  m->sum += x;
  if (x < m->least) m->least = x;
  if (x > m->most) m->most = x;
}
__global__ void matrix_moments(int h, int w, moments* out, const int* x) {
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  for (int r = blockIdx.y * 4; r < blockIdx.y * 4 + 4 && r < h; ++r)
    for (int c = blockIdx.x * 8; c < blockIdx.x * 8 + 8 && c < w; ++c) { ADD; }
}
)";

struct moments_case {
  const char* rule;
  const char* add;
  extents shape;
  std::vector<std::int64_t> (*targets)(std::int64_t row, std::int64_t column);
};

}  // namespace

TEST_CASE("the least value with its index is found on any devices, with little memory and on ranks") {
  const std::vector<float> values = drawn(5000, 7);
  for (const char* devices : {"cpu", "cpu*3", "cpu*5"}) {
    context ctx(quiet(devices));
    INFO(devices);
    for (const int n : {5000, 97, 1}) {
      const std::vector<float> some(values.begin(), values.begin() + n);
      CHECK(find_in(ctx, some) == least_of(some));
    }
  }
  options little = quiet("cpu*2");
  little.device_memory = support::on_gpu() ? "1MiB" : "16KiB";  // GPUs do not divide small arrays
  context ctx(little);
  CHECK(find_in(ctx, values) == least_of(values));
  on_ranks(3, "cpu*2", [&](context& here) { require(find_in(here, values) == least_of(values), "the least value"); });
}

TEST_CASE("structures are reduced by rows, by columns, as a whole, as one element and in boxes that overlap") {
  const int h = 30, w = 41;
  std::vector<int> values(static_cast<std::size_t>(h * w));
  std::mt19937 random(3);
  for (int& v : values) v = static_cast<int>(random() % 2001) - 1000;
  using indices = std::vector<std::int64_t>;
  const std::vector<moments_case> cases{{"reduce(moments) out[i]",
                                         "put(&out[r], x[r * w + c])",
                                         {h},
                                         [](std::int64_t r, std::int64_t) { return indices{r}; }},
                                        {"reduce(moments) out[j]",
                                         "put(&out[c], x[r * w + c])",
                                         {w},
                                         [](std::int64_t, std::int64_t c) { return indices{c}; }},
                                        {"reduce(moments) out",
                                         "put(&out[(r + c) % 7], x[r * w + c])",
                                         {7},
                                         [](std::int64_t r, std::int64_t c) { return indices{(r + c) % 7}; }},
                                        {"reduce(moments) out[0]",
                                         "put(&out[0], x[r * w + c])",
                                         {1},
                                         [](std::int64_t, std::int64_t) { return indices{0}; }},
                                        {"reduce(moments) out[4*bi:4*bi+5]",
                                         "put(&out[r], x[r * w + c]); put(&out[blockIdx.y * 4 + 5], x[r * w + c])",
                                         {38},
                                         [](std::int64_t r, std::int64_t) {
                                           return indices{r, r / 4 * 4 + 5};
                                         }}};
  for (const moments_case& c : cases) {
    std::vector<moments> expected(static_cast<std::size_t>(c.shape[0]), no_moments);
    for (std::int64_t r = 0; r < h; ++r)
      for (std::int64_t column = 0; column < w; ++column)
        for (const std::int64_t target : c.targets(r, column))
          add(expected[static_cast<std::size_t>(target)], values[static_cast<std::size_t>(r * w + column)]);
    const auto run = [&](context& ctx) {
      const kernel k =
          ctx.compile(matrix_moments, "matrix_moments",
                      {.annotation = std::string("global [j < 41, i < 30], block [_, bi] => read x[i, j], ") + c.rule,
                       .defines = {{"ADD", c.add}},
                       .reductions = {gather_moments}});
      auto x = ctx.from<int>({h, w}, values);
      auto out = ctx.full<moments>(c.shape, {1, 2, 3, 4});
      k.launch({.threads = {w, h}, .block = {8, 4}}, h, w, out, x);
      return out.read();
    };
    INFO(c.rule);
    for (const char* devices : {"cpu", "cpu*3"}) {
      context ctx(quiet(devices));
      const std::vector<moments> found = run(ctx);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO(devices, ", element ", i);
        const bool declared = c.shape[0] != 38 || i < 34;  // blocks 0, ..., 7 declare up to 4 * 7 + 5
        CHECK(found[i] == (declared ? expected[i] : moments{1, 2, 3, 4}));
      }
    }
  }
}

TEST_CASE(
    "an operation of numbers may serve several types, use functions of the text, and stand beside built-in ones") {
  context ctx(quiet("cpu*3"));
  const kernel k = ctx.compile(R"(
__device__ double size(double x) { return x < 0 ? -x : x; }
__device__ int size(int x) { return x < 0 ? -x : x; }
__global__ void farthest(int n, int* whole, double* real, long long* sum, const int* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || threadIdx.x != 0) return;
  for (int k = i; k < i + 16 && k < n; ++k) {
    if (size(x[k]) > size(*whole)) *whole = x[k];
    if (size(x[k] / 4.0) > size(*real)) *real = x[k] / 4.0;
    *sum += x[k];
  }
}
)",
                               "farthest",
                               {.annotation = "global i, block b => read x[16*b:16*b+15], "
                                              "reduce(farthest) whole, real, reduce(+) sum",
                                .reductions = {{"farthest", "0", "if (size(b) > size(a)) a = b;"}}});
  const int n = 2000;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = (i * 7919) % 1999 - 1200;
  auto x = ctx.from<int>({n}, values);
  auto whole = ctx.full<int>({1}, 3);
  auto real = ctx.full<double>({1}, 3);
  auto sum = ctx.full<std::int64_t>({1}, 3);
  k.launch({.threads = {n}, .block = {16}}, n, whole, real, sum, x);
  const int expected = *std::min_element(values.begin(), values.end());
  CHECK(whole.read()[0] == expected);
  CHECK(real.read()[0] == expected / 4.0);
  CHECK(sum.read()[0] == std::accumulate(values.begin(), values.end(), std::int64_t{0}));
}

TEST_CASE("a text for CPUs and elements larger than those of GPUs' shared memory have operations as well") {
  struct bins {
    int n[50];
  };
  const char* const text = R"(
struct bins { int n[50]; };
__global__ void count(int n, bins* all, const int* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&all->n[x[i] % 50], 1);
}
)";
  const char* const rows = R"(
struct bins { int n[50]; };
__global__ void count(int n, bins* all, const int* x) {
  for (long i = (long)blockIdx.x * blockDim.x; i < ((long)blockIdx.x + tessera_blocks) * blockDim.x && i < n; ++i)
    all->n[x[i] % 50] += 1;
}
)";
  for (const char* cpu_text : {"", rows}) {
    context ctx(quiet("cpu*3"));
    const kernel k = ctx.compile(text, "count",
                                 {.annotation = "global i => read x[i], reduce(add) all",
                                  .cpu_source = cpu_text,
                                  .reductions = {{"add", "{}", "for (int i = 0; i < 50; ++i) a.n[i] += b.n[i];"}}});
    auto x = ctx.from<int>({3000}, support::counted(3000));
    auto all = ctx.empty<bins>({1});
    k.launch({.threads = {3000}, .block = {32}}, 3000, all, x);
    const std::vector<bins> found = all.read();
    CHECK(std::all_of(std::begin(found[0].n), std::end(found[0].n), [](int n) { return n == 60; }));
  }
}

TEST_CASE("an error in an operation's text comes with the first launch and names the text") {
  context ctx(quiet("cpu*2"));
  kernel_options wrong = least_options;
  wrong.reductions[0].combine = "a = b;\nif (b.valu < a.value) a = b;";
  const kernel k = ctx.compile(find_least, "find_least", wrong);
  auto x = ctx.full<float>({100}, 1);
  auto least = ctx.full<best>({1}, {0, 0});
  k.launch({.threads = {100}, .block = {32}}, 100, least, x);
  const std::string message = support::message_of<compile_error>([&] { static_cast<void>(least.read()); });
  CHECK(support::says(message, "find_least.cu, .reductions argmin, .combine:2", "valu"));
}

TEST_CASE("reductions that cannot be are refused when the kernel is loaded") {
  context ctx(quiet("cpu"));
  const auto with = [&](const std::string& annotation, std::vector<registered_reduction> own) {
    return ctx.compile(find_least, "find_least", {.annotation = annotation, .reductions = std::move(own)});
  };
  const std::string rule = "global i => read x[i], reduce(argmin) least";
  CHECK(support::says(support::message_of<annotation_error>([&] { with(rule, {}); }), "kernel_options::reductions"));
  CHECK(support::says(support::message_of<argument_error>([&] {
                        with(rule, {argmin, argmin});
                      }),
                      "find_least.cu, .reductions: `argmin` is given twice"));
  CHECK(support::says(
      support::message_of<annotation_error>([&] { with("global i => read x[i], atomic(argmin) least", {argmin}); }),
      "use `reduce(argmin)`"));
}

TEST_CASE("an array whose elements have another size than the operation's type is refused") {
  context ctx(quiet("cpu"));
  struct larger {
    float value;
    int at, more;
  };
  const kernel k = ctx.compile(find_least, "find_least", least_options);
  auto x = ctx.full<float>({10}, 1);
  auto least = ctx.full<larger>({1}, {0, 0, 0});
  const std::string message = support::message_of<argument_error>([&] {
    k.launch({.threads = {10}, .block = {32}}, 10, least, x);
    static_cast<void>(least.read());
  });
  CHECK(support::says(message, "8 bytes", "12"));
}

TEST_CASE("kernels of one text share its variables, whatever operations they register") {
  context ctx(quiet("cpu*2"));
  const std::string text =
      "__device__ int calls;\n"
      "__global__ void note(int* y) { calls += 1; y[0] = calls; }\n"
      "__global__ void noted(int* y) { if (threadIdx.x == 0) y[0] = calls; }\n";
  const kernel note = ctx.compile(text, "note");
  const kernel noted = ctx.compile(
      text, "noted", {.annotation = "global i => reduce(most) y", .reductions = {{"most", "-1", "if (b > a) a = b;"}}});
  auto y = ctx.zeros<int>({1});
  for (int i = 0; i < 3; ++i) note.launch({.threads = {1}, .block = {1}}, y);
  noted.launch({.threads = {64}, .block = {8}}, y);
  CHECK(y.read()[0] == 3);
}

TEST_CASE("front ends name an operation by its number, and a number or mode that it does not have is refused") {
  context ctx(quiet("cpu*3"));
  const kernel k = ctx.compile(
      "__global__ void most(int* m, const int* x) {\n"
      "  if (threadIdx.x == 0)\n"
      "    for (int i = blockIdx.x * 8; i < blockIdx.x * 8 + 8; ++i) if (x[i] > *m) *m = x[i];\n"
      "}\n",
      "most", {.reductions = {{"least", "2147483647", "if (b < a) a = b;"}, {"most", "-1", "if (b > a) a = b;"}}});
  std::vector<int> values = support::counted(800);
  std::swap(values[13], values[799]);
  auto x = ctx.from<int>({800}, values);
  auto m = ctx.full<int>({1}, 5000);
  const auto request = [&](plan::access_mode mode, int number) {
    plan::access_pattern pattern;
    pattern.rules.push_back({0, mode, registered_op(number), {}, {}});
    pattern.rules.push_back({1, plan::access_mode::read, {}, {}, {}});
    runtime::launch_request r;
    r.kernel = k.entry();
    r.space = {{800}, {8}};
    r.accesses = plan::bind_accesses(std::move(pattern));
    r.arrays = {{0, m.record(), m.bounds()}, {1, x.record(), x.bounds()}};
    r.site = call_site::current();
    return r;
  };
  ctx.engine()->launch(request(plan::access_mode::reduce, 1));
  CHECK(m.read()[0] == 799);
  const auto refusal = [&](plan::access_mode mode, int number) {
    return support::message_of<argument_error>([&] { ctx.engine()->launch(request(mode, number)); });
  };
  CHECK(support::says(refusal(plan::access_mode::reduce, 2), "operation 2 of the 2 that the kernel registers"));
  CHECK(support::says(refusal(plan::access_mode::atomic, 1), "'most' is an operation of the kernel's own"));
}
