#include "tessera/algo/container/coherence/guard_list.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

std::string label(call_site site) { return site.line > 0 ? cat(site.file, ":", site.line, ": ") : std::string(); }

const char* noun(access mode) { return mode == access::read ? "read" : mode == access::write ? "write" : "readwrite"; }

[[noreturn]] void refuse_with(const guard_list::guard& held, const std::string& call, call_site here) {
  throw argument_error(cat(label(here), call, ", but the host holds ", to_string(held.part), " (", noun(held.mode),
                           ") since ", held.site.file, ":", held.site.line, "; let that guard end first"));
}

}  // namespace

void guard_list::refuse(access mode, const box& part, const char* call, call_site here) const {
  for (const guard& g : guards_)
    if ((mode != access::read || g.mode != access::read) && g.part.overlaps(part))
      refuse_with(g, cat(call, " of ", to_string(part), " (", noun(mode), ")"), here);
}

void guard_list::refuse_all(const char* call, call_site here) const {
  if (!guards_.empty()) refuse_with(guards_.front(), call, here);
}

std::uint64_t guard_list::add(guard made) {
  made.ticket = ++last_;
  guards_.push_back(made);
  return last_;
}

guard_list::guard guard_list::remove(std::uint64_t ticket) {
  const auto found = std::find_if(guards_.begin(), guards_.end(), [&](const guard& g) { return g.ticket == ticket; });
  const guard removed = *found;
  guards_.erase(found);
  return removed;
}

bool guard_list::any_apart() const {
  return std::any_of(guards_.begin(), guards_.end(), [](const guard& g) { return g.apart; });
}

}  // namespace tessera::algo
