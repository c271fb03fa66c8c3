#include "tessera/numeric/launch.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tessera/base/bytes/value_bytes.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/numeric/cuda/gpu_calls.h"
#include "tessera/numeric/library/openblas.h"
#include "tessera/numeric/scratch.h"
#include "tessera/runtime/through_host.h"

namespace tessera::numeric {
namespace {

/// What a call needs besides its arrays, on the host: a GPU's workspace is not there.
class host_workspace {
 public:
  host_workspace(const native_call& call, std::int64_t bytes) {
    if (call.queue() == nullptr) {
      memory_ = call.workspace();
      return;
    }
    own_.resize(index(bytes) + alignment);
    void* at = own_.data();
    std::size_t room = own_.size();
    memory_ = {static_cast<std::byte*>(std::align(alignment, index(bytes), at, room)), index(bytes)};
  }
  [[nodiscard]] std::byte* data() const { return memory_.data(); }

 private:
  static constexpr std::size_t alignment = 256;
  std::span<std::byte> memory_;
  std::vector<std::byte> own_;
};

/// Threads that a call on the host may use; also where its arrays are copies of a GPU's.
int host_cores(const native_call& call) {
  return call.queue() == nullptr ? call.cores() : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

parallel_loop loop_of(native_call& call) {
  return [&call](std::int64_t n, const std::function<void(std::int64_t)>& body) { call.parallel_for(n, body); };
}

/// Numbers and arrays in the order of a kernel's parameters.
std::vector<argument> arguments(std::initializer_list<std::int64_t> numbers,
                                std::initializer_list<std::span<const array_base>> arrays) {
  std::vector<argument> list;
  for (const std::int64_t each : numbers) list.push_back(argument::from(static_cast<long long>(each)));
  for (const auto& group : arrays)
    for (const array_base& each : group) list.push_back(argument::from(each));
  return list;
}

launch_options options_for(const extents& threads, call_site here) {
  launch_options settings;
  settings.threads = threads;
  settings.block = extents::uniform(threads.rank(), 1);
  settings.file = here.file;
  settings.line = here.line;
  return settings;
}

/// The type of elements as parameters of kernels spell it. Throws `argument_error`.
std::string spelled(const array_base& a) {
  switch (a.type().kind) {
    case scalar_kind::float32:
      return "float";
    case scalar_kind::float64:
      return "double";
    case scalar_kind::complex64:
      return "float2";
    case scalar_kind::complex128:
      return "double2";
    case scalar_kind::int8:
      return "signed char";
    case scalar_kind::int16:
      return "short";
    case scalar_kind::int32:
      return "int";
    case scalar_kind::int64:
      return "long long";
    case scalar_kind::uint8:
      return "unsigned char";
    case scalar_kind::uint16:
      return "unsigned short";
    case scalar_kind::uint32:
      return "unsigned";
    case scalar_kind::uint64:
      return "unsigned long long";
    default:
      throw argument_error(cat("numeric kernels do not take elements of type ", to_string(a.type())));
  }
}

bool is_wide(const array_base& a) {
  const scalar_kind kind = a.type().kind;
  return kind == scalar_kind::float64 || kind == scalar_kind::complex128;
}

template <class T>
void run_fft(native_call& call, const fft_lines& lines, int first_array) {
  const box& points = call.points();
  fft_part part{points.lo[0], points.hi[0], 0, 1};
  if (lines.inner > 1) part = {points.lo[1], points.hi[1], points.lo[0], points.hi[0]};
  transform_lines<T>(lines, part, call.data<const T>(first_array + 1), call.data<T>(first_array),
                     call.workspace().data(), loop_of(call));
}

}  // namespace

void launch_fft(context ctx, const array_base& to, const array_base& from, const fft_lines& lines, call_site here) {
  const bool wide = is_wide(to), in_rows = lines.inner == 1;
  native_definition fft;
  fft.name = "fft";
  fft.parameters = cat("long long n, long long m, long long inner, ", spelled(to), "* y, const ", spelled(from), "* x");
  fft.annotation = in_rows ? "global o => write y as [:, m] [o, :], read x as [:, n] [o, :]"
                           : "global [i, o] => write y as [:, m, inner] [o, :, i], read x as [:, n, inner] [o, :, i]";
  fft.payload = bytes_of(lines);
  fft.workspace = [bytes = fft_spare_bytes(lines, wide ? sizeof(double) : sizeof(float))](const box&) { return bytes; };
  constexpr int first_array = 3;
  fft.functions["cpu"] = [lines, wide](native_call& call) {
    if (wide)
      run_fft<double>(call, lines, first_array);
    else
      run_fft<float>(call, lines, first_array);
  };
  fft.functions["cuda"] = [lines, wide](native_call& call) { transform_on_gpu(call, lines, wide); };
  const std::int64_t outer = lines.lines / lines.inner;
  ctx.native(std::move(fft))
      .launch_with(options_for(in_rows ? extents{outer} : extents{lines.inner, outer}, here),
                   arguments({lines.elements_from(), lines.elements_to(), lines.inner}, {{&to, 1}, {&from, 1}}));
}

bool fft_scales(const context& ctx) {
  const machine_description machine = ctx.machine();
  return std::none_of(machine.devices.begin(), machine.devices.end(), [](const auto& d) { return d.kind == "cuda"; });
}

namespace {

product_type product_type_of(scalar_kind kind) {
  switch (kind) {
    case scalar_kind::float32:
      return product_type::float32;
    case scalar_kind::float64:
      return product_type::float64;
    case scalar_kind::complex64:
      return product_type::complex64;
    case scalar_kind::complex128:
      return product_type::complex128;
    default:
      break;
  }
  switch (dtype::make(kind).size) {
    case 1:
      return product_type::int8;
    case 2:
      return product_type::int16;
    case 4:
      return product_type::int32;
    default:
      return product_type::int64;
  }
}

/// Rows of one matrix of the stack.
product product_of(const product_stack& stack, product_type type, std::int64_t matrix, std::int64_t first,
                   std::int64_t last, std::byte* c, const std::byte* a, const std::byte* b) {
  const std::int64_t bytes = product_tiles(type).element_bytes, m = stack.rows, n = stack.columns, k = stack.depth;
  product p;
  p.type = type;
  p.rows = last - first;
  p.columns = n;
  p.depth = k;
  p.row_step = n;
  p.c = c + (matrix * m + first) * n * bytes;
  p.a = {a + (stack.a_is_one ? 0 : matrix * m * k) * bytes, stack.a_is_transposed ? 1 : k,
         stack.a_is_transposed ? m : 1};
  p.a.data = static_cast<const std::byte*>(p.a.data) + first * p.a.row_step * bytes;
  p.b = {b + (stack.b_is_one ? 0 : matrix * n * k) * bytes, stack.b_is_transposed ? 1 : n,
         stack.b_is_transposed ? k : 1};
  return p;
}

/// Below so many products an element's sum costs less than what threads cost.
constexpr std::int64_t few_products = 1 << 16;

/// Bytes for blocks of b of one of these products: all of a small b.
std::int64_t spare_bytes(const product_stack& stack, product_type type) {
  const tile_functions& tiles = product_tiles(type);
  const std::int64_t wide = stack.columns + tiles.columns;
  return std::min(product_spare_bytes, wide * std::max<std::int64_t>(stack.depth, 1) * tiles.element_bytes);
}

/// As much memory of the calling thread.
std::byte* small_spare(const product_stack& stack, product_type type) {
  struct small_tag {};
  return thread_scratch<small_tag>(index(spare_bytes(stack, type)));
}

void run_product(native_call& call, const product_stack& stack, product_type type, int first_array) {
  const box& points = call.points();
  const std::int64_t matrices = points.hi[1] - points.lo[1], rows = points.hi[0] - points.lo[0];
  const int cores = host_cores(call);
  const auto one = [&](std::int64_t matrix) {
    return product_of(stack, type, matrix, points.lo[0], points.hi[0], call.array(first_array).data,
                      call.array(first_array + 1).data, call.array(first_array + 2).data);
  };
  const bool small = rows * stack.columns * std::max<std::int64_t>(stack.depth, 1) <= few_products;
  // Small matrices are shared out, each to one core; of large ones, rows are.
  if (matrices == 1 || !small || call.queue() != nullptr) {
    const host_workspace spare(call, spare_bytes(stack, type));
    const parallel_loop run = loop_of(call), alone = run_in_order;
    for (std::int64_t t = points.lo[1]; t < points.hi[1]; ++t)
      if (!multiply_by_library(one(t), small ? 1 : cores, small ? alone : run))
        multiply_blocks(one(t), spare.data(), small ? alone : run);
    return;
  }
  const std::int64_t parts = std::min<std::int64_t>(matrices, cores);
  call.parallel_for(parts, [&](std::int64_t part) {
    for (std::int64_t t = points.lo[1] + matrices * part / parts; t < points.lo[1] + matrices * (part + 1) / parts; ++t)
      if (!multiply_by_library(one(t), 1, run_in_order))
        multiply_blocks(one(t), small_spare(stack, type), run_in_order);
  });
}

}  // namespace

void launch_product(context ctx, const array_base& c, const array_base& a, const array_base& b,
                    const product_stack& stack, call_site here) {
  const product_type type = product_type_of(c.type().kind);
  const std::string element = spelled(c);
  native_definition gemm;
  gemm.name = "gemm";
  gemm.parameters = cat("long long m, long long n, long long k, long long each_a, long long each_b, ", element,
                        "* c, const ", element, "* a, const ", element, "* b");
  gemm.annotation = cat("global [i, t] => write c as [:, m, n] [t, i, :], read ",
                        stack.depth == 0        ? "a"
                        : stack.a_is_transposed ? "a as [:, k, m] [t * each_a, :, i]"
                                                : "a as [:, m, k] [t * each_a, i, :]",
                        stack.depth == 0        ? ", b"
                        : stack.b_is_transposed ? ", b as [:, n, k] [t * each_b, :, :]"
                                                : ", b as [:, k, n] [t * each_b, :, :]");
  gemm.payload = bytes_of(stack);
  gemm.workspace = [bytes = spare_bytes(stack, type)](const box&) { return bytes; };
  constexpr int first_array = 5;
  const native_kernel on_host = [stack, type](native_call& call) { run_product(call, stack, type, first_array); };
  gemm.functions = everywhere(on_host);
  if (type <= product_type::complex128)
    gemm.functions["cuda"] = [stack, type](native_call& call) { multiply_on_gpu(call, stack, type, first_array); };
  ctx.native(std::move(gemm))
      .launch_with(options_for({stack.rows, stack.count}, here),
                   arguments({stack.rows, stack.columns, stack.depth, stack.a_is_one ? 0 : 1, stack.b_is_one ? 0 : 1},
                             {{&c, 1}, {&a, 1}, {&b, 1}}));
}

void multiply_here(const product_stack& stack, scalar_kind kind, std::byte* c, const std::byte* a, const std::byte* b) {
  const product_type type = product_type_of(kind);
  struct here_tag {};
  std::byte* const spare = thread_scratch<here_tag>(product_spare_bytes);
  for (std::int64_t t = 0; t < stack.count; ++t)
    multiply_blocks(product_of(stack, type, t, 0, stack.rows, c, a, b), spare, run_in_order);
}

namespace {

void run_factorisations(native_call& call, const factorisation& form, int first_array) {
  const box& points = call.points();
  const std::vector<std::int64_t> operand_sizes = form.operand_sizes(), result_sizes = form.result_sizes();
  const std::vector<scalar_kind> types = form.result_types();
  const std::int64_t bytes = form.workspace_bytes(), count = points.volume();
  const host_workspace spare(call, bytes * count);
  const auto operands = static_cast<int>(operand_sizes.size()), results = static_cast<int>(result_sizes.size());
  const auto one = [&](std::int64_t t, int cores) {
    std::vector<const std::byte*> from;
    std::vector<std::byte*> to;
    for (int k = 0; k < operands; ++k)
      from.push_back(call.array(first_array + k).data + t * operand_sizes[index(k)] * dtype::make(form.type).size);
    for (int k = 0; k < results; ++k)
      to.push_back(call.array(first_array + operands + k).data +
                   t * result_sizes[index(k)] * dtype::make(types[index(k)]).size);
    call.data<int>(first_array + operands + results)[t] =
        factorise(form, from, to, spare.data() + (t - points.lo[0]) * bytes, cores);
  };
  if (count == 1) {
    constexpr std::int64_t worth_threads = 128 * 128;
    one(points.lo[0], form.rows * form.columns >= worth_threads ? host_cores(call) : 1);
    return;
  }
  call.parallel_for(count, [&](std::int64_t k) { one(points.lo[0] + k, 1); });
}

}  // namespace

void launch_factorisation(context ctx, const factorisation& form, std::int64_t count,
                          std::span<const array_base> operands, std::span<const array_base> results,
                          const array_base& info, call_site here) {
  form.require_countable();
  openblas::find().library().require_open();  // here, where the program called, rather than later
  const std::vector<std::int64_t> operand_sizes = form.operand_sizes(), result_sizes = form.result_sizes();
  native_definition lapack;
  lapack.name = "factorisation";
  std::string parameters, arrays, rules;
  std::vector<argument> list;
  const auto add = [&](char letter, std::size_t k, std::int64_t size, const array_base& a, bool written) {
    const std::string name = cat(letter, k), extent = cat("size_", name);
    parameters += cat(parameters.empty() ? "" : ", ", "long long ", extent);
    arrays += cat(", ", written ? "" : "const ", spelled(a), "* ", name);
    rules += cat(rules.empty() ? "" : ", ", written ? "write " : "read ", name, " as [:, ", extent, "] [t, :]");
    list.push_back(argument::from(static_cast<long long>(size)));
  };
  for (std::size_t k = 0; k < operands.size(); ++k) add('a', k, operand_sizes[k], operands[k], false);
  for (std::size_t k = 0; k < results.size(); ++k) add('r', k, result_sizes[k], results[k], true);
  lapack.parameters = cat(parameters, arrays, ", int* info");
  lapack.annotation = cat("global t => ", rules, ", write info[t]");
  lapack.payload = bytes_of(form);
  lapack.workspace = [bytes = form.workspace_bytes()](const box& points) { return bytes * points.volume(); };
  const int first_array = static_cast<int>(operands.size() + results.size());
  lapack.functions =
      everywhere([form, first_array](native_call& call) { run_factorisations(call, form, first_array); });
  for (const auto& group : {operands, results})
    for (const array_base& each : group) list.push_back(argument::from(each));
  list.push_back(argument::from(info));
  ctx.native(std::move(lapack)).launch_with(options_for({count}, here), list);
}

}  // namespace tessera::numeric
