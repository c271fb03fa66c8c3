#include "tessera/algo/exec/map_launch.h"

#include <algorithm>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/host/host_kernels.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/map_text.h"
#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/algo/exec/stencil/stencil_text.h"
#include "tessera/algo/exec/stencil/tile.h"
#include "tessera/base/checked.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera::algo {
namespace {

using kind = bound_argument::kind;

std::vector<array_text> output_texts(const op_text& function, const std::vector<operand>& outputs, int axes,
                                     bool tiled) {
  std::vector<array_text> texts;
  for (std::size_t k = 0; k < outputs.size(); ++k)
    texts.push_back({cat("y", k), function.results[k].type, outputs[k].shape().rank(), axes, false, tiled});
  return texts;
}

}  // namespace

map_launch::map_launch(const call& bound, std::vector<operand> outputs, const skeleton_options& options)
    : bound_(bound), outputs_(std::move(outputs)), options_(options), shape_(outputs_.at(0).shape()) {
  check_outputs();
  axes_ = counted_axes();
  options_.on = resolved(options_.on, bound_, outputs_);
}

void map_launch::check_outputs() const {
  const auto label = [&] { return label_of(bound_.skeleton, bound_.site); };  // made for messages only
  const extents inputs = common_shape(bound_.skeleton, bound_);
  if (outputs_.size() != bound_.text().results.size())
    throw argument_error(cat(label(), ": '", bound_.text().name, "' has ", bound_.text().results.size(),
                             " results, but ", outputs_.size(), " outputs are given"));
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const extents own = outputs_[k].shape();
    if (own != shape_ || (inputs.rank() > 0 && !correspond(own, inputs)))
      throw argument_error(cat(label(), ": an output of the shape ", to_string(own), " for elements of the shape ",
                               to_string(own != shape_ ? shape_ : inputs)));
    if (outputs_[k].elements->type() != bound_.text().results[k].element)
      throw argument_error(cat(label(), ": output ", k + 1, " holds ", to_string(outputs_[k].elements->type()),
                               ", but '", bound_.text().name, "' returns ", bound_.text().results[k].type));
    check_overlap(bound_, outputs_[k]);
    for (std::size_t other = 0; other < k; ++other)
      if (outputs_[other].elements == outputs_[k].elements &&
          !intersect(outputs_[other].part, outputs_[k].part).empty())
        throw argument_error(cat(label(), ": outputs ", other + 1, " and ", k + 1, " share elements"));
  }
}

void check_overlap(const call& bound, const operand& output) {
  for (const bound_argument& a : bound.arguments) {
    if (a.given == nullptr || a.given->as != call_argument::kind::elements) continue;
    const operand& input = a.given->elements;
    if (input.elements != output.elements || intersect(input.part, output.part).empty()) continue;
    if (a.as == kind::element && input.part == output.part) continue;
    const char* use = a.as == kind::element  ? "an input at other elements"
                      : is_elsewhere(a)      ? "an input at other elements"
                      : a.as == kind::region ? "read around each element"
                                             : "read as a whole";
    throw argument_error(cat(label_of(bound.skeleton, bound.site), ": the output is also ", use,
                             ", which other elements of the output need unchanged; write into another container"));
  }
}

int map_launch::counted_axes() const {
  const int rank = shape_.rank();
  int wanted = 0;
  bool through = is_contiguous(outputs_[0]);
  for (const bound_argument& a : bound_.arguments) {
    if (a.as == kind::element || is_elsewhere(a)) through = through && is_contiguous(a.given->elements);
    if (a.as == kind::row_element || a.as == kind::column_element) wanted = 2;
    if (a.as == kind::index && a.parameter->axes > 1) wanted = std::max(wanted, a.parameter->axes);
    if ((a.as == kind::row || a.as == kind::column) && rank > 1) wanted = std::max(wanted, 2);
  }
  for (const operand& output : outputs_) through = through && is_contiguous(output);
  if (wanted > 0 && wanted != rank)
    throw argument_error(cat(label_of(bound_.skeleton, bound_.site), ": '", bound_.text().name, "' takes an index of ",
                             wanted, " axes, but the elements have ", rank));
  for (const bound_argument& a : bound_.arguments)
    if (!through && (is_elsewhere(a) || a.as == kind::element) && a.given->elements.shape().rank() != rank)
      throw argument_error(cat(label_of(bound_.skeleton, bound_.site), ": elements of the shapes ", to_string(shape_),
                               " and ", to_string(a.given->elements.shape()), " do not belong together"));
  if (rank > 4 && (!through || wanted > 0 || bound_.regions != nullptr))
    throw argument_error(cat(label_of(bound_.skeleton, bound_.site), ": boxes of more than 4 axes"));
  return through && wanted == 0 && bound_.regions == nullptr ? 0 : rank;
}

context map_launch::ctx() const { return outputs_[0].elements->ctx(); }

kernel map_launch::compiled() const {
  const call_text call(bound_, axes_, "a");
  std::string key = "map " + std::to_string(bound_.text().digest) + call.key();
  for (const operand& output : outputs_) key += static_cast<char>('0' + output.shape().rank());
  return kernel_for(
      ctx(), *bound_.function, nullptr, std::move(key),
      [&] {
        kernel_text made = text();
        if (bound_.function->runs_on_host()) made.parameters += ", long long block_threads";
        return made;
      },
      [&] { return host_map(bound_, static_cast<int>(outputs_.size()), axes_); });
}

kernel_text map_launch::text() const {
  const bool tiled = has_tiles(bound_, axes_);
  return (tiled ? stencil_text : map_text)(bound_.text(), call_text(bound_, axes_, "a"),
                                           output_texts(bound_.text(), outputs_, axes_, tiled), axes_);
}

launch_options map_launch::settings() const {
  // Small blocks where the limit for small launches is off, so that also tiny containers are shared by all devices.
  const std::int64_t most = ctx().engine()->machine().settings().small == 0 ? 1 : 256;
  const std::int64_t row = axes_ < 2 ? outputs_[0].size() : shape_[axes_ - 1];
  const std::int64_t threads = std::clamp<std::int64_t>(ceil_div(row, elements_per_thread), 1, most);
  const std::int64_t per_block = threads * elements_per_thread;
  launch_options made;
  made.block = {threads};
  if (has_tiles(bound_, axes_)) {
    const stencil_tile tile = tile_of(ctx(), shape_, *bound_.regions);
    const auto shifted = [&](int axis, std::int64_t size) { return ceil_div(shape_[axis] + tile.shift, size); };
    made.grid = {ceil_div(shape_[axes_ - 1], tile.width),
                 axes_ == 2 ? shifted(0, tile.rows) : ceil_div(shape_[axes_ - 2], tile.rows),
                 axes_ == 2   ? 1
                 : axes_ == 3 ? shifted(0, tile.planes)
                              : shape_[0] * shape_[1]};
    made.block = {tile.threads, 1, 1};
  } else if (axes_ < 2) {
    made.grid = {ceil_div(outputs_[0].size(), per_block)};
  } else {
    const extents& n = shape_;
    made.grid = {ceil_div(n[axes_ - 1], per_block), n[axes_ - 2], axes_ == 2 ? 1 : axes_ == 3 ? n[0] : n[0] * n[1]};
    made.block = {threads, 1, 1};
  }
  made.split = options_.on.split_for(made.grid, made.block);
  made.name = options_.name.empty() ? bound_.text().name : options_.name;
  made.file = bound_.site.file;
  made.line = bound_.site.line;
  if (bound_.regions != nullptr) made.let = bound_.regions->let;
  return made;
}

std::vector<argument> map_launch::arguments(bool runs) const {
  std::vector<argument> list;
  if (axes_ == 0) list.push_back(number_argument(outputs_[0].size()));
  for (int k = 0; k < axes_; ++k) list.push_back(number_argument(shape_[k]));
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const auto updates = [&](const bound_argument& a) {
      return a.as == kind::element && a.given->elements.elements == outputs_[k].elements;
    };
    const bool also_read = std::any_of(bound_.arguments.begin(), bound_.arguments.end(), updates);
    const access mode = !runs ? access::read : also_read ? access::readwrite : access::write;
    add_array(axes_, outputs_[k], mode, bound_.site, list);
  }
  if (has_tiles(bound_, axes_)) add_tile_arguments(tile_of(ctx(), shape_, *bound_.regions), list);
  call_text(bound_, axes_, "a").add_arguments(list);
  if (bound_.function->runs_on_host()) list.push_back(number_argument(settings().block[0]));
  return list;
}

void map_launch::launch() const {
  require_usable(bound_, outputs_);
  if (outputs_[0].size() == 0) return;
  options_.launch(compiled(), settings(), arguments());
}

std::string map_launch::explain() const { return compiled().explain_with(settings(), arguments(false)); }

}  // namespace tessera::algo
