#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tessera/algo/exec/routes/parts.h"
#include "tessera/algo/exec/routes/request_chunks.h"
#include "tessera/algo/function/op.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// Requests that are to be answered by the devices which have what they ask for.
struct request_list {
  sequence owner;                 ///< Of each request the number of the owner; below 0: it is not made.
  std::vector<sequence> carried;  ///< What it carries: one or two values.
  std::vector<device_part> from;  ///< Where requests are made.
  std::int64_t answer_bytes = 0;
};
/// What is asked for: parts of at most `most_owners` owners, with the bytes of an element.
struct owner_list {
  std::vector<device_part> parts;
  std::int64_t element_bytes = 0;
};
/// Parts of `owned` so that one fits into the memory of a device beside the requests that it answers.
[[nodiscard]] owner_list owners_of(const operand& owned, const context& ctx);

/// Takes requests to the owners of what they ask for, and answers back. Requests are grouped by owner where they are
/// made, and counted; the counts come to the host, which waits for them once. From then on launches name with tables of
/// intervals exactly the requests and answers that they take, and these alone move, each once.
class routes {
 public:
  routes(const context& ctx, const request_list& requests, const owner_list& owners, call_site here);

  /// What `answer(elements, request, first, last)` gives for each request, which finds the elements first <= i < last
  /// of `owned` in `elements`. As an operator, `answer` takes a whole container and what requests carry first.
  [[nodiscard]] operand answered(const op& answer, const operand& owned, call_site here) const;
  /// Answers where their requests stand, as `last` shows them. Elements without request keep what they have, unless
  /// `all` have one.
  void bring_back(const operand& answers, const operand& out, const op& last, bool all, call_site here) const;
  /// Stores what requests carry second at the places that they carry first, as `last` shows it.
  void deliver(const operand& out, const op& last, call_site here) const;

 private:
  using table = std::pair<std::string, intervals>;
  void count(const request_list& requests);
  void find_places();
  void group(const request_list& requests);
  void list_answers();
  [[nodiscard]] std::vector<table> tables_of_calls(const std::vector<const call*>& calls) const;
  [[nodiscard]] std::vector<table> tables_of_answers() const;
  /// Of a launch over chunks of requests, or over rows of answers.
  [[nodiscard]] launch_options options(const char* name, bool answers, std::vector<table> tables, call_site here) const;
  /// New elements for requests grouped by owner.
  [[nodiscard]] operand grouped(const dtype& type, std::int64_t size) const;
  [[nodiscard]] static argument use(const operand& part, access mode, call_site here);

  context ctx_;
  call_site site_;
  owner_list owners_;
  request_chunks chunks_;
  std::vector<std::int64_t> counts_, begins_;  // by chunk, then owner
  operand chunk_numbers_, count_numbers_, begin_numbers_, row_numbers_;
  intervals elements_, sent_, requests_, owned_;  // tables of launches
  operand places_;
  std::vector<operand> carried_;
  // Launches that answer: thread blocks are for one owner each.
  std::vector<std::int64_t> rows_;
  std::vector<slab> answer_slabs_;
};

/// Elements `at` of `from`, one behind the other, on one device.
[[nodiscard]] operand picked(const operand& from, const std::string& type, const std::vector<std::int64_t>& at,
                             call_site here);

}  // namespace tessera::algo
