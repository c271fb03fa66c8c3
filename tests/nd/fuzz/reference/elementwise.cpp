#include "tests/nd/fuzz/reference/elementwise.h"

#include <cstring>

#include "tessera/base/index.h"
#include "tests/nd/fuzz/reference/element_functions.h"

namespace tessera::fuzz {
namespace {

using list = std::vector<std::int64_t>;

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  for (std::size_t n = 0; n < values.size(); ++n) {
    T each;
    std::memcpy(&each, &bytes[n * sizeof(T)], sizeof(T));
    values[n] = each;
  }
  return values;
}

template <class To, class Get>
plain_array filled(scalar_kind type, const list& shape, Get get) {
  plain_array made = plain_array::made(type, shape);
  for (std::size_t n = 0; n < index(made.size()); ++n) {
    const To each = get(n);
    std::memcpy(made.memory->data() + n * sizeof(To), &each, sizeof(To));
  }
  return made;
}

/// The argument with the shape and the type that the function computes in.
plain_array prepared(const argument_value& given, const list& shape, scalar_kind type) {
  if (!given.is_number) return repeated(converted(given.array, type), shape);
  if (!can_write(type, given.number)) throw invalid_step("a number that is none of the type beside it");
  return repeated(one_element(given.number, type), shape);
}

list shape_of(std::span<const argument_value> arguments) {
  list shape;
  for (const argument_value& each : arguments)
    if (!each.is_number) shape = met_shape(shape, each.array.shape);
  return shape;
}

bool is_question(function f) {
  switch (f) {
    case function::isnan:
    case function::isinf:
    case function::isfinite:
    case function::logical_not:
    case function::logical_and:
    case function::logical_or:
    case function::logical_xor:
    case function::equal:
    case function::not_equal:
    case function::less:
    case function::less_equal:
    case function::greater:
    case function::greater_equal:
      return true;
    default:
      return false;
  }
}

plain_array chosen(std::span<const argument_value> arguments) {
  const list shape = shape_of(arguments);
  const scalar_kind type = met_type(arguments.subspan(1));
  const std::vector<bool> condition =
      values_of<bool>(repeated(converted(arguments[0].array, scalar_kind::boolean), shape).bytes());
  const auto first = prepared(arguments[1], shape, type).bytes(), second = prepared(arguments[2], shape, type).bytes();
  plain_array made = plain_array::made(type, shape);
  const std::size_t each = dtype::make(type).size;
  for (std::size_t n = 0; n < condition.size(); ++n)
    std::memcpy(made.memory->data() + n * each, (condition[n] ? first : second).data() + n * each, each);
  return made;
}

plain_array part_of(function f, const plain_array& a) {
  if (!is_complex(a.type)) return f == function::real ? a : plain_array::made(a.type, a.shape);
  return with_kind(part_type(a.type), [&]<class T>() -> plain_array {
    if constexpr (std::is_floating_point_v<T>) {
      const auto values = values_of<std::complex<T>>(a.bytes());
      return filled<T>(part_type(a.type), a.shape,
                       [&](std::size_t n) { return f == function::real ? values[n].real() : values[n].imag(); });
    } else {
      return a;
    }
  });
}

}  // namespace

std::vector<std::byte> element_of(const plain_number& n, scalar_kind type) {
  return with_kind(type, [&]<class T>() {
    T value{};
    switch (n.kind) {
      case plain_number::sort::boolean:
        value = element_as<T>(n.whole != 0);
        break;
      case plain_number::sort::integer:
        value = element_as<T>(n.whole);
        break;
      case plain_number::sort::real:
        value = element_as<T>(n.real);
        break;
      case plain_number::sort::complex:
        value = element_as<T>(std::complex<double>(n.real, n.imaginary));
        break;
    }
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
  });
}

plain_array one_element(const plain_number& n, scalar_kind type) {
  plain_array one = plain_array::made(type, {});
  one.write(element_of(n, type));
  return one;
}

plain_array converted(const plain_array& a, scalar_kind type) {
  if (a.type == type) return a;
  if (is_complex(a.type) && !is_complex(type) && !is_boolean(type))
    throw invalid_step("a complex number as a real one");
  return with_kind(a.type, [&]<class From>() {
    const std::vector<From> values = values_of<From>(a.bytes());
    return with_kind(type, [&]<class To>() {
      return filled<To>(type, a.shape, [&](std::size_t n) { return element_as<To>(From(values[n])); });
    });
  });
}

plain_array computed(function f, std::span<const argument_value> arguments) {
  if (f == function::where) return chosen(arguments);
  if (f == function::clip) {
    const argument_value least{false, {}, computed(function::maximum, arguments.first(2))};
    const std::array both{least, arguments[2]};
    return computed(function::minimum, both);
  }
  const std::optional<function_types> types = types_of(f, met_type(arguments));
  if (!types) throw invalid_step("a function that does not exist for a type");
  if (f == function::real || f == function::imag) return part_of(f, arguments[0].array);
  const list shape = shape_of(arguments);
  const plain_array a = prepared(arguments[0], shape, types->computed);
  const plain_array b = arguments.size() > 1 ? prepared(arguments[1], shape, types->computed) : a;
  return with_kind(types->computed, [&]<class T>() -> plain_array {
    const std::vector<T> x = values_of<T>(a.bytes()), y = values_of<T>(b.bytes());
    if (is_question(f))
      return filled<bool>(types->result, shape, [&](std::size_t n) { return answer_of<T>(f, x[n], y[n]); });
    if (f == function::make_complex) {
      if constexpr (std::is_floating_point_v<T>)
        return filled<std::complex<T>>(types->result, shape,
                                       [&](std::size_t n) { return std::complex<T>(x[n], y[n]); });
    }
    return filled<T>(types->result, shape, [&](std::size_t n) { return value_of<T>(f, x[n], y[n]); });
  });
}

}  // namespace tessera::fuzz
