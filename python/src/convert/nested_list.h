#pragma once

#include <nanobind/nanobind.h>
#include <tessera/nd.h>

#include <optional>

namespace tessera::python {

/// An array of numbers in lists and tuples, nested to equal depths, or of one number. Its type is the given one, else
/// that of the highest sort of number: bool, int64, the default float, the complex type of its precision. Takes a turn.
/// Throws `argument_error` for lists of different lengths, naming the place, `type_error` for what is no number, and
/// `range_error` for integers that the type does not have.
[[nodiscard]] nd::array array_of_list(nanobind::handle given, std::optional<scalar_kind> type,
                                      const nd::array_options& options);

}  // namespace tessera::python
