#pragma once

#include <tessera/tessera.h>

#include <stdexcept>
#include <string>

/// What random programs do to the variables of kernel files before a launch. Stands alone: printed programs contain it.
namespace tessera::fuzz {

/// `table` is set twice, so that the second contents are those that count, and `offset` once; `bias` keeps its
/// initialiser.
inline void set_table(const tessera::kernel& k, int f) {
  k.set("table", {f + 9, 0, 1, 2, 3, 4});
  k.set("offset", 2 * f);
  k.set("table", {f, f + 1, f + 2, f + 3, f + 4, f + 5});
}

/// Sets `state` to 3 f and has four thread blocks add f each, in another kernel of the file; a launch that is split
/// must be refused.
inline void change_state(context& ctx, const tessera::kernel& k, const std::string& file, int f) {
  k.set("state", 3 * f);
  const tessera::kernel bump = ctx.compile(file, "bump", {.annotation = "global i => write q[i]"});
  const auto q = ctx.empty<int>({4});
  try {
    bump.launch({.threads = {4}, .block = {1}}, q, f);
  } catch (const argument_error&) {
    bump.launch({.threads = {4}, .block = {1}, .split = whole()}, q, f);
  }
  if (f % 3 == 0 && k.get<unsigned>("state").at(0) != 7U * static_cast<unsigned>(f))
    throw std::runtime_error("get(\"state\") is wrong");
}

/// For a kernel of the source pool, by its name; `f` is its third scalar.
inline void prepare_variables(context& ctx, const tessera::kernel& k, const std::string& file, int f) {
  if (k.name() == "table_scale") set_table(k, f);
  if (k.name() == "shared_state") change_state(ctx, k, file, f);
}

}  // namespace tessera::fuzz
