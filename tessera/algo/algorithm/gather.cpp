#include "tessera/algo/algorithm/gather.h"

#include <vector>

#include "tessera/algo/algorithm/reduced.h"
#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/exec/routes/routes.h"
#include "tessera/algo/exec/segments/segment_launch.h"
#include "tessera/algo/view/views.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

const op_result& result_of(const sequence& all) { return all.function.text->results.at(0); }

op_parameter plain_parameter(const op_result& r) { return {parameter_kind::plain, r.type, r.element, 0}; }
op_parameter whole_parameter(const op_result& r) { return {parameter_kind::container, r.type, r.element, 1}; }

op_result number_result() { return {type_name<std::int64_t>(), dtype_of<std::int64_t>()}; }

/// A functor of device/search.h for arguments of types that are known at run time only.
op functor(const char* name, const std::vector<std::string>& arguments, std::vector<op_parameter> parameters,
           const op_result& result, call_site here) {
  return wrapped(cat("tessera::algo::", name), {}, arguments, {std::move(parameters), {result}}, here);
}

sequence numbers(std::int64_t value, std::int64_t count, call_site here) {
  return views::constant(value, count, here).elements();
}

std::int64_t number_at(const sequence& all, std::int64_t at) {
  const op convert =
      functor("as_type", {type_name<std::int64_t>()}, {plain_parameter(result_of(all))}, number_result(), all.site);
  return lazy<std::int64_t>(applied(convert, {part_of(all, at, at + 1)}, all.site)).to_host(all.site)[0];
}

/// Throws `argument_error` for the first place outside of `size` elements, of those that are used.
void require_places(const char* algorithm, const sequence& places, const std::optional<sequence>& where,
                    std::int64_t size) {
  const call_site here = places.site;
  std::vector<sequence> all{places, numbers(size, places.size, here)};
  std::vector<op_parameter> parameters{plain_parameter(result_of(places)), plain_parameter(number_result())};
  if (where) {
    all.push_back(*where);
    parameters.push_back(plain_parameter(result_of(*where)));
  }
  const op outside = functor("is_outside", {}, parameters, {type_name<bool>(), dtype_of<bool>()}, here);
  const std::int64_t at = first_place_where(applied(outside, all, here), true, here);
  if (at == places.size) return;
  throw argument_error(cat(label_of(algorithm, here), ": place ", number_at(places, at), " at position ", at,
                           " of the map is outside of the ", size, " elements"));
}

void require_output(const char* algorithm, const operand& out, const sequence& from, bool read_elsewhere) {
  for (const call_argument& a : from.given)
    if (read_elsewhere && a.as == call_argument::kind::elements && a.elements.elements == out.elements &&
        !intersect(a.elements.part, out.part).empty())
      throw argument_error(cat(label_of(algorithm, from.site),
                               ": the output is also an input at other elements; write into another container"));
  if (!read_elsewhere) check_overlap(from.bound(algorithm), out);
}

/// Where owners' parts begin, and behind them how many elements there are, as a whole container for `count` elements.
sequence begins_of(const owner_list& owners, std::int64_t size, std::int64_t count, const context& ctx,
                   call_site here) {
  std::vector<std::int64_t> begins;
  for (const device_part& p : owners.parts) begins.push_back(p.lo);
  begins.push_back(size);
  const operand numbers = numbers_on_devices(begins, ctx);
  return whole_container(
      {call_argument::kind::elements, type_name<std::int64_t>(), dtype_of<std::int64_t>(), numbers, 0, {}}, count,
      here);
}

sequence owner_of(const char* name, const sequence& begins, const sequence& places,
                  const std::optional<sequence>& where) {
  std::vector<sequence> all{begins, places};
  std::vector<op_parameter> parameters{whole_parameter(number_result()), plain_parameter(result_of(places))};
  if (where) {
    all.push_back(*where);
    parameters.push_back(plain_parameter(result_of(*where)));
  }
  return applied(functor(name, {}, parameters, number_result(), places.site), all, places.site);
}

std::optional<sequence> at_own_places(const std::optional<sequence>& all) {
  return all ? std::optional(algo::at_own_places(*all)) : std::nullopt;
}

/// One launch, which has the whole source on each device.
void gather_in_place(const gathered_elements& from, const operand& source, const operand& out, const op& last) {
  const call_site here = from.places.site;
  const op_result &element = result_of(from.source), &shown = last.text->results.at(0);
  std::vector<sequence> all{
      whole_container({call_argument::kind::elements, element.type, element.element, source, 0, {}}, out.size(), here),
      from.places};
  std::vector<op_parameter> parameters{whole_parameter(element), plain_parameter(result_of(from.places))};
  if (!from.where) {
    const op pick = functor("nearest_element", {}, parameters, element, here);
    return store(applied(last, {applied(pick, all, here)}, here), out);
  }
  all.push_back(*from.where);
  parameters.push_back(plain_parameter(result_of(*from.where)));
  all.push_back(sequence_of_elements(out, shown.type, here));
  parameters.push_back(plain_parameter(shown));
  store(applied(functor("nearest_element_where", {shown.type}, parameters, shown, here), all, here), out);
}

/// The routes of a map to a source in these parts, kept with the map: another gather by it takes no requests there.
struct known_routes final : contents_fact {
  known_routes(box given, const std::vector<device_part>& parts, const std::vector<device_part>& asking,
               routes of_places)
      : part(given), owners(parts), from(asking), made(std::move(of_places)) {}

  box part;  // of the map
  std::vector<device_part> owners, from;
  routes made;
};

/// The map, if it is a container whose routes are small enough beside memory to be kept.
const operand* keeper_of(const gathered_elements& from, const context& ctx) {
  constexpr std::int64_t bytes_of_request = 32;  // with its answer, while both are there
  if (from.where || !is_plain(from.places)) return nullptr;
  std::int64_t longest = 0;
  for (const device_part& p : parts_of(from.places.given[0].elements)) longest = std::max(longest, p.size());
  return longest * bytes_of_request <= memory_of_devices(ctx) / 8 ? &from.places.given[0].elements : nullptr;
}

std::shared_ptr<const known_routes> find_routes(const operand* keeper, const owner_list& owners,
                                                const std::vector<device_part>& from, call_site here) {
  if (keeper == nullptr) return nullptr;
  const auto known = std::dynamic_pointer_cast<const known_routes>(keeper->elements->fact());
  if (known == nullptr || known->part != keeper->part || known->owners != owners.parts || known->from != from)
    return nullptr;
  keeper->elements->require_free(access::read, keeper->part, here);
  return known;
}

routes routes_of(const gathered_elements& from, const operand& source, const owner_list& owners,
                 std::vector<device_part> asking, const context& ctx) {
  const call_site here = from.places.site;
  const sequence places = algo::at_own_places(from.places);
  const sequence begins = begins_of(owners, source.size(), places.size, ctx, here);
  const op nearest =
      functor("nearest_place", {}, {plain_parameter(result_of(places)), plain_parameter(number_result())},
              number_result(), here);
  const sequence asked = applied(nearest, {places, numbers(source.size(), places.size, here)}, here);
  return {ctx,
          {owner_of("owner_of_nearest", begins, places, at_own_places(from.where)),
           {asked},
           std::move(asking),
           result_of(from.source).element.size},
          owners,
          here};
}

void gather_by_routes(const gathered_elements& from, const operand& source, const operand& out, const op& last) {
  const context& ctx = out.elements->ctx();
  const call_site here = from.places.site;
  const owner_list owners = owners_of(source, ctx);
  const std::vector<device_part> asking = parts_of(out);
  const op_result& element = result_of(from.source);
  const op pick =
      functor("nearest_element", {}, {whole_parameter(element), plain_parameter(number_result())}, element, here);
  const auto answer = [&](const routes& made) {
    made.bring_back(made.answered(pick, source, here), out, last, !from.where, here);
  };
  const operand* const keeper = keeper_of(from, ctx);
  if (const auto known = find_routes(keeper, owners, asking, here)) return answer(known->made);
  routes made = routes_of(from, source, owners, asking, ctx);
  if (keeper == nullptr) return answer(made);
  auto known = std::make_shared<known_routes>(keeper->part, owners.parts, asking, std::move(made));
  keeper->elements->keep_fact(known);
  answer(known->made);
}

void store_without_check(const gathered_elements& from, const operand& out, const op& last) {
  const operand source = stored_elements(from.source).given[0].elements;
  const context& ctx = out.elements->ctx();
  const std::vector<device_part> asking = parts_of(out), owned = parts_of(source);
  const std::int64_t bytes = source.elements->type().size;
  if (reads_all({asking, owned, bytes, 8 + bytes}, ctx))
    gather_in_place(from, source, out, last);
  else
    gather_by_routes(from, source, out, last);
}

/// Where the values are, or else the places.
std::vector<device_part> parts_of_requests(const scattered_values& from, const context& ctx) {
  for (const sequence* all : {&from.values, &from.places})
    for (const call_argument& a : all->given)
      if (a.as == call_argument::kind::elements && a.elements.size() == all->size) return parts_of(a.elements);
  return even_parts(from.places.size, ctx);
}

void store_without_check(const scattered_values& from, const operand& out, const op& last) {
  const context& ctx = out.elements->ctx();
  const call_site here = from.places.site;
  const owner_list owners = owners_of(out, ctx);
  const bool fits = out.size() * out.elements->type().size <= memory_of_devices(ctx) / 4;
  if (fits && owners.parts.size() == 1) return scatter_in_place(from, out, last);
  const sequence places = algo::at_own_places(from.places);
  const sequence begins = begins_of(owners, out.size(), places.size, ctx, here);
  const op convert =
      functor("as_type", {type_name<std::int64_t>()}, {plain_parameter(result_of(places))}, number_result(), here);
  const sequence at = applied(convert, {places}, here);
  const routes made(ctx,
                    {owner_of("owner_of_place", begins, places, at_own_places(from.where)),
                     {at, algo::at_own_places(from.values)},
                     parts_of_requests(from, ctx),
                     0},
                    owners, here);
  made.deliver(out, last, here);
}

/// Throws `argument_error` if two values go to one place: each is written with its position, and found there again
/// unless another one has won.
void require_different(const scattered_values& from, const operand& out) {
  const std::int64_t n = from.places.size;
  const call_site here = from.places.site;
  const context& ctx = out.elements->ctx();
  const op same = identity_op(type_name<std::int64_t>(), dtype_of<std::int64_t>());
  const operand winners = make_temporary(ctx, {out.size()}, dtype_of<std::int64_t>()),
                found = make_temporary(ctx, {n}, dtype_of<std::int64_t>());
  store(algo::places(n, here), found);
  store(numbers(0, out.size(), here), winners);
  store_without_check(scattered_values{algo::places(n, here), from.places, from.where}, winners, same);
  const sequence kept = sequence_of_elements(winners, type_name<std::int64_t>(), here),
                 won = sequence_of_elements(found, type_name<std::int64_t>(), here);
  store_without_check(gathered_elements{kept, from.places, from.where}, found, same);
  const sequence lost =
      applied_by<bool, std::int64_t, std::int64_t>("tessera::not_equal_to", {}, {won, algo::places(n, here)}, here);
  const std::int64_t at = first_place_where(lost, true, here);
  if (at == n) return;
  throw argument_error(cat(label_of("scatter", here), ": the values at positions ", at, " and ", number_at(won, at),
                           " both go to place ", number_at(from.places, at)));
}

}  // namespace

void store_gathered(const gathered_elements& from, const operand& out, const op& last) {
  const call_site here = from.places.site;
  if (out.size() != from.places.size || (from.where && from.where->size != from.places.size))
    throw argument_error(
        cat(label_of("gather", here), ": an output of ", out.size(), " elements for ", from.places.size, " places"));
  if (!is_contiguous(out)) throw argument_error(cat(label_of("gather", here), ": the output is a box with gaps"));
  if (out.size() == 0) return;
  require_output("gather", out, from.source, true);
  require_output("gather", out, from.places, false);
  if (from.source.size == 0 && !from.where)
    throw argument_error(cat(label_of("gather", here), ": there are ", out.size(), " places, but no elements"));
  if (is_checked(out.elements->ctx())) require_places("gather", from.places, from.where, from.source.size);
  if (from.source.size > 0) store_without_check(from, out, last);
}

void store_scattered(const scattered_values& from, const operand& out, const op& last) {
  const call_site here = from.places.site;
  const std::int64_t n = from.places.size;
  if (from.values.size != n || (from.where && from.where->size != n))
    throw argument_error(cat(label_of("scatter", here), ": ", from.values.size, " values for ", n, " places"));
  if (!is_contiguous(out)) throw argument_error(cat(label_of("scatter", here), ": the output is a box with gaps"));
  if (n == 0) return;
  require_output("scatter", out, from.values, true);
  require_output("scatter", out, from.places, true);
  if (is_checked(out.elements->ctx())) {
    require_places("scatter", from.places, from.where, out.size());
    if (out.size() > 0) require_different(from, out);
  }
  if (out.size() > 0) store_without_check(from, out, last);
}

}  // namespace tessera::algo
