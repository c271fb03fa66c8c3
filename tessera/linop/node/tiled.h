#pragma once

#include <string>
#include <vector>

#include "tessera/linop/node/node.h"

namespace tessera::linop {

/// An operator as a sum of pieces, each from a part of x to a part of y. Parts of y are equal or do not overlap.
class tiled final : public node {
 public:
  struct piece {
    op part;
    restriction box;
    int device = -1;  ///< Where it runs, numbered through all ranks; -1: wherever the engine takes it.
  };
  tiled(op whole, std::vector<piece> pieces)
      : node((*whole).dimensions()), whole_(std::move(whole)), pieces_(std::move(pieces)) {}

  [[nodiscard]] std::string text() const override;
  void fit(known_shape& x, known_shape& y) const override { (*whole_).fit(x, y); }
  [[nodiscard]] scalar_kind result_kind(scalar_kind from) const override { return (*whole_).result_kind(from); }
  void run(const application& call) const override;
  [[nodiscard]] op adjoint() const override;
  [[nodiscard]] bool is_complex_linear() const override { return whole_.is_complex_linear(); }

 private:
  void run_group(const application& call, const std::vector<const piece*>& group) const;

  op whole_;
  std::vector<piece> pieces_;
};

}  // namespace tessera::linop
