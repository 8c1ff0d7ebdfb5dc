// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/canvas.h"
#include "runtime/result/deflate.h"
#include "runtime/result/plot.h"

namespace bolza::result {
namespace {

std::string big_endian(std::uint32_t v) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(v >> shift & 0xFF);
  return out;
}

std::string chunk(std::string type, const std::string& data) {
  std::string body = std::move(type) + data;
  return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(crc32_of(body));
}

}  // namespace

std::string png_bytes(std::span<const Figure> panels, PictureSize size) {
  Canvas canvas(size);
  paint(panels, size, canvas);
  std::size_t row = 3 * static_cast<std::size_t>(size.width);
  std::vector<std::uint8_t> lines;
  lines.reserve((row + 1) * static_cast<std::size_t>(size.height));
  for (std::size_t r = 0; r < static_cast<std::size_t>(size.height); ++r) {
    lines.push_back(0);  // no filter: equal rows repeat
    lines.insert(lines.end(), canvas.pixels().begin() + static_cast<std::ptrdiff_t>(r * row),
                 canvas.pixels().begin() + static_cast<std::ptrdiff_t>((r + 1) * row));
  }
  std::string header =
      big_endian(static_cast<std::uint32_t>(size.width)) + big_endian(static_cast<std::uint32_t>(size.height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", header) + chunk("IDAT", zlib_compressed(lines)) + chunk("IEND", "");
}

}  // namespace bolza::result
