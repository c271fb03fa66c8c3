#include "tests/fuzz/reference/launch.h"

#include <map>

namespace tessera::fuzz {
namespace {

constexpr std::int64_t most_work = 40'000;  // elements visited by one launch

std::vector<memory_view> memories(const plain_launch& l) {
  std::vector<memory_view> result;
  for (const plain_handle& h : l.arguments) result.push_back(h.array ? memory_of(h) : memory_view{});
  return result;
}

/// Per array of the launch, a number for every element.
class element_table {
 public:
  explicit element_table(const plain_launch& l) {
    for (const plain_handle& h : l.arguments)
      if (h.array) numbers_.try_emplace(h.array.get(), h.array->defined.size(), 0);
  }
  std::int32_t& at(const plain_handle& h, const std::byte* e) {
    const auto offset = e - h.array->bytes.data();
    return numbers_.at(h.array.get())[static_cast<std::size_t>(offset / size_of(h.array->type))];
  }

 private:
  std::map<const plain_array*, std::vector<std::int32_t>> numbers_;
};

bool reads(access a) { return a == access::read || a == access::readwrite; }

/// Visits all elements that `part` declares, as f(argument, rule, element).
template <class F>
void visit_all_declared(const plain_launch& l, const block_box& part, F f) {
  for (std::size_t p = 0; p < l.arguments.size(); ++p) {
    if (!l.arguments[p].array) continue;
    const memory_view a = memory_of(l.arguments[p]);
    for (const rule& r : l.definition.parameters[p].rules)
      visit_declared(l.definition, l.space, part, l.definition.parameters[p], a, r,
                     [&](std::byte* e) { f(l.arguments[p], r, e); });
  }
}

/// Arrays that are combined must not be written too, nor combined in two ways, nor read while threads add to them.
bool modes_go_together(const plain_launch& l) {
  for (std::size_t p = 0; p < l.arguments.size(); ++p)
    for (std::size_t q = 0; q < l.arguments.size(); ++q) {
      if (!l.arguments[p].array || l.arguments[p].array != l.arguments[q].array) continue;
      for (const rule& a : l.definition.parameters[p].rules)
        for (const rule& b : l.definition.parameters[q].rules) {
          if (!combines(a.mode) || b.mode == access::none) continue;
          const bool same =
              a.mode == b.mode && l.definition.parameters[p].op == l.definition.parameters[q].op && p == q;
          if (!same && !(a.mode == access::reduce && b.mode == access::read && p != q)) return false;
        }
    }
  return true;
}

/// Calls f(argument, rule, element) for all that all threads touch; `thread` counts them from 1. Ends after the thread
/// in which f has said false.
template <class F>
void visit_threads(const plain_launch& l, std::int32_t& thread, F f) {
  const std::vector<memory_view> arrays = memories(l);
  bool go_on = true;
  thread = 0;
  visit_points(int_list(l.space.size.size(), 0), l.space.size, [&](std::span<const std::int64_t> x) {
    ++thread;
    if (!go_on) return;
    visit_thread(l.definition, l.space, arrays, x, [&](const parameter& p, const rule& r, std::byte* e) {
      const plain_handle& h = l.arguments[static_cast<std::size_t>(&p - l.definition.parameters.data())];
      if (!f(h, r, e)) go_on = false;
    });
  });
}

bool has_reduction(const plain_launch& l) {
  for (const parameter& p : l.definition.parameters)
    for (const rule& r : p.rules)
      if (r.mode == access::reduce) return true;
  return false;
}

/// The arguments with a private array, all at the identity, in place of each that is reduced.
std::vector<plain_handle> with_private_results(const plain_launch& l) {
  std::vector<plain_handle> arguments = l.arguments;
  for (std::size_t p = 0; p < arguments.size(); ++p) {
    const parameter& q = l.definition.parameters[p];
    const bool reduced =
        std::any_of(q.rules.begin(), q.rules.end(), [](const rule& r) { return r.mode == access::reduce; });
    if (!arguments[p].array || !reduced) continue;
    arguments[p].array = std::make_shared<plain_array>(*arguments[p].array);
    with_type(q.type, [&](auto v) {
      using T = decltype(v);
      if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, values::triple>) {
        v = values::identity<decltype(v)>(q.op);
        for (std::size_t at = 0; at + sizeof v <= arguments[p].array->bytes.size(); at += sizeof v)
          std::memcpy(arguments[p].array->bytes.data() + at, &v, sizeof v);
      }
    });
  }
  return arguments;
}

/// Private results replace what threads declare, also those that only fill the last blocks.
void deliver_private_results(const plain_launch& l, const std::vector<plain_handle>& results) {
  const std::vector<memory_view> arrays = memories(l);
  int_list padded = blocks_of(l.space);
  for (std::size_t k = 0; k < padded.size(); ++k) padded[k] *= l.space.block[k];
  visit_points(int_list(padded.size(), 0), padded, [&](std::span<const std::int64_t> x) {
    visit_thread(l.definition, l.space, arrays, x, [&](const parameter& p, const rule& r, std::byte* e) {
      if (r.mode != access::reduce) return;
      const auto argument = static_cast<std::size_t>(&p - l.definition.parameters.data());
      const plain_handle& h = l.arguments[argument];
      const auto offset = e - h.array->bytes.data();
      const std::int64_t size = size_of(h.array->type);
      std::memcpy(e, results[argument].array->bytes.data() + offset, static_cast<std::size_t>(size));
      h.array->defined[static_cast<std::size_t>(offset / size)] = 1;
    });
  });
}

}  // namespace

memory_view memory_of(const plain_handle& h) {
  memory_view m;
  std::int64_t stride = size_of(h.array->type);
  m.strides.resize(h.array->shape.size());
  std::int64_t offset = 0;
  for (std::size_t k = m.strides.size(); k-- > 0;) {
    m.strides[k] = stride;
    offset += h.part.lo[k] * stride;
    stride *= h.array->shape[k];
  }
  m.shape = shape_of(h.part);
  // A place that is not null also for arrays without elements.
  static std::byte nothing{};
  m.data = h.array->bytes.empty() ? &nothing : h.array->bytes.data() + offset;
  return m;
}

bool is_determined(const plain_launch& l) {
  if (!modes_go_together(l)) return false;
  element_table writer(l);
  std::int32_t thread = 0;
  std::int64_t work = 0;
  bool fine = true;
  visit_threads(l, thread, [&](const plain_handle& h, const rule& r, std::byte* e) {
    if (++work > most_work) fine = false;
    if (!fine || !modifies(r.mode) || combines(r.mode)) return fine;
    std::int32_t& w = writer.at(h, e);
    fine = w == 0 || w == thread;
    w = thread;
    return fine;
  });
  if (!fine) return false;
  visit_threads(l, thread, [&](const plain_handle& h, const rule& r, std::byte* e) {
    if (!reads(r.mode) && r.mode != access::atomic) return true;
    const auto index = static_cast<std::size_t>((e - h.array->bytes.data()) / size_of(h.array->type));
    const std::int32_t w = writer.at(h, e);
    fine = fine && h.array->defined[index] != 0 && (w == 0 || w == thread);
    return fine;
  });
  return fine;
}

bool has_conflict(const plain_launch& l, const std::vector<block_box>& parts) {
  if (parts.size() <= 1) return false;
  element_table writer(l);
  bool conflict = false;
  for (std::size_t s = 0; s < parts.size() && !conflict; ++s) {
    const auto number = static_cast<std::int32_t>(s) + 1;
    visit_all_declared(l, parts[s], [&](const plain_handle& h, const rule& r, std::byte* e) {
      if (!modifies(r.mode) || combines(r.mode)) return;
      std::int32_t& w = writer.at(h, e);
      conflict = conflict || (w != 0 && w != number);
      w = number;
    });
  }
  for (std::size_t s = 0; s < parts.size() && !conflict; ++s) {
    const auto number = static_cast<std::int32_t>(s) + 1;
    visit_all_declared(l, parts[s], [&](const plain_handle& h, const rule& r, std::byte* e) {
      const std::int32_t w = writer.at(h, e);
      conflict = conflict || (reads(r.mode) && w != 0 && w != number);
    });
  }
  return conflict;
}

void run(const plain_launch& l, const thread_body& body) {
  const plain_launch inner{l.definition, l.space, with_private_results(l), l.promised};
  const std::vector<memory_view> arrays = memories(inner);
  visit_points(int_list(l.space.size.size(), 0), l.space.size, [&](std::span<const std::int64_t> x) {
    body(arrays, x);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k] >= l.promised[k]) return;
    visit_thread(l.definition, l.space, arrays, x, [&](const parameter& p, const rule& r, std::byte* e) {
      const plain_handle& h = inner.arguments[static_cast<std::size_t>(&p - l.definition.parameters.data())];
      if (modifies(r.mode))
        h.array->defined[static_cast<std::size_t>((e - h.array->bytes.data()) / size_of(p.type))] = 1;
    });
  });
  if (volume(l.space.size) > 0 && has_reduction(l)) deliver_private_results(l, inner.arguments);
}

}  // namespace tessera::fuzz
