#include "tessera/algo/exec/kernel_cache.h"

#include <memory>
#include <mutex>

#include "tessera/base/containers/recent_map.h"

namespace tessera::algo {
namespace {

constexpr std::size_t most_kernels = 2048;

/// Does not keep the engine: a context ends when the program drops it.
struct cached {
  std::weak_ptr<runtime::engine> engine;  // an address may be used again
  std::shared_ptr<const runtime::kernel_entry> entry;
};

}  // namespace

kernel cached_kernel(const context& ctx, const std::string& key, const std::function<kernel_text()>& make) {
  using cache_key = std::pair<const runtime::engine*, std::string>;
  static std::mutex mutex;
  static recent_map<cache_key, cached> kernels(most_kernels);
  const cache_key full(ctx.engine().get(), key);
  const std::lock_guard lock(mutex);
  cached* found = kernels.find(full);
  if (found != nullptr && found->engine.lock() == ctx.engine()) return {ctx.engine(), found->entry};
  const kernel_text text = make();
  kernel_options options;
  options.annotation = text.annotation;
  options.cpu_source = text.cpu_text;
  kernel made = context(ctx).compile(text.text, text.name, options);
  if (found != nullptr)
    *found = {ctx.engine(), made.entry()};
  else
    static_cast<void>(kernels.insert(full, {ctx.engine(), made.entry()}));
  return made;
}

}  // namespace tessera::algo
