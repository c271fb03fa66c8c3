#include "tessera/kernel/barrier/write.h"

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/barrier_plan.h"

namespace tessera::kernels {
namespace {

/// The text around one stretch. All of it goes on the lines that are there, so that the compiler counts as the user
/// does.
class stretch_writer {
 public:
  stretch_writer(const outline& source, const barrier_plan& plan, bool may_return, text_edits& edits)
      : source_(source), plan_(plan), may_return_(may_return), edits_(edits) {}

  void write(std::size_t number) {
    const stretch& s = plan_.stretches[number];
    const std::string end = cat("__tessera_end_", number);
    bool jumps = false;
    for (std::size_t i = s.statements.begin; i < s.statements.end; ++i) {
      if (!source_.code[i].is("return")) continue;
      edits_.replace(source_.code[i], cat("goto ", end));
      jumps = true;
    }
    std::string before = s.before, after;
    for (const std::size_t k : s.declares) before += storage(k);
    before += cat(" __tessera_each_thread { __tessera_this_thread",
                  may_return_ ? " if (__tessera_alive[__tessera_t])" : "", " {");
    for (const std::size_t k : s.uses) before += restored(k);
    before += " {";
    for (const std::size_t k : s.declares) after += kept(k);
    after += " }";
    for (const std::size_t k : s.uses)
      if (is_copied(plan_.carried[k])) after += kept(k);
    if (jumps) after += cat(" if (false) { ", end, ":; ", s.returns ? "__tessera_alive[__tessera_t] = 0; " : "", "}");
    after += " } }";
    // All threads have returned: what runs once for the block must not run.
    if (s.returns) after += " if (__tessera::all_dead(__tessera_alive)) return;";
    if (s.returns && s.declares.empty() && s.before.empty())
      before = " {" + before, after += " }";  // it may be the only statement of an `if`
    edits_.insert_after(source_.code[s.statements.begin - 1], before);
    edits_.insert_after(source_.code[s.statements.end - 1], after);
  }

  /// The array that holds a kept variable of all threads.
  [[nodiscard]] std::string storage(std::size_t k) const {
    const carried_variable& v = plan_.carried[k];
    return cat(" __tessera::kept<", v.type, v.extents, "> __tessera_k", k, "[__tessera_threads];",
               " static_assert(sizeof(__tessera_k", k, ") <= __tessera::most_kept / ", plan_.carried.size(), ");");
  }
  [[nodiscard]] std::string kept(std::size_t k) const {
    return cat(" __tessera::keep(__tessera_k", k, "[__tessera_t], ", plan_.carried[k].name, ");");
  }

 private:
  /// Whether a stretch works on a copy that must be put back. Arrays are used where they are kept.
  static bool is_copied(const carried_variable& v) { return v.declaration.empty() && !v.is_const && v.extents.empty(); }

  /// Declares a variable again, with the value it has for this thread.
  [[nodiscard]] std::string restored(std::size_t k) const {
    const carried_variable& v = plan_.carried[k];
    if (!v.declaration.empty()) return cat(" ", v.declaration, ";");
    if (!v.extents.empty())
      return cat(" ", v.type, " (&", v.name, ")", v.extents, " = __tessera_k", k, "[__tessera_t];");
    const std::string type = v.is_parameter ? cat("__tessera::kept<", v.type, ">") : v.type;
    return cat(" ", type, " ", v.name, " = __tessera_k", k, "[__tessera_t];");
  }

  const outline& source_;
  const barrier_plan& plan_;
  bool may_return_;  // some threads end before others
  text_edits& edits_;
};

}  // namespace

void write_split(const outline& source, const barrier_plan& plan, text_edits& edits) {
  for (const std::size_t i : plan.shared)
    edits.replace(source.code[i], source.code[i].is("__shared__") ? "__attribute__((aligned(64)))" : "");
  for (const std::size_t i : plan.barriers)
    for (std::size_t k = i; k < i + 3; ++k) edits.replace(source.code[k], "");
  if (plan.stretches.empty()) return;
  bool may_return = false;
  for (const stretch& s : plan.stretches) may_return = may_return || s.returns;
  stretch_writer writer(source, plan, may_return, edits);
  std::string first = may_return ? " __tessera_all_alive;" : "";
  for (std::size_t k = 0; k < plan.carried.size() && plan.carried[k].is_parameter; ++k)
    first += cat(writer.storage(k), " __tessera_each_thread { __tessera_this_thread", writer.kept(k), " }");
  edits.insert_after(source.code[plan.body.begin - 1], first);
  for (std::size_t k = 0; k < plan.stretches.size(); ++k) writer.write(k);
}

}  // namespace tessera::kernels
