#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/base/containers/recent_map.h"
#include "tessera/nd/emit/text/annotation.h"
#include "tessera/nd/emit/text/kernel_text.h"

namespace tessera::nd {

class graph;

/// A kernel that was printed, and the names of its annotation's constants.
struct emitted_kernel {
  kernel code;
  std::vector<std::string> names;
};

/// Kernels of one context by what their texts depend on; those used last are kept.
class emitted_kernels {
 public:
  /// The kernel of `key`; `make` makes it the first time, which `is_new` tells.
  const emitted_kernel& find(const std::string& key, const std::function<emitted_kernel()>& make, bool& is_new);
  [[nodiscard]] std::vector<kernel> list() const;

 private:
  static constexpr std::size_t most = 2048;
  recent_map<std::string, emitted_kernel> kernels_{most};
};

/// The kernel of a text for a group; `function` does the same while it is being compiled, but where operations may be
/// rounded together, which it does not.
[[nodiscard]] emitted_kernel emit_kernel(graph& owner, const group& made, const kernel_text& text,
                                         annotation_text rules, const native_kernel& function);
/// A kernel as text to read: annotation, text and the form in which CPU devices run it.
[[nodiscard]] std::string describe_kernel(graph& owner, const group& made, const kernel_text& text,
                                          const annotation_text& rules);

/// Carries out a pointwise group: makes arrays for what it stores, and launches.
void launch_pointwise(graph& owner, const group& made, call_site here);
[[nodiscard]] std::string describe_pointwise(graph& owner, const group& made);

/// What all templates need: arguments in the order of `parameter_list`, and the constants of the annotation. Makes the
/// arrays of outputs that have none.
[[nodiscard]] std::vector<argument> make_arguments(graph& owner, const group& made, const launch_space& space,
                                                   call_site here);
[[nodiscard]] launch_options make_options(const emitted_kernel& emitted, const group& made, const launch_space& space,
                                          std::int64_t threads, call_site here);
/// Bytes of the elements that a launch of the group declares, each array once.
[[nodiscard]] std::int64_t declared_bytes(const group& made);
/// An array for the elements of a node, which is stored from now on.
void store(graph& owner, node& made, array_base elements);
/// Lets go of what a node is made of that nothing can need any more: reading it is an error from now on.
void drop(node& passed);

}  // namespace tessera::nd
