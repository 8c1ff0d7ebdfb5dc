// SPDX-License-Identifier: Apache-2.0
#include "workflow/study/sequence.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace bolza::workflow {
namespace {

/// A bijection of 64 bits in which every bit depends on all. [SLF2014]
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A number of its own for a seed, an axis and an index.
std::uint64_t bits_of(std::uint64_t seed, std::uint64_t axis, std::uint64_t index) {
  return scrambled(scrambled(scrambled(seed) + axis) + index);
}

/// In (0, 1), never an end.
double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

std::vector<std::uint32_t> shuffled(std::size_t count, std::uint64_t seed, std::uint64_t axis) {
  std::vector<std::uint32_t> slices(count);
  std::iota(slices.begin(), slices.end(), 0u);
  for (std::size_t k = count; k > 1; --k) {
    auto other = static_cast<std::size_t>(unit(bits_of(~seed, axis, k)) * static_cast<double>(k));
    std::swap(slices[k - 1], slices[other]);
  }
  return slices;
}

/// A primitive polynomial, without its first and last coefficient, and the first direction numbers. [JK2008]
struct Direction {
  std::uint32_t degree, polynomial;
  std::array<std::uint32_t, 7> first;
};
constexpr std::array<Direction, most_of_sobol - 1> directions{{{1, 0, {1}},
                                                               {2, 1, {1, 3}},
                                                               {3, 1, {1, 3, 1}},
                                                               {3, 2, {1, 1, 1}},
                                                               {4, 1, {1, 1, 3, 3}},
                                                               {4, 4, {1, 3, 5, 13}},
                                                               {5, 2, {1, 1, 5, 5, 17}},
                                                               {5, 4, {1, 1, 5, 5, 5}},
                                                               {5, 7, {1, 1, 7, 11, 19}},
                                                               {5, 11, {1, 1, 5, 1, 1}},
                                                               {5, 13, {1, 1, 1, 3, 11}},
                                                               {5, 14, {1, 3, 5, 5, 31}},
                                                               {6, 1, {1, 3, 3, 9, 7, 49}},
                                                               {6, 13, {1, 1, 1, 15, 21, 21}},
                                                               {6, 16, {1, 3, 1, 13, 27, 49}},
                                                               {6, 19, {1, 1, 1, 15, 7, 5}},
                                                               {6, 22, {1, 3, 1, 15, 13, 25}},
                                                               {6, 25, {1, 1, 5, 5, 19, 61}},
                                                               {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                               {7, 4, {1, 3, 7, 13, 13, 15, 69}}}};

/// The 32 direction numbers of an axis, shifted to the left: bit k of an index turns on number k.
std::vector<std::uint32_t> directions_of(std::size_t axis) {
  std::vector<std::uint32_t> v(32);
  for (std::uint32_t k = 0; k < 32; ++k) {
    if (axis == 0) {
      v[k] = 1u << (31 - k);
      continue;
    }
    const Direction& d = directions[axis - 1];
    if (k < d.degree) {
      v[k] = d.first[k] << (31 - k);
      continue;
    }
    v[k] = v[k - d.degree] ^ (v[k - d.degree] >> d.degree);
    for (std::uint32_t j = 1; j < d.degree; ++j)
      if ((d.polynomial >> (d.degree - 1 - j)) & 1u) v[k] ^= v[k - j];
  }
  return v;
}

}  // namespace

std::optional<PointSampling> sampling_named(std::string_view name) {
  auto found = std::ranges::find(sampling_names, name);
  if (found == std::end(sampling_names)) return {};
  return static_cast<PointSampling>(found - std::begin(sampling_names));
}

Sequence::Sequence(PointSampling sampling, std::size_t count, std::size_t axes, std::uint64_t seed)
    : sampling_(sampling),
      count_(count),
      seed_(seed) {
  for (std::size_t axis = 0; axis < axes && sampling != PointSampling::random; ++axis)
    slices_.push_back(sampling == PointSampling::sobol ? directions_of(axis) : shuffled(count, seed, axis));
}

double Sequence::at(std::size_t index, std::size_t axis) const {
  std::uint64_t own = bits_of(seed_, axis, index);
  if (sampling_ == PointSampling::random) return unit(own);
  if (sampling_ == PointSampling::latin_hypercube) return (slices_[axis][index] + unit(own)) / static_cast<double>(count_);
  auto value = static_cast<std::uint32_t>(bits_of(seed_, axis, ~std::uint64_t{0}));  // one shift for all: still a net
  for (std::size_t k = 0; k < 32; ++k)
    if ((index >> k) & 1u) value ^= slices_[axis][k];
  return (value + 0.5) * 0x1p-32;
}

}  // namespace bolza::workflow
