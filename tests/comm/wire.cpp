// Runs programs whose least traffic is known on all ranks of a launcher, one device each, and compares the bytes that
// went between ranks with that.
#include <tessera/tessera.h>

#include <cstdint>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace ts = tessera;

namespace {

int failures = 0;

/// What all ranks have sent since this was made.
class meter {
 public:
  explicit meter(ts::context& ctx) : ctx_(ctx), before_(sent()) {}

  void expect(const std::string& label, std::int64_t bytes) {
    const std::int64_t mine = sent() - before_;
    const auto each =
        ctx_.from_own<std::int64_t>({ctx_.ranks()}, std::vector<std::int64_t>{mine}, ts::blocks(1)).read();
    const std::int64_t all = std::accumulate(each.begin(), each.end(), std::int64_t{0});
    if (ctx_.rank() == 0) std::cout << label << ": " << all << " bytes, least possible " << bytes << '\n';
    if (all != bytes) ++failures;
  }

 private:
  [[nodiscard]] std::int64_t sent() const {
    ctx_.wait();
    return ctx_.stats().sent_bytes;
  }
  ts::context& ctx_;
  std::int64_t before_;
};

/// The functions do not compute much: what they declare decides what moves.
ts::kernel declared(ts::context& ctx, const std::string& name, const std::string& signature,
                    const std::string& annotation) {
  return ctx.native(name, signature, annotation, {{"cpu", [](ts::native_call&) {}}});
}

void line_stencil(ts::context& ctx) {
  constexpr std::int64_t n = 10'000, steps = 7;
  const ts::kernel step =
      declared(ctx, "line", "double* y, const double* x", "global i => read x[i-1:i+1], write y[i]");
  auto x = ctx.from<double>({n}, std::vector<double>(n, 1.0)), y = ctx.empty<double>({n});
  meter wire(ctx);
  for (int k = 0; k < steps; ++k, std::swap(x, y)) step.launch({.threads = {n}}, y, x);
  wire.expect("1-D stencil", steps * 2 * (ctx.ranks() - 1) * 8);
}

void plane_stencil(ts::context& ctx, bool tiles) {
  constexpr std::int64_t n = 240, steps = 5;
  const ts::kernel step = declared(
      ctx, "plane", "double* y, const double* x",
      "global [j, i] => read x[i, j], read x[i-1, j], read x[i+1, j], read x[i, j-1], read x[i, j+1], write y[i, j]");
  const std::int64_t ranks = ctx.ranks();
  const ts::extents tile = tiles ? ts::extents{n / 2, n / 2} : ts::extents{(n + ranks - 1) / ranks, n};
  auto x = ctx.from<double>({n, n}, std::vector<double>(n * n, 1.0), ts::tiles(tile));
  auto y = ctx.empty<double>({n, n}, ts::tiles(tile));
  meter wire(ctx);
  for (int k = 0; k < steps; ++k, std::swap(x, y)) step.launch({.threads = {n, n}, .block = {1, 1}}, y, x);
  const std::int64_t borders = tiles ? 2 : ranks - 1;  // each as long as a row or column
  wire.expect(tiles ? "2-D stencil on 2 by 2 tiles" : "2-D stencil on rows", steps * 2 * borders * n * 8);
}

void product(ts::context& ctx) {
  constexpr std::int64_t n = 84;
  const ts::kernel multiply = declared(ctx, "multiply", "double* c, const double* a, const double* b",
                                       "global [j, i] => read a[i, :], read b[:, j], write c[i, j]");
  const auto a = ctx.from<double>({n, n}, std::vector<double>(n * n, 1.0)),
             b = ctx.from<double>({n, n}, std::vector<double>(n * n, 2.0)), c = ctx.empty<double>({n, n});
  meter wire(ctx);
  multiply.launch({.threads = {n, n}, .block = {n, 1}}, c, a, b);
  multiply.launch({.threads = {n, n}, .block = {n, 1}}, c, a, b);
  wire.expect("matrix product, twice", (ctx.ranks() - 1) * n * n * 8);
}

void replicated_vector(ts::context& ctx) {
  constexpr std::int64_t n = 840, steps = 4;
  const ts::kernel update = declared(ctx, "update", "double* y, const double* x", "global i => read x, write y[i]");
  auto x = ctx.from<double>({n}, std::vector<double>(n, 1.0)), y = ctx.empty<double>({n});
  meter wire(ctx);
  for (int k = 0; k < steps; ++k, std::swap(x, y)) update.launch({.threads = {n}, .block = {1}}, y, x);
  wire.expect("replicated vector", steps * (ctx.ranks() - 1) * n * 8);
}

void sum(ts::context& ctx) {
  constexpr std::int64_t n = 8400;
  const ts::kernel add = ctx.compile(R"(
    //@tessera global i => read x[i], reduce(+) total
    __global__ void add(long long n, long long* total, const long long* x) {
      long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) atomicAdd((unsigned long long*)total, (unsigned long long)x[i]);
    })",
                                     "add");
  const auto x = ctx.from<long long>({n}, std::vector<long long>(n, 2)), total = ctx.zeros<long long>({1});
  meter wire(ctx);
  add.launch({.threads = {n}, .block = {100}}, static_cast<long long>(n), total, x);
  if (total.read().at(0) != 2 * n) ++failures;
  wire.expect("sum of all elements, read by every rank", 2 * (ctx.ranks() - 1) * 8);
}

void host_parts(ts::context& ctx) {
  constexpr std::int64_t n = 8400;
  const auto x = ctx.empty<std::int64_t>({n});
  std::vector<std::int64_t> mine;
  for (const ts::box& b : x.own_boxes())
    for (std::int64_t i = b.lo[0]; i < b.hi[0]; ++i) mine.push_back(i);
  meter own(ctx);
  x.write_own(mine);
  if (x.read_own() != mine) ++failures;
  own.expect("own parts of host data", 0);
  meter one(ctx);
  const std::vector<std::int64_t> all = x.read_on(ctx.ranks() - 1);
  if (all.size() != (ctx.rank() == ctx.ranks() - 1 ? n : 0) || (!all.empty() && all[n - 1] != n - 1)) ++failures;
  const auto share = static_cast<std::int64_t>(mine.size());
  const auto each = ctx.from_own<std::int64_t>({ctx.ranks()}, std::vector<std::int64_t>{share}, ts::blocks(1)).read();
  meter back(ctx);
  x.write_from(ctx.ranks() - 1, all);
  back.expect("written by the last rank", (n - each.back()) * 8);
  if (x.read_own() != mine) ++failures;
}

}  // namespace

int main() {
  ts::context ctx;
  line_stencil(ctx);
  plane_stencil(ctx, false);
  if (ctx.ranks() == 4) plane_stencil(ctx, true);
  product(ctx);
  replicated_vector(ctx);
  sum(ctx);
  host_parts(ctx);
  if (failures > 0) std::cerr << "rank " << ctx.rank() << ": " << failures << " wrong\n";
  return failures == 0 ? 0 : 1;
}
