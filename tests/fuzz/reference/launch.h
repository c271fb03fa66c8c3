#pragma once

#include <functional>

#include "tests/fuzz/program/declared.h"
#include "tests/fuzz/reference/reference.h"

namespace tessera::fuzz {

/// One launch of the reference: its arguments resolved. Null handles are null arguments.
struct plain_launch {
  const kernel& definition;
  grid space;
  std::vector<plain_handle> arguments;
  int_list promised;  ///< Threads below this write all that they declare for writing; others may.
};

/// True if the result is determined: every element has one writing thread at most, none reads what another thread
/// writes or what was never written, and each array is used in ways that go together.
[[nodiscard]] bool is_determined(const plain_launch& l);

/// True if two of these superblocks write the same element, or one reads what another writes (rule B4).
[[nodiscard]] bool has_conflict(const plain_launch& l, const std::vector<block_box>& parts);

/// What a thread does, given its coordinates.
using thread_body = std::function<void(std::span<const memory_view>, std::span<const std::int64_t>)>;

/// Runs all threads in order; private results begin at the identity and replace what is declared.
void run(const plain_launch& l, const thread_body& body);

/// The bytes of an argument as memory.
[[nodiscard]] memory_view memory_of(const plain_handle& h);

}  // namespace tessera::fuzz
