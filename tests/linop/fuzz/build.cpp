#include "tests/linop/fuzz/build.h"

#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::fuzz {
namespace {

namespace lin = linop;

extents extents_of(const shape& s) { return extents(std::span<const std::int64_t>(s)); }

/// Numbers of a stage as an array of complex numbers in double precision.
array_base weight(const context& ctx, const decoded& d, const shape& s) {
  const std::vector<std::int64_t> n = numbers_of(d.seed, 2 * volume(s));
  lin::host_values values;
  for (std::size_t k = 0; k < n.size(); k += 2)
    values.emplace_back(static_cast<double>(n[k]), static_cast<double>(n[k + 1]));
  return lin::array_of(ctx, extents_of(s), scalar_kind::complex128, values);
}

lin::named_sizes sizes_of(const shape& s) {
  lin::named_sizes made;
  for (std::size_t k = 0; k < s.size(); ++k)
    made.emplace_back(std::string(1, static_cast<char>('Z' - static_cast<int>(s.size() - 1 - k))), s[k]);
  return made;
}

std::vector<lin::coo_entry> entries_of(const decoded& d) {
  const std::int64_t columns = volume(d.in);
  const std::vector<std::int64_t> n = numbers_of(d.seed, 2 * volume(d.out) * columns);
  std::vector<lin::coo_entry> made;
  for (std::int64_t k = 0; k < volume(d.out) * columns; ++k)
    if (n[index(2 * k)] > 1)
      made.push_back(
          {k / columns, k % columns, {static_cast<double>(n[index(2 * k)]), static_cast<double>(n[index(2 * k) + 1])}});
  return made;
}

}  // namespace

std::string names_of(const shape& s, int number) {
  std::string made;
  for (std::size_t k = 0; k < s.size(); ++k) {
    made += cat(made.empty() ? "" : " ", static_cast<char>('Z' - static_cast<int>(s.size() - 1 - k)));
    if (number > 0) made += std::to_string(number);
  }
  return made;
}

built_operator build(const context& ctx, const decoded& d) {
  const std::string in = names_of(d.in), out = names_of(d.out, 1);
  const lin::named_sizes sizes = sizes_of(d.in), last{{"Z", d.in.back()}};
  const lin::boundary edges[] = {lin::boundary::zero, lin::boundary::circular, lin::boundary::reflect};
  switch (d.action) {
    case verb::diagonal:
      return {lin::diagonal(weight(ctx, d, d.in), in), cat("lin::diagonal(w", d.seed, ", \"", in, "\")")};
    case verb::dense:
      return {lin::dense(weight(ctx, d, {d.out.back(), d.in.back()}), "Z1 Z, Z -> Z1"),
              cat("lin::dense(w", d.seed, ", \"Z1 Z, Z -> Z1\")  // ", d.out.back(), " x ", d.in.back())};
    case verb::sum: {
      const std::string text = cat(in, " -> ", names_of(d.out));
      return {lin::sum_reduce(text, sizes), cat("lin::sum_reduce(\"", text, "\")")};
    }
    case verb::repeat: {
      const std::string text = cat(in, " -> ", names_of(d.out));
      return {lin::repeat(text, sizes_of(d.out)), cat("lin::repeat(\"", text, "\", ", d.out[0], ")")};
    }
    case verb::pad:
      return {lin::pad("Z -> Z1", {{d.a, d.b}}, last), cat("lin::pad(\"Z -> Z1\", {{", d.a, ", ", d.b, "}})")};
    case verb::crop:
      return {lin::crop("Z -> Z1", {{d.a, d.b}}, last), cat("lin::crop(\"Z -> Z1\", {{", d.a, ", ", d.b, "}})")};
    case verb::slice:
      return {lin::slice("Z -> Z1", {{d.a, d.b, d.c}}, last),
              cat("lin::slice(\"Z -> Z1\", {{", d.a, ", ", d.b, ", ", d.c, "}})")};
    case verb::embed: {
      const std::int64_t end = d.a + d.c * (d.in.back() - 1) + 1;
      return {lin::embed("Z -> Z1", {{d.a, end, d.c}}, {{"Z1", d.b}}),
              cat("lin::embed(\"Z -> Z1\", {{", d.a, ", ", end, ", ", d.c, "}}, {{\"Z1\", ", d.b, "}})")};
    }
    case verb::flip:
      return {lin::flip("Z", last), "lin::flip(\"Z\")"};
    case verb::roll:
      return {lin::roll("Z", {d.a - 30}, last), cat("lin::roll(\"Z\", {", d.a - 30, "})")};
    case verb::blocks:
      return {lin::array_to_blocks("Z -> Y1 Z1", {d.a}, {d.b}, last),
              cat("lin::array_to_blocks(\"Z -> Y1 Z1\", {", d.a, "}, {", d.b, "})")};
    case verb::merge:
      return {lin::merge(cat(in, " -> Z1"), sizes), cat("lin::merge(\"", in, " -> Z1\")")};
    case verb::fft:
      return {lin::fft(
                  "Z -> Z1",
                  {.centered = d.a == 1, .norm = d.b == 1 ? lin::fft_norm::ortho : lin::fft_norm::none, .sizes = last}),
              cat("lin::fft(\"Z -> Z1\", {.centered = ", d.a, ", .norm = ", d.b == 1 ? "ortho" : "none", "})")};
    case verb::convolution:
      return {lin::convolution(weight(ctx, d, {d.b}), "Z", {.edge = edges[d.a], .sizes = last}),
              cat("lin::convolution(w", d.seed, ", \"Z\", edge ", d.a, ")  // ", d.b, " wide")};
    case verb::derivative: {
      const std::string name = sizes[index(d.a)].first;
      return {lin::first_derivative(name, {.edge = edges[d.b], .within = in, .sizes = sizes}),
              cat("lin::first_derivative(\"", name, "\", edge ", d.b, ", within \"", in, "\")")};
    }
    case verb::gradient: {
      const std::string text = cat(in, " -> ", out);
      return {lin::gradient(text, {.edge = edges[d.b], .sizes = sizes}),
              cat("lin::gradient(\"", text, "\", edge ", d.b, ")")};
    }
    case verb::cumsum:
      return {lin::cumsum("Z", last), "lin::cumsum(\"Z\")"};
    case verb::sparse:
      return {lin::sparse(ctx, lin::csr_of(volume(d.out), volume(d.in), entries_of(d)), cat(in, " -> Z1"),
                          {.kind = scalar_kind::complex128, .sizes = sizes}),
              cat("lin::sparse(m", d.seed, ", \"", in, " -> Z1\")  // ", volume(d.out), " x ", volume(d.in))};
    case verb::real:
      return {lin::real(in), "lin::real()"};
    case verb::imag:
      return {lin::imag(in), "lin::imag()"};
    default:
      return {lin::conj(in), "lin::conj()"};
  }
}

}  // namespace tessera::fuzz
