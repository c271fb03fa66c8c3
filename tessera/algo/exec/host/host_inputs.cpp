#include "tessera/algo/exec/host/host_inputs.h"

#include "tessera/algo/exec/call_text.h"

namespace tessera::algo {
namespace {

using kind = bound_argument::kind;

/// How many parameters of the kernel an argument takes.
int parameters_of(const bound_argument& a, int axes) {
  switch (a.as) {
    case kind::index:
      return 0;
    case kind::element:
      return axes < 2 ? 1 : axes;
    case kind::container:
    case kind::row:
    case kind::column:
      return 1 + 2 * a.parameter->axes;
    default:
      return 1;
  }
}

std::int64_t last_index(const host_position& p) { return p.at[p.axes < 2 ? 0 : p.axes - 1]; }

}  // namespace

host_inputs::host_inputs(const call& bound, int axes, int first)
    : function_(bound.function->host.called()), end_(first) {
  for (const bound_argument& a : bound.arguments) {
    inputs_.push_back({a.as, end_, a.parameter->axes, a.given == nullptr ? 1 : a.given->element.size});
    end_ += parameters_of(a, axes);
  }
}

host_argument host_inputs::argument_at(const native_call& native, const input& in, const host_position& p) const {
  host_argument made;
  if (in.as == kind::index) {
    made.axes = in.axes;
    if (in.axes == 1) {
      for (int k = 0; k < p.axes; ++k) made.index[0] = (k == 0 ? 0 : made.index[0] * p.extents[k]) + p.at[k];
      if (p.axes == 0) made.index[0] = p.at[0];
    } else {
      for (int k = 0; k < p.axes; ++k) made.index[k] = p.at[k];
    }
    return made;
  }
  if (in.as == kind::counting || in.as == kind::uniform) {
    made.data = native.scalar_bytes(in.parameter).data();
    made.counts = in.as == kind::counting;
    made.index[0] = last_index(p);
    return made;
  }
  const native_array& a = native.array(in.parameter);
  made.data = a.data;
  switch (in.as) {
    case kind::element:
      for (int k = 0; k + 1 < p.axes; ++k) made.data += p.at[k] * a.strides[k];
      made.data += last_index(p) * in.bytes;
      made.step = in.bytes;
      return made;
    case kind::row_element:
      made.data += (p.axes == 0 ? p.segment : p.at[0]) * in.bytes;
      return made;
    case kind::column_element:
      made.data += (p.axes == 0 ? p.at[0] - p.first : p.at[1]) * in.bytes;
      made.step = in.bytes;
      return made;
    default:
      break;
  }
  for (int k = 0; k < in.axes; ++k) {
    made.sizes[k] = native.scalar<std::int64_t>(in.parameter + 1 + 2 * k);
    made.strides[k] = native.scalar<std::int64_t>(in.parameter + 2 + 2 * k);
  }
  if (in.as == kind::row) {
    made.data += p.at[0] * made.strides[0] * in.bytes;
    made.step = p.axes < 2 ? made.strides[0] * in.bytes : 0;
  }
  if (in.as == kind::column) {
    made.data += last_index(p) * in.bytes;
    made.step = in.bytes;
  }
  return made;
}

void host_inputs::compute(const native_call& native, const host_position& position, std::int64_t count,
                          std::byte* const* results) const {
  std::vector<host_argument> arguments;
  arguments.reserve(inputs_.size());
  for (const input& in : inputs_) arguments.push_back(argument_at(native, in, position));
  function_.row(function_.function.get(), arguments.data(), count, results);
}

void combine_rows(const host_code& combine, std::int64_t bytes, const std::byte* a, const std::byte* b,
                  std::int64_t count, std::byte* result) {
  host_argument pair[2];
  pair[0].data = a;
  pair[1].data = b;
  pair[0].step = pair[1].step = bytes;
  combine.row(combine.function.get(), pair, count, &result);
}

}  // namespace tessera::algo
