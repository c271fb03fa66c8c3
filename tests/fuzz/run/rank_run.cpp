#include "tests/fuzz/run/rank_run.h"

#include <tessera/tessera.h>

#include <list>
#include <utility>

#include "tessera/base/text.h"
#include "tessera/runtime/through_host.h"
#include "tests/fuzz/kernels/source_pool.h"
#include "tests/fuzz/print/kept_value.h"
#include "tests/fuzz/print/own_part.h"
#include "tests/fuzz/program/text.h"
#include "tests/fuzz/run/balance.h"
#include "tests/fuzz/run/handles.h"

namespace tessera::fuzz {
namespace {

/// One rank that carries out a program.
class rank_run {
 public:
  rank_run(const program& p, std::span<const outcome> expected, const options& settings)
      : program_(p), expected_(expected), context_(settings) {}

  std::optional<failure> run() {
    for (at_ = 0; at_ < program_.operations.size(); ++at_) {
      try {
        std::visit([this](const auto& o) { carry_out(o); }, program_.operations[at_]);
      } catch (const std::exception& e) {
        note(e.what(), -1);
        throw;
      }
    }
    settle();
    context_.wait();
    return failure_;
  }
  [[nodiscard]] const std::optional<failure>& found() const { return failure_; }

 private:
  struct slot {
    array_base handle;
    element type = element::i32;
  };
  struct pending {
    std::vector<std::byte> buffer;
    transfer under_way;  // waits in its destructor, so it goes before the buffer
    std::size_t operation;
    bool is_read;
    element type;
    std::function<void(std::byte*)> value{};  // of a value_op: fetches it
  };

  slot& at(int s) { return slots_[static_cast<std::size_t>(s)]; }

  template <class T>
  array<T> resolve(const argument_spec& o) {
    return sliced(array<T>(at(o.slot).handle), o.part);
  }
  array_base resolve_base(const argument_spec& o) {
    return with_type(at(o.slot).type, [&](auto v) -> array_base { return resolve<decltype(v)>(o); });
  }

  void note(std::string message, std::int64_t element) {
    if (!failure_) failure_ = failure{cat("rank ", context_.rank(), ": ", message), at_, element};
  }

  void carry_out(const create_op& o) {
    with_type(o.type, [&](auto v) {
      using T = decltype(v);
      const distribution& d = o.placement;
      const extents shape = to_extents(o.shape);
      const auto make = [&](const tessera::distribution& placement) {
        switch (o.contents) {
          case create_op::kind::empty:
            return context_.empty<T>(shape, placement);
          case create_op::kind::zeros:
            return context_.zeros<T>(shape, placement);
          case create_op::kind::full:
            return context_.full<T>(shape, values::make<T>(values::mix(o.seed, 0)), placement);
          default:
            break;
        }
        const std::vector<std::byte> bytes = data(o.type, volume(o.shape), o.seed);
        return context_.from<T>(shape, {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)}, placement);
      };
      array_base made;
      switch (d.form) {
        case distribution::kind::automatic:
          made = make(automatic());
          break;
        case distribution::kind::replicated:
          made = make(replicated());
          break;
        case distribution::kind::on_device:
          made = make(on_device(d.device));
          break;
        case distribution::kind::listed:
          made = make(listed(d));
          break;
        default:
          made = make(tiled_of(d));
      }
      at(o.slot) = {std::move(made), o.type};
    });
  }

  void carry_out(const drop_op& o) { at(o.slot) = {}; }
  void carry_out(const view_op& o) { at(o.slot) = {resolve_base(o.from), at(o.from.slot).type}; }
  void carry_out(const swap_op& o) { std::swap(at(o.a), at(o.b)); }
  void carry_out(const wait_op&) {
    settle();
    context_.wait();
  }

  void carry_out(const fill_op& o) {
    with_type(at(o.to.slot).type,
              [&](auto v) { resolve<decltype(v)>(o.to).fill(values::make<decltype(v)>(values::mix(o.seed, 0))); });
  }

  void carry_out(const write_op& o) {
    with_type(at(o.to.slot).type, [&](auto v) {
      using T = decltype(v);
      pending& p = pending_.emplace_back();
      p.operation = at_, p.is_read = false;
      p.buffer = data(at(o.to.slot).type, volume(shape_of(o.to.part)), o.seed);
      const std::span<const T> from(reinterpret_cast<const T*>(p.buffer.data()), p.buffer.size() / sizeof(T));
      const array<T> to = resolve<T>(o.to);
      if (o.async || o.rank == every_rank)
        p.under_way = to.write_async(from);
      else if (o.rank == own_parts)
        write_own_of(to, from);
      else
        to.write_from(o.rank % context_.ranks(), from);
      if (!o.async) settle_last();
    });
  }

  /// Something that will be compared with what is expected of this operation.
  pending& begin_read(element type) {
    pending& p = pending_.emplace_back();
    p.operation = at_, p.is_read = true, p.type = type;
    return p;
  }

  void carry_out(const read_op& o) {
    with_type(at(o.from.slot).type, [&](auto v) {
      using T = decltype(v);
      pending& p = begin_read(at(o.from.slot).type);
      p.buffer.resize(static_cast<std::size_t>(volume(shape_of(o.from.part))) * sizeof(T), std::byte{0xEE});
      const array<T> from = resolve<T>(o.from);
      const bool all = o.async || o.rank == every_rank;
      if (!all) p.buffer = expected_[at_].bytes;  // what this rank does not read
      const std::span<T> to(reinterpret_cast<T*>(p.buffer.data()), p.buffer.size() / sizeof(T));
      if (all)
        p.under_way = from.read_async(to);
      else if (o.rank == own_parts)
        read_own_into(from, to);
      else
        read_on_into(from, o.rank % context_.ranks(), to);
      if (!o.async) settle_last();
    });
  }

  void carry_out(const value_op& o) {
    with_type(at(o.from.slot).type, [&](auto v) {
      using T = decltype(v);
      pending& p = begin_read(at(o.from.slot).type);
      p.buffer.resize(sizeof(T));
      const auto kept = put_value(context_, resolve<T>(o.from), resolve<T>(o.to), type_name(p.type), o.direct);
      if (o.rank >= 0 && o.rank % context_.ranks() != context_.rank()) return pending_.pop_back();
      p.value = [kept](std::byte* to) {
        const T got = kept.get();
        std::memcpy(to, &got, sizeof got);
      };
    });
  }

  void carry_out(const launch_op& o) {
    const auto g = std::make_shared<grid>(grid{o.threads, o.block});
    std::vector<argument> arguments;
    for (const argument_spec& a : o.arguments)
      arguments.push_back(a.slot < 0 ? argument::from(nullptr) : argument::from(resolve_base(a)));
    launch_options settings;
    settings.block = to_extents(o.block);
    (o.by_grid ? settings.grid : settings.threads) = to_extents(o.threads);
    if (o.by_grid)
      for (int k = 0; k < settings.grid.rank(); ++k)
        settings.grid[k] = o.threads[static_cast<std::size_t>(k)] / settings.block[k];
    if (o.source >= 0) settings.shared = source_shared_bytes;
    settings.split = split_of(o, arguments);
    tessera::kernel k =
        o.source >= 0 ? load_source(context_, o, arguments) : register_native(o, g, settings, arguments);
    check_balance(o, k, settings, arguments);
    for (int n = 0; n < o.times; ++n) {
      launch_once(k, settings, arguments, expected_[at_].refused[static_cast<std::size_t>(n)]);
      if (o.exchange) std::swap(arguments[0], arguments[1]);
    }
  }

  /// Looks at some launches that the engine cuts by itself. A single rank sees all superblocks; sums that are combined
  /// in order have fixed parts wherever they run.
  void check_balance(const launch_op& o, const tessera::kernel& k, const launch_options& settings,
                     std::span<const argument> arguments) {
    constexpr std::size_t one_of = 4;
    if (o.split_form != launch_op::split::automatic || program_.deterministic || at_ % one_of != 0) return;
    if (program_.all_devices() == 1 || program_.devices.size() > 1) return;
    const std::string complaint = imbalance(k.explain_with(settings, arguments));
    if (!complaint.empty()) note(complaint, -1);
  }

  void launch_once(const tessera::kernel& k, const launch_options& settings, std::span<const argument> arguments,
                   bool refuse) {
    try {
      k.launch_with(settings, arguments);
      if (refuse) note("a split whose superblocks are in conflict was accepted", -1);
    } catch (const argument_error& e) {
      if (!refuse || std::string_view(e.what()).find("cannot be split") == std::string_view::npos)
        note(cat("refused: ", e.what()), -1);
    }
  }

  tessera::kernel register_native(const launch_op& o, const std::shared_ptr<const grid>& g, launch_options& settings,
                                  std::vector<argument>& arguments) {
    const kernel_text text = text_of(o.definition, *g);
    put_names(text, o.definition, settings);
    for (std::size_t n = 0; n < text.scalars.size(); ++n)
      arguments.push_back(n % 2 == 0 ? argument::from(static_cast<std::int16_t>(text.scalars[n]))
                                     : argument::from(text.scalars[n]));
    const auto run = [k = &o.definition, g](native_call& call) {
      std::vector<memory_view> arrays;
      for (int p = 0; p < static_cast<int>(k->parameters.size()); ++p) {
        const native_array& a = call.array(p);
        arrays.push_back({a.data, to_list(a.strides), to_list(a.shape)});
      }
      visit_points(to_list(call.points().lo), to_list(call.points().hi),
                   [&](std::span<const std::int64_t> x) { run_thread(*k, *g, arrays, x); });
    };
    return context_.native(cat("kernel", at_), text.signature, text.annotation, everywhere(run));
  }

  static std::vector<std::byte> data(element type, std::int64_t count, std::uint64_t seed) {
    const std::int64_t size = size_of(type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * size));
    for (std::int64_t i = 0; i < count; ++i)
      put_element(type, bytes.data() + i * size, seed, static_cast<std::uint64_t>(i));
    return bytes;
  }

  void settle() {
    for (pending& p : pending_) finish(p);
    pending_.clear();
  }
  void settle_last() {
    finish(pending_.back());
    pending_.pop_back();
  }
  void finish(pending& p) {
    p.under_way.wait();
    if (p.value) p.value(p.buffer.data());
    if (p.is_read) compare(p);
  }

  void compare(const pending& p) {
    const outcome& want = expected_[p.operation];
    const auto size = static_cast<std::size_t>(size_of(p.type));
    for (std::size_t i = 0; i < want.defined.size(); ++i) {
      if (want.defined[i] == 0 || std::memcmp(want.bytes.data() + i * size, p.buffer.data() + i * size, size) == 0)
        continue;
      const std::size_t now = std::exchange(at_, p.operation);
      note(cat("element ", i, " of the read is wrong"), static_cast<std::int64_t>(i));
      at_ = now;
      return;
    }
  }

  const program& program_;
  std::span<const outcome> expected_;
  context context_;
  std::array<slot, slot_count> slots_;
  std::list<pending> pending_;  // destroyed before the context: transfers wait for their memory
  std::optional<failure> failure_;
  std::size_t at_ = 0;
};

}  // namespace

void run_rank(const program& p, std::span<const outcome> expected, const options& settings,
              std::optional<failure>& found) {
  rank_run r(p, expected, settings);
  try {
    found = r.run();
  } catch (...) {
    found = r.found();
    throw;
  }
}

}  // namespace tessera::fuzz
