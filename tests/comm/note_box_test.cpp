#include "tessera/comm/note_box.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

namespace tessera::comm {
namespace {

std::string text_of(std::span<const std::byte> note) {
  return {reinterpret_cast<const char*>(note.data()), note.size()};
}
std::span<const std::byte> note_of(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

TEST_CASE("notes wait for a listener, and reach it in the order in which they came") {
  note_box box;
  std::string heard;
  box.deliver(node_id(1), note_of("a"));
  box.deliver(node_id(2), note_of("b"));
  box.listen(
      [&](node_id from, std::span<const std::byte> note) { heard += std::to_string(from.value) + text_of(note); });
  CHECK(heard == "1a2b");
  box.deliver(node_id(1), note_of("c"));
  CHECK(heard == "1a2b1c");
}

TEST_CASE("a note that a listener causes comes behind those that wait") {
  note_box box;
  std::string heard;
  box.deliver(node_id(1), note_of("a"));
  box.deliver(node_id(1), note_of("b"));
  box.listen([&](node_id, std::span<const std::byte> note) {
    heard += text_of(note);
    if (text_of(note) == "a") box.deliver(node_id(0), note_of("c"));
  });
  CHECK(heard == "abc");
}

TEST_CASE("removing a listener waits for the call that it is in") {
  note_box box;
  std::atomic<bool> inside{false}, ended{false};
  box.listen([&](node_id, std::span<const std::byte>) {
    inside = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ended = true;
  });
  std::thread other([&] { box.deliver(node_id(1), {}); });
  while (!inside) std::this_thread::yield();
  box.listen(nullptr);
  CHECK(ended);
  other.join();
}

}  // namespace tessera::comm
