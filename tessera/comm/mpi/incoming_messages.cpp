#include "tessera/comm/mpi/incoming_messages.h"

#include <utility>

namespace tessera::comm::mpi {

incoming_messages::incoming_messages(int ranks, request_table& requests) : requests_(requests) {
  for (int r = 0; r < ranks; ++r) channels_.push_back(std::make_unique<channel>());
}

void incoming_messages::give(const std::shared_ptr<message>& m) {
  ++from(m->peer).posted;
  requests_.post(m);
}

void incoming_messages::post(std::shared_ptr<message> m) {
  channel& c = from(m->peer);
  if (c.posted < most_posted) return give(m);
  c.kept.push_back(std::move(m));
}

void incoming_messages::ended(const message& m) {
  channel& c = from(m.peer);
  --c.posted;
  c.arrived.complete(m.number);
}

void incoming_messages::post_kept() {
  for (const auto& c : channels_)
    for (; !c->kept.empty() && c->posted < most_posted; c->kept.pop_front()) give(c->kept.front());
}

void incoming_messages::close() {
  for (const auto& c : channels_) {
    c->kept.clear();
    c->arrived.close();
  }
  requests_.cancel_receives();
}

void incoming_messages::list_kept(std::vector<pending_message>& to) const {
  for (const auto& c : channels_)
    for (const auto& m : c->kept) to.push_back({false, node_id(m->peer), m->number, std::ssize(m->data.bytes)});
}

}  // namespace tessera::comm::mpi
