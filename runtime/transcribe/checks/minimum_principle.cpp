// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/minimum_principle.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/linalg/dense_decompositions.h"
#include "runtime/transcribe/checks/hamiltonian.h"

namespace bolza::transcribe {
namespace {

using Part = nonlinear::ModelAt::Part;
constexpr std::size_t most_samples = 400, most_restored = 100;  ///< the second where moves are brought back to equalities
constexpr int grid = 10;                                        ///< parts of the distance of finite bounds
constexpr double first_part = 0.1;   ///< of the way to another control, where H has to be above the line
constexpr double above_line = 0.05;  ///< by this share of what is gained
constexpr double slack = 1e-6;       ///< of limits, as a share of their size
constexpr int restorations = 6;      ///< steps of Newton's method back to equalities

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t k) {
  std::vector<double> out;
  for (const std::vector<double>& row : rows) out.push_back(row[k]);
  return out;
}

class PhaseSearch {
 public:
  PhaseSearch(bolza_problem& problem, std::size_t phase, const abi::Solution& solution)
      : solved_(solution.phases[phase]),
        hamiltonian_(problem, phase, solution),
        model_(hamiltonian_.model()),
        rates_(model_.n_x + model_.n_q),
        rows_(model_.n_z + model_.n_g) {
    const abi::Trajectories& y = solved_.trajectories;
    for (std::size_t c = 0; c < model_.n_u && c < y.u.size(); ++c) {
      double size = c < solved_.u_size.size() ? std::abs(solved_.u_size[c]) : 0;
      for (double u : y.u[c])
        if (std::isfinite(u)) size = std::max(size, std::abs(u));
      size_.push_back(size > 0 ? size : 1);
    }
    for (std::size_t g = model_.n_z; g < model_.n_z + model_.n_g; ++g)
      if (limits(g).lower == limits(g).upper) equal_.push_back(g);
  }

  bool possible() const {
    const abi::Trajectories& y = solved_.trajectories;
    return model_.n_u > 0 && model_.n_x > 0 && (!model_.hybrid || model_.hybrid->n_delays == 0) && hamiltonian_.known() &&
           !y.time.empty() && y.costate.size() == model_.n_x && y.x.size() == model_.n_x && y.u.size() == model_.n_u &&
           y.z.size() == model_.n_z;
  }

  /// Adds what this phase gains; `out` has the trajectories with better controls as its last phase.
  /// @param most  gained at one time so far
  void search(BetterControls& out, double& most) {
    const abi::Trajectories& y = solved_.trajectories;
    abi::PhaseSolution& phase = out.controlled.phases.back();
    std::size_t most_times = equal_.empty() ? most_samples : most_restored;
    std::size_t step = (y.time.size() + most_times - 1) / most_times;
    double last_gain = 0, last_time = y.time.front();
    for (std::size_t k = 0; k < y.time.size(); k += step) {
      PhaseValues v{column(y.x, k), column(y.z, k), column(y.u, k)};
      costate_ = column(y.costate, k);
      time_ = y.time[k];
      values_ = &v;
      std::vector<double> u = v.u;
      double gain = better(u);
      double width = time_ - last_time;
      out.gain += 0.5 * width * (gain + last_gain);
      if (gain > 0 && last_gain > 0) out.share += width;
      last_gain = gain;
      last_time = time_;
      if (gain > most) {
        most = gain;
        tell(out, v.u, u);
      }
      append(phase.trajectories, v, u);
    }
  }

 private:
  const bolza_row& limits(std::size_t g) const { return model_.residuals->rows[g]; }

  /// H with controls u, which are brought back to equalities before; infinite where they are not possible.
  double at(std::vector<double>& u) {
    if (!evaluate(u) || !(meets_equalities() || restore(u))) return INFINITY;
    double h = hamiltonian_.value(costate_, rates_);
    return std::isfinite(h) && holds() ? h : INFINITY;
  }

  /// Rates, algebraics and path constraints with controls u.
  bool evaluate(const std::vector<double>& u) {
    if (!hamiltonian_.rates_with(time_, *values_, u, rates_)) return false;
    return model_.n_g == 0 ||
           hamiltonian_.reduced().at().value(Part::residuals, {time_, values_->x.data(), z().data(), u.data()}, rows_);
  }

  const std::vector<double>& z() { return model_.n_z > 0 ? hamiltonian_.reduced().z() : values_->z; }

  static bool within(double value, double lower, double upper) {
    return value >= lower - slack * (1 + std::abs(lower)) && value <= upper + slack * (1 + std::abs(upper));
  }

  bool meets_equalities() const {
    return std::all_of(equal_.begin(), equal_.end(),
                       [&](std::size_t g) { return within(rows_[g], limits(g).lower, limits(g).upper); });
  }

  bool holds() {
    for (std::size_t b = 0; b < model_.n_z; ++b)
      if (!within(z()[b], model_.z[b].min, model_.z[b].max)) return false;
    for (std::size_t g = model_.n_z; g < model_.n_z + model_.n_g; ++g)
      if (!within(rows_[g], limits(g).lower, limits(g).upper)) return false;
    return true;
  }

  /// The shortest way back to equalities that controls have part in, relative to their sizes, by Newton's method with
  /// difference quotients.
  bool restore(std::vector<double>& u) {
    constexpr double difference = 1e-7;
    auto n = static_cast<Eigen::Index>(u.size()), m = static_cast<Eigen::Index>(equal_.size());
    Eigen::MatrixXd by_controls(m, n);
    Eigen::VectorXd beyond(m);
    for (int k = 0; k < restorations; ++k) {
      for (Eigen::Index i = 0; i < m; ++i)
        beyond[i] = rows_[equal_[static_cast<std::size_t>(i)]] - limits(equal_[static_cast<std::size_t>(i)]).upper;
      for (Eigen::Index c = 0; c < n; ++c) {
        auto at = static_cast<std::size_t>(c);
        double own = u[at];
        u[at] += difference * size_[at];
        bool finite = evaluate(u);
        u[at] = own;
        if (!finite) return false;
        for (Eigen::Index i = 0; i < m; ++i) {
          std::size_t g = equal_[static_cast<std::size_t>(i)];
          by_controls(i, c) = (rows_[g] - limits(g).upper - beyond[i]) / difference;
        }
      }
      Eigen::VectorXd step = linalg::least_squares(by_controls, -beyond);
      for (Eigen::Index c = 0; c < n; ++c) {
        auto at = static_cast<std::size_t>(c);
        u[at] = std::clamp(u[at] + size_[at] * step[c], model_.u[at].min, std::max(model_.u[at].min, model_.u[at].max));
      }
      if (!evaluate(u)) return false;
      if (meets_equalities()) return true;
    }
    return false;
  }

  /// Moves u to where H is smaller beyond a rise; by how much it is smaller, 0: nowhere.
  double better(std::vector<double>& u) {
    for (std::size_t c = 0; c < model_.n_u; ++c) u[c] = std::min(std::max(u[c], model_.u[c].min), model_.u[c].max);
    std::vector<double> own = u;  // as near as the equalities are met
    double here = at(own), least = here;
    if (!std::isfinite(here)) return 0;
    for (int round = 0; round < (model_.n_u > 1 ? 2 : 1); ++round)
      for (std::size_t c = 0; c < model_.n_u; ++c) move_one(u, c, least);
    if (!(least < here)) {
      u = own;
      return 0;
    }
    std::vector<double> near = own;
    for (std::size_t c = 0; c < u.size(); ++c) near[c] += first_part * (u[c] - own[c]);
    double on_line = here + first_part * (least - here);
    if (at(near) < on_line + above_line * (here - least)) {
      u = own;
      return 0;
    }
    return here - least;
  }

  void move_one(std::vector<double>& u, std::size_t c, double& least) {
    const bolza_variable& v = model_.u[c];
    if (v.fixed || !(v.min < v.max)) return;
    const std::vector<double> from = u;
    double own = u[c], before = least;
    auto look = [&](double value) {
      trial_ = from;
      trial_[c] = std::min(std::max(value, v.min), v.max);
      if (double h = at(trial_); h < least) {
        least = h;
        u = trial_;
      }
    };
    bool bounded = std::isfinite(v.min) && std::isfinite(v.max);
    for (int k = 0; bounded && k <= grid; ++k) look(v.min + k * (v.max - v.min) / grid);
    for (double part : {-3.0, -1.0, -0.3, 0.3, 1.0, 3.0}) look(own + part * size_[c]);
    if (least < before)
      for (double step = 0.5 * (bounded ? (v.max - v.min) / grid : size_[c]); step > 0.02 * size_[c]; step *= 0.5) {
        double best = u[c];
        look(best - step);
        look(best + step);
      }
  }

  void tell(BetterControls& out, const std::vector<double>& own, const std::vector<double>& u) const {
    std::size_t most = 0;
    for (std::size_t c = 0; c < u.size(); ++c)
      if (std::abs(u[c] - own[c]) / size_[c] > std::abs(u[most] - own[most]) / size_[most]) most = c;
    out.name = model_.u[most].name ? model_.u[most].name : "";
    out.time = time_;
    out.value = own[most];
    out.better = u[most];
  }

  void append(abi::Trajectories& y, const PhaseValues& v, const std::vector<double>& u) const {
    auto add = [](std::vector<std::vector<double>>& rows, const std::vector<double>& values) {
      rows.resize(values.size());
      for (std::size_t k = 0; k < values.size(); ++k) rows[k].push_back(values[k]);
    };
    y.time.push_back(time_);
    add(y.x, v.x);
    add(y.z, v.z);
    add(y.u, u);
  }

  const abi::PhaseSolution& solved_;
  Hamiltonian hamiltonian_;
  const bolza_model& model_;
  std::vector<double> rates_, rows_, size_, trial_;
  std::vector<std::size_t> equal_;  // rows of the path constraints that are equalities
  std::vector<double> costate_;     // at the sample that is looked at
  double time_ = 0;
  const PhaseValues* values_ = nullptr;  // there
};

}  // namespace

std::optional<BetterControls> better_controls(bolza_problem& problem, const abi::Solution& solution) {
  if (problem.is_static || solution.phases.size() != problem.n_phases) return {};
  BetterControls out;
  out.controlled.parameters = solution.parameters;
  double horizon = 0, most = 0;
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const abi::PhaseSolution& solved = solution.phases[p];
    horizon += solved.final_time - solved.start_time;
    PhaseSearch phase(problem, p, solution);
    if (!phase.possible()) {
      out.controlled.phases.push_back(solved);
      continue;
    }
    out.controlled.phases.emplace_back();
    out.controlled.phases.back().start_time = solved.start_time;
    out.controlled.phases.back().final_time = solved.final_time;
    phase.search(out, most);
  }
  if (!(out.gain > 0)) return {};
  out.share /= horizon;
  return out;
}

}  // namespace bolza::transcribe
