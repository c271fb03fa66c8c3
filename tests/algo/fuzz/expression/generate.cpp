#include "tests/algo/fuzz/expression/generate.h"

#include <limits>
#include <optional>

#include "tests/algo/fuzz/expression/apply.h"
#include "tests/fuzz/frame/random.h"

namespace tessera::fuzz {
namespace {

template <class T>
plain_value element_value(random_source& random, std::size_t k) {
  const T limits[] = {T(0),
                      T(1),
                      std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::lowest(),
                      static_cast<T>(-1),
                      static_cast<T>(std::numeric_limits<T>::max() / T(2)),
                      std::numeric_limits<T>::min()};
  if (k < std::size(limits)) return limits[k];
  if constexpr (std::is_floating_point_v<T>) {
    if (k == 7) return std::numeric_limits<T>::infinity();
    if (k == 8) return std::numeric_limits<T>::quiet_NaN();
    if (k == 9) return -T(0);
    return static_cast<T>(random.in(-4096, 4096)) / T(8);
  } else {
    return static_cast<T>(k % 2 == 0 ? random.in(-40, 40) : static_cast<std::int64_t>(random.bits()));
  }
}

class tree_generator {
 public:
  tree_generator(random_source& random, const std::vector<column_values>& columns)
      : random_(random), columns_(columns) {}

  tree make() {
    for (std::int64_t left = random_.in(1, 3); left > 0; --left) add_parameter();
    const auto wanted = tree_.nodes.size() + static_cast<std::size_t>(random_.log_uniform(14));
    for (int tries = 0; tree_.nodes.size() < wanted && tries < 200; ++tries) attempt();
    tree_.result = tree_.nodes.size() - 1;
    while (is_number(tree_.result)) --tree_.result;
    return tree_;
  }

 private:
  using row = std::array<plain_value, elements>;

  [[nodiscard]] bool is_number(std::size_t k) const { return tree_.nodes[k].operation == code::number; }

  void add(node n, const row& values) {
    tree_.nodes.push_back(n);
    values_.push_back(values);
  }
  void add_parameter() {
    node n;
    n.operation = code::parameter;
    n.type = static_cast<scalar>(random_.in(0, scalar_count - 1));
    n.column = static_cast<int>(n.type) * columns_per_type + static_cast<int>(random_.in(0, columns_per_type - 1));
    add(n, columns_[static_cast<std::size_t>(n.column)]);
  }
  void add_number() {
    node n;
    n.operation = code::number;
    const std::int64_t small = random_.percent(70) ? random_.in(-9, 40) : random_.in(-2'000'000'000, 2'000'000'000);
    const int kind = random_.weighted({5, 2, 3});
    if (kind == 0) n.number = static_cast<int>(small);
    if (kind == 1) n.number = static_cast<unsigned>(small);
    if (kind == 2) n.number = static_cast<double>(small) / 4;
    row same;
    same.fill(n.number);
    add(n, same);
  }

  /// Newer operations are more likely operands, so that expressions become deep.
  std::uint16_t random_operand(bool may_be_number) {
    for (int tries = 0;; ++tries) {
      const std::int64_t last = static_cast<std::int64_t>(tree_.nodes.size()) - 1;
      const auto k = static_cast<std::size_t>(
          random_.percent(50) ? random_.in(std::max<std::int64_t>(0, last - 2), last) : random_.in(0, last));
      if (may_be_number || !is_number(k)) return static_cast<std::uint16_t>(k);
      if (tries > 20) return 0;  // a parameter
    }
  }

  void attempt() {
    if (random_.percent(15)) add_number();
    node n;
    n.operation = static_cast<code>(random_.in(static_cast<int>(code::add), code_count - 1));
    n.type = static_cast<scalar>(random_.in(0, scalar_count - 1));
    const int count = operands_of(n.operation);
    const int first = static_cast<int>(random_.in(0, std::max(count - 1, 0)));  // this one is no number
    for (int k = 0; k < count; ++k)
      n.operands[static_cast<std::size_t>(k)] =
          random_operand(count > 1 && k != first && !(n.operation == code::select && k == 0));
    row values;
    for (std::size_t k = 0; k < elements; ++k) {
      std::array<plain_value, 3> operands{};
      for (int o = 0; o < count; ++o)
        operands[static_cast<std::size_t>(o)] = values_[n.operands[static_cast<std::size_t>(o)]][k];
      const outcome made = evaluate(n, operands);
      if (!made.has_value) return;
      values[k] = made.value;
    }
    add(n, values);
  }

  random_source& random_;
  const std::vector<column_values>& columns_;
  tree tree_;
  std::vector<row> values_;
};

}  // namespace

std::vector<column_values> make_columns(std::uint64_t seed) {
  std::vector<column_values> columns;
  random_source random(seed);
  for (int type = 0; type < scalar_count; ++type)
    for (int n = 0; n < columns_per_type; ++n) {
      column_values made;
      // The second column of a type begins elsewhere, so that limits meet other values.
      for (std::size_t k = 0; k < elements; ++k)
        made[(k + static_cast<std::size_t>(5 * n + type)) % elements] =
            with_scalar(static_cast<scalar>(type), [&]<class T>() { return element_value<T>(random, k); });
      columns.push_back(made);
    }
  return columns;
}

std::vector<tree> generate_trees(std::uint64_t seed, std::uint64_t index, std::size_t count,
                                 const std::vector<column_values>& columns) {
  random_source random = random_source::of_program(seed, index);
  std::vector<tree> trees;
  for (std::size_t k = 0; k < count; ++k) trees.push_back(tree_generator(random, columns).make());
  return trees;
}

}  // namespace tessera::fuzz
