#include <doctest/doctest.h>

#include <vector>

#include "tests/nd/support.h"

using namespace tessera::support;

/// Errors, and what is told of launches, name the line of the program, also where an operator stands in it.

namespace {

std::string place(ts::call_site here = ts::call_site::current()) {
  return here.file + (":" + std::to_string(here.line) + ": ");
}

/// True if `call`, which stands in the same line, throws an error that begins with the line.
template <class Call>
bool is_placed(Call call, ts::call_site here = ts::call_site::current()) {
  const std::string message = message_of(call);
  if (message.starts_with(place(here)) && message.find("never assigned") != std::string::npos) return true;
  MESSAGE("line " << here.line << ", the error is: " << message);
  return false;
}

}  // namespace

// Each line has a call with an array that was never assigned, which is `n`; `a` is one that was.
#define REFUSES(...) CHECK(is_placed([&] { static_cast<void>(__VA_ARGS__); }))

TEST_CASE("operators and members name their line") {
  for_each_setting([] {
    const nd::array n, a = nd::zeros<float>({3, 4});
    REFUSES(n + a);
    REFUSES(a - n);
    REFUSES(n * 2);
    REFUSES(2 / n);
    REFUSES(n == a);
    REFUSES(1 < n);
    REFUSES(-n);
    REFUSES(~n);
    REFUSES(a += n);
    REFUSES(n *= 2);
    REFUSES(n(0));
    REFUSES(n(nd::all, 1));
    REFUSES(n(nd::new_axis));
    REFUSES(a(n).elements());
    REFUSES(n(a > 0).elements());
    CHECK(is_placed([&] { n(0) = 1; }));
    CHECK(is_placed([&] { a(0) = n; }));
    CHECK(is_placed([&] { a(a > 0) = n; }));
    CHECK(is_placed([&] { a(n) = 1; }));
    CHECK(is_placed([&] { n.assign(1); }));
    REFUSES(n.shape());
    REFUSES(n.rank());
    REFUSES(n.size());
    REFUSES(n.type());
    REFUSES(n.split());
    REFUSES(n.transpose());
    REFUSES(n.reshape({1}));
    REFUSES(n.sum());
    REFUSES(n.prod());
    REFUSES(n.min());
    REFUSES(n.max());
    REFUSES(n.mean());
    REFUSES(n.var());
    REFUSES(n.std());
    REFUSES(n.argmin());
    REFUSES(n.argmax());
    REFUSES(n.item<float>());
    REFUSES(n.read<float>());
    REFUSES(n.engine_array());
    CHECK(is_placed([&] { nd::eval({a, n}); }));
    CHECK(is_placed([&] { nd::fetch({a, n}); }));
    REFUSES(nd::explain(n));
  });
}

TEST_CASE("functions name their line") {
  for_each_setting([] {
    const nd::array n, a = nd::zeros<float>({3, 4});
    REFUSES(nd::exp(n));
    REFUSES(nd::add(a, n));
    REFUSES(nd::equal(n, 1));
    REFUSES(nd::where(a > 0, n, 1));
    REFUSES(nd::clip(n, 0, 1));
    REFUSES(nd::clip(a, std::nullopt, n));
    REFUSES(nd::pow(n, 2));
    REFUSES(nd::as_type(n, ts::scalar_kind::int8));
    REFUSES(nd::copy(n));
    REFUSES(nd::broadcast_to(n, {3}));
    REFUSES(nd::empty_like(n));
    REFUSES(nd::zeros_like(n));
    REFUSES(nd::tril(n));
    REFUSES(nd::diag(n));
    REFUSES(nd::meshgrid({a(0), n}));
    REFUSES(nd::any(n));
    REFUSES(nd::all(n));
    REFUSES(nd::count_nonzero(n));
    REFUSES(nd::trace(n));
    REFUSES(nd::cumulative_sum(n));
    REFUSES(nd::cumulative_max(n));
    REFUSES(nd::diff(n));
    REFUSES(nd::gradient(n));
    REFUSES(nd::isclose(n, 1));
    REFUSES(nd::isclose(a, n));
    REFUSES(nd::nan_to_num(n));
    REFUSES(nd::isposinf(n));
    REFUSES(nd::isneginf(n));
    REFUSES(nd::fmax(n, a));
    REFUSES(nd::deg2rad(n));
    REFUSES(nd::heaviside(n, 0));
    REFUSES(nd::float_power(n, 2));
    REFUSES(nd::take(n, nd::arange(2)));
    REFUSES(nd::take(a, n));
    REFUSES(nd::take_along_axis(n, a));
    REFUSES(nd::take_along_axis(a, n));
    REFUSES(nd::compress(n, a));
    REFUSES(nd::compress(a > 0, n));
    REFUSES(nd::nonzero(n));
    REFUSES(nd::flatnonzero(n));
    CHECK(is_placed([&] { nd::put_mask(a, n, 1); }));
    CHECK(is_placed([&] { nd::put_mask(n, a > 0, 1); }));
  });
}

TEST_CASE("functions of shapes name their line") {
  for_each_setting([] {
    const nd::array n, a = nd::zeros<float>({3, 4});
    REFUSES(nd::ravel(n));
    REFUSES(nd::flatten(n));
    REFUSES(nd::permute_dims(n, {0, 1}));
    REFUSES(nd::transpose(n));
    REFUSES(nd::matrix_transpose(n));
    REFUSES(nd::swapaxes(n, 0, 1));
    REFUSES(nd::moveaxis(n, 0, 1));
    REFUSES(nd::squeeze(n));
    REFUSES(nd::squeeze(n, 0));
    REFUSES(nd::expand_dims(n, 0));
    REFUSES(nd::atleast_1d(n));
    REFUSES(nd::atleast_3d(n));
    REFUSES(nd::flip(n));
    REFUSES(nd::flip(n, 0));
    REFUSES(nd::rot90(n));
    REFUSES(nd::diagonal(n));
    REFUSES(nd::broadcast_arrays({a, n}));
    REFUSES(nd::unstack(n));
    REFUSES(nd::split(n, 2));
    REFUSES(nd::array_split(n, 2));
    REFUSES(nd::concat({a, n}));
    REFUSES(nd::stack({a, n}));
    REFUSES(nd::hstack({n, a}));
    REFUSES(nd::vstack({n}));
    REFUSES(nd::tile(n, {2}));
    REFUSES(nd::repeat(n, 2));
    REFUSES(nd::repeat(n, 2, 0));
    REFUSES(nd::roll(n, 1));
    REFUSES(nd::roll(n, {1}, {0}));
    REFUSES(nd::pad(n, {{1, 1}}));
    REFUSES(nd::pad(n, {{1, 1}}, 5));
    REFUSES(nd::pad(n, {{1, 1}}, nd::pad_mode::edge));
    REFUSES(nd::resplit(n, 0));
    REFUSES(nd::redistribute(n, ts::blocks(4)));
    REFUSES(nd::balance(n));
  });
}

TEST_CASE("what was carried out is told with the line of the operation that made it necessary") {
  const ts::context ctx = make_context({"cpu", 0});
  ts::set_default_context(ctx);
  nd::array a = nd::zeros<float>({5000});
  std::string line;
  while (nd::stats().flushes == 0) line = place(), a = a + 1;
  CHECK(nd::stats().recent.back() == line + "512 operations were recorded");
}

TEST_CASE("a place that an array does not have is told with the line that names it") {
  for_each_setting([] {
    const nd::array a = nd::arange(6000), places = nd::arange(5000) * 2;
    std::string line;
    const std::string message =
        message_of([&] { line = place(), static_cast<void>((a(places) + 1).read<std::int64_t>()); });
    CHECK(message.starts_with(line + "index 9998 is beyond axis 0, which has 6000 elements"));
  });
}
