#include "tessera/comm/mpi/request_table.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace tessera::comm::mpi {

request_table::request_table(const connection& network, std::int64_t most_bytes)
    : network_(network), most_bytes_(most_bytes), requests_(1), entries_(1) {}

/// All pieces of a message have its tag: MPI keeps them in order. Tags come round again after very many messages.
void request_table::post(const std::shared_ptr<message>& m) {
  const auto tag = static_cast<int>(m->number % (static_cast<std::uint64_t>(network_.ranks.most_tag) + 1));
  const tessera_mpi_handle comm = network_.ranks.comm;
  const std::int64_t all = std::ssize(m->data.bytes);
  const std::lock_guard turn(network_.mpi.turn());
  std::int64_t begin = 0;
  do {
    const std::int64_t bytes = std::min(most_bytes_, all - begin);
    std::byte* const data = m->data.bytes.data() + begin;
    tessera_mpi_handle request{};
    network_.check(m->outgoing
                       ? network_.mpi.calls().send(comm, data, static_cast<int>(bytes), m->peer, tag, &request)
                       : network_.mpi.calls().receive(comm, data, static_cast<int>(bytes), m->peer, tag, &request),
                   m->outgoing ? "sending" : "receiving");
    ++m->pieces;
    requests_.push_back(request);
    entries_.push_back({m, bytes, nullptr});
    bytes_ += bytes;
    begin += bytes;
  } while (begin < all);
}

void request_table::add_note(tessera_mpi_handle request, std::shared_ptr<const void> note) {
  requests_.push_back(request);
  entries_.push_back({nullptr, 0, std::move(note)});
}

std::span<const tessera_mpi_status> request_table::ended() {
  statuses_.resize(requests_.size());
  int count = 0;
  const std::lock_guard turn(network_.mpi.turn());
  if (network_.mpi.ended()) return {};
  network_.check(
      network_.mpi.calls().test(static_cast<int>(requests_.size()), requests_.data(), &count, statuses_.data()),
      "looking for messages");
  return std::span(statuses_).first(static_cast<std::size_t>(count));
}

void request_table::remove(std::span<const tessera_mpi_status> ended) {
  places_.clear();
  for (const tessera_mpi_status& status : ended)
    if (status.index > 0) places_.push_back(static_cast<std::size_t>(status.index));
  std::sort(places_.rbegin(), places_.rend());
  for (const std::size_t place : places_) {
    bytes_ -= entries_[place].bytes;
    requests_[place] = requests_.back();
    entries_[place] = std::move(entries_.back());
    requests_.pop_back();
    entries_.pop_back();
  }
}

void request_table::cancel_receives() {
  const std::lock_guard turn(network_.mpi.turn());
  if (network_.mpi.ended()) return;
  for (std::size_t k = 1; k < requests_.size(); ++k)
    if (entries_[k].of && !entries_[k].of->outgoing) network_.mpi.calls().give_up(requests_[k]);
}

void request_table::cancel_note_receive() { network_.mpi.calls().cancel(&requests_.front()); }

void request_table::keep_for_good() { static_cast<void>(new std::vector<entry>(std::move(entries_))); }

bool request_table::sends_notes() const {
  return std::any_of(entries_.begin() + 1, entries_.end(), [](const entry& e) { return e.note != nullptr; });
}

void request_table::list(std::vector<pending_message>& to) const {
  std::set<const message*> listed;
  for (const entry& e : entries_)
    if (e.of && listed.insert(e.of.get()).second)
      to.push_back({e.of->outgoing, node_id(e.of->peer), e.of->number, std::ssize(e.of->data.bytes)});
}

}  // namespace tessera::comm::mpi
