#include "tests/algo/fuzz/expression/expression_program.h"

#include <tessera/algo.h>

#include <cstring>

#include "tessera/base/text.h"
#include "tests/algo/fuzz/expression/generate.h"
#include "tests/algo/fuzz/expression/record.h"
#include "tests/fuzz/frame/reducer.h"

namespace tessera::fuzz {
namespace {

constexpr std::uint64_t column_seed = 7;  // all programs have the same elements

const std::vector<column_values>& columns() {
  static const std::vector<column_values> made = make_columns(column_seed);
  return made;
}

/// The context of all texts, on a device of the `kind` that the first call names: they share no elements.
context& shared_context(const std::string& kind = "cpu") {
  static context made = [&] {
    options settings;
    settings.devices = kind;
    settings.log = log_level::off;
    return context(settings);
  }();
  return made;
}

struct type_description {
  dtype type;
  std::string text;
};
type_description description(int column) {
  const auto type = static_cast<scalar>(column / columns_per_type);
  return std::visit(
      [&](const auto& x) {
        return type_description{dtype_of<std::remove_cvref_t<decltype(x)>>(), text_of(type)};
      },
      columns()[static_cast<std::size_t>(column)][0]);
}

/// One kernel with all expressions: thread i computes element i of each, as bits.
class kernel_of_trees {
 public:
  explicit kernel_of_trees(const std::vector<tree>& trees) {
    for (const tree& t : trees) add(t);
  }

  [[nodiscard]] std::vector<std::uint64_t> results() const {
    context& ctx = shared_context();
    const auto n = static_cast<std::int64_t>(elements);
    const kernel made = ctx.compile(text(), "expressions");
    array<std::uint64_t> out = ctx.zeros<std::uint64_t>({count_, n});
    std::vector<argument> arguments{argument::from(out)};
    for (std::size_t c = 0; c < columns().size(); ++c) arguments.push_back({column(static_cast<int>(c))});
    for (const algo::op& o : functions_)
      if (o.text->has_state)
        arguments.push_back({argument::scalar{dtype::structure(o.state.size(), o.state_alignment), o.state}});
    made.launch_with({.threads = {n}, .block = {static_cast<std::int64_t>(elements)}}, arguments);
    return out.read();
  }

 private:
  void add(const tree& t) {
    algo::op function = recorded_op(t);
    if (definitions_.find(cat("struct ", function.text->name, " ")) == std::string::npos)
      definitions_ += function.text->text;
    std::string list;
    for (const node& n : t.nodes)
      if (n.operation == code::parameter) list += cat(list.empty() ? "" : ", ", "c", n.column, "[i]");
    if (function.text->has_state) parameters_ += cat(", ", function.text->type, " f", count_);
    statements_ += cat("  out[", count_ * static_cast<std::int64_t>(elements), " + i] = bits_of(",
                       function.text->has_state ? cat("f", count_) : function.text->type + "{}", "(", list, "));\n");
    functions_.push_back(std::move(function));
    ++count_;
  }

  [[nodiscard]] std::string text() const {
    std::string inputs, reads;
    for (std::size_t c = 0; c < columns().size(); ++c) {
      inputs += cat(", const ", description(static_cast<int>(c)).text, "* c", c);
      reads += cat(", read c", c, "[i]");
    }
    return cat(
        "template <class T> __device__ unsigned long long bits_of(T value) {\n"
        "  union { T value; unsigned long long bits; } both;\n  both.bits = 0;\n  both.value = value;\n"
        "  return both.bits;\n}\n",
        definitions_, "//@tessera global i => write out[:, i]", reads,
        "\n__global__ void expressions(unsigned long long* out", inputs, parameters_,
        ") {\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n", statements_, "}\n");
  }

  static array_base column(int c) {
    const type_description element = description(c);
    std::vector<std::byte> bytes;
    for (const plain_value& value : columns()[static_cast<std::size_t>(c)])
      std::visit(
          [&](const auto& x) {
            const auto each = std::as_bytes(std::span(&x, 1));
            bytes.insert(bytes.end(), each.begin(), each.end());
          },
          value);
    array_base made = shared_context().empty({static_cast<std::int64_t>(elements)}, element.type, automatic(), {});
    made.write_bytes_async(bytes, {}).wait();
    return made;
  }

  std::string definitions_, parameters_, statements_;
  std::vector<algo::op> functions_;
  std::int64_t count_ = 0;
};

/// True if the bits are those of the value, or both are no number.
bool is_value(std::uint64_t bits, const plain_value& wanted) {
  return std::visit(
      [&](const auto& x) {
        std::remove_cvref_t<decltype(x)> got{};
        std::memcpy(&got, &bits, sizeof got);
        if (x != x) return got != got;
        return std::memcmp(&got, &x, sizeof got) == 0;
      },
      wanted);
}

class expression_program final : public random_program {
 public:
  explicit expression_program(std::vector<tree> trees) : trees_(std::move(trees)) {}

  [[nodiscard]] std::optional<failure> run() const override {
    try {
      const std::vector<std::uint64_t> results = kernel_of_trees(trees_).results();
      for (std::size_t t = 0; t < trees_.size(); ++t)
        for (std::size_t k = 0; k < elements; ++k)
          if (!is_value(results[t * elements + k], evaluate(trees_[t], columns(), k).value))
            return failure{cat("what is read is wrong: element ", k, " of\n", text_of(trees_[t])), t,
                           static_cast<std::int64_t>(k)};
      return std::nullopt;
    } catch (const std::exception& e) {
      return failure{cat("an exception: ", e.what()), 0, -1};
    }
  }

  [[nodiscard]] std::string print(const std::optional<failure>& wrong) const override {
    std::string text;
    for (const tree& t : trees_) text += cat(text_of(t), "\n");
    return wrong ? cat(text, "// ", wrong->message, "\n") : text;
  }

  [[nodiscard]] std::unique_ptr<random_program> smaller(const predicate& fails,
                                                        std::chrono::seconds limit) const override {
    reducer<std::vector<tree>> search(
        trees_, [&](std::vector<tree>& p) { return !p.empty() && fails(expression_program(p)); }, limit);
    search.drop_runs([](std::vector<tree> & p) -> auto& { return p; });
    search.repeat([&] {
      bool any = false;
      for (std::size_t k = 0; k < search.best().size(); ++k)
        for (std::size_t earlier = 0; earlier < search.best()[k].result; ++earlier)
          any = search.attempt_change([&](std::vector<tree>& p) {
            if (earlier >= p[k].result || p[k].nodes[earlier].operation == code::number) return false;
            p[k].result = earlier;
            return true;
          }) || any;
      return any;
    });
    return std::make_unique<expression_program>(search.take());
  }

 private:
  std::vector<tree> trees_;
};

}  // namespace

std::unique_ptr<random_program> draw_expressions(std::uint64_t seed, std::uint64_t index, const std::string& kind) {
  static_cast<void>(shared_context(kind));
  return std::make_unique<expression_program>(generate_trees(seed, index, expressions_per_text, columns()));
}

}  // namespace tessera::fuzz
