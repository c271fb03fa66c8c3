#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/ids.h"

namespace tessera::runtime {

class engine;
struct array_record;
class ticket;

/// Whose host memory takes part in an exchange: every rank's, one rank's, every rank's with the elements that are at
/// home there, or this one's alone, of elements that every rank holds.
struct host_participants {
  enum class kind : std::uint8_t { every, one, own, here } form = kind::every;
  int rank = 0;  ///< For `one`.
};

/// Copies a box of an array to host memory or back. Elements lie densely at `memory`: all of the box, none where
/// another rank has them, or, with `own`, those of one part of `own_parts` behind the other.
struct host_transfer {
  enum class direction : bool { read, write };
  direction goes = direction::read;
  std::shared_ptr<const array_record> array;
  box bounds;  ///< In the coordinates of `array_record::plan_shape`.
  std::byte* memory = nullptr;
  host_participants participants{};
};

/// An exchange with host memory that is under way. Its destructor waits: the memory is in use until then.
class pending_transfer {
 public:
  pending_transfer(std::shared_ptr<engine> owner, std::shared_ptr<ticket> done, std::vector<array_id> buffers)
      : owner_(std::move(owner)), ticket_(std::move(done)), buffers_(std::move(buffers)) {}
  ~pending_transfer();
  pending_transfer(const pending_transfer&) = delete;
  pending_transfer& operator=(const pending_transfer&) = delete;

  /// Blocks until it has ended; throws what made it fail.
  void wait();
  [[nodiscard]] bool done() const;

 private:
  std::shared_ptr<engine> owner_;
  std::shared_ptr<ticket> ticket_;
  std::vector<array_id> buffers_;  // the host memory, as tasks name it
};

/// Has memory of the program that was never touched come in huge pages, where the system has some. Contents stay.
void ask_for_huge_pages(std::span<std::byte> memory) noexcept;
/// Puts memory behind addresses of the program, on all cores: where one thread touches them first, it waits for each
/// page to be cleared. Contents stay, and nothing is accessed.
void touch_pages(std::span<std::byte> memory);

}  // namespace tessera::runtime
