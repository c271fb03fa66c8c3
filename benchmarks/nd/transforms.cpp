// Transforms on one CPU device, beside FFTW with as many threads.
#include <complex>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <thread>

#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/nd_benchmarks.h"
#include "benchmarks/nd/rivals/transforms.h"

namespace tessera::bench {
namespace {

nd::array reals(const extents& shape, std::uint64_t seed) {
  return nd::as_type(nd::generator(seed).normal(shape), scalar_kind::float32);
}
nd::array numbers(const extents& shape) { return nd::make_complex(reals(shape, 1), reals(shape, 2)); }

void add_row(session& s, const cpu_arena& a, const std::string& name, const nd::array& x, fftw_transform& rival,
             std::int64_t floats, const std::function<nd::array()>& ours, double target) {
  const auto fill = [&](const auto& elements) {
    std::memcpy(rival.from(), elements.data(), static_cast<std::size_t>(floats) * sizeof(float));
  };
  if (x.type() == scalar_kind::float32)
    fill(x.read<float>());
  else
    fill(x.read<std::complex<float>>());
  const auto our_run = [&] {
    nd::eval({ours()});
    context(a.ctx).wait();
  };
  a.settle(our_run);
  rival.run();
  const std::vector<std::complex<float>> found = ours().read<std::complex<float>>();
  for (const std::size_t at : {std::size_t{1}, found.size() / 3, found.size() - 1})
    if (std::abs(found[at] - rival.to()[at]) > 1e-2f) throw std::runtime_error(name + ": results differ");
  add_pair(s, {.name = name, .rival = "FFTW, as many threads", .target = target}, our_run, [&] { rival.run(); });
}

void measure_lines(session& s) {
  cpu_arena a;
  const int threads = static_cast<int>(std::thread::hardware_concurrency());
  for (const std::int64_t n : {64, 1000, 1024, 4096, 1009, 65536}) {
    const std::int64_t lines = (s.quick() ? 1 << 18 : 1 << 22) / n;
    const nd::array x = numbers({lines, n});
    nd::eval({x});
    fftw_transform rival(lines, n, false, threads);
    add_row(
        s, a, cat("nd.fft.", n), x, rival, 2 * lines * n, [&] { return nd::fft::fft(x); }, 0.9);
  }
  const std::int64_t n = 1024, lines = (s.quick() ? 1 << 18 : 1 << 22) / n;
  const nd::array x = reals({lines, n}, 1);
  nd::eval({x});
  fftw_transform rival(lines, n, true, threads);
  add_row(
      s, a, cat("nd.rfft.", n), x, rival, lines * n, [&] { return nd::fft::rfft(x); }, 0.9);
}

void measure_cube(session& s) {
  cpu_arena a;
  const std::int64_t n = s.quick() ? 64 : 256;
  const nd::array x = numbers({n, n, n});
  nd::eval({x});
  fftw_transform rival(n, static_cast<int>(std::thread::hardware_concurrency()));
  add_row(
      s, a, cat("nd.fftn.", n, "^3"), x, rival, 2 * n * n * n, [&] { return nd::fft::fftn(x); }, 0.9);
}

}  // namespace

std::vector<benchmark> transform_benchmarks() { return {{"nd.fft", measure_lines}, {"nd.fftn", measure_cube}}; }

}  // namespace tessera::bench
