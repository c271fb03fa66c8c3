// Einstein sums against products and sums of other names.
#include <doctest/doctest.h>

#include "tests/array/on_ranks.h"
#include "tests/nd/linalg/matrices.h"

using namespace tessera::support;

namespace {

void check_same(const nd::array& made, const nd::array& wanted) {
  CHECK(made.shape() == wanted.shape());
  CHECK(made.type() == wanted.type());
  CHECK(made.read<std::int64_t>() == wanted.read<std::int64_t>());
}

void refused(const char* text, std::initializer_list<nd::array> operands, const char* said) {
  try {
    static_cast<void>(nd::einsum(text, operands));
    FAIL("einsum took ", text);
  } catch (const ts::argument_error& e) {
    CHECK_MESSAGE(std::string(e.what()).find(said) != std::string::npos, e.what());
  }
}

}  // namespace

TEST_CASE("an Einstein sum is the products and sums that its letters say") {
  for_each_large_setting([] {
    const nd::array a = nd::arange(12).reshape({3, 4}), b = nd::arange(20).reshape({4, 5}),
                    c = nd::arange(24).reshape({2, 3, 4}), square = nd::arange(9).reshape({3, 3});
    check_same(nd::einsum("ij,jk->ik", {a, b}), nd::matmul(a, b));
    check_same(nd::einsum("ij,jk", {a, b}), nd::matmul(a, b));
    check_same(nd::einsum("ij,jk->ki", {a, b}), nd::matmul(a, b).transpose());
    check_same(nd::einsum("bij,jk->bik", {c, b}), nd::matmul(c, b));
    check_same(nd::einsum("...ij,jk", {c, b}), nd::matmul(c, b));
    check_same(nd::einsum("ii", {square}), nd::trace(square));
    check_same(nd::einsum("ii->i", {square}), nd::diagonal(square));
    check_same(nd::einsum("ba", {a}), a.transpose());
    check_same(nd::einsum("ij->j", {a}), a.sum(0));
    check_same(nd::einsum("ij,ij->i", {a, a}), nd::vecdot(a, a));
    check_same(nd::einsum("i,j", {nd::arange(3), nd::arange(4)}), nd::outer(nd::arange(3), nd::arange(4)));
    check_same(nd::einsum("ij,jk,kl->il", {a, b, b.transpose()}), nd::matmul(a, nd::matmul(b, b.transpose())));
    check_same(nd::einsum("ij,,j->i", {a, nd::full({}, 2, ts::scalar_kind::int64), nd::arange(4)}),
               2 * nd::matmul(a, nd::arange(4)));
  });
}

TEST_CASE("texts that do not fit their operands are refused") {
  const nd::array a = nd::zeros<double>({2, 3});
  refused("ij,jk->ik", {a}, "names 2 operands");
  refused("ijk->i", {a}, "names 3 axes");
  refused("i->i", {a}, "names 1 axes");
  refused("ij->k", {a}, "which no operand has");
  refused("ij->ii", {a}, "twice");
  refused("i1->i", {a}, "holds '1'");
  refused("ij,jk->ik", {a, a}, "have 3 and 2 elements");
  refused("ii->i", {a}, "of one operand have 2 and 3");
  refused("...i->i", {a}, "'...'");
}
