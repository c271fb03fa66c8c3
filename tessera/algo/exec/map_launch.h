#pragma once

#include <string>
#include <vector>

#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/skeleton_options.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// Throws `argument_error` if the call reads elements of `output` that other elements of the output need unchanged.
void check_overlap(const call& bound, const operand& output);

/// One launch that writes what an operator gives for every element of `shape` into `outputs`, one per result. An output
/// may be an element argument of the call, element for element, and no other of its arguments. Throws `argument_error`.
class map_launch {
 public:
  map_launch(const call& bound, std::vector<operand> outputs, const skeleton_options& options);
  void launch() const;
  [[nodiscard]] std::string explain() const;
  [[nodiscard]] kernel_text text() const;

 private:
  void check_outputs() const;
  [[nodiscard]] int counted_axes() const;
  [[nodiscard]] context ctx() const;
  [[nodiscard]] kernel compiled() const;
  [[nodiscard]] launch_options settings() const;
  /// For a launch, or for one that is only told, which keeps what the host has changed in the outputs.
  [[nodiscard]] std::vector<argument> arguments(bool runs = true) const;

  const call& bound_;
  std::vector<operand> outputs_;
  skeleton_options options_;
  extents shape_;  // of the outputs
  int axes_ = 0;   // that the kernel counts; 0: elements are counted through
};

}  // namespace tessera::algo
