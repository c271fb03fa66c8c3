#include "tessera/plan/task_traits.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

#include "tessera/base/bytes/hex.h"
#include "tessera/base/text.h"
#include "tessera/plan/access/text.h"

namespace tessera::plan {
namespace {

/// As a number is written, the last byte first.
std::string in_hex(std::span<const std::byte> bytes) {
  constexpr std::size_t enough = 16;
  std::vector<std::byte> number(bytes.begin(), bytes.end());
  number.resize(std::min(number.size(), enough));
  std::reverse(number.begin(), number.end());
  return "0x" + hex(number);
}
std::string in_hex(const std::uint64_t& x) { return in_hex(std::as_bytes(std::span(&x, 1))); }

/// For calls that concern a box of one array.
template <class Task>
std::string describe_box(const Task& t, std::string_view place) {
  return cat(task_traits<Task>::verb, place, " (array ", t.array.value, " ", to_string(t.bounds), ")");
}

}  // namespace

std::string task_traits<create_task>::describe(const create_task& t, std::string_view place) {
  constexpr std::array names{"automatic", "tiles", "replicated", "on a device", "listed"};
  return cat(verb, place, " (array ", t.array.value, " ", to_string(t.shape), " of ", to_string(t.type),
             ", distribution ", names[static_cast<std::size_t>(t.home.form)], " ", to_string(t.home.tile),
             t.home.cyclic ? " cyclic" : "", ")");
}

std::string task_traits<drop_task>::describe(const drop_task& t, std::string_view place) {
  return cat(verb, place, " (array ", t.array.value, ")");
}

std::string task_traits<fill_task>::describe(const fill_task& t, std::string_view place) {
  return describe_box(t, place);
}

std::string task_traits<host_write_task>::describe(const host_write_task& t, std::string_view place) {
  const std::string text = describe_box(t, place);
  return t.contents == 0 ? text : cat(text, ", with contents of hash ", in_hex(t.contents));
}

std::string task_traits<host_read_task>::describe(const host_read_task& t, std::string_view place) {
  return describe_box(t, place);
}

std::string task_traits<snapshot_task>::describe(const snapshot_task& t, std::string_view place) {
  return describe_box(t, place);
}

std::string task_traits<std::shared_ptr<const launch_task>>::describe(const std::shared_ptr<const launch_task>& t,
                                                                      std::string_view place) {
  std::map<int, std::string> arguments;
  for (const launch_array& a : t->arrays)
    arguments[a.parameter] = cat("array ", a.array.value, " ", to_string(a.slice));
  for (const launch_scalar& s : t->scalars) arguments[s.parameter] = in_hex(s.value);
  std::string text = cat(verb, " of '", t->name, "'", place, " (threads ", to_string(t->space.size), ", block ",
                         to_string(t->space.granule), ", arguments");
  for (const auto& [parameter, argument] : arguments) text += cat(" ", argument, ",");
  if (t->split.form != split_spec::kind::automatic) text += cat(" split ", to_string(t->split), ",");
  if (t->accesses)
    for (const auto& table : tables_of(*t->accesses)) text += cat(" ", plan::describe(*table), ",");
  return cat(text, " kernel ", in_hex(t->kernel), ", accesses ", in_hex(t->accesses_hash), ")");
}

std::string task_traits<fence_task>::describe(const fence_task&, std::string_view place) { return cat(verb, place); }

bool is_shared(const task& t) {
  return std::visit([]<class Task>(const Task& body) { return task_traits<Task>::is_shared(body); }, t.body);
}

task shared_part(task t) {
  const auto clear = []<class Task>(Task& body) {
    if constexpr (std::is_base_of_v<host_exchange, Task>) body.buffers = {}, body.ticket = 0;
  };
  std::visit(clear, t.body);
  return t;
}

bool holds_tables(const task& t) {
  const auto* launch = std::get_if<std::shared_ptr<const launch_task>>(&t.body);
  return launch != nullptr && (*launch)->accesses && !tables_of(*(*launch)->accesses).empty();
}

std::string describe(const task& t) {
  const std::string place = t.site.line > 0 ? cat(" at ", t.site.file, ":", t.site.line) : std::string();
  return std::visit([&]<class Task>(const Task& body) { return task_traits<Task>::describe(body, place); }, t.body);
}

}  // namespace tessera::plan
