// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bolza {

/// 128 bits that tell texts apart; not against somebody who looks for two texts of one hash.
struct ContentHash {
  std::array<std::uint64_t, 2> words{};
  friend bool operator==(const ContentHash&, const ContentHash&) = default;
};

/// The same in every run of every build on machines of one byte order.
/// @param seed  other seeds give other hashes of the same bytes
/// Cost  some eight bytes per cycle.
ContentHash content_hash(std::string_view bytes, ContentHash seed = {});

/// 32 hexadecimal digits.
std::string to_text(const ContentHash& hash);

}  // namespace bolza
