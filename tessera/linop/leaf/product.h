#pragma once

#include <optional>

#include "tessera/linop/leaf/leaf.h"
#include "tessera/numeric/launch.h"

namespace tessera::linop {

/// A sum of products as products of matrices: what `numeric::launch_product` takes.
struct matrix_form {
  numeric::product_stack stack;
  bool weight_is_left = true;  ///< y = W x; else y = x W.
};

/// The form of y = sum of weight * x, where axes lie such that there is one and it is worth a product.
[[nodiscard]] std::optional<matrix_form> matrix_form_of(const leaf_call& call, const array_base& weight,
                                                        const dims& weight_dims);
/// Computes it; with `conjugated`, with the conjugate of the weight.
void run_product(const leaf_call& call, const array_base& weight, const matrix_form& form, bool conjugated);

}  // namespace tessera::linop
