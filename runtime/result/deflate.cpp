// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/deflate.h"

#include <array>
#include <string_view>
#include <vector>

namespace bolza::result {
namespace {

class Bits {
 public:
  std::string bytes;
  void put(std::uint32_t value, int count) {  // least significant bit first
    held_ |= std::uint64_t{value} << held_count_;
    held_count_ += count;
    while (held_count_ >= 8) {
      bytes += static_cast<char>(held_ & 0xFF);
      held_ >>= 8;
      held_count_ -= 8;
    }
  }
  void put_code(std::uint32_t code, int count) {  // Huffman codes go most significant bit first
    std::uint32_t reversed = 0;
    for (int i = 0; i < count; ++i) reversed |= (code >> i & 1u) << (count - 1 - i);
    put(reversed, count);
  }
  void flush() { put(0, (8 - held_count_ % 8) % 8); }

 private:
  std::uint64_t held_ = 0;
  int held_count_ = 0;
};

void put_symbol(Bits& bits, std::uint32_t s) {
  if (s < 144) bits.put_code(0x30 + s, 8);
  else if (s < 256) bits.put_code(0x190 + s - 144, 9);
  else if (s < 280) bits.put_code(s - 256, 7);
  else bits.put_code(0xC0 + s - 280, 8);
}

constexpr std::array<std::uint16_t, 29> length_base{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> length_extra{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> distance_base{1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                      33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                      1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};

void put_match(Bits& bits, std::size_t length, std::size_t distance) {
  std::size_t l = length_base.size() - 1, d = distance_base.size() - 1;
  while (length_base[l] > length) --l;
  while (distance_base[d] > distance) --d;
  put_symbol(bits, static_cast<std::uint32_t>(257 + l));
  bits.put(static_cast<std::uint32_t>(length - length_base[l]), length_extra[l]);
  bits.put_code(static_cast<std::uint32_t>(d), 5);
  bits.put(static_cast<std::uint32_t>(distance - distance_base[d]), d < 2 ? 0 : static_cast<int>(d / 2 - 1));
}

std::uint32_t adler32(std::span<const std::uint8_t> data) {
  std::uint32_t a = 1, b = 0;
  for (std::uint8_t byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

}  // namespace

std::string zlib_compressed(std::span<const std::uint8_t> data) {
  Bits bits;
  bits.bytes = "\x78\x9C";
  bits.put(1, 1);  // last block
  bits.put(1, 2);  // fixed codes
  constexpr std::size_t none = static_cast<std::size_t>(-1), window = 32768, longest = 258;
  std::vector<std::size_t> last(1 << 15, none);
  auto hash = [&](std::size_t i) {
    return (data[i] * 2654435761u ^ data[i + 1] * 40503u ^ data[i + 2] * 2246822519u) >> 7 & 0x7FFF;
  };
  for (std::size_t i = 0; i < data.size();) {
    std::size_t length = 0, from = none;
    if (i + 3 <= data.size()) {
      std::size_t& slot = last[hash(i)];
      from = slot;
      slot = i;
      if (from != none && i - from <= window)
        while (length < longest && i + length < data.size() && data[from + length] == data[i + length]) ++length;
    }
    if (length >= 3) {
      put_match(bits, length, i - from);
      i += length;
    } else {
      put_symbol(bits, data[i]);
      ++i;
    }
  }
  put_symbol(bits, 256);
  bits.flush();
  std::uint32_t check = adler32(data);
  for (int shift = 24; shift >= 0; shift -= 8) bits.bytes += static_cast<char>(check >> shift & 0xFF);
  return std::move(bits.bytes);
}

std::uint32_t crc32_of(std::string_view data, std::uint32_t seed) {
  std::uint32_t crc = ~seed;
  for (char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

}  // namespace bolza::result
