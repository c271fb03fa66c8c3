// tessera_bench_ranks [--json FILE] [--csv FILE] [--only TEXT] [--quick] [--list]: under a launcher, the same programs
// on Tessera and written by hand with MPI calls, on the same cores. A context lives only while it is measured, so that
// MPI is used by one side at a time.
#include <mpi.h>
#include <sched.h>

#include <tessera/algo.h>
#include <tessera/tessera.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "benchmarks/frame/harness.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/program.h"
#include "benchmarks/ranks/rivals.h"
#include "benchmarks/ranks/sort_rival.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/base/threads/progress_engine.h"
#include "tessera/comm/transport.h"

namespace tessera::bench {
namespace {

int rank = 0, ranks = 1;

int allowed_cores() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/// One program on both sides. `ours` and `rival` set up, then return the seconds that the work itself took on all ranks
/// and a number to compare.
struct result {
  double seconds = 0;
  double check = 0;
};
using side = std::function<result()>;

void nothing() {}

/// The best of a few times: what others do to the machine in the meantime is not the program's. What `prepare` takes
/// does not count.
double seconds_everywhere(const std::function<void()>& prepare, const std::function<void()>& meet,
                          const std::function<void()>& work) {
  constexpr int times = 3;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < times; ++k) {
    prepare();
    meet();
    const double begin = now();
    work();
    meet();
    best = std::min(best, now() - begin);
  }
  return best;
}

result by_hand_side(const std::function<void()>& work, const std::function<double()>& check,
                    const std::function<void()>& prepare = nothing) {
  prepare();
  work();  // once to touch everything
  const double seconds = seconds_everywhere(
      prepare, [] { MPI_Barrier(MPI_COMM_WORLD); }, work);
  return {seconds, check()};
}

result our_side(context& ctx, const std::function<void()>& work, const std::function<double()>& check,
                const std::function<void()>& prepare = nothing) {
  const auto mark = ctx.zeros<int>({ranks}, blocks(1));
  const auto meet = [&] {
    ctx.wait();
    mark.write_own(std::vector<int>(mark.own_boxes().empty() ? 0 : 1, 1));
    static_cast<void>(mark.read());
  };
  prepare();
  work();
  const double seconds = seconds_everywhere(prepare, meet, work);
  return {seconds, check()};
}

void measure(session& s, const std::string& name, int pairs, double tolerance, const side& ours, const side& rival,
             double target = 0.95) {
  std::vector<double> our_times, rival_times;
  for (int k = 0; k < pairs; ++k) {
    result a, b;
    if (k % 2 == 0)
      a = ours(), b = rival();
    else
      b = rival(), a = ours();
    if (std::abs(a.check - b.check) > tolerance * std::max(1.0, std::abs(b.check)))
      throw error(cat(name, ": rank ", rank, " has ", a.check, ", by hand it is ", b.check));
    our_times.push_back(a.seconds), rival_times.push_back(b.seconds);
  }
  if (rank == 0)
    s.add_times(cat("ranks.", name, ".", ranks), summary_of(our_times, rival_times), "MPI by hand", 1e3, "ms", target);
}

std::vector<float> numbers(std::int64_t first, std::int64_t count) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(by_hand::number_at(first + i));
  return all;
}

/// The numbers that belong into this rank's part of an array.
template <class Array>
void fill_own(const Array& a, std::int64_t offset) {
  std::vector<float> mine;
  const std::int64_t row = a.size() / a.shape()[0];
  for (const box& b : a.own_boxes()) {
    const std::vector<float> part = numbers(offset + b.lo[0] * row, b.extent(0) * row);
    mine.insert(mine.end(), part.begin(), part.end());
  }
  a.write_own(mine);
}

void stencil(session& s, const std::string& name, std::int64_t width, std::int64_t height, int steps, int pairs) {
  const auto ours = [&] {
    context ctx;
    const kernel k = ctx.load_kernel(kernel_path("stencil_2d.cu"), {.fused = true});
    const by_hand::share own = by_hand::share_of(height, rank, ranks);
    const tiled parts = rows((height + ranks - 1) / ranks);
    auto now = ctx.empty<float>({height, width}, parts), next = ctx.zeros<float>({height, width}, parts);
    fill_own(now, 0);
    const auto work = [&] {
      for (int i = 0; i < steps; ++i, std::swap(now, next))
        k.launch({.threads = {width, height}, .block = {256, 1}}, static_cast<int>(width), static_cast<int>(height),
                 next, now);
    };
    return our_side(ctx, work, [&] {
      const auto own_part = now.read_own();
      return static_cast<double>(own_part[static_cast<std::size_t>(own.size() / 2 * width + width / 2)]);
    });
  };
  const auto rival = [&] {
    thread_team team(allowed_cores());
    by_hand::stencil program(width, height, rank, ranks, team);
    return by_hand_side([&] { program.run(steps); }, [&] { return program.sample(); });
  };
  measure(s, name, pairs, 1e-5, ours, rival);
}

void product(session& s, const std::string& name, std::int64_t n, int pairs) {
  const auto ours = [&] {
    context ctx;
    const kernel k = ctx.load_kernel(kernel_path("product_rows.cu"), {.fused = true});
    const tiled parts = rows((n + ranks - 1) / ranks);
    const auto a = ctx.empty<float>({n, n}, parts), b = ctx.empty<float>({n, n}, parts),
               c = ctx.empty<float>({n, n}, parts);
    fill_own(a, 0);
    const auto new_contents = [&] { fill_own(b, n * n); };  // so that they are gathered again
    const auto multiply = [&] { k.launch({.threads = {n}, .block = {1}}, static_cast<int>(n), c, a, b); };
    const auto check = [&] {
      const auto own_part = c.read_own();
      return static_cast<double>(own_part[own_part.size() / 2]);
    };
    return our_side(ctx, multiply, check, new_contents);
  };
  const auto rival = [&] {
    thread_team team(allowed_cores());
    by_hand::product program(n, rank, ranks, team);
    return by_hand_side([&] { program.run(); }, [&] { return program.sample(); });
  };
  measure(s, name, pairs, 1e-4, ours, rival);
}

void kmeans(session& s, const std::string& name, std::int64_t points, int steps, int pairs) {
  constexpr int count = 64;
  constexpr std::int64_t each = 1024;  // points of a thread
  const auto ours = [&] {
    context ctx;
    const kernel assign = ctx.load_kernel(kernel_path("kmeans.cu"), {.name = "assign", .fused = true}),
                 move = ctx.load_kernel(kernel_path("kmeans.cu"), {.name = "move", .fused = true});
    const auto data = ctx.empty<float>({points, 2}, rows((points + ranks - 1) / ranks));
    fill_own(data, 0);
    const auto centres = ctx.empty<float>({count, 2}, on_device(0));
    const auto sums = ctx.zeros<double>({count, 3}, on_device(0));
    std::vector<float> start;
    for (std::int64_t i = 0; i < 2 * count; ++i) start.push_back(by_hand::number_at(7 * i + 3));
    centres.write(start);
    const auto work = [&] {
      for (int i = 0; i < steps; ++i) {
        assign.launch({.threads = {(points + each - 1) / each}, .block = {1}}, static_cast<int>(points), count, data,
                      centres, sums);
        move.launch({.threads = {count}, .block = {count}}, count, centres, sums);
      }
    };
    return our_side(ctx, work, [&] { return static_cast<double>(centres.read().at(count)); });
  };
  const auto rival = [&] {
    thread_team team(allowed_cores());
    by_hand::kmeans program(points, count, rank, ranks, team);
    return by_hand_side([&] { program.run(steps); },
                        [&] { return program.centres()[static_cast<std::size_t>(count)]; });
  };
  measure(s, name, pairs, 1e-3, ours, rival);
}

void sort_numbers(session& s, const std::string& name, std::int64_t n, int pairs) {
  const std::int64_t place = n / ranks / 2;
  const auto ours = [&] {
    context ctx;
    vector<std::uint64_t> given(n, 0, ctx), numbers(0, ctx);
    std::vector<std::uint64_t> own;
    for (const box& b : given.own_boxes())
      for (std::int64_t i = b.lo[0]; i < b.hi[0]; ++i) own.push_back(by_hand::sort_number_at(i));
    given.from_own(own);
    const auto prepare = [&] { numbers = given; };
    return our_side(
        ctx, [&] { sort(numbers); }, [&] { return static_cast<double>(std::uint64_t{numbers[place]}); }, prepare);
  };
  const auto rival = [&] {
    thread_team team(allowed_cores());
    by_hand::sample_sort program(n, rank, ranks, team);
    return by_hand_side([&] { program.run(); }, [&] { return static_cast<double>(program.at(place)); },
                        [&] { program.prepare(); });
  };
  measure(s, name, pairs, 1e-12, ours, rival, 1.0);
}

/// A message there and back between the first two ranks, through our transport and by MPI alone.
void ping_pong(session& s, const std::string& name, std::size_t bytes, int rounds, int pairs) {
  std::vector<double> our_times, rival_times;
  for (int k = 0; k < pairs; ++k) {
    const auto memory = std::make_shared<std::vector<std::byte>>(bytes);
    double ours = 0;
    {
      const auto network = comm::make_launched();
      static_cast<void>(network->open());
      const progress_engine::polling_scope polling;  // as a worker with nothing to do
      std::uint64_t number = 0;
      const node_id peer(1 - rank);
      const auto turn = [&] {
        ++number;
        if (rank == 0) network->send(peer, number, comm::payload::of(memory));
        if (rank < 2)
          for (const event e = network->receive(peer, number, comm::payload::of(memory)); !e.done();)
            progress_engine::poll();
        if (rank == 1) network->send(peer, number, comm::payload::of(memory));
      };
      for (int i = 0; i < rounds / 10 + 1; ++i) turn();
      const double begin = now();
      for (int i = 0; i < rounds; ++i) turn();
      ours = now() - begin;
    }
    const auto turn = [&] {
      const auto count = static_cast<int>(bytes);
      if (rank == 0) MPI_Send(memory->data(), count, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      if (rank < 2) MPI_Recv(memory->data(), count, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1) MPI_Send(memory->data(), count, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    };
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < rounds / 10 + 1; ++i) turn();
    const double begin = now();
    for (int i = 0; i < rounds; ++i) turn();
    const double rival = now() - begin;
    MPI_Barrier(MPI_COMM_WORLD);
    our_times.push_back(ours / rounds), rival_times.push_back(rival / rounds);
  }
  if (rank == 0)
    s.add_times(cat("ranks.ping_pong.", name), summary_of(our_times, rival_times), "MPI alone", 1e6,
                "us there and back", std::nullopt);
}

/// A number of the whole measurement, or the one of a quick look.
template <class T>
T one_of(const session& s, T whole, T quick) {
  return s.quick() ? quick : whole;
}
int pairs_of(const session& s) { return one_of(s, 11, 3); }
std::int64_t scaled(const session& s, std::int64_t n) { return n * one_of(s, 2, 1); }

benchmark stencil_of(const std::string& name, bool weak) {
  return {"ranks." + name, [=](session& s) {
            stencil(s, name, scaled(s, 2048), weak ? scaled(s, 1024) * ranks : scaled(s, 2048), one_of(s, 50, 10),
                    pairs_of(s));
          }};
}

benchmark kmeans_of(const std::string& name, bool weak) {
  return {"ranks." + name, [=](session& s) {
            kmeans(s, name, weak ? scaled(s, 250'000) * ranks : scaled(s, 500'000), one_of(s, 10, 3), pairs_of(s));
          }};
}

benchmark sort_of(const std::string& name, bool weak) {
  return {"ranks." + name, [=](session& s) {
            const std::int64_t n = std::int64_t{1} << one_of(s, weak ? 25 : 27, weak ? 19 : 21);
            sort_numbers(s, name, weak ? n * ranks : n, one_of(s, 5, 3));
          }};
}

benchmark ping_pong_of(const std::string& name, std::size_t bytes, int rounds, int quick_rounds) {
  return {"ranks.ping_pong." + name,
          [=](session& s) { ping_pong(s, name, bytes, one_of(s, rounds, quick_rounds), pairs_of(s)); }};
}

std::vector<benchmark> rank_benchmarks() {
  std::vector<benchmark> all = {
      stencil_of("stencil.strong", false),
      stencil_of("stencil.weak", true),
      {"ranks.product.strong", [](session& s) { product(s, "product.strong", scaled(s, 768), pairs_of(s)); }},
      kmeans_of("kmeans.strong", false),
      kmeans_of("kmeans.weak", true),
      sort_of("sort.strong", false),
      sort_of("sort.weak", true)};
  if (ranks < 2) return all;
  all.push_back(ping_pong_of("8_bytes", 8, 2'000, 100));
  all.push_back(ping_pong_of("64_KiB", 64 << 10, 1'000, 100));
  all.push_back(ping_pong_of("16_MiB", 16 << 20, 20, 3));
  return all;
}

/// All ranks run the same benchmarks; one that fails ends the job, since the others cannot go on without it.
void run(const command& asked) {
  const std::vector<benchmark> chosen = selected(rank_benchmarks(), asked);
  session results(asked.quick);
  for (const benchmark& b : chosen)
    if (!asked.list)
      b.run(results);
    else if (rank == 0)
      std::printf("%s\n", b.name.c_str());
  if (rank == 0 && !asked.list) write_results(results, asked);
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
  namespace bench = tessera::bench;
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &bench::rank);
  MPI_Comm_size(MPI_COMM_WORLD, &bench::ranks);
  try {
    bench::run(bench::parse_command_line(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera_bench_ranks: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
