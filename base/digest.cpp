// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace bolza {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they stand in memory");

using Words = std::array<std::uint64_t, 8>;

constexpr std::size_t block_size = 128, digest_size = 16;
constexpr int rounds = 12;

constexpr Words initial = {0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
                           0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179};

constexpr std::uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

void compress(Words& h, const char* block, std::uint64_t length, bool last) {
  std::uint64_t m[16], v[16];
  std::memcpy(m, block, block_size);
  std::copy(h.begin(), h.end(), v);
  std::copy(initial.begin(), initial.end(), v + 8);
  v[12] ^= length;
  if (last) v[14] = ~v[14];
  auto mix = [&](int a, int b, int c, int d, std::uint64_t x, std::uint64_t y) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 63);
  };
  for (int r = 0; r < rounds; ++r) {
    const std::uint8_t* s = order[r % 10];
    mix(0, 4, 8, 12, m[s[0]], m[s[1]]);
    mix(1, 5, 9, 13, m[s[2]], m[s[3]]);
    mix(2, 6, 10, 14, m[s[4]], m[s[5]]);
    mix(3, 7, 11, 15, m[s[6]], m[s[7]]);
    mix(0, 5, 10, 15, m[s[8]], m[s[9]]);
    mix(1, 6, 11, 12, m[s[10]], m[s[11]]);
    mix(2, 7, 8, 13, m[s[12]], m[s[13]]);
    mix(3, 4, 9, 14, m[s[14]], m[s[15]]);
  }
  for (std::size_t k = 0; k < 8; ++k) h[k] ^= v[k] ^ v[k + 8];
}

}  // namespace

std::string digest(std::string_view text) {
  Words h = initial;
  h[0] ^= 0x01010000 ^ digest_size;
  std::size_t at = 0;
  for (; text.size() - at > block_size; at += block_size) compress(h, text.data() + at, at + block_size, false);
  char block[block_size] = {};
  text.copy(block, block_size, at);
  compress(h, block, text.size(), true);
  std::string digits;
  for (std::size_t k = 0; k < digest_size; ++k) {
    constexpr const char* digit = "0123456789abcdef";
    auto byte = static_cast<std::uint8_t>(h[k / 8] >> (8 * (k % 8)));
    digits += digit[byte >> 4];
    digits += digit[byte & 15];
  }
  return digits;
}

}  // namespace bolza
