#pragma once

#include <tessera/comm/transport.h>
#include <tessera/tessera.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>

/// What printed programs need besides values.h; their text contains it.
namespace values {

/// Elements in memory; unlike std::vector also for bool.
template <class T>
struct buffer {
  explicit buffer(std::int64_t count) : elements(new T[static_cast<std::size_t>(count)]()), size(count) {}
  operator std::span<const T>() const { return {elements.get(), static_cast<std::size_t>(size)}; }
  operator std::span<T>() { return {elements.get(), static_cast<std::size_t>(size)}; }
  std::unique_ptr<T[]> elements;
  std::int64_t size;
};

/// Element i is drawn from `seed` and i.
template <class T>
buffer<T> data(std::int64_t count, std::uint64_t seed) {
  buffer<T> result(count);
  for (std::int64_t i = 0; i < count; ++i)
    result.elements[static_cast<std::size_t>(i)] = make<T>(mix(seed, static_cast<std::uint64_t>(i)));
  return result;
}

/// Indices first, first + step, ... <= last of one axis.
struct indices {
  std::int64_t first, last, step;
};
inline constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max();

/// A table of intervals lo <= x < hi.
struct row_table {
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;
  [[nodiscard]] indices at(std::int64_t row) const {
    if (row < 0 || row >= static_cast<std::int64_t>(rows.size())) return {0, -1, 1};
    const auto& [lo, hi] = rows[static_cast<std::size_t>(row)];
    return {lo, hi - 1, 1};
  }
};

/// `as [shape] at offset`; no shape: the array's own.
struct seen_as {
  std::vector<std::int64_t> shape;
  std::int64_t offset = 0;
};

/// Calls f(T&) for the elements of parameter `p` at these indices (none: all).
template <class T, class F>
void each(tessera::native_call& c, int p, const std::vector<indices>& selected, const seen_as& view, F f) {
  const tessera::native_array& a = c.array(p);
  if (a.data == nullptr) return;
  const std::vector<std::int64_t> own(a.shape.begin(), a.shape.end());
  const std::vector<std::int64_t>& shape = view.shape.empty() ? own : view.shape;
  std::int64_t elements = 1;
  for (const std::int64_t n : own) elements *= n;
  std::vector<std::int64_t> x(shape.size());
  const std::function<void(std::size_t)> visit = [&](std::size_t axis) {
    if (axis < shape.size()) {
      const indices i = selected.empty() ? indices{0, end, 1} : selected[axis];
      for (const std::int64_t v : range(i.first, i.last, i.step, shape[axis])) x[axis] = v, visit(axis + 1);
      return;
    }
    std::int64_t offset = 0, flat = view.offset;
    for (std::size_t k = 0; k < own.size() && view.shape.empty(); ++k) offset += x[k] * a.strides[static_cast<int>(k)];
    if (!view.shape.empty()) {
      std::int64_t position = 0;
      for (std::size_t k = 0; k < shape.size(); ++k) position = position * shape[k] + x[k];
      flat += position;
      if (flat >= elements) return;
      offset = flat * static_cast<std::int64_t>(sizeof(T));
    }
    f(*reinterpret_cast<T*>(a.data + offset));
  };
  visit(0);
}

/// Calls f(i, j, k) for the points of a superblock.
template <class F>
void for_points(tessera::native_call& c, F f) {
  const tessera::box& b = c.points();
  const auto lo = [&](int a) { return a < b.rank() ? b.lo[a] : 0; };
  const auto hi = [&](int a) { return a < b.rank() ? b.hi[a] : 1; };
  for (std::int64_t k = lo(2); k < hi(2); ++k)
    for (std::int64_t j = lo(1); j < hi(1); ++j)
      for (std::int64_t i = lo(0); i < hi(0); ++i) f(i, j, k);
}

/// A distribution of boxes and their devices, with a halo.
class listed final : public tessera::distribution {
 public:
  listed(std::vector<tessera::plan::placed_box> parts, tessera::extents halo) : parts_(std::move(parts)), halo_(halo) {}
  [[nodiscard]] tessera::plan::layout parts(const tessera::extents&, int) const override {
    tessera::plan::layout home;
    home.form = tessera::plan::layout::kind::listed;
    home.parts = parts_;
    home.halo = halo_;
    return home;
  }

 private:
  std::vector<tessera::plan::placed_box> parts_;
  tessera::extents halo_;
};

inline std::atomic<int> wrong{0};

template <class T>
void expect(const T& found, std::uint64_t bits, const char* label) {
  if (load(found) == bits) return;
  ++wrong;
  std::printf("%s: found %llx instead of %llx\n", label, static_cast<unsigned long long>(load(found)),
              static_cast<unsigned long long>(bits));
}

/// All elements as one number.
template <class T>
std::uint64_t mixed(const buffer<T>& all) {
  std::uint64_t h = 0;
  for (std::int64_t i = 0; i < all.size; ++i) h = mix(h, load(all.elements[static_cast<std::size_t>(i)]));
  return h;
}

/// Runs body(context) on every rank; the number of wrong elements.
template <class Body>
int run_ranks(const std::vector<std::string>& devices, std::uint64_t delivery, const tessera::options& common,
              Body body) {
  const auto world = tessera::comm::make_local_world(static_cast<int>(devices.size()), delivery);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < devices.size(); ++r)
    threads.emplace_back([&, r] {
      try {
        tessera::options settings = common;
        settings.devices = devices[r];
        settings.comm = world[r];
        tessera::context ctx(settings);
        body(ctx);
      } catch (const std::exception& e) {
        std::printf("rank %d: %s\n", static_cast<int>(r), e.what());
        ++wrong;
        world[r]->abort("another rank failed");
      }
    });
  for (std::thread& t : threads) t.join();
  return wrong;
}

}  // namespace values
