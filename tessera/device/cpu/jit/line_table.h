#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::device {

/// Which source line each instruction of a compiled library comes from, as the compiler noted it (DWARF 2 to 4, which
/// `kernels::cpu_line_flags` asks for). Immutable. Code that stores its line before each access would cost most of a
/// vectorised loop's speed and change what is debugged; this costs nothing until a kernel crashes, and no tool beside
/// the compiler.
class line_table {
 public:
  struct place {
    std::string_view file;  ///< As `#line` named it; lives as long as the table.
    std::int64_t line = 0;  ///< 0: not known.
  };

  /// Of a library's file. Empty if it has no such notes, in a form that is not understood, or damaged ones: `binary`
  /// need not be trusted.
  [[nodiscard]] static line_table decode(std::span<const std::byte> binary);

  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  /// Of the instruction at `address`, counted as in the file. Takes no lock and no memory: signal handlers call it.
  [[nodiscard]] place find(std::uint64_t address) const noexcept;
  /// As `find(address)`, but code of files whose names begin with `aside` counts as part of what stands before it.
  [[nodiscard]] place find(std::uint64_t address, std::string_view aside) const noexcept;
  /// The addresses [begin, end) that it covers; some between them may be unknown.
  [[nodiscard]] std::uint64_t begin() const noexcept { return rows_.empty() ? 0 : rows_.front().address; }
  [[nodiscard]] std::uint64_t end() const noexcept { return rows_.empty() ? 0 : rows_.back().address; }

 private:
  friend class line_decoder;
  /// Holds up to the address of the next row.
  struct row {
    std::uint64_t address = 0;
    std::uint32_t file = 0;
    std::uint32_t line = 0;  // 0: no code of any source line
  };
  std::vector<row> rows_;  // by address
  std::vector<std::string> files_;
};

}  // namespace tessera::device
