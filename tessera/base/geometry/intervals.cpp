#include "tessera/base/geometry/intervals.h"

#include <algorithm>
#include <limits>
#include <span>

#include "tessera/base/bytes/hash.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera {
namespace {

using row = intervals::row;

constexpr row nothing{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};

row hull(const row& a, const row& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

/// True if `next` begins within or right behind `before`, and not before it, and does not end before it.
bool continues(const row& before, const row& next) {
  return before.lo <= next.lo && next.lo <= before.hi && before.hi <= next.hi;
}

/// Sorts intervals and joins those that touch.
void join(std::vector<row>& rows, std::size_t first) {
  const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
  if (rows.size() - first < 2) return;
  std::sort(begin, rows.end(), [](const row& a, const row& b) { return a.lo < b.lo; });
  auto last = begin;
  for (auto next = begin + 1; next != rows.end(); ++next)
    if (next->lo <= last->hi)
      last->hi = std::max(last->hi, next->hi);
    else
      *++last = *next;
  rows.erase(last + 1, rows.end());
}

}  // namespace

/// Rows without elements are left out. The others form chains: rows of which each continues the one before, so that
/// the union of neighbours in a chain reaches from the beginning of the first to the end of the last.
struct intervals::table {
  std::int64_t size = 0;
  std::vector<row> filled;
  std::vector<std::int64_t> numbers;  ///< Of the rows in `filled`; none if that is all rows.
  std::vector<std::size_t> chains;    ///< Where in `filled` each begins.
  std::vector<row> around;  ///< Around the chains, as a tree of pairs; none if each chain lies behind the one before.
  bool ascends = true;
  std::uint64_t hash = 0;

  explicit table(std::int64_t rows) : size(rows) {}

  void add(std::int64_t number, const row& r) {
    if (r.empty()) return;
    if (numbers.empty() && number != std::ssize(filled)) {
      numbers.reserve(index(size));
      for (std::int64_t k = 0; k < std::ssize(filled); ++k) numbers.push_back(k);
    }
    if (number != std::ssize(filled)) numbers.push_back(number);
    filled.push_back(r);
  }

  void finish() {
    for (std::size_t k = 0; k < filled.size(); ++k) {
      if (k > 0 && continues(filled[k - 1], filled[k])) continue;
      if (k > 0) ascends = ascends && filled[k - 1].hi < filled[k].lo;
      chains.push_back(k);
    }
    if (!ascends) make_tree();
    hash = hash_of(std::as_bytes(std::span(filled)), static_cast<std::uint64_t>(size));
    hash = hash_of(std::as_bytes(std::span(numbers)), hash);
  }

  void make_tree() {
    around.assign(2 * chains.size(), nothing);
    for (std::size_t c = 0; c < chains.size(); ++c)
      around[chains.size() + c] = {filled[chains[c]].lo, filled[end_of(c) - 1].hi};
    for (std::size_t n = chains.size(); n-- > 1;) around[n] = hull(around[2 * n], around[2 * n + 1]);
  }

  [[nodiscard]] std::size_t end_of(std::size_t chain) const {
    return chain + 1 < chains.size() ? chains[chain + 1] : filled.size();
  }
  /// The chain that holds filled row `k`.
  [[nodiscard]] std::size_t chain_of(std::size_t k) const {
    return static_cast<std::size_t>(std::upper_bound(chains.begin(), chains.end(), k) - chains.begin()) - 1;
  }
  /// How many filled rows come before row `number`.
  [[nodiscard]] std::size_t filled_before(std::int64_t number) const {
    if (numbers.empty()) return index(std::clamp<std::int64_t>(number, 0, std::ssize(filled)));
    return static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
  }
  /// The bounds of whole chains, first <= c < last.
  [[nodiscard]] row around_chains(std::size_t first, std::size_t last) const {
    row result = nothing;
    for (first += chains.size(), last += chains.size(); first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) result = hull(result, around[first++]);
      if (last % 2 == 1) result = hull(result, around[--last]);
    }
    return result;
  }
};

intervals::intervals() {
  static const auto none = std::make_shared<const table>(0);
  data_ = none;
}

intervals::intervals(const std::vector<row>& rows) {
  const auto made = std::make_shared<table>(std::ssize(rows));
  made->filled.reserve(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].lo > rows[r].hi)
      throw argument_error(
          cat("row ", r, " of a table of intervals ends before it begins: [", rows[r].lo, ", ", rows[r].hi, ")"));
    made->add(static_cast<std::int64_t>(r), rows[r]);
  }
  made->finish();
  data_ = made;
}

intervals::intervals(std::initializer_list<std::pair<std::int64_t, std::int64_t>> rows) : intervals(rows_of(rows)) {}

std::shared_ptr<const intervals::table> intervals::from_offsets(std::vector<std::int64_t> offsets) {
  const std::int64_t rows = std::max<std::int64_t>(std::ssize(offsets) - 1, 0);
  const auto made = std::make_shared<table>(rows);
  made->filled.reserve(index(rows));
  for (std::int64_t r = 0; r < rows; ++r) {
    const row next{offsets[index(r)], offsets[index(r) + 1]};
    if (next.lo > next.hi)
      throw argument_error(cat("row ", r, " of a table of intervals ends before it begins: offset ", r, " is ", next.lo,
                               ", offset ", r + 1, " is ", next.hi));
    made->add(r, next);
  }
  made->finish();
  return made;
}

void intervals::refuse_number(std::size_t position) {
  throw argument_error(cat("number ", position, " of a table of intervals does not fit 64 bits with a sign"));
}

std::int64_t intervals::size() const { return data_->size; }

row intervals::operator[](std::int64_t number) const {
  const std::size_t k = data_->filled_before(number);
  return k < data_->filled_before(number + 1) ? data_->filled[k] : row{};
}

std::uint64_t intervals::hash() const { return data_->hash; }

bool intervals::operator==(const intervals& other) const {
  const table &a = *data_, &b = *other.data_;
  return &a == &b || (a.hash == b.hash && a.size == b.size && a.filled == b.filled && a.numbers == b.numbers);
}

void intervals::append_union(std::int64_t first, std::int64_t last, row within, std::vector<row>& out) const {
  const table& t = *data_;
  if (first > last || last < 0 || first >= t.size) return;
  std::size_t k = t.filled_before(first);
  const std::size_t end = t.filled_before(std::min(last, t.size - 1) + 1), before = out.size();
  if (k >= end) return;
  for (std::size_t chain = t.chain_of(k); k < end; ++chain) {
    const std::size_t stop = std::min(t.end_of(chain), end);
    const row piece{std::max(t.filled[k].lo, within.lo), std::min(t.filled[stop - 1].hi, within.hi)};
    if (piece.lo < piece.hi) out.push_back(piece);
    k = stop;
  }
  if (!t.ascends) join(out, before);
}

row intervals::bounds(std::int64_t first, std::int64_t last) const {
  const table& t = *data_;
  if (first > last || last < 0 || first >= t.size) return {};
  const std::size_t begin = t.filled_before(first), end = t.filled_before(std::min(last, t.size - 1) + 1);
  if (begin >= end) return {};
  const std::size_t head = t.chain_of(begin), tail = t.chain_of(end - 1);
  if (t.ascends || head == tail || planted("table_taken_as_ascending"))
    return {t.filled[begin].lo, std::max(t.filled[begin].hi, t.filled[end - 1].hi)};
  const row ends =
      hull({t.filled[begin].lo, t.filled[t.end_of(head) - 1].hi}, {t.filled[t.chains[tail]].lo, t.filled[end - 1].hi});
  return hull(ends, t.around_chains(head + 1, tail));
}

bool intervals::ascends() const { return data_->ascends; }

std::int64_t intervals::next_filled(std::int64_t first) const {
  const std::size_t k = data_->filled_before(first);
  if (k >= data_->filled.size()) return data_->size;
  return data_->numbers.empty() ? static_cast<std::int64_t>(k) : data_->numbers[k];
}

}  // namespace tessera
