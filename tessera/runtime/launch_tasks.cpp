#include "tessera/runtime/launch_tasks.h"

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/plan/access/text.h"
#include "tessera/plan/planner.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/kernel_library.h"

namespace tessera::runtime {
namespace {

/// A task and its kernel: work that is under way finds its kernel although all handles are gone.
struct owned_launch {
  plan::launch_task task;
  std::shared_ptr<const kernel_entry> kernel;
};

const kernels::parameter& parameter_of(const launch_request& request, int parameter) {
  return request.kernel->parameters[static_cast<std::size_t>(parameter)];
}

/// Also refuses what the kernel has no parameter for.
void check_parameter(const launch_request& request, int parameter) {
  const auto count = static_cast<int>(request.kernel->parameters.size());
  if (parameter < 0 || parameter >= count)
    throw argument_error(cat(label_of(request), ": parameter ", parameter, " of ", count));
}

bool is_changed(const launch_request& request, int parameter) {
  const auto& rules = request.accesses->pattern.rules;
  return std::any_of(rules.begin(), rules.end(), [&](const plan::access_rule& r) {
    return r.parameter == parameter && (plan::writes(r.mode) || plan::combines(r.mode));
  });
}

/// Parts of the launch that begin later would load what others have written.
void refuse_changed_values(const launch_request& request) {
  for (const launch_request::array_use& value : request.arrays) {
    if (!value.by_value) continue;
    for (const launch_request::array_use& other : request.arrays)
      if (other.array == value.array && is_changed(request, other.parameter))
        throw argument_error(
            cat(label_of(request, value.parameter), " is passed an array that the launch changes through '",
                parameter_of(request, other.parameter).name, "'; pass its value(), which stays as it is"));
  }
}

/// Annotations say nothing else; requests of front ends might.
void check_registered(const launch_request& request, const plan::access_rule& rule) {
  const std::size_t known = request.kernel->text ? request.kernel->text->reductions.size() : 0;
  const int number = registered_number(rule.op);
  if (static_cast<std::size_t>(number) >= known)
    throw argument_error(
        cat(label_of(request), ": operation ", number, " of the ", known, " that the kernel registers"));
  if (rule.mode != plan::access_mode::reduce)
    throw argument_error(cat(label_of(request), ": '",
                             request.kernel->text->reductions[static_cast<std::size_t>(number)].name,
                             "' is an operation of the kernel's own, for which CUDA has no atomic; use reduce"));
}

void check_reductions(const launch_request& request) {
  for (const plan::access_rule& rule : request.accesses->pattern.rules) {
    if (!plan::combines(rule.mode)) continue;
    if (is_registered(rule.op)) check_registered(request, rule);
    for (const launch_request::array_use& use : request.arrays)
      if (use.parameter == rule.parameter && !supports(rule.op, use.array->type))
        throw argument_error(cat(label_of(request), ": '", to_string(rule.op), "' has no meaning for elements of type ",
                                 to_string(use.array->type)));
  }
}

/// Names the first boxes of a region that has many.
std::string shortened(const region& r) {
  constexpr std::size_t most = 64;
  if (r.boxes().size() <= most) return to_string(r);
  std::string text;
  for (const box& b : r.boxes().first(most)) text += to_string(b) + " + ";
  return cat(text, r.boxes().size() - most, " more boxes, ", r.volume(), " elements in all");
}

bool has_no_points(const plan::domain& space) {
  const extents granules = space.granules();
  return std::any_of(granules.begin(), granules.end(), [](std::int64_t n) { return n == 0; });
}

/// The key of the shape that `task` will have; `request` has its arrays in the same order.
void put_key(const plan::launch_task& task, const launch_request& request, const plan::workspace_function* workspace,
             plan::split_key& key) {
  key.begin(task.name, task.space, task.split, workspace);
  int described = 0;
  std::vector<int> slots(request.arrays.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const launch_request::array_use& use = request.arrays[i];
    std::size_t first = 0;
    while (request.arrays[first].array != use.array) ++first;
    if (first == i) {
      const array_record& r = *use.array;
      key.add_slot(parameter_of(request, use.parameter).name, r.plan_shape, r.type, r.home.get());
      slots[i] = described++;
    } else {
      slots[i] = slots[first];
    }
    key.add_use(use.parameter, slots[i], use.bounds);
  }
  key.end(request.accesses->code, request.accesses->tables);
}

}  // namespace

std::shared_ptr<const plan::launch_task> launch_task_maker::make(launch_request request) const {
  if (!request.kernel) throw argument_error("a launch request without a kernel");
  if (has_no_points(request.space)) return nullptr;
  check_arrays(request);
  check_reductions(request);
  refuse_changed_values(request);
  warn_of_narrow_indices(request);
  const auto owned = std::make_shared<owned_launch>();
  owned->kernel = request.kernel;
  plan::launch_task* const task = &owned->task;
  task->kernel = request.kernel->id;
  task->name = request.name.empty() ? request.kernel->name : std::move(request.name);
  task->site = request.site;
  task->shared_bytes = request.shared_bytes;
  task->space = request.space;
  task->split = std::move(request.split);
  task->scalars = std::move(request.scalars);
  task->accesses = {request.accesses, &request.accesses->pattern};
  task->accesses_hash = request.accesses->hash;
  task->arrays.reserve(request.arrays.size());
  for (const launch_request::array_use& use : request.arrays)
    task->arrays.push_back({use.parameter, use.array->id, use.bounds, use.by_value});
  task->plan = plan_of(*task, request);
  return {owned, task};
}

/// How the task is cut: remembered from an equal launch, or found now. A loop pays for a look at a key only.
std::shared_ptr<const plan::split_plan> launch_task_maker::plan_of(const plan::launch_task& task,
                                                                   const launch_request& request) const {
  const std::shared_ptr<const plan::workspace_function> workspace =
      request.kernel->contents ? request.kernel->contents->workspace : nullptr;
  thread_local plan::split_key key;
  put_key(task, request, workspace.get(), key);
  if (auto known = splits_.find(key)) return known;
  std::size_t next = 0;  // `shape_of` asks about arrays in their order
  plan::launch_shape shape = plan::shape_of(task, [&](const plan::launch_array& a) {
    while (request.arrays[next].array->id != a.array) ++next;
    const array_record& r = *request.arrays[next].array;
    return plan::array_slot{parameter_of(request, a.parameter).name, r.plan_shape, r.type, r.home};
  });
  shape.code = request.accesses->code;
  shape.workspace = workspace;
  return splits_.split(shape);
}

/// What holds for requests of every front end.
void launch_task_maker::check_arrays(const launch_request& request) const {
  if (!request.accesses) throw argument_error(cat(label_of(request), ": it does not say what it accesses"));
  for (const launch_request::array_use& use : request.arrays) {
    check_parameter(request, use.parameter);
    if (!use.array) throw argument_error(cat(label_of(request, use.parameter), ": the array was not created"));
    if (use.array->owner.get() != &owner_)
      throw argument_error(cat(label_of(request, use.parameter), ": the array belongs to another context"));
    if (!box::whole(use.array->plan_shape).contains(use.bounds))
      throw argument_error(cat(label_of(request, use.parameter), ": ", to_string(use.bounds), " is outside the array ",
                               to_string(use.array->plan_shape)));
    if (use.array->is_value && is_changed(request, use.parameter))
      throw argument_error(cat(label_of(request, use.parameter), ": a value cannot be changed"));
  }
  for (const plan::launch_scalar& scalar : request.scalars) check_parameter(request, scalar.parameter);
}

/// Rule B6: a kernel that computes its indices in 32 bits cannot reach beyond 2^31.
void launch_task_maker::warn_of_narrow_indices(const launch_request& request) const {
  constexpr std::int64_t reach = std::int64_t{1} << 31;
  if (!request.kernel->text || request.kernel->text->features.wide_index) return;
  bool beyond = false;
  for (const std::int64_t n : request.space.size) beyond = beyond || n > reach;
  for (const launch_request::array_use& use : request.arrays) beyond = beyond || use.bounds.volume() > reach;
  if (beyond && kernels_.first_warning(request.kernel->id))
    log(log_level::warning,
        cat(label_of(request), ": it has indices beyond 2^31, but the kernel computes them in 32 bits"));
}

std::string describe_split(const plan::launch_task& task) {
  const plan::split_plan& plan = *task.plan;
  std::string text = cat("launch of '", task.name, "': ", to_string(task.space.granules()), " blocks of ",
                         to_string(task.space.granule), " threads in ", plan.grid->size(), " superblocks\n");
  for (const std::string& note : plan.notes) text += cat("  ", note, "\n");
  for (const auto& table : plan::tables_of(*task.accesses)) text += cat("  ", plan::describe(*table), "\n");
  for (const plan::split_plan::local_part& part : plan.local) {
    text +=
        cat("  superblock ", part.superblock, ": blocks ", to_string(part.granules), " on device ", part.device, "\n");
    if (!part.pieces.empty())
      text +=
          cat("    in ", part.pieces.size(), " pieces, so that it fits into the memory of the device: it will spill\n");
    for (std::size_t s = 0; s < part.footprints.size(); ++s) {
      const plan::footprint& f = part.footprints[s];
      const std::string& array = plan.grid->shape().slots[s].name;
      if (!f.reads.empty()) text += cat("    reads ", array, " ", shortened(f.reads), "\n");
      if (!f.writes.empty()) text += cat("    writes ", array, " ", shortened(f.writes), "\n");
      if (!f.combines.empty()) text += cat("    combines ", array, " ", shortened(f.combines), "\n");
    }
  }
  return text;
}

}  // namespace tessera::runtime
