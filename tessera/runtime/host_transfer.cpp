#include "tessera/runtime/host_transfer.h"

#include "tessera/runtime/engine.h"
#include "tessera/runtime/execute/ticket.h"

namespace tessera::runtime {

pending_transfer::~pending_transfer() {
  ticket_->wait();
  owner_->release_host(buffers_);
}

void pending_transfer::wait() { owner_->wait(*ticket_, buffers_); }

bool pending_transfer::done() const { return ticket_->done(); }

}  // namespace tessera::runtime
