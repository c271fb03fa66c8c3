#include "tessera/array/launch.h"

#include <algorithm>
#include <cstring>

#include "tessera/array/scalar.h"
#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"

namespace tessera {
namespace {

/// Builds one request; every member function checks one thing.
class request_builder {
 public:
  request_builder(const runtime::engine& engine, const std::shared_ptr<const runtime::kernel_entry>& kernel,
                  const launch_options& settings, std::span<const argument> args)
      : engine_(engine), kernel_(*kernel), settings_(settings), args_(args) {
    request_.kernel = kernel;
    request_.name = settings.name;
    request_.site = {settings.file, settings.line};
    request_.shared_bytes = settings.shared;
  }

  runtime::launch_request build() {
    if (args_.size() != kernel_.arguments())
      throw argument_error(
          cat(label(), " takes ", kernel_.arguments(), " arguments, but ", args_.size(), " are given", signature()));
    if (settings_.shared < 0) throw argument_error(cat(label(), ": .shared is negative"));
    set_space();
    const extents granules = request_.space.granules();
    if (std::any_of(granules.begin(), granules.end(), [](std::int64_t n) { return n == 0; }))
      return std::move(request_);
    request_.arrays.reserve(args_.size());
    request_.scalars.reserve(args_.size());
    for (std::size_t p = 0; p < args_.size(); ++p) take(static_cast<int>(p));
    bind();
    set_split();
    return std::move(request_);
  }

 private:
  [[nodiscard]] std::string label() const { return label_of(request_); }
  [[nodiscard]] std::string signature() const {
    std::string text = ": (";
    for (const kernels::parameter& p : own_parameters())
      text += cat(text.size() > 3 ? ", " : "", p.type_text, " ", p.name);
    return text + ")";
  }

  [[nodiscard]] std::span<const kernels::parameter> own_parameters() const {
    return {kernel_.parameters.data(), kernel_.arguments()};
  }

  void set_space() {
    extents block = settings_.block.rank() == 0 ? extents{kernel_.text ? 256 : 1} : settings_.block;
    const bool by_threads = settings_.threads.rank() > 0;
    if (by_threads == (settings_.grid.rank() > 0))
      throw argument_error(cat(label(), ": give either .threads or .grid"));
    extents size = by_threads ? settings_.threads : settings_.grid;
    const int axes = std::max(size.rank(), block.rank());
    const int most = kernel_.text ? 3 : max_rank;
    if (axes > most) throw argument_error(cat(label(), ": ", axes, " axes; at most ", most, " are possible"));
    size = padded(size, axes);
    block = padded(block, axes);
    std::int64_t per_block = 1, total = 1;
    for (int k = 0; k < axes; ++k) {
      if (block[k] <= 0 || size[k] < 0)
        throw argument_error(cat(label(), ": .threads or .grid must not be negative and .block must be positive: ",
                                 to_string(size), ", ", to_string(block)));
      per_block = checked_multiply(per_block, block[k], "the number of threads per block");
      if (!by_threads) size[k] = checked_multiply(size[k], block[k], "the number of threads of a launch");
      total = checked_multiply(total, checked_add(size[k], block[k], "the number of threads of a launch"),
                               "the number of threads of a launch");
    }
    if (kernel_.text && per_block > 1024)
      throw argument_error(cat(label(), ": a block of ", per_block, " threads; at most 1024 are possible"));
    request_.space = {size, block};
    constexpr std::int64_t most_blocks = 0x7fffffff;
    for (const std::int64_t n : request_.space.granules())
      if (kernel_.text && n > most_blocks)
        throw argument_error(cat(label(), ": ", n, " blocks along an axis; at most ", most_blocks, " are possible"));
  }

  static extents padded(const extents& e, int axes) {
    extents result = extents::uniform(axes, 1);
    for (int k = 0; k < e.rank(); ++k) result[k] = e[k];
    return result;
  }

  /// What a message about parameter `p` begins with; made only for messages.
  [[nodiscard]] std::string at_parameter(int p) const { return label_of(request_, p); }

  void take(int p) {
    const kernels::parameter& parameter = kernel_.parameters[index(p)];
    const auto* scalar = std::get_if<argument::scalar>(&args_[index(p)].value);
    const auto* array = std::get_if<array_base>(&args_[index(p)].value);
    if (parameter.is_pointer && scalar != nullptr)
      throw argument_error(cat(at_parameter(p), " is a pointer (", parameter.type_text,
                               "): an array is expected, not a ", to_string(scalar->type)));
    if (array != nullptr && !array->record())
      throw argument_error(cat(at_parameter(p), ": the array or value was not created"));
    if (!parameter.is_pointer && (array == nullptr ? scalar == nullptr : array->rank() > 0))
      throw argument_error(cat(at_parameter(p), " is a scalar (", parameter.type_text, "), but ",
                               array == nullptr ? "a null pointer" : "an array", " is given",
                               array != nullptr && array->size() == 1 ? "; pass its value()" : ""));
    if (scalar != nullptr) {
      const dtype type = parameter.is_struct ? scalar->type : parameter.type;
      request_.scalars.push_back({p, convert_scalar(*scalar, type, [&] { return at_parameter(p); })});
    }
    if (array != nullptr) take_array(p, *array);
  }

  void take_array(int p, const array_base& a) {
    const kernels::parameter& parameter = kernel_.parameters[index(p)];
    if (a.record()->owner.get() != &engine_)
      throw argument_error(cat(at_parameter(p), ": the array belongs to another context"));
    if (parameter.is_pointer && a.record()->is_value)
      throw argument_error(
          cat(at_parameter(p), " is a pointer (", parameter.type_text, "): an array is expected, not a value"));
    if (!parameter.is_struct && !interchangeable(a.record()->type, parameter.type))
      throw argument_error(cat(at_parameter(p), parameter.is_pointer ? " points to " : " is ",
                               to_string(parameter.type), ", but the ",
                               a.record()->is_value ? "value is " : "array holds ", to_string(a.record()->type)));
    if (!parameter.is_pointer && !kernel_.text)
      throw argument_error(cat(at_parameter(p),
                               ": a native kernel has its scalars when it is called; declare a pointer "
                               "to const and pass an array, or pass get()"));
    request_.arrays.push_back({p, a.record(), a.bounds(), !parameter.is_pointer});
  }

  void bind() {
    std::vector<plan::array_argument> arrays(args_.size());
    for (std::size_t p = 0; p < args_.size(); ++p)
      if (const auto* a = std::get_if<array_base>(&args_[p].value))
        arrays[p] = {&a->shape(), is_contiguous(*a), !kernel_.parameters[p].is_pointer};
    if (!kernel_.annotation) return bind_defaults(arrays);
    std::vector<std::optional<std::int64_t>> constants;
    constants.reserve(kernel_.annotation->constants().size());
    for (const plan::constant_slot& slot : kernel_.annotation->constants()) constants.push_back(constant(slot));
    try {
      request_.accesses = kernel_.bindings->bind(*kernel_.annotation, {constants, arrays, settings_.tables});
    } catch (const argument_error& e) {
      throw argument_error(cat(label(), ": ", e.what()));
    }
  }

  void bind_defaults(std::span<const plan::array_argument> arrays) {
    if (!settings_.tables.empty())
      throw argument_error(cat(label(), ": a table `", settings_.tables.front().first,
                               "` is given in .tables, but the kernel has no annotation that could name it"));
    plan::access_pattern pattern = without_nulls(plan::default_pattern(infos_of(own_parameters())));
    plan::add_values(pattern, arrays);
    request_.accesses = plan::bind_accesses(std::move(pattern));
  }

  [[nodiscard]] plan::access_pattern without_nulls(plan::access_pattern pattern) const {
    std::erase_if(pattern.rules, [&](const plan::access_rule& r) {
      return std::holds_alternative<argument::none>(args_[index(r.parameter)].value);
    });
    return pattern;
  }

  static bool is_contiguous(const array_base& a) {
    bool partial = false;  // an axis of more than one element further out must not lie around a partial one
    for (int k = 0; k < a.bounds().rank(); ++k) {
      const bool whole = a.bounds().extent(k) == a.record()->plan_shape[k];
      if (partial && !whole) return false;
      if (a.bounds().extent(k) > 1) partial = true;
    }
    return true;
  }

  [[nodiscard]] std::optional<std::int64_t> constant(const plan::constant_slot& slot) const {
    const extents granules = request_.space.granules();
    switch (slot.from) {
      case plan::constant_slot::source::block_dim:
        return slot.index < request_.space.granule.rank() ? request_.space.granule[slot.index] : 1;
      case plan::constant_slot::source::grid_dim:
        return slot.index < granules.rank() ? granules[slot.index] : 1;
      case plan::constant_slot::source::parameter:
        return scalar_value(slot.index);
      default:
        for (const auto& [name, value] : settings_.let)
          if (name == slot.name) return value;
        return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<std::int64_t> scalar_value(int parameter) const {
    const auto* scalar = std::get_if<argument::scalar>(&args_[index(parameter)].value);
    if (std::holds_alternative<array_base>(args_[index(parameter)].value))
      throw argument_error(cat(at_parameter(parameter), " stands in the annotation, so that it must be known when the ",
                               "launch is made: give a number, for example get() of the value"));
    if (scalar == nullptr || !scalar->type.is_integer()) return std::nullopt;
    const std::vector<std::byte> bytes =
        convert_scalar(*scalar, dtype_of<std::int64_t>(), [&] { return at_parameter(parameter); });
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  void set_split() {
    request_.split = settings_.split.spec();
    const std::optional<int> device = device_scope::current();
    if (request_.split.form == plan::split_spec::kind::automatic && device) request_.split = on(*device).spec();
    if (!settings_.split.followed()) return;
    for (const runtime::launch_request::array_use& a : request_.arrays)
      if (a.array == settings_.split.followed()) {
        request_.split.parameter = a.parameter;
        return;
      }
    throw argument_error(cat(label(), ": .split = like(array) names an array that is not passed to the launch"));
  }

  const runtime::engine& engine_;
  const runtime::kernel_entry& kernel_;
  const launch_options& settings_;
  std::span<const argument> args_;
  runtime::launch_request request_;
};

}  // namespace

std::vector<plan::parameter_info> infos_of(std::span<const kernels::parameter> parameters) {
  std::vector<plan::parameter_info> infos;
  for (const kernels::parameter& p : parameters) infos.push_back({p.name, p.is_pointer, p.is_const});
  return infos;
}

runtime::launch_request make_request(const runtime::engine& engine,
                                     const std::shared_ptr<const runtime::kernel_entry>& kernel,
                                     const launch_options& settings, std::span<const argument> args) {
  return request_builder(engine, kernel, settings, args).build();
}

}  // namespace tessera
