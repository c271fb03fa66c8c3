#include <doctest/doctest.h>
#include <tessera/tessera.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/fuzz/kernels/source_entry.h"
#include "tests/fuzz/kernels/source_pool.h"
#include "tests/fuzz/print/pool_variables.h"
#include "tests/fuzz/program/text.h"
#include "tests/fuzz/run/handles.h"

namespace tessera::fuzz {
namespace {

/// One kernel of the source pool on arrays of ones, with its own rules or with others.
class checked_launch {
 public:
  explicit checked_launch(std::size_t entry) : entry_(source_entries()[entry]) {
    source_shapes arrays;
    for (const source_entry::need& need : entry_.arrays)
      arrays.shapes.push_back(need.rank == 1 ? int_list{300} : int_list(need.rank, need.rank == 2 ? 24 : 10));
    for (std::size_t axis = 0; axis < 2; ++axis)
      for (const int_list& shape : arrays.shapes) {
        std::int64_t pitch = 1;
        for (std::size_t k = axis + 1; k < shape.size(); ++k) pitch *= shape[k];
        arrays.pitch.push_back(pitch);
      }
    shapes_ = arrays.shapes;
    random_source random = random_source::of_program(1, entry);
    entry_.size(random, arrays, launch_.threads, launch_.scalars);
    launch_.source = static_cast<int>(entry);
    launch_.block = entry_.block;
    launch_.arguments.resize(entry_.arrays.size());
  }

  [[nodiscard]] kernel rules() const { return *source_kernel(launch_); }

  /// What is said of it; empty: it ran.
  [[nodiscard]] std::string run(const kernel& declared) const {
    options settings;
    settings.devices = "cpu";
    settings.check.access = true;
    settings.log = log_level::off;
    context ctx(settings);
    std::vector<argument> arguments;
    for (std::size_t a = 0; a < shapes_.size(); ++a)
      arguments.push_back(with_type(entry_.arrays[a].type, [&](auto value) {
        const std::int64_t count = volume(shapes_[a]);
        std::vector<unsigned char> bytes(static_cast<std::size_t>(count) * sizeof value, 1);
        auto made = ctx.empty<decltype(value)>(to_extents(shapes_[a]));
        made.write_bytes(std::as_bytes(std::span(bytes)));
        return argument::from(made);
      }));
    for (const std::int64_t v : launch_.scalars) arguments.push_back(argument::from(static_cast<std::int32_t>(v)));
    const std::string annotation = text_of(declared, {launch_.threads, launch_.block}).annotation;
    try {
      const tessera::kernel k = ctx.compile(
          entry_.text, entry_.name,
          {.annotation = annotation, .cpu_source = entry_.cpu_text, .reductions = reductions_of(entry_.op)});
      if (launch_.scalars.size() > 2) prepare_variables(ctx, k, entry_.text, static_cast<int>(launch_.scalars[2]));
      k.launch_with(
          {.threads = to_extents(launch_.threads), .block = to_extents(launch_.block), .shared = source_shared_bytes},
          arguments);
      ctx.wait();
    } catch (const annotation_error& e) {
      return e.what();
    }
    return {};
  }

  [[nodiscard]] const source_entry& entry() const { return entry_; }

 private:
  const source_entry& entry_;
  std::vector<int_list> shapes_;
  launch_op launch_;
};

/// Without its last element along one axis, or without its first where it has all of them.
index_spec made_smaller(index_spec i) {
  if (!i.first && !i.last) {
    i.first = index_expr{};
    i.first->constant = 1;
    i.is_point = false;
    return i;
  }
  if (i.is_point) i.last = i.first;
  i.is_point = false;
  if (i.last)
    --i.last->constant;
  else
    ++i.first->constant;
  return i;
}

}  // namespace

TEST_CASE("no kernel of the source pool touches what it does not declare") {
  for (std::size_t e = 0; e < source_entries().size(); ++e) {
    const checked_launch launch(e);
    CAPTURE(std::string(launch.entry().name));
    CHECK(launch.run(launch.rules()) == "");
  }
}

TEST_CASE("a rule of the source pool that declares one element too few is named") {
  for (std::size_t e = 0; e < source_entries().size(); ++e) {
    const checked_launch launch(e);
    if (!std::string(launch.entry().cpu_text).empty()) continue;  // has no threads: a row of blocks may do more
    const kernel right = launch.rules();
    for (std::size_t p = 0; p < right.parameters.size(); ++p)
      for (std::size_t r = 0; r < right.parameters[p].rules.size(); ++r) {
        const rule& whole = right.parameters[p].rules[r];
        // What a block's private result has no room for would be written elsewhere.
        if (whole.mode == access::reduce || whole.mode == access::none || right.parameters[p].rules.size() > 1)
          continue;
        for (std::size_t a = 0; a < whole.indices.size(); ++a) {
          kernel wrong = right;
          index_spec& changed = wrong.parameters[p].rules[r].indices[a];
          changed = made_smaller(changed);
          const std::string said = launch.run(wrong);
          CAPTURE(std::string(launch.entry().name));
          CAPTURE(p);
          CAPTURE(a);
          CAPTURE(said);
          CHECK(said.find(" p" + std::to_string(p) + "[") != std::string::npos);
        }
      }
  }
}

}  // namespace tessera::fuzz
