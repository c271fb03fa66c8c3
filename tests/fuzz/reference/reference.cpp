#include "tests/fuzz/reference/reference.h"

#include "tests/fuzz/kernels/source_pool.h"
#include "tests/fuzz/program/declared.h"
#include "tests/fuzz/reference/launch.h"

namespace tessera::fuzz {
namespace {

constexpr std::int64_t most_elements = 1 << 16;

span_box whole(const int_list& shape) { return {int_list(shape.size(), 0), shape}; }

bool inside(const span_box& part, const int_list& shape) {
  if (part.lo.size() != shape.size() || part.hi.size() != shape.size()) return false;
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (part.lo[k] < 0 || part.hi[k] < part.lo[k] || part.hi[k] > shape[k]) return false;
  return true;
}

/// Calls f(element, index of the element in its array, position in the part).
template <class F>
void visit_handle(const plain_handle& h, F f) {
  const memory_view m = memory_of(h);
  parameter p;
  p.type = h.array->type;
  std::size_t n = 0;
  index_box all;
  all.rank = m.shape.size();
  for (std::size_t k = 0; k < all.rank; ++k) all.last[k] = m.shape[k] - 1, all.step[k] = 1;
  visit(p, m, all,
        [&](std::byte* e) { f(e, static_cast<std::size_t>((e - h.array->bytes.data()) / size_of(p.type)), n++); });
}

/// True if the box of the array lies together in memory, so that it can be seen in another shape.
bool is_contiguous(const plain_handle& h) {
  bool partial = false;
  for (std::size_t k = 0; k < h.array->shape.size(); ++k) {
    const std::int64_t n = h.part.hi[k] - h.part.lo[k];
    if (partial && n != h.array->shape[k]) return false;
    if (n > 1) partial = true;
  }
  return true;
}

/// True if the rows that a rule asks for exist and lie inside its array.
bool rows_suit(const kernel& k, const grid& g, const parameter& p, const rule& r, const plain_handle& h) {
  for (std::size_t a = 0; a < r.indices.size(); ++a) {
    if (r.indices[a].table < 0) continue;
    const row_table& table = k.tables[static_cast<std::size_t>(r.indices[a].table)];
    const row_range asked = rows_asked(k, g, r.indices[a]), reach = reach_of(p, h.part, h.array->shape, a);
    if (asked.first > asked.last) continue;
    if (asked.first < 0 || asked.last >= table.size()) return false;
    for (auto row = static_cast<std::size_t>(asked.first); row <= static_cast<std::size_t>(asked.last); ++row)
      if (table.lo[row] < table.hi[row] && (table.lo[row] < reach.first || table.hi[row] > reach.last + 1))
        return false;
  }
  return true;
}

/// True if the arguments have the types and ranks that the kernel's rules name, and what its tables name.
bool suits(const kernel& k, const grid& g, const std::vector<plain_handle>& arguments) {
  if (k.parameters.size() != arguments.size()) return false;
  for (std::size_t p = 0; p < arguments.size(); ++p) {
    const plain_handle& h = arguments[p];
    if (!h.array) continue;
    const parameter& q = k.parameters[p];
    if (q.type != h.array->type || (q.view && !is_contiguous(h))) return false;
    const std::size_t rank = q.view ? q.view->shape.size() : h.part.lo.size();
    for (const rule& r : q.rules)
      if ((!r.indices.empty() && r.indices.size() != rank) || !rows_suit(k, g, q, r, h)) return false;
    if (q.view && q.view->open) {
      const std::int64_t left = std::max<std::int64_t>(volume(shape_of(h.part)) - q.view->offset, 0);
      const std::int64_t row = volume({q.view->shape.begin() + 1, q.view->shape.end()});
      if (q.view->shape.front() != (left + row - 1) / row) return false;
    }
  }
  return true;
}

}  // namespace

void put_element(element type, std::byte* to, std::uint64_t seed, std::uint64_t index) {
  with_type(type, [&](auto v) {
    v = values::make<decltype(v)>(values::mix(seed, index));
    std::memcpy(to, &v, sizeof v);
  });
}

bool reference::exists(const argument_spec& o) const {
  if (o.slot < 0 || o.slot >= slot_count || !at(o.slot).array) return false;
  return inside(o.part, shape_of(at(o.slot).part));
}

plain_handle reference::resolve(const argument_spec& o) const {
  plain_handle h = at(o.slot);
  for (std::size_t k = 0; k < h.part.lo.size(); ++k) {
    h.part.hi[k] = h.part.lo[k] + o.part.hi[k];
    h.part.lo[k] += o.part.lo[k];
  }
  return h;
}

bool reference::apply(const operation& step, outcome& result) {
  return std::visit([&](const auto& o) { return apply_one(o, result); }, step);
}

bool reference::apply_one(const create_op& o, outcome&) {
  const std::int64_t n = volume(o.shape);
  if (n < 0 || n > most_elements) return false;
  auto made = std::make_shared<plain_array>();
  made->type = o.type;
  made->shape = o.shape;
  made->bytes.resize(static_cast<std::size_t>(n * size_of(o.type)));
  made->defined.assign(static_cast<std::size_t>(n), o.contents == create_op::kind::empty ? 0 : 1);
  plain_handle h{made, whole(o.shape)};
  if (o.contents == create_op::kind::full || o.contents == create_op::kind::from)
    visit_handle(h, [&](std::byte* e, std::size_t, std::size_t n_th) {
      put_element(o.type, e, o.seed, o.contents == create_op::kind::full ? 0 : n_th);
    });
  slots_[static_cast<std::size_t>(o.slot)] = std::move(h);
  return true;
}

bool reference::apply_one(const drop_op& o, outcome&) {
  if (!at(o.slot).array) return false;
  slots_[static_cast<std::size_t>(o.slot)] = {};
  return true;
}

bool reference::apply_one(const view_op& o, outcome&) {
  if (!exists(o.from)) return false;
  slots_[static_cast<std::size_t>(o.slot)] = resolve(o.from);
  return true;
}

bool reference::apply_one(const fill_op& o, outcome&) {
  if (!exists(o.to)) return false;
  const plain_handle h = resolve(o.to);
  visit_handle(h, [&](std::byte* e, std::size_t index, std::size_t) {
    put_element(h.array->type, e, o.seed, 0);
    h.array->defined[index] = 1;
  });
  return true;
}

bool reference::apply_one(const write_op& o, outcome&) {
  if (!exists(o.to)) return false;
  const plain_handle h = resolve(o.to);
  visit_handle(h, [&](std::byte* e, std::size_t index, std::size_t n) {
    put_element(h.array->type, e, o.seed, n);
    h.array->defined[index] = 1;
  });
  return true;
}

bool reference::apply_one(const read_op& o, outcome& result) {
  if (!exists(o.from)) return false;
  const plain_handle h = resolve(o.from);
  visit_handle(h, [&](const std::byte* e, std::size_t index, std::size_t) {
    result.bytes.insert(result.bytes.end(), e, e + size_of(h.array->type));
    result.defined.push_back(h.array->defined[index]);
  });
  return true;
}

bool reference::apply_one(const value_op& o, outcome& result) {
  if (!exists(o.from) || !exists(o.to)) return false;
  const plain_handle from = resolve(o.from), to = resolve(o.to);
  if (from.array->type != to.array->type || volume(shape_of(from.part)) != 1 || !is_contiguous(to)) return false;
  if (o.direct && (!o.from.part.lo.empty() || from.array == to.array)) return false;
  visit_handle(from, [&](const std::byte* e, std::size_t index, std::size_t) {
    result.bytes.assign(e, e + size_of(from.array->type));
    result.defined = {from.array->defined[index]};
  });
  if (result.defined[0] == 0) return false;
  visit_handle(to, [&](std::byte* e, std::size_t index, std::size_t) {
    std::memcpy(e, result.bytes.data(), result.bytes.size());
    to.array->defined[index] = 1;
  });
  return true;
}

bool reference::apply_one(const swap_op& o, outcome&) {
  if (!at(o.a).array || !at(o.b).array || at(o.a).array->type != at(o.b).array->type) return false;
  std::swap(slots_[static_cast<std::size_t>(o.a)], slots_[static_cast<std::size_t>(o.b)]);
  return true;
}

bool reference::apply_one(const wait_op&, outcome&) { return true; }

bool reference::apply_one(const launch_op& o, outcome& result) {
  std::vector<plain_handle> arguments;
  for (const argument_spec& a : o.arguments) {
    if (a.slot >= 0 && !exists(a)) return false;
    arguments.push_back(a.slot < 0 ? plain_handle{} : resolve(a));
  }
  const kernel described = o.source >= 0 ? source_kernel(o).value_or(kernel{}) : o.definition;
  if (!suits(described, {o.threads, o.block}, arguments)) return false;
  if (o.exchange && (arguments.size() < 2 || !arguments[0].array || !arguments[1].array)) return false;
  if (o.split_form == launch_op::split::like && !arguments[static_cast<std::size_t>(o.follow)].array) return false;
  plain_launch l{described, {o.threads, o.block}, std::move(arguments), o.threads};
  if (o.source >= 0) {
    if (!suits_source(o, l.arguments)) return false;
    for (std::size_t k = 0; k < o.threads.size(); ++k)  // as in CUDA, whole blocks run
      l.space.size[k] = (o.threads[k] + o.block[k] - 1) / o.block[k] * o.block[k];
  }
  if (!is_determined(l)) return false;
  if (o.exchange) {
    std::swap(l.arguments[0], l.arguments[1]);
    if (!suits(described, {o.threads, o.block}, l.arguments) || !is_determined(l)) return false;
    if (o.source >= 0 && !suits_source(o, l.arguments)) return false;
    std::swap(l.arguments[0], l.arguments[1]);
  }
  const thread_body body =
      o.source >= 0 ? source_body(o) : [&](std::span<const memory_view> arrays, std::span<const std::int64_t> x) {
        run_thread(described, l.space, arrays, x);
      };
  const bool by_hand = o.split_form == launch_op::split::blocks || o.split_form == launch_op::split::slabs;
  for (int n = 0; n < o.times; ++n) {
    const bool refused = by_hand && has_conflict(l, superblocks(l.space, o));
    result.refused.push_back(refused);
    if (!refused) run(l, body);
    if (o.exchange) std::swap(l.arguments[0], l.arguments[1]);
  }
  return true;
}

std::optional<std::vector<outcome>> expected_outcomes(const program& p) {
  reference r;
  std::vector<outcome> result(p.operations.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!r.apply(p.operations[i], result[i])) return std::nullopt;
  return result;
}

}  // namespace tessera::fuzz
