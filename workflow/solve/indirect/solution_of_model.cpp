// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/solution_of_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "workflow/solve/indirect/necessary_conditions.h"

namespace bolza::workflow {
namespace {

const double root6 = std::sqrt(6.0);
const std::array<double, 3> radau_points{(4 - root6) / 10, (4 + root6) / 10, 1};  ///< of an interval from 0 to 1 [HW, IV.5]

/// Samples of an arc, each time once, and the intervals of its mesh among them: polynomials through all samples of an
/// interval give what is between.
class ArcSamples {
 public:
  ArcSamples(const abi::PhaseSolution& arc, const NamedValues& values) : values_(values) {
    const std::vector<double>& all = values.at(time_of_arc);
    double room = 1e-12 * std::max(1.0, std::fabs(arc.final_time));
    for (std::size_t i = 0; i < all.size(); ++i)
      if (time_.empty() || all[i] > time_.back() + room) {
        time_.push_back(all[i]);
        place_.push_back(i);
      }
    for (double fraction : arc.mesh) {
      double node = arc.start_time + fraction * (arc.final_time - arc.start_time);
      auto nearest = std::lower_bound(time_.begin(), time_.end(), node - room);
      nodes_.push_back(std::min(static_cast<std::size_t>(nearest - time_.begin()), time_.size() - 1));
    }
  }

  const std::vector<double>& times() const { return time_; }

  double at(const std::string& name, double t) const {
    auto interval = std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, t,
                                     [&](double value, std::size_t node) { return value <= time_[node]; });
    std::size_t first = *(interval - 1), last = *interval;
    const std::vector<double>& values = values_.at(name);
    double sum = 0;
    for (std::size_t i = first; i <= last; ++i) {
      double weight = 1;
      for (std::size_t k = first; k <= last; ++k)
        if (k != i) weight *= (t - time_[k]) / (time_[i] - time_[k]);
      sum += weight * values[place_[i]];
    }
    return sum;
  }

  /// Of order 0, 1 or 2.
  double derivative(const std::string& name, double t, std::size_t order) const {
    if (order == 0) return at(name, t);
    constexpr double share = 1e-3;  // of the horizon of the arc: what differences lose to rounding is below the samples' own
    double h = share * (time_.back() - time_.front()) / static_cast<double>(nodes_.size());
    double centre = std::clamp(t, time_.front() + h, time_.back() - h);
    double before = at(name, centre - h), after = at(name, centre + h);
    return order == 1 ? (after - before) / (2 * h) : (after - 2 * at(name, centre) + before) / (h * h);
  }

 private:
  const NamedValues& values_;
  std::vector<double> time_;
  std::vector<std::size_t> place_, nodes_;  // of a time among the values; of a mesh point among the times
};

class SolutionOfModel {
 public:
  SolutionOfModel(const Model& model, const BoundaryProblem& problem, const abi::Solution& direct,
                  const abi::Solution& found, const std::vector<NamedValues>& values)
      : model_(model),
        problem_(problem),
        system_(problem.system),
        slopes_(problem.system),
        direct_(direct),
        found_(found),
        values_(values) {}

  abi::Solution translate() {
    abi::Solution out;
    out.status = found_.status;
    out.statistics = found_.statistics;
    out.findings = found_.findings;
    out.log = found_.log;
    out.phases.push_back(phase());
    add_parameters(out);
    out.objective = objective();
    return out;
  }

 private:
  abi::PhaseSolution phase() const {
    abi::PhaseSolution out;
    out.start_time = found_.phases.front().start_time;
    out.final_time = found_.phases.back().final_time;
    out.transcription = "radau";
    out.points = radau_points.size();
    double length = out.final_time - out.start_time;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (!(found_.phases[k].final_time > found_.phases[k].start_time)) continue;
      ArcSamples samples(found_.phases[k], values_[k]);
      if (out.mesh.empty()) {
        out.mesh.push_back(0);
        append(k, samples, out.start_time, out.trajectories);
      }
      for (std::size_t i = 0; i + 1 < samples.times().size(); ++i) {
        double begin = samples.times()[i], end = samples.times()[i + 1];
        out.mesh.push_back((end - out.start_time) / length);
        for (double c : radau_points) append(k, samples, c == 1 ? end : begin + c * (end - begin), out.trajectories);
      }
    }
    if (!out.mesh.empty()) out.mesh.back() = 1;
    return out;
  }

  void append(std::size_t arc, const ArcSamples& samples, double t, abi::Trajectories& y) const {
    const passes::OptimalityText& text = problem_.text;
    y.time.push_back(t);
    NamedValues here{{time_of_arc, {t}}};
    for (const auto& [name, values] : values_[arc])
      if (name != time_of_arc) here[name] = {samples.at(name, t)};
    auto add = [&](const std::vector<std::string>& names, std::size_t n, std::vector<std::vector<double>>& rows) {
      rows.resize(n);
      for (std::size_t i = 0; i < n; ++i) rows[i].push_back(here.at(names[i])[0]);
    };
    add(text.states, system_.n_states, y.x);
    add(text.z, text.z.size(), y.z);
    add(text.controls, text.controls.size(), y.u);
    add(text.costates, system_.n_states, y.costate);
    add_constraints_to_costates(arc, samples, t, slots_of(problem_, found_, here, 0), y);
    std::vector<ir::ExprId> rates;
    for (std::size_t i = 0; i < system_.n_states; ++i) rates.push_back(system_.states[i].rate);
    std::vector<double> rate = driver::evaluate(system_, rates, slots_of(problem_, found_, here, 0));
    y.rate.resize(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) y.rate[i].push_back(rate[i]);
  }

  /// Costates by which g itself is adjoined, and not its derivative q: λ + Σ (−1)ᵏ ν⁽ᵏ⁾ ∂g⁽q⁻¹⁻ᵏ⁾/∂x [HSV, 4.2].
  void add_constraints_to_costates(std::size_t arc, const ArcSamples& samples, double t, const std::vector<double>& slots,
                                   abi::Trajectories& y) const {
    const passes::ArcOfText& conditions = problem_.text.arcs[arc];
    for (std::size_t c = 0; c < conditions.paths.size(); ++c) {
      const std::vector<ir::ExprId>& entry = conditions.path_entries[c];
      for (std::size_t k = 0; k < entry.size(); ++k) {
        double factor = (k % 2 == 0 ? 1 : -1) * samples.derivative(conditions.paths[c].second, t, k);
        for (std::size_t i = 0; i < system_.n_states; ++i) {
          ir::ExprId slope = slopes_.derivative(entry[entry.size() - 1 - k], system_.states[i].x);
          y.costate[i].back() += factor * driver::evaluate(slopes_, std::span(&slope, 1), slots)[0];
        }
      }
    }
  }

  void add_parameters(abi::Solution& out) const {
    out.parameters = direct_.parameters;
    out.parameters[0] = out.phases[0].start_time;
    out.parameters[1] = out.phases[0].final_time;
    for (const passes::ParameterOfSystem& p : system_.parameters)
      out.parameters[p.shared] = parameter_of(problem_, found_, system_.names[p.p]);
    out.parameter_multipliers = direct_.parameter_multipliers;
    for (std::size_t k = 0; k < direct_.point_multipliers.size(); ++k) {
      const std::string& name = problem_.text.point_multipliers[k];
      out.point_multipliers.push_back(name.empty() ? 0 : parameter_of(problem_, found_, name));
    }
  }

  double objective() const {
    std::vector<double> slots = system_.value;
    slots.resize(system_.names.size(), std::nan(""));
    for (std::size_t i = 0; i < problem_.text.states.size(); ++i) {
      slots[system_.states[i].at_start] = values_.front().at(problem_.text.states[i]).front();
      slots[system_.states[i].at_end] = values_.back().at(problem_.text.states[i]).back();
    }
    for (const passes::ParameterOfSystem& p : system_.parameters)
      slots[p.p] = parameter_of(problem_, found_, system_.names[p.p]);
    slots[system_.start_time] = found_.phases.front().start_time;
    slots[system_.final_time] = found_.phases.back().final_time;
    double cost = driver::evaluate(system_, std::span(&system_.end_cost, 1), slots)[0];
    if (!problem_.text.cost.empty()) cost += values_.back().at(problem_.text.cost).back();
    return model_.problem.maximize ? -cost : cost;
  }

  const Model& model_;
  const BoundaryProblem& problem_;
  const passes::OptimalitySystem& system_;
  mutable passes::OptimalitySystem slopes_;  // the same, to which derivatives are added
  const abi::Solution &direct_, &found_;
  const std::vector<NamedValues>& values_;
};

}  // namespace

abi::Solution solution_of_model(const Model& model, const BoundaryProblem& problem, const abi::Solution& direct,
                                const abi::Solution& found, const std::vector<NamedValues>& values) {
  return SolutionOfModel(model, problem, direct, found, values).translate();
}

}  // namespace bolza::workflow
