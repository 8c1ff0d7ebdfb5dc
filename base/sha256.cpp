// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace bolza {
namespace {

constexpr std::size_t sha_block = 64;
constexpr std::size_t sha_rounds = 64;
using ShaState = std::array<std::uint32_t, 8>;
using ShaConstants = std::array<std::uint32_t, sha_rounds>;

/// The first 32 bits of the fraction of a root of a prime [SHA2, 4.2.2, 5.3.3].
std::uint32_t fraction_bits(long double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

std::array<int, sha_rounds> first_primes() {
  std::array<int, sha_rounds> primes{};
  std::size_t count = 0;
  for (int n = 2; count < sha_rounds; ++n) {
    bool is_prime = true;
    for (std::size_t k = 0; k < count; ++k) is_prime = is_prime && n % primes[k] != 0;
    if (is_prime) primes[count++] = n;
  }
  return primes;
}

ShaConstants round_constants() {
  ShaConstants out{};
  std::array<int, sha_rounds> primes = first_primes();
  for (std::size_t k = 0; k < sha_rounds; ++k) out[k] = fraction_bits(std::cbrt(static_cast<long double>(primes[k])));
  return out;
}

ShaState initial_state() {
  ShaState out{};
  std::array<int, sha_rounds> primes = first_primes();
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = fraction_bits(std::sqrt(static_cast<long double>(primes[k])));
  return out;
}

void take_block(ShaState& state, const ShaConstants& constants, std::string_view block) {
  std::array<std::uint32_t, sha_rounds> w{};
  for (std::size_t k = 0; k < 16; ++k)
    for (std::size_t b = 0; b < 4; ++b) w[k] = w[k] << 8U | static_cast<unsigned char>(block[4 * k + b]);
  for (std::size_t k = 16; k < sha_rounds; ++k) {
    std::uint32_t a = w[k - 15], b = w[k - 2];
    w[k] = w[k - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3U) + w[k - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10U);
  }
  ShaState v = state;
  for (std::size_t k = 0; k < sha_rounds; ++k) {
    std::uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]), majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    std::uint32_t first =
        v[7] + (std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25)) + choice + constants[k] + w[k];
    std::uint32_t second = (std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22)) + majority;
    v = {first + second, v[0], v[1], v[2], v[3] + first, v[4], v[5], v[6]};
  }
  for (std::size_t k = 0; k < state.size(); ++k) state[k] += v[k];
}

/// The bytes after the last whole block, a one, zeros, and the length in bits.
std::string padded_end(std::string_view bytes) {
  std::string end(bytes.substr(bytes.size() / sha_block * sha_block));
  end += '\x80';
  while (end.size() % sha_block != sha_block - 8) end += '\0';
  auto bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8) end += static_cast<char>(bits >> static_cast<unsigned>(shift) & 0xFFU);
  return end;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const ShaConstants constants = round_constants();
  ShaState state = initial_state();
  std::string end = padded_end(bytes);
  for (std::size_t k = 0; k + sha_block <= bytes.size(); k += sha_block)
    take_block(state, constants, bytes.substr(k, sha_block));
  for (std::size_t k = 0; k < end.size(); k += sha_block)
    take_block(state, constants, std::string_view(end).substr(k, sha_block));
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4) text += digits[word >> static_cast<unsigned>(shift) & 0xFU];
  return text;
}

}  // namespace bolza
