#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/src/bind.h"
#include "python/src/convert/apply.h"
#include "python/src/convert/operand.h"
#include "tessera/base/text.h"
#include "tessera/numeric/library/openblas.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;
namespace linalg = nd::linalg;

/// Results of one factorisation, in their order; the Python files give them names.
template <class Body>
nb::tuple several_of_array(nb::handle a, Body body) {
  const nd::array& x = require_array(a);
  auto made = in_turn([&](call_site here) { return body(x, here); });
  return to_python(std::vector<nd::array>(made.begin(), made.end()));
}

linalg::matrix_order to_matrix_order(nb::handle given) {
  using enum linalg::matrix_order;
  constexpr std::array<std::pair<double, linalg::matrix_order>, 6> numbers{
      {{1, one}, {-1, minus_one}, {2, two}, {-2, minus_two}, {INFINITY, infinity}, {-INFINITY, minus_infinity}}};
  const std::string_view name = nb::isinstance<nb::str>(given) ? nb::cast<std::string_view>(given) : std::string_view();
  if (given.is_none() || name == "fro") return frobenius;
  if (name == "nuc") return nuclear;
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr()))
    for (const auto& [value, order] : numbers)
      if (value == PyFloat_AsDouble(given.ptr())) return order;
  throw argument_error(
      cat("matrix_norm: ord=", nb::repr(given).c_str(), "; it is 'fro', 'nuc', 1, -1, 2, -2, inf or -inf"));
}

/// A function with a tolerance: none, a number, or an array with one for each matrix.
template <class Function>
nb::object with_tolerance(nb::handle a, nb::handle rtol, Function function) {
  if (is_array(rtol.ptr()))
    return of_two_arrays(a, rtol,
                         [&](const nd::array& x, const nd::array& t, call_site here) { return function(x, t, here); });
  std::optional<double> value;
  if (!rtol.is_none()) {
    value = PyFloat_AsDouble(rtol.ptr());
    if (*value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  }
  return of_array(a, [&](const nd::array& x, call_site here) { return function(x, value, here); });
}

void bind_products(nb::module_& m) {
  m.def("matmul", [](nb::handle a, nb::handle b) {
    return of_two_arrays(a, b,
                         [](const nd::array& x, const nd::array& y, call_site here) { return nd::matmul(x, y, here); });
  });
  m.def("tensordot", [](nb::handle a, nb::handle b, int count) {
    return of_two_arrays(
        a, b, [&](const nd::array& x, const nd::array& y, call_site here) { return nd::tensordot(x, y, count, here); });
  });
  m.def("tensordot_over", [](nb::handle a, nb::handle b, nb::handle of_a, nb::handle of_b) {
    const nd::axis_list first = to_axes(of_a), second = to_axes(of_b);
    return of_two_arrays(a, b, [&](const nd::array& x, const nd::array& y, call_site here) {
      return nd::tensordot(x, y, first, second, here);
    });
  });
  m.def("vecdot", [](nb::handle a, nb::handle b, int axis) {
    return of_two_arrays(
        a, b, [&](const nd::array& x, const nd::array& y, call_site here) { return nd::vecdot(x, y, axis, here); });
  });
  m.def("outer", [](nb::handle a, nb::handle b) {
    return of_two_arrays(a, b,
                         [](const nd::array& x, const nd::array& y, call_site here) { return nd::outer(x, y, here); });
  });
  m.def("cross", [](nb::handle a, nb::handle b, int axis) {
    return of_two_arrays(
        a, b, [&](const nd::array& x, const nd::array& y, call_site here) { return nd::cross(x, y, axis, here); });
  });
  m.def("einsum", [](const std::string& subscripts, nb::handle list) {
    return of_arrays(list, [&](auto all, call_site here) { return nd::einsum(subscripts, all, here); });
  });
  m.def("trace", [](nb::handle a, std::int64_t offset) {
    return of_array(a, [&](const nd::array& x, call_site here) { return linalg::trace(x, offset, here); });
  });
}

void bind_factorisations(nb::module_& m) {
  m.def("cholesky", [](nb::handle a, bool upper) {
    return of_array(a, [&](const nd::array& x, call_site here) { return linalg::cholesky(x, upper, here); });
  });
  const auto plain = [&m](const char* name, nd::array (*function)(const nd::array&, call_site)) {
    m.def(name, [function](nb::handle a) { return of_array(a, function); });
  };
  plain("det", linalg::det);
  plain("inv", linalg::inv);
  plain("eigvalsh", linalg::eigvalsh);
  plain("eigvals", linalg::eigvals);
  plain("svdvals", linalg::svdvals);
  m.def("solve", [](nb::handle a, nb::handle b) {
    return of_two_arrays(
        a, b, [](const nd::array& x, const nd::array& y, call_site here) { return linalg::solve(x, y, here); });
  });
  m.def("slogdet", [](nb::handle a) {
    return several_of_array(a, [](const nd::array& x, call_site here) {
      const auto made = linalg::slogdet(x, here);
      return std::array{made.sign, made.logabsdet};
    });
  });
  m.def("qr", [](nb::handle a, bool is_complete) {
    return several_of_array(a, [&](const nd::array& x, call_site here) {
      const auto made = linalg::qr(x, is_complete ? linalg::qr_mode::complete : linalg::qr_mode::reduced, here);
      return std::array{made.Q, made.R};
    });
  });
  m.def("eigh", [](nb::handle a) {
    return several_of_array(a, [](const nd::array& x, call_site here) {
      const auto made = linalg::eigh(x, here);
      return std::array{made.eigenvalues, made.eigenvectors};
    });
  });
  m.def("eig", [](nb::handle a) {
    return several_of_array(a, [](const nd::array& x, call_site here) {
      const auto made = linalg::eig(x, here);
      return std::array{made.eigenvalues, made.eigenvectors};
    });
  });
  m.def("svd", [](nb::handle a, bool full_matrices) {
    return several_of_array(a, [&](const nd::array& x, call_site here) {
      const auto made = linalg::svd(x, full_matrices, here);
      return std::array{made.U, made.S, made.Vh};
    });
  });
}

void bind_derived(nb::module_& m) {
  m.def("matrix_power", [](nb::handle a, std::int64_t n) {
    return of_array(a, [&](const nd::array& x, call_site here) { return linalg::matrix_power(x, n, here); });
  });
  m.def(
      "pinv",
      [](nb::handle a, nb::handle rtol) {
        return with_tolerance(
            a, rtol, [](const nd::array& x, const auto& t, call_site here) { return linalg::pinv(x, t, here); });
      },
      nb::arg(), nb::arg().none());
  m.def(
      "matrix_rank",
      [](nb::handle a, nb::handle rtol) {
        return with_tolerance(
            a, rtol, [](const nd::array& x, const auto& t, call_site here) { return linalg::matrix_rank(x, t, here); });
      },
      nb::arg(), nb::arg().none());
  m.def(
      "matrix_norm",
      [](nb::handle a, bool keepdims, nb::handle order) {
        const linalg::matrix_order by = to_matrix_order(order);
        return of_array(a,
                        [&](const nd::array& x, call_site here) { return linalg::matrix_norm(x, keepdims, by, here); });
      },
      nb::arg(), nb::arg(), nb::arg().none());
  m.def(
      "vector_norm",
      [](nb::handle a, nb::handle axes, bool keepdims, double order) {
        const nd::axis_list along = to_axes(axes);
        return of_array(a, [&](const nd::array& x, call_site here) {
          return linalg::vector_norm(x, along, keepdims, order, here);
        });
      },
      nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
}

}  // namespace

void bind_linalg(nb::module_& module) {
  bind_products(module);
  bind_factorisations(module);
  bind_derived(module);
  // The file of LAPACK, None without one, and whether it is OpenBLAS.
  module.def("lapack", [] {
    const numeric::openblas& found = numeric::openblas::find();
    return nb::make_tuple(found.library().is_open() ? nb::cast(found.library().text()) : nb::none(),
                          found.has_products());
  });
}

}  // namespace tessera::python
