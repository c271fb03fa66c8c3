#include "tests/algo/fuzz/run/tested.h"

namespace tessera::fuzz {
namespace {

/// Adds a number to elements of any axes.
template <class T>
kernel adder(context ctx) {
  const std::string type = std::is_same_v<T, double> ? "double" : "unsigned";
  return ctx.compile("//@tessera global i => readwrite v as [:][i]\n__global__ void add(long long n, " + type +
                         "* v, " + type +
                         " k) {\n  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
                         "  if (i < n) v[i] += k;\n}\n",
                     "add");
}

template <int N>
auto placed() {
  if constexpr (N == 1)
    return map<fuzzed::placed1>();
  else if constexpr (N == 2)
    return map<fuzzed::placed2>();
  else
    return map<fuzzed::placed3>();
}

}  // namespace

template <int N>
void tested::number_map_step(const step& s) {
  using T = unsigned;
  const unsigned k = uniform(s.n[2]);
  device_container<T, N>& a = get<T, N>(s.slot[0]);
  if (s.action == verb::map_several) {
    const auto split = map(both{k});
    const auto x = part<T, N>(s, 2);
    if (!s.fresh) return split.into(part<T, N>(s, 0), part<double, N>(s, 1), x);
    std::tie(a, get<double, N>(s.slot[1])) = split(x);
    return;
  }
  if (s.action == verb::map_from_cell)
    return map<fuzzed::weight>().into(part<T, N>(s, 0), part<cell, N>(s, 1), static_cast<unsigned char>(s.n[2]));
  const auto out = part<T, N>(s, 0), x = part<T, N>(s, 1);
  if (s.action == verb::map_index) return placed<N>().into(out, x, k);
  if (s.action == verb::map_lines && s.form == 0) return map<fuzzed::of_row>().into(out, part<T, 2>(s, 2), x, k);
  if (s.action == verb::map_lines) return map<fuzzed::of_column>().into(out, x, part<T, 2>(s, 2), k);
  if (s.form == 0) return map<fuzzed::in_vector>().into(out, x, part<T, 1>(s, 2), k);
  if (s.form == 1) return map<fuzzed::in_matrix>().into(out, x, k, part<T, 2>(s, 2));
  map<fuzzed::in_tensor>().into(out, x, part<T, 3>(s, 2), k);
}

template <class T, int N>
void tested::one_step(const step& s) {
  device_container<T, N>& a = get<T, N>(s.slot[0]);
  device_container<T, N>& b = get<T, N>(s.slot[1]);
  const std::int64_t k = s.n[2];
  if constexpr (std::is_same_v<T, cell>) {
    const auto turn = map<fuzzed::turned>();
    if (s.action == verb::map_new) return a = turn(part<T, N>(s, 1), uniform(k), second_uniform(k)), void();
    turn.into(part<T, N>(s, 0), part<T, N>(s, 1), uniform(k), second_uniform(k));
    if (s.action == verb::farm) turn.into(part<T, N>(s, 2), part<T, N>(s, 0), uniform(k + 1), second_uniform(k + 1));
  } else {
    const auto f = map(affine<T>{small<T>(k)});
    const bool by_iterators = N == 1 && s.form == 2;
    if (s.action == verb::map_new) {
      if (s.part[1] == box::whole(b.shape()) && s.form == 1) return a = f(b), void();
      if constexpr (N == 1)
        if (by_iterators) return a = f(b.begin() + s.part[1].lo[0], b.begin() + s.part[1].hi[0]), void();
      return a = f(part<T, N>(s, 1)), void();
    }
    if (s.action == verb::farm) {
      const auto g = map(affine<T>{small<T>(k + 1)});
      return tessera::farm(
          {[&] { f.into(part<T, N>(s, 0), part<T, N>(s, 1)); }, [&] { g.into(part<T, N>(s, 2), part<T, N>(s, 0)); }},
          ctx_);
    }
    if (s.form == 1)
      return map(with_uniforms()).into(part<T, N>(s, 0), part<T, N>(s, 1), small<T>(k), second_uniform(k));
    if constexpr (N == 1)
      if (by_iterators)
        return f.into(a.begin() + s.part[0].lo[0], b.begin() + s.part[1].lo[0], b.begin() + s.part[1].hi[0]);
    f.into(part<T, N>(s, 0), part<T, N>(s, 1));
  }
}

template <class T, int N>
void tested::map_step(const step& s) {
  device_container<T, N>& a = get<T, N>(s.slot[0]);
  const std::int64_t k = s.n[2];
  if (s.action == verb::map_new || s.action == verb::map_into || s.action == verb::farm) return one_step<T, N>(s);
  if constexpr (std::is_same_v<T, cell>) {
    if (s.action == verb::map_to_cell) return map<fuzzed::made>().into(part<T, N>(s, 0), part<unsigned, N>(s, 1));
    return map<fuzzed::crossed>().into(part<T, N>(s, 0), part<T, N>(s, 1), part<T, N>(s, 2), uniform(k));
  } else {
    const auto two = difference<T>{small<T>(k)};
    if (s.action == verb::map_two) return map(two).into(part<T, N>(s, 0), part<T, N>(s, 1), part<T, N>(s, 2));
    if (s.action == verb::map_value) {
      const value<T> most = reduce(part<T, N>(s, 2), maximum());
      return map(with_uniforms()).into(part<T, N>(s, 0), part<T, N>(s, 1), most, second_uniform(k));
    }
    if (s.action == verb::call_kernel)
      return call(adder<T>(ctx_), {.threads = {s.part[0].volume()}}, s.part[0].volume(), part<T, N>(s, 0), small<T>(k));
    if constexpr (N == 2)
      if (s.action == verb::pairs) return a = map_pairs(two)(part<T, 1>(s, 1), part<T, 1>(s, 2)), void();
    if constexpr (std::is_same_v<T, unsigned>) {
      if constexpr (N == 1)
        if (s.action == verb::map_counting)
          return map(affine<T>{small<T>(k)}).into(part<T, N>(s, 0), counting(uniform(s.n[0]), uniform(s.n[1])));
      number_map_step<N>(s);
    }
  }
}

#define TESSERA_MAPS(type)                                \
  template void tested::map_step<type, 1>(const step& s); \
  template void tested::map_step<type, 2>(const step& s); \
  template void tested::map_step<type, 3>(const step& s);
TESSERA_MAPS(unsigned)
TESSERA_MAPS(double)
TESSERA_MAPS(cell)
#undef TESSERA_MAPS

}  // namespace tessera::fuzz
