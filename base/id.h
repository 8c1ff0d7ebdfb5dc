// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace bolza {

/// A 32-bit index that only mixes with indices of its own kind: `using EquationId = Id<struct EquationTag>;`.
/// Default-constructed ids are `none` and test false.
template <class Tag>
struct Id {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value = none;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr explicit operator bool() const { return value != none; }
  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace bolza

template <class Tag>
struct std::hash<bolza::Id<Tag>> {
  std::size_t operator()(bolza::Id<Tag> id) const noexcept { return id.value * 0x9E3779B97F4A7C15ull; }
};
