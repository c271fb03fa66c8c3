// An image from the undersampled frequencies that four coils have seen of it (Cartesian SENSE): an operator of coil
// maps, transform and samples, and conjugate gradients with its normal form. Every second line of frequencies is
// measured.
#include <tessera/linop.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "../check.h"

namespace ts = tessera;
namespace lin = tessera::linop;
using cf = std::complex<float>;

namespace {

constexpr std::int64_t coils = 4, ny = 48, nx = 64;

/// Ellipses of different brightness.
std::vector<cf> make_image() {
  std::vector<cf> image;
  for (std::int64_t y = 0; y < ny; ++y)
    for (std::int64_t x = 0; x < nx; ++x) {
      const auto v = static_cast<float>(y - ny / 2) / ny, u = static_cast<float>(x - nx / 2) / nx;
      float value = u * u + v * v < 0.2f ? 1.0f : 0.0f;
      if (std::abs(u - 0.15f) < 0.1f && std::abs(v) < 0.2f) value = 0.5f;
      if (4 * (u + 0.15f) * (u + 0.15f) + v * v < 0.02f) value = 2.0f;
      image.emplace_back(value, 0.3f * value);
    }
  return image;
}

/// Coils around the image, each of which sees what is close to it.
std::vector<cf> make_maps() {
  std::vector<cf> maps;
  for (std::int64_t c = 0; c < coils; ++c)
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x) {
        const float angle = 1.570796f * static_cast<float>(c);
        const float u = static_cast<float>(x) / nx - 0.5f - 0.6f * std::cos(angle),
                    v = static_cast<float>(y) / ny - 0.5f - 0.6f * std::sin(angle);
        maps.push_back(std::polar(1 / (0.1f + u * u + v * v), angle + 2 * u * v));
      }
  return maps;
}

int require(bool holds, const char* sentence) {
  if (!holds) std::printf("sense: not so: %s\n", sentence);
  return holds ? 0 : 1;
}

}  // namespace

int main() {
  ts::context ctx;
  ts::set_default_context(ctx);
  const auto truth = ctx.from<cf>({ny, nx}, make_image());
  const auto maps = ctx.from<cf>({coils, ny, nx}, make_maps());
  std::vector<bool> mask(static_cast<std::size_t>(ny * nx));
  for (std::int64_t y = 0; y < ny; y += 2)
    for (std::int64_t x = 0; x < nx; ++x) mask[static_cast<std::size_t>(y * nx + x)] = true;

  const lin::op s = lin::dense(maps, "C Ny Nx, Ny Nx -> C Ny Nx");
  const lin::op e =
      lin::sampling(ctx, mask, {ny, nx}, "Ky Kx -> K") * lin::fft("Ny Nx -> Ky Kx", {.centered = true}) * s;
  int wrong = require(lin::check(e).passed(), "the operator is what it says");

  const ts::array_base measured = e(truth);
  const lin::solution found = lin::cg(e.N(), e.H()(measured), {.iterations = 200, .tolerance = 1e-5});
  wrong += require(found.status() == lin::solve_status::converged, "the iteration ended");
  const std::vector<cf> image = ts::array<cf>(found.x).read();
  return wrong + example::report("sense", image, make_image(), [](cf a, cf b) { return std::abs(a - b) < 2e-2f; });
}
