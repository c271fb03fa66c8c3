#pragma once

/// Defects planted on purpose, to prove that the fuzzer finds such things. They exist only in builds with
/// TESSERA_PLANT_DEFECTS, where TESSERA_DEFECT names the one that is active; elsewhere they cost nothing.
/// docs/testing.md lists them with the number of programs after which each was found.
namespace tessera {

#ifdef TESSERA_PLANT_DEFECTS
/// True if the defect `name` is active in this process.
[[nodiscard]] bool planted(const char* name);
#else
[[nodiscard]] constexpr bool planted(const char*) { return false; }
#endif

}  // namespace tessera
