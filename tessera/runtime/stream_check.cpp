#include "tessera/runtime/stream_check.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/task_codec.h"
#include "tessera/plan/task_traits.h"

namespace tessera::runtime {
namespace {

constexpr std::size_t remembered = 4096;  // calls with what describes them
constexpr std::string_view finding = "the ranks make different calls";

}  // namespace

stream_check::stream_check(comm::transport& network)
    : network_(network),
      next_((network.rank().value + 1) % network.size()),
      previous_((network.rank().value + network.size() - 1) % network.size()) {
  network_.listen([this](node_id from, std::span<const std::byte> bytes) {
    note n;
    if (bytes.size() == sizeof n) std::memcpy(static_cast<void*>(&n), bytes.data(), sizeof n), heard(from, n);
  });
}

stream_check::~stream_check() { network_.listen(nullptr); }

void stream_check::made(const plan::task& t) {
  if (!plan::is_shared(t)) return;
  call made{plan::shared_hash(t), {}, {}};
  if (plan::holds_tables(t))
    made.text = plan::describe(t);
  else
    made.made = plan::shared_part(t);
  std::optional<note> question;
  bool enough = false;
  std::string alone;
  {
    const std::lock_guard lock(mutex_);
    ++made_;
    mine_.push_back(made.hash);
    calls_.push_back(std::move(made));
    if (calls_.size() > remembered) calls_.pop_front();
    question = compare();
    enough = made_ - sent_ == most_hashes;
    alone = beyond_their_end();
  }
  if (enough) flush();
  if (question) send(previous_, *question);
  if (!alone.empty()) network_.abort(alone, comm::failure_kind::divergence);
}

void stream_check::flush() {
  const std::lock_guard in_order(sending_);
  std::optional<note> unsent;
  {
    const std::lock_guard lock(mutex_);
    unsent = take_unsent();
  }
  if (unsent) send(next_, *unsent);
}

void stream_check::end() {
  flush();
  note last;
  {
    const std::lock_guard lock(mutex_);
    last.is = note::kind::end;
    last.first = made_;
  }
  send(next_, last);
  constexpr std::chrono::milliseconds interval(5), timeout(2000);
  const auto give_up = std::chrono::steady_clock::now() + timeout;
  std::unique_lock lock(mutex_);
  while (compared_ != their_end_ && !network_.failed() && std::chrono::steady_clock::now() < give_up)
    changed_.wait_for(lock, interval);
}

std::string stream_check::beyond_their_end() const {
  if (made_ <= their_end_) return {};
  return cat(finding, ": call ", their_end_ + 1, " of rank ", network_.rank().value, " is: ", describe(their_end_ + 1),
             "; rank ", previous_, " makes no more calls");
}

std::optional<stream_check::note> stream_check::take_unsent() {
  if (made_ == sent_) return std::nullopt;
  note unsent;
  unsent.first = sent_ + 1;
  unsent.count = static_cast<std::uint32_t>(made_ - sent_);
  for (std::uint32_t k = 0; k < unsent.count; ++k) unsent.hashes[k] = calls_[calls_.size() - unsent.count + k].hash;
  sent_ = made_;
  return unsent;
}

std::optional<stream_check::note> stream_check::compare() {
  while (!differs_ && !mine_.empty() && !theirs_.empty()) {
    if (mine_.front() != theirs_.front()) {
      differs_ = true;
      note question;
      question.is = note::kind::question;
      question.first = compared_ + 1;
      question.text = {};
      const std::string mine = describe(question.first);
      std::copy_n(mine.begin(), std::min(mine.size(), question.text.size() - 1), question.text.begin());
      return question;
    }
    mine_.pop_front();
    theirs_.pop_front();
    ++compared_;
  }
  return std::nullopt;
}

std::string stream_check::describe(std::uint64_t number) const {
  if (number > made_ || made_ - number >= calls_.size()) return "a call too long ago to be named";
  const call& asked = calls_[calls_.size() - 1 - static_cast<std::size_t>(made_ - number)];
  return asked.text.empty() ? plan::describe(asked.made) : asked.text;
}

/// Hashes come from the rank before this one, questions from the one behind it.
void stream_check::heard(node_id from, const note& n) {
  std::optional<note> question;
  std::string reason;
  {
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
    if (n.is == note::kind::end) {
      their_end_ = n.first;
      reason = beyond_their_end();
      if (reason.empty()) return;
    } else if (n.is == note::kind::question) {
      std::array<char, 8 * most_hashes> theirs = n.text;
      theirs.back() = 0;
      reason = cat(finding, ": call ", n.first, " of rank ", network_.rank().value, " is: ", describe(n.first),
                   "; of rank ", from.value, " it is: ", theirs.data());
    } else {
      for (std::uint32_t k = 0; k < n.count; ++k) theirs_.push_back(n.hashes[k]);
      question = compare();
      if (!question) return;
    }
  }
  if (question)
    send(previous_, *question);
  else
    network_.abort(reason, comm::failure_kind::divergence);
}

std::exception_ptr network_failure(const comm::transport& network) {
  const comm::job_failure problem = network.failure();
  if (problem.kind == comm::failure_kind::divergence) return std::make_exception_ptr(divergence_error(problem.reason));
  return std::make_exception_ptr(comm_error(problem.reason));
}

void stream_check::send(int rank, const note& n) { network_.post_note(node_id(rank), std::as_bytes(std::span(&n, 1))); }

}  // namespace tessera::runtime
