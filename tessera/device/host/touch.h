#pragma once

#include <cstddef>
#include <span>

namespace tessera::device {

/// Advises the system to put huge pages behind memory that is not there yet. Contents stay.
void ask_for_huge_pages(std::span<std::byte> memory) noexcept;

/// Has the system put pages behind `memory`, which clears each, on all cores; called by a thread that is no worker. The
/// memory itself is not accessed, so that it need not hold objects yet. Systems that cannot do this (Linux before 5.14)
/// leave it to the first access.
void touch_pages(std::span<std::byte> memory);

/// As `touch_pages`, on the calling thread alone.
void touch_pages_here(std::span<std::byte> memory) noexcept;

}  // namespace tessera::device
