// SPDX-License-Identifier: Apache-2.0
// Signs of multipliers, and that what is not at its limit has none.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

/// The side that a multiplier of this sign belongs to; nothing where both are the same or where it has none.
double side_of(double multiplier, double lower, double upper) { return multiplier > 0 ? upper : lower; }

/// What a multiplier is worth where its limit is moved by its size, of the objective.
class Signs {
 public:
  explicit Signs(double size_of_objective) : size_(size_of_objective) {}

  void look(double amount, double value, double lower, double upper, double size, const std::string& name, double time) {
    if (lower == upper || amount == 0) return;
    double side = side_of(amount, lower, upper), worth = std::abs(amount) / size_;
    if (!std::isfinite(side)) return sign_.look(worth * size, name, time);
    double distance = std::abs(value - side);
    total_ += worth * distance;
    away_.look(worth * distance, name, time);
  }
  ConditionCheck sign(double limit) const { return sign_.check("signs of multipliers", limit, "of the objective"); }
  ConditionCheck slackness(double limit) const {
    return away_.check_sum("complementarity", total_, limit, "of the objective");
  }

 private:
  double size_, total_ = 0;
  Worst sign_, away_;
};

double size_of_limited(const StoredPhase& phase, const ActingMultiplier& m) {
  switch (m.kind) {
    case ActingMultiplier::Kind::state:
      return phase.x_size(m.index);
    case ActingMultiplier::Kind::algebraic:
      return phase.z_size(m.index);
    case ActingMultiplier::Kind::control:
      return phase.u_size(m.index);
    case ActingMultiplier::Kind::path:
      return phase.g_size(m.index);
  }
  return 1;
}

std::string name_of_limited(const StoredPhase& phase, const ActingMultiplier& m) {
  switch (m.kind) {
    case ActingMultiplier::Kind::state:
      return phase.name_of_state(m.index);
    case ActingMultiplier::Kind::algebraic:
      return phase.name_of_algebraic(m.index);
    case ActingMultiplier::Kind::control:
      return phase.name_of_control(m.index);
    case ActingMultiplier::Kind::path:
      return phase.name_of_limit(m.index);
  }
  return "";
}

/// The columns `multiplier(…)` of a file: functions of time, by trapezoids.
void look_at_columns(const StoredPhase& phase, Signs& signs) {
  const abi::Trajectories& y = phase.stored.trajectories;
  if (y.path_multiplier.size() != phase.model.n_g || phase.ng() == 0) return;
  Eigen::MatrixXd values = phase.residuals.at(phase.points());
  for (Eigen::Index g = 0; g < phase.ng(); ++g) {
    const bolza_row& row = phase.model.residuals->rows[phase.nz() + g];
    const std::vector<double>& nu = y.path_multiplier[static_cast<std::size_t>(g)];
    for (std::size_t k = 1; k < y.time.size(); ++k)
      for (std::size_t end : std::array{k - 1, k})
        signs.look(0.5 * (y.time[k] - y.time[k - 1]) * nu[end], values(phase.nz() + g, static_cast<Eigen::Index>(end)),
                   row.lower, row.upper, phase.g_size(g), phase.name_of_limit(g), y.time[end]);
  }
}

void look_at_points(const Subject& s, Signs& signs) {
  for (std::size_t k = 0; k < s.problem.n_k; ++k) {
    const bolza_row& row = s.problem.point->rows[1 + k];
    double value = s.point.rows(1 + static_cast<Eigen::Index>(k));
    signs.look(s.stored.point_multipliers[k], value, row.lower, row.upper, size_of_point_row(s.problem, s.point, k),
               row.name ? row.name : "", NAN);
  }
}

}  // namespace

void check_multipliers(Subject& s, Certificate& out) {
  for (const char* name : {"signs of multipliers", "complementarity"})
    if (!s.has_multipliers) out.checks.push_back(not_checked(name, "the file has no multipliers"));
  if (!s.has_multipliers) return;
  Signs signs(s.size), columns(s.size);
  for (std::size_t p = 0; p < s.phases.size(); ++p) {
    for (const ActingMultiplier& m : s.acting[p])
      signs.look(m.amount, m.value, m.lower, m.upper, size_of_limited(*s.phases[p], m), name_of_limited(*s.phases[p], m),
                 m.time);
    look_at_columns(*s.phases[p], columns);
  }
  look_at_points(s, signs);
  constexpr double of_sign = 1e-2;  // of the tolerance
  ConditionCheck sign = signs.sign(of_sign * s.tolerance), named = columns.sign(of_sign * s.tolerance);
  out.checks.push_back(named.value > sign.value ? named : sign);
  out.checks.push_back(signs.slackness(s.tolerance));
}

}  // namespace bolza::verify
