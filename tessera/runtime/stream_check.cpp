#include "tessera/runtime/stream_check.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <type_traits>

#include "tessera/base/bytes/hex.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/task_codec.h"

namespace tessera::runtime {
namespace {

constexpr std::size_t remembered = 4096;  // calls with what describes them
constexpr std::string_view finding = "the ranks make different calls";

std::string_view verb_of(const plan::create_task&) { return "an array is made"; }
std::string_view verb_of(const plan::drop_task&) { return "an array is dropped"; }
std::string_view verb_of(const plan::fill_task&) { return "an array is filled"; }
std::string_view verb_of(const plan::host_write_task&) { return "an array is written"; }
std::string_view verb_of(const plan::host_read_task&) { return "an array is read"; }
std::string_view verb_of(const plan::snapshot_task&) { return "a value is taken"; }
std::string_view verb_of(const std::shared_ptr<const plan::launch_task>&) { return "launch"; }
std::string_view verb_of(const plan::fence_task&) { return "a wait"; }

/// As a number is written, the last byte first.
std::string in_hex(std::span<const std::byte> bytes) {
  constexpr std::size_t enough = 16;
  std::vector<std::byte> number(bytes.begin(), bytes.end());
  number.resize(std::min(number.size(), enough));
  std::reverse(number.begin(), number.end());
  return "0x" + hex(number);
}
std::string in_hex(const std::uint64_t& x) { return in_hex(std::as_bytes(std::span(&x, 1))); }

/// What may differ in two calls at one place.
std::string details(const plan::launch_task& t) {
  std::map<int, std::string> arguments;
  for (const plan::launch_array& a : t.arrays)
    arguments[a.parameter] = cat("array ", a.array.value, " ", to_string(a.slice));
  for (const plan::launch_scalar& s : t.scalars) arguments[s.parameter] = in_hex(s.value);
  std::string text = cat(" (threads ", to_string(t.space.size), ", block ", to_string(t.space.granule), ", arguments");
  for (const auto& [parameter, argument] : arguments) text += cat(" ", argument, ",");
  if (t.split.how != plan::split_spec::kind::automatic) text += cat(" split ", to_string(t.split), ",");
  return cat(text, " kernel ", in_hex(t.kernel), ", accesses ", in_hex(t.accesses_hash), ")");
}

std::string details(const plan::create_task& t) {
  constexpr std::array names{"automatic", "tiles", "replicated", "on a device", "listed"};
  return cat(" (array ", t.array.value, " ", to_string(t.shape), " of ", to_string(t.type), ", distribution ",
             names[static_cast<std::size_t>(t.home.how)], " ", to_string(t.home.tile), t.home.cyclic ? " cyclic" : "",
             ")");
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

template <class Task>
void stream_check::note_details(const Task& t, call& c) {
  if constexpr (std::is_same_v<Task, std::shared_ptr<const plan::launch_task>>)
    c.launch = t;
  else if constexpr (std::is_same_v<Task, plan::create_task>)
    c.made = std::make_shared<const plan::create_task>(t);
  else if constexpr (requires { t.array, t.where; })
    c.array = t.array, c.where = t.where;
  if constexpr (std::is_same_v<Task, plan::host_write_task>) c.contents = t.contents;
}

void stream_check::made(const plan::task& t) {
  if (!plan::is_shared(t)) return;
  call made;
  made.hash = plan::shared_hash(t);
  made.where_made = t.where;
  std::visit([&](const auto& what) { made.verb = verb_of(what), note_details(what, made); }, t.what);
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
    enough = made_ - told_ == most_told;
    alone = beyond_their_end();
  }
  if (enough) flush();
  if (question) tell(previous_, *question);
  if (!alone.empty()) network_.abort(alone, comm::failure_kind::divergence);
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
  const call& c = calls_[calls_.size() - 1 - static_cast<std::size_t>(made_ - number)];
  std::string text(c.verb);
  if (c.launch) text += cat(" of '", c.launch->name, "'");
  if (c.where_made.line > 0) text += cat(" at ", c.where_made.file, ":", c.where_made.line);
  if (c.launch) return text + details(*c.launch);
  if (c.made) return text + details(*c.made);
  text += cat(" (array ", c.array.value, " ", to_string(c.where), ")");
  if (c.contents != 0) text += cat(", with contents of hash ", in_hex(c.contents));
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
    network_.abort(reason, comm::failure_kind::divergence);
}

std::exception_ptr network_failure(const comm::transport& network) {
  const comm::job_failure why = network.failure();
  if (why.kind == comm::failure_kind::divergence) return std::make_exception_ptr(divergence_error(why.reason));
  return std::make_exception_ptr(comm_error(why.reason));
}

void stream_check::tell(int rank, const note& n) { network_.tell(node_id(rank), std::as_bytes(std::span(&n, 1))); }

}  // namespace tessera::runtime
