#pragma once

#include <string>

#include "tessera/linop/node/node.h"

namespace tessera::linop {

/// A part of an operator that has no form of its own for it.
class restricted_node final : public node {
 public:
  restricted_node(op whole, restriction part)
      : node((*whole).dimensions()), whole_(std::move(whole)), part_(std::move(part)) {}

  [[nodiscard]] std::string text() const override;
  void fit(known_shape& x, known_shape& y) const override;
  [[nodiscard]] scalar_kind result_kind(scalar_kind from) const override { return (*whole_).result_kind(from); }
  /// Leaves that are steps compute the part alone; others the whole, from and to new arrays.
  void run(const application& call) const override;
  [[nodiscard]] op adjoint() const override;
  [[nodiscard]] op restricted(const restriction& part) const override;
  [[nodiscard]] bool is_complex_linear() const override { return whole_.is_complex_linear(); }

 private:
  op whole_;
  restriction part_;
};

}  // namespace tessera::linop
