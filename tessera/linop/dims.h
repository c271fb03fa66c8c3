#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::linop {

/// A named dimension. Those of one name and different numbers (`Nx`, `Nx1`) have one meaning but are not one index.
struct dim {
  std::string name;
  int number = 0;  ///< The digits behind the name; 0: none.
  bool operator==(const dim&) const = default;
};
using dims = std::vector<dim>;

[[nodiscard]] std::string to_string(const dim& d);
/// "Nx Ny"; "()" if there are none.
[[nodiscard]] std::string to_string(const dims& list);

/// One name: letters, digits and underscores, the first one a letter. Throws `argument_error`.
[[nodiscard]] dim parse_dim(std::string_view text);
/// Names with spaces between them, none twice; the words of `context` begin messages. Throws `argument_error`.
[[nodiscard]] dims parse_dims(std::string_view text, std::string_view context);
/// "Nx Ny -> Kx Ky": inputs and outputs. One list without an arrow stands for both.
[[nodiscard]] std::pair<dims, dims> parse_arrow(std::string_view text, std::string_view context);

/// The place of `d`; -1 if it is none of them.
[[nodiscard]] int place_of(const dim& d, const dims& list);
/// ", did you mean Nx?", or which there are, for messages about a dimension that `list` does not have.
[[nodiscard]] std::string suggestion(const dim& d, const dims& list);
/// Of the name of `d`, with the least number that is in none of the lists.
[[nodiscard]] dim unused(const dim& d, const dims& a, const dims& b);

/// Inputs and outputs of an operator; in front of both there may be any further dimensions, which it leaves alone.
/// A dimension of both lists is one index: element i of the output depends on elements i of the input alone.
struct signature {
  dims in, out;
  [[nodiscard]] signature reversed() const { return {out, in}; }
  bool operator==(const signature&) const = default;
};
/// "Nx Ny -> Kx Ky".
[[nodiscard]] std::string to_string(const signature& s);

/// The signature of `left` behind `right`. The shorter of the lists that meet lies at the end of the longer one; what
/// is in front of it passes through. Throws `argument_error` with both names if dimensions that meet differ.
[[nodiscard]] signature chained(const signature& left, const std::string& left_name, const signature& right,
                                const std::string& right_name);
/// The signature of a sum.
[[nodiscard]] signature added(const signature& a, const std::string& a_name, const signature& b,
                              const std::string& b_name);

}  // namespace tessera::linop
