// SPDX-License-Identifier: Apache-2.0
// Whether the stored trajectories obey the model: bounds, limits, equations, starts, point constraints; and the objective.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/linalg/lagrange.h"
#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

constexpr double of_samples = 1e-3;   ///< of the tolerance: what a solve holds at its own points, where it is exact
constexpr double of_equations = 0.3;  ///< of the tolerance: states against our integration
constexpr double of_objective = 0.3;  ///< of the tolerance
constexpr double of_points = 0.1;     ///< of the tolerance: values at points are the trajectory's own

double beyond(double value, double lower, double upper) {
  return std::isfinite(value) ? std::max({0.0, lower - value, value - upper}) : infinity;
}

std::string text_of(const char* name) { return name ? name : ""; }

ConditionCheck bounds(const Subject& s) {
  Worst worst;
  for (std::size_t p = 0; p < s.problem.n_parameters; ++p) {
    const bolza_variable& v = s.problem.parameters[p];
    if (v.fixed) continue;
    double value = s.stored.parameters[p];
    worst.look(beyond(value, v.min, v.max) / size_of_parameter(v, value), text_of(v.name), NAN);
  }
  for (const auto& phase : s.phases) {
    const abi::Trajectories& y = phase->stored.trajectories;
    auto look = [&](const bolza_variable* list, const std::vector<std::vector<double>>& rows, const Eigen::VectorXd& size) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < rows[i].size(); ++k)
          worst.look(beyond(rows[i][k], list[i].min, list[i].max) / size(static_cast<Eigen::Index>(i)),
                     text_of(list[i].name), y.time[k]);
    };
    look(phase->model.x, y.x, phase->x_size);
    look(phase->model.z, y.z, phase->z_size);
    look(phase->model.u, y.u, phase->u_size);
  }
  return worst.check("bounds", of_samples * s.tolerance, "of its size");
}

void look_at_limits(const StoredPhase& phase, const Eigen::MatrixXd& points, Worst& worst) {
  Eigen::MatrixXd values = phase.residuals.at(points);
  for (Eigen::Index g = 0; g < phase.ng(); ++g) {
    const bolza_row& row = phase.model.residuals->rows[phase.nz() + g];
    for (Eigen::Index k = 0; k < points.cols(); ++k)
      worst.look(beyond(values(phase.nz() + g, k), row.lower, row.upper) / phase.g_size(g), phase.name_of_limit(g),
                 points(0, k));
  }
}

/// At our own stages, states integrated anew; bounds of states and algebraics, too.
ConditionCheck limits_between(const Subject& s) {
  Worst worst;
  for (std::size_t p = 0; p < s.phases.size(); ++p) {
    const StoredPhase& phase = *s.phases[p];
    const Eigen::MatrixXd& points = s.flows[p]->points();
    look_at_limits(phase, points, worst);
    auto look = [&](const bolza_variable* list, Eigen::Index first, const Eigen::VectorXd& size) {
      for (Eigen::Index i = 0; i < size.size(); ++i)
        for (Eigen::Index k = 0; k < points.cols(); ++k)
          worst.look(beyond(points(first + i, k), list[i].min, list[i].max) / size(i), text_of(list[i].name), points(0, k));
    };
    look(phase.model.x, 1, phase.x_size);
    look(phase.model.z, 1 + phase.nx(), phase.z_size);
  }
  return worst.check("limits between the points", s.tolerance, "of its size");
}

ConditionCheck limits_at_samples(const Subject& s) {
  Worst worst;
  for (const auto& phase : s.phases)
    if (phase->ng() > 0) look_at_limits(*phase, phase->points(), worst);
  return worst.check("limits", s.tolerance, "of its size");
}

/// Our own polynomials at the samples of every piece.
ConditionCheck dynamics(const Subject& s) {
  Worst worst;
  double own = 0;
  for (std::size_t p = 0; p < s.phases.size(); ++p) {
    const StoredPhase& phase = *s.phases[p];
    own = std::max(own, s.flows[p]->own_error());
    for (std::size_t i = 0; i < phase.pieces.size(); ++i)
      for (std::size_t j = 1; j < phase.pieces[i].samples.size(); ++j) {
        Eigen::VectorXd x = s.flows[p]->state_at(i, phase.pieces[i].places[j]);
        std::size_t k = phase.pieces[i].samples[j];
        for (Eigen::Index a = 0; a < x.size(); ++a)
          worst.look(std::abs(x(a) - phase.stored.trajectories.x[static_cast<std::size_t>(a)][k]) / phase.x_size(a),
                     phase.name_of_state(a), phase.stored.trajectories.time[k]);
      }
  }
  ConditionCheck check = worst.check("dynamics", of_equations * s.tolerance, "of its size");
  check.text = "own error " + shown_at_most(own);
  return check;
}

/// h = 0 at the samples: by how much a step of Newton's method moves the algebraic variables.
ConditionCheck equations(const Subject& s) {
  Worst worst;
  for (const auto& phase : s.phases) {
    if (phase->nz() == 0) continue;
    Eigen::MatrixXd points = phase->points(), values = phase->residuals.at(points);
    std::vector<TotalSlopes> slopes = total_slopes(*phase, points);
    for (Eigen::Index k = 0; k < points.cols(); ++k) {
      Eigen::VectorXd move = slopes[static_cast<std::size_t>(k)].inverse * values.col(k).head(phase->nz());
      for (Eigen::Index b = 0; b < move.size(); ++b)
        worst.look(std::isfinite(move(b)) ? std::abs(move(b)) / phase->z_size(b) : infinity, phase->name_of_algebraic(b),
                   points(0, k));
    }
  }
  return worst.check("algebraic equations", of_equations * s.tolerance, "of its size");
}

/// Stored der(x) against f at the stored values.
ConditionCheck derivatives(const Subject& s) {
  Worst worst;
  for (const auto& phase : s.phases) {
    const abi::Trajectories& y = phase->stored.trajectories;
    if (y.rate.size() != y.x.size()) return not_checked("stored derivatives", "the file does not have all of them");
    Eigen::MatrixXd points = phase->points(), f = phase->rates.at(points);
    for (Eigen::Index a = 0; a < phase->nx(); ++a) {
      const std::vector<double>& rate = y.rate[static_cast<std::size_t>(a)];
      for (Eigen::Index k = 0; k < points.cols(); ++k)
        worst.look(std::abs(f(a, k) - rate[static_cast<std::size_t>(k)]) / size_of(rate),
                   "der(" + phase->name_of_state(a) + ")", points(0, k));
    }
  }
  return worst.check("stored derivatives", of_samples * s.tolerance, "of its size");
}

/// Start and final time of the trajectories against those of the model.
ConditionCheck times(const Subject& s) {
  Worst worst;
  for (const auto& phase : s.phases) {
    const std::int32_t* parameter = s.problem.phases[phase->number].parameter;
    const double stored[] = {phase->stored.start_time, phase->stored.final_time};
    for (std::size_t end : {0, 1}) {
      auto p = static_cast<std::size_t>(parameter[end]);
      worst.look(std::abs(stored[end] - s.stored.parameters[p]) / phase->length(), text_of(s.problem.parameters[p].name),
                 NAN);
    }
  }
  return worst.check("times", of_samples * s.tolerance, "of the horizon");
}

/// Fixed initial values, and initial equations.
ConditionCheck starts(const Subject& s) {
  Worst worst;
  for (const auto& phase : s.phases) {
    for (Eigen::Index a = 0; a < phase->nx(); ++a) {
      const bolza_variable& x = phase->model.x[a];
      if (x.fixed)
        worst.look(std::abs(phase->stored.trajectories.x[static_cast<std::size_t>(a)].front() - x.start) / phase->x_size(a),
                   phase->name_of_state(a), phase->stored.start_time);
    }
    if (phase->model.n_initial == 0) continue;
    FunctionValues initial(s.problem, phase->model.initial, phase->rates.shared());
    if (!initial.possible()) return not_checked("starts", "the initial equations cannot be evaluated");
    Eigen::VectorXd rows = initial.at(phase->points().leftCols(1)).col(0);
    for (Eigen::Index r = 0; r < rows.size(); ++r) {
      const bolza_row* row = phase->model.initial->rows;
      worst.look(std::abs(rows(r)), row ? text_of(row[r].name) : "an initial equation", phase->stored.start_time);
    }
  }
  return worst.check("starts", of_samples * s.tolerance, "of its size");
}

ConditionCheck point_constraints(const Subject& s) {
  Worst worst;
  for (std::size_t k = 0; k < s.problem.n_k; ++k) {
    const bolza_row& row = s.problem.point->rows[1 + k];
    double value = s.point.rows(1 + static_cast<Eigen::Index>(k));
    worst.look(beyond(value, row.lower, row.upper) / size_of_point_row(s.problem, s.point, k), text_of(row.name), NAN);
  }
  return worst.check("point constraints", of_points * s.tolerance, "of its size");
}

ConditionCheck objective(const Subject& s, Certificate& out) {
  out.objective = s.point.rows(0);
  out.stored = s.stored.objective;
  if (!std::isfinite(out.stored)) return not_checked("objective", "the file does not have it");
  Worst worst;
  worst.look(std::abs(out.objective - out.stored) / s.size, "", NAN);
  ConditionCheck check = worst.check("objective", of_objective * s.tolerance, "of its size");
  check.text = exact_text(out.objective) + " by own quadrature, " + exact_text(out.stored) + " stored";
  return check;
}

}  // namespace

void check_feasibility(Subject& subject, Certificate& out) {
  out.checks.push_back(bounds(subject));
  out.checks.push_back(limits_at_samples(subject));
  out.checks.push_back(times(subject));
  out.checks.push_back(starts(subject));
  out.checks.push_back(derivatives(subject));
  out.checks.push_back(equations(subject));
  if (!subject.integrated()) return;
  out.checks.push_back(dynamics(subject));
  out.checks.push_back(limits_between(subject));
  if (!subject.point.possible) {
    out.checks.push_back(not_checked("point constraints", "the point function cannot be evaluated"));
    return;
  }
  if (subject.problem.n_k > 0) out.checks.push_back(point_constraints(subject));
  out.checks.push_back(objective(subject, out));
}

}  // namespace bolza::verify
