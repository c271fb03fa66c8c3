#pragma once

#include <string>

#include "tessera/kernel/flat/meeting.h"

namespace tessera::kernels {

/// The text that does what a call does, with the function's body in it.
struct inlined_call {
  std::string before;  ///< Statements, in front of the one that called.
  std::string value;   ///< What stands for the call; empty for functions without a result.
  std::string shared;  ///< Declarations of the function's shared variables, one for all calls: for the kernel's begin.
};

/// Of the call whose name stands at `call`, in the kernel's body. Names are made unlike others by `number`. Throws
/// `cut_refused` for functions whose body cannot stand elsewhere: several results, overloads, recursion. `target` is
/// the variable that gets the result and nothing else, if there is one: it is then the value, unless its type is
/// another one or the function means something else by its name.
[[nodiscard]] inlined_call inline_call(const parsed_kernel& source, std::size_t call, std::size_t number,
                                       std::string_view target = {});

}  // namespace tessera::kernels
