// SPDX-License-Identifier: Apache-2.0
#include "base/content_hash.h"

#include <bit>
#include <cstring>

namespace bolza {
namespace {

constexpr std::size_t n_lanes = 8;  // their products do not wait for each other
constexpr std::size_t block = 8 * n_lanes;
constexpr std::uint64_t factor = 0xBF58476D1CE4E5B9ull;

/// One to one in `word` for a given state and in the state for a given word: one changed word always shows.
std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state = (std::rotl(state, 29) ^ word) * factor;
  return state ^ (state >> 31);
}

using Lanes = std::array<std::uint64_t, n_lanes>;

void take_block(Lanes& lanes, const char* bytes) {
  std::array<std::uint64_t, n_lanes> words;
  std::memcpy(words.data(), bytes, block);
  for (std::size_t i = 0; i < n_lanes; ++i) lanes[i] = mix(lanes[i], words[i]);
}

}  // namespace

ContentHash content_hash(std::string_view bytes, ContentHash seed) {
  Lanes lanes;
  for (std::size_t i = 0; i < n_lanes; ++i) lanes[i] = mix(seed.words[i % 2] + i, 0x9E3779B97F4A7C15ull);
  std::size_t size = bytes.size();
  for (; bytes.size() >= block; bytes.remove_prefix(block)) take_block(lanes, bytes.data());
  std::array<char, block> rest{};
  if (!bytes.empty()) std::memcpy(rest.data(), bytes.data(), bytes.size());
  take_block(lanes, rest.data());
  ContentHash result{{mix(seed.words[0], size), mix(seed.words[1], ~size)}};
  for (std::size_t i = 0; i < n_lanes; ++i) {
    result.words[0] = mix(result.words[0], lanes[i]);
    result.words[1] = mix(result.words[1], lanes[n_lanes - 1 - i] + factor);
  }
  for (std::uint64_t& word : result.words) word = mix(mix(word, size), factor);
  return result;
}

std::string to_text(const ContentHash& hash) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::uint64_t word : hash.words)
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[(word >> shift) & 15];
  return text;
}

}  // namespace bolza
