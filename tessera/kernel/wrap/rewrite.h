#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/kernel/source/outline.h"
#include "tessera/kernel/source/reach.h"
#include "tessera/kernel/source/signature.h"

namespace tessera::kernels {

/// A kernel's source taken apart again. The views point into the `kernel_text`, which must outlive this and not move.
struct parsed_kernel {
  token_list list;
  outline parsed;
  reach needed;

  [[nodiscard]] const declaration& kernel() const { return parsed.declarations[needed.kernel]; }
};
[[nodiscard]] parsed_kernel take_apart(const kernel_text& kernel);

/// Changes to a text, by position. They must not overlap; insertions at one place keep their order.
class text_edits {
 public:
  explicit text_edits(const std::string& text) : text_(text) {}

  void replace(const token& t, std::string with) { add(offset_of(t), t.text.size(), std::move(with)); }
  void insert_before(const token& t, std::string text) { add(offset_of(t), 0, std::move(text)); }
  void insert_after(const token& t, std::string text) { add(offset_of(t) + t.text.size(), 0, std::move(text)); }
  [[nodiscard]] std::string apply() const;

 private:
  struct edit {
    std::size_t at;
    std::size_t length;
    std::string with;
  };
  [[nodiscard]] std::size_t offset_of(const token& t) const {
    return static_cast<std::size_t>(t.text.data() - text_.data());
  }
  void add(std::size_t at, std::size_t length, std::string with) { edits_.push_back({at, length, std::move(with)}); }

  const std::string& text_;
  std::vector<edit> edits_;
};

/// Blanks out what the kernel does not need: other kernels, host functions, headers for the host, and headers whose
/// device part stands in front of every kernel for `language`. Gives the names of the headers that are left.
std::vector<std::string_view> cut_unneeded(const parsed_kernel& source, device::kernel_language language,
                                           text_edits& edits);

/// Where a specifier may be put before function `d`: behind `template <...>` and `extern "C"`. Not below `d.name` if
/// there is no such place.
[[nodiscard]] std::size_t specifier_position(const outline& source, const declaration& d);

/// Asks the compiler to inline every function the kernel needs, except those that call themselves.
void force_inlining(const parsed_kernel& source, text_edits& edits);

/// A variable `extern __shared__` at namespace scope, which the entry point must aim at the shared memory.
struct shared_variable {
  std::string name;  ///< With its namespaces.
  std::string type;  ///< Of the pointer that replaces it.
};
/// Turns `extern __shared__ T s[];` into a pointer to the block's dynamic shared memory.
[[nodiscard]] std::vector<shared_variable> replace_extern_shared(const parsed_kernel& source, text_edits& edits);

/// A variable that a program may set: `__constant__` or `__device__`.
struct settable_variable {
  std::string name;         ///< With its namespaces.
  std::size_t declaration;  ///< Index into `outline::declarations`.
};
[[nodiscard]] std::vector<settable_variable> settable_variables(const parsed_kernel& source);

/// `file` as it may stand between the quotes of a `#line`.
[[nodiscard]] std::string quoted(const std::string& file);

}  // namespace tessera::kernels
