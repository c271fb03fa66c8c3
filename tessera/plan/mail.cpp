#include "tessera/plan/mail.h"

#include "tessera/plan/coherence.h"

namespace tessera::plan {

void mail::add(messages& all, node_id peer, int lane, location where, std::int64_t element, message_part part) {
  constexpr std::int64_t large = std::int64_t{1} << 18;  // bytes
  std::vector<message>& between = all[{peer.value, lane}];
  std::int64_t bytes = 0;
  for (const box& b : part.boxes) bytes += b.volume() * element;
  if (between.empty() || between.back().bytes + bytes > large) between.push_back({where, 0, {}});
  between.back().bytes += bytes;
  between.back().parts.push_back(std::move(part));
}

void mail::send(node_id to, int lane, location source, std::int64_t element, message_part part) {
  add(out_, to, lane, source, element, std::move(part));
}

void mail::receive(node_id from, int lane, location target, std::int64_t element, message_part part) {
  add(in_, from, lane, target, element, std::move(part));
}

std::vector<instruction_id> mail::post(coherence& state, const std::vector<instruction_id>& after) {
  std::vector<instruction_id> emitted;
  for (auto& [key, list] : std::exchange(out_, {}))
    for (message& m : list) emitted.push_back(state.send(node_id(key.first), m.where, std::move(m.parts), after));
  for (auto& [key, list] : std::exchange(in_, {}))
    for (message& m : list) emitted.push_back(state.receive(node_id(key.first), m.where, std::move(m.parts)));
  return emitted;
}

}  // namespace tessera::plan
