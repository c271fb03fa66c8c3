#include "tessera/kernel/index/sum.h"

#include <utility>
#include <vector>

namespace tessera::kernels {
namespace {

/// Reads sums of the form blockIdx.D * blockDim.D + threadIdx.D, whatever the order. Every reader returns whether it
/// succeeded and moves on only then.
class sum_reader {
 public:
  sum_reader(std::span<const token> code, const alias_table& aliases) : code_(code), aliases_(aliases) {}

  std::optional<index_sum> read(std::size_t begin) {
    at_ = begin;
    wide_ = false;
    std::vector<index_atom> first;
    std::vector<index_atom> second;
    if (!term(first) || !take("+")) return std::nullopt;
    const bool first_is_wide = std::exchange(wide_, false);
    if (!term(second)) return std::nullopt;
    const std::vector<index_atom>& product = first.size() == 2 ? first : second;
    const std::vector<index_atom>& single = first.size() == 2 ? second : first;
    if (product.size() != 2 || single.size() != 1 || single[0].kind != index_kind::thread) return std::nullopt;
    const bool block_and_size = product[0].kind != product[1].kind && product[0].kind != index_kind::thread &&
                                product[1].kind != index_kind::thread;
    if (!block_and_size || product[0].axis != single[0].axis || product[1].axis != single[0].axis) return std::nullopt;
    return index_sum{at_, single[0].axis, first.size() == 2 ? first_is_wide : wide_};
  }

 private:
  [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const {
    return at_ + ahead < code_.size() ? code_[at_ + ahead].text : std::string_view{};
  }
  bool take(std::string_view text) {
    if (peek() != text) return false;
    ++at_;
    return true;
  }

  // threadIdx.x, a product, or one of them in parentheses behind casts that keep 32 bits.
  bool term(std::vector<index_atom>& out) {
    const std::size_t start = at_;
    const bool was_wide = wide_;
    if (plain_term(out)) return true;
    out.clear();
    at_ = start;
    wide_ = was_wide;
    casts();
    const bool widened = wide_ != was_wide;
    if (widened || !take("(") || !plain_term(out) || !take(")")) return false;
    return true;
  }

  bool plain_term(std::vector<index_atom>& out) {
    if (peek() == "__mul24" || peek() == "__umul24") {
      ++at_;
      return take("(") && factor(out) && take(",") && factor(out) && take(")");
    }
    if (!factor(out)) return false;
    return !take("*") || factor(out);
  }

  bool factor(std::vector<index_atom>& out) {
    if (++depth_ > deepest) return --depth_, false;
    casts();
    const bool parentheses = take("(");
    const bool good = (parentheses ? factor(out) && take(")") : atom(out)) && finish_casts();
    --depth_;
    return good;
  }

  bool atom(std::vector<index_atom>& out) {
    if (const auto kind = kind_of(peek()); kind && peek(1) == "." && axis_of(peek(2)) >= 0) {
      out.push_back({*kind, axis_of(peek(2))});
      at_ += 3;
      return true;
    }
    const auto alias = aliases_.find(peek());
    if (alias == aliases_.end() || peek(1) == "." || peek(1) == "(") return false;
    out.push_back(alias->second);
    ++at_;
    return true;
  }

  // (int), (size_t), static_cast<long long>( : any number of them. `int(x)` counts as well.
  void casts() {
    while (true) {
      const std::size_t start = at_;
      const bool is_static = peek() == "static_cast";
      if (is_static ? peek(1) != "<" : peek() != "(") return;
      at_ += is_static ? 2 : 1;
      bool wide = false;
      std::size_t words = 0;
      for (; is_narrow_word(peek()) || is_wide_word(peek()); ++words, ++at_) wide = wide || is_wide_word(peek());
      const bool closed = words > 0 && (is_static ? take(">") && take("(") : take(")"));
      if (!closed) {
        at_ = start;
        return;
      }
      if (is_static) ++open_casts_;
      wide_ = wide_ || wide;
    }
  }
  bool finish_casts() {
    for (; open_casts_ > 0; --open_casts_)
      if (!take(")")) return open_casts_ = 0, false;
    return true;
  }

  static constexpr int deepest = 16;
  std::span<const token> code_;
  const alias_table& aliases_;
  std::size_t at_ = 0;
  int open_casts_ = 0;
  int depth_ = 0;
  bool wide_ = false;
};

}  // namespace

int axis_of(std::string_view member) { return member == "x" ? 0 : member == "y" ? 1 : member == "z" ? 2 : -1; }

std::optional<index_kind> kind_of(std::string_view word) {
  if (word == "threadIdx") return index_kind::thread;
  if (word == "blockIdx") return index_kind::block;
  if (word == "blockDim") return index_kind::block_size;
  return std::nullopt;
}

bool is_narrow_word(std::string_view t) {
  return t == "int" || t == "unsigned" || t == "signed" || t == "uint" || t == "int32_t" || t == "uint32_t";
}

bool is_wide_word(std::string_view t) {
  return t == "long" || t == "size_t" || t == "int64_t" || t == "uint64_t" || t == "ptrdiff_t" || t == "ssize_t";
}

std::optional<index_sum> read_index_sum(std::span<const token> code, std::size_t begin, const alias_table& aliases) {
  return sum_reader(code, aliases).read(begin);
}

}  // namespace tessera::kernels
