#include "tessera/device/cpu/jit/compiler.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "tessera/base/error.h"
#include "tessera/device/cpu/jit/contraction.h"
#include "tessera/device/cpu/jit/private_directory.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using device::compile_shared_object;
using device::compiler_settings;
using device::source_desc;
using support::scoped_variable;
using support::temporary_directory;

namespace {

const std::vector<std::string> library_flags{"-std=c++20", "-O2", "-fPIC", "-shared", "-nostdlib"};

source_desc source(std::string text) { return {std::move(text), {}, library_flags}; }

/// What compiling gives as an error; empty if it succeeds.
std::string failure(const source_desc& text, const compiler_settings& settings = {}) {
  try {
    (void)compile_shared_object(text, settings);
  } catch (const compile_error& e) {
    return e.what();
  }
  return {};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// True if the process with this number, as a line of text, ends soon (or is a zombie that was not reaped).
bool ends(std::string pid) {
  REQUIRE(pid.size() > 1);
  pid.pop_back();
  for (int i = 0; i < 300; ++i) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string number, name, state;
    if (!(file >> number >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

}  // namespace

TEST_CASE("products stay apart from sums where contraction is off, also where these alternate with differences") {
  const auto compiled = [](const char* contraction, const std::string& more) {
    return compile_shared_object(
        {"struct pair { float x, y; };\n"
         "extern \"C\" void multiply(long n, pair* __restrict z, const pair* x, const pair* y) {\n"
         "  for (long i = 0; i < n; ++i) {\n    const pair a = x[i], b = y[i];\n"
         "    z[i] = {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};\n" +
             more + "  }\n}",
         {},
         {"-std=c++20", "-O2", "-march=x86-64-v3", "-ftree-vectorize", contraction, "-fno-math-errno", "-fPIC",
          "-shared", "-nostdlib"}});
  };
#if defined(__x86_64__)
  const std::string own = "    z[i].x = __builtin_fmaf(z[i].x, a.x, b.x);\n";
  for (const std::string& more : {std::string(), own}) {
    CHECK_FALSE(device::fuses_in_turns(compiled("-ffp-contract=off", more)));
    CHECK_FALSE(device::calls_fma(compiled("-ffp-contract=off", more)));
  }
  if (holds(device::compiler_identity({}), "clang")) return;
  CHECK(device::fuses_in_turns(compiled("-ffp-contract=fast", "")));  // so the search finds what there is
#endif
}

TEST_CASE("source becomes a shared library") {
  const std::vector<std::byte> library =
      compile_shared_object(source("extern \"C\" int twice(int x) { return 2 * x; }"));
  REQUIRE(library.size() > 4);
  CHECK(std::string(reinterpret_cast<const char*>(library.data()), 4) ==
        "\x7f"
        "ELF");
}

TEST_CASE("a compile error carries the compiler's message with the user's line") {
  const std::string message = failure(source("#line 41 \"wave.cu\"\nint a;\nint b = undeclared_thing;\n"));
  CHECK(holds(message, "wave.cu:42"));
  CHECK(holds(message, "undeclared_thing"));
}

TEST_CASE("headers are found in include paths, also in relative ones and in names with blanks") {
  const temporary_directory place;
  std::filesystem::create_directory(place / "my headers");
  place.write("my headers/answer.h", "#define ANSWER 42\n");
  source_desc text = source("#include \"answer.h\"\nstatic_assert(ANSWER == 42);\n");
  CHECK(holds(failure(text), "answer.h"));
  text.include_paths = {place / "my headers"};
  CHECK(failure(text).empty());
  text.include_paths = {std::filesystem::relative(place / "my headers").string()};
  CHECK(failure(text).empty());
}

TEST_CASE("names with shell characters are only names") {
  const temporary_directory place;
  const std::string mark = place / "mark";
  source_desc text = source("int a;");
  for (const std::string& name : {";touch " + mark, "$(touch " + mark + ")", "`touch " + mark + "`", "|touch " + mark})
    text.include_paths.push_back(name), text.flags.push_back("-DNAME" + std::to_string(name.size()) + "=" + name);
  CHECK(failure(text).empty());
  CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("a missing compiler is an error that says what to do") {
  const std::string message = failure(source("int a;"), {.executable = "/nowhere/g++"});
  CHECK(holds(message, "/nowhere/g++"));
  CHECK(holds(message, "install g++ or set TESSERA_CXX"));
}

TEST_CASE("a compiler that is not a program is an error that says what to do") {
  const temporary_directory place;
  const std::string file = place.write("cc", "\x01\x02 not a program", 0700);
  CHECK(holds(failure(source("int a;"), {.executable = file}), "set TESSERA_CXX"));
}

TEST_CASE("a compiler that hangs is stopped with its children after the timeout") {
  const temporary_directory place;
  const std::string script = place.script("cc", "sleep 60 &\necho $! > " + (place / "pid") + "\necho busy\nwait");
  const auto start = std::chrono::steady_clock::now();
  const std::string message =
      failure(source("int a;"), {.executable = script, .timeout = std::chrono::milliseconds{300}});
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{10});
  CHECK(holds(message, "did not end within 300 ms"));
  CHECK(holds(message, "busy"));
  CHECK(ends(place.read("pid")));
}

TEST_CASE("processes that a compiler leaves behind are stopped when it ends") {
  const temporary_directory place;
  const std::string script = place.script("cc", "sleep 60 &\necho $! > " + (place / "pid") + "\nexit 1");
  const auto start = std::chrono::steady_clock::now();
  CHECK(holds(failure(source("int a;"), {.executable = script}), "status 1"));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds{10});
  CHECK(ends(place.read("pid")));
}

TEST_CASE("a compiler that is killed is reported with the signal") {
  const temporary_directory place;
  const std::string script = place.script("cc", "kill -9 $$");
  CHECK(holds(failure(source("int a;"), {.executable = script}), "killed by signal 9"));
}

TEST_CASE("of endless messages only the beginning is kept") {
  const temporary_directory place;
  const compiler_settings settings{.executable = place.script("cc", "echo first; exec yes endless"),
                                   .timeout = std::chrono::milliseconds{400},
                                   .max_messages = 5000};
  const std::string message = failure(source("int a;"), settings);
  CHECK(holds(message, "first\nendless"));
  CHECK(holds(message, "did not end"));
  CHECK(message.size() < 6000);
}

TEST_CASE("a compiler that prints much and ends is neither cut short nor kept whole") {
  const temporary_directory place;
  const std::string script = place.script("cc", "yes line | head -c 50000000\nexit 7");
  const std::string message = failure(source("int a;"), {.executable = script, .max_messages = 4096});
  CHECK(message.size() > 4096);
  CHECK(message.size() < 5000);
}

TEST_CASE("a compiler that makes nothing is an error") {
  const temporary_directory place;
  CHECK(holds(failure(source("int a;"), {.executable = place.script("cc", "exit 0")}), "made no library"));
  CHECK(holds(failure(source("int a;"), {.executable = place.script("cc", "exit 3")}), "status 3"));
}

TEST_CASE("a program that ignores the end of its children gets libraries and messages all the same") {
  const auto old = std::signal(SIGCHLD, SIG_IGN);
  CHECK(failure(source("int a;")).empty());
  CHECK(holds(failure(source("#line 5 \"wave.cu\"\nnonsense")), "wave.cu:5"));
  std::signal(SIGCHLD, old);
}

TEST_CASE("the compiler sees no variable that could redirect it") {
  const temporary_directory place;
  const scoped_variable cpath("CPATH", "/elsewhere"), prefix("GCC_EXEC_PREFIX", "/elsewhere"),
      library("LD_LIBRARY_PATH", "/elsewhere"), tools("COMPILER_PATH", "/elsewhere");
  const std::string message = failure(source("int a;"), {.executable = place.script("cc", "env; exit 1")});
  CHECK(holds(message, "PATH="));
  CHECK(holds(message, "LANG=C"));
  CHECK_FALSE(holds(message, "/elsewhere"));
}

TEST_CASE("the compiler sees none of this process's open files") {
  const temporary_directory place;
  const int secret = ::open((place / "secret").c_str(), O_CREAT | O_RDWR, 0600);  // inherited by default
  REQUIRE(secret >= 0);
  const std::string message =
      failure(source("int a;"), {.executable = place.script("cc", "ls -l /proc/self/fd; exit 1")});
  CHECK(holds(message, "->"));
  CHECK_FALSE(holds(message, "secret"));
  ::close(secret);
}

TEST_CASE("the compiler runs within limits") {
  const temporary_directory place;
  const std::string script = place.script("cc", "sleep 0.3; ulimit -v; ulimit -t; ulimit -c; exit 1");
  const std::string message =
      failure(source("int a;"),
              {.executable = script, .timeout = std::chrono::seconds{20}, .max_memory = std::int64_t{1} << 30});
  CHECK(holds(message, "1048576\n21\n0\n"));
  const std::string big = place.script("big", "sleep 0.3; head -c 10000000 /dev/zero > file; wc -c < file; exit 1");
  CHECK(holds(failure(source("int a;"), {.executable = big, .max_file = 1 << 20}), "1048576"));
}

TEST_CASE("nothing is left in the temporary folder, whatever happens") {
  const temporary_directory place, tools;
  const scoped_variable folder("TMPDIR", place.path().string());
  CHECK(failure(source("int a;")).empty());
  CHECK_FALSE(failure(source("nonsense")).empty());
  const std::string script = tools.script("cc", "touch left; mkdir more; touch more/file; sleep 60");
  CHECK_FALSE(failure(source("int a;"), {.executable = script, .timeout = std::chrono::milliseconds{200}}).empty());
  CHECK(place.entries() == 0);
}

TEST_CASE("the folder of a build is closed to others, and one that a dead process left is removed") {
  const temporary_directory place;
  const scoped_variable folder("TMPDIR", place.path().string());
  std::filesystem::create_directory(place / "tessera-build-dead01");
  place.write("tessera-build-dead01/module.so", "old");
  std::filesystem::create_directory(place / "tessera-build-live02");  // too young to be given up
  std::filesystem::last_write_time(place / "tessera-build-dead01",
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours{1});
  const device::private_directory directory;
  struct stat found {};
  REQUIRE(::stat(directory.path().c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0700);
  CHECK_FALSE(std::filesystem::exists(place / "tessera-build-dead01"));
  CHECK(std::filesystem::exists(place / "tessera-build-live02"));
}

TEST_CASE("no place for temporary files is an error that names the variable") {
  const scoped_variable folder("TMPDIR", "/nowhere/at/all");
  CHECK(holds(failure(source("int a;")), "set TMPDIR"));
}

TEST_CASE("several threads may compile at once") {
  std::vector<std::string> messages(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < messages.size(); ++i)
    threads.emplace_back([&messages, i] { messages[i] = failure(source("int a" + std::to_string(i) + ";")); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& message : messages) CHECK(message.empty());
}

TEST_CASE("the identity tells compilers apart and stays the same") {
  const temporary_directory place;
  const std::string one = place.script("one", "echo tool 1.0; echo more"), two = place.script("two", "echo tool 2.0");
  const std::string identity = device::compiler_identity({.executable = one});
  CHECK(holds(identity, one));
  CHECK(holds(identity, "tool 1.0\n"));
  CHECK_FALSE(holds(identity, "more"));
  CHECK(identity == device::compiler_identity({.executable = one}));
  CHECK(identity != device::compiler_identity({.executable = two}));
  CHECK(device::compiler_identity() == device::compiler_identity());
  CHECK_THROWS_AS((void)device::compiler_identity({.executable = "/nowhere/g++"}), compile_error);
}
