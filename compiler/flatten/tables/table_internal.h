// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bolza::flatten {

/// Modelica.Blocks.Types.Smoothness and its companions, in the order of their literals; after those of the library what
/// Bolza.Tables has: a natural cubic spline, twice continuously differentiable, and PCHIP.
enum class Interpolation : std::uint8_t { linear = 1, akima, constant, fritsch_butland, steffen, makima, cubic, pchip };
enum class Extrapolation : std::uint8_t { hold = 1, last_two, periodic, refused };
enum class TimeEvents : std::uint8_t { always = 1, at_discontinuities, none };

/// A table of the Modelica library with what its constructor was given.
struct TableData {
  std::vector<std::vector<double>> rows;
  std::vector<std::size_t> columns;  ///< from 1; empty for tables of two variables
  Interpolation interpolation = Interpolation::linear;
  Extrapolation extrapolation = Extrapolation::last_two;
  TimeEvents time_events = TimeEvents::always;
  double start_time = 0, shift_time = 0;
  bool starts_at_run_time = false;  ///< then these two are arguments: they follow from initial equations
  bool operator==(const TableData&) const = default;
};

}  // namespace bolza::flatten
