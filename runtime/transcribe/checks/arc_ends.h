// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/integrate/model/reduced_model.h"

namespace bolza::transcribe {

/// What is not known of the multiplier of a limit on states within one interval. Its amount there is known, and is smooth
/// along an arc on the limit. Where an arc begins or ends inside, or the limit is touched at one time, the place of a part
/// of it is not: the costates jump by `at_once`, or bend where `spread` begins, and the polynomials of the transcription do
/// neither.
struct ArcEnd {
  double at_once = 0, spread = 0;
  bool any() const { return at_once > 0 || spread > 0; }
};

/// @param amount  of the multiplier in every interval, >= 0     @param mesh  [N + 1]
ArcEnd arc_end(std::span<const double> amount, std::span<const double> mesh, std::size_t interval);

/// How far costates with such a jump or bend at the worst place of an interval are from polynomials, in the mean square over
/// the interval: dλ = at_once (ρ0 g + h ρ1 f_xᵀ g + …) + spread (ρ1 g + h ρ2 f_xᵀ g + …), g the
/// derivative of the limit by the states and ρk the distance of (τ − θ)₊ᵏ/k! from polynomials with as many coefficients as
/// an interval has control values of its own.
/// @param g       [n_x]     @param h  length     @param points  values of a control in the interval
/// @param model   at a point of the interval: f_x is that there. Cost: one Jacobian.
/// @return [n_x]; g alone where the Jacobian is not finite
std::vector<double> costate_doubt(const ArcEnd& end, std::span<const double> g, double h, std::size_t points,
                                  integrate::ReducedModel& model);

}  // namespace bolza::transcribe
