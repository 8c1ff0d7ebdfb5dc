// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace bolza {

/// A number as a key: NaN equals itself and nothing else, −0 is not 0. `<` and `==` of doubles take NaN for every number.
inline std::uint64_t bits_of(double number) { return std::bit_cast<std::uint64_t>(number); }
inline std::vector<std::uint64_t> bits_of(std::span<const double> numbers) {
  std::vector<std::uint64_t> bits(numbers.size());
  std::transform(numbers.begin(), numbers.end(), bits.begin(), [](double number) { return bits_of(number); });
  return bits;
}

/// An order of lists, without copies.
inline bool bits_precede(std::span<const double> a, std::span<const double> b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](double x, double y) { return bits_of(x) < bits_of(y); });
}

}  // namespace bolza
