#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "tessera/algo/function/callable.h"

namespace tessera::algo {

/// What `wrapped` takes and returns.
struct wrapped_signature {
  std::vector<op_parameter> parameters;
  std::vector<op_result> results;
};
template <class R, class... Args>
[[nodiscard]] wrapped_signature signature_for() {
  op_text described;
  describe_call(described, std::type_identity<call_signature<R, Args...>>());
  return {std::move(described.parameters), std::move(described.results)};
}

/// The operator of a class template of device/algorithms.h, `name<parts..., arguments...>`, whose members are the
/// operators `parts`, in this order: `wrapped("tessera::algo::least", {compare}, {}, signature_for<R, A, B>(), here)`.
/// None of the parts runs on the host.
[[nodiscard]] op wrapped(const std::string& name, const std::vector<op>& parts,
                         const std::vector<std::string>& arguments, wrapped_signature signature, call_site here);

/// `outer(inner[0](...), inner[1](...), ...)`: its parameters are those of the inner operators, one behind the other.
/// None of them runs on the host, and the inner ones have one result each.
[[nodiscard]] op composed(const op& outer, const std::vector<op>& inner, call_site here);

/// True for the operator that returns its argument.
[[nodiscard]] bool is_identity(const op& function);

}  // namespace tessera::algo
