#include "tessera/kernel/build/compile_service.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "tessera/base/error.h"
#include "tests/kernel/compiling_backend.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using device::source_desc;
using kernels::compile_service;
using kernels::disk_cache;
using kernels::module_request;
using support::compiling_backend;
using support::fake_backend;
using support::real_backend;
using support::temporary_directory;

namespace {

source_desc text(std::string source) { return {std::move(source), {}, {}}; }

std::string message(const module_request& request) {
  request.finished().wait();
  try {
    (void)request.function();
  } catch (const compile_error& e) {
    return e.what();
  }
  return {};
}

/// The one that `to_string` turns into `hex`.
digest digest_of(const std::string& hex) {
  digest result;
  REQUIRE(hex.size() == 2 * result.bytes.size());
  for (std::size_t k = 0; k < result.bytes.size(); ++k)
    result.bytes[k] = static_cast<std::uint8_t>(std::stoi(hex.substr(2 * k, 2), nullptr, 16));
  return result;
}

const source_desc real_source{
    "extern \"C\" void nothing(const void*) {}", {}, {"-std=c++20", "-O2", "-fPIC", "-shared", "-nostdlib"}};

}  // namespace

TEST_CASE("a request returns before the compiler ends, and its event says when it has") {
  fake_backend backend;
  backend.hold();
  compile_service service(backend, std::nullopt);
  const auto request = service.request(0, text("kernel"), "main");
  backend.await_compilers(1);
  CHECK_FALSE(request->ready());
  CHECK_FALSE(request->finished().done());
  backend.release();
  request->finished().wait();
  CHECK(request->ready());
  CHECK(request->failure() == nullptr);
  CHECK(request->module() == 1);
  CHECK(request->function() == 104);
  CHECK_FALSE(backend.compiled_on(std::this_thread::get_id()));
}

TEST_CASE("a thousand requests of one source from several threads compile once") {
  fake_backend backend;
  compile_service service(backend, std::nullopt);
  std::vector<std::shared_ptr<module_request>> all(1000);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < all.size(); i += 4) all[i] = service.request(0, text("kernel"), "main");
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& request : all) {
    CHECK(request == all.front());
    request->finished().wait();
  }
  CHECK(backend.compiled == 1);
  const auto counted = service.counters();
  CHECK(counted.requests == 1000);
  CHECK(counted.compiled == 1);
  CHECK(counted.memory_hits == 999);
}

TEST_CASE("devices of one kind and functions of one source share a binary; kinds do not") {
  fake_backend backend;
  compile_service service(backend, std::nullopt);
  const auto a = service.request(0, text("kernel"), "f"), b = service.request(1, text("kernel"), "f"),
             c = service.request(0, text("kernel"), "gg");
  for (const auto& request : {a, b, c}) request->finished().wait();
  CHECK(backend.compiled == 1);
  CHECK(a->module() == c->module());
  CHECK(a->module() != b->module());
  CHECK(a->function() != c->function());
  service.request(2, text("kernel"), "f")->finished().wait();
  CHECK(backend.compiled == 2);
}

TEST_CASE("text, flags and header contents make different binaries") {
  const temporary_directory place;
  fake_backend backend;
  compile_service service(backend, std::nullopt);
  std::vector<std::shared_ptr<module_request>> held;
  const auto compiles = [&](const source_desc& source) {
    const int before = backend.compiled;
    held.push_back(service.request(0, source, "main"));
    held.back()->finished().wait();
    return backend.compiled - before;
  };
  source_desc source = text("  #  include \"outer.h\"\nkernel");
  source.include_paths = {place.path().string()};
  CHECK(compiles(source) == 1);
  CHECK(compiles(source) == 0);
  source.text += " ";
  CHECK(compiles(source) == 1);
  source.flags = {"-O1"};
  CHECK(compiles(source) == 1);
  place.write("outer.h", "#include <inner.h>\n");
  CHECK(compiles(source) == 1);
  place.write("inner.h", "#include \"outer.h\"\nint a;");  // a cycle ends
  CHECK(compiles(source) == 1);
  CHECK(compiles(source) == 0);
  place.write("inner.h", "#include \"outer.h\"\nint b;");
  CHECK(compiles(source) == 1);
  place.write("unrelated.h", "int c;");
  CHECK(compiles(source) == 0);
}

TEST_CASE("a failure is given to all callers that asked, and asking again does not compile again") {
  fake_backend backend;
  backend.hold();
  compile_service service(backend, std::nullopt);
  const auto a = service.request(0, text("wrong"), "f"), b = service.request(1, text("wrong"), "f"),
             c = service.request(0, text("wrong"), "g");
  backend.release();
  for (const auto& request : {a, b, c, service.request(0, text("wrong"), "f")}) {
    CHECK(message(*request) == "line 1: wrong");
    CHECK(request->failure() != nullptr);
    CHECK_THROWS_AS((void)request->module(), compile_error);
  }
  CHECK(backend.compiled == 1);
  CHECK(message(*service.request(0, text("right"), "f")).empty());
}

TEST_CASE("a function that the source lacks fails alone") {
  fake_backend backend;
  compile_service service(backend, std::nullopt);
  const auto absent = service.request(0, text("kernel"), "absent");
  CHECK(message(*absent) == "no function 'absent'");
  CHECK(message(*service.request(0, text("kernel"), "present")).empty());
  CHECK(backend.compiled == 1);
}

TEST_CASE("what is no longer held is unloaded, and compiled anew when it is asked for again") {
  fake_backend backend;
  compile_service service(backend, std::nullopt);
  auto a = service.request(0, text("kernel"), "f"), b = service.request(1, text("kernel"), "f");
  for (const auto& request : {a, b}) request->finished().wait();
  a.reset();
  while (backend.unloaded == 0) std::this_thread::yield();  // the compiler's thread may be the last to let go
  CHECK(message(*service.request(0, text("kernel"), "f")).empty());
  CHECK(backend.compiled == 1);  // b holds the binary
  b.reset();
  while (backend.unloaded < 3) std::this_thread::yield();
  CHECK(message(*service.request(0, text("kernel"), "f")).empty());
  CHECK(backend.compiled == 2);
}

TEST_CASE("requests without end leave nothing behind") {
  fake_backend backend;
  compile_service service(backend, std::nullopt);
  for (int i = 0; i < 2000; ++i) CHECK(message(*service.request(0, text("kernel " + std::to_string(i)), "f")).empty());
  CHECK(service.remembered() < 300);
}

TEST_CASE("a compiler whose identity cannot be told fails the request") {
  class broken final : public compiling_backend {
    std::vector<std::byte> compile(int, const source_desc&) override { return {}; }
    std::string compiler_identity(int) override { throw compile_error("install g++"); }
    device::module_id load(int, std::span<const std::byte>) override { return 0; }
    void unload(device::module_id) noexcept override {}
    device::function_id find(device::module_id, const std::string&) override { return 0; }
    const void* symbol(device::module_id, const std::string&) override { return nullptr; }
  } backend;
  compile_service service(backend, std::nullopt);
  CHECK(message(*service.request(0, text("kernel"), "f")) == "install g++");
}

TEST_CASE("the end of the service fails what has not begun and waits for what has") {
  fake_backend backend;
  backend.hold();
  std::vector<std::shared_ptr<module_request>> all;
  auto service = std::make_unique<compile_service>(backend, std::nullopt);
  for (int i = 0; i < 10; ++i) all.push_back(service->request(0, text("kernel " + std::to_string(i)), "f"));
  backend.await_compilers(2);
  std::thread end([&] { service.reset(); });
  for (std::size_t i = 2; i < all.size(); ++i) CHECK(message(*all[i]).find("context ended") != std::string::npos);
  CHECK_FALSE(all[0]->ready());
  backend.release();
  end.join();
  CHECK(message(*all[0]).empty());
  CHECK(message(*all[1]).empty());
  CHECK(backend.compiled == 2);
}

TEST_CASE("a service that was never asked starts and ends") {
  fake_backend backend;
  const compile_service service(backend, std::nullopt);
  CHECK(service.counters().requests == 0);
}

TEST_CASE("a second service takes the binary from disk unless something changed") {
  const temporary_directory place;
  fake_backend backend;
  const auto run = [&](const source_desc& source) {
    compile_service service(backend, disk_cache(place / "cache"));
    CHECK(message(*service.request(0, source, "f")).empty());
    return service.counters();
  };
  CHECK(run(text("kernel")).compiled == 1);
  const auto second = run(text("kernel"));
  CHECK(second.compiled == 0);
  CHECK(second.disk_hits == 1);
  CHECK(run(text("other")).compiled == 1);
  backend.identity = "compiler 2";
  CHECK(run(text("kernel")).compiled == 1);
}

TEST_CASE("a source whose includes cannot be followed is not taken from disk") {
  const temporary_directory place;
  fake_backend backend;
  for (int i = 0; i < 2; ++i) {
    compile_service service(backend, disk_cache(place / "cache"));
    CHECK(message(*service.request(0, text("#include CHOSEN\nkernel"), "f")).empty());
    CHECK(service.counters().compiled == 1);
  }
}

TEST_CASE("failures are not kept on disk") {
  const temporary_directory place;
  fake_backend backend;
  for (int i = 0; i < 2; ++i) {
    compile_service service(backend, disk_cache(place / "cache"));
    CHECK_FALSE(message(*service.request(0, text("wrong"), "f")).empty());
    CHECK(service.counters().compiled == 1);
  }
  for (const auto& file : std::filesystem::directory_iterator(place / "cache"))
    CHECK(file.path().filename() == ".claims");
}

TEST_CASE("of services that share a cache one compiles, and the others wait for it") {
  const temporary_directory place;
  fake_backend backend, others;
  backend.hold();
  compile_service service(backend, disk_cache(place / "cache"));
  const auto first = service.request(0, text("kernel"), "f");
  backend.await_compilers(1);
  compile_service second(others, disk_cache(place / "cache")), third(others, disk_cache(place / "cache"));
  const std::vector requests{second.request(0, text("kernel"), "f"), third.request(0, text("kernel"), "f")};
  CHECK(message(*third.request(0, text("another kernel"), "f")).empty());  // does not wait for that one
  CHECK(others.compiled == 1);
  for (const auto& request : requests) CHECK_FALSE(request->ready());
  backend.release();
  for (const auto& request : requests) CHECK(message(*request).empty());
  CHECK(message(*first).empty());
  CHECK(backend.compiled == 1);
  CHECK(others.compiled == 1);
  CHECK(second.counters().disk_hits == 1);
}

TEST_CASE("what one service cannot compile is compiled by all who waited for it, to tell why") {
  const temporary_directory place;
  fake_backend backend, others;
  backend.hold();
  compile_service service(backend, disk_cache(place / "cache")), second(others, disk_cache(place / "cache"));
  const auto first = service.request(0, text("wrong"), "f");
  backend.await_compilers(1);
  const auto waiting = second.request(0, text("wrong"), "f");
  backend.release();
  CHECK(message(*first) == "line 1: wrong");
  CHECK(message(*waiting) == "line 1: wrong");
}

TEST_CASE("a service that waits for another one's compiler can end") {
  const temporary_directory place;
  disk_cache cache(place / "cache");
  fake_backend backend;
  const auto compile = [&](compile_service& service) { return service.request(0, text("kernel"), "f"); };
  {
    compile_service service(backend, disk_cache(place / "cache"));
    CHECK(message(*compile(service)).empty());
  }
  std::string key;
  for (const auto& file : std::filesystem::directory_iterator(place / "cache"))
    if (file.path().filename() != ".claims") key = file.path().filename();
  std::filesystem::remove(place / ("cache/" + key));
  const file_descriptor elsewhere = cache.claim(digest_of(key));
  REQUIRE(elsewhere);
  std::shared_ptr<module_request> waiting;
  {
    compile_service service(backend, disk_cache(place / "cache"));
    waiting = compile(service);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK_FALSE(waiting->ready());
  }
  CHECK(waiting->ready());
}

TEST_CASE("real source becomes a function, its errors become compile errors") {
  real_backend backend;
  compile_service service(backend, std::nullopt);
  const auto good = service.request(0, real_source, "nothing");
  source_desc broken = real_source;
  broken.text = "#line 7 \"wave.cu\"\nint a = nonsense;";
  CHECK(message(*service.request(0, broken, "nothing")).find("wave.cu:7") != std::string::npos);
  CHECK(message(*good).empty());
  CHECK((backend.modules.entry(good->function()) != nullptr));
  CHECK(service.counters().compile_milliseconds > 0);
}

TEST_CASE("helper of another test: one compile with the cache named in the environment" * doctest::skip()) {
  const char* directory = std::getenv("TESSERA_TEST_CACHE");
  REQUIRE(directory != nullptr);
  real_backend backend;
  compile_service service(backend, disk_cache(directory));
  CHECK(message(*service.request(0, real_source, "nothing")).empty());
  CHECK(service.counters().disk_hits == (std::getenv("TESSERA_TEST_WARM") != nullptr ? 1 : 0));
}

TEST_CASE("a second process takes the library from disk") {
  const temporary_directory place;
  std::string program(4096, '\0');
  const ssize_t length = ::readlink("/proc/self/exe", program.data(), program.size());
  REQUIRE(length > 0);
  program.resize(static_cast<std::size_t>(length));
  const support::scoped_variable cache("TESSERA_TEST_CACHE", place / "cache");
  const std::string command = "'" + program + "' --no-skip --test-case='helper of another test*' > /dev/null";
  CHECK(std::system(command.c_str()) == 0);
  const support::scoped_variable warm("TESSERA_TEST_WARM", "1");
  CHECK(std::system(command.c_str()) == 0);
}
