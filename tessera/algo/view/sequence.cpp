#include "tessera/algo/view/sequence.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/algo/function/device_text.h"
#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

using place = call_argument::place;

/// Calls `move` with each argument that gives another value for each element.
template <class Move>
void for_moving(sequence& all, Move move) {
  std::size_t next = 0;
  for (const op_parameter& p : all.function.text->parameters) {
    if (p.kind == parameter_kind::index) continue;
    call_argument& a = all.given[next++];
    if (p.kind == parameter_kind::plain &&
        (a.as == call_argument::kind::counting || a.as == call_argument::kind::elements))
      move(a);
  }
}

/// The elements of a sequence in a container.
sequence as_stored(const sequence& all, const context& ctx) {
  const op_result& result = all.function.text->results.at(0);
  const operand out = make_temporary(ctx, {all.size}, result.element);
  store(all, out);
  return sequence_of_elements(out, result.type, all.site);
}
sequence as_stored(const sequence& all) { return as_stored(all, all.ctx()); }

/// The argument that has the elements of `all`, which are stored if none does.
call_argument as_argument(const sequence& all, const context& ctx) {
  const bool counts = is_identity(all.function) && all.given[0].as == call_argument::kind::counting;
  return (is_plain(all) || (counts && all.given[0].at == place::own) ? all : as_stored(all, ctx)).given[0];
}

/// `all` such that other arguments alone give its elements in another order: functions that are told the index, and
/// what is in front of elements, are stored first.
sequence movable(const sequence& all) {
  for (const call_argument& a : all.given)
    if (a.is_previous) return as_stored(all);
  for (const op_parameter& p : all.function.text->parameters)
    if (p.kind != parameter_kind::plain && p.kind != parameter_kind::container) return as_stored(all);
  return all;
}

void require_sizes(const std::vector<sequence>& all, call_site here) {
  for (const sequence& each : all)
    if (each.size != all[0].size)
      throw argument_error(cat(label_of("algorithm", here), ": ranges of ", all[0].size, " and ", each.size,
                               " elements do not belong together"));
}

}  // namespace

bool is_plain(const sequence& all) {
  return is_identity(all.function) && all.given[0].as == call_argument::kind::elements && all.given[0].at == place::own;
}

context sequence::ctx() const { return context_of_all({*this}); }

context context_of_all(const std::vector<sequence>& all) {
  for (const sequence& each : all)
    for (const call_argument& a : each.given)
      if (a.as == call_argument::kind::elements) return a.elements.elements->ctx();
  for (const sequence& each : all)
    if (each.home) return *each.home;
  return default_context();
}

sequence used_in(const context& ctx, sequence all) {
  all.home = ctx;
  return all;
}

sequence sequence_of_elements(const operand& part, const std::string& type, call_site here) {
  const dtype& element = part.elements->type();
  return {identity_op(type, element),
          made_contiguous({{call_argument::kind::elements, type, element, part, part.size(), {}}}, here), part.size(),
          here};
}

void store(const sequence& elements, const operand& out, const skeleton_options& options) {
  if (elements.size == 0) return;
  const call bound = elements.bound("algorithm");
  map_launch(bound, {out}, options).launch();
}

sequence part_of(const sequence& all, std::int64_t first, std::int64_t last) {
  sequence part = movable(all);
  part.size = last - first;
  for_moving(part, [&](call_argument& a) {
    a.count = part.size;
    if (a.at == place::backward) {
      a.offset -= first;
    } else if (a.at == place::own && a.as == call_argument::kind::elements && a.elements.part.rank() == 1) {
      const std::int64_t begin = a.elements.part.lo[0];
      a.elements.part = box({begin + first}, {begin + last});
    } else {
      a.offset = (a.at == place::shifted ? a.offset : 0) + first;
      a.at = place::shifted;
    }
  });
  return part;
}

sequence reversed(const sequence& all) {
  sequence made = movable(all);
  for_moving(made, [&](call_argument& a) {
    const std::int64_t last = made.size - 1;
    a.count = made.size;
    if (a.at == place::backward) {
      a.at = place::shifted;
      a.offset -= last;
      if (a.as == call_argument::kind::elements && a.offset == 0 && a.elements.size() == made.size) a.at = place::own;
    } else {
      a.offset = (a.at == place::shifted ? a.offset : 0) + last;
      a.at = place::backward;
    }
  });
  return made;
}

sequence shifted(const sequence& all, std::int64_t by) {
  sequence made = is_plain(all) ? all : as_stored(all);
  made.given[0].at = place::shifted;
  made.given[0].offset = by;
  made.given[0].count = all.size;
  return made;
}

sequence previous(const sequence& all, std::int64_t size) {
  sequence made = movable(all);
  made.size = size;
  for_moving(made, [&](call_argument& a) {
    a.count = size;
    a.is_previous = true;
    if (a.at == place::own) a.at = place::shifted, a.offset = 0;
  });
  return made;
}

sequence stored_elements(const sequence& all) { return is_plain(all) ? all : as_stored(all); }

sequence at_own_places(const sequence& all) {
  for (const call_argument& a : all.given)
    if (a.as == call_argument::kind::elements && a.at != place::own) return as_stored(all);
  return all;
}

sequence applied(const op& function, const std::vector<sequence>& all, call_site here) {
  require_sizes(all, here);
  sequence made;
  made.site = here;
  made.size = all.at(0).size;
  std::vector<op> inner;
  for (const sequence& each : all) {
    inner.push_back(each.function);
    made.given.insert(made.given.end(), each.given.begin(), each.given.end());
    if (!made.home) made.home = each.home;
  }
  made.function = composed(function, inner, here);
  return made;
}

sequence whole_container(const call_argument& container, std::int64_t size, call_site here) {
  op_text text;
  text.name = text.type = "tessera::identity";
  text.names = container.type;
  text.blocks = blocks_needed_by(container.type);
  text.parameters = {{parameter_kind::container, container.type, container.element, 1}};
  text.results = {{container.type, container.element}};
  return {{keep_text(std::move(text))}, {container}, size, here};
}

sequence places(std::int64_t size, call_site here) { return sequence_of(counting<std::int64_t>(0, size), here); }

operand called_on_host(const op& function, const std::vector<sequence>& all, const dtype& result, call_site here) {
  require_sizes(all, here);
  sequence made{function, {}, all.at(0).size, here};
  const context ctx = context_of_all(all);
  for (const sequence& each : all) made.given.push_back(as_argument(each, ctx));
  const operand out = make_temporary(ctx, {made.size}, result);
  store(made, out);
  return out;
}

}  // namespace tessera::algo
