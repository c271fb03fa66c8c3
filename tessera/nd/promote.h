#pragma once

#include <cstdint>

#include "tessera/base/dtype.h"

namespace tessera::nd {

/// The type in which two arrays meet: the table of the Array API standard, and where it has no entry (integers with
/// floats, the largest unsigned with signed) NumPy's. float16 with bfloat16 gives float32. Not for structures.
[[nodiscard]] scalar_kind promoted(scalar_kind a, scalar_kind b);

/// The narrowest float type in which functions of numbers compute those of `type`: float16 for integers of 8 bits,
/// float32 for 16 bits, else float64; a float or complex type itself.
[[nodiscard]] scalar_kind float_for(scalar_kind type);

/// A plain number of the program. It has no type of its own beside an array.
enum class weak_kind : std::uint8_t { boolean, integer, real, complex };

/// The type in which an array and a plain number meet: the array's, unless the number is of a higher sort: a real
/// beside integers gives `default_float`, a complex number beside floats the complex type of their precision.
[[nodiscard]] scalar_kind promoted(scalar_kind array, weak_kind number,
                                   scalar_kind default_float = scalar_kind::float64);

/// True if results of type `from` may be written into an array of type `to` in place: within a sort of numbers
/// (NumPy's `same_kind`), or from a lower one to a higher one.
[[nodiscard]] bool can_store(scalar_kind to, scalar_kind from);

}  // namespace tessera::nd
