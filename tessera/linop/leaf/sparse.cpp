#include "tessera/linop/leaf/sparse.h"

#include <algorithm>
#include <string>

#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/linop/leaf/sparse_kernel.h"
#include "tessera/linop/step/prepare.h"
#include "tessera/runtime/array_record.h"

namespace tessera::linop {
namespace {

void require_matrix(const csr_matrix& m, const std::string& name) {
  if (m.rows < 0 || m.columns < 0) throw argument_error(cat(name, ": a matrix of ", m.rows, " x ", m.columns));
  if (m.offsets.size() != index(m.rows) + 1 || m.offsets.front() != 0)
    throw argument_error(cat(name, ": ", m.rows, " rows have ", m.rows + 1,
                             " offsets, the first of them 0, but there are ", m.offsets.size()));
  if (!std::is_sorted(m.offsets.begin(), m.offsets.end()))
    throw argument_error(cat(name, ": offsets of rows must not descend"));
  if (index(m.offsets.back()) != m.places.size() || (!m.values.empty() && m.values.size() != m.places.size()))
    throw argument_error(cat(name, ": the offsets end at ", m.offsets.back(), ", but there are ", m.places.size(),
                             " columns and ", m.values.size(), " values"));
  for (std::size_t k = 0; k < m.places.size(); ++k)
    if (m.places[k] < 0 || m.places[k] >= m.columns)
      throw argument_error(cat(name, ": entry ", k, " is in column ", m.places[k], ", but there are ", m.columns));
}

csr_matrix transposed(const csr_matrix& m) {
  csr_matrix t{m.columns, m.rows, std::vector<std::int64_t>(index(m.columns) + 1, 0),
               std::vector<std::int64_t>(m.places.size()), std::vector<std::complex<double>>(m.values.size())};
  for (const std::int64_t c : m.places) ++t.offsets[index(c) + 1];
  for (std::size_t c = 0; c < index(m.columns); ++c) t.offsets[c + 1] += t.offsets[c];
  std::vector<std::int64_t> next(t.offsets.begin(), t.offsets.end() - 1);
  for (std::int64_t r = 0; r < m.rows; ++r)
    for (std::int64_t k = m.offsets[index(r)]; k < m.offsets[index(r) + 1]; ++k) {
      const auto to = index(next[index(m.places[index(k)])]++);
      t.places[to] = r;
      if (!m.values.empty()) t.values[to] = m.values[index(k)];
    }
  return t;
}

array_base list_array(context& ctx, const std::vector<std::int64_t>& numbers) {
  // Launches take no array without elements.
  const auto made = ctx.empty<std::int64_t>({std::max<std::int64_t>(static_cast<std::int64_t>(numbers.size()), 1)});
  made.slice({{0, static_cast<std::int64_t>(numbers.size())}}).write(numbers);
  return made;
}

array_base value_array(context& ctx, const std::vector<std::complex<double>>& values, scalar_kind kind) {
  const array_base made =
      ctx.empty({std::max<std::int64_t>(static_cast<std::int64_t>(values.size()), 1)}, dtype::make(kind));
  const array_base part = made.slice({{0, static_cast<std::int64_t>(values.size())}});
  const auto write = [&](auto sample) {
    using element = decltype(sample);
    std::vector<element> list;
    for (const std::complex<double>& z : values)
      if constexpr (std::is_floating_point_v<element>)
        list.push_back(static_cast<element>(z.real()));
      else
        list.push_back(element(static_cast<typename element::value_type>(z.real()),
                               static_cast<typename element::value_type>(z.imag())));
    part.write_bytes(std::as_bytes(std::span(std::as_const(list))));
  };
  if (kind == scalar_kind::float32) write(float{});
  if (kind == scalar_kind::float64) write(double{});
  if (kind == scalar_kind::complex64) write(std::complex<float>{});
  if (kind == scalar_kind::complex128) write(std::complex<double>{});
  return made;
}

sparse_rows rows_of(context& ctx, const csr_matrix& m, scalar_kind kind) {
  sparse_rows made;
  made.rows = m.rows;
  made.columns = m.columns;
  made.offsets = list_array(ctx, m.offsets);
  made.places = list_array(ctx, m.places);
  if (!m.values.empty()) made.values = value_array(ctx, m.values, kind);
  made.entries = intervals(m.offsets);
  std::vector<intervals::row> reach(index(m.rows));
  for (std::size_t r = 0; r < reach.size(); ++r)
    for (std::int64_t k = m.offsets[r]; k < m.offsets[r + 1]; ++k) {
      const std::int64_t c = m.places[index(k)];
      reach[r] = reach[r].empty() ? intervals::row{c, c + 1}
                                  : intervals::row{std::min(reach[r].lo, c), std::max(reach[r].hi, c + 1)};
    }
  made.reach = intervals(reach);
  return made;
}

class sparse_leaf final : public leaf {
 public:
  sparse_leaf(const std::string& name, const signature& s, context ctx, const csr_matrix& matrix, scalar_kind kind)
      : leaf(name, s), is_real_(matrix.values.empty() || !is_complex_kind(kind)), kind_(kind) {
    require_matrix(matrix, text());
    if (!is_element_kind(kind))
      throw argument_error(
          cat(text(), ": values of type ", to_string(dtype::make(kind)), " are no numbers of operators"));
    has_values_ = !matrix.values.empty();
    forward_ = rows_of(ctx, matrix, kind);
    backward_ = rows_of(ctx, transposed(matrix), kind);
  }
  using leaf::know;

  void relate(named_extents& sizes) const override {
    leaf::relate(sizes);
    relate_product(sizes, dimensions().in, forward_.columns);
    relate_product(sizes, dimensions().out, forward_.rows);
  }
  [[nodiscard]] scalar_kind result_kind(scalar_kind from, bool) const override {
    return has_values_ ? common_kind(from, kind_) : from;
  }

  void run(const leaf_call& call, bool is_adjoint) const override {
    const application& of = call.of;
    const sparse_rows& m = is_adjoint ? backward_ : forward_;
    if (m.offsets.record()->owner != of.x.record()->owner)
      throw argument_error(cat("x and the matrix of ", text(), " belong to different contexts"));
    if (of.x.size() == 0 || m.columns == 0) return run_step(call.make_step(), of.here);
    array_base x = of.x;
    if (!is_contiguous(x)) {
      x = make_array(of.x, of.x.shape(), of.x.type().kind, of.here);
      run_axpby(1, of.x, 0, x, of.here);
    }
    const bool conjugated = is_adjoint && !is_real_;
    if (is_contiguous(of.y)) return run_rows(m, conjugated, of.alpha, x, of.beta, of.y, of.here);
    const array_base y = make_array(of.x, of.y.shape(), of.y.type().kind, of.here);
    run_rows(m, conjugated, 1, x, 0, y, of.here);
    call.finish(y);
  }

 private:
  /// The product of the sizes of `list` is `volume`.
  void relate_product(named_extents& sizes, const dims& list, std::int64_t volume) const {
    std::int64_t known = 1;
    const dim* open = nullptr;
    for (const dim& d : list) {
      if (sizes[d] >= 0) {
        known *= sizes[d];
        continue;
      }
      if (open != nullptr) return;
      open = &d;
    }
    if (open != nullptr && known > 0 && volume % known == 0) return sizes.set(*open, volume / known, text());
    if (open != nullptr || known != volume)
      throw argument_error(cat(text(), ": (", to_string(list), ") have ", known, " elements",
                               open != nullptr ? " each" : "", ", but the matrix has ", volume));
  }

  bool is_real_, has_values_ = false;
  scalar_kind kind_;
  sparse_rows forward_, backward_;
};

}  // namespace

csr_matrix csr_of(std::int64_t rows, std::int64_t columns, const std::vector<coo_entry>& entries) {
  std::vector<coo_entry> sorted = entries;
  std::stable_sort(sorted.begin(), sorted.end(), [](const coo_entry& a, const coo_entry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  csr_matrix m{rows, columns, std::vector<std::int64_t>(index(std::max<std::int64_t>(rows, 0)) + 1, 0), {}, {}};
  const coo_entry* before = nullptr;
  for (const coo_entry& e : sorted) {
    if (e.row < 0 || e.row >= rows)
      throw argument_error(cat("sparse: an entry is in row ", e.row, ", but there are ", rows));
    if (before != nullptr && before->row == e.row && before->column == e.column) {
      m.values.back() += e.value;
      continue;
    }
    ++m.offsets[index(e.row) + 1];
    m.places.push_back(e.column);
    m.values.push_back(e.value);
    before = &e;
  }
  for (std::size_t r = 0; r + 1 < m.offsets.size(); ++r) m.offsets[r + 1] += m.offsets[r];
  return m;
}

op sparse(context ctx, const csr_matrix& matrix, std::string_view dimensions, const sparse_options& options) {
  const auto [in, out] = parse_arrow(dimensions, "sparse");
  auto made = std::make_shared<sparse_leaf>("sparse", signature{in, out}, std::move(ctx), matrix, options.kind);
  dims all = in;
  all.insert(all.end(), out.begin(), out.end());
  for (const auto& [name, size] : options.sizes) {
    const dim d = parse_dim(name);
    if (place_of(d, all) < 0) throw argument_error(cat(made->text(), " has no dimension ", name, suggestion(d, all)));
    made->know(d, size);
  }
  return make_op(made);
}

op sampling(context ctx, const std::vector<std::int64_t>& places, std::int64_t size, std::string_view dimensions) {
  const auto [in, out] = parse_arrow(dimensions, "sampling");
  csr_matrix m{static_cast<std::int64_t>(places.size()), size, {}, places, {}};
  for (std::int64_t r = 0; r <= m.rows; ++r) m.offsets.push_back(r);
  return make_leaf<sparse_leaf>("sampling", signature{in, out}, std::move(ctx), m, scalar_kind::float32);
}

op sampling(context ctx, const std::vector<bool>& mask, const extents& shape, std::string_view dimensions) {
  const auto [in, out] = parse_arrow(dimensions, "sampling");
  const std::int64_t size = box::whole(shape).volume();
  if (static_cast<std::int64_t>(mask.size()) != size || shape.rank() != static_cast<int>(in.size()))
    throw argument_error(cat("sampling(", dimensions, "): a mask of ", mask.size(), " elements for the shape ",
                             to_string(shape), " of (", to_string(in), ")"));
  csr_matrix m{0, size, {0}, {}, {}};
  for (std::size_t k = 0; k < mask.size(); ++k)
    if (mask[k]) {
      m.places.push_back(static_cast<std::int64_t>(k));
      m.offsets.push_back(++m.rows);
    }
  auto made = std::make_shared<sparse_leaf>("sampling", signature{in, out}, std::move(ctx), m, scalar_kind::float32);
  for (std::size_t k = 0; k < in.size(); ++k) made->know(in[k], shape[static_cast<int>(k)]);
  return make_op(made);
}

}  // namespace tessera::linop
