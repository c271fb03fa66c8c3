#pragma once

#include <span>
#include <vector>

#include "tessera/nd/array.h"
#include "tessera/numeric/lapack/factorisation.h"

/// Stacks of matrices: what functions of `linalg` have in common.
namespace tessera::nd::linalg {

/// Elements as factorisations take them: 16-bit floats as float32, integers as float64.
[[nodiscard]] scalar_kind field_of(scalar_kind type);
/// `shape` without its last `count` axes.
[[nodiscard]] extents without_last(const extents& shape, int count);
[[nodiscard]] extents with_last(const extents& stack, std::initializer_list<std::int64_t> more);

/// Throws `argument_error` unless the last two axes are matrices, or square matrices.
void require_matrices(const char* name, const array& a, call_site here);
void require_square(const char* name, const array& a, call_site here);

/// The factorisations of a stack of matrices; `shapes` are those of one result each. `fault` says what a matrix is that
/// LAPACK refuses. Neither the stack nor its matrices are empty. Results have the types of `form.result_types()`.
[[nodiscard]] std::vector<array> factorise(const numeric::factorisation& form, const extents& stack,
                                           std::span<const array> operands, std::span<const extents> shapes,
                                           const char* fault, call_site here);

}  // namespace tessera::nd::linalg
