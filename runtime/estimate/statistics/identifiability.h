// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/estimate/estimation.h"
#include "runtime/estimate/statistics/integer_relations.h"

namespace bolza::estimate {

/// Parameters that can change together without the data noticing.
struct Combination {
  std::vector<std::size_t> parameters;  ///< ascending
  /// What the data do determine of them, "a·b", "p1²·p3/p2²", "a + b"; empty: nothing, or not in small integers.
  std::vector<std::string> determined;
  bool recognised = false;     ///< whether the directions are in ratios of small integers
  bool is_sum = false;         ///< of values, not of relative changes
  IntegerMatrix whole;         ///< the directions in these integers, where they are recognised
  Eigen::MatrixXd directions;  ///< [directions × parameters of the relation] relative changes d ln|p| (absolute at p = 0)
};

/// What data determine at θ, to first order.
struct Identifiability {
  std::size_t rank = 0;
  std::vector<double> singular_values;      ///< descending, of columns of length 1
  std::vector<std::size_t> without_effect;  ///< parameters on which nothing measured depends
  std::vector<Combination> relations;
  std::vector<std::uint8_t> open;  ///< [parameters] 1: in a relation or without effect
  bool complete() const { return relations.empty() && without_effect.empty(); }
};

/// The rank of the weighted sensitivities by singular values, and the null directions in terms of the parameters [BELLMAN].
/// Directions are looked at in ln p, so that products show as integers, then in p for sums; groups of parameters that do not
/// share a direction are told apart. Local: holds at this θ for these measurements.
/// @param rows  [m × parameters] information of the data alone, by θ on its scales
/// @param tolerance  of singular values relative to the largest, columns scaled to length 1; above the relative error of
/// sensitivities Cost  O(m × parameters²).
Identifiability structure_of(const Eigen::MatrixXd& rows, std::span<const Parameter> parameters,
                             std::span<const double> theta, double tolerance);

/// Directions in ln p along which the standard deviation exceeds `most` (1: 100 %), named the same way, those that are open
/// structurally among them. Relations that say no more than the structural ones are left out.
/// @param rows  as above, in units of standard deviations
std::vector<Combination> poorly_determined(const Eigen::MatrixXd& rows, const Identifiability& structure,
                                           std::span<const Parameter> parameters, std::span<const double> theta,
                                           double most);

/// Are all parameters of `narrow` in `wide`?
bool covers(const Combination& wide, const Combination& narrow);

/// One sentence: "only a·b is determined, not a and b", "p1, p2 change together along …".
std::string sentence_of(const Combination& relation, std::span<const Parameter> parameters);

}  // namespace bolza::estimate
