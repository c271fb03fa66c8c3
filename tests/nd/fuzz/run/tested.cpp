#include "tests/nd/fuzz/run/tested.h"

#include "tessera/base/index.h"
#include "tests/nd/fuzz/reference/reference.h"
#include "tests/nd/fuzz/run/arrange.h"
#include "tests/nd/fuzz/run/calls.h"

namespace tessera::fuzz {
namespace {

bool writes_target(const step& s) {
  return s.action == verb::assign || s.action == verb::put_mask || s.action == verb::assign_result ||
         s.action == verb::in_place || s.action == verb::repeat;
}

}  // namespace

/// Where handles are kept, everything that ever had one.
nd::array tested::kept(nd::array a) {
  if (keeps_) kept_.push_back(a);
  return a;
}

nd::array tested::get(const part& p) const {
  nd::array a = slots_[index(p.slot)];
  for (const view_call& each : p.views) a = seen(a, each);
  return a;
}

nd::array tested::new_array(const step& s) const {
  const nd::array_options options{layout_of(s), ctx_};
  switch (s.action) {
    case verb::full:
      return nd::full(s.shape, number_of(s.from[0].number), s.type, options);
    case verb::data:
      return nd::from_bytes(s.shape, s.type, data_of(s.type, nd::element_count(s.shape), s.numbers[0]), options);
    case verb::arange:
      return nd::arange(s.numbers[0], s.numbers[1], s.numbers[2], options);
    case verb::eye:
      return nd::eye(s.shape[0], s.shape[1], s.numbers[0], s.type, options, call_site::current());
    default:
      return nd::indices(s.shape, s.axis, options);
  }
}

nd::array tested::called(const step& s) {
  std::array<nd::array, 3> arrays;
  std::vector<nd::operand> list;
  for (int k = 0; k < operands_of(s.called); ++k) {
    const part& p = s.from[index(k)];
    if (p.is_number) {
      list.emplace_back(number_of(p.number));
    } else {
      arrays[index(k)] = kept(get(p));
      list.emplace_back(arrays[index(k)]);
    }
  }
  return kept(call(s.called, list));
}

nd::array tested::result_of(const step& s) {
  switch (s.action) {
    case verb::compute:
      return called(s);
    case verb::reduce:
      return reduced(s, get(s.from[0]));
    case verb::scan:
      return scanned(s, get(s.from[0]));
    case verb::take: {
      const nd::array places = nd::remainder(nd::as_type(get(s.from[1]), scalar_kind::int64), s.numbers[0]);
      return nd::take(get(s.from[0]), places, s.axis);
    }
    case verb::compress:
      return nd::compress(mask_of(get(s.from[1]), get(s.from[0])), get(s.from[0]));
    case verb::arrange: {
      const bool joins = s.arranged == arrangement::concat || s.arranged == arrangement::stack;
      const std::array<nd::array, 2> from{kept(get(s.from[0])), joins ? kept(get(s.from[1])) : nd::array()};
      return arranged(s, from);
    }
    case verb::cast:
      return nd::as_type(get(s.from[0]), s.type);
    case verb::copy:
      return nd::copy(get(s.from[0]));
    case verb::view:
    case verb::alias:
      return get(s.from[0]);
    default:
      return new_array(s);
  }
}

void tested::in_place(const step& s) {
  const nd::array target = get(s.target);
  for (std::int64_t n = 0; n < (s.action == verb::repeat ? s.numbers[0] : 1); ++n) {
    const part& p = s.from[0];
    if (p.is_number)
      change(target, s.called, number_of(p.number));
    else
      change(target, s.called, kept(get(p)));
  }
}

void tested::apply(const step& s) {
  switch (s.action) {
    case verb::drop:
      slots_[index(s.to)] = {};
      return;
    case verb::evaluate:
      return nd::eval({get(s.target)});
    case verb::fetch:
      return nd::fetch({get(s.target)});
    case verb::read:
      return;  // what is compared is read
    case verb::assign:
      if (s.from[0].is_number)
        get(s.target).assign(number_of(s.from[0].number));
      else
        get(s.target).assign(get(s.from[0]));
      break;
    case verb::put_mask: {
      const nd::array target = get(s.target), mask = mask_of(get(s.from[1]), target);
      if (s.from[0].is_number)
        nd::put_mask(target, mask, number_of(s.from[0].number));
      else
        nd::put_mask(target, mask, get(s.from[0]));
      break;
    }
    case verb::assign_result:
      get(s.target).assign(called(s));
      break;
    case verb::in_place:
    case verb::repeat:
      in_place(s);
      break;
    case verb::engine_fill: {
      const nd::array target = get(s.target);
      target.engine_array().fill_bytes(element_of(s.from[0].number, target.type()), call_site::current());
      return;
    }
    default:
      slots_[index(s.to)] = kept(result_of(s));
  }
  if (is_eager_) nd::eval({slots_[index(writes_target(s) ? s.target.slot : s.to)]});
}

}  // namespace tessera::fuzz
