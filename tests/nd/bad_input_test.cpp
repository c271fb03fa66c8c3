#include <doctest/doctest.h>

#include <vector>

#include "tests/nd/plain_array.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;

/// Errors are thrown by the call that is wrong, and say its line and what was given.

namespace {

/// True if the call, which stands in the same line, throws an error that names the line and has `text`; reports the
/// error otherwise.
template <class Call>
bool throws(const std::string& text, Call call, ts::call_site here = ts::call_site::current()) {
  const std::string message = message_of(call), place = here.file + (":" + std::to_string(here.line) + ": ");
  if (message.starts_with(place) && message.find(text, place.size()) != std::string::npos) return true;
  MESSAGE("the error is: " << message);
  return false;
}

/// For calls whose result does not matter.
template <class T>
void drop(const T&) {}

}  // namespace

TEST_CASE("shapes that do not fit are named") {
  for_each_setting([] {
    const nd::array a = nd::zeros<float>({3, 4}), b = nd::zeros<float>({3});
    CHECK(throws("shapes {3, 4} and {3} do not fit: 4 and 3 elements on axis -1", [&] { drop(a + b); }));
    CHECK(throws("shapes {3, 4} and {3} do not fit", [&] { drop(nd::where(a > 0, b, a)); }));
    CHECK(throws("shape {3} cannot be repeated to {3, 4}", [&] { drop(nd::broadcast_to(b, {3, 4})); }));
    CHECK(throws("shape {3} cannot be repeated to {3, 4}", [&] { a.assign(b); }));
    CHECK(throws("shape {3, 4} cannot be repeated to {4}", [&] { a(0) += a; }));
    CHECK(throws("12 elements cannot have the shape {5, -1}", [&] { drop(a.reshape({5, -1})); }));
    CHECK(throws("12 elements cannot have the shape {7}", [&] { drop(a.reshape({7})); }));
    CHECK(throws("the shape {-1, -1} has two open extents", [&] { drop(a.reshape({-1, -1})); }));
    CHECK(throws("shapes {3, 4} and {3} cannot be joined along axis 0", [&] { drop(nd::concat({a, b})); }));
    CHECK(throws("shapes {3, 4} and {2, 4} cannot be joined along axis 1", [&] {
      drop(nd::concat({a, nd::zeros<float>({2, 4})}, 1));
    }));
    CHECK(throws("shapes {3} and {4}", [&] { drop(nd::stack({b, nd::zeros<float>({4})})); }));
    CHECK(throws("concat of no arrays", [&] { drop(nd::concat(std::span<const nd::array>())); }));
    CHECK(throws("split of 4 elements into 3 equal parts", [&] { drop(nd::split(a, 3, 1)); }));
    CHECK(throws("array_split into 0 parts", [&] { drop(nd::array_split(a, 0)); }));
    CHECK(throws("3 elements for an array of the shape {2}", [&] { drop(nd::from<int>({2}, std::array{1, 2, 3})); }));
    CHECK(throws("axis 0 cannot be left out: it has 3 elements", [&] { drop(nd::squeeze(a, 0)); }));
    CHECK(throws("meshgrid of an array with 2 axes", [&] { drop(nd::meshgrid({a})); }));
    CHECK(throws("diag of an array with 0 axes", [&] { drop(nd::diag(nd::zeros<int>({}))); }));
    CHECK(throws("gradient along axis 0 of 1 elements", [&] { drop(nd::gradient(nd::zeros<float>({1}), 1, 0)); }));
  });
}

TEST_CASE("axes and places that an array does not have are named") {
  for_each_setting([] {
    const nd::array a = nd::zeros<float>({3, 4});
    CHECK(throws("axis 2 of an array with 2 axes", [&] { drop(nd::flip(a, 2)); }));
    CHECK(throws("axis -3 of an array with 2 axes", [&] { drop(nd::concat({a, a}, -3)); }));
    CHECK(throws("axis 3 of an array with 3 axes", [&] { drop(nd::expand_dims(a, 3)); }));
    CHECK(throws("axis -2 is named twice", [&] { drop(nd::flip(a, {0, -2})); }));
    CHECK(throws("a permutation of 1 axes for an array with 2", [&] { drop(nd::permute_dims(a, {0})); }));
    CHECK(throws("moveaxis of 2 axes to 1 places", [&] { drop(nd::moveaxis(a, {0, 1}, 0)); }));
    CHECK(throws("matrix_transpose of an array with 1 axes", [&] { drop(nd::matrix_transpose(a(0))); }));
    CHECK(throws("a diagonal of an array with 1 axes", [&] { drop(nd::diagonal(a(0))); }));
    CHECK(throws("roll by 3 distances along 2 axes", [&] { drop(nd::roll(a, {1, 2, 3}, {0, 1})); }));
    CHECK(throws("pad with 3 widths for an array with 2 axes", [&] { drop(nd::pad(a, {{1, 1}, {1, 1}, {1, 1}})); }));
    CHECK(throws("index 3 is beyond axis 0, which has 3 elements", [&] { drop(a(3)); }));
    CHECK(throws("index -5 is beyond axis 1, which has 4 elements", [&] { drop(a(0, -5)); }));
    CHECK(throws("3 indices for an array with 2 axes", [&] { drop(a(0, 0, 0)); }));
    CHECK(throws("slice ::0: the step of a slice is not 0", [&] { drop(a(nd::_(nd::end, nd::end, 0))); }));
    CHECK(throws("axis 2 of an array with 2 axes", [&] { drop(nd::sum(a, 2)); }));
    CHECK(throws("axis -3 of an array with 2 axes", [&] { drop(a.mean({0, -3})); }));
    CHECK(throws("axis 2 of an array with 2 axes", [&] { drop(a.max(2)); }));
    CHECK(throws("axis 5 of an array with 2 axes", [&] { drop(nd::argmin(a, 5)); }));
    CHECK(throws("axis -3 of an array with 2 axes", [&] { drop(nd::any(a, -3)); }));
    CHECK(throws("axis 2 of an array with 2 axes", [&] { drop(nd::all(a, {0, 2})); }));
    CHECK(throws("axis 2 of an array with 2 axes", [&] { drop(nd::count_nonzero(a, 2)); }));
    CHECK(throws("axis 2 of an array with 2 axes", [&] { drop(nd::cumulative_sum(a, 2)); }));
    CHECK(throws("axis 0 is named twice", [&] { drop(a.var({0, 0})); }));
    CHECK(throws("argmax along 2 axes: give one", [&] { drop(nd::argmax(a, {0, 1})); }));
    CHECK(throws("axis 2 of an array with 2 axes", [&] { drop(nd::take(a, nd::arange(3), 2)); }));
    CHECK(throws("9 axes", [&] { drop(nd::expand_dims(nd::zeros<int>({1, 1, 1, 1, 1, 1, 1, 1}), 0)); }));
  });
}

TEST_CASE("extents and counts that cannot be are named") {
  for_each_setting([] {
    CHECK(throws("an array of the shape {2, -1} has a negative extent", [] { drop(nd::zeros<float>({2, -1})); }));
    CHECK(throws("the number of elements of an array", [] { drop(nd::zeros<float>({1ll << 40, 1ll << 40})); }));
    CHECK(throws("the bytes of an array", [] { drop(nd::zeros<double>({1ll << 61})); }));
    CHECK(throws("the bytes of an array", [] { drop(nd::broadcast_to(nd::zeros<double>({}), {1ll << 62}) + 1); }));
    CHECK(throws("linspace of -1 numbers", [] { drop(nd::linspace(0, 1, -1)); }));
    CHECK(throws("arange from -9223372036854775807 to 5: too far", [] { drop(nd::arange(-INT64_MAX, 5)); }));
    CHECK(throws("the step is not 0", [] { drop(nd::arange(0, 5, 0)); }));
    CHECK(throws("repeat of elements -1 times", [] { drop(nd::repeat(nd::zeros<int>({2}), -1, 0)); }));
    CHECK(throws("tile by {-2}", [] { drop(nd::tile(nd::zeros<int>({2}), {-2})); }));
    CHECK(throws("pad by -1 and 0 elements", [] { drop(nd::pad(nd::zeros<int>({2}), {{-1, 0}})); }));
    CHECK(throws("pad with edges of axis 0", [] { drop(nd::pad(nd::zeros<int>({0}), {{1, 0}}, nd::pad_mode::edge)); }));
    CHECK(throws("diff -1 times", [] { drop(nd::diff(nd::zeros<int>({2}), -1)); }));
    CHECK(throws("geomspace from -1 to 1", [] { drop(nd::geomspace(-1, 1, 3)); }));
    CHECK(throws("the number of elements of an array", [] { drop(nd::tile(nd::zeros<int>({4}), {1ll << 62})); }));
    CHECK(throws("the number of elements of an array", [] { drop(nd::eye<float>(1ll << 40, 1ll << 40)); }));
  });
}

TEST_CASE("no elements have no least and no place of it") {
  for_each_setting([] {
    const nd::array none = nd::zeros<float>({0}), rows = nd::zeros<float>({3, 0});
    CHECK(throws("min of no elements: the shape is {0}", [&] { drop(nd::min(none)); }));
    CHECK(throws("max of no elements: the shape is {3, 0}", [&] { drop(rows.max(1)); }));
    CHECK(throws("argmin of no elements: the shape is {0}", [&] { drop(nd::argmin(none)); }));
    CHECK(throws("argmax of no elements: the shape is {3, 0}", [&] { drop(rows.argmax(-1)); }));
    CHECK(throws("argmin of no elements: the shape is {3, 0}", [&] { drop(rows.argmin()); }));
    CHECK(rows.max(0).shape() == extents{0});
    CHECK(rows.argmax(0, true).shape() == extents{1, 0});
  });
}

TEST_CASE("masks and places that do not fit are named") {
  for_each_setting([] {
    const nd::array a = nd::arange(12).reshape({3, 4});
    CHECK(throws("a mask of the shape {3} and type bool for an array of the shape {3, 4}",
                 [&] { drop(a(nd::arange(3) == 0).elements()); }));
    CHECK(throws("a mask of the shape {4} and type bool", [&] { a(nd::arange(4) == 0) = 1; }));
    CHECK(throws("elements chosen by an array of int64 cannot be written", [&] { a(nd::arange(2)) = 1; }));
    CHECK(throws("elements chosen by an array of int64 cannot be written", [&] { a(nd::arange(2)) += 1; }));
    CHECK(throws("places of type float32: they are integers", [&] { drop(a(nd::zeros<float>({2})) + 1); }));
    CHECK(throws("elements of type float64 for an array of int64", [&] { a(a > 3) *= 0.5; }));
    CHECK(throws("a float64 number for an array of int64", [&] { a(a > 3) = 0.5; }));
    CHECK(throws("cannot be repeated to {3, 4}", [&] { a(a > 3) = nd::zeros<int>({5, 3, 4}); }));
  });
}

TEST_CASE("types that a function does not have are named") {
  for_each_setting([] {
    const nd::array real = nd::zeros<float>({3}), truths = nd::zeros<bool>({3}), whole = nd::zeros<int>({3}),
                    complex = nd::zeros<std::complex<float>>({3});
    CHECK(throws("bitwise_and does not exist for float32", [&] { drop(real & real); }));
    CHECK(throws("less does not exist for complex64", [&] { drop(complex < real); }));
    CHECK(throws("subtract does not exist for bool", [&] { drop(truths - truths); }));
    CHECK(throws("negative does not exist for bool", [&] { drop(-truths); }));
    CHECK(throws("floor does not exist for complex64", [&] { drop(nd::floor(complex)); }));
    CHECK(throws("add of two numbers", [&] { drop(nd::add(1, 2)); }));
    CHECK(throws("exp of a number", [&] { drop(nd::exp(1.0)); }));
    CHECK(throws("elements of type float64 for an array of int32", [&] { whole += 0.5; }));
    CHECK(throws("elements of type float64 for an array of int32", [&] { whole /= 2; }));
    CHECK(throws("elements of type complex64 for an array of float32", [&] { real *= complex; }));
    CHECK(throws("a float64 number for an array of int32", [&] { whole(0) = 1.5; }));
    CHECK(throws("a complex128 number for an array of float32", [&] { real.assign(std::complex(1.0, 2.0)); }));
    CHECK(throws("the number 300 is none of uint8", [] { drop(nd::full({2}, 300, scalar_kind::uint8)); }));
    CHECK(throws("the number -1 is none of uint8", [] { drop(nd::zeros<std::uint8_t>({2}) + -1); }));
    CHECK(throws("the number 18446744073709551615 is none of int64", [] { drop(nd::arange(2) * UINT64_MAX); }));
    CHECK(throws("the number 128 is none of int8", [] { nd::zeros<std::int8_t>({2})(0) = 128; }));
    CHECK(throws("elements of type complex64 cannot become float32; real() and imag()",
                 [&] { drop(nd::as_type(complex, scalar_kind::float32)); }));
    CHECK(throws("elements of type complex64 cannot become float64", [&] { drop(complex(0).item<double>()); }));
    CHECK(throws("reading float64 of an array of float32", [&] { drop(real.read<double>()); }));
    nd::generator rng(1);
    CHECK(throws("not int32", [&] { drop(rng.uniform({2}, 0, 1, scalar_kind::int32)); }));
    CHECK(throws("the number 256 is none of uint8", [&] { drop(rng.integers(0, 257, {2}, scalar_kind::uint8)); }));
    CHECK(throws("integers of type float32", [&] { drop(rng.integers(0, 5, {2}, scalar_kind::float32)); }));
    CHECK(throws("integers from 5 to 5", [&] { drop(rng.integers(5, 5, {2})); }));
    CHECK(throws("uniform from 2 to 1", [&] { drop(rng.uniform({2}, 2, 1)); }));
    CHECK(throws("the deviation -1", [&] { drop(rng.normal({2}, 0, -1)); }));
  });
}

TEST_CASE("views that show elements several times are not written") {
  for_each_setting([] {
    const nd::array a = nd::zeros<int>({3});
    const nd::array repeated = nd::broadcast_to(a, {2, 3});
    CHECK(throws("shows elements several times", [&] { repeated += 1; }));
    CHECK(throws("shows elements several times", [&] { repeated.assign(5); }));
    repeated(1) += 1;  // each element once
    CHECK(a.read<int>() == std::vector<int>{1, 1, 1});
  });
}

TEST_CASE("what is asked of arrays must be there") {
  for_each_setting([] {
    const nd::array none, a = nd::zeros<int>({3, 4});
    CHECK(throws("an array that was never assigned", [&] { drop(none.shape()); }));
    CHECK(throws("never assigned", [&] { drop(none + a); }));
    CHECK(throws("never assigned", [&] { drop(nd::concat({a, none})); }));
    CHECK(throws("never assigned", [&] { drop(none.read<int>()); }));
    CHECK(throws("never assigned", [&] { a.assign(none); }));
    CHECK(throws("item() of an array with 12 elements", [&] { drop(a.item<int>()); }));
    CHECK(throws("a kernel takes whole arrays, not views", [&] { drop(a(0).engine_array()); }));
    CHECK(throws("a kernel takes whole arrays, not views", [&] { drop(a.transpose().engine_array()); }));
    CHECK(throws("a layout of 2 axes for an array with 1", [] { drop(nd::zeros<int>({3}, {.split = {0, 1}})); }));
    CHECK(throws("axis 2 of an array with 1", [] { drop(nd::zeros<int>({3}, {.split = 2})); }));
    CHECK(throws("a layout names axis 0 twice", [] { drop(nd::zeros<int>({3, 3}, {.split = {0, 0}})); }));
    CHECK(throws("a layout of 2 axes for an array with 1", [&] { drop(nd::resplit(a(0), {0, 1})); }));
  });
}

TEST_CASE("arrays of two contexts do not meet, unless one is a host value") {
  const ts::context first = make_context({"cpu", 0}), second = make_context({"cpu*2", 0});
  const nd::array a = nd::zeros<int>({5000}, {.ctx = first}), b = nd::zeros<int>({5000}, {.ctx = second});
  CHECK(throws("the arrays belong to different contexts", [&] { drop(a + b); }));
  CHECK(throws("the arrays belong to different contexts", [&] { drop(nd::concat({a, b})); }));
  CHECK(throws("the arrays belong to different contexts", [&] { a.assign(b); }));
  CHECK(throws("the arrays belong to different contexts", [&] { a += b; }));
  nd::eval({a + 1, b + 1});  // each where it belongs
  const ts::context with_host = make_context({"cpu", 256 << 10});
  const nd::array small = nd::ones<int>({5}, {.ctx = with_host});
  CHECK((a(nd::_(0, 5)) + small).read<int>() == std::vector<int>(5, 1));
  b(nd::_(0, 5)) = small;
  CHECK(b(4).item<int>() == 1);
  nd::fetch({a, b});
  CHECK((a + b)(4).item<int>() == 1);
}
