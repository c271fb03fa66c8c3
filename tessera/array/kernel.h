#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/array/array.h"
#include "tessera/array/split.h"
#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/geometry/intervals.h"

namespace tessera::runtime {
struct array_record;
class engine;
struct kernel_entry;
}  // namespace tessera::runtime

namespace tessera {

/// Everything about a launch but its arguments. As in CUDA the axes are x, y, z.
struct launch_options {
  extents threads{};  ///< Threads wanted; or give `grid`.
  extents grid{};     ///< Thread blocks.
  extents block{};    ///< Threads per block; left out: 256 in x.
  tessera::split split{};
  std::int64_t shared = 0;                                  ///< Bytes of `extern __shared__` memory.
  std::vector<std::pair<std::string, std::int64_t>> let{};  ///< Constants for the annotation.
  std::vector<std::pair<std::string, intervals>> tables{};  ///< For indices `name(expr)` of the annotation (rule H16).
  std::string name{};                                       ///< For traces and messages; left out: the kernel's.
  const char* file = __builtin_FILE();  ///< Where the launch stands, for messages; filled in by the compiler.
  int line = __builtin_LINE();

  [[nodiscard]] call_site site() const { return {file, line}; }
};

struct argument;

template <class T>
concept makes_argument = requires(const T& object) {
  { object.as_argument() } -> std::same_as<argument>;
};

/// One argument of a launch, type forgotten.
struct argument {
  struct none {};
  struct scalar {
    dtype type;
    std::vector<std::byte> bytes;
  };
  std::variant<none, scalar, array_base> value;

  static argument from(std::nullptr_t) { return {none{}}; }
  static argument from(const array_base& a) { return {a}; }
  static argument from(const value_base& v) { return {v.kept()}; }
  /// Anything with a member function `as_argument()`: a container of a front end, for instance, which then brings its
  /// array up to date (rule H21).
  template <class T>
  requires makes_argument<T>
  static argument from(const T& object) { return object.as_argument(); }
  /// As above; an object whose `as_argument` takes a `call_site` is told the line of the launch, for its messages.
  template <class T>
  static argument from(const T& object, call_site here) {
    if constexpr (requires { object.as_argument(here); })
      return object.as_argument(here);
    else
      return from(object);
  }
  template <class T>
  requires(!makes_argument<T> && !std::is_base_of_v<array_base, T> && !std::is_base_of_v<value_base, T>) static argument
      from(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "a kernel takes arrays, scalars and trivially copyable structures");
    return {scalar{dtype_of<T>(), bytes_of(value)}};
  }
};

/// A kernel ready to be launched. Copies share it.
class kernel {
 public:
  kernel() = default;
  kernel(std::shared_ptr<runtime::engine> engine, std::shared_ptr<const runtime::kernel_entry> entry);

  /// Runs the kernel as if on one big device; returns at once. Arguments are as in the kernel's signature: arrays for
  /// pointers (or nullptr), anything else by value, converted to the parameter's type. A parameter that is no pointer
  /// also takes a `value` or an array of rank 0 of its own type, which the kernel loads where it runs; not if the
  /// kernel is native. Throws `argument_error`.
  template <class... Args>
  void launch(const launch_options& settings, const Args&... args) const {
    const std::array<argument, sizeof...(Args)> list{argument::from(args, settings.site())...};
    launch_with(settings, list);
  }
  /// As `launch`, with a list of arguments made at run time.
  void launch_with(const launch_options& settings, std::span<const argument> args) const;

  /// How the launch would be split, placed and fed now, as text; nothing runs.
  template <class... Args>
  [[nodiscard]] std::string explain(const launch_options& settings, const Args&... args) const {
    const std::array<argument, sizeof...(Args)> list{argument::from(args, settings.site())...};
    return explain_with(settings, list);
  }
  [[nodiscard]] std::string explain_with(const launch_options& settings, std::span<const argument> args) const;
  /// In which form CPU devices run it, and why; empty for native kernels, and where there are no CPU devices.
  [[nodiscard]] std::string tier() const;

  /// Replaces the contents of a `__constant__` or `__device__` variable of the kernel's file (rule H34), for launches
  /// from now on: those made before see what it held before. All kernels of the same text share it. `contents` are as
  /// many elements as the variable has, row by row, of its type; on several ranks all give the same. Returns at once,
  /// except where only a compiled kernel tells the variable's size. Throws `argument_error`.
  template <class Range>
  requires std::ranges::contiguous_range<const Range>
  void set(std::string_view variable, const Range& contents, call_site here = call_site::current()) const {
    const std::span elements(std::ranges::data(contents), std::ranges::size(contents));
    set_bytes(variable, std::as_bytes(elements), dtype_of<std::ranges::range_value_t<const Range>>(), here);
  }
  template <class T>
  void set(std::string_view variable, std::initializer_list<T> contents, call_site here = call_site::current()) const {
    set(variable, std::span<const T>(contents.begin(), contents.size()), here);
  }
  /// For a variable that is no array; a scalar is converted to its type.
  template <class T>
  requires(!std::ranges::contiguous_range<const T>) void set(std::string_view variable, const T& value,
                                                             call_site here = call_site::current()) const {
    set_value(variable, {dtype_of<T>(), bytes_of(value)}, here);
  }
  /// The contents of a variable behind all calls made before, on every rank; waits for them. Throws `argument_error`.
  template <class T>
  [[nodiscard]] std::vector<T> get(std::string_view variable, call_site here = call_site::current()) const {
    const std::vector<std::byte> bytes = get_bytes(variable, dtype_of<T>(), here);
    std::vector<T> result(bytes.size() / sizeof(T));
    std::copy_n(reinterpret_cast<const T*>(bytes.data()), result.size(), result.begin());
    return result;
  }

  [[nodiscard]] const std::string& name() const;
  /// For front ends that make launch requests; null if no kernel was loaded.
  [[nodiscard]] const std::shared_ptr<const runtime::kernel_entry>& entry() const { return entry_; }

 private:
  void set_bytes(std::string_view variable, std::span<const std::byte> contents, const dtype& type,
                 call_site here) const;
  void set_value(std::string_view variable, const argument::scalar& value, call_site here) const;
  [[nodiscard]] std::vector<std::byte> get_bytes(std::string_view variable, const dtype& type, call_site here) const;

  std::shared_ptr<runtime::engine> engine_;
  std::shared_ptr<const runtime::kernel_entry> entry_;
};

}  // namespace tessera
