#include "tessera/plan/instruction.h"

#include "tessera/base/text.h"

namespace tessera::plan {
namespace {

std::string name(const copy_ref& c) {
  const bool temporary = c.array.value >> 63;
  const std::string array =
      temporary ? cat("temporary", c.array.value & ~(std::uint64_t{1} << 63)) : cat("array", c.array.value);
  return c.place.is_host() ? array + "@host" : cat(array, "@", c.place.node.value, ".", c.place.index);
}

std::string list(const std::vector<box>& boxes) {
  std::string text;
  for (const box& b : boxes) {
    text += ' ';
    text += to_string(b);
  }
  return text;
}

std::string list(location place, const std::vector<message_part>& parts) {
  std::string text;
  for (const message_part& p : parts) text += cat(" ", name({p.array, place}), list(p.boxes));
  return text;
}

constexpr std::string_view verb(const declare_op&) { return "declare"; }
constexpr std::string_view verb(const release_op&) { return "release"; }
constexpr std::string_view verb(const launch_op&) { return "launch"; }
constexpr std::string_view verb(const copy_op&) { return "copy"; }
constexpr std::string_view verb(const fill_op&) { return "fill"; }
constexpr std::string_view verb(const fold_op&) { return "fold"; }
constexpr std::string_view verb(const send_op&) { return "send"; }
constexpr std::string_view verb(const receive_op&) { return "receive"; }
constexpr std::string_view verb(const horizon_op&) { return "horizon"; }
constexpr std::string_view verb(const notify_op&) { return "notify"; }
constexpr std::string_view verb(const reject_op&) { return "reject"; }

/// What stands behind the verb.
struct describe {
  std::string operator()(const declare_op& o) const { return cat(" array", o.array.value, " ", to_string(o.shape)); }
  std::string operator()(const release_op& o) const { return " " + name({o.array, {}}); }
  std::string operator()(const launch_op& o) const {
    return cat(" ", o.launch->name, " superblock ", o.superblock, " blocks ", to_string(o.part), " on device ",
               o.place.node.value, ".", o.place.index);
  }
  std::string operator()(const copy_op& o) const {
    return cat(" ", name(o.source), " to ", name(o.target), list(o.boxes));
  }
  std::string operator()(const fill_op& o) const { return cat(" ", name(o.target), list(o.boxes)); }
  std::string operator()(const fold_op& o) const {
    return cat(" ", name(o.source), o.overwrite ? " over " : " into ", name(o.target), list(o.boxes));
  }
  std::string operator()(const send_op& o) const {
    return cat(" #", o.number, " to rank ", o.peer.value, list(o.source, o.parts));
  }
  std::string operator()(const receive_op& o) const {
    return cat(" #", o.number, " from rank ", o.peer.value, list(o.target, o.parts));
  }
  std::string operator()(const horizon_op&) const { return {}; }
  std::string operator()(const notify_op& o) const { return cat(" ", o.ticket); }
  std::string operator()(const reject_op& o) const { return ": " + o.reason; }
};

}  // namespace

std::string_view verb_of(const instruction& i) {
  return std::visit([](const auto& operation) { return verb(operation); }, i.action);
}

std::string to_string(const instruction& i) {
  std::string text = cat("#", i.id.value, " ", verb_of(i), std::visit(describe{}, i.action));
  if (!i.after.empty()) text += " after";
  for (const instruction_id id : i.after) text += cat(" #", id.value);
  return text;
}

}  // namespace tessera::plan
