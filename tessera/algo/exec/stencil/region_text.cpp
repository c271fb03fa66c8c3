#include "tessera/algo/exec/stencil/region_text.h"

#include <algorithm>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/stencil/tile.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// The elements of a thread block on `axis`, of `rank`, in an annotation: the first and the last one.
std::pair<std::string, std::string> block_range(int axis, int rank) {
  if (rank == 1) return {"lo", "min(hi, n0 - 1)"};
  auto [first, last] = tile_range(axis, rank);
  if (first == last) return {first, last};
  return {axis == 0 ? cat("max(", first, ", 0)") : first, cat("min(", last, ", n", axis, " - 1)")};
}

template <class Item>
std::string listed(int count, Item item) {
  std::string text;
  for (int k = 0; k < count; ++k) text += cat(k == 0 ? "" : ", ", item(k));
  return text;
}

}  // namespace

std::string region_text::parameters() const {
  std::string text = cat(", const ", type, "* ", name);
  for (int k = 0; k + 1 < rank(); ++k) text += cat(", long long ", name, "s", k);
  for (int k = 0; k < rank(); ++k) text += cat(", long long ", name, "b", k);
  return frame.at_edge ? cat(text, ", ", type, " ", name, "v") : text;
}

std::string region_text::rule(const std::string& shift) const {
  return cat(", read ", name, "[",
             listed(rank(),
                    [&](int k) {
                      const auto [first, last] = block_range(k, rank());
                      const std::string by = shift.empty() ? "" : cat(" + ", shift, k);
                      return cat(first, " + ", name, "l", k, by, " : ", last, " + ", name, "h", k, by);
                    }),
             "]");
}

std::string region_text::rules() const {
  return frame.at_edge ? cat(rule(""), rule("behind"), rule("before")) : rule("");
}

std::string region_text::stride_on(int axis) const { return axis == rank() - 1 ? "1" : cat(name, "s", axis); }

/// The number of the element itself; at an edge of the first of its line.
std::string region_text::place() const {
  std::string text;
  for (int k = 0; k < rank(); ++k) {
    const bool is_looked_for = frame.at_edge && std::find(frame.axes.begin(), frame.axes.end(), k) != frame.axes.end();
    if (!is_looked_for)
      text += cat(text.empty() ? "" : " + ", "(i", k, " + o", k, " - ", name, "b", k, ") * ", stride_on(k));
  }
  return text;
}

std::string region_text::value() const {
  const int count = static_cast<int>(frame.axes.size());
  const auto on = [&](const std::string& before, const std::string& behind) {
    return listed(count, [&](int k) { return cat(before, frame.axes[static_cast<std::size_t>(k)], behind); });
  };
  const std::string strides = listed(count, [&](int k) { return stride_on(frame.axes[static_cast<std::size_t>(k)]); });
  if (!frame.at_edge)
    return cat("tessera::region<", type, ", ", count, ">{", name, ", ", place(), ", {", strides, "}}");
  const std::string position = listed(count, [&](int k) {
    const int axis = frame.axes[static_cast<std::size_t>(k)];
    return cat("i", axis, " + o", axis);
  });
  return cat("tessera::region<", type, ", ", count, ">{", name, place().empty() ? "" : " + ", place(), ", {", position,
             "}, {", on("w", ""), "}, {", on(name + "b", ""), "}, {", strides, "}, edge, ", name, "v}");
}

std::string region_key(const region_frame& frame) {
  std::string text = frame.at_edge ? "edge" : "inside";
  for (const int axis : frame.axes) text += cat(" ", axis);
  return text;
}

std::string frame_parameters(const region_frame& frame) {
  std::string text;
  for (int k = 0; k < frame.whole.rank(); ++k) text += cat(", long long o", k, ", long long w", k);
  return frame.at_edge ? text + ", int edge" : text;
}

void add_frame_arguments(const region_frame& frame, std::vector<argument>& arguments) {
  for (int k = 0; k < frame.whole.rank(); ++k) {
    arguments.push_back(number_argument(frame.part.lo[k]));
    arguments.push_back(number_argument(frame.whole[k] - (frame.at_edge && planted("edge_one_short"))));
  }
  if (frame.at_edge) arguments.push_back(argument::from(static_cast<int>(frame.edge)));
}

void add_region_arguments(const region_frame& frame, const bound_argument& region, std::vector<argument>& arguments) {
  const storage& elements = *region.given->elements.elements;
  const int rank = frame.whole.rank();
  for (int k = 0; k + 1 < rank; ++k) arguments.push_back(number_argument(stride(elements.shape(), k)));
  for (int k = 0; k < rank; ++k) arguments.push_back(number_argument(region.first[k]));
  if (!frame.at_edge) return;
  if (frame.edge == edge_kind::pad)
    arguments.push_back(frame.padding);
  else
    arguments.push_back({argument::scalar{region.given->element, std::vector<std::byte>(region.given->element.size)}});
}

}  // namespace tessera::algo
