#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/graph/node.h"
#include "tessera/nd/stats.h"

namespace tessera::nd {

/// Why recorded nodes were carried out.
enum class flush_reason : std::uint8_t { look, eval, nodes, bytes };

/// What the arrays of one context have in common: the nodes recorded since the last flush, and the rules that say when
/// they are carried out. Every choice follows from the recorded program alone, never from time, from memory in use or,
/// with several ranks, from which handles still live: ranks that record alike issue alike. Thread-safe.
class graph : public std::enable_shared_from_this<graph> {
 public:
  /// At so many nodes recorded since the last flush, all that nothing was made of are carried out.
  static constexpr std::size_t most_recorded = 512;
  /// Arrays of at most so many elements and bytes are host values.
  static constexpr std::int64_t most_host_elements = 4096;
  static constexpr std::int64_t most_host_bytes = 16 << 10;

  /// The graph of a context; the same while arrays of it exist.
  [[nodiscard]] static std::shared_ptr<graph> of(const context& ctx);
  explicit graph(context ctx);

  [[nodiscard]] context& ctx() { return ctx_; }
  [[nodiscard]] int devices() const { return devices_; }
  /// Device k of those that arrays lie on, numbered through all ranks.
  [[nodiscard]] int device(int k) const;
  /// False where everything goes through the engine (TESSERA_SMALL=0).
  [[nodiscard]] bool has_host_values() const { return has_host_values_; }
  [[nodiscard]] bool is_host_size(std::int64_t elements, scalar_kind type) const {
    return has_host_values_ && elements <= most_host_elements &&
           elements * static_cast<std::int64_t>(dtype::make(type).size) <= most_host_bytes;
  }
  /// How many places of arrays a thread block of a group may access, however few elements it has of each.
  [[nodiscard]] std::size_t most_accesses() const { return most_accesses_; }
  [[nodiscard]] bool has_ranks() const { return has_ranks_; }
  [[nodiscard]] bool is_deterministic() const { return deterministic_; }

  /// Takes a new node into the record, after which it may be carried out at once.
  node_ptr add(std::shared_ptr<node> made);
  /// Carries out what `roots` need, so that their elements are stored.
  void flush(std::span<const node_ptr> roots, flush_reason why, call_site here);
  /// Carries out everything recorded that nothing was made of.
  void flush_all(call_site here);
  /// The groups and kernels that `root` would be carried out by, as text; nothing runs.
  [[nodiscard]] std::string explain(const node_ptr& root);
  /// An engine array with the elements of a stored node, also of a host value.
  [[nodiscard]] const array_base& array_of(node& stored);
  /// To be called when a node has got elements that take memory.
  void note_elements(node& stored);
  /// A node that was carried out, as itself or in all that is made of it so far, is no longer kept for the record.
  void let_go(const node& finished);
  /// The elements of nodes as host values, one wait for all; carries out what they need.
  void fetch(std::span<const node_ptr> wanted, call_site here);

  /// Reads the elements of `from` into `to`, which lies in `memory`, and waits for them. Where the wait is ended by the
  /// wait hook (rule H46), `memory` is kept until the elements have come.
  void read(const array_base& from, std::span<std::byte> to, std::shared_ptr<void> memory, call_site here);

  /// Has it checked at the next look that all of `indices`, of type int64, are places of an axis of `extent` elements.
  void check_places(const node_ptr& least, const node_ptr& greatest, std::int64_t extent, int axis, call_site site);
  /// Has it checked at the next look that `info`, an int32 for each of several matrices, is 0 for all; `fault` says
  /// what a matrix is for which it is not.
  void check_matrices(const node_ptr& info, const char* fault, call_site site);
  /// Throws `argument_error` for places that are none, and `linalg_error`. Waits for them.
  void run_checks(call_site here);

  /// Each operation counts itself; `stats` adds the last flushes.
  [[nodiscard]] graph_stats& counters() { return stats_; }
  [[nodiscard]] graph_stats stats();
  [[nodiscard]] emitted_kernels& kernels() { return kernels_; }
  [[nodiscard]] std::recursive_mutex& mutex() { return mutex_; }

 private:
  /// The least and the greatest place that an operation uses of an axis.
  struct place_check {
    node_ptr least, greatest;
    std::int64_t extent = 0;
    int axis = 0;
    call_site site;
  };
  /// What factorisations say of their matrices.
  struct matrix_check {
    node_ptr info;
    const char* fault = "";
    call_site site;
  };
  /// A node that was recorded since the last flush.
  struct entry {
    std::uint64_t number = 0;
    std::weak_ptr<node> recorded;
    node_ptr kept;  // the same node, where ranks must agree on it
  };
  /// A read that nobody waits for any more, and where it puts what it reads.
  struct abandoned_read {
    std::shared_ptr<void> memory;
    transfer under_way;
  };
  void wait_for(transfer& under_way, const std::shared_ptr<void>& memory);
  void flush_recorded(flush_reason why, call_site here);
  void flush_wanted(std::vector<node_ptr> wanted, flush_reason why, call_site here);
  void drop_finished();
  void check_matrices_now(call_site here);
  void count_bytes(const node& made);

  std::recursive_mutex mutex_;
  context ctx_;
  int devices_;
  bool has_host_values_, has_ranks_, deterministic_;
  std::int64_t byte_limit_ = 0;
  std::size_t most_accesses_ = 0;
  std::vector<entry> recent_;  // in the order of recording
  std::uint64_t next_number_ = 1, epoch_ = 1;
  std::int64_t bytes_ = 0;  // of arrays made since the oldest of `recent_`, to which these refer
  std::vector<place_check> checks_;
  std::vector<matrix_check> matrix_checks_;
  std::vector<abandoned_read> abandoned_;
  bool is_flushing_ = false;
  graph_stats stats_;
  std::deque<std::pair<call_site, flush_reason>> flushes_;  // the last ones
  emitted_kernels kernels_;
};

}  // namespace tessera::nd
