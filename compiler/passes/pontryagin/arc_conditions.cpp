// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/pontryagin/arc_conditions.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "compiler/ir/interpret.h"
#include "compiler/ir/substitute.h"
#include "compiler/passes/system/codes.h"

namespace bolza::passes {
namespace {

constexpr int highest_singular_order = 4;  ///< 2q: time derivatives of ∂H/∂u up to the eighth
constexpr int highest_path_order = 4;

/// The terms of a sum, of sums in it too.
std::vector<ExprId> terms_of(const ir::Dag& dag, ExprId e) {
  std::vector<ExprId> open{e}, terms;
  while (!open.empty()) {
    ExprId next = open.back();
    open.pop_back();
    ir::Op op = dag.op(next);
    if (op != ir::Op::add && op != ir::Op::sub && op != ir::Op::neg) terms.push_back(next);
    else
      for (ExprId operand : dag.operands(next))
        if (operand) open.push_back(operand);
  }
  return terms;
}

/// Is it zero whatever it reads? Looked at in a few places of usual values, as terms that cancel have no common form.
bool vanishes(const OptimalitySystem& system, ExprId e) {
  const ir::Dag& dag = system.expressions.dag;
  if (dag.is_number(e)) return dag.value(e) == 0;
  constexpr int places = 5;
  constexpr double rounding = 1e-11, least = 1e-14;  // of the terms; of what is a product of sums that cancel
  std::vector<ExprId> roots = terms_of(dag, e);
  roots.push_back(e);
  std::mt19937 random(1);
  bool looked = false;
  for (int k = 0; k < places; ++k) {
    std::vector<double> slots = system.value;
    for (std::size_t i = 0; i < slots.size(); ++i)
      if (std::isnan(slots[i]))
        slots[i] = std::uniform_real_distribution<double>(system.range[i].first, system.range[i].second)(random);
    std::vector<double> values = ir::evaluate(system.expressions, roots, {.slots = slots});
    double value = std::fabs(values.back()), size = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) size += std::fabs(values[i]);
    if (!std::isfinite(value) || !std::isfinite(size)) continue;
    looked = true;
    if (value > std::max(rounding * (roots.size() > 2 ? size : 0), least)) return false;
  }
  return looked;
}

class ConditionsOfArc {
 public:
  ConditionsOfArc(OptimalitySystem& system, const OptimalityArc& arc, const ir::Problem& problem, Diagnostics& diagnostics)
      : s_(system),
        arc_(arc),
        problem_(problem),
        diagnostics_(diagnostics),
        known_(system.names.size()) {}

  Result<ArcConditions> derive() {
    out_.controls.resize(s_.u.size());
    for (std::size_t j = 0; j < s_.u.size(); ++j) {
      if (arc_.controls[j] == ControlArc::lower) known_[s_.u[j]] = s_.dag().number(s_.u_min[j]);
      if (arc_.controls[j] == ControlArc::upper) known_[s_.u[j]] = s_.dag().number(s_.u_max[j]);
    }
    costates_ = costate_rates(s_.hamiltonian);
    if (!add_paths()) return diagnostics_.already_reported();
    for (std::size_t j = 0; j < s_.u.size(); ++j) add_control(j);
    add_rates();
    for (std::size_t j = 0; j < s_.u.size(); ++j)
      if (is_singular(j) && !add_singular(j)) return diagnostics_.already_reported();
    finish();
    return std::move(out_);
  }

 private:
  Reported refuse(const std::string& why) {
    return diagnostics_.error(no_conditions, problem_.flat.span, {problem_.flat.name, why});
  }

  std::vector<ExprId> costate_rates(ExprId hamiltonian) {
    std::vector<ExprId> rates;
    for (const StateOfSystem& state : s_.states) rates.push_back(s_.dag().neg(s_.derivative(hamiltonian, state.x)));
    return rates;
  }

  /// With the controls whose values are known.
  ExprId inserted(ExprId e) { return ir::substitute(s_.dag(), e, {.slots = known_}); }

  ExprId without(ExprId e, std::uint32_t slot) {
    std::vector<ExprId> zero(s_.names.size());
    zero[slot] = s_.dag().zero();
    return ir::substitute(s_.dag(), e, {.slots = zero});
  }

  /// The derivative by time along the system, controls that it reads being constant.
  ExprId along(ExprId e) {
    ir::Dag& dag = s_.dag();
    ExprId rate = s_.derivative(e, 0);
    auto add = [&](std::uint32_t slot, ExprId of_slot) {
      ExprId by = s_.derivative(e, slot);
      if (!dag.is_number(by, 0)) rate = dag.add(rate, dag.mul(by, inserted(of_slot)));
    };
    for (std::size_t i = 0; i < s_.states.size(); ++i) {
      add(s_.states[i].x, s_.states[i].rate);
      add(s_.states[i].lambda, costates_[i]);
    }
    return rate;
  }

  bool is_singular(std::size_t j) const {
    bool unbounded = std::isinf(s_.u_min[j]) || std::isinf(s_.u_max[j]);
    return arc_.controls[j] == ControlArc::singular ||
           (arc_.controls[j] == ControlArc::law && out_.controls[j].is_affine && unbounded);
  }

  /// Controls that are neither at a bound nor singular.
  std::vector<std::uint32_t> open_controls() const {
    std::vector<std::uint32_t> open;
    for (std::size_t j = 0; j < s_.u.size(); ++j)
      if (arc_.controls[j] == ControlArc::free || arc_.controls[j] == ControlArc::law) open.push_back(s_.u[j]);
    return open;
  }

  // ---------------------------------------------------------------- path constraints

  ExprId side_of(const ActivePath& active) {
    const LimitedPath& path = s_.paths[active.path];
    ir::Dag& dag = s_.dag();
    return active.side == ConstraintSide::upper ? dag.sub(path.value, dag.number(path.upper))
                                                : dag.sub(dag.number(path.lower), path.value);
  }

  Result<Done> add_paths() {
    hamiltonian_ = s_.hamiltonian;
    for (const ActivePath& active : arc_.active) {
      PathCondition condition{.path = active, .multiplier = s_.add_distinct("nu_" + std::to_string(active.path + 1))};
      known_.resize(s_.names.size());
      if (!find_order(condition)) return diagnostics_.already_reported();
      ir::Dag& dag = s_.dag();
      hamiltonian_ = dag.add(hamiltonian_, dag.mul(s_.slot(condition.multiplier), condition.equation));
      out_.paths.push_back(std::move(condition));
    }
    if (!arc_.active.empty()) costates_ = costate_rates(hamiltonian_);
    return Done{};
  }

  Result<Done> find_order(PathCondition& condition) {
    ExprId g = side_of(condition.path);
    std::vector<std::uint32_t> open = open_controls();
    for (condition.order = 0; condition.order <= highest_path_order; ++condition.order) {
      condition.equation = g;
      bool acts = std::ranges::any_of(open, [&](std::uint32_t u) { return !vanishes(s_, s_.derivative(g, u)); });
      if (acts) return Done{};
      if (s_.reads(g, s_.z))
        return refuse("the constraint `" + s_.paths[condition.path.path].text +
                      "` reads algebraics, and is not determined by controls");
      for (std::uint32_t u : open) g = without(g, u);
      condition.entry.push_back(g);
      g = along(inserted(g));
    }
    return refuse("no control acts on the constraint `" + s_.paths[condition.path.path].text + "`");
  }

  // ---------------------------------------------------------------- controls

  void add_control(std::size_t j) {
    ControlCondition& control = out_.controls[j];
    control.switching = s_.derivative(hamiltonian_, s_.u[j]);
    control.is_affine = vanishes(s_, s_.derivative(control.switching, s_.u[j]));
    if (control.is_affine) control.switching = without(control.switching, s_.u[j]);
    if (ExprId bound = known_[s_.u[j]]; bound.value != ExprId{}.value) control.law = bound;
    else if (is_singular(j)) return;
    else if (arc_.controls[j] == ControlArc::law) add_law(j);
    else if (arc_.active.empty()) add_stationary(j);
    else control.equation = control.switching;
  }

  /// u where ∂H/∂u = 0, when that is linear in u and reads no other control that is open.
  ExprId stationary(std::size_t j) {
    ExprId by_u = inserted(out_.controls[j].switching);
    ExprId slope = s_.derivative(by_u, s_.u[j]), rest = without(by_u, s_.u[j]);
    std::vector<std::uint32_t> others = s_.u;
    bool separable = !s_.dag().is_number(slope, 0) && !s_.reads(slope, others) && !s_.reads(rest, others);
    return separable ? s_.dag().div(s_.dag().neg(rest), slope) : ExprId{};
  }

  void add_stationary(std::size_t j) {
    ControlCondition& control = out_.controls[j];
    control.law = stationary(j);
    if (!control.law) control.equation = control.switching;
    else known_[s_.u[j]] = control.law;
  }

  /// Controls that equations determine become states; beside constraints where these are equations of the model, too, and
  /// read controls. Else what determines a control changes along the horizon, and it is left as it is.
  void add_rates() {
    for (ControlCondition& control : out_.controls)
      if (control.equation && arc_.active.empty()) add_rate(control);
    auto is_equation = [&](const PathCondition& path) {
      const LimitedPath& limit = s_.paths[path.path.path];
      return path.order == 0 && limit.lower == limit.upper;
    };
    if (arc_.active.empty() || !std::ranges::all_of(out_.paths, is_equation)) return;
    std::vector<std::uint32_t> algebraics = s_.z;
    algebraics.insert(algebraics.end(), s_.mu.begin(), s_.mu.end());
    for (const PathCondition& path : out_.paths)
      if (s_.reads(path.equation, algebraics)) return;
    for (const ControlCondition& control : out_.controls)
      if (control.equation && s_.reads(inserted(control.switching), algebraics)) return;
    for (ControlCondition& control : out_.controls)
      if (control.equation) add_rate(control);
    for (PathCondition& path : out_.paths) {
      ExprId g = inserted(path.equation);
      path.drift = along(g);
      for (std::uint32_t u : s_.u) path.slopes.push_back(s_.derivative(g, u));
    }
  }

  void add_rate(ControlCondition& control) {
    ExprId by_u = inserted(control.switching);
    std::vector<std::uint32_t> algebraics = s_.z;
    algebraics.insert(algebraics.end(), s_.mu.begin(), s_.mu.end());
    if (s_.reads(by_u, algebraics)) return;
    control.drift = along(by_u);
    for (std::uint32_t u : s_.u) control.slopes.push_back(s_.derivative(by_u, u));
    for (const PathCondition& path : out_.paths) control.multiplier_slopes.push_back(s_.derivative(by_u, path.multiplier));
  }

  ExprId clipped(std::size_t j, ExprId e) {
    ir::Dag& dag = s_.dag();
    if (std::isfinite(s_.u_max[j])) e = dag.make(ir::Op::min, e, dag.number(s_.u_max[j]));
    if (std::isfinite(s_.u_min[j])) e = dag.make(ir::Op::max, e, dag.number(s_.u_min[j]));
    return e;
  }

  /// The minimum over the bounds: a bound by the sign of ∂H/∂u, or its zero between them; in general the u that a step
  /// along -∂H/∂u leaves where it is once the bounds have cut it.
  void add_law(std::size_t j) {
    ir::Dag& dag = s_.dag();
    ControlCondition& control = out_.controls[j];
    if (control.is_affine) {
      ExprId falls = dag.make(ir::Op::greater, control.switching, dag.zero());
      control.law = dag.select(falls, dag.number(s_.u_min[j]), dag.number(s_.u_max[j]));
    } else if (ExprId zero = stationary(j)) {
      control.law = clipped(j, zero);
    } else {
      bool bounded = std::isfinite(s_.u_min[j]) || std::isfinite(s_.u_max[j]);
      ExprId u = s_.slot(s_.u[j]);
      control.equation = bounded ? dag.sub(u, clipped(j, dag.sub(u, control.switching))) : control.switching;
    }
  }

  /// Differentiates ∂H/∂u, which is zero along the arc, until u is in it.
  Result<Done> add_singular(std::size_t j) {
    ControlCondition& control = out_.controls[j];
    std::string name = "`" + s_.names[s_.u[j]] + "`";
    std::uint32_t u = s_.u[j];
    ExprId e = without(inserted(control.switching), u);
    std::vector<std::uint32_t> others = s_.u;
    std::erase(others, u);
    for (int k = 1; k <= 2 * highest_singular_order; ++k) {
      if (s_.reads(e, s_.z)) return refuse("∂H/∂u of " + name + " reads algebraics along a singular arc");
      if (s_.reads(e, others)) return refuse("∂H/∂u of " + name + " reads controls that are not known along a singular arc");
      control.flat.push_back(e);
      e = along(e);
      ExprId slope = s_.derivative(e, u);
      if (vanishes(s_, slope)) {
        e = without(e, u);
        continue;
      }
      if (k % 2 != 0) return refuse("an odd derivative of ∂H/∂u reads " + name + ": the arc cannot be optimal");
      control.order = k / 2;
      control.convexity = control.order % 2 != 0 ? s_.dag().neg(slope) : slope;
      control.law = s_.dag().div(s_.dag().neg(without(e, u)), slope);
      if (s_.reads(control.law, {u})) control.equation = e;
      if (control.equation) control.law = {};
      return Done{};
    }
    return refuse("a singular arc of infinite order: no derivative of ∂H/∂u up to the eighth reads " + name);
  }

  void finish() {
    out_.state_costates = costates_;
    out_.hamiltonian = hamiltonian_;
    for (const ParameterOfSystem& p : s_.parameters)
      out_.parameter_costates.push_back(s_.dag().neg(s_.derivative(hamiltonian_, p.p)));
    for (std::uint32_t z : s_.z) out_.multiplier_rows.push_back(s_.derivative(hamiltonian_, z));
  }

  OptimalitySystem& s_;
  const OptimalityArc& arc_;
  const ir::Problem& problem_;
  Diagnostics& diagnostics_;
  ArcConditions out_;
  std::vector<ExprId> known_;  // [slot] what a control is on the arc, where that is known
  std::vector<ExprId> costates_;
  ExprId hamiltonian_;  // with the constraints that are active
};

}  // namespace

bool is_affine_in(OptimalitySystem& system, std::size_t control) {
  std::uint32_t u = system.u[control];
  return vanishes(system, system.derivative(system.derivative(system.hamiltonian, u), u));
}

Result<ArcConditions> conditions_of(OptimalitySystem& system, const OptimalityArc& arc, const ir::Problem& problem,
                                    Diagnostics& diagnostics) {
  return ConditionsOfArc(system, arc, problem, diagnostics).derive();
}

}  // namespace bolza::passes
