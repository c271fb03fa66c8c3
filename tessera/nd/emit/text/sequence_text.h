#pragma once

#include <set>
#include <string>

#include "tessera/nd/emit/text/kernel_text.h"

namespace tessera::nd {

/// Text of kernels that go through sequences of elements: the indices of a domain of which some axes run along x, y or
/// z of the launch one behind the other. Variables: nx, ny, nz, how many indices run along each; i0, i1, ..., the
/// indices on the axes of the domain; e, the number of an element in its sequence; a run is some neighbours along the
/// last axis, of which q is one; r0, r1, ..., results of reductions; kept0, ..., values of a row's elements.
class sequence_text {
 public:
  /// `across`: the variable with the first place of a run on the last axis, where that belongs to no sequence; empty:
  /// it is the fastest axis of the sequence.
  sequence_text(const group& made, const launch_space& space, std::string across);
  /// With other values than the group's outputs.
  sequence_text(const group& made, const launch_space& space, std::string across,
                std::vector<kernels::expression::value> values);

 protected:
  enum class place_of_element : std::uint8_t {
    index,  ///< At i0, i1, ...; x instead of the last one if sequences run across it.
    run,    ///< At q of a run.
    held,   ///< What `loads` left at k of arrays; the rest at i0, i1, ...
  };
  [[nodiscard]] const group& made() const { return made_; }
  [[nodiscard]] const launch_space& space() const { return space_; }
  [[nodiscard]] int last() const { return space_.axes() - 1; }

  /// Declares nx, ny and nz.
  [[nodiscard]] std::string lengths() const;
  /// Declares the indices on the axes of the domain that run along one of the launch, from `variable`.
  [[nodiscard]] std::string indices(int launch_axis, const char* variable, const std::string& indent) const;
  /// Opens a loop over what a thread block has of y or z, with indices.
  [[nodiscard]] std::string row_loop(const char* variable, int launch_axis) const;
  /// Loads the parameters that the values need, and computes these (`value_name`).
  [[nodiscard]] std::string element(const std::string& indent, place_of_element place) const;
  /// Declares the parameters that are results of reductions, from r0, r1, ..., and one-element arrays.
  [[nodiscard]] std::string results_text(const std::string& indent) const;
  /// Accesses that the values need at each element of a sequence along an axis of the launch.
  [[nodiscard]] std::set<int> moving(int launch_axis) const;
  /// Declares arrays h0, h1, ... of `count` elements of these accesses, and loads element k of them.
  [[nodiscard]] std::string held(const std::set<int>& accesses, int count, const std::string& indent) const;
  [[nodiscard]] std::string loads(const std::set<int>& accesses, const std::string& indent) const;
  /// The element of an access.
  [[nodiscard]] std::string element_of(int access, place_of_element place) const;
  /// Pointers l0, l1, ... to the first element of a run, which is at `begin` on the last axis.
  [[nodiscard]] std::string run_pointers(const std::string& indent, const std::string& begin) const;
  [[nodiscard]] std::string value_name(std::size_t output) const;
  /// The outputs' variables, behind each other.
  [[nodiscard]] std::string value_names() const;
  /// Where an element has its place among kept ones on GPUs.
  void set_kept_at(const char* place) { kept_at_ = place; }

 private:
  [[nodiscard]] std::string offset(int access) const;
  [[nodiscard]] std::int64_t last_stride(int access) const;

  const group& made_;
  const launch_space& space_;
  std::string across_, kept_at_ = "[e]";
  std::vector<kernels::expression::value> values_;
  std::vector<bool> is_needed_;  // per parameter, by a value
};

}  // namespace tessera::nd
