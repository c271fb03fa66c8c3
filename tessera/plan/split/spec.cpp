#include "tessera/plan/split/spec.h"

#include "tessera/base/bytes/byte_stream.h"
#include "tessera/base/text.h"

namespace tessera::plan {
namespace {

std::string slabs_text(const split_spec& split) {
  constexpr std::size_t shown = 8;
  std::string text = "in parts";
  hash_writer hash;
  for (std::size_t i = 0; i < split.slabs.size(); ++i) {
    const slab& s = split.slabs[i];
    hash.number(s.lo), hash.number(s.hi), hash.number(s.device);
    if (i < shown) text += cat(i == 0 ? " [" : ", [", s.lo, ", ", s.hi, ") on ", s.device);
  }
  if (split.slabs.size() > shown) text += cat(" and so on, ", split.slabs.size(), " in all, hash ", hash.value());
  if (split.axis != split_spec::slowest_axis) text += cat(" of axis ", split.axis);
  return text;
}

}  // namespace

std::string to_string(const split_spec& split) {
  switch (split.form) {
    case split_spec::kind::automatic:
      return "automatic";
    case split_spec::kind::blocks:
      return cat("in ", to_string(split.blocks));
    case split_spec::kind::like:
      return cat("like parameter ", split.parameter);
    case split_spec::kind::whole:
      return "whole";
    case split_spec::kind::slabs:
      return slabs_text(split);
    default:
      return cat("on device ", split.device);
  }
}

}  // namespace tessera::plan
