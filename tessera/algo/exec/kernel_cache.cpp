#include "tessera/algo/exec/kernel_cache.h"

#include <mutex>
#include <utility>

#include "tessera/algo/embedded_text.h"
#include "tessera/algo/function/host.h"
#include "tessera/base/containers/recent_map.h"
#include "tessera/base/text.h"
#include "tessera/runtime/through_host.h"

namespace tessera::algo {
namespace {

gpu_texts_on_cpus*& scope_of_thread() {
  thread_local gpu_texts_on_cpus* scope = nullptr;
  return scope;
}

kernel compiled(context ctx, kernel_text text) {
  if (text.host) return ctx.native(text.name, text.parameters, text.annotation, everywhere(text.host));
  kernel_options options;
  options.annotation = text.annotation;
  options.cpu_source = text.cpu_text;
  if (gpu_texts_on_cpus* const scope = scope_of_thread()) {
    options.cpu_source.clear();
    scope->made.push_back(text);
  }
  return ctx.compile(text.text, text.name, options);
}

}  // namespace

struct kernel_cache::state {
  struct cached {
    std::weak_ptr<runtime::engine> engine;  // an address may be used again
    std::shared_ptr<const runtime::kernel_entry> entry;
  };
  static constexpr std::size_t most_kernels = 2048;
  std::mutex mutex;
  recent_map<std::pair<const runtime::engine*, std::string>, cached> kernels{most_kernels};
};

kernel_cache::kernel_cache() : state_(std::make_unique<state>()) {}
kernel_cache::~kernel_cache() = default;

kernel kernel_cache::find(const context& ctx, const std::string& key, const std::function<kernel_text()>& make) {
  const std::pair<const runtime::engine*, std::string> full(ctx.engine().get(), key);
  const std::lock_guard lock(state_->mutex);
  state::cached* found = state_->kernels.find(full);
  if (found != nullptr && found->engine.lock() == ctx.engine()) return {ctx.engine(), found->entry};
  kernel made = compiled(ctx, make());
  if (found != nullptr)
    *found = {ctx.engine(), made.entry()};
  else
    static_cast<void>(state_->kernels.insert(full, {ctx.engine(), made.entry()}));
  return made;
}

kernel cached_kernel(const context& ctx, const std::string& key, const std::function<kernel_text()>& make) {
  static kernel_cache kernels;
  return kernels.find(ctx, key, make);
}

gpu_texts_on_cpus::gpu_texts_on_cpus() { scope_of_thread() = this; }
gpu_texts_on_cpus::~gpu_texts_on_cpus() { scope_of_thread() = nullptr; }

std::shared_ptr<kernel_cache> make_kernel_cache() { return std::make_shared<kernel_cache>(); }

const std::string& kernel_prelude(bool at_edge) {
  const auto with = [](std::string_view regions) {
    return cat(embedded_text("views.h"), regions, embedded_text("operators.h"), embedded_text("algorithms.h"),
               embedded_text("search.h"), "namespace ts = tessera;\n");
  };
  static const std::string inside = with(embedded_text("region.h")), edge = with(embedded_text("edge_region.h"));
  return at_edge ? edge : inside;
}

}  // namespace tessera::algo
