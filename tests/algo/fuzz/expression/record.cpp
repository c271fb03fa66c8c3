#include "tests/algo/fuzz/expression/record.h"

#include "tessera/base/error.h"
#include "tests/algo/fuzz/expression/apply.h"

namespace tessera::fuzz {
namespace {

using recorded_value = std::variant<sym<bool>, sym<signed char>, sym<unsigned short>, sym<int>, sym<unsigned>,
                                    sym<long long>, sym<float>, sym<double>, int, unsigned, double>;

recorded_value number_of(const plain_value& value) {
  if (const int* i = std::get_if<int>(&value)) return *i;
  if (const unsigned* u = std::get_if<unsigned>(&value)) return *u;
  return std::get<double>(value);
}

recorded_value must(std::optional<recorded_value> made) {
  if (!made) throw argument_error("the generator made an operation that C++ does not have");
  return *made;
}

recorded_value selected(const recorded_value& condition, const recorded_value& a, const recorded_value& b) {
  return std::visit(
      [&](const auto& x, const auto& y) -> recorded_value {
        return tessera::select(std::get<sym<bool>>(condition), x, y);
      },
      a, b);
}

recorded_value converted(scalar type, const recorded_value& operand) {
  return std::visit(
      [&](const auto& x) -> recorded_value {
        if constexpr (!algo::is_sym<std::remove_cvref_t<decltype(x)>>)
          throw argument_error("the generator converts a number");
        else
          return with_scalar(type, [&]<class T>() -> recorded_value { return to<T>(x); });
      },
      operand);
}

recorded_value record(const node& n, const std::vector<recorded_value>& values) {
  const auto operand = [&](std::size_t k) -> const recorded_value& { return values[n.operands[k]]; };
  if (n.operation == code::select) return selected(operand(0), operand(1), operand(2));
  if (n.operation == code::convert) return converted(n.type, operand(0));
  if (operands_of(n.operation) == 1)
    return std::visit(
        [&](const auto& x) -> recorded_value {
          if constexpr (algo::is_sym<std::remove_cvref_t<decltype(x)>>)
            return must(apply<recorded_value>(n.operation, x));
          else
            throw argument_error("the generator applies an operation to a number alone");
        },
        operand(0));
  return std::visit(
      [&](const auto& x, const auto& y) -> recorded_value {
        if constexpr (algo::operands<decltype(x), decltype(y)>)
          return must(apply<recorded_value>(n.operation, x, y));
        else
          throw argument_error("the generator applies an operation to numbers alone");
      },
      operand(0), operand(1));
}

}  // namespace

algo::op recorded_op(const tree& t) {
  algo::recording active;
  std::vector<algo::op_parameter> parameters;
  std::vector<recorded_value> values;
  for (const node& n : t.nodes) {
    if (n.operation == code::parameter) {
      const int place = static_cast<int>(parameters.size());
      with_scalar(n.type, [&]<class T>() {
        values.emplace_back(algo::traced_argument(place, std::type_identity<T>()));
        parameters.push_back(algo::traced_parameter(std::type_identity<T>()));
      });
    } else {
      values.push_back(n.operation == code::number ? number_of(n.number) : record(n, values));
    }
  }
  const auto result = std::visit([](const auto& x) { return algo::result_step(x); }, values[t.result]);
  return active.finish(std::move(parameters), {result});
}

}  // namespace tessera::fuzz
