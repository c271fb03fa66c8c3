#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/base/call_site.h"
#include "tessera/base/dtype.h"
#include "tessera/kernel/analysis/variables.h"
#include "tessera/runtime/kernel_library.h"
#include "tessera/runtime/launch_request.h"

namespace tessera::runtime {

class engine;
struct engine_state;

/// The contents of the `__constant__` and `__device__` variables of kernel files (rule H34). Kernels of one text share
/// them, whatever their compiled variants. What was set or changed is an array of one element, and launches of kernels
/// that use the variable have it as one more argument: order, copies, ranks and memory are those of arrays. Setting
/// makes a new array, so that launches under way keep theirs. What was neither set nor changed is as the compiled
/// modules have it, and costs nothing. Contents stay until the engine ends. Thread-safe.
class file_variables {
 public:
  /// Both outlive it.
  file_variables(engine& owner, engine_state& state) : owner_(owner), state_(state) {}

  using record_ptr = std::shared_ptr<const array_record>;

  /// Whether what a launch needs may be made: not while one is only rehearsed.
  enum class demand : bool { look, make };
  /// Adds the variables that the kernel uses to the arrays and accesses of `request`. Gives the records, to be held
  /// until the launch is submitted. Throws `argument_error` for a constant that nothing set.
  std::vector<record_ptr> attach(launch_request& request, demand wanted);

  /// The variable of the kernel's file that `name` means, with or without its namespaces. Throws `argument_error`.
  [[nodiscard]] static const kernels::file_variable& find(const kernel_entry& kernel, std::string_view name,
                                                          call_site site);

  /// Replaces all contents; `type` is that of one element of what is given. Returns at once, except where only a
  /// compiled module knows how large the variable is.
  void set(const kernel_entry& kernel, std::string_view name, std::span<const std::byte> value, const dtype& type,
           call_site site);
  /// The contents behind all that was asked for before; waits for them.
  [[nodiscard]] std::vector<std::byte> get(const kernel_entry& kernel, std::string_view name, const dtype& type,
                                           call_site site);

 private:
  using key = std::pair<std::uint64_t, std::string>;  // file, variable

  [[nodiscard]] record_ptr contents_of(const kernel_entry& kernel, const std::string& name);
  /// The contents that the variable begins with, as an array from now on.
  record_ptr begin(const kernel_entry& kernel, const kernels::file_variable& v, call_site site);
  record_ptr make_array(const kernels::file_variable& v, std::int64_t bytes, call_site site);
  /// A kernel that copies the variable to its argument.
  [[nodiscard]] std::shared_ptr<const kernel_entry> reader_of(const kernel_entry& kernel,
                                                              const kernels::file_variable& v);
  [[nodiscard]] std::int64_t bytes_of(const kernel_entry& kernel, const kernels::file_variable& v);
  /// Refuses elements of `type`, so many bytes of them, for the variable; `call` is what messages begin with.
  void check_type(const kernel_entry& kernel, const kernels::file_variable& v, std::int64_t bytes, const dtype& type,
                  const std::string& call);

  engine& owner_;
  engine_state& state_;
  std::mutex beginning_;  // of contents by launches: one makes them
  std::mutex mutex_;
  std::map<key, record_ptr> contents_;
  std::map<key, std::int64_t> sizes_;  // that modules told
};

/// Throws `argument_error` if the launch changes variables of its file although it has several superblocks.
void refuse_split_changes(const launch_request& request, const plan::launch_task& task);

}  // namespace tessera::runtime
