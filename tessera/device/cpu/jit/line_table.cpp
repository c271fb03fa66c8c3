#include "tessera/device/cpu/jit/line_table.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tessera/device/cpu/jit/elf.h"

namespace tessera::device {
namespace {

/// Reads numbers of a section; throws `std::out_of_range` at its end.
class byte_cursor {
 public:
  explicit byte_cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const { return bytes_.empty(); }
  std::span<const std::byte> take(std::uint64_t count) {
    if (count > bytes_.size()) throw std::out_of_range("a line table ends early");
    const auto taken = bytes_.first(static_cast<std::size_t>(count));
    bytes_ = bytes_.subspan(static_cast<std::size_t>(count));
    return taken;
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::uint64_t variable() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }
  std::int64_t signed_variable() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if ((byte & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
  }
  std::string text() {
    std::string result;
    for (char c = number<char>(); c != '\0'; c = number<char>()) result += c;
    return result;
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

/// Runs the program that a line table is stored as, one unit of it.
class line_decoder {
 public:
  line_decoder(byte_cursor unit, line_table& out) : code_(unit), out_(out) {}

  void decode() {
    if (!read_header()) return;
    reset();
    while (!code_.at_end()) step(code_.number<std::uint8_t>());
  }

 private:
  /// False: of a version that is not understood.
  bool read_header() {
    version_ = code_.number<std::uint16_t>();
    if (version_ < 2 || version_ > 4) return false;
    byte_cursor header(code_.take(code_.number<std::uint32_t>()));
    smallest_ = header.number<std::uint8_t>();
    if (version_ == 4 && header.number<std::uint8_t>() != 1) return false;  // several operations per instruction
    header.number<std::uint8_t>();
    line_base_ = header.number<std::int8_t>();
    line_range_ = header.number<std::uint8_t>();
    opcode_base_ = header.number<std::uint8_t>();
    if (line_range_ == 0 || opcode_base_ == 0) return false;
    for (int i = 1; i < opcode_base_; ++i) arguments_.push_back(header.number<std::uint8_t>());
    std::vector<std::string> folders{""};
    for (std::string folder = header.text(); !folder.empty(); folder = header.text()) folders.push_back(folder);
    first_file_ = static_cast<std::uint32_t>(out_.files_.size());
    for (std::string file = header.text(); !file.empty(); file = header.text()) {
      const std::uint64_t folder = header.variable();
      header.variable();
      header.variable();
      const bool inside = folder < folders.size() && !folders[folder].empty() && folders[folder] != ".";
      out_.files_.push_back(inside ? folders[folder] + "/" + file : file);
    }
    return true;
  }

  void step(std::uint8_t opcode) {
    if (opcode >= opcode_base_) {
      const int adjusted = opcode - opcode_base_;
      address_ += static_cast<std::uint64_t>(adjusted / line_range_) * smallest_;
      line_ += static_cast<std::uint64_t>(line_base_ + adjusted % line_range_);
      return emit();
    }
    switch (opcode) {
      case 0:
        return extended();
      case 1:
        return emit();
      case 2:
        address_ += code_.variable() * smallest_;
        return;
      case 3:
        line_ += static_cast<std::uint64_t>(code_.signed_variable());
        return;
      case 4:
        file_ = code_.variable();
        return;
      case 8:
        address_ += static_cast<std::uint64_t>((255 - opcode_base_) / line_range_) * smallest_;
        return;
      case 9:
        address_ += code_.number<std::uint16_t>();
        return;
      default:
        for (int i = 0; i < arguments_[opcode - 1U]; ++i) code_.variable();
    }
  }

  void extended() {
    byte_cursor operation(code_.take(code_.variable()));
    switch (operation.number<std::uint8_t>()) {
      case 1:
        line_ = 0;
        emit();
        return reset();
      case 2:
        address_ = operation.number<std::uint64_t>();
        return;
      default:
        return;
    }
  }

  void emit() {
    const bool known = line_ > 0 && line_ <= UINT32_MAX && file_ > 0 && file_ - 1 < out_.files_.size() - first_file_;
    out_.rows_.push_back({address_, known ? first_file_ + static_cast<std::uint32_t>(file_ - 1) : 0,
                          known ? static_cast<std::uint32_t>(line_) : 0});
  }

  void reset() { address_ = 0, file_ = 1, line_ = 1; }

  byte_cursor code_;
  line_table& out_;
  int version_ = 0;
  std::uint8_t smallest_ = 1;
  int line_base_ = 0, line_range_ = 1, opcode_base_ = 1;
  std::vector<std::uint8_t> arguments_;  // of each standard operation
  std::uint32_t first_file_ = 0;
  std::uint64_t address_ = 0, file_ = 1, line_ = 1;  // unsigned: damaged tables make them wrap around
};

line_table line_table::decode(std::span<const std::byte> binary) {
  line_table table;
  try {
    for (byte_cursor section(find_section(binary, ".debug_line")); !section.at_end();) {
      const auto length = section.number<std::uint32_t>();
      line_decoder(byte_cursor(section.take(length)), table).decode();
    }
  } catch (const std::out_of_range&) {
    return {};
  }
  std::stable_sort(table.rows_.begin(), table.rows_.end(),
                   [](const row& a, const row& b) { return a.address < b.address; });
  return table;
}

line_table::place line_table::find(std::uint64_t address) const noexcept { return find(address, {}); }

line_table::place line_table::find(std::uint64_t address, std::string_view aside) const noexcept {
  const auto behind = std::upper_bound(rows_.begin(), rows_.end(), address,
                                       [](std::uint64_t a, const row& r) { return a < r.address; });
  if (behind == rows_.end()) return {};
  for (auto found = behind; found != rows_.begin();) {
    --found;
    if (found->line == 0) return {};
    const std::string_view file = files_[found->file];
    if (aside.empty() || !file.starts_with(aside)) return {file, found->line};
  }
  return {};
}

}  // namespace tessera::device
