#include <png.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "demo_parts.h"

namespace demo {
namespace {

using colour = std::array<double, 3>;

/// Brightness grows evenly along the way, so that equal differences in temperature look equal.
colour colour_of(double t) {
  constexpr std::array<colour, 9> stops{{{0, 0, 4},
                                         {31, 12, 72},
                                         {85, 15, 109},
                                         {136, 34, 106},
                                         {186, 54, 85},
                                         {227, 89, 51},
                                         {249, 140, 10},
                                         {249, 201, 50},
                                         {252, 255, 164}}};
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double part = place - static_cast<double>(below);
  colour result{};
  for (std::size_t c = 0; c < 3; ++c) result[c] = stops[below][c] * (1 - part) + stops[below + 1][c] * part;
  return result;
}

/// `values` with each square of `factor` cells averaged to one.
std::vector<float> shrunk(const std::vector<float>& values, std::int64_t size, std::int64_t factor) {
  const std::int64_t pixels = size / factor;
  std::vector<float> result;
  for (std::int64_t py = 0; py < pixels; ++py)
    for (std::int64_t px = 0; px < pixels; ++px) {
      double sum = 0;
      for (std::int64_t y = py * factor; y < (py + 1) * factor; ++y)
        for (std::int64_t x = px * factor; x < (px + 1) * factor; ++x)
          sum += values[static_cast<std::size_t>(y * size + x)];
      result.push_back(static_cast<float>(sum / static_cast<double>(factor * factor)));
    }
  return result;
}

std::vector<unsigned char> coloured(const std::vector<float>& values) {
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  const double range = std::max(static_cast<double>(*highest - *lowest), 1e-30);
  std::vector<unsigned char> bytes;
  for (const float v : values)
    for (const double c : colour_of(static_cast<double>(v - *lowest) / range))
      bytes.push_back(static_cast<unsigned char>(std::lround(c)));
  return bytes;
}

}  // namespace

void write_picture(const std::string& path, const std::vector<float>& values, std::int64_t size) {
  const std::int64_t factor = (size + 1023) / 1024;
  const std::vector<unsigned char> bytes = coloured(shrunk(values, size, factor));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = image.height = static_cast<png_uint_32>(size / factor);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, bytes.data(), 0, nullptr) == 0)
    throw std::runtime_error("cannot write the picture " + path + ": " + image.message);
}

}  // namespace demo
