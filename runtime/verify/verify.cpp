// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/verify.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/clock.h"
#include "base/numbers.h"
#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

constexpr std::string_view first_order[] = {
    "signs of multipliers",        "complementarity", "costates",         "transversality at the end",
    "transversality at the start", "stationarity",    "minimum principle"};

void all_not_checked(Certificate& out, const std::string& why) {
  for (std::string_view name : first_order) out.checks.push_back(not_checked(name, why));
}

constexpr double most_doubles = 4e8;  ///< that are kept of one phase: 3 GB

/// Why there is nothing to be checked between the start and the end of a phase; "" where there is.
std::string no_horizon(const bolza_problem& problem, const abi::Solution& stored, std::size_t number, bool& impossible) {
  const std::vector<double>& time = stored.phases[number].trajectories.time;
  const char* given = problem.phases[number].name;
  std::string name = given && problem.n_phases > 1 ? "phase `" + std::string(given) + "`" : "the trajectory";
  bool ascends = std::ranges::all_of(time, [](double t) { return std::isfinite(t); }) && std::ranges::is_sorted(time);
  if (!ascends) {
    impossible = true;
    return "the times of " + name + " do not ascend";
  }
  return time.back() > time.front() ? "" : name + " has no length: it begins and ends at t = " + shown(time.front());
}

/// Why the checks would not fit into memory; "" where they do.
std::string too_large(const bolza_model& model, const abi::Trajectories& y) {
  auto of = [](std::size_t n) { return static_cast<double>(n); };
  double pieces = of(y.time.size()) - 1, columns = 1 + of(model.n_x + model.n_u + model.n_global);
  double at_point = of(model.n_x + model.n_z + model.n_q + model.n_g) * (columns + of(model.n_z));
  double stages = static_cast<double>(most_stages_of(model.n_x)), of_factors = stages * of(model.n_x * model.n_x);
  return pieces * stages * (at_point + of_factors) <= most_doubles
             ? ""
             : "there are too many samples of too many variables: " + std::to_string(y.time.size()) + " of " +
                   std::to_string(model.n_x + model.n_z + model.n_u);
}

/// Why nothing can be said of a problem at all; "" where something can.
std::string refusal(const bolza_problem& problem, const abi::Solution& stored, bool& impossible) {
  if (problem.is_static) return "the problem has no time";
  if (!problem.is_optimization) return "the model is a simulation: nothing is minimised";
  if (stored.phases.size() != problem.n_phases) return "the file has other phases";
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_model& model = *problem.models[problem.phases[p].model];
    const abi::Trajectories& y = stored.phases[p].trajectories;
    if (y.time.size() < 2 || y.x.size() != model.n_x || y.z.size() != model.n_z || y.u.size() != model.n_u)
      return "the file does not have all trajectories";
    if (std::string why = no_horizon(problem, stored, p, impossible); !why.empty()) return why;
    if (std::string why = too_large(model, y); !why.empty()) return why;
  }
  return "";
}

/// Why trajectories cannot be integrated anew; "" where they can.
std::string no_flow(const bolza_problem& problem, const abi::Solution& stored) {
  for (const abi::PhaseSolution& phase : stored.phases)
    if (phase.mesh.size() < 2) return "the file does not say on which mesh: .mat files do";
  for (std::size_t k = 0; k < problem.n_models; ++k) {
    const bolza_hybrid* hybrid = problem.models[k]->hybrid;
    if (!hybrid) continue;
    if (hybrid->n_delays > 0) return "the model has delays";
    if (!hybrid->is_literal && hybrid->n_m > 0) return "the model has discrete variables";
  }
  return "";
}

/// Why conditions of first order are not those of Pontryagin; "" where they are.
std::string no_costates(const Subject& s) {
  for (const auto& phase : s.phases) {
    for (Eigen::Index c = 0; c < phase->nu(); ++c)
      if (phase->model.u[c].type != 0) return "`" + phase->name_of_control(c) + "` takes whole numbers";
    if (phase->model.n_switching > 0) return "controls have rules of switching";
    if (phase->stored.trajectories.costate.size() != phase->model.n_x) return "the file has no costates";
  }
  for (std::size_t p = 0; p < s.problem.n_parameters; ++p)
    if (!s.problem.parameters[p].fixed && s.problem.parameters[p].type != 0)
      return std::string("`") + s.problem.parameters[p].name + "` takes whole numbers";
  if (s.stored.point_multipliers.size() != s.problem.n_k) return "the file has no multipliers of point constraints";
  return s.point.possible ? "" : "the point function cannot be evaluated";
}

bool integrate_all(Subject& s, std::string& message) {
  for (const auto& phase : s.phases) {
    auto flow = std::make_unique<OwnFlow>(*phase);
    if (!flow->integrate(message)) {
      s.flows.clear();
      return false;
    }
    s.flows.push_back(std::move(flow));
  }
  return true;
}

void give_integrals(Subject& s) {
  for (std::size_t p = 0; p < s.phases.size(); ++p) {
    const StoredPhase& phase = *s.phases[p];
    const OwnFlow& flow = *s.flows[p];
    Eigen::VectorXd Q = Eigen::VectorXd::Zero(phase.nq());
    for (std::size_t i = 0; i < phase.pieces.size(); ++i)
      for (Eigen::Index k = 0; k < flow.stages(); ++k)
        Q += flow.weight(i, k) * flow.rates().col(static_cast<Eigen::Index>(i) * flow.stages() + k).tail(phase.nq());
    s.integrals.push_back(Q);
  }
}

void give_weights(Subject& s) {
  for (const auto& phase : s.phases) s.weights.push_back(Eigen::VectorXd::Zero(phase->nq()));
  for (std::size_t v = 0; v < s.problem.n_values && s.point.possible; ++v)
    if (const bolza_value_at& value = s.problem.values[v]; value.quantity == BOLZA_INTEGRAL)
      s.weights[static_cast<std::size_t>(value.place)](value.index) = s.point.by_value(static_cast<Eigen::Index>(v));
}

/// |J|, but no less than a thousandth of what its parts come to where they do not cancel.
double size_of_objective(const Subject& s) {
  constexpr double least = 1e-3;  // as docs/verify.md says
  double parts = 0;
  for (std::size_t p = 0; p < s.phases.size(); ++p) {
    const StoredPhase& phase = *s.phases[p];
    const OwnFlow& flow = *s.flows[p];
    const abi::Trajectories& y = phase.stored.trajectories;
    for (std::size_t i = 0; i < phase.pieces.size(); ++i)
      for (Eigen::Index k = 0; k < flow.stages(); ++k) {
        auto at = flow.rates().col(static_cast<Eigen::Index>(i) * flow.stages() + k);
        double sum = s.weights[p].cwiseAbs().dot(at.tail(phase.nq()).cwiseAbs());
        for (Eigen::Index a = 0; a < phase.nx() && y.costate.size() == y.x.size(); ++a)
          sum += std::abs(y.costate[static_cast<std::size_t>(a)][phase.pieces[i].samples.back()] * at(a));
        parts += flow.weight(i, k) * sum;
      }
  }
  double size = std::max(std::abs(s.point.rows(0)), least * parts);
  return size > 0 && std::isfinite(size) ? size : 1;
}

bool any_multipliers(const bolza_problem& problem, const abi::Solution& stored) {
  return std::ranges::all_of(stored.phases, [&](const abi::PhaseSolution& phase) {
    auto p = static_cast<std::size_t>(&phase - stored.phases.data());
    const bolza_model& model = *problem.models[problem.phases[p].model];
    const abi::PhaseMultipliers& m = phase.multipliers;
    return m.x.size() == model.n_x && m.z.size() == model.n_z && m.u.size() == model.n_u && m.path.size() == model.n_g;
  });
}

void place_multipliers(Subject& s) {
  s.has_multipliers = any_multipliers(s.problem, s.stored);
  for (std::size_t p = 0; p < s.phases.size(); ++p)
    s.acting.push_back(s.has_multipliers ? acting_multipliers(*s.phases[p], s.stored.phases[p].multipliers)
                                         : std::vector<ActingMultiplier>());
}

void check_optimum(Subject& s, Certificate& out) {
  check_multipliers(s, out);
  check_costates(s, out);
  check_ends(s, out);
  check_controls(s, out);
  check_second_order(s, out);
  check_gap(s, out);
}

}  // namespace

std::string prepare(Subject& s) {
  if (std::string why = refusal(s.problem, s.stored, s.is_impossible); !why.empty()) return why;
  for (std::size_t p = 0; p < s.problem.n_phases; ++p)
    s.phases.push_back(std::make_unique<StoredPhase>(s.problem, s.stored, p));
  std::string why = no_flow(s.problem, s.stored);
  if (!why.empty()) return why;
  if (!integrate_all(s, why)) {
    s.diverged = true;
    return why;
  }
  give_integrals(s);
  s.point = point_terms(s.problem, s.stored, s.phases, s.integrals);
  give_weights(s);
  if (s.point.possible) s.size = size_of_objective(s);
  if (why = no_costates(s); !why.empty()) return why;
  place_multipliers(s);
  return "";
}

Certificate verify(bolza_problem& problem, const abi::Solution& stored, const VerifyOptions& options) {
  auto began = Clock::now();
  Certificate out;
  out.stored = stored.objective;
  Subject s(problem, stored);
  s.tolerance = options.tolerance;
  std::string why = prepare(s);
  if (s.phases.empty()) {
    out.checks.push_back(not_checked("all", why));
    if (s.is_impossible) out.checks.back().result = CheckResult::failed;
    return out;
  }
  check_feasibility(s, out);
  if (!s.integrated()) {
    out.checks.push_back(not_checked("dynamics", why));
    if (s.diverged) out.checks.back().result = CheckResult::failed;
  }
  if (why.empty()) check_optimum(s, out);
  else all_not_checked(out, why);
  out.seconds = seconds_since(began);
  return out;
}

}  // namespace bolza::verify
