#pragma once

#include <tessera/nd.h>

#include <array>
#include <vector>

#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

/// The slots of a program as the library has them, and its statements as calls of the library.
class tested {
 public:
  /// `keeps`: no handle is ever let go.
  tested(const context& ctx, bool is_eager, bool keeps) : ctx_(ctx), is_eager_(is_eager), keeps_(keeps) {}

  void apply(const step& s);
  [[nodiscard]] nd::array get(const part& p) const;
  [[nodiscard]] const nd::array& slot(int n) const { return slots_[static_cast<std::size_t>(n)]; }

 private:
  [[nodiscard]] nd::array result_of(const step& s);
  [[nodiscard]] nd::array new_array(const step& s) const;
  [[nodiscard]] nd::array called(const step& s);
  void in_place(const step& s);
  nd::array kept(nd::array a);

  context ctx_;
  bool is_eager_, keeps_;
  std::array<nd::array, slots> slots_;
  std::vector<nd::array> kept_;
};

}  // namespace tessera::fuzz
