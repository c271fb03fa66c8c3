#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "tessera/plan/instruction.h"
#include "tessera/runtime/execute/continuation.h"
#include "tessera/runtime/execute/event_table.h"
#include "tessera/runtime/execute/issue/message_log.h"
#include "tessera/runtime/execute/issue/work_issuer.h"
#include "tessera/runtime/execute/services.h"

namespace tessera::runtime {

/// A message that the network has been asked for.
struct expected_message {
  std::shared_ptr<std::byte> packed;  ///< Where it arrives.
  event arrival;
};

/// Issues the instructions that send and receive: elements are packed into one piece of host memory and unpacked from
/// it. Each is the current instruction of the `work_issuer`. Used by the thread that issues; `log` by any thread.
class message_issuer {
 public:
  struct parts {
    services& with;
    event_table& events;
    work_issuer& work;
    continuation_list& continuations;
  };
  /// All of them outlive it.
  explicit message_issuer(const parts& used)
      : with_(used.with), events_(used.events), work_(used.work), continuations_(used.continuations) {}

  void issue(const plan::instruction& i, const plan::send_op& o);
  /// Asks the network for a message. To be called for all messages of a peer in the order of their numbers.
  [[nodiscard]] expected_message expect(const plan::instruction& i, const plan::receive_op& o);
  /// Unpacks a message when it has arrived.
  void issue(const plan::receive_op& o, const expected_message& message);

  [[nodiscard]] const message_log& log() const { return log_; }

 private:
  /// Some elements of a copy and where they lie in a message.
  struct packed_part {
    plan::copy_ref copy;
    box bounds;
    device::strided packed;
    std::int64_t element = 1;
  };
  [[nodiscard]] std::int64_t message_bytes(std::span<const plan::message_part> parts) const;
  void log_message(link_kind link, std::span<const plan::message_part> parts, const std::string& from,
                   const std::string& to, task_id task) const;
  /// A message from `data` on, as what is copied piece by piece.
  [[nodiscard]] std::vector<packed_part> unpacked(std::span<const plan::message_part> parts, location place,
                                                  std::byte* data) const;

  services& with_;
  event_table& events_;
  work_issuer& work_;
  continuation_list& continuations_;
  message_log log_;
};

}  // namespace tessera::runtime
