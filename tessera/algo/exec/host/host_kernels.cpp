#include "tessera/algo/exec/host/host_kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tessera/algo/exec/fold_text.h"
#include "tessera/algo/exec/host/host_inputs.h"
#include "tessera/algo/exec/map_text.h"
#include "tessera/algo/exec/scan_text.h"
#include "tessera/base/checked.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

constexpr std::int64_t row_elements = 4096;  // that one core computes at a time

/// Blocks of `threads` threads along an axis of the call's points.
std::pair<std::int64_t, std::int64_t> blocks_on(const native_call& native, int axis, std::int64_t threads) {
  const box& points = native.points();
  if (axis >= points.rank()) return {0, 1};
  return {points.lo[axis] / threads, ceil_div(points.hi[axis], threads)};
}

/// The outputs of a map: a parameter each, with distances behind it where the kernel counts axes.
class map_body {
 public:
  map_body(const call& bound, int outputs, int axes)
      : axes_(axes),
        first_output_(std::max(axes, 1)),
        inputs_(bound, axes, first_output_ + outputs * std::max(axes, 1)) {
    for (const op_result& r : bound.text().results) bytes_.push_back(r.element.size);
  }

  void operator()(native_call& native) const {
    host_position start{axes_};
    for (int k = 0; k < std::max(axes_, 1); ++k) start.extents[k] = native.scalar<std::int64_t>(k);
    const std::int64_t per_block = elements_per_thread * native.scalar<std::int64_t>(inputs_.end());
    const auto [first, last] = blocks_on(native, 0, per_block / elements_per_thread);
    const std::int64_t begin = first * per_block,
                       end = std::min(last * per_block, start.extents[std::max(axes_, 1) - 1]);
    const std::int64_t pieces = ceil_div(std::max<std::int64_t>(end - begin, 0), row_elements);
    const auto [y_begin, y_end] = blocks_on(native, 1, 1);
    const auto [z_begin, z_end] = blocks_on(native, 2, 1);
    const std::int64_t ys = y_end - y_begin;
    native.parallel_for(pieces * ys * (z_end - z_begin), [&, y = y_begin, z = z_begin, start](std::int64_t item) {
      const std::int64_t at = begin + item % pieces * row_elements;
      compute(native, start, at, std::min(row_elements, end - at), y + item / pieces % ys, z + item / pieces / ys);
    });
  }

 private:
  void compute(const native_call& native, host_position p, std::int64_t x, std::int64_t count, std::int64_t y,
               std::int64_t z) const {
    p.at[std::max(axes_, 1) - 1] = x;
    if (axes_ >= 2) p.at[axes_ - 2] = y;
    if (axes_ == 3) p.at[0] = z;
    if (axes_ == 4) p.at[0] = z / p.extents[1], p.at[1] = z % p.extents[1];
    std::vector<std::byte*> results;
    for (std::size_t k = 0; k < bytes_.size(); ++k) {
      const native_array& output = native.array(first_output_ + static_cast<int>(k) * std::max(axes_, 1));
      std::byte* to = output.data + x * bytes_[k];
      for (int axis = 0; axis + 1 < axes_; ++axis) to += p.at[axis] * output.strides[axis];
      results.push_back(to);
    }
    inputs_.compute(native, p, count, results.data());
  }

  int axes_;
  int first_output_;
  host_inputs inputs_;
  std::vector<std::int64_t> bytes_;
};

/// Values of one type in a row.
class value_row {
 public:
  value_row(std::int64_t count, std::int64_t bytes) : bytes_(bytes), memory_(static_cast<std::size_t>(count * bytes)) {}
  std::byte* at(std::int64_t k) { return memory_.data() + k * bytes_; }

 private:
  std::int64_t bytes_;
  std::vector<std::byte> memory_;
};

/// Elements of a call and how they are combined.
struct fold_body {
  host_inputs inputs;
  host_code combine;
  std::int64_t bytes;

  void elements(const native_call& native, std::int64_t i, std::int64_t count, std::byte* to, std::int64_t segment = 0,
                std::int64_t first = 0) const {
    host_position p;
    p.at[0] = i;
    p.segment = segment;
    p.first = first;
    inputs.compute(native, p, count, &to);
  }
  void join(const std::byte* a, const std::byte* b, std::int64_t count, std::byte* result) const {
    combine_rows(combine, bytes, a, b, count, result);
  }

  /// One piece of a segment, combined into the first of `lanes`.
  void fold_piece(const native_call& native, std::int64_t begin, std::int64_t count, std::int64_t segment,
                  std::int64_t first, value_row& lanes, value_row& row) const {
    elements(native, begin, std::min<std::int64_t>(count, piece_lanes), lanes.at(0), segment, first);
    for (std::int64_t done = piece_lanes; done < count; done += piece_lanes) {
      const std::int64_t more = std::min<std::int64_t>(piece_lanes, count - done);
      elements(native, begin + done, more, row.at(0), segment, first);
      join(lanes.at(0), row.at(0), more, lanes.at(0));
    }
    for (std::int64_t half = piece_lanes / 2; half > 0; half /= 2)
      if (count > half) join(lanes.at(0), lanes.at(half), std::min(half, count - half), lanes.at(0));
  }

  void fold_segment(const native_call& native, std::int64_t segment) const {
    const std::int64_t n = native.scalar<std::int64_t>(0), length = native.scalar<std::int64_t>(1);
    const std::int64_t first = segment * length, limit = std::min(first + length, n);
    value_row lanes(piece_lanes, bytes), row(piece_lanes, bytes);
    std::byte* const total = native.array(2).data + segment * bytes;
    for (std::int64_t begin = first; begin < limit; begin += piece_elements) {
      fold_piece(native, begin, std::min(piece_elements, limit - begin), segment, first, lanes, row);
      if (begin == first)
        std::memcpy(total, lanes.at(0), static_cast<std::size_t>(bytes));
      else
        join(total, lanes.at(0), 1, total);
    }
  }
};

template <class Body>
void for_blocks(native_call& native, std::int64_t threads, const Body& body) {
  const auto [first, last] = blocks_on(native, 0, threads);
  native.parallel_for(last - first, [&, from = first](std::int64_t k) { body(from + k); });
}

}  // namespace

kernel kernel_for(const context& ctx, const op& function, const op* combine, std::string key,
                  const std::function<kernel_text()>& text, const std::function<native_kernel()>& body) {
  const op& second = combine == nullptr ? function : *combine;
  if (!function.runs_on_host() && !second.runs_on_host()) return cached_kernel(ctx, key, text);
  // Names of types do not tell lambdas of one function apart, their code does.
  for (const op* each : {&function, &second})
    key += cat(" ", each->host.number, " ", reinterpret_cast<std::uintptr_t>(each->host.row));
  const auto make = [&] {
    kernel_text made = text();
    made.host = body();
    return made;
  };
  const std::shared_ptr<kernel_cache>& own = function.host.kernels ? function.host.kernels : second.host.kernels;
  return own ? own->find(ctx, key, make) : cached_kernel(ctx, key, make);  // without one, both are plain values
}

native_kernel host_map(const call& bound, int outputs, int axes) { return map_body(bound, outputs, axes); }

native_kernel host_segment_fold(const call& bound, const op& combine, std::int64_t bytes) {
  return [fold = fold_body{{bound, 0, 3}, combine.host.called(), bytes}](native_call& native) {
    for_blocks(native, piece_lanes, [&](std::int64_t segment) { fold.fold_segment(native, segment); });
  };
}

native_kernel host_column_fold(const op& combine, std::int64_t bytes) {
  return [combine = combine.host.called(), bytes](native_call& native) {
    const std::int64_t rows = native.scalar<std::int64_t>(0), columns = native.scalar<std::int64_t>(1);
    const native_array &part = native.array(2), &x = native.array(3);
    const auto [p_begin, p_end] = blocks_on(native, 1, 1);
    const auto [x_begin, x_end] = blocks_on(native, 0, 256);
    const std::int64_t begin = x_begin * 256, count = std::min(x_end * 256, columns) - begin;
    native.parallel_for(p_end - p_begin, [&, piece_begin = p_begin](std::int64_t k) {
      const std::int64_t piece = piece_begin + k, first = piece * rows_per_piece;
      std::byte* const sums = part.data + piece * part.strides[0] + begin * bytes;
      std::memcpy(sums, x.data + first * x.strides[0] + begin * bytes, static_cast<std::size_t>(count * bytes));
      for (std::int64_t row = first + 1; row < std::min(first + rows_per_piece, rows); ++row)
        combine_rows(combine, bytes, sums, x.data + row * x.strides[0] + begin * bytes, count, sums);
    });
  };
}

native_kernel host_chunk_total(const call& bound, const op& combine, std::int64_t bytes) {
  return [fold = fold_body{{bound, 0, 2}, combine.host.called(), bytes}](native_call& native) {
    const std::int64_t n = native.scalar<std::int64_t>(0);
    for_blocks(native, scan_threads, [&](std::int64_t chunk) {
      const std::int64_t first = chunk * chunk_elements, count = std::min(chunk_elements, n - first);
      value_row values(count, fold.bytes);
      fold.elements(native, first, count, values.at(0));
      for (std::int64_t k = 1; k < count; ++k) fold.join(values.at(0), values.at(k), 1, values.at(0));
      std::memcpy(native.array(1).data + chunk * fold.bytes, values.at(0), static_cast<std::size_t>(fold.bytes));
    });
  };
}

namespace {

/// The running combination of one chunk, in `values`, which holds its elements; `before` comes first, if there is one.
void scan_row(const fold_body& fold, value_row& values, std::int64_t count, const std::byte* before, bool exclusive) {
  const auto size = static_cast<std::size_t>(fold.bytes);
  value_row sum(1, fold.bytes), element(1, fold.bytes);
  if (exclusive) std::memcpy(sum.at(0), before, size);
  for (std::int64_t k = 0; k < count; ++k) {
    std::memcpy(element.at(0), values.at(k), size);
    if (exclusive) std::memcpy(values.at(k), sum.at(0), size);
    if (!exclusive && k == 0 && before == nullptr)
      std::memcpy(sum.at(0), element.at(0), size);
    else
      fold.join(!exclusive && k == 0 ? before : sum.at(0), element.at(0), 1, sum.at(0));
    if (!exclusive) std::memcpy(values.at(k), sum.at(0), size);
  }
}

}  // namespace

native_kernel host_chunk_scan(const call& bound, const op& combine, const op* last, std::int64_t bytes,
                              bool exclusive) {
  const host_code stored = last == nullptr ? host_copy(bytes) : last->host.called();
  const std::int64_t width = last == nullptr ? bytes : last->text->results.at(0).element.size;
  return
      [fold = fold_body{{bound, 0, 3}, combine.host.called(), bytes}, stored, width, exclusive](native_call& native) {
        const std::int64_t n = native.scalar<std::int64_t>(0);
        const std::byte* const carry = native.array(2).data;
        for_blocks(native, scan_threads, [&](std::int64_t chunk) {
          const std::int64_t first = chunk * chunk_elements, count = std::min(chunk_elements, n - first);
          value_row values(count, fold.bytes);
          fold.elements(native, first, count, values.at(0));
          const std::byte* const before = exclusive   ? carry + chunk * fold.bytes
                                          : chunk > 0 ? carry + (chunk - 1) * fold.bytes
                                                      : nullptr;
          scan_row(fold, values, count, before, exclusive);
          host_argument row;
          row.data = values.at(0);
          row.step = fold.bytes;
          std::byte* const out = native.array(1).data + first * width;
          stored.row(stored.function.get(), &row, count, &out);
        });
      };
}

}  // namespace tessera::algo
