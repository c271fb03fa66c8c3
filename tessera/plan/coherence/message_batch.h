#pragma once

#include <vector>

#include "tessera/plan/instruction.h"

namespace tessera::plan {

class instruction_writer;

/// Collects what one step of a task sends to other ranks and receives from them. Parts between the same two memories
/// share a message until it is large: a large one would only delay readers of its first part. Both ranks add the same
/// parts in the same order, so both come to the same messages.
class message_batch {
 public:
  /// Two memories of two ranks, as both ranks number them.
  [[nodiscard]] static int lane(int source_index, int target_index) { return source_index * 1024 + target_index; }

  /// Elements of a part have `element` bytes.
  void send(node_id to, int lane, location source, std::int64_t element, message_part part);
  void receive(node_id from, int lane, location target, std::int64_t element, message_part part);

  /// Emits all messages, those that send behind `after` besides what their operands imply; the batch is empty then.
  std::vector<instruction_id> emit(instruction_writer& writer, const std::vector<instruction_id>& after = {});

 private:
  struct message {
    std::int32_t peer = 0;
    int lane = 0;
    location place;
    std::int64_t bytes = 0;
    std::vector<message_part> parts;
  };
  static void add(std::vector<message>& all, node_id peer, int lane, location place, std::int64_t element,
                  message_part part);
  /// By rank and lane, as both ranks order them.
  static std::vector<message> taken(std::vector<message>& all);

  std::vector<message> out_, in_;
};

}  // namespace tessera::plan
