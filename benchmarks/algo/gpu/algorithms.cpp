// Algorithms on a GPU, against CUB and Thrust.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/gpu/gpu_containers.h"
#include "benchmarks/algo/rivals/algorithms_by_cuda.h"
#include "benchmarks/algo/rivals/records.h"

namespace tessera::bench {
namespace {

std::int64_t size_of(const session& s, int bits) { return std::int64_t{1} << (s.quick() ? 20 : bits); }

/// Elements that ours and the rival have alike.
template <class T>
struct both_sides {
  both_sides(const context& ctx, const std::vector<T>& all) : ours(all, ctx), theirs(std::ssize(all)) {
    by_hand::copy_from_host(theirs.data(), all.data(), std::ssize(all) * std::int64_t{sizeof(T)});
  }
  both_sides(const context& ctx, std::int64_t n) : ours(n, T{}, ctx), theirs(n) {
    by_hand::clear(theirs.data(), n * std::int64_t{sizeof(T)});
  }
  /// Throws unless the first `count` elements are the same.
  void require_equal(std::int64_t count, const std::string& row) const {
    std::vector<T> other(static_cast<std::size_t>(count));
    by_hand::copy_to_host(other.data(), theirs.data(), count * std::int64_t{sizeof(T)});
    const std::vector<T> own = ours.part(0, count).to_host();
    if (!std::equal(own.begin(), own.end(), other.begin())) throw std::runtime_error(row + ": results differ");
  }
  vector<T> ours;
  by_hand::device_array<T> theirs;
};

/// A number without a pattern.
std::uint64_t mixed(std::uint64_t x) {
  x = (x + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
  return x ^ (x >> 29);
}
template <class T, class F>
std::vector<T> tabulated(std::int64_t n, F f) {
  std::vector<T> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<T>(f(i));
  return all;
}
std::vector<float> floats_of(std::int64_t n, std::uint64_t seed) {
  return tabulated<float>(n, [=](std::uint64_t i) { return static_cast<float>(mixed(i + seed) >> 40) * 0x1p-24f; });
}
std::vector<float> sorted_floats(std::int64_t n, std::uint64_t seed) {
  std::vector<float> all = floats_of(n, seed);
  std::sort(all.begin(), all.end());
  return all;
}
/// A permutation: numbers that are odd are prime to the size, a power of two.
std::vector<std::int64_t> places_of(std::int64_t n) {
  return tabulated<std::int64_t>(
      n, [=](std::uint64_t i) { return (i * 0x9E3779B97F4A7C15U + 12345) % static_cast<std::uint64_t>(n); });
}

template <class T>
void measure_sort(session& s, const std::string& row) {
  const std::int64_t n = size_of(s, 28);
  const context ctx = on_devices(s.devices());
  const both_sides<T> given(ctx, tabulated<T>(n, mixed));
  both_sides<T> work(ctx, n);
  const auto theirs = by_cuda::cub_sort(n, given.theirs.data(), work.theirs.data());
  contest(
      s, ctx, {row, "cub::DeviceRadixSort", 0.97}, 2,
      [&] {
        copy(given.ours, work.ours);
        sort(work.ours);
      },
      [&] { theirs->run(); }, [&] { work.require_equal(n, row); });
}

void measure_pairs(session& s) {
  const std::int64_t n = size_of(s, 28);
  const context ctx = on_devices(s.devices());
  using number = std::uint32_t;
  const both_sides<number> keys(ctx, tabulated<number>(n, mixed)),
      values(ctx, tabulated<number>(n, [](std::uint64_t i) { return i; }));
  both_sides<number> k(ctx, n), v(ctx, n);
  const auto theirs =
      by_cuda::cub_sort_pairs(n, keys.theirs.data(), values.theirs.data(), k.theirs.data(), v.theirs.data());
  contest(
      s, ctx, {"algo_gpu.sort_by_key", "cub::DeviceRadixSort", 0.97}, 2,
      [&] {
        copy(keys.ours, k.ours);
        copy(values.ours, v.ours);
        sort_by_key(k.ours, v.ours);
      },
      [&] { theirs->run(); }, [&] { v.require_equal(n, "algo_gpu.sort_by_key"); });
}

void measure_records(session& s) {
  const std::int64_t n = size_of(s, 26);
  const context ctx = on_devices(s.devices());
  std::vector<key_and_more> all(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {static_cast<double>(mixed(i) >> 44), {std::int64_t(i), 0}};
  const vector<key_and_more> given(all, ctx);
  vector<key_and_more> work(n, {}, ctx);
  const by_hand::device_array<by_cuda::record> their_given(n), their_work(n);
  static_assert(sizeof(by_cuda::record) == sizeof(key_and_more));
  by_hand::copy_from_host(their_given.data(), all.data(), n * std::int64_t{sizeof(key_and_more)});
  const auto theirs = by_cuda::cub_sort_records(n, their_given.data(), their_work.data());
  contest(
      s, ctx, {"algo_gpu.stable_sort.24_bytes", "cub::DeviceMergeSort", 0.8}, 2,
      [&] {
        copy(given, work);
        stable_sort(work, earlier_key());
      },
      [&] { theirs->run(); },
      [&] {
        for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
          const key_and_more own = work[at];
          const by_cuda::record other = their_work.at(at);
          if (own.key != other.key || own.more[0] != other.more[0])
            throw std::runtime_error("algo_gpu.stable_sort.24_bytes: results differ");
        }
      });
}

void measure_copy_if(session& s, const std::string& row, int bits, int rounds, double target) {
  const std::int64_t n = size_of(s, bits);
  const context ctx = on_devices(s.devices());
  const both_sides<float> x(ctx, floats_of(n, 1));
  both_sides<float> out(ctx, n);
  const by_hand::device_array<std::int64_t> count(1);
  const float limit = 0.5f;
  const auto theirs = by_cuda::cub_copy_if(n, x.theirs.data(), limit, out.theirs.data(), count.data());
  counted_size kept;
  contest(
      s, ctx, {row, "cub::DeviceSelect::If", target}, rounds,
      [&] { kept = copy_if(x.ours, out.ours, [limit](auto v) { return v < limit; }); }, [&] { theirs->run(); },
      [&] {
        if (kept != count.at(0)) throw std::runtime_error(row + ": another number is kept");
        out.require_equal(kept, row);
      });
}

/// Segments of four elements on average.
std::vector<int> keys_of(std::int64_t n) {
  int key = 0;
  return tabulated<int>(n, [&](std::uint64_t i) { return key += mixed(i) % 4 == 0 ? 1 : 0; });
}

void measure_unique(session& s) {
  const std::int64_t n = size_of(s, 28);
  const context ctx = on_devices(s.devices());
  const both_sides<int> x(ctx, keys_of(n));
  both_sides<int> out(ctx, n);
  const by_hand::device_array<std::int64_t> count(1);
  const auto theirs = by_cuda::cub_unique(n, x.theirs.data(), out.theirs.data(), count.data());
  contest(
      s, ctx, {"algo_gpu.unique", "cub::DeviceSelect::Unique", 0.97}, 4, [&] { unique_copy(x.ours, out.ours); },
      [&] { theirs->run(); }, [&] { out.require_equal(count.at(0), "algo_gpu.unique"); });
}

void measure_reduce_by_key(session& s) {
  const std::int64_t n = size_of(s, 28);
  const context ctx = on_devices(s.devices());
  const both_sides<int> keys(ctx, keys_of(n)), values(ctx, tabulated<int>(n, [](std::uint64_t i) { return i % 7; }));
  both_sides<int> keys_out(ctx, n), sums(ctx, n);
  const by_hand::device_array<std::int64_t> count(1);
  const auto theirs = by_cuda::cub_reduce_by_key(n, keys.theirs.data(), values.theirs.data(), keys_out.theirs.data(),
                                                 sums.theirs.data(), count.data());
  contest(
      s, ctx, {"algo_gpu.reduce_by_key", "cub::DeviceReduce::ReduceByKey", 0.97}, 4,
      [&] { reduce_by_key(keys.ours, values.ours, keys_out.ours, sums.ours); }, [&] { theirs->run(); },
      [&] { sums.require_equal(count.at(0), "algo_gpu.reduce_by_key"); });
}

void measure_histogram(session& s) {
  const std::int64_t n = size_of(s, 28);
  const context ctx = on_devices(s.devices());
  const both_sides<float> x(ctx, floats_of(n, 1));
  const by_hand::device_array<int> counts(256);
  const auto theirs = by_cuda::cub_histogram(n, x.theirs.data(), 256, counts.data());
  vector<std::int64_t> bins(0, ctx);
  contest(
      s, ctx, {"algo_gpu.histogram", "cub::DeviceHistogram::HistogramEven", 0.97}, 4,
      [&] { bins = histogram(x.ours, 256, 0.0f, 1.0f); }, [&] { theirs->run(); },
      [&] {
        for (const std::int64_t at : {0, 100, 255})
          if (bins[at] != counts.at(at)) throw std::runtime_error("algo_gpu.histogram: results differ");
      });
}

void measure_places(session& s, bool gathers) {
  const std::string row = gathers ? "algo_gpu.gather" : "algo_gpu.scatter";
  const std::int64_t n = size_of(s, 27);
  const context ctx = on_devices(s.devices());
  const both_sides<float> x(ctx, floats_of(n, 1));
  const both_sides<std::int64_t> at(ctx, places_of(n));
  both_sides<float> out(ctx, n);
  const auto ours = [&] { gathers ? gather(at.ours, x.ours, out.ours) : scatter(x.ours, at.ours, out.ours); };
  const auto theirs = [&] {
    if (gathers)
      by_cuda::thrust_gather(n, at.theirs.data(), x.theirs.data(), out.theirs.data());
    else
      by_cuda::thrust_scatter(n, x.theirs.data(), at.theirs.data(), out.theirs.data());
  };
  contest(s, ctx, {row, gathers ? "thrust::gather" : "thrust::scatter", 0.97}, 4, ours, theirs,
          [&] { out.require_equal(n, row); });
}

void measure_merge(session& s) {
  const std::int64_t n = size_of(s, 26);
  const context ctx = on_devices(s.devices());
  const both_sides<float> x(ctx, sorted_floats(n, 1)), y(ctx, sorted_floats(n, 77));
  both_sides<float> out(ctx, 2 * n);
  contest(
      s, ctx, {"algo_gpu.merge", "thrust::merge", 0.97}, 4, [&] { merge(x.ours, y.ours, out.ours); },
      [&] { by_cuda::thrust_merge(n, x.theirs.data(), y.theirs.data(), out.theirs.data()); },
      [&] { out.require_equal(2 * n, "algo_gpu.merge"); });
}

void measure_lower_bound(session& s) {
  const std::int64_t n = size_of(s, 26);
  const context ctx = on_devices(s.devices());
  const both_sides<float> sorted(ctx, sorted_floats(n, 1)), queries(ctx, floats_of(n, 77));
  both_sides<std::int64_t> out(ctx, n);
  contest(
      s, ctx, {"algo_gpu.lower_bound", "thrust::lower_bound", 0.97}, 4,
      [&] { lower_bound(sorted.ours, queries.ours, out.ours); },
      [&] { by_cuda::thrust_lower_bound(n, sorted.theirs.data(), queries.theirs.data(), out.theirs.data()); },
      [&] { out.require_equal(n, "algo_gpu.lower_bound"); });
}

/// Running sums of products, of which about half are kept. Sums of floats depend on their order: how many are kept is
/// compared, not which bits they have.
void measure_chain(session& s) {
  const std::int64_t n = size_of(s, 28);
  const context ctx = on_devices(s.devices());
  const both_sides<float> x(ctx, floats_of(n, 1)), y(ctx, floats_of(n, 77));
  both_sides<float> sums(ctx, n), out(ctx, n);
  const float limit = static_cast<float>(n) / 8;
  counted_size ours;
  std::int64_t theirs = 0;
  contest(
      s, ctx, {"algo_gpu.chain", "thrust::inclusive_scan, copy_if", 1.5}, 4,
      [&] {
        inclusive_scan(views::zip(x.ours, y.ours) | views::transform([](auto u, auto v) { return u * v; }), sums.ours);
        ours = copy_if(sums.ours, out.ours, [limit](auto v) { return v < limit; });
      },
      [&] {
        theirs =
            by_cuda::thrust_chain(n, x.theirs.data(), y.theirs.data(), limit, sums.theirs.data(), out.theirs.data());
      },
      [&] { require_close(static_cast<double>(ours), static_cast<double>(theirs), "algo_gpu.chain"); });
}

}  // namespace

std::vector<benchmark> gpu_algorithm_benchmarks() {
  return {
      {"algo_gpu.sort.u32", [](session& s) { measure_sort<std::uint32_t>(s, "algo_gpu.sort.u32"); }},
      {"algo_gpu.sort.u64", [](session& s) { measure_sort<std::uint64_t>(s, "algo_gpu.sort.u64"); }},
      {"algo_gpu.sort_by_key", measure_pairs},
      {"algo_gpu.stable_sort.24_bytes", measure_records},
      {"algo_gpu.copy_if", [](session& s) { measure_copy_if(s, "algo_gpu.copy_if", 28, 4, 0.97); }},
      {"algo_gpu.copy_if.small", [](session& s) { measure_copy_if(s, "algo_gpu.copy_if.small", 20, 50, 0.6); }},
      {"algo_gpu.unique", measure_unique},
      {"algo_gpu.reduce_by_key", measure_reduce_by_key},
      {"algo_gpu.histogram", measure_histogram},
      {"algo_gpu.gather", [](session& s) { measure_places(s, true); }},
      {"algo_gpu.scatter", [](session& s) { measure_places(s, false); }},
      {"algo_gpu.merge", measure_merge},
      {"algo_gpu.lower_bound", measure_lower_bound},
      {"algo_gpu.chain", measure_chain},
  };
}

}  // namespace tessera::bench
