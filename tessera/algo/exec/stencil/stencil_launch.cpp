#include "tessera/algo/exec/stencil/stencil_launch.h"

#include <algorithm>
#include <optional>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

using kind = bound_argument::kind;

/// Vectors are cut between multiples of it. What is inside begins at one, so that its launch is cut where vectors are.
constexpr std::int64_t aligned_elements = 1024;

/// Elements `inner` of the box `outer`, counted from its beginning.
box within(const box& outer, const box& inner) {
  box part = outer;
  for (int k = 0; k < outer.rank(); ++k) {
    part.lo[k] = outer.lo[k] + inner.lo[k];
    part.hi[k] = outer.lo[k] + inner.hi[k];
  }
  return part;
}

/// Elements [lo, hi) on one axis of the box `outer`, counted from its beginning, and all on the others.
box within_axis(const box& outer, int axis, std::int64_t lo, std::int64_t hi) {
  box inner = box::whole(outer.shape());
  inner.lo[axis] = lo;
  inner.hi[axis] = hi;
  return within(outer, inner);
}

/// What the launch for `part` gets of an argument that is no region.
box narrowed(const bound_argument& a, const box& part) {
  const box& own = a.given->elements.part;
  if (a.as == kind::element) return within(own, part);
  if (a.as == kind::row) return within_axis(own, 0, part.lo[0], part.hi[0]);
  if (a.as == kind::column) return within_axis(own, 1, part.lo[part.rank() - 1], part.hi[part.rank() - 1]);
  return own;
}

/// Where the elements of `part` rest, if all of them are at home on one device.
std::optional<int> home_of(const operand& part) {
  std::optional<int> found;
  for (const plan::placed_box& each : part.elements->layout()) {
    if (intersect(each.bounds, part.part).empty()) continue;
    if (found && *found != each.device) return std::nullopt;
    found = each.device;
  }
  return found;
}

}  // namespace

stencil_launch::stencil_launch(const call& bound, std::vector<operand> outputs, const stencil& shape,
                               const skeleton_options& options)
    : bound_(bound),
      outputs_(std::move(outputs)),
      stencil_(shape),
      options_(options),
      whole_(outputs_.at(0).shape()),
      radius_(static_cast<std::size_t>(whole_.rank())) {
  if (stencil_.along >= 0) {
    axes_ = {stencil_.along};
  } else {
    for (int k = 0; k < rank(); ++k) axes_.push_back(k);
  }
  check_regions();
  for (std::size_t k = 0; k < axes_.size(); ++k) radius_[static_cast<std::size_t>(axes_[k])] = stencil_.radius[k];
  for (const operand& output : outputs_) check_overlap(bound_, output);
  options_.on = resolved(options_.on, bound_, outputs_);
}

void stencil_launch::check_regions() const {
  const std::string label = label_of(bound_.skeleton, bound_.site);
  if (stencil_.along >= rank() || (stencil_.along >= 0 && rank() != 2))
    throw argument_error(
        cat(label, ": rows and columns are those of a matrix, not of elements of the shape ", to_string(whole_)));
  for (const operand& output : outputs_)
    if (output.shape() != whole_)
      throw argument_error(
          cat(label, ": outputs of the shapes ", to_string(whole_), " and ", to_string(output.shape())));
  bool has_regions = false;
  for (std::size_t k = 0; k < bound_.arguments.size(); ++k) {
    const bound_argument& a = bound_.arguments[k];
    if (a.as != kind::region && a.as != kind::element) continue;
    if (a.given->elements.shape() != whole_)
      throw argument_error(cat(label, ": an output of the shape ", to_string(whole_), " for elements of the shape ",
                               to_string(a.given->elements.shape())));
    if (a.as != kind::region) continue;
    has_regions = true;
    if (a.parameter->axes != static_cast<int>(axes_.size()))
      throw argument_error(cat(label, ": '", bound_.text().name, "' looks along ", a.parameter->axes,
                               " axes, but the elements have ", axes_.size()));
    check_reach(*a.parameter, k);
  }
  if (!has_regions)
    throw argument_error(cat(label, ": '", bound_.text().name, "' has no parameter that is a neighbourhood"));
}

void stencil_launch::check_reach(const op_parameter& parameter, std::size_t place) const {
  for (std::size_t k = 0; k < axes_.size(); ++k)
    if (parameter.reach[k] > stencil_.radius[k])
      throw argument_error(cat(label_of(bound_.skeleton, bound_.site), ": the function looks ", parameter.reach[k],
                               " elements away on axis ", k, " of argument ", place + 1, ", but the radius there is ",
                               stencil_.radius[k]));
}

std::vector<stencil_launch::piece> stencil_launch::pieces() const {
  std::vector<piece> made;
  box inner = box::whole(whole_);
  for (int k = 0; k < rank() && !inner.empty(); ++k) {
    const std::int64_t radius = radius_[static_cast<std::size_t>(k)], n = whole_[k];
    if (radius == 0) continue;
    box low = inner, high = inner;
    const bool has_middle = n - radius > radius;
    low.hi[k] = inner.lo[k] = has_middle ? radius : n;
    const std::int64_t aligned = ceil_div(radius, aligned_elements) * aligned_elements;
    if (rank() == 1 && aligned < n - radius) {
      if (stencil_.edge == edge_kind::none) made.push_back({box({radius}, {aligned}), -1});
      low.hi[k] = inner.lo[k] = aligned;
    }
    high.lo[k] = inner.hi[k] = has_middle ? n - radius : n;
    for (const box& part : {low, high})
      if (!part.empty() && stencil_.edge != edge_kind::none) made.push_back({part, k});
  }
  if (!inner.empty()) made.insert(made.begin(), {inner, -1});
  return made;
}

std::int64_t stencil_launch::reach(const bound_argument& region, int axis) const {
  const auto place = std::find(axes_.begin(), axes_.end(), axis);
  if (place == axes_.end()) return 0;
  const int known = region.parameter->reach[static_cast<std::size_t>(place - axes_.begin())];
  return known >= 0 ? known : radius_[static_cast<std::size_t>(axis)];
}

box stencil_launch::needed(const piece& p, const bound_argument& region) const {
  box part = p.part;
  for (int k = 0; k < rank(); ++k) {
    const bool whole = wraps(p) && (k == p.thin || is_whole(p, k));
    part.lo[k] = whole ? 0 : std::max<std::int64_t>(0, part.lo[k] - reach(region, k));
    part.hi[k] = whole ? whole_[k] : std::min(whole_[k], part.hi[k] + reach(region, k));
  }
  return part;
}

void stencil_launch::add_let(const piece& p, const bound_argument& region, std::size_t place,
                             region_frame& frame) const {
  const box given = needed(p, region);
  for (int k = 0; k < rank(); ++k) {
    const bool all = wraps(p) && is_whole(p, k);
    const std::int64_t r = reach(region, k) - planted("neighbours_not_read"), at = p.part.lo[k] - given.lo[k];
    frame.let.push_back({cat("a", place, "l", k), all ? -whole_[k] : at - r});
    frame.let.push_back({cat("a", place, "h", k), all ? whole_[k] : at + r});
  }
}

region_frame stencil_launch::frame_of(const piece& p) const {
  region_frame frame{p.part, whole_, axes_, p.thin >= 0, stencil_.edge, stencil_.padding, {}};
  for (std::size_t k = 0; k < bound_.arguments.size(); ++k)
    if (bound_.arguments[k].as == kind::region) add_let(p, bound_.arguments[k], k, frame);
  // The opposite sides of the axis; outside of all containers where neighbours are not looked for there.
  for (int k = 0; k < rank() && frame.at_edge; ++k) {
    std::int64_t distance = 0;
    if (wraps(p)) distance = k == p.thin ? whole_[k] : 0;
    if (!wraps(p)) distance = 4 * (whole_[k] + radius_[static_cast<std::size_t>(k)]);
    frame.let.push_back({cat("behind", k), distance});
    frame.let.push_back({cat("before", k), -distance});
  }
  return frame;
}

skeleton_options stencil_launch::options_for(const piece& p, const operand& output) const {
  skeleton_options made = options_;
  if (p.thin < 0) return made;
  if (options_.on.as() == device_choice::form::listed) {
    const std::vector<int>& devices = options_.on.devices();
    if (p.thin == 0) made.on = std::vector<int>{p.part.lo[0] == 0 ? devices.front() : devices.back()};
    return made;
  }
  if (options_.on.split_for({}, {}).spec().form == plan::split_spec::kind::on_device) return made;
  made.on = device_choice::at_home();
  const std::optional<int> device = device_scope::current() ? std::nullopt : home_of(output);
  if (device) made.on = on(*device);
  return made;
}

template <class Use>
void stencil_launch::with_piece(const piece& p, Use use) const {
  const region_frame frame = frame_of(p);
  std::vector<call_argument> given;
  given.reserve(bound_.arguments.size());
  call bound = bound_;
  bound.regions = &frame;
  for (bound_argument& a : bound.arguments) {
    if (a.given == nullptr) continue;
    given.push_back(*a.given);
    if (a.given->as == call_argument::kind::elements) {
      const box part = a.as == kind::region ? needed(p, a) : box();
      a.first = part.lo;
      given.back().elements.part = a.as == kind::region ? within(a.given->elements.part, part) : narrowed(a, p.part);
    }
    a.given = &given.back();
  }
  std::vector<operand> outputs = outputs_;
  for (operand& output : outputs) output.part = within(output.part, p.part);
  const skeleton_options options = options_for(p, outputs[0]);
  use(map_launch(bound, std::move(outputs), options));
}

void stencil_launch::launch() const {
  if (outputs_[0].size() > 0) require_usable(bound_, outputs_);
  for (const piece& p : pieces()) with_piece(p, [](const map_launch& made) { made.launch(); });
}

std::string stencil_launch::explain() const {
  std::string text;
  for (const piece& p : pieces())
    with_piece(p, [&](const map_launch& made) {
      text += cat(p.thin < 0 ? "inside " : "edge ", to_string(p.part), ":\n", made.explain(), "\n");
    });
  return text;
}

std::vector<kernel_text> stencil_launch::texts() const {
  std::vector<kernel_text> made;
  for (const piece& p : pieces()) with_piece(p, [&](const map_launch& each) { made.push_back(each.text()); });
  return made;
}

}  // namespace tessera::algo
