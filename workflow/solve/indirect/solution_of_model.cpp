// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/solution_of_model.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "workflow/solve/indirect/necessary_conditions.h"

namespace bolza::workflow {
namespace {

constexpr std::size_t points_of_interval = 3;  ///< of an interval of the solution

/// Samples of an arc, each time once, and the intervals of its mesh among them: polynomials through all samples of an
/// interval give what is between.
class ArcSamples {
 public:
  ArcSamples(const SolverLibrary& library, const abi::PhaseSolution& arc, const NamedValues& values)
      : library_(library),
        values_(values) {
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

  /// What the values at the samples of the interval around a time weigh there.
  struct Weights {
    std::size_t first = 0;
    std::vector<double> weight;
  };
  Weights weights_at(double t) const {
    auto interval = std::upper_bound(nodes_.begin() + 1, nodes_.end() - 1, t,
                                     [&](double value, std::size_t node) { return value <= time_[node]; });
    std::size_t first = *(interval - 1), last = *interval;
    return {first, library_.lagrange_values(std::span(time_).subspan(first, last - first + 1), t)};
  }

  double at(const std::string& name, const Weights& weights) const {
    const std::vector<double>& values = values_.at(name);
    double sum = 0;
    for (std::size_t i = 0; i < weights.weight.size(); ++i) sum += weights.weight[i] * values[place_[weights.first + i]];
    return sum;
  }
  double at(const std::string& name, double t) const { return at(name, weights_at(t)); }

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
  const SolverLibrary& library_;
  const NamedValues& values_;
  std::vector<double> time_;
  std::vector<std::size_t> place_, nodes_;  // of a time among the values; of a mesh point among the times
};

class SolutionOfModel {
 public:
  SolutionOfModel(const Model& model, const SolverLibrary& library, const BoundaryProblem& problem,
                  const abi::Solution& direct, const abi::Solution& found, const std::vector<NamedValues>& values)
      : model_(model),
        library_(library),
        problem_(problem),
        system_(problem.system),
        slopes_(problem.system),
        direct_(direct),
        found_(found),
        values_(values),
        ends_(slots_of_ends(problem, found, values)) {}

  abi::Solution translate() {
    abi::Solution out;
    out.status = found_.status;
    out.statistics = found_.statistics;
    out.findings = found_.findings;
    out.log = found_.log;
    for (std::size_t p = 0; p < system_.phases.size(); ++p) out.phases.push_back(phase(p));
    add_parameters(out);
    out.objective = objective_of(model_, problem_, ends_, values_);
    return out;
  }

 private:
  /// A phase of the model, from all arcs.
  abi::PhaseSolution phase(std::size_t p) const {
    abi::PhaseSolution out;
    out.start_time = ends_[system_.phases[p].start_time];
    out.final_time = ends_[system_.phases[p].final_time];
    out.transcription = "radau";
    out.points = points_of_interval;
    const std::vector<double> radau = library_.radau_points(points_of_interval);
    double start = found_.phases.front().start_time, length = found_.phases.back().final_time - start;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (!(found_.phases[k].final_time > found_.phases[k].start_time)) continue;
      ArcSamples samples(library_, found_.phases[k], values_[k]);
      if (out.mesh.empty()) {
        out.mesh.push_back(0);
        append(k, samples, start, p, out.trajectories);
      }
      for (std::size_t i = 0; i + 1 < samples.times().size(); ++i) {
        double begin = samples.times()[i], end = samples.times()[i + 1];
        out.mesh.push_back((end - start) / length);
        for (double c : radau) append(k, samples, c == 1 ? end : begin + c * (end - begin), p, out.trajectories);
      }
    }
    if (!out.mesh.empty()) out.mesh.back() = 1;
    return out;
  }

  /// The values of a phase at a time of the system.
  void append(std::size_t arc, const ArcSamples& samples, double t, std::size_t p, abi::Trajectories& y) const {
    const passes::OptimalityText& text = problem_.text;
    const passes::PhaseOfSystem& phase = system_.phases[p];
    y.time.push_back(time_in(problem_, ends_, p, t));
    NamedValues here{{time_of_arc, {t}}};
    const ArcSamples::Weights weights = samples.weights_at(t);
    for (const auto& [name, values] : values_[arc])
      if (name != time_of_arc) here[name] = {samples.at(name, weights)};
    auto add = [&](const std::vector<std::string>& names, const passes::SlotRange& range,
                   std::vector<std::vector<double>>& rows) {
      rows.resize(range.n);
      for (std::size_t i = 0; i < range.n; ++i) rows[i].push_back(here.at(names[range.first + i])[0]);
    };
    add(text.states, phase.x, y.x);
    add(text.z, phase.z, y.z);
    add(text.controls, phase.u, y.u);
    std::vector<double> slots = slots_of(problem_, found_, here, 0);
    if (!text.costates.empty()) {
      add(text.costates, phase.x, y.costate);
      add_constraints_to_costates(arc, samples, t, slots, phase.x, y);
    }
    std::vector<ir::ExprId> rates;
    for (std::size_t i = 0; i < phase.x.n; ++i) rates.push_back(system_.states[phase.x.first + i].rate);
    std::vector<double> rate = driver::evaluate(system_, rates, slots);
    double unit = system_.is_in_phases() ? ends_[phase.final_time] - ends_[phase.start_time] : 1;
    y.rate.resize(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) y.rate[i].push_back(rate[i] / unit);
  }

  /// Costates by which g itself is adjoined, and not its derivative q: λ + Σ (−1)ᵏ ν⁽ᵏ⁾ ∂g⁽q⁻¹⁻ᵏ⁾/∂x [HSV, 4.2].
  void add_constraints_to_costates(std::size_t arc, const ArcSamples& samples, double t, const std::vector<double>& slots,
                                   const passes::SlotRange& x, abi::Trajectories& y) const {
    const passes::ArcOfText& conditions = problem_.text.arcs[arc];
    for (std::size_t c = 0; c < conditions.paths.size(); ++c) {
      const std::vector<ir::ExprId>& entry = conditions.path_entries[c];
      for (std::size_t k = 0; k < entry.size(); ++k) {
        double factor = (k % 2 == 0 ? 1 : -1) * samples.derivative(conditions.paths[c].second, t, k);
        for (std::size_t i = 0; i < x.n; ++i) {
          ir::ExprId slope = slopes_.derivative(entry[entry.size() - 1 - k], system_.states[x.first + i].x);
          y.costate[i].back() += factor * driver::evaluate(slopes_, std::span(&slope, 1), slots)[0];
        }
      }
    }
  }

  void add_parameters(abi::Solution& out) const {
    out.parameters = direct_.parameters;
    if (!system_.is_in_phases()) {
      out.parameters[0] = out.phases[0].start_time;
      out.parameters[1] = out.phases[0].final_time;
    }
    if (const auto& k = system_.continued) out.parameters[k->shared] = ends_[k->p];
    for (const passes::ParameterOfSystem& p : system_.parameters)
      out.parameters[p.shared] = parameter_of(problem_, found_, system_.names[p.p]);
    out.parameter_multipliers = direct_.parameter_multipliers;
    for (std::size_t k = 0; k < direct_.point_multipliers.size(); ++k) {
      const std::string& name = problem_.text.point_multipliers[k];
      out.point_multipliers.push_back(name.empty() ? 0 : parameter_of(problem_, found_, name));
    }
  }

  const Model& model_;
  const SolverLibrary& library_;
  const BoundaryProblem& problem_;
  const passes::OptimalitySystem& system_;
  mutable passes::OptimalitySystem slopes_;  // the same, to which derivatives are added
  const abi::Solution &direct_, &found_;
  const std::vector<NamedValues>& values_;
  std::vector<double> ends_;  // slots of functions of both ends
};

}  // namespace

abi::Solution solution_of_model(const Model& model, const SolverLibrary& library, const BoundaryProblem& problem,
                                const abi::Solution& direct, const abi::Solution& found,
                                const std::vector<NamedValues>& values) {
  return SolutionOfModel(model, library, problem, direct, found, values).translate();
}

double objective_of(const Model& model, const BoundaryProblem& problem, const std::vector<double>& ends,
                    const std::vector<NamedValues>& values) {
  double cost = driver::evaluate(problem.system, std::span(&problem.system.end_cost, 1), ends)[0];
  if (!problem.text.cost.empty()) cost += values.back().at(problem.text.cost).back();
  return model.problem.maximize ? -cost : cost;
}

double norm_of(const BoundaryProblem& problem, const std::vector<NamedValues>& values) {
  double sum = 0, length = values.back().at(time_of_arc).back() - values.front().at(time_of_arc).front();
  for (const NamedValues& arc : values) {
    const std::vector<double>& time = arc.at(time_of_arc);
    std::vector<double> squares(time.size(), 0);
    for (std::size_t i = 0; i < problem.system.n_states; ++i) {
      const std::vector<double>& x = arc.at(problem.text.states[i]);
      for (std::size_t k = 0; k < time.size(); ++k) squares[k] += x[k] * x[k];
    }
    for (std::size_t k = 1; k < time.size(); ++k) sum += 0.5 * (time[k] - time[k - 1]) * (squares[k] + squares[k - 1]);
  }
  return length > 0 ? std::sqrt(sum / length) : 0;
}

}  // namespace bolza::workflow
