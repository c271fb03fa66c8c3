#include <algorithm>
#include <fstream>

#include "examples/cocluster/solver.h"

namespace cocluster {
namespace {

constexpr const char* endings[] = {".rows.txt", ".columns.txt", ".pgm"};

void write_labels(const std::string& path, const std::vector<int>& labels) {
  std::ofstream file(path);
  for (const int c : labels) file << c << '\n';
  if (!file.flush()) throw tessera::io_error("cannot write " + path);
}

/// The least average is black, the largest white.
void write_picture(const std::string& path, const gray_picture& picture) {
  const auto [least, most] = std::minmax_element(picture.averages.begin(), picture.averages.end());
  const float range = std::max(*most - *least, 1e-30f);
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << picture.width << " " << picture.height << "\n255\n";
  for (const float v : picture.averages)
    file << static_cast<char>(static_cast<unsigned char>((v - *least) / range * 255.0f + 0.5f));
  if (!file.flush()) throw tessera::io_error("cannot write " + path);
}

}  // namespace

void require_writable(const std::string& prefix) {
  for (const char* ending : endings)
    if (!std::ofstream(prefix + ending, std::ios::app)) throw tessera::io_error("cannot write " + prefix + ending);
}

void write_results(const std::string& prefix, const solution& s, const gray_picture& picture) {
  write_labels(prefix + endings[0], s.rows);
  write_labels(prefix + endings[1], s.columns);
  write_picture(prefix + endings[2], picture);
}

}  // namespace cocluster
