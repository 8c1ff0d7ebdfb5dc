// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/lagrangian.h"

#include <algorithm>
#include <cmath>

#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

constexpr int chords = 4;  ///< that move algebraic variables to a parameter a small step away

/// Points of a phase at which a Lagrangian is evaluated again and again, with what algebraic variables take to follow.
struct FixedPoints {
  Eigen::MatrixXd points;                ///< [1 + n_x + n_z + n_u × n]
  std::vector<Eigen::MatrixXd> inverse;  ///< of ∂h/∂z
  Eigen::RowVectorXd fraction;           ///< of the horizon
};

FixedPoints fixed_points(const StoredPhase& phase, Eigen::MatrixXd points, const std::vector<TotalSlopes>& slopes) {
  FixedPoints out{std::move(points), {}, {}};
  for (const TotalSlopes& at : slopes) out.inverse.push_back(at.inverse);
  out.fraction = (out.points.row(0).array() - phase.stored.start_time) / phase.length();
  return out;
}

FixedPoints fixed_points(const StoredPhase& phase, const Eigen::MatrixXd& points) {
  return fixed_points(phase, points, total_slopes(phase, points));
}

/// The Lagrangian of one result for problems of the same structure.
class Lagrangian {
 public:
  explicit Lagrangian(const Subject& s) : s_(s) {
    for (std::size_t p = 0; p < s.phases.size(); ++p) {
      const StoredPhase& phase = *s.phases[p];
      stages_.push_back(fixed_points(phase, s.flows[p]->points(), s.flows[p]->slopes()));
      Eigen::MatrixXd acting(1 + phase.nx() + phase.nz() + phase.nu(), static_cast<Eigen::Index>(s.acting[p].size()));
      for (std::size_t k = 0; k < s.acting[p].size(); ++k) {
        const StoredPiece& piece = phase.pieces[s.acting[p][k].impulse.piece];
        double time = s.acting[p][k].time;
        acting.col(static_cast<Eigen::Index>(k)) = phase.point_at(time, time > 0.5 * (piece.from + piece.to));
      }
      acting_.push_back(fixed_points(phase, acting));
      start_.push_back(fixed_points(phase, phase.points().leftCols(1)));
    }
  }

  double of(bolza_problem& other) {
    parameters_.clear();
    for (std::size_t p = 0; p < other.n_parameters; ++p)
      parameters_.push_back(other.parameters[p].fixed ? other.parameters[p].start : s_.stored.parameters[p]);
    integrals_.clear();
    double sum = 0;
    for (std::size_t p = 0; p < s_.phases.size(); ++p) sum += phase_terms(other, p);
    for (std::size_t p = 0; p < s_.stored.parameter_multipliers.size() && p < other.n_parameters; ++p)
      sum -= side_term(s_.stored.parameter_multipliers[p], other.parameters[p].min, other.parameters[p].max);
    return sum + point_terms_of(other);
  }

 private:
  static double side_term(double multiplier, double lower, double upper) {
    double side = multiplier > 0 ? upper : lower;
    return multiplier != 0 && std::isfinite(side) ? multiplier * side : 0;
  }
  std::vector<double> shared_of(const bolza_problem& other, std::size_t p) const {
    const bolza_phase& phase = other.phases[p];
    const bolza_model& model = *other.models[phase.model];
    std::vector<double> shared(phase.shared_values, phase.shared_values + model.n_shared);
    for (std::size_t k = 0; k < model.n_global; ++k) shared[k] = parameters_[static_cast<std::size_t>(phase.parameter[k])];
    return shared;
  }
  double time(const bolza_problem& other, std::size_t p, double fraction) const {
    const std::int32_t* of = other.phases[p].parameter;
    double start = parameters_[static_cast<std::size_t>(of[0])], final = parameters_[static_cast<std::size_t>(of[1])];
    return start + fraction * (final - start);
  }
  /// The points with times and algebraic variables of the other problem.
  Eigen::MatrixXd moved(const bolza_problem& other, std::size_t p, const FixedPoints& at,
                        const FunctionValues& residuals) const {
    Eigen::MatrixXd points = at.points;
    for (Eigen::Index k = 0; k < points.cols(); ++k) points(0, k) = time(other, p, at.fraction(k));
    Eigen::Index nz = s_.phases[p]->nz();
    for (int round = 0; round < chords && nz > 0; ++round) {
      Eigen::MatrixXd h = residuals.at(points);
      for (Eigen::Index k = 0; k < points.cols(); ++k)
        points.block(1 + s_.phases[p]->nx(), k, nz, 1) -= at.inverse[static_cast<std::size_t>(k)] * h.col(k).head(nz);
    }
    return points;
  }

  double phase_terms(bolza_problem& other, std::size_t p) {
    const bolza_model& model = *other.models[other.phases[p].model];
    FunctionValues rates(other, model.rates, shared_of(other, p)), residuals(other, model.residuals, shared_of(other, p));
    return dynamics(other, p, rates, residuals) - limits(other, p, residuals) + starts(other, p, residuals);
  }

  /// ∫ λᵀ f; the integrals of q are kept.
  double dynamics(const bolza_problem& other, std::size_t p, const FunctionValues& rates, const FunctionValues& residuals) {
    const StoredPhase& phase = *s_.phases[p];
    const OwnFlow& flow = *s_.flows[p];
    Eigen::MatrixXd f = rates.at(moved(other, p, stages_[p], residuals));
    double longer = (time(other, p, 1) - time(other, p, 0)) / phase.length(), sum = 0;
    integrals_.push_back(Eigen::VectorXd::Zero(phase.nq()));
    for (Eigen::Index k = 0; k < f.cols(); ++k) {
      auto piece = static_cast<std::size_t>(k / flow.stages());
      double weight = longer * flow.weight(piece, k % flow.stages());
      sum += weight * s_.costates[p][piece].stages.col(k % flow.stages()).dot(f.col(k).head(phase.nx()));
      integrals_.back() += weight * f.col(k).tail(phase.nq());
    }
    return sum;
  }

  /// Σ amount · (limit − what is limited).
  double limits(const bolza_problem& other, std::size_t p, const FunctionValues& residuals) const {
    if (s_.acting[p].empty()) return 0;
    const StoredPhase& phase = *s_.phases[p];
    const bolza_model& model = *other.models[other.phases[p].model];
    Eigen::MatrixXd points = moved(other, p, acting_[p], residuals), rows = residuals.at(points);
    double sum = 0;
    for (std::size_t k = 0; k < s_.acting[p].size(); ++k) {
      const ActingMultiplier& m = s_.acting[p][k];
      auto at = static_cast<Eigen::Index>(k);
      auto variable = [&](const bolza_variable& v, Eigen::Index row) {
        sum += side_term(m.amount, v.min, v.max) - m.amount * points(row, at);
      };
      switch (m.kind) {
        case ActingMultiplier::Kind::state:
          variable(model.x[m.index], 1 + m.index);
          break;
        case ActingMultiplier::Kind::algebraic:
          variable(model.z[m.index], 1 + phase.nx() + m.index);
          break;
        case ActingMultiplier::Kind::control:
          variable(model.u[m.index], 1 + phase.nx() + phase.nz() + m.index);
          break;
        case ActingMultiplier::Kind::path: {
          const bolza_row& row = model.residuals->rows[phase.nz() + m.index];
          sum += side_term(m.amount, row.lower, row.upper) - m.amount * rows(phase.nz() + m.index, at);
          break;
        }
      }
    }
    return sum;
  }

  /// λ(t0)ᵀ x(t0) of fixed starts, and initial equations with their multipliers.
  double starts(const bolza_problem& other, std::size_t p, const FunctionValues& residuals) const {
    const bolza_model& model = *other.models[other.phases[p].model];
    double sum = 0;
    for (Eigen::Index a = 0; a < s_.phases[p]->nx(); ++a)
      if (model.x[a].fixed) sum += s_.start_costates[p](a) * model.x[a].start;
    if (model.n_initial == 0) return sum;
    FunctionValues initial(other, model.initial, shared_of(other, p));
    Eigen::VectorXd rows = initial.at(moved(other, p, start_[p], residuals)).col(0);
    const std::vector<double>& multipliers = s_.stored.phases[p].multipliers.initial;
    for (std::size_t r = 0; r < multipliers.size(); ++r) sum += multipliers[r] * rows(static_cast<Eigen::Index>(r));
    return sum;
  }

  double value_of(const bolza_problem& other, const bolza_value_at& value) const {
    auto index = static_cast<Eigen::Index>(value.index);
    if (value.quantity == BOLZA_INTEGRAL) return integrals_[static_cast<std::size_t>(value.place)](index);
    const bolza_place& place = other.places[value.place];
    auto p = static_cast<std::size_t>(place.phase);
    const StoredPhase& phase = *s_.phases[p];
    double start = time(other, p, 0), final = time(other, p, 1);
    double fraction = (place.on_start * start + place.on_final * final + place.offset - start) / (final - start);
    double own_time = phase.stored.start_time + fraction * phase.length();
    if (value.quantity == BOLZA_STATE) return phase.point_at(own_time, fraction > 0)(1 + index);
    if (value.quantity == BOLZA_CONTROL) return phase.point_at(own_time, fraction > 0)(1 + phase.nx() + phase.nz() + index);
    const bolza_model& model = *other.models[other.phases[p].model];
    FunctionValues residuals(other, model.residuals, shared_of(other, p));
    Eigen::MatrixXd point = moved(other, p, fixed_points(phase, phase.point_at(own_time, fraction > 0)), residuals);
    if (value.quantity == BOLZA_ALGEBRAIC) return point(1 + phase.nx() + index, 0);
    return FunctionValues(other, model.rates, shared_of(other, p)).at(point)(index, 0);
  }

  /// σ φ + Σ ν (k − its limit).
  double point_terms_of(bolza_problem& other) const {
    Eigen::VectorXd values(static_cast<Eigen::Index>(other.n_values));
    for (std::size_t v = 0; v < other.n_values; ++v) values(static_cast<Eigen::Index>(v)) = value_of(other, other.values[v]);
    std::vector<double> shared = parameters_;
    for (std::size_t k = other.n_parameters; k < other.point->n_shared; ++k)
      shared.push_back(other.point_data[k - other.n_parameters]);
    Eigen::VectorXd rows = FunctionValues(other, other.point, shared).at(values).col(0);
    double sum = (other.maximize ? -1 : 1) * rows(0);
    for (std::size_t k = 0; k < other.n_k; ++k) {
      const bolza_row& row = other.point->rows[1 + k];
      double multiplier = s_.stored.point_multipliers[k];
      sum += multiplier * rows(1 + static_cast<Eigen::Index>(k)) - side_term(multiplier, row.lower, row.upper);
    }
    return sum;
  }

  const Subject& s_;
  std::vector<FixedPoints> stages_, acting_, start_;
  std::vector<double> parameters_;
  std::vector<Eigen::VectorXd> integrals_;
};

bool is_alike(const bolza_problem& a, const bolza_problem& b) {
  if (a.n_models != b.n_models || a.n_phases != b.n_phases || a.n_parameters != b.n_parameters || a.n_values != b.n_values ||
      a.n_k != b.n_k || a.n_places != b.n_places)
    return false;
  for (std::size_t k = 0; k < a.n_models; ++k) {
    const bolza_model &m = *a.models[k], &o = *b.models[k];
    if (m.n_x != o.n_x || m.n_z != o.n_z || m.n_u != o.n_u || m.n_q != o.n_q || m.n_g != o.n_g ||
        m.n_initial != o.n_initial || m.n_global != o.n_global)
      return false;
  }
  return true;
}

}  // namespace

std::vector<double> objective_slopes(bolza_problem& problem, const abi::Solution& stored,
                                     std::span<const abi::NeighbourProblems> neighbours) {
  std::vector<double> out(neighbours.size(), std::nan(""));
  Subject s(problem, stored);
  Certificate ignored;
  if (!prepare(s).empty() || !s.has_multipliers) return out;
  check_costates(s, ignored);
  Lagrangian lagrangian(s);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const abi::NeighbourProblems& n = neighbours[k];
    if (!is_alike(problem, *n.below) || !is_alike(problem, *n.above)) continue;
    double rise = lagrangian.of(*n.above) - lagrangian.of(*n.below);
    out[k] = (problem.maximize ? -1 : 1) * rise / (2 * n.step);
  }
  return out;
}

}  // namespace bolza::verify
