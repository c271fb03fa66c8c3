#include "tessera/array/split.h"

#include "tessera/array/array.h"

namespace tessera {

split::split(const tiled& parts) {
  spec_.form = plan::split_spec::kind::blocks;
  spec_.blocks = parts.tile();
}

split whole() {
  split s;
  s.spec_.form = plan::split_spec::kind::whole;
  return s;
}

split like(const array_base& a) {
  split s;
  s.spec_.form = plan::split_spec::kind::like;
  s.followed_ = a.record();
  return s;
}

split on(int device) {
  split s;
  s.spec_.form = plan::split_spec::kind::on_device;
  s.spec_.device = device;
  return s;
}

split parts(std::vector<slab> slabs, int axis) {
  split s;
  s.spec_.form = plan::split_spec::kind::slabs;
  s.spec_.slabs = std::move(slabs);
  s.spec_.axis = axis;
  return s;
}

namespace {

std::optional<int>& device_of_thread() {
  thread_local std::optional<int> device;
  return device;
}

}  // namespace

device_scope::device_scope(int device) : outer_(device_of_thread()) { device_of_thread() = device; }
device_scope::~device_scope() { device_of_thread() = outer_; }
std::optional<int> device_scope::current() { return device_of_thread(); }

}  // namespace tessera
