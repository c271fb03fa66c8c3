#pragma once

#include <string>
#include <vector>

#include "tessera/algo/exec/emit/emission.h"

namespace tessera::algo {

/// Values of segments and how they are combined, on the devices alone.
struct segment_values {
  sequence heads;   ///< Flags of type bool: true for the first elements of segments.
  sequence values;  ///< Of type `type`.
  op combine;
  std::string type;
  dtype element;
  sequence headed;  ///< The values with their heads, of type `headed_type`.
  op within;        ///< Combines those.
  std::string headed_type;
  dtype headed_element;
};

/// Writes the combined values of each segment to `out`, whose elements are of type `result`, and beside them the
/// elements of `others` that `ends` keeps, the last ones of segments, to `to`. Elements are combined in an order that
/// depends on their number alone. Three launches and those of a scan of one value per chunk; returns at once. Throws
/// `argument_error` as `emission::write`.
void write_reduced(const emission& ends, const segment_values& segments, const operand& out, const std::string& result,
                   const std::vector<sequence>& others, const std::vector<operand>& to);

}  // namespace tessera::algo
