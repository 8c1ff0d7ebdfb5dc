// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/indirect/boundary_problem.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "runtime/result/table.h"
#include "workflow/codes.h"
#include "workflow/solve/indirect/side_by_side.h"

namespace bolza::workflow {
namespace {

/// The name in the system of something in an arc.
std::string plain_name(const BoundaryProblem& problem, std::string name, std::size_t arc) {
  const std::string& prefix = problem.text.arcs[arc].prefix;
  if (name.starts_with(prefix)) name = name.substr(prefix.size());
  for (const std::string& plain : problem.system.names)
    if (driver::identifier_of(plain) == name) return plain;
  return name;
}

/// A start for the unknowns of the conditions: states, controls, algebraics and costates as the direct solution has them,
/// its multipliers of point constraints, and zero for what enters the conditions linearly.
class StartFromDirect {
 public:
  StartFromDirect(Model& model, BoundaryProblem& problem, const ArcStructure& structure, const abi::Solution& direct)
      : problem_(problem),
        structure_(structure),
        direct_(direct) {
    for (std::uint32_t u : problem.system.u) slopes_.push_back(problem.system.derivative(problem.system.hamiltonian, u));
    for (std::size_t p = 0; p < direct.phases.size(); ++p) tables_.push_back(result::make_table(model.abi(), direct, p));
    const passes::OptimalityText& text = problem.text;
    for (std::size_t i = 0; i < problem.system.n_states && i < text.costates.size(); ++i)
      source_[text.costates[i]] = "costate(" + text.states[i] + ")";
    for (const auto* list : {&text.states, &text.controls, &text.z})
      for (const std::string& name : *list) source_[name] = name;
    for (const passes::ArcOfText& arc : text.arcs)
      for (std::size_t c = 0; c < arc.paths.size(); ++c)
        if (arc.path_orders[c] == 0 && arc.paths[c].first.side == passes::ConstraintSide::upper)
          source_[arc.paths[c].second] = "multiplier(" + problem.system.paths[arc.paths[c].first.path].text + ")";
  }

  abi::Solution start() const {
    abi::Solution out;
    const bolza_problem& abi = problem_.model->abi();
    for (std::size_t k = 0; k < abi.n_parameters; ++k) out.parameters.push_back(parameter(abi.parameters[k]));
    for (std::size_t k = 0; k < problem_.text.arcs.size(); ++k) out.phases.push_back(phase(k));
    return out;
  }

 private:
  double parameter(const bolza_variable& v) const {
    std::string name(v.name);
    for (std::size_t k = 0; k < problem_.text.arcs.size(); ++k) {
      if (name == problem_.text.arcs[k].prefix + "startTime") return structure_.times[k];
      if (name == problem_.text.arcs[k].prefix + "finalTime") return structure_.times[k + 1];
    }
    if (v.fixed) return v.start;
    name = plain_name(problem_, name, 0);
    for (const passes::ParameterOfSystem& p : problem_.system.parameters)
      if (name == problem_.system.names[p.p]) return direct_.parameters[p.shared];
    for (std::size_t k = 0; k < direct_.point_multipliers.size(); ++k)
      if (name == problem_.text.point_multipliers[k]) return direct_.point_multipliers[k];
    for (const result::ResultTable& table : tables_)
      if (const result::ResultVariable* found = result::find(table, name); found && found->constant) return found->value;
    return v.has_guess ? v.guess : 0;
  }

  double at(const std::string& name, double t) const {
    auto source = source_.find(name);
    for (std::size_t p = 0; p < tables_.size() && source != source_.end(); ++p)
      if (const result::ResultVariable* found = result::find(tables_[p], source->second))
        return result::interpolate(tables_[p], *found, time_in(p, t));
    return of_integral(name, t);
  }

  /// The time of a phase of the model at a time of the system.
  double time_in(std::size_t p, double t) const {
    if (!problem_.system.is_in_phases()) return t;
    return direct_.phases[p].start_time + t * (direct_.phases[p].final_time - direct_.phases[p].start_time);
  }

  std::vector<double> times() const { return problem_.system.is_in_phases() ? shares_of_times(direct_) : tables_[0].time; }

  /// Integrals that the conditions have for states grow evenly; their costates, and those of nothing else here, are
  /// constant.
  double of_integral(const std::string& name, double t) const {
    const passes::OptimalityText& text = problem_.text;
    double share = (t - structure_.times.front()) / (structure_.times.back() - structure_.times.front());
    if (name == text.cost) return share * direct_.objective;
    for (std::size_t i = problem_.system.n_states; i < text.states.size(); ++i) {
      if (name == text.states[i]) return share * final_integral(i);
      if (i < text.costates.size() && name == text.costates[i]) return end_costate(i);
    }
    return 0;
  }

  double final_integral(std::size_t state) const {
    std::size_t number = problem_.system.states[state].integral;
    const std::vector<double>& all = direct_.phases[problem_.system.states[state].phase].trajectories.integral;
    return number < all.size() ? all[number] : 0;
  }

  double end_costate(std::size_t i) const {
    std::vector<double> slots = problem_.system.value;
    slots.resize(problem_.system.names.size(), 0);
    for (std::size_t k = 0; k < direct_.point_multipliers.size(); ++k)
      if (problem_.text.point_slots[k] > 0) slots[problem_.text.point_slots[k]] = direct_.point_multipliers[k];
    for (double& slot : slots)
      if (std::isnan(slot)) slot = 0;
    return driver::evaluate(problem_.system, std::span(&problem_.text.end_costates[i], 1), slots)[0];
  }

  /// The value of a control at a bound; none: the arc does not hold it, or there is none.
  std::optional<double> held(std::size_t arc, std::size_t j) const {
    if (arc >= structure_.sequence.arcs.size()) return {};
    passes::ControlArc is = structure_.sequence.arcs[arc].controls[j];
    if (is == passes::ControlArc::lower) return problem_.system.u_min[j];
    if (is == passes::ControlArc::upper) return problem_.system.u_max[j];
    return {};
  }

  /// All slots of the system at t, as the direct solution has them.
  std::vector<double> slots_at(double t) const {
    const passes::OptimalitySystem& system = problem_.system;
    const passes::OptimalityText& text = problem_.text;
    std::vector<double> slots = system.value;
    slots.resize(system.names.size(), 0);
    slots[0] = t;
    for (std::size_t i = 0; i < text.states.size(); ++i) slots[system.states[i].x] = at(text.states[i], t);
    for (std::size_t i = 0; i < text.costates.size(); ++i) slots[system.states[i].lambda] = at(text.costates[i], t);
    for (std::size_t i = 0; i < text.z.size(); ++i) slots[system.z[i]] = at(text.z[i], t);
    for (std::size_t j = 0; j < text.controls.size(); ++j) slots[system.u[j]] = at(text.controls[j], t);
    for (const passes::ParameterOfSystem& p : system.parameters) slots[p.p] = direct_.parameters[p.shared];
    return slots;
  }

  /// In an arc in which a control passes from one bound to the other it is where ∂H/∂u is zero.
  std::optional<double> passing(const std::string& name, std::size_t k, double t) const {
    auto found = std::ranges::find(problem_.text.controls, name);
    if (found == problem_.text.controls.end() || k == 0) return {};
    auto j = static_cast<std::size_t>(found - problem_.text.controls.begin());
    std::optional<double> before = held(k - 1, j), after = held(k + 1, j);
    if (held(k, j) || !before || !after || *before == *after) return {};
    std::vector<double> slots = slots_at(t);
    auto slope = [&](double u) {
      slots[problem_.system.u[j]] = u;
      return driver::evaluate(problem_.system, std::span(&slopes_[j], 1), slots)[0];
    };
    double low = std::min(*before, *after), high = std::max(*before, *after);
    if (!(slope(low) <= 0 && slope(high) >= 0)) return {};
    constexpr int halvings = 50;
    for (int i = 0; i < halvings; ++i) {
      double middle = 0.5 * (low + high);
      (slope(middle) < 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  abi::PhaseSolution phase(std::size_t k) const {
    abi::PhaseSolution out;
    out.start_time = structure_.times[k];
    out.final_time = structure_.times[k + 1];
    out.transcription = "guess";
    abi::Trajectories& y = out.trajectories;
    y.time.push_back(out.start_time);
    for (double t : times())
      if (t > out.start_time && t < out.final_time && t > y.time.back()) y.time.push_back(t);
    y.time.push_back(out.final_time);
    const bolza_problem& abi = problem_.model->abi();
    const bolza_model& m = *abi.models[abi.phases[k].model];
    auto fill = [&](const bolza_variable* variables, std::size_t n, std::vector<std::vector<double>>& rows) {
      for (std::size_t i = 0; i < n; ++i) {
        std::string name = plain_name(problem_, variables[i].name, k);
        rows.emplace_back();
        for (double t : y.time) rows.back().push_back(passing(name, k, t).value_or(at(name, t)));
      }
    };
    fill(m.x, m.n_x, y.x);
    fill(m.z, m.n_z, y.z);
    out.mesh = {0, 1};
    return out;
  }

  const BoundaryProblem& problem_;
  const ArcStructure& structure_;
  const abi::Solution& direct_;
  std::vector<ir::ExprId> slopes_;             // [u] ∂H/∂u
  std::vector<result::ResultTable> tables_;    // [phases]
  std::map<std::string, std::string> source_;  // name in the conditions → name in the direct solution's table
};

}  // namespace

Result<BoundaryProblem> boundary_problem(Model& model, passes::OptimalitySystem system, const ArcStructure& structure,
                                         const abi::Solution& direct, Diagnostics& own) {
  BoundaryProblem out{.system = std::move(system)};
  auto text =
      driver::optimality_text(out.system, model.problem, structure.sequence, passes::TextPurpose::boundary_values, own);
  if (!text) return own.already_reported();
  out.text = *std::move(text);
  out.model = std::make_unique<Model>();
  LoadRequest request;
  request.texts.push_back({out.text.class_name, out.text.text});
  request.class_name = out.text.class_name;
  request.cache = model.request.cache;
  if (!out.model->load(request) || !out.model->compile())
    return own.error(conditions_unread, {}, {model.class_name, out.model->diagnostics.all().front().message});
  out.start = StartFromDirect(model, out, structure, direct).start();
  return out;
}

NamedValues values_of_arc(const BoundaryProblem& problem, const abi::Solution& solution, std::size_t arc) {
  result::ResultTable table = result::make_table(problem.model->abi(), solution, arc);
  NamedValues out{{time_of_arc, table.time}};
  for (const result::ResultVariable& v : table.variables) out[plain_name(problem, v.name, arc)] = result::values(table, v);
  return out;
}

double parameter_of(const BoundaryProblem& problem, const abi::Solution& solution, const std::string& name) {
  const bolza_problem& abi = problem.model->abi();
  for (std::size_t k = 0; k < abi.n_parameters && k < solution.parameters.size(); ++k)
    if (abi.parameters[k].name == driver::identifier_of(name)) return solution.parameters[k];
  return std::nan("");
}

}  // namespace bolza::workflow
