#pragma once

#include <string>
#include <vector>

#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/skeleton_options.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// One launch that writes what an operator gives for every element of `shape` into `outputs`, one per result. An output
/// may be an element argument of the call, element for element, and no other of its arguments. Throws `argument_error`.
class map_launch {
 public:
  map_launch(const call& bound, std::vector<operand> outputs, const skeleton_options& options);
  void launch() const;
  [[nodiscard]] std::string explain() const;

 private:
  void check_outputs() const;
  void check_overlap(const operand& output) const;
  [[nodiscard]] int counted_axes() const;
  [[nodiscard]] context ctx() const;
  [[nodiscard]] kernel compiled() const;
  [[nodiscard]] launch_options settings() const;
  [[nodiscard]] std::vector<argument> arguments() const;

  const call& bound_;
  std::vector<operand> outputs_;
  const skeleton_options& options_;
  extents shape_;  // of the outputs
  int axes_ = 0;   // that the kernel counts; 0: elements are counted through
};

}  // namespace tessera::algo
