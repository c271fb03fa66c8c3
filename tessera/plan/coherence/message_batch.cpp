#include "tessera/plan/coherence/message_batch.h"

#include <algorithm>
#include <utility>

#include "tessera/plan/coherence/instruction_writer.h"

namespace tessera::plan {

void message_batch::add(std::vector<message>& all, node_id peer, int lane, location place, std::int64_t element,
                        message_part part) {
  constexpr std::int64_t large = std::int64_t{1} << 18;
  std::int64_t bytes = 0;
  for (const box& b : part.boxes) bytes += b.volume() * element;
  const auto last =
      std::find_if(all.rbegin(), all.rend(), [&](const message& m) { return m.peer == peer.value && m.lane == lane; });
  if (last != all.rend() && last->bytes + bytes <= large) {
    last->bytes += bytes;
    last->parts.push_back(std::move(part));
    return;
  }
  message& made = all.emplace_back();
  made.peer = peer.value, made.lane = lane, made.place = place, made.bytes = bytes;
  made.parts.push_back(std::move(part));
}

std::vector<message_batch::message> message_batch::taken(std::vector<message>& all) {
  std::stable_sort(all.begin(), all.end(), [](const message& a, const message& b) {
    return std::pair(a.peer, a.lane) < std::pair(b.peer, b.lane);
  });
  return std::exchange(all, {});
}

void message_batch::send(node_id to, int lane, location source, std::int64_t element, message_part part) {
  add(out_, to, lane, source, element, std::move(part));
}

void message_batch::receive(node_id from, int lane, location target, std::int64_t element, message_part part) {
  add(in_, from, lane, target, element, std::move(part));
}

std::vector<instruction_id> message_batch::emit(instruction_writer& writer, const std::vector<instruction_id>& after) {
  std::vector<instruction_id> emitted;
  for (message& m : taken(out_)) emitted.push_back(writer.send(node_id(m.peer), m.place, std::move(m.parts), after));
  for (message& m : taken(in_)) emitted.push_back(writer.receive(node_id(m.peer), m.place, std::move(m.parts)));
  return emitted;
}

}  // namespace tessera::plan
