#include "tessera/comm/mpi/control_channel.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "tessera/base/error.h"

namespace tessera::comm::mpi {

std::shared_ptr<const notice> notice::of_note(std::span<const std::byte> note) {
  auto made = std::make_shared<notice>();
  made->bytes = static_cast<std::int32_t>(note.size());
  if (!note.empty()) std::memcpy(made->text.data(), note.data(), note.size());
  return made;
}

std::shared_ptr<const notice> notice::of_failure(const job_failure& problem) {
  auto made = std::make_shared<notice>();
  made->is = problem.kind == failure_kind::divergence ? content::divergence : content::communication_failure;
  made->bytes = static_cast<std::int32_t>(std::min(problem.reason.size(), made->text.size()));
  std::copy_n(problem.reason.begin(), made->bytes, made->text.begin());
  return made;
}

std::span<const char> notice::contents() const {
  return std::span(text).first(std::min(text.size(), static_cast<std::size_t>(bytes)));
}

control_channel::control_channel(const connection& network, request_table& requests)
    : network_(network), requests_(requests) {
  post_receive();
}

void control_channel::post_receive() {
  const std::lock_guard turn(network_.mpi.turn());
  tessera_mpi_handle request{};
  network_.check(network_.mpi.calls().receive(network_.control.comm, &incoming_, sizeof incoming_, -1,
                                              network_.control.tag, &request),
                 "receiving");
  requests_.set_note_receive(request);
}

void control_channel::send(int peer, std::shared_ptr<const notice> n) {
  const std::lock_guard turn(network_.mpi.turn());
  tessera_mpi_handle request{};
  const int bytes = static_cast<int>(offsetof(notice, text)) + n->bytes;
  network_.check(network_.mpi.calls().send(network_.control.comm, n.get(), bytes, peer, network_.control.tag, &request),
                 "sending");
  requests_.add_note(request, std::move(n));
}

void control_channel::send_to_all(const job_failure& problem) {
  const std::shared_ptr<const notice> n = notice::of_failure(problem);
  try {
    for (int r = 0; r < network_.ranks.size; ++r)
      if (r != network_.ranks.rank) send(r, n);
  } catch (const comm_error&) {
    // A rank that cannot be told hears of it when this process ends.
  }
}

std::optional<job_failure> control_channel::receive(int from) {
  const notice n = incoming_;
  post_receive();
  const std::span<const char> contents = n.contents();
  if (n.is == notice::content::note) {
    notes_.deliver(node_id(from), std::as_bytes(contents));
    return std::nullopt;
  }
  return job_failure{n.is == notice::content::divergence ? failure_kind::divergence : failure_kind::communication,
                     std::string(contents.begin(), contents.end())};
}

}  // namespace tessera::comm::mpi
