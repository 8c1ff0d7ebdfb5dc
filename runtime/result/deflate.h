// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bolza::result {

/// A zlib stream (RFC 1950, 1951) of the data: one block with the fixed codes and matches found by a hash of three bytes.
/// Meant for pictures: long repetitions shrink well, speed is linear.
std::string zlib_compressed(std::span<const std::uint8_t> data);

/// CRC-32 of RFC 1952, continued from `seed`.
std::uint32_t crc32_of(std::string_view data, std::uint32_t seed = 0);

}  // namespace bolza::result
