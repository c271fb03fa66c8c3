#include "tessera/kernel/build/disk_cache.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/temporary_directory.h"

using namespace tessera;
using kernels::disk_cache;
using support::scoped_variable;
using support::temporary_directory;

namespace {

std::vector<std::byte> bytes(const std::string& text) {
  const auto view = std::as_bytes(std::span(text.data(), text.size()));
  return {view.begin(), view.end()};
}

const digest key = sha256_of("some source");
const digest other_key = sha256_of("other source");

mode_t mode_of(const std::string& path) {
  struct stat found {};
  REQUIRE(::lstat(path.c_str(), &found) == 0);
  return found.st_mode & 07777;
}

bool refused(const std::string& directory, const std::string& reason) {
  disk_cache cache(directory);
  CHECK_FALSE(cache.enabled());
  CHECK(cache.reason().find(reason) != std::string::npos);
  CHECK(cache.reason().find(directory) != std::string::npos);
  cache.store(key, bytes("lost"));
  return !cache.find(key).has_value();
}

}  // namespace

TEST_CASE("what was stored is found again, also by another cache object") {
  const temporary_directory place;
  disk_cache cache(place / "cache");
  CHECK(cache.enabled());
  CHECK(cache.reason().empty());
  CHECK_FALSE(cache.find(key).has_value());
  cache.store(key, bytes("library"));
  cache.store(other_key, {});
  CHECK(disk_cache(place / "cache").find(key) == bytes("library"));
  CHECK(cache.find(other_key) == bytes(""));
  cache.store(key, bytes("newer"));
  CHECK(cache.find(key) == bytes("newer"));
}

TEST_CASE("directory and entries are closed to others whatever the umask") {
  const temporary_directory place;
  const mode_t old = ::umask(0);
  disk_cache cache(place / "a/b/cache");
  cache.store(key, bytes("library"));
  ::umask(old);
  CHECK(mode_of(place / "a/b/cache") == 0700);
  CHECK(mode_of(place / ("a/b/cache/" + to_string(key))) == 0600);
}

TEST_CASE("an entry is claimed by one at a time, until the claim or its process ends") {
  const temporary_directory place;
  disk_cache cache(place / "cache"), other(place / "cache");
  CHECK_FALSE(cache.is_claimed(key));
  {
    const file_descriptor mine = cache.claim(key);
    CHECK(mine);
    CHECK_FALSE(other.claim(key));
    CHECK(other.is_claimed(key));
    CHECK_FALSE(other.is_claimed(other_key));
    CHECK(other.claim(other_key));
    other.store(key, bytes("library"));  // a claim does not keep others from storing
    CHECK(cache.find(key) == bytes("library"));
  }
  CHECK_FALSE(other.is_claimed(key));
  std::array<int, 2> told{};
  REQUIRE(::pipe(told.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    disk_cache theirs(place / "cache");
    const file_descriptor claim = theirs.claim(key);
    if (::write(told[1], claim ? "y" : "n", 1) == 1) ::pause();
    ::_exit(0);
  }
  char answer = 0;
  CHECK(::read(told[0], &answer, 1) == 1);
  CHECK(answer == 'y');
  CHECK(cache.is_claimed(key));
  CHECK_FALSE(cache.claim(key));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK(cache.claim(key));
  for (const int end : told) ::close(end);
}

TEST_CASE("a place without locks has no claims and works without") {
  const temporary_directory place;
  disk_cache cache(place / "cache");
  std::filesystem::create_directory(place / "cache/.claims");
  CHECK_FALSE(cache.claim(key));
  CHECK_FALSE(cache.is_claimed(key));
  cache.store(key, bytes("library"));
  CHECK(cache.find(key) == bytes("library"));
}

TEST_CASE("the default place follows the environment") {
  const temporary_directory place;
  const scoped_variable home("HOME", place / "home");
  {
    const scoped_variable cache("XDG_CACHE_HOME", place / "xdg");
    CHECK(kernels::default_cache_directory() == place / "xdg/tessera");
  }
  const scoped_variable relative("XDG_CACHE_HOME", "relative");
  CHECK(kernels::default_cache_directory() == place / "home/.cache/tessera");
  disk_cache cache;
  CHECK(cache.enabled());
  CHECK(std::filesystem::is_directory(place / "home/.cache/tessera"));
}

TEST_CASE("a directory that others may write, or a link to one's own, is refused") {
  const temporary_directory place;
  std::filesystem::create_directory(place / "open");
  ::chmod((place / "open").c_str(), 0777);
  CHECK(refused(place / "open", "others may write"));
  ::chmod((place / "open").c_str(), 0770);
  CHECK(refused(place / "open", "others may write"));
  std::filesystem::create_directory(place / "good");
  std::filesystem::create_directory_symlink(place / "good", place / "link");
  CHECK(refused(place / "link", "symbolic link"));
  CHECK_FALSE(disk_cache(place / "link/").enabled());
  place.write("file", "text");
  CHECK(refused(place / "file", "not a directory"));
  CHECK(std::filesystem::is_empty(place / "good"));
}

TEST_CASE("another user's directory is refused") {
  const temporary_directory place;
  std::string theirs = "/usr";
  if (::geteuid() == 0) {
    theirs = place / "theirs";
    std::filesystem::create_directory(theirs);
    REQUIRE(::chown(theirs.c_str(), 65534, 65534) == 0);
  }
  CHECK(refused(theirs, "another user"));
}

TEST_CASE("a damaged or foreign entry is not found and is removed") {
  const temporary_directory place;
  disk_cache cache(place / "cache");
  cache.store(key, bytes("the library"));
  const std::string entry = place / ("cache/" + to_string(key));
  const std::string good = place.read("cache/" + to_string(key));
  std::filesystem::remove(entry);

  SUBCASE("poisoned") {
    std::string bad = good;
    bad.back() ^= 1;
    place.write("cache/" + to_string(key), bad);
  }
  SUBCASE("poisoned header") {
    std::string bad = good;
    bad[3] ^= 1;
    place.write("cache/" + to_string(key), bad);
  }
  SUBCASE("truncated") { place.write("cache/" + to_string(key), good.substr(0, good.size() - 1)); }
  SUBCASE("truncated within the header") { place.write("cache/" + to_string(key), good.substr(0, 10)); }
  SUBCASE("empty") { place.write("cache/" + to_string(key), ""); }
  SUBCASE("longer") { place.write("cache/" + to_string(key), good + "x"); }
  SUBCASE("huge length") {
    std::string bad = good;
    bad.replace(16, 8, 8, '\x7f');
    place.write("cache/" + to_string(key), bad);
  }
  SUBCASE("swapped with another") {
    cache.store(other_key, bytes("another library"));
    std::filesystem::rename(place / ("cache/" + to_string(other_key)), entry);
  }
  SUBCASE("hard link") {
    const std::string file = place.write("outside", good);
    std::filesystem::create_hard_link(file, entry);
  }
  SUBCASE("symbolic link") {
    const std::string file = place.write("outside", good);
    std::filesystem::create_symlink(file, entry);
  }
  SUBCASE("writable by others") { place.write("cache/" + to_string(key), good, 0666); }
  SUBCASE("a pipe") { REQUIRE(::mkfifo(entry.c_str(), 0600) == 0); }
  SUBCASE("another user's") {
    place.write("cache/" + to_string(key), good);
    if (::geteuid() == 0) {
      REQUIRE(::chown(entry.c_str(), 65534, 65534) == 0);
    } else {
      std::filesystem::remove(entry);
    }
  }

  CHECK_FALSE(cache.find(key).has_value());
  CHECK_FALSE(std::filesystem::exists(std::filesystem::symlink_status(entry)));
  cache.store(key, bytes("again"));
  CHECK(cache.find(key) == bytes("again"));
}

TEST_CASE("the same bytes as stored are accepted when put back") {
  const temporary_directory place;
  disk_cache cache(place / "cache");
  cache.store(key, bytes("the library"));
  const std::string good = place.read("cache/" + to_string(key));
  std::filesystem::remove(place / ("cache/" + to_string(key)));
  place.write("cache/" + to_string(key), good);
  CHECK(cache.find(key) == bytes("the library"));
}

TEST_CASE("eight writers of one entry never show a reader anything but a whole one") {
  const temporary_directory place;
  constexpr int rounds = 60;
  std::atomic<int> wrong{0}, seen{0};
  std::atomic<bool> writing{true};
  std::vector<std::thread> threads;
  for (int w = 0; w < 8; ++w)
    threads.emplace_back([&, w] {
      disk_cache cache(place / "cache");
      for (int i = 0; i < rounds; ++i) cache.store(key, std::vector(5000, static_cast<std::byte>(w)));
    });
  std::thread reader([&] {
    disk_cache cache(place / "cache");
    while (writing) {
      const auto found = cache.find(key);
      if (!found) continue;
      ++seen;
      if (found->size() != 5000 || *found != std::vector(5000, found->front())) ++wrong;
    }
  });
  for (std::thread& thread : threads) thread.join();
  disk_cache cache(place / "cache");
  CHECK(cache.find(key).has_value());
  writing = false;
  reader.join();
  CHECK(seen > 0);
  CHECK(wrong == 0);
  CHECK(std::distance(std::filesystem::directory_iterator(place / "cache"), {}) == 1);
}

TEST_CASE("entries unused for longest make room for new ones, and leavings of dead writers go") {
  const temporary_directory place;
  using file_clock = std::filesystem::file_time_type::clock;
  const std::vector<std::byte> content(1000);
  {
    disk_cache cache(place / "cache");
    for (int i = 0; i < 10; ++i) {
      cache.store(sha256_of(std::to_string(i)), content);
      std::filesystem::last_write_time(place / ("cache/" + to_string(sha256_of(std::to_string(i)))),
                                       file_clock::now() - std::chrono::hours{20 - i});
    }
    CHECK(cache.find(sha256_of("0")).has_value());  // counts as a use
    place.write("cache/.new-1-1", "half");
    std::filesystem::last_write_time(place / "cache/.new-1-1", file_clock::now() - std::chrono::hours{2});
    place.write("cache/.new-2-2", "under way");
  }
  disk_cache cache(place / "cache", 8000);
  cache.store(sha256_of("new"), content);
  CHECK(cache.find(sha256_of("new")).has_value());
  CHECK(cache.find(sha256_of("0")).has_value());
  CHECK(cache.find(sha256_of("9")).has_value());
  CHECK_FALSE(cache.find(sha256_of("1")).has_value());
  CHECK_FALSE(std::filesystem::exists(place / "cache/.new-1-1"));
  CHECK(std::filesystem::exists(place / "cache/.new-2-2"));
}

TEST_CASE("a hit on a small library takes less than a millisecond") {
  const temporary_directory place;
  disk_cache cache(place / "cache");
  cache.store(key, std::vector<std::byte>(20'000, std::byte{5}));
  auto best = std::chrono::nanoseconds::max();
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(cache.find(key).has_value());
    best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - start);
  }
  MESSAGE("best hit: ", static_cast<double>(best.count()) / 1000, " us");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(best < std::chrono::milliseconds{1});
#endif
}
