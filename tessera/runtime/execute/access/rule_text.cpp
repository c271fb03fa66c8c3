#include "tessera/runtime/execute/access/rule_text.h"

#include <span>
#include <vector>

#include "tessera/plan/access/text.h"

namespace tessera::runtime {

std::string rule_text(const plan::access_rule& rule, const kernel_entry& kernel) {
  std::vector<std::string> parameters;
  for (const kernels::parameter& p : kernel.parameters) parameters.push_back(p.name);
  const std::span<const std::string> none;
  std::vector<std::string> operations;
  if (kernel.text)
    for (const registered_reduction& r : kernel.text->reductions) operations.push_back(r.name);
  return to_string(rule,
                   plan::rule_names{parameters, kernel.annotation ? kernel.annotation->names() : none, operations});
}

}  // namespace tessera::runtime
