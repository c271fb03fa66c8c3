#include "tessera/nd/emit/meanwhile.h"

#include <algorithm>
#include <cstring>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

using source = group_parameter::source;
constexpr std::int64_t unit_elements = 16384;  // of one task of a core

std::vector<kernels::expression::value> results_of(const group& made) {
  std::vector<kernels::expression::value> list;
  for (const group_output& output : made.outputs) list.push_back(output.value);
  return list;
}

}  // namespace

std::size_t number_offset(const kernels::expression& body, int wanted) {
  std::size_t at = 0;
  for (int k = 0;; ++k) {
    const dtype type = dtype::make(body.constants()[index(k)]);
    at = (at + type.alignment - 1) / type.alignment * type.alignment;
    if (k == wanted) return at;
    at += type.size;
  }
}

group_function::group_function(const group& made, const launch_space& space)
    : group_function(made, space, results_of(made)) {}

group_function::group_function(const group& made, const launch_space& space,
                               std::span<const kernels::expression::value> results)
    : layout_{space.axes(), space.has_window()},
      places_(made),
      parameters_(made.parameters),
      body_(std::make_shared<kernels::evaluator>(made.body, results)) {
  for (const array_access& a : made.accesses)
    accesses_.push_back({places_.arrays + a.array, size_of(made.arrays[index(a.array)].type)});
}

group_function::call_space::call_space(const group_function& owner, const native_call& call)
    : owner_(owner), call_(call) {
  const std::span<const std::byte> bytes = call.scalar_bytes(owner.places_.space);
  numbers_.resize(bytes.size() / sizeof(std::int64_t));
  std::memcpy(numbers_.data(), bytes.data(), bytes.size());
}

std::byte* group_function::call_space::address(int access, std::span<const std::int64_t> at) const {
  std::int64_t element = numbers_[owner_.layout_.first(access)];
  for (std::size_t j = 0; j < at.size(); ++j)
    element += at[j] * numbers_[owner_.layout_.stride(access, static_cast<int>(j))];
  const auto& a = owner_.accesses_[index(access)];
  return call_.array(a.parameter).data + element * static_cast<std::int64_t>(a.size);
}

std::int64_t group_function::call_space::step(int access) const {
  return numbers_[owner_.layout_.stride(access, owner_.axes() - 1)] *
         static_cast<std::int64_t>(owner_.accesses_[index(access)].size);
}

void group_function::run(const call_space& at, std::span<const std::int64_t> place, std::int64_t count,
                         std::span<const kernels::evaluator::target> targets, const sequence_values& known) const {
  if (count <= 0) return;
  // Those that are not there are not needed.
  const auto entry = [](std::span<const kernels::evaluator::source> list, int which, std::int64_t position) {
    kernels::evaluator::source from = index(which) < list.size() ? list[index(which)] : kernels::evaluator::source{};
    if (from.data != nullptr) from.data += position * from.stride;
    return from;
  };
  thread_local std::vector<kernels::evaluator::source> sources;
  sources.clear();
  for (const group_parameter& p : parameters_) {
    if (p.from == source::element)
      sources.push_back({at.address(p.which, place), at.step(p.which), 0});
    else if (p.from == source::scalar)
      sources.push_back({at.call().scalar_bytes(places_.scalars + p.which).data(), 0, 0});
    else if (p.from == source::position)
      sources.push_back({nullptr, known.step, known.position});
    else if (p.from == source::result)
      sources.push_back(entry(known.results, p.which, 0));
    else if (p.from == source::kept)
      sources.push_back(entry(known.kept, p.which, known.position));
    else if (p.which == axes() - 1)
      sources.push_back({nullptr, 1, place.back()});
    else
      sources.push_back({nullptr, 0, place[index(p.which)]});
  }
  const std::span<const std::byte> numbers =
      places_.numbers < 0 ? std::span<const std::byte>() : at.call().scalar_bytes(places_.numbers);
  body_->run(sources, numbers, targets, count);
}

namespace {

/// Of a group whose output is an element of a source that its value tells.
struct gathered_source {
  int source = -1;
  std::size_t numbers = 0;  // bytes in the state of the function
  std::uint32_t size = 1;
};

/// Runs through the tiles of a call.
class pointwise_call {
 public:
  pointwise_call(const group_function& function, const std::vector<int>& outputs, const gathered_source& gathered,
                 int outside, std::uint32_t size, native_call& call)
      : function_(function),
        outputs_(outputs),
        gathered_(gathered),
        outside_(outside),
        size_(size),
        call_(call),
        space_(function, call) {}

  void run() {
    const box& points = call_.points();
    const space_layout& at = function_.numbers();
    const int axes = function_.axes(), last = axes - 1;
    const auto range = [&](int launch_axis, std::int64_t tile, std::int64_t limit) {
      const std::int64_t per_block = launch_axis == 0 ? pointwise_threads : 1;
      if (launch_axis >= points.rank()) return std::pair<std::int64_t, std::int64_t>(0, 1);
      return std::pair(points.lo[launch_axis] / per_block * tile,
                       std::min(ceil_div(points.hi[launch_axis], per_block) * tile, limit));
    };
    std::int64_t depth = 1;
    for (int j = 0; j + 2 < axes; ++j) depth *= space_[at.extent(j)];
    std::tie(x0_, x1_) = range(0, space_[at.tile(0)], space_[at.extent(last)]);
    std::tie(y0_, y1_) = last > 0 ? range(1, space_[at.tile(1)], space_[at.extent(last - 1)])
                                  : std::pair<std::int64_t, std::int64_t>(0, 1);
    std::tie(z0_, z1_) = last > 1 ? range(2, space_[at.tile(2)], depth) : std::pair<std::int64_t, std::int64_t>(0, 1);
    if (x1_ <= x0_ || y1_ <= y0_ || z1_ <= z0_) return;
    const std::int64_t per_row = ceil_div(x1_ - x0_, unit_elements);
    rows_per_unit_ = std::max<std::int64_t>(unit_elements / (x1_ - x0_), 1);
    const std::int64_t rows = (y1_ - y0_) * (z1_ - z0_);
    call_.parallel_for(ceil_div(rows, rows_per_unit_) * per_row, [&](std::int64_t unit) {
      const std::int64_t first = unit / per_row * rows_per_unit_;
      const std::int64_t begin = x0_ + unit % per_row * unit_elements;
      for (std::int64_t row = first; row < std::min(first + rows_per_unit_, rows); ++row)
        run_row(row, begin, std::min(begin + unit_elements, x1_));
    });
  }

 private:
  void run_row(std::int64_t row, std::int64_t begin, std::int64_t end) const {
    const space_layout& at = function_.numbers();
    const int last = function_.axes() - 1;
    std::array<std::int64_t, max_rank> place{};
    if (last > 0) place[index(last - 1)] = y0_ + row % (y1_ - y0_);
    std::int64_t left = z0_ + row / (y1_ - y0_);
    for (int j = last - 2; j >= 0; --j) {
      place[index(j)] = left % space_[at.extent(j)];
      left /= space_[at.extent(j)];
    }
    const auto where = std::span(place).first(index(last + 1));
    if (!at.has_window) return compute(where, begin, end);
    bool inside = true;
    for (int j = 0; j < last; ++j)
      inside = inside && place[index(j)] >= space_[at.window_lo(j)] && place[index(j)] < space_[at.window_hi(j)];
    const bool is_cut = begin > 0 && planted("window_lost_at_cut");
    const std::int64_t lo = !inside ? end : is_cut ? begin : std::clamp(space_[at.window_lo(last)], begin, end);
    const std::int64_t hi = inside ? std::clamp(space_[at.window_hi(last)], lo, end) : end;
    copy(where, begin, lo);
    compute(where, lo, hi);
    copy(where, hi, end);
  }

  void compute(std::span<std::int64_t> place, std::int64_t begin, std::int64_t end) const {
    place.back() = begin;
    if (gathered_.source >= 0) return gather(place, end - begin);
    std::array<kernels::evaluator::target, group::most_outputs> targets;
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      targets[k] = {space_.address(outputs_[k], place), space_.step(outputs_[k])};
    function_.run(space_, place, end - begin, std::span(targets).first(outputs_.size()));
  }

  void gather(std::span<std::int64_t> place, std::int64_t count) const {
    thread_local std::vector<std::int64_t> indices;
    indices.resize(index(std::max<std::int64_t>(count, 0)));
    const kernels::evaluator::target to{reinterpret_cast<std::byte*>(indices.data()), sizeof(std::int64_t)};
    function_.run(space_, place, count, {&to, 1});
    const std::byte* const numbers = call_.scalar_bytes(function_.places().numbers).data() + gathered_.numbers;
    std::array<std::int64_t, 2> known{};  // extent and stride
    std::memcpy(known.data(), numbers, sizeof known);
    std::byte* out = space_.address(outputs_[0], place);
    const std::byte* from = space_.address(gathered_.source, place);
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t at = indices[index(k)] + (indices[index(k)] < 0 ? known[0] : 0);
      const std::int64_t inside = std::clamp<std::int64_t>(at, 0, known[0] - 1);
      std::memcpy(out, from + inside * known[1] * static_cast<std::int64_t>(gathered_.size), gathered_.size);
      out += space_.step(outputs_[0]);
      from += space_.step(gathered_.source);
    }
  }

  void copy(std::span<std::int64_t> place, std::int64_t begin, std::int64_t end) const {
    place.back() = begin;
    std::byte* to = space_.address(outputs_[0], place);
    const std::byte* from = space_.address(outside_, place);
    for (std::int64_t x = begin; x < end; ++x, to += space_.step(outputs_[0]), from += space_.step(outside_))
      std::memcpy(to, from, size_);
  }

  const group_function& function_;
  const std::vector<int>& outputs_;
  const gathered_source& gathered_;
  int outside_;
  std::uint32_t size_;
  native_call& call_;
  group_function::call_space space_;
  std::int64_t x0_ = 0, x1_ = 0, y0_ = 0, y1_ = 1, z0_ = 0, z1_ = 1, rows_per_unit_ = 1;
};

}  // namespace

native_kernel pointwise_function(const group& made, const launch_space& space) {
  std::vector<int> outputs;
  for (const group_output& output : made.outputs) outputs.push_back(output.access);
  const int outside = made.window ? made.parameters[index(made.outside)].which : -1;
  const std::uint32_t size = size_of(made.body.type_of(made.outputs[0].value));
  gathered_source gathered;
  if (const group_output& first = made.outputs[0]; first.source >= 0)
    gathered = {first.source, number_offset(made.body, first.numbers),
                size_of(made.arrays[index(made.accesses[index(first.source)].array)].type)};
  return [function = group_function(made, space), outputs, gathered, outside, size](native_call& call) {
    pointwise_call(function, outputs, gathered, outside, size, call).run();
  };
}

}  // namespace tessera::nd
