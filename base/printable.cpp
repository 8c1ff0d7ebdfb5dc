// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <array>
#include <cstdint>

namespace bolza {
namespace {

std::string hexadecimal(std::uint32_t number, int digits) {
  std::string out;
  for (int k = digits - 1; k >= 0; --k) out += "0123456789abcdef"[number >> 4 * k & 15];
  return out;
}

/// What `n` bytes of UTF-8 stand for, n at most 3.
std::uint32_t character(std::string_view text, std::size_t at, std::size_t n) {
  constexpr std::array<std::uint32_t, 4> bits{0, 0x7f, 0x1f, 0x0f};
  std::uint32_t c = static_cast<unsigned char>(text[at]) & bits[n];
  for (std::size_t k = 1; k < n; ++k) c = c << 6 | (static_cast<unsigned char>(text[at + k]) & 0x3f);
  return c;
}

bool turns_direction(std::uint32_t c) {
  return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

template <class Escape>
std::string escaped(std::string_view text, Escape escape) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size();) {
    std::size_t n = control_at(text, k);
    if (n == 0) {
      out += text[k++];
      continue;
    }
    out += escape(character(text, k, n));
    k += n;
  }
  return out;
}

}  // namespace

std::size_t control_at(std::string_view text, std::size_t at) {
  auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x80) return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? 1 : 0;
  std::size_t n = (c & 0xe0) == 0xc0 ? 2 : (c & 0xf0) == 0xe0 ? 3 : 0;
  if (n == 0 || at + n > text.size()) return 0;
  for (std::size_t k = 1; k < n; ++k)
    if ((static_cast<unsigned char>(text[at + k]) & 0xc0) != 0x80) return 0;
  std::uint32_t number = character(text, at, n);
  bool is_c1 = number >= 0x80 && number < 0xa0, separates = number == 0x2028 || number == 0x2029;
  return is_c1 || separates || turns_direction(number) ? n : 0;
}

std::string printable(std::string_view text) {
  return escaped(text, [](std::uint32_t c) { return c < 0x100 ? "\\x" + hexadecimal(c, 2) : "\\u" + hexadecimal(c, 4); });
}

std::string printable_json(std::string_view text) {
  return escaped(text, [](std::uint32_t c) { return "\\u" + hexadecimal(c, 4); });
}

}  // namespace bolza
