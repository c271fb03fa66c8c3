#include "tessera/runtime/stream_check.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <type_traits>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::runtime {
namespace {

constexpr std::size_t remembered = 4096;

/// What decides whether two calls are the same.
class hasher {
 public:
  std::uint64_t value = 0x9e3779b97f4a7c15ULL;

  void add(std::uint64_t x) {
    value = (value ^ x) * 0xff51afd7ed558ccdULL;
    value ^= value >> 32;
  }
  void add(std::int64_t x) { add(static_cast<std::uint64_t>(x)); }
  void add(const extents& e) {
    for (const std::int64_t x : e) add(x);
  }
  void add(const box& b) { add(b.lo), add(b.hi); }
  void add(const std::vector<std::byte>& bytes) {
    add(static_cast<std::uint64_t>(bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
      add(word);
    }
  }
};

/// Adds what `t` does to the hash and names it; empty if it concerns this rank alone.
std::string_view look_at(const plan::create_task& t, hasher& h) {
  h.add(t.array.value), h.add(t.shape), h.add(static_cast<std::uint64_t>(t.type.size));
  return "an array is made";
}
std::string_view look_at(const plan::drop_task&, hasher&) { return {}; }
std::string_view look_at(const plan::fence_task&, hasher&) { return {}; }
std::string_view look_at(const plan::fill_task& t, hasher& h) {
  h.add(t.array.value), h.add(t.where), h.add(t.value);
  return "an array is filled";
}
void add_exchange(const plan::host_exchange& t, hasher& h) {
  h.add(t.array.value), h.add(t.where);
  h.add(static_cast<std::uint64_t>(t.who.how)), h.add(static_cast<std::int64_t>(t.who.rank.value));
}
std::string_view look_at(const plan::host_write_task& t, hasher& h) {
  add_exchange(t, h);
  return "an array is written";
}
std::string_view look_at(const plan::host_read_task& t, hasher& h) {
  if (t.who.how == plan::host_ranks::kind::here) return {};
  add_exchange(t, h);
  return "an array is read";
}
std::string_view look_at(const plan::snapshot_task& t, hasher& h) {
  h.add(t.array.value), h.add(t.where), h.add(t.value.value);
  return "a value is taken";
}
std::string_view look_at(const std::shared_ptr<const plan::launch_task>& t, hasher& h) {
  h.add(t->kernel), h.add(t->space.size), h.add(t->space.granule), h.add(t->shared_bytes);
  h.add(static_cast<std::uint64_t>(t->split.how)), h.add(t->split.blocks);
  for (const plan::launch_array& a : t->arrays) h.add(a.array.value), h.add(a.slice);
  for (const plan::launch_scalar& s : t->scalars) h.add(s.value);
  return "launch";
}

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
  hasher h;
  h.add(static_cast<std::uint64_t>(t.what.index()));
  const std::string_view verb = std::visit([&](const auto& what) { return look_at(what, h); }, t.what);
  if (verb.empty()) return;
  const auto* launch = std::get_if<std::shared_ptr<const plan::launch_task>>(&t.what);
  std::optional<note> question;
  bool enough = false;
  std::string alone;
  {
    const std::lock_guard lock(mutex_);
    ++made_;
    calls_.push_back({h.value, t.where, verb, launch != nullptr ? *launch : nullptr});
    if (calls_.size() > remembered) calls_.pop_front();
    question = compare();
    enough = made_ - told_ == most_told;
    alone = beyond_their_end();
  }
  if (enough) flush();
  if (question) tell(previous_, *question);
  if (!alone.empty()) network_.abort(alone);
}

void stream_check::flush() {
  const std::lock_guard in_order(telling_);
  std::optional<note> news;
  {
    const std::lock_guard lock(mutex_);
    news = take_news();
  }
  if (news) tell(next_, *news);
}

void stream_check::end() {
  flush();
  note last;
  {
    const std::lock_guard lock(mutex_);
    last.is = note::kind::end;
    last.first = made_;
  }
  tell(next_, last);
  constexpr std::chrono::milliseconds glance(5), patience(2000);
  const auto give_up = std::chrono::steady_clock::now() + patience;
  std::unique_lock lock(mutex_);
  while (compared_ != their_end_ && !network_.failed() && std::chrono::steady_clock::now() < give_up)
    news_.wait_for(lock, glance);
}

std::string stream_check::beyond_their_end() const {
  if (made_ <= their_end_) return {};
  return cat(finding, ": call ", their_end_ + 1, " of rank ", network_.rank().value, " is: ", describe(their_end_ + 1),
             "; rank ", previous_, " makes no more calls");
}

std::optional<stream_check::note> stream_check::take_news() {
  if (made_ == told_) return std::nullopt;
  note news;
  news.first = told_ + 1;
  news.count = static_cast<std::uint32_t>(made_ - told_);
  for (std::uint32_t k = 0; k < news.count; ++k) news.hashes[k] = calls_[calls_.size() - news.count + k].hash;
  told_ = made_;
  return news;
}

std::optional<stream_check::note> stream_check::compare() {
  while (!differs_ && compared_ < made_ && !theirs_.empty()) {
    const auto back = static_cast<std::size_t>(made_ - compared_);  // the last one is 1
    if (back <= calls_.size() && calls_[calls_.size() - back].hash != theirs_.front()) {
      differs_ = true;
      note question;
      question.is = note::kind::question;
      question.first = compared_ + 1;
      question.text = {};
      const std::string mine = describe(question.first);
      std::copy_n(mine.begin(), std::min(mine.size(), question.text.size() - 1), question.text.begin());
      return question;
    }
    theirs_.pop_front();
    ++compared_;
  }
  return std::nullopt;
}

std::string stream_check::describe(std::uint64_t number) const {
  if (number > made_ || made_ - number >= calls_.size()) return "no such call";
  const call& c = calls_[calls_.size() - 1 - static_cast<std::size_t>(made_ - number)];
  std::string text(c.verb);
  if (c.launch) text += cat(" of '", c.launch->name, "'");
  if (c.where.line > 0) text += cat(" at ", c.where.file, ":", c.where.line);
  return text;
}

/// Hashes come from the rank before this one, questions from the one behind it.
void stream_check::heard(node_id from, const note& n) {
  std::optional<note> question;
  std::string reason;
  {
    const std::lock_guard lock(mutex_);
    news_.notify_all();
    if (n.is == note::kind::end) {
      their_end_ = n.first;
      reason = beyond_their_end();
      if (reason.empty()) return;
    } else if (n.is == note::kind::question) {
      std::array<char, 8 * most_told> theirs = n.text;
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
    tell(previous_, *question);
  else
    network_.abort(reason);
}

std::exception_ptr network_failure(const comm::transport& network) {
  const std::string reason = network.failure();
  if (reason.starts_with(stream_check::finding)) return std::make_exception_ptr(divergence_error(reason));
  return std::make_exception_ptr(comm_error(reason));
}

void stream_check::tell(int rank, const note& n) { network_.tell(node_id(rank), std::as_bytes(std::span(&n, 1))); }

}  // namespace tessera::runtime
