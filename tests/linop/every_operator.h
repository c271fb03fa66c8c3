#pragma once

#include "tests/linop/support.h"

namespace tessera::support {

struct named_operator {
  const char* name;
  linop::op a;
  scalar_kind kind = scalar_kind::complex64;  ///< That it takes.
};

/// One of each kind, which knows all its sizes.
inline std::vector<named_operator> every_operator(const context& ctx) {
  using namespace linop;
  context c = ctx;
  const auto array = [&](const extents& shape, std::uint64_t seed) {
    return array_of(ctx, random_plain(shape, scalar_kind::complex64, seed), scalar_kind::complex64);
  };
  const named_sizes mn{{"M", 5}, {"N", 6}};
  const op d = diagonal(array({5, 6}, 1), "M N");
  return {
      {"identity", identity("M N") * d},
      {"zero", zero("M N -> N K", {{"M", 5}, {"N", 6}, {"K", 4}})},
      {"real", real("M N") * d},
      {"imag", imag("M N") * d},
      {"conj", conj("M N") * d},
      {"diagonal", d},
      {"diagonal of one", diagonal(array({5}, 2), "M", "M N") * d},
      {"squared", d.N()},
      {"dense", dense(array({4, 5}, 3), "K M, M N -> K N") * d},
      {"dense product", dense(array({40, 32}, 3), "T K, K N -> T N") * repeat("N -> K N", {{"K", 32}, {"N", 33}})},
      {"coil maps", dense(array({3, 5, 6}, 4), "C M N, M N -> C M N")},
      {"contraction", dense(array({6, 3, 5}, 5), "N Q M, M N -> N")},
      {"sum", sum_reduce("M N -> N", mn)},
      {"repeat", repeat("M N -> M C N", {{"C", 3}, {"M", 5}, {"N", 6}})},
      {"rearrange", rearrange("M N -> N M") * d},
      {"pad", pad("M N -> P Q", {{1, 2}, {0, 3}}, mn)},
      {"crop", crop("M N -> P Q", {{1, 2}, {0, 3}}, mn)},
      {"slice", slice("M N -> P Q", {{0, 5, 2}, {1, 6, 2}}, mn)},
      {"embed", embed("M N -> P Q", {{1, 11, 2}, {2, 8, 1}}, {{"P", 12}, {"Q", 9}})},
      {"flip", flip("M N", mn)},
      {"roll", roll("M N", {2, -1}, mn)},
      {"blocks", array_to_blocks("M N -> A B C D", {3, 2}, {2, 3}, mn)},
      {"merge", merge("M N -> P", mn)},
      {"fft", fft("M N -> P Q", {.sizes = mn})},
      {"centred fft", fft("M N -> P Q", {.centered = true, .norm = fft_norm::none, .sizes = mn})},
      {"rfft", rfft("M N -> P Q", {.sizes = mn}), scalar_kind::float32},
      {"convolution", convolution(array({3, 2}, 6), "M N", {.sizes = mn})},
      {"circular convolution", convolution(array({2, 3}, 7), "M N", {.edge = boundary::circular, .sizes = mn})},
      {"mirrored convolution", convolution(array({3, 3}, 8), "M N", {.edge = boundary::reflect, .sizes = mn})},
      {"derivative", first_derivative("M", {.within = "M N", .sizes = mn})},
      {"laplacian", laplacian("M N", {.edge = boundary::circular, .sizes = mn})},
      {"gradient", gradient("M N -> D M N", {.sizes = mn})},
      {"cumsum", cumsum("N", {{"N", 40}})},
      {"sparse", sparse(c, csr_of(4, 30, {{0, 3, cd(1, 2)}, {2, 7, -1}, {3, 29, cd(0, 1)}}), "M N -> K",
                        {.kind = scalar_kind::complex64, .sizes = {{"M", 5}}})},
      {"sampling", sampling(c, {3, 0, 3, 5}, 6, "N -> K")},
      {"function", from_functions([d](const auto& x, const auto& y) { d.apply(1, x, 0, y); },
                                  [d](const auto& x, const auto& y) { d.apply(1, x, 0, y, adj); }, "M N -> P Q",
                                  {.sizes = {{"M", 5}, {"N", 6}, {"P", 5}, {"Q", 6}},
                                   .result_kind = [](scalar_kind from, bool) { return complex_of(from); }})},
      {"chain", dense(array({4, 5, 6}, 9), "K M N, M N -> K") * pad("P Q -> M N", {{1, 0}, {0, 1}}) *
                    fft("P1 Q1 -> P Q") * diagonal(array({4, 5}, 10), "P1 Q1")},
      {"sum of operators", d + 2 * roll("M N", {1, 1}) - cf(0, 1) * flip("M N") * d},
      {"normal", (fft("M N -> P Q") * dense(array({3, 5, 6}, 4), "C M N, M N -> C M N")).N()},
  };
}

/// The shape of an input without further axes.
inline extents input_shape(const linop::op& a) {
  extents shape = extents::uniform(static_cast<int>(a.ishape().size()), 0);
  for (std::size_t k = 0; k < a.ishape().size(); ++k)
    shape[static_cast<int>(k)] = *a.size(linop::to_string(a.ishape()[k]));
  return shape;
}

}  // namespace tessera::support
