#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "tessera/algo/function/op.h"
#include "tessera/algo/function/signature.h"

namespace tessera {
namespace algo {

class kernel_cache;
[[nodiscard]] std::shared_ptr<kernel_cache> make_kernel_cache();
/// Tells host functions apart within this process.
[[nodiscard]] std::uint64_t next_host_number();

/// What one parameter of a host function takes for a row of elements: memory that advances from element to element, or
/// numbers that count.
struct host_argument {
  const std::byte* data = nullptr;  ///< The first element's; the first number of a counting sequence.
  std::int64_t step = 0;            ///< Bytes from one element to the next; 0: the same for all.
  bool counts = false;              ///< The value is the first number plus `index[0]`.
  int axes = 1;                     ///< Of `index`, whose last one advances.
  std::int64_t index[4] = {};
  std::int64_t sizes[4] = {};    ///< Of a view.
  std::int64_t strides[4] = {};  ///< In elements.
};

/// A callable object of the program, kept as long as launches may call it.
template <class F>
class host_callable {
 public:
  explicit host_callable(F function)
      : function_(std::make_shared<const F>(std::move(function))),
        kernels_(make_kernel_cache()),
        number_(next_host_number()) {}

  template <class... Args>
  decltype(auto) operator()(Args&&... args) const {
    return (*function_)(std::forward<Args>(args)...);
  }
  [[nodiscard]] const std::shared_ptr<const F>& function() const { return function_; }
  [[nodiscard]] const std::shared_ptr<kernel_cache>& kernels() const { return kernels_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  std::shared_ptr<const F> function_;
  std::shared_ptr<kernel_cache> kernels_;
  std::uint64_t number_;
};
template <class F>
inline constexpr bool is_host_callable = false;
template <class F>
inline constexpr bool is_host_callable<host_callable<F>> = true;

// How host code gets what a parameter takes.
template <class T>
struct host_value {
  static T at(const host_argument& a, std::int64_t k) {
    const T& value = *reinterpret_cast<const T*>(a.data + k * a.step);
    if constexpr (std::is_arithmetic_v<T>)
      if (a.counts) return static_cast<T>(value + static_cast<T>(a.index[0] + k));
    return value;
  }
};
template <>
struct host_value<index1> {
  static index1 at(const host_argument& a, std::int64_t k) { return {a.index[0] + k}; }
};
template <>
struct host_value<index2> {
  static index2 at(const host_argument& a, std::int64_t k) { return {a.index[0], a.index[1] + k}; }
};
template <>
struct host_value<index3> {
  static index3 at(const host_argument& a, std::int64_t k) { return {a.index[0], a.index[1], a.index[2] + k}; }
};
template <>
struct host_value<index4> {
  static index4 at(const host_argument& a, std::int64_t k) {
    return {a.index[0], a.index[1], a.index[2], a.index[3] + k};
  }
};
template <class T>
struct host_value<vec<T>> {
  static vec<T> at(const host_argument& a, std::int64_t) { return {reinterpret_cast<const T*>(a.data), a.sizes[0]}; }
};
template <class T>
struct host_value<mat<T>> {
  static mat<T> at(const host_argument& a, std::int64_t) {
    return {reinterpret_cast<const T*>(a.data), a.sizes[0], a.sizes[1], a.strides[0]};
  }
};
template <class T, int N>
struct host_value<ten<T, N>> {
  static ten<T, N> at(const host_argument& a, std::int64_t) {
    ten<T, N> made{reinterpret_cast<const T*>(a.data), {}, {}};
    for (int axis = 0; axis < N; ++axis) made.extents[axis] = a.sizes[axis], made.strides[axis] = a.strides[axis];
    return made;
  }
};
template <class T>
struct host_value<row<T>> {
  static row<T> at(const host_argument& a, std::int64_t k) {
    return {reinterpret_cast<const T*>(a.data + k * a.step), a.sizes[1]};
  }
};
template <class T>
struct host_value<col<T>> {
  static col<T> at(const host_argument& a, std::int64_t k) {
    return {reinterpret_cast<const T*>(a.data + k * a.step), a.sizes[0], a.strides[0]};
  }
};

template <class... T>
struct type_list {};
template <class T, class List>
struct prepended;
template <class T, class... Rest>
struct prepended<T, type_list<Rest...>> {
  using type = type_list<T, Rest...>;
};

/// What each parameter of a host function is read as: a view or an index as its type says, an element or a number as
/// the argument is, which C++ then converts.
template <class Parameters, class Args>
struct host_reads;
template <class... Args>
struct host_reads<type_list<>, type_list<Args...>> {
  using type = type_list<>;
};
template <class P, class... Rest>
struct host_reads<type_list<P, Rest...>, type_list<>> {  // too few arguments, which binding refuses
  using type = typename prepended<P, typename host_reads<type_list<Rest...>, type_list<>>::type>::type;
};
template <class P, class... Rest, class T, class... Args>
struct host_reads<type_list<P, Rest...>, type_list<T, Args...>> {
  static constexpr parameter_kind kind = parameter_traits<P>::kind;
  static constexpr bool takes = kind != parameter_kind::index;
  using own = std::conditional_t<kind == parameter_kind::plain, T, P>;
  using others = typename host_reads<type_list<Rest...>,
                                     std::conditional_t<takes, type_list<Args...>, type_list<T, Args...>>>::type;
  using type = typename prepended<own, others>::type;
};

template <class F>
struct host_signature {
  using type = void;
};
template <typed_call F>
struct host_signature<F> {
  using type = typename signature_of<decltype(&F::operator())>::type;
};
template <class R, class... A>
struct host_signature<R (*)(A...)> {
  using type = call_signature<R, A...>;
};

template <class Signature, class... Args>
struct host_reads_of {
  using type = type_list<Args...>;
};
template <class R, class... A, class... Args>
struct host_reads_of<call_signature<R, A...>, Args...> {
  using type = typename host_reads<type_list<std::remove_cvref_t<A>...>, type_list<Args...>>::type;
};

template <class F, class Reads>
struct host_calls;
template <class F, class... Reads>
struct host_calls<F, type_list<Reads...>> {
  static_assert(((parameter_traits<Reads>::kind != parameter_kind::region) && ...),
                "ts::host does not take neighbourhoods: give map_overlap a lambda with auto parameters or TS_FN(...)");
  static_assert(std::is_invocable_v<const F&, Reads...>,
                "the function of ts::host cannot be called with these elements as a const object (several threads call "
                "it, so that a mutable lambda is none)");
  using result = std::remove_cvref_t<std::invoke_result_t<const F&, Reads...>>;

  static_assert(!std::is_void_v<result>,
                "a function of a skeleton returns what it computes: return the new element instead of changing one");

  static void describe(op_text& text) {
    text.parameters = {parameter_traits<Reads>::describe()...};
    text.results = result_traits<result>::describe();
  }
  static void row(const void* function, const host_argument* arguments, std::int64_t count, std::byte* const* results) {
    call(function, arguments, count, results, std::index_sequence_for<Reads...>());
  }

 private:
  template <std::size_t... I>
  static void call(const void* function, [[maybe_unused]] const host_argument* arguments, std::int64_t count,
                   std::byte* const* results, std::index_sequence<I...>) {
    const F& callable = *static_cast<const F*>(function);
    for (std::int64_t k = 0; k < count; ++k) put<0>(callable(host_value<Reads>::at(arguments[I], k)...), results, k);
  }
  template <int K, class R>
  static void put(const R& value, std::byte* const* results, std::int64_t k) {
    reinterpret_cast<R*>(results[K])[k] = value;
  }
  template <int K, class... R>
  static void put(const tuple<R...>& values, std::byte* const* results, std::int64_t k) {
    [&]<int... I>(std::integer_sequence<int, I...>) { (put<I>(get<I>(values), results, k), ...); }
    (std::make_integer_sequence<int, sizeof...(R)>());
  }
};

/// `function` as an operator that runs on the host, for arguments of types `Args`.
template <class... Args, class F>
[[nodiscard]] op host_op(std::shared_ptr<const F> function, std::shared_ptr<kernel_cache> kernels,
                         std::uint64_t number) {
  using calls = host_calls<F, typename host_reads_of<typename host_signature<F>::type, Args...>::type>;
  op made;
  static const auto text = [] {
    op_text described;
    described.name = "ts::host";
    described.text = type_name<F>();
    calls::describe(described);
    return keep_text(std::move(described));
  }();
  made.text = text;
  made.host = {std::move(function), &calls::row, std::move(kernels), number};
  return made;
}

/// The operator that copies elements of `bytes` bytes, on the host.
[[nodiscard]] host_code host_copy(std::int64_t bytes);

}  // namespace algo

/// Any callable object as a function of a skeleton, run on the host: lambdas with captures of any kind, functions of
/// libraries. Several threads call it at once, as a const object; what it refers to lives until the results are there.
/// On CPU devices it is called in the launch; elements on GPUs are copied to the host and back. `ts::map(ts::host(f))`.
/// Keep what this returns where a call is repeated: each is a kernel of its own.
template <class F>
[[nodiscard]] algo::host_callable<std::decay_t<F>> host(F&& function) {
  return algo::host_callable<std::decay_t<F>>(std::forward<F>(function));
}

}  // namespace tessera
