#include "tessera/runtime/host_transfer.h"

#include "tessera/device/host/touch.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/execute/ticket.h"

namespace tessera::runtime {

pending_transfer::~pending_transfer() {
  ticket_->wait_for_good();
  owner_->release_host(buffers_);
}

void pending_transfer::wait() { owner_->wait(*ticket_, buffers_); }

bool pending_transfer::done() const { return ticket_->done(); }

void ask_for_huge_pages(std::span<std::byte> memory) noexcept { device::ask_for_huge_pages(memory); }

void touch_pages(std::span<std::byte> memory) { device::touch_pages(memory); }

}  // namespace tessera::runtime
