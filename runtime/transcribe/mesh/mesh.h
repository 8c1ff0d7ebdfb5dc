// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bolza::transcribe {

/// A time that is affine in the phase's time parameters: start·t0 + final·tf + constant.
struct AffineTime {
  double start = 0, final = 0, constant = 0;
  double at(double t0, double tf) const { return start * t0 + final * tf + constant; }
  friend AffineTime operator-(const AffineTime& a, const AffineTime& b) {
    return {a.start - b.start, a.final - b.final, a.constant - b.constant};
  }
};

/// (1 - s)·a + s·b, exactly a or b for s = 0 or 1.
AffineTime between(const AffineTime& a, const AffineTime& b, double s);

/// A place of an interval, 0 … 1, for what belongs to that interval alone: its ends are moved inside by next to nothing, so
/// that relations of time (`time < t1`) mean this side of a mesh point.
double within_interval(double place);

/// What the mesh has to know about the horizon of a phase.
struct Horizon {
  double t0 = 0, tf = 1;  ///< values, or guesses where free
  bool start_free = false, final_free = false;
};

/// Mesh points of one phase, ascending at the guess. Mesh points 0 and N are t0 and tf themselves.
struct Mesh {
  std::vector<AffineTime> point;  ///< [N + 1]
  std::vector<AffineTime>
      segment;  ///< lengths that must not become negative: the horizon, or the pieces between breakpoints
  std::size_t intervals() const { return point.empty() ? 0 : point.size() - 1; }
};

/// Empty, or why a horizon has no room for so many mesh intervals: it is empty, or its points are not different doubles.
std::string objection_to_horizon(const Horizon& horizon, std::uint32_t intervals, const char* phase);

/// The length of an interval as a share of the horizon at the guess.
double share_of_horizon(const Mesh& mesh, std::size_t interval, const Horizon& horizon);

/// The mesh with these points too, relative to the mesh points next to them; those it has already are not put twice.
void insert(Mesh& mesh, std::span<const AffineTime> points, const Horizon& horizon);
/// The same for fractions of the horizon, in any order.
void insert_fractions(Mesh& mesh, std::span<const double> fractions, const Horizon& horizon);
/// The mesh points that these are.    Requires  that they are.
std::vector<std::size_t> places_in(const Mesh& mesh, std::span<const AffineTime> points, const Horizon& horizon);

/// A mesh of about n intervals (at least one between breakpoints), or of given fractions, that has every breakpoint as a
/// mesh point.
///
/// @param fractions    empty for a uniform mesh; else ascending from 0 to 1
/// @param breakpoints  strictly inside the horizon at the guess; any order, repetitions are dropped
Mesh make_mesh(const Horizon& horizon, std::size_t n, std::span<const double> fractions,
               std::vector<AffineTime> breakpoints);

}  // namespace bolza::transcribe
