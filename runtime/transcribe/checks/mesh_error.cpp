// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/mesh_error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "runtime/linalg/collocation_points.h"
#include "runtime/linalg/lagrange.h"
#include "runtime/transcribe/checks/arc_ends.h"
#include "runtime/transcribe/checks/control_gain.h"
#include "runtime/transcribe/checks/error_equation.h"
#include "runtime/transcribe/checks/hamiltonian.h"
#include "runtime/transcribe/checks/split_quadrature.h"
#include "runtime/transcribe/mesh/delay_reading.h"
#include "runtime/transcribe/mesh/interpolate.h"
#include "runtime/transcribe/mesh/mesh.h"
#include "runtime/transcribe/mesh/samples.h"
#include "runtime/transcribe/mesh/scheme.h"

namespace bolza::transcribe {
namespace {

using Part = nonlinear::ModelAt::Part;
constexpr double least_size = 1e-3;                      ///< of a variable, as a share of what it was divided by
constexpr auto no_limit = static_cast<std::size_t>(-1);  ///< of controls: they have no row in interval_multiplier
constexpr double share_of_states = 0.3;                  ///< how much of the largest violation of a state counts
constexpr double beyond_first_order = 0.3;               ///< of the sum of all: what the first order leaves out

/// What is claimed of parts that cancel, by the order of the scheme: the first order is exact to what costates and controls
/// of the mesh are off, and the lower their order, the more of it cancels by chance.
struct SharesOfCancelled {
  double between_intervals, within_one;
};

constexpr SharesOfCancelled shares_of_cancelled(int order) {
  return order <= 1   ? SharesOfCancelled{0.75, 0.35}
         : order == 2 ? SharesOfCancelled{0.65, 0.3}
                      : SharesOfCancelled{0.3, 0.05};
}

constexpr double of_unknown_place = 1.5;    ///< of what costates that jump or bend at the worst place cost
constexpr int most_levels = 8;              ///< of parts of an interval where right-hand sides have a kink
constexpr int most_levels_of_controls = 4;  ///< and where controls switch
constexpr double share_of_limits = 0.01;    ///< and of one that controls reach at once: it is over as fast

/// @param sizes  that the variables were divided by, empty: not known
double size_of(const bolza_variable& v, const std::vector<double>& values, const std::vector<double>& sizes, std::size_t k) {
  if (v.has_nominal && v.nominal != 0) return std::abs(v.nominal);
  double largest = least_size * (k < sizes.size() ? sizes[k] : 1);
  for (double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

/// The worst of an interval, and whose it is.
struct WorstInterval {
  double error = 0, time = 0;
  const char* name = "";
  void look(double e, double t, const char* whose) {
    if (!std::isfinite(e)) e = INFINITY;
    if (e > error) {
      error = e;
      time = t;
      name = whose ? whose : "";
    }
  }
};

/// A place of an interval.
struct CheckPoint {
  double tau;
  PhaseValues values;
  std::vector<double> rates;    // [n_x + n_q]
  std::vector<double> costate;  // [n_x], or none
};

class PhaseChecker {
 public:
  PhaseChecker(bolza_problem& problem, std::size_t number, const abi::Solution& solution, const Scheme& scheme)
      : solved_(solution.phases[number]),
        scheme_(scheme),
        interpolation_(solved_),
        model_(*problem.models[problem.phases[number].model]),
        hamiltonian_(problem, number, solution),
        tau_(linalg::lobatto_points(scheme.points + 2)),
        samples_(scheme, solved_.mesh.size() - 1, control_jumps(scheme, solved_.control_constant, model_.n_u)) {
    read_past(problem, number);
    controls_are_free_ = controls_are_free();
    for (double c : scheme.c)
      if (c > 0 && c < 1) nodes_.push_back(c);
    nodes_.push_back(1);
    for (double tau : tau_) {
      integrals_.push_back(linalg::lagrange_integrals(tau_, tau));
    }
    const abi::Trajectories& y = solved_.trajectories;
    for (std::size_t a = 0; a < model_.n_x; ++a) size_.push_back(size_of(model_.x[a], y.x[a], solved_.x_size, a));
    error_equation_.emplace(integrals_, size_);
    for (std::size_t q = 0; q < model_.n_q; ++q)
      size_.push_back(q < y.integral.size() ? std::max(least_size, std::abs(y.integral[q])) : 1);
    for (std::size_t b = 0; b < model_.n_z; ++b) z_size_.push_back(size_of(model_.z[b], y.z[b], solved_.z_size, b));
    for (std::size_t c = 0; c < model_.n_u; ++c) u_size_.push_back(size_of(model_.u[c], y.u[c], solved_.u_size, c));
    for (const std::vector<double>& amount : solved_.interval_multiplier)
      multiplier_.push_back(std::accumulate(amount.begin(), amount.end(), 0.0));
    control_gain_.emplace(hamiltonian_, u_size_, is_delayed_);
  }

  /// Whether ∂H/∂u says something: `slope` of an interval and `worst_slope` of all.
  bool has_slope() const { return controls_are_free_ && has_costates() && model_.n_u > 0 && delays_.empty(); }
  /// ∫ Σ |∂H/∂u| size(u) dt over the interval checked last.
  double slope() const {
    double sum = 0;
    for (std::size_t k = 0; k < points(); ++k) sum += integrals_.back()[k] * slope_[k];
    return (right_ - left_) * sum;
  }
  const WorstInterval& worst_slope() const { return worst_slope_; }

  /// What the interval checked last adds to the error of the objective, at most.
  double objective_error() const { return objective_error_; }
  /// By how much it puts the true objective (minimised) above the one that was found.
  double objective_shift() const { return objective_shift_; }

  /// What ends of arcs inside it may cost, of unknown sign.
  double objective_doubt() const { return objective_doubt_; }

  WorstInterval check(std::size_t i) {
    objective_error_ = objective_shift_ = objective_doubt_ = 0;
    interval_ = i;
    double length = solved_.final_time - solved_.start_time;
    left_ = solved_.start_time + solved_.mesh[i] * length;
    right_ = solved_.start_time + solved_.mesh[i + 1] * length;
    WorstInterval worst;
    look_at_points();
    look_at_integrals(worst);
    look_at_bounds(worst);
    look_at_path(worst);
    return worst;
  }

 private:
  std::size_t points() const { return tau_.size(); }
  /// Where kernels are evaluated: in this interval, not at its ends.
  double kernel_time(double tau) const { return left_ + within_interval(tau) * (right_ - left_); }
  double time(double tau) const { return tau == 0 ? left_ : tau == 1 ? right_ : left_ + tau * (right_ - left_); }
  PhaseValues at(double tau) const {
    Side side = tau == 0 ? Side::right : Side::left;
    PhaseValues v = interpolation_.at(time(tau), side);
    for (std::size_t d = 0; d < delays_.size(); ++d)
      v.u[model_.n_u - delays_.size() + d] = delayed(delays_[d], time(tau), side);
    return v;
  }

  void read_past(bolza_problem& problem, std::size_t number) {
    Horizon horizon{.t0 = solved_.start_time, .tf = solved_.final_time};
    if (DelayReading reading = read_delays(problem, number, horizon); reading.refusal.empty()) delays_ = reading.delays;
    const std::vector<double>& shared = hamiltonian_.reduced().at().shared;
    is_delayed_.assign(model_.n_u, 0);
    for (DelayedValue& delay : delays_) {
      if (delay.is_free()) delay.time = delay.constant;
      for (auto [entry, slope] : delay.slopes) delay.time += slope * shared[static_cast<std::size_t>(entry)];
      for (auto [source, coefficient] : delay.terms)
        if (std::size_t first = 1 + model_.n_x + model_.n_z; source >= first) is_delayed_[source - first] = 1;
    }
  }

  /// What a delayed value is by the polynomials of the past, not by the polynomial through its own values.
  double delayed(const DelayedValue& delay, double t, Side side) const {
    double s = std::max(t - delay.time, solved_.start_time), room = 1e-12 * (solved_.final_time - solved_.start_time);
    PhaseValues past = interpolation_.at(side == Side::right ? s + room : s - room, side);
    double value = delay.offset;
    for (auto [source, coefficient] : delay.terms) {
      std::size_t k = source - 1;
      value += coefficient * (k < model_.n_x                ? past.x[k]
                              : k < model_.n_x + model_.n_z ? past.z[k - model_.n_x]
                                                            : past.u[k - model_.n_x - model_.n_z]);
    }
    return value;
  }

  bool has_costates() const { return model_.n_x > 0 && solved_.trajectories.costate.size() == model_.n_x; }

  /// The costates at a place: the polynomials through their values at the samples.
  std::vector<double> costates_at(double tau) const {
    std::vector<double> costate(has_costates() ? model_.n_x : 0), weight = linalg::lagrange_values(nodes_, tau);
    for (std::size_t a = 0; a < costate.size(); ++a)
      for (std::size_t r = 0; r < nodes_.size(); ++r)
        costate[a] += weight[r] * solved_.trajectories.costate[a][samples_.index(interval_, nodes_[r])];
    return costate;
  }

  /// Polynomials, the algebraics that belong to them, and right-hand sides.
  CheckPoint point_at(double tau) {
    CheckPoint p{tau, at(tau), std::vector<double>(model_.n_x + model_.n_q), costates_at(tau)};
    if (model_.n_z > 0) {
      hamiltonian_.reduced().anchor(p.values.z);
      if (hamiltonian_.reduced().move_to(kernel_time(tau), p.values.x, p.values.u)) p.values.z = hamiltonian_.reduced().z();
    }
    if (!p.rates.empty() && !hamiltonian_.rates_at(kernel_time(tau), p.values, p.rates)) p.rates.assign(p.rates.size(), NAN);
    return p;
  }

  void look_at_points() {
    points_.clear();
    slope_.assign(tau_.size(), 0);
    for (std::size_t k = 0; k < tau_.size(); ++k) {
      points_.push_back(point_at(tau_[k]));
      if (has_slope()) look_at_slope(k, points_.back().values, kernel_time(tau_[k]));
    }
  }

  /// What the Hamiltonian gains by controls that are outside their bounds, and what it would gain by others, less than zero:
  /// a polynomial cannot switch inside an interval. Controls that a delay reads are left out: the Hamiltonian has not their
  /// later effect.
  std::vector<double> gains_at(const CheckPoint& p) {
    std::vector<double> u = p.values.u, moved(p.rates.size());
    for (std::size_t c = 0; c < model_.n_u; ++c)
      if (!is_delayed_[c]) u[c] = std::min(std::max(u[c], model_.u[c].min), model_.u[c].max);
    double t = kernel_time(p.tau), here = hamiltonian_.value(p.costate, p.rates), outside = 0;
    if (u != p.values.u) {
      if (!hamiltonian_.rates_with(t, p.values, u, moved)) return {0, 0, 0};
      outside = hamiltonian_.value(p.costate, moved) - here;
    }
    bool compare =
        control_gain_->possible() && hamiltonian_.known() && !solved_.control_constant && std::isfinite(here + outside);
    if (!compare) return {outside, 0, 0};
    ControlGain::Gain gain = control_gain_->gain({t, &p.values, p.costate, here + outside}, u);
    return {outside, -gain.at_ends, -gain.between};
  }

  /// |∂H/∂u| size(u) of the controls between their bounds, by central differences.
  void look_at_slope(std::size_t k, const PhaseValues& v, double t) {
    constexpr double step = 1e-5, beside_bound = 1e-3;  // of the size, and of the distance of the bounds
    std::vector<double> u = v.u, rows(model_.n_x + model_.n_q);
    for (std::size_t c = 0; c < model_.n_u; ++c) {
      double range = model_.u[c].max - model_.u[c].min, room = beside_bound * (std::isfinite(range) ? range : u_size_[c]);
      if (v.u[c] < model_.u[c].min + room || v.u[c] > model_.u[c].max - room) continue;
      double delta = std::min(step * u_size_[c], room);
      u[c] = v.u[c] + delta;
      if (!hamiltonian_.rates_with(t, v, u, rows)) continue;
      double above = hamiltonian_.value(points_[k].costate, rows);
      u[c] = v.u[c] - delta;
      if (!hamiltonian_.rates_with(t, v, u, rows)) continue;
      double slope = std::abs(above - hamiltonian_.value(points_[k].costate, rows)) / (2 * delta) * u_size_[c];
      u[c] = v.u[c];
      slope_[k] += slope;
      worst_slope_.look(slope, time(tau_[k]), model_.u[c].name);
    }
  }

  /// Whether nothing but their own bounds holds the controls, so that each may be moved to a bound alone.
  bool controls_are_free() const {
    if (!hamiltonian_.known() || solved_.control_constant) return false;
    for (std::size_t b = 0; b < model_.n_z; ++b)
      if (std::isfinite(model_.z[b].min) || std::isfinite(model_.z[b].max)) return false;
    for (std::size_t g = model_.n_z; g < model_.n_z + model_.n_g; ++g)
      if (!of_states_alone(g)) return false;
    return true;
  }

  void look_at_integrals(WorstInterval& worst) {
    double h = right_ - left_;
    auto integral = [&](std::size_t row, std::size_t k) {
      double sum = 0;
      for (std::size_t j = 0; j < points(); ++j) sum += integrals_[k][j] * points_[j].rates[row];
      return h * sum;
    };
    auto n_x = static_cast<Eigen::Index>(model_.n_x);
    Eigen::MatrixXd error(n_x, static_cast<Eigen::Index>(points()));
    for (std::size_t a = 0; a < model_.n_x; ++a)
      for (std::size_t k = 0; k < points(); ++k)
        error(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(k)) =
            points_[0].values.x[a] + integral(a, k) - points_[k].values.x[a];
    if (n_x > 0) {
      std::vector<ErrorEquation::At> at;
      for (std::size_t k = 0; k < points(); ++k) at.push_back({kernel_time(tau_[k]), &points_[k].values});
      error_equation_->apply(hamiltonian_.reduced(), h, at, error);
    }
    for (std::size_t a = 0; a < model_.n_x; ++a)
      for (std::size_t k = 1; k < points(); ++k)
        worst.look(std::abs(error(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(k))) / size_[a], time(tau_[k]),
                   model_.x[a].name);
    double residuals = weigh_residuals(worst);
    if (has_costates() && model_.n_u > 0) weigh_controls(residuals);
    else add_to_objective(residuals);
  }

  /// @param shift  true objective less the one that was found
  void add_to_objective(double shift) {
    if (std::isfinite(shift)) {
      objective_error_ += std::abs(shift);
      objective_shift_ += shift;
    }
  }

  SplitQuadrature quadrature(int most_levels) const {
    return {.tau = tau_, .weight = integrals_.back(), .most_levels = most_levels};
  }

  /// λᵀ (f − x̃') and the integrands q less what the transcription has for them on average, by τ.
  std::vector<double> residuals_at(const CheckPoint& p, const std::vector<double>& quadrature) const {
    double h = right_ - left_;
    std::vector<double> out(1 + model_.n_q, 0), weight = linalg::lagrange_slopes(tau_, p.tau);
    for (std::size_t a = 0; a < p.costate.size(); ++a) {
      double slope = 0;
      for (std::size_t j = 0; j < points(); ++j) slope += weight[j] * points_[j].values.x[a];
      out[0] += p.costate[a] * (h * p.rates[a] - slope);
    }
    for (std::size_t q = 0; q < model_.n_q; ++q) out[1 + q] = h * (p.rates[model_.n_x + q] - quadrature[q]);
    return out;
  }

  /// ∫ λᵀ (f − x̃') dt over the interval, and what its integrals are off: their sum where H is known.
  double weigh_residuals(WorstInterval& worst) {
    constexpr double rounding = 1e-13;
    std::vector<double> average = quadrature_of();
    std::vector<std::vector<double>> at_points;
    double size = 0;
    for (const CheckPoint& p : points_) {
      at_points.push_back(residuals_at(p, average));
      for (std::size_t r = 0; r < p.rates.size(); ++r)
        size = std::max(size, std::abs(p.rates[r] * (r >= model_.n_x ? 1 : has_costates() ? p.costate[r] : 0)));
    }
    std::vector<double> off = quadrature(most_levels)
                                  .integrate(
                                      at_points, [&](double tau) { return residuals_at(point_at(tau), average); },
                                      rounding * (right_ - left_) * size);
    double sum = has_costates() ? off[0] : 0;
    for (std::size_t q = 0; q < model_.n_q; ++q) {
      double error = off[1 + q];
      sum += hamiltonian_.weights()[q] * (hamiltonian_.known() ? error : std::abs(error));
      worst.look(std::abs(error) / size_[model_.n_x + q], right_, "objective");
    }
    return sum;
  }

  /// The integrals of what the Hamiltonian gains by controls outside their bounds and would gain by better ones; between the
  /// check points only where it is not little beside the rest. Those between the ends mend what the residuals have of the
  /// same controls, and are one part with these.
  /// @param residuals  their part so far
  void weigh_controls(double residuals) {
    constexpr double little = 0.05;
    double h = right_ - left_, size = 0;
    auto scaled = [h](std::vector<double> values) {
      for (double& v : values) v *= h;
      return values;
    };
    std::vector<std::vector<double>> at_points;
    std::vector<double> gain(3, 0);
    for (std::size_t k = 0; k < points(); ++k) {
      at_points.push_back(scaled(gains_at(points_[k])));
      for (std::size_t i = 0; i < gain.size(); ++i) gain[i] += integrals_.back()[k] * at_points.back()[i];
    }
    for (double g : gain) size += std::abs(g);
    double floor = little * (objective_error_ + std::abs(residuals));
    if (size > floor)
      gain = quadrature(most_levels_of_controls)
                 .integrate(at_points, [&](double tau) { return scaled(gains_at(point_at(tau))); }, floor);
    add_to_objective(gain[0]);
    add_to_objective(gain[1]);
    add_to_objective(residuals + gain[2]);
  }

  /// Σ b_j q_j at the collocation points, as the transcription has it.
  std::vector<double> quadrature_of() {
    std::vector<double> sums(model_.n_q, 0), rows(model_.n_x + model_.n_q);
    for (std::size_t j = 0; j < scheme_.points; ++j) {
      PhaseValues v = at(scheme_.c[j]);
      if (!hamiltonian_.rates_at(kernel_time(scheme_.c[j]), v, rows)) rows.assign(rows.size(), NAN);
      for (std::size_t q = 0; q < model_.n_q; ++q) sums[q] += scheme_.b[j] * rows[model_.n_x + q];
    }
    return sums;
  }

  /// What lies outside: the larger of its integral as a share of the horizon and a part of its largest value.
  /// @param limit  its row in interval_multiplier, or no_limit
  /// @param between  of states: its values at other places
  template <class Value>
  void outside(double lower, double upper, double size, const char* name, bool of_states, std::size_t limit,
               WorstInterval& worst, Value value, const std::function<double(double tau)>& between = {}) {
    if (!std::isfinite(lower) && !std::isfinite(upper)) return;
    double sum = 0, most = 0, when = left_;
    for (std::size_t k = 0; k < points(); ++k) {
      double beyond = std::max({0.0, lower - value(k), value(k) - upper});
      sum += integrals_.back()[k] * beyond;
      if (beyond > most) {
        most = beyond;
        when = time(tau_[k]);
      }
    }
    bool counts = of_states && matters(limit);
    double gained = most;
    for (std::size_t k = 1; counts && between && k < points(); ++k)
      for (double s : {0.25, 0.5, 0.75}) {
        double v = between(tau_[k - 1] + s * (tau_[k] - tau_[k - 1]));
        gained = std::max({gained, lower - v, v - upper});
      }
    if (limit < solved_.interval_multiplier.size())
      add_to_objective(solved_.interval_multiplier[limit][interval_] * (of_states ? gained : sum));
    double share = sum * (right_ - left_) / (solved_.final_time - solved_.start_time);
    double part = limit == no_limit ? 0 : of_states ? share_of_states : share_of_limits;
    worst.look(std::max(share, part * most) / size, when, name);
  }
  /// Whether a limit has a share of its multiplier here that is worth more looks.
  bool matters(std::size_t limit) const {
    constexpr double share = 1e-6;
    if (limit >= solved_.interval_multiplier.size()) return false;
    return solved_.interval_multiplier[limit][interval_] > share * multiplier_[limit];
  }
  /// What better controls would gain, negative. At a bound it is of first order in the costates, and so long only as these
  /// are off with one sign.
  double gain_of_doubt(const CheckPoint& p) {
    constexpr double share_at_bounds = 0.1;
    std::vector<double> gains = gains_at(p);
    return gains[2] + share_at_bounds * gains[1];
  }
  /// What it costs that an arc on a limit begins or ends, or touches it, at an unknown place: controls of other costates.
  /// @param g  derivative of the limit by the states [n_x]
  void doubt_arc_end(std::size_t limit, std::span<const double> g) {
    if (!matters(limit) || !has_costates() || model_.n_u == 0 || solved_.control_constant) return;
    ArcEnd end = arc_end(solved_.interval_multiplier[limit], solved_.mesh, interval_);
    const PhaseValues& middle = points_[points() / 2].values;
    if (!end.any() || !control_gain_->possible() || !hamiltonian_.known() ||
        !hamiltonian_.reduced().move_to(kernel_time(tau_[points() / 2]), middle.x, middle.u))
      return;
    std::vector<double> d =
        costate_doubt(end, g, right_ - left_, scheme_.points - (scheme_.c[0] == 0), hamiltonian_.reduced());
    double sum = 0;
    for (std::size_t k = 0; k < points(); ++k) {
      CheckPoint p = points_[k];
      double gain = 2 * gain_of_doubt(p);
      for (double sign : {1.0, -2.0}) {
        for (std::size_t a = 0; a < d.size(); ++a) p.costate[a] += sign * d[a];
        gain -= gain_of_doubt(p);
      }
      sum += integrals_.back()[k] * std::max(0.0, gain / 2);
    }
    if (std::isfinite(sum)) objective_doubt_ += of_unknown_place * (right_ - left_) * sum;
  }
  void look_at_bounds(WorstInterval& worst) {
    auto look = [&](const bolza_variable* variables, std::size_t n, bool of_states, std::size_t first_limit,
                    const std::vector<double>& sizes, std::vector<double> PhaseValues::* part) {
      for (std::size_t k = 0; k < n; ++k)
        outside(
            variables[k].min, variables[k].max, sizes[k], variables[k].name, of_states,
            first_limit == no_limit ? no_limit : first_limit + k, worst,
            [&](std::size_t p) { return (points_[p].values.*part)[k]; }, [&](double tau) { return (at(tau).*part)[k]; });
    };
    look(model_.x, model_.n_x, true, 0, size_, &PhaseValues::x);
    for (std::size_t a = 0; a < model_.n_x; ++a) {
      std::vector<double> unit(model_.n_x, 0);
      unit[a] = 1;
      doubt_arc_end(a, unit);
    }
    look(model_.z, model_.n_z, false, model_.n_x, z_size_, &PhaseValues::z);
    look(model_.u, model_.n_u, false, no_limit, u_size_, &PhaseValues::u);  // what controls gain is look_at_gain's
  }
  /// Whether a path constraint reads neither controls nor algebraics.
  bool of_states_alone(std::size_t row) const {
    const bolza_function& f = *model_.residuals;
    for (std::size_t e = 0; e < f.jac_nnz; ++e)
      if (static_cast<std::size_t>(f.jac_row[e]) == row && static_cast<std::size_t>(f.jac_col[e]) > model_.n_x) return false;
    return true;
  }
  void look_at_path(WorstInterval& worst) {
    if (model_.n_g == 0) return;
    std::vector<std::vector<double>> rows;
    for (std::size_t k = 0; k < points(); ++k) rows.push_back(path_rows(tau_[k], points_[k].values));
    for (std::size_t g = model_.n_z; g < model_.n_z + model_.n_g; ++g) {
      const bolza_row& row = model_.residuals->rows[g];
      double size = 1;
      for (double bound : {row.lower, row.upper})
        if (std::isfinite(bound)) size = std::max(size, std::abs(bound));
      outside(
          row.lower, row.upper, size, row.name, of_states_alone(g), model_.n_x + g, worst,
          [&](std::size_t k) { return rows[k][g]; }, [&](double tau) { return path_rows(tau, at(tau))[g]; });
      if (of_states_alone(g) && matters(model_.n_x + g)) doubt_arc_end(model_.n_x + g, slope_of_path(g));
    }
  }
  /// Rows of the residuals; NaN where one is not finite.
  std::vector<double> path_rows(double tau, const PhaseValues& v) {
    std::vector<double> rows(model_.n_z + model_.n_g);
    nonlinear::ModelAt::Point point{kernel_time(tau), v.x.data(), v.z.data(), v.u.data()};
    if (!hamiltonian_.reduced().at().value(Part::residuals, point, rows)) rows.assign(rows.size(), NAN);
    return rows;
  }
  /// The derivative of a path constraint by the states, in the middle of the interval. [n_x]
  std::vector<double> slope_of_path(std::size_t row) {
    const PhaseValues& v = points_[points() / 2].values;
    nonlinear::Derivative d;
    std::vector<double> slope(model_.n_x, 0);
    nonlinear::ModelAt::Point point{kernel_time(tau_[points() / 2]), v.x.data(), v.z.data(), v.u.data()};
    if (!hamiltonian_.reduced().at().jacobian(Part::residuals, point, {}, d)) return slope;
    for (std::size_t e = 0; e < d.value.size(); ++e) {
      auto column = static_cast<std::size_t>(d.col[e]);
      if (static_cast<std::size_t>(d.row[e]) == row && column >= 1 && column <= model_.n_x) slope[column - 1] = d.value[e];
    }
    return slope;
  }

  const abi::PhaseSolution& solved_;
  const Scheme& scheme_;
  Interpolation interpolation_;
  const bolza_model& model_;
  Hamiltonian hamiltonian_;
  std::vector<double> tau_, size_, z_size_, u_size_;  // size_: of states, then of integrals
  std::vector<double> multiplier_;                    // of a limit, over all intervals
  std::vector<std::vector<double>> integrals_;        // [points][points] of the Lagrange polynomials from 0 to tau_k
  std::optional<ErrorEquation> error_equation_;
  Samples samples_;
  std::vector<double> nodes_{0};  // where an interval has samples
  double left_ = 0, right_ = 0;
  std::size_t interval_ = 0;
  double objective_error_ = 0, objective_shift_ = 0, objective_doubt_ = 0;
  bool controls_are_free_ = false;
  std::vector<DelayedValue> delays_;  // with their times at the solution
  std::vector<char> is_delayed_;      // [n_u] a delay reads the control
  std::vector<CheckPoint> points_;    // [points]
  std::optional<ControlGain> control_gain_;
  std::vector<double> slope_;  // [points] Σ |∂H/∂u| size(u)
  WorstInterval worst_slope_;  // its largest term
};

/// Where the error is as large as the objective so is what the first order leaves out, relative to it.
double second_order(double error, double objective) {
  return error > 0 && std::isfinite(objective) ? std::min(1.0, error / std::abs(objective)) : 0;
}

}  // namespace

MeshError mesh_error(bolza_problem& problem, const abi::Solution& solution) {
  MeshError result;
  if (problem.is_static) {
    result.known = true;
    return result;
  }
  double shift = 0, of_intervals = 0, doubt = 0, slope = 0, most_slope = 0;
  bool has_slope = problem.n_phases > 0;
  int lowest_order = std::numeric_limits<int>::max();
  for (std::size_t p = 0; p < problem.n_phases && p < solution.phases.size(); ++p) {
    const abi::PhaseSolution& phase = solution.phases[p];
    if (phase.trajectories.time.empty() || !Interpolation(phase).exact()) return {};
    Scheme scheme = find_scheme(phase.transcription)->make(phase.points);
    PhaseChecker checker(problem, p, solution, scheme);
    lowest_order = std::min(lowest_order, scheme.order);
    result.order.push_back(scheme.points + 1);
    result.interval.emplace_back();
    result.objective_of.emplace_back();
    for (std::size_t i = 0; i + 1 < phase.mesh.size(); ++i) {
      WorstInterval worst = checker.check(i);
      result.interval.back().push_back(worst.error);
      if (worst.error > result.largest) {
        result.largest = worst.error;
        result.name = worst.name;
        result.time = worst.time;
      }
      result.objective_of.back().push_back(checker.objective_error() + checker.objective_doubt());
      result.objective_bound += result.objective_of.back().back();
      doubt += checker.objective_doubt();
      shift += checker.objective_shift();
      of_intervals += std::abs(checker.objective_shift());
      if (checker.has_slope()) slope += checker.slope();
    }
    has_slope = has_slope && checker.has_slope();
    if (const WorstInterval& worst = checker.worst_slope(); worst.error > most_slope) {
      most_slope = worst.error;
      result.slope_name = worst.name;
      result.slope_time = worst.time;
    }
  }
  result.control_slope = has_slope ? slope : NAN;
  SharesOfCancelled shares = shares_of_cancelled(lowest_order);
  result.objective = (1 + beyond_first_order) * std::abs(shift) +
                     shares.between_intervals * (of_intervals - std::abs(shift)) +
                     shares.within_one * (result.objective_bound - of_intervals) + doubt;
  result.objective *= 1 + second_order(result.objective, solution.objective);
  result.known = true;
  return result;
}

}  // namespace bolza::transcribe
