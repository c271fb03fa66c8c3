#include "tessera/algo/exec/routes/route_text.h"

#include "tessera/algo/exec/pattern.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(route_threads == 256 && most_owners == 1024, "the texts below have these numbers");

constexpr std::string_view gpu_count = R"(
  __shared__ int found[1024];
  const long long first = chunks[blockIdx.x], limit = chunks[blockIdx.x + 1];
  for (int d = threadIdx.x; d < parts; d += 256) found[d] = 0;
  __syncthreads();
  for (long long i = first + threadIdx.x; i < limit; i += 256) {
    const long long to = @E;
    if (to >= 0) atomicAdd(&found[to], 1);
  }
  __syncthreads();
  for (int d = threadIdx.x; d < parts; d += 256) counts[blockIdx.x * parts + d] = found[d];
}
)";
constexpr std::string_view cpu_count = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    long long* const found = counts + block * parts;
    for (long long d = 0; d < parts; ++d) found[d] = 0;
    for (long long i = chunks[block]; i < chunks[block + 1]; ++i) {
      const long long to = @E;
      if (to >= 0) ++found[to];
    }
  }
}
)";

/// A row of 256 requests at a time. A thread finds those of its warp that go where its own goes; warps take their
/// places one after the other.
constexpr std::string_view gpu_group = R"(
  __shared__ long long next[1024];
  __shared__ int to_of[256];
  const long long first = chunks[blockIdx.x], limit = chunks[blockIdx.x + 1];
  const int own = threadIdx.x, lane = own % 32;
  for (int d = own; d < parts; d += 256) next[d] = begins[blockIdx.x * parts + d];
  for (long long row = first; row < limit; row += 256) {
    const long long i = row + own;
    int to = -1;
    if (i < limit) to = (int)(@E);
    to_of[own] = to;
    __syncthreads();
    int before = 0, alike = 0;
    for (int k = 0; k < 32; ++k) {
      const int is_alike = to_of[own - lane + k] == to ? 1 : 0;
      alike += is_alike;
      before += k < lane ? is_alike : 0;
    }
    long long at = 0;
    for (int warp = 0; warp < 8; ++warp) {
      const bool has_turn = to >= 0 && own / 32 == warp;
      if (has_turn) at = next[to] + before;
      __syncwarp();
      if (has_turn && before + 1 == alike) next[to] = at + 1;
      __syncthreads();
    }
    if (to >= 0) {
      places[at] = (int)(i - first);
      @P
    }
  }
}
)";
constexpr std::string_view cpu_group = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    long long next[1024];
    for (long long d = 0; d < parts; ++d) next[d] = begins[block * parts + d];
    const long long first = chunks[block];
    for (long long i = first; i < chunks[block + 1]; ++i) {
      const long long to = @E;
      if (to < 0) continue;
      const long long at = next[to]++;
      places[at] = (int)(i - first);
      @P
    }
  }
}
)";

/// Thread blocks go through requests `k`; @K is what is done with each.
constexpr std::string_view gpu_requests = R"(
  const long long from = rows[4 * (long long)blockIdx.x + 2], upto = rows[4 * (long long)blockIdx.x + 3];
  const long long last_request = rows[4 * (long long)blockIdx.x + 1];
  for (long long k = rows[4 * (long long)blockIdx.x] + threadIdx.x; k < last_request; k += 256) {
    @K
  }
}
)";
constexpr std::string_view cpu_requests = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long from = rows[4 * (long long)block + 2], upto = rows[4 * (long long)block + 3];
    for (long long k = rows[4 * (long long)block]; k < rows[4 * (long long)block + 1]; ++k) {
      @K
    }
  }
}
)";

constexpr std::string_view gpu_return = R"(
  __shared__ long long begin_of[1024], count_of[1024];
  const long long first = chunks[blockIdx.x];
  for (int d = threadIdx.x; d < parts; d += 256) {
    begin_of[d] = begins[blockIdx.x * parts + d];
    count_of[d] = counts[blockIdx.x * parts + d];
  }
  __syncthreads();
  for (int d = 0; d < parts; ++d) {
    const long long begin = begin_of[d], limit = begin + count_of[d];
    for (long long k = begin + threadIdx.x; k < limit; k += 256) out[first + places[k]] = @(answers[k]@);
  }
}
)";
constexpr std::string_view cpu_return = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block)
    for (long long d = 0; d < parts; ++d) {
      const long long begin = begins[block * parts + d], limit = begin + counts[block * parts + d];
      for (long long k = begin; k < limit; ++k) out[chunks[block] + places[k]] = @(answers[k]@);
    }
}
)";

constexpr std::string_view sent = "[sent(parts * b + min(t * parts, parts - 1))]";
constexpr std::string_view of_owners = "[parts * b : parts * b + parts - 1]";

/// From the includes to the kernel's opening brace.
std::string head_of(const char* name, const std::string& parameters, const op_text& function) {
  return cat(kernel_prelude(), definitions_of({&function}), "\n#line 1 \"kernel of routes\"\n__global__ void ", name,
             "(", parameters, ") {");
}
std::string flat(const char* name, int axes) { return cat(name, axes == 1 ? "" : " as [:]"); }

kernel_text for_requests(const char* name, const std::string& list, const std::string& head,
                         const std::string& annotation, const std::string& body) {
  return {name, annotation, head + replaced(gpu_requests, "@K", body), head + replaced(cpu_requests, "@K", body), list};
}

}  // namespace

kernel_text count_requests_text(const op_text& function, const call_text& owner) {
  const std::string list = cat("long long parts, long long* counts, const long long* chunks", owner.parameters());
  const std::string head = head_of("count_kernel", list, function);
  const pattern_values values{"", owner.expression(), {}};
  return {"count_kernel", cat("block b => write counts", of_owners, ", read chunks[b : b + 1]", owner.rules()),
          head + filled(gpu_count, values), head + filled(cpu_count, values), list};
}

kernel_text group_requests_text(const op_text& function, const call_text& owner,
                                const std::vector<carried_text>& carried) {
  std::string list = "long long parts, int* places", rules = cat("write places", sent), stores;
  std::string definitions = definitions_of({&function});
  for (std::size_t k = 0; k < carried.size(); ++k) {
    list += cat(", ", carried[k].function->results.at(0).type, "* sent", k);
    rules += cat(", write sent", k, sent);
    stores += cat("sent", k, "[at] = ", carried[k].call->expression(), "; ");
  }
  list += ", const long long* chunks, const long long* begins" + owner.parameters();
  rules += cat(", read chunks[b : b + 1], read begins", of_owners, owner.rules());
  if (carried.size() == 1) definitions = definitions_of({&function, carried[0].function});
  if (carried.size() == 2) definitions = definitions_of({&function, carried[0].function, carried[1].function});
  for (const carried_text& each : carried) {
    list += each.call->parameters();
    rules += each.call->rules();
  }
  const std::string head =
      cat(kernel_prelude(), definitions, "\n#line 1 \"kernel of routes\"\n__global__ void group_kernel(", list, ") {");
  const pattern_values values{"", owner.expression(), {}};
  return {"group_kernel", "block b, local t => " + rules, head + filled(replaced(gpu_group, "@P", stores), values),
          head + filled(replaced(cpu_group, "@P", stores), values), list};
}

kernel_text answer_requests_text(const operator_text& answer, const answer_types& types) {
  const std::string list = cat(types.answer, "* answers, const long long* rows, const ", types.asked, "* asked, const ",
                               types.owned, "* owned", answer.parameter());
  const std::string functor = answer.function->text->has_state ? answer.name : answer.function->text->type + "{}";
  return for_requests(
      "answer_kernel", list, head_of("answer_kernel", list, *answer.function->text),
      cat("block b => write answers[requests(b)], read rows[4 * b : 4 * b + 3], read asked[requests(b)], "
          "read ",
          flat("owned", types.owned_axes), "[owned(b)]"),
      cat("answers[k] = ", functor, "(tessera::vec<", types.owned, ">{owned, upto}, asked[k], from, upto);"));
}

kernel_text return_answers_text(const operator_text& last, bool all, int axes) {
  const op_text& shown = *last.function->text;
  const std::string type = shown.parameters.at(0).type;
  const std::string list =
      cat("long long parts, ", shown.results.at(0).type,
          "* out, const long long* chunks, const long long* begins, const long long* counts, const int* places, const ",
          type, "* answers", last.parameter());
  const std::string head = head_of("return_kernel", list, shown);
  const pattern_values values{type, "", {}, last};
  return {"return_kernel",
          cat("block b, local t => ", all ? "write " : "readwrite ", flat("out", axes),
              "[elements(b)], read chunks[b : b + 1], read begins", of_owners, ", read counts", of_owners,
              ", read places", sent, ", read answers", sent),
          head + filled(gpu_return, values), head + filled(cpu_return, values), list};
}

kernel_text deliver_text(const operator_text& last, int axes) {
  const op_text& shown = *last.function->text;
  const std::string list = cat(shown.results.at(0).type, "* out, const long long* rows, const long long* at, const ",
                               shown.parameters.at(0).type, "* values", last.parameter());
  return for_requests("deliver_kernel", list, head_of("deliver_kernel", list, shown),
                      cat("block b => readwrite ", flat("out", axes),
                          "[owned(b)], read rows[4 * b : 4 * b + 3], read at[requests(b)], read values[requests(b)]"),
                      cat("if (at[k] >= from && at[k] < upto) out[at[k]] = ", last.apply("values[k]"), ";"));
}

kernel_text pick_text(const op_text& identity, int axes) {
  const std::string type = identity.results.at(0).type;
  const std::string list = cat(type, "* to, const ", type, "* from, const long long* at");
  const std::string head = head_of("pick_kernel", list, identity);
  return {"pick_kernel", cat("block b => write to[b], read ", flat("from", axes), "[picked(b)], read at[b]"),
          head + "\n  if (threadIdx.x == 0) to[blockIdx.x] = from[at[blockIdx.x]];\n}\n",
          head + "\n  for (unsigned b = blockIdx.x; b < blockIdx.x + tessera_blocks; ++b) to[b] = from[at[b]];\n}\n",
          list};
}

}  // namespace tessera::algo
