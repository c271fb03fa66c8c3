#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/linop/node/node.h"

namespace tessera::linop {

/// members[0] * members[1] * ...: the last one is applied first.
class chain final : public node {
 public:
  chain(signature dimensions, std::vector<op> members) : node(std::move(dimensions)), members_(std::move(members)) {}
  [[nodiscard]] const std::vector<op>& members() const { return members_; }

  [[nodiscard]] std::string text() const override;
  void fit(known_shape& x, known_shape& y) const override;
  [[nodiscard]] scalar_kind result_kind(scalar_kind from) const override;
  void run(const application& call) const override;
  [[nodiscard]] op adjoint() const override;
  [[nodiscard]] op normal() const override;
  [[nodiscard]] op normal_of(const op& inner) const override;
  [[nodiscard]] bool is_complex_linear() const override;
  /// Members take what their neighbours need, or can give: dimensions that are one index on both sides of a member.
  [[nodiscard]] op restricted(const restriction& part) const override;
  /// The part of the chain with a range of a dimension that is neither input nor output; none if it has no such
  /// dimension. `range.whole` is set by the chain.
  [[nodiscard]] std::optional<op> restricted_inside(const dim& d, axis_range range) const;
  /// The size of such a dimension; -1 if it is not known, nothing if there is none.
  [[nodiscard]] std::optional<std::int64_t> size_inside(const dim& d) const;

 private:
  /// Extents between the members, from x to y, as far as the members know them.
  [[nodiscard]] std::vector<known_shape> shapes_of_members() const;
  [[nodiscard]] op with_ranges(std::vector<axis_ranges> between) const;
  [[nodiscard]] op fold(op made) const;
  std::vector<op> members_;
};

class sum final : public node {
 public:
  sum(signature dimensions, std::vector<op> terms) : node(std::move(dimensions)), terms_(std::move(terms)) {}
  [[nodiscard]] const std::vector<op>& terms() const { return terms_; }

  [[nodiscard]] std::string text() const override;
  void fit(known_shape& x, known_shape& y) const override;
  [[nodiscard]] scalar_kind result_kind(scalar_kind from) const override;
  void run(const application& call) const override;
  [[nodiscard]] op adjoint() const override;
  [[nodiscard]] bool is_complex_linear() const override;
  [[nodiscard]] op restricted(const restriction& part) const override;

 private:
  std::vector<op> terms_;
};

class scaled_node final : public node {
 public:
  scaled_node(std::complex<double> factor, op inner)
      : node((*inner).dimensions()), factor_(factor), inner_(std::move(inner)) {}
  [[nodiscard]] std::complex<double> factor() const { return factor_; }
  [[nodiscard]] const op& inner() const { return inner_; }

  [[nodiscard]] std::string text() const override;
  void fit(known_shape& x, known_shape& y) const override { (*inner_).fit(x, y); }
  [[nodiscard]] scalar_kind result_kind(scalar_kind from) const override;
  void run(const application& call) const override;
  [[nodiscard]] op adjoint() const override;
  [[nodiscard]] op normal() const override;
  [[nodiscard]] op normal_of(const op& inner) const override;
  [[nodiscard]] bool is_complex_linear() const override { return (*inner_).is_complex_linear(); }
  [[nodiscard]] op restricted(const restriction& part) const override {
    return scaled(factor_, (*inner_).restricted(part));
  }

 private:
  std::complex<double> factor_;
  op inner_;
};

}  // namespace tessera::linop
