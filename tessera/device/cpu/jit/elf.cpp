#include "tessera/device/cpu/jit/elf.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace tessera::device {
namespace {

template <class T>
std::optional<T> read_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string_view text_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const auto* first = reinterpret_cast<const char*>(bytes.data() + offset);
  return {first, ::strnlen(first, bytes.size() - offset)};
}

/// Writable while loading only, or never used as variables: tables of the loader.
bool is_loader_table(std::string_view name) {
  for (const std::string_view prefix : {".data.rel.ro", ".got", ".dynamic", ".init_array", ".fini_array", ".eh_frame"})
    if (name.starts_with(prefix)) return true;
  return false;
}

/// The entries of a table of the file; nothing if it is not all there.
template <class T>
std::optional<std::vector<T>> read_table(std::span<const std::byte> bytes, std::uint64_t offset, std::size_t count,
                                         std::size_t entry_bytes) {
  if (count == 0 || entry_bytes != sizeof(T)) return std::nullopt;
  std::vector<T> table;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<T> entry = read_at<T>(bytes, offset + i * sizeof(T));
    if (!entry) return std::nullopt;
    table.push_back(*entry);
  }
  return table;
}

bool lies_within(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t length) {
  return offset <= bytes.size() && length <= bytes.size() - offset;
}

}  // namespace

library_facts inspect_library(std::span<const std::byte> binary) {
  const auto header = read_at<Elf64_Ehdr>(binary, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto segments = read_table<Elf64_Phdr>(binary, header->e_phoff, header->e_phnum, header->e_phentsize);
  const auto sections = read_table<Elf64_Shdr>(binary, header->e_shoff, header->e_shnum, header->e_shentsize);
  if (!segments || !sections || header->e_shstrndx >= sections->size()) return {};
  for (const Elf64_Phdr& segment : *segments)
    if (!lies_within(binary, segment.p_offset, segment.p_filesz)) return {};

  library_facts facts{.whole = true};
  const std::uint64_t names = (*sections)[header->e_shstrndx].sh_offset;
  for (const Elf64_Shdr& section : *sections) {
    const bool writable = (section.sh_flags & SHF_ALLOC) != 0 && (section.sh_flags & SHF_WRITE) != 0;
    const bool scratch = (section.sh_flags & SHF_TLS) != 0;  // a thread's own: shared memory and indices of one block
    facts.per_thread = facts.per_thread || scratch;
    if (writable && !scratch && section.sh_size > 0 && !is_loader_table(text_at(binary, names + section.sh_name)))
      facts.variables = true;
  }
  return facts;
}

std::span<const std::byte> find_section(std::span<const std::byte> binary, std::string_view name) {
  if (!inspect_library(binary).whole) return {};
  const auto header = read_at<Elf64_Ehdr>(binary, 0);
  const auto sections = read_table<Elf64_Shdr>(binary, header->e_shoff, header->e_shnum, header->e_shentsize);
  const std::uint64_t names = (*sections)[header->e_shstrndx].sh_offset;
  for (const Elf64_Shdr& section : *sections)
    if (section.sh_type == SHT_PROGBITS && text_at(binary, names + section.sh_name) == name &&
        lies_within(binary, section.sh_offset, section.sh_size))
      return binary.subspan(section.sh_offset, section.sh_size);
  return {};
}

}  // namespace tessera::device
