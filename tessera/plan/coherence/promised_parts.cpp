#include "tessera/plan/coherence/promised_parts.h"

namespace tessera::plan {

const std::map<int, region>& promised_parts::find(const promised_ptr& promised, const region& written,
                                                  const local_machine& machine) {
  const auto [begin, end] = entries_.equal_range(promised.get());
  for (auto e = begin; e != end; ++e)
    if (e->second.written == written) return e->second.parts;
  if (entries_.size() >= most) entries_.clear();
  std::map<int, region> parts = by_device(*promised, written.boxes(), machine.devices());
  return entries_.emplace(promised.get(), entry{promised, written, std::move(parts)})->second.parts;
}

}  // namespace tessera::plan
