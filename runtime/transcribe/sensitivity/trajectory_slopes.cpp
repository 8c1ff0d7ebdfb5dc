// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/sensitivity/trajectory_slopes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/numbers.h"
#include "runtime/nlp/reduce.h"
#include "runtime/nlp/solve.h"
#include "runtime/transcribe/collocation/extract.h"
#include "runtime/transcribe/collocation/solution_diagnostics.h"
#include "runtime/transcribe/collocation/solve.h"
#include "runtime/transcribe/sensitivity/held_active_set.h"

namespace bolza::transcribe {
namespace {

using Side = ActiveSet::Side;

constexpr double tolerance = 1e-10;    ///< to which the solution is solved on
constexpr double same_optimum = 1e-3;  ///< of the objective: farther away it is another one
/// Where neither a distance nor its multiplier is larger than this, scaled, nobody knows on which side of a change it is.
constexpr double undecided = 1e-5;

/// The method and mesh that a solution was found with.
TranscribeOptions options_of(const bolza_problem& problem, const abi::Solution& stored) {
  TranscribeOptions out;
  const abi::PhaseSolution& first = stored.phases.front();
  if (const SchemeFamily* family = find_scheme(first.transcription)) {
    out.transcription = first.transcription;
    if (family->min_points < family->max_points) out.points = first.points;
  }
  out.control_constant = first.control_constant;
  for (std::size_t p = 0; p < stored.phases.size(); ++p) {
    out.phase_fractions.push_back(stored.phases[p].mesh);
    if (problem.phases[p].name) out.phase_control.emplace_back(problem.phases[p].name, stored.phases[p].control_constant);
  }
  out.nlp.tol = tolerance;
  out.nlp.warm_start = true;
  out.nlp.look_nearby = false;
  return out;
}

/// A transcribed problem without what is fixed, at an iterate of another one of the same structure.
struct Neighbour {
  std::unique_ptr<Transcription> transcription;
  nlp::Reduced reduced;
  std::vector<double> gradient, rows;  ///< of ∇f + Jᵀλ [n], g [m]

  bool evaluate(bolza_problem& problem, const TranscribeOptions& options, const abi::Solution& guess,
                const nlp::Iterate& it) {
    abi::Finding error;
    transcription = transcribe(problem, options, &guess, error);
    if (!transcription) return false;
    reduced = nlp::reduce(transcription->nlp);
    const nlp::Nlp& nlp = reduced.nlp;
    if (nlp.n() != it.w.size() || nlp.m() != it.lambda.size()) return false;
    nlp.functions->move_to(it.w);
    const double* f = nlp.functions->gradient();
    const double* g = nlp.functions->constraints();
    const double* jacobian = nlp.functions->jacobian();
    if (!f || (nlp.m() > 0 && (!g || !jacobian))) return false;
    gradient.assign(f, f + nlp.n());
    if (nlp.m() > 0) rows.assign(g, g + nlp.m());
    for (std::size_t k = 0; k < nlp.jacobian.size(); ++k)
      gradient[static_cast<std::size_t>(nlp.jacobian.col[k])] +=
          jacobian[k] * it.lambda[static_cast<std::size_t>(nlp.jacobian.row[k])];
    return true;
  }
};

/// (above − below) / (2 step); 0 of what is infinite on both sides.
std::vector<double> quotients(const std::vector<double>& below, const std::vector<double>& above, double step) {
  std::vector<double> out(below.size(), 0);
  for (std::size_t k = 0; k < out.size(); ++k)
    if (std::isfinite(below[k]) && std::isfinite(above[k])) out[k] = (above[k] - below[k]) / (2 * step);
  return out;
}

class Sensitivities {
 public:
  Sensitivities(bolza_problem& problem, const abi::Solution& stored)
      : problem_(problem),
        stored_(stored),
        options_(options_of(problem, stored)) {}

  /// Why nothing is known; "" where the conditions are factored.
  std::string prepare(abi::Solution& solution) {
    abi::Finding error;
    own_ = transcribe(problem_, options_, &stored_, error);
    if (!own_) return error.text.empty() ? "it cannot be transcribed on its own mesh" : error.text;
    nlp::Iterate start = start_of(*own_, &stored_, options_.nlp);
    nlp::Report report = nlp::solve(own_->nlp, options_.nlp, &start);
    if (!nlp::is_solution(report.status))
      return "it is no solution on its own mesh: the engine does not find one from there";
    full_ = std::move(report.iterate);
    solution = extract(*own_, full_);
    double size = std::max(std::abs(stored_.objective), std::abs(solution.objective));
    if (std::isfinite(stored_.objective) && std::abs(solution.objective - stored_.objective) > same_optimum * size)
      return "solved on from where it is stored it has another objective: " + shown(solution.objective, 8);
    reduced_ = nlp::reduce(own_->nlp);
    iterate_ = nlp::restrict_to(reduced_, full_);
    held_ = HeldActiveSet::at(reduced_.nlp, iterate_);
    return held_ ? "" : "the conditions of first order do not determine it: their matrix is singular";
  }

  TrajectorySlopes of(const abi::NeighbourProblems& n) {
    TrajectorySlopes out;
    Neighbour below, above;
    if (!below.evaluate(*n.below, options_, stored_, iterate_) || !above.evaluate(*n.above, options_, stored_, iterate_))
      return out;
    if (below.reduced.variable != reduced_.variable || above.reduced.variable != reduced_.variable) return out;
    if (below.reduced.row != reduced_.row || above.reduced.row != reduced_.row) return out;
    const nlp::Nlp &low = below.reduced.nlp, &high = above.reduced.nlp;
    HeldActiveSet::Response response =
        held_->respond({quotients(below.gradient, above.gradient, n.step), quotients(low.lower, high.lower, n.step),
                        quotients(low.upper, high.upper, n.step), quotients(below.rows, above.rows, n.step),
                        quotients(low.row_lower, high.row_lower, n.step), quotients(low.row_upper, high.row_upper, n.step)});
    if (!response.good) return out;
    out.known = true;
    give_trajectories(response, quotients(below.reduced.fixed, above.reduced.fixed, n.step), out);
    out.below = first_change(response, -1);
    out.above = first_change(response, 1);
    return out;
  }

 private:
  /// The iterate moved along the response; trajectories are linear in it, but for their times.
  abi::Solution moved(const std::vector<double>& direction, double by) {
    nlp::Iterate it = full_;
    for (std::size_t v = 0; v < it.w.size(); ++v) it.w[v] += by * direction[v];
    it.lambda.clear();  // of no use here
    it.z_lower.clear();
    it.z_upper.clear();
    return extract(*own_, it);
  }

  void give_trajectories(const HeldActiveSet::Response& response, std::vector<double> direction, TrajectorySlopes& out) {
    for (std::size_t k = 0; k < reduced_.variable.size(); ++k)
      direction[static_cast<std::size_t>(reduced_.variable[k])] = response.w[k] * reduced_.nlp.scale[k];
    for (const nlp::Nlp::Equal& e : own_->nlp.equal)
      direction[static_cast<std::size_t>(e.variable)] = direction[static_cast<std::size_t>(e.of)];
    double most = 0;
    for (std::size_t v = 0; v < direction.size(); ++v) most = std::max(most, std::abs(direction[v]) / own_->nlp.scale[v]);
    constexpr double share = 1e-4;  // of sizes: as the trajectories are linear, the length is of little account
    double by = share / std::max(most, 1e-300);
    abi::Solution below = moved(direction, -by), above = moved(direction, by);
    out.parameters.assign(direction.begin(), direction.begin() + static_cast<std::ptrdiff_t>(problem_.n_parameters));
    for (std::size_t p = 0; p < below.phases.size(); ++p) {
      const abi::Trajectories &low = below.phases[p].trajectories, &high = above.phases[p].trajectories;
      PhaseSlopes& to = out.phases.emplace_back();
      to.time = quotients(low.time, high.time, by);
      auto all = [&](const std::vector<std::vector<double>>& from, const std::vector<std::vector<double>>& until) {
        std::vector<std::vector<double>> slopes;
        for (std::size_t k = 0; k < from.size(); ++k) slopes.push_back(quotients(from[k], until[k], by));
        return slopes;
      };
      to.x = all(low.x, high.x);
      to.z = all(low.z, high.z);
      to.u = all(low.u, high.u);
    }
  }

  /// The least step at which a distance or the multiplier of what is active becomes 0.
  ActiveChange first_change(const HeldActiveSet::Response& response, double direction) const {
    ActiveChange out;
    std::size_t which = 0;
    bool is_row = false;
    auto look = [&](double now, double slope, std::size_t k, bool row, bool becomes_active) {
      double step = now / -(direction * slope);
      if (!(step >= 0) || !(step < out.step)) return;
      out.step = step;
      out.becomes_active = becomes_active;
      which = k;
      is_row = row;
    };
    auto look_at = [&](Side side, double to_lower, double to_upper, double multiplier, const auto& slopes, std::size_t k,
                       bool row) {
      if (std::max(std::abs(multiplier), std::min(to_lower, to_upper)) < undecided) return;
      if (side == Side::none) {
        look(to_lower, slopes[0], k, row, /*becomes_active=*/true);
        look(to_upper, slopes[1], k, row, /*becomes_active=*/true);
      } else look(multiplier, slopes[2], k, row, /*becomes_active=*/false);
    };
    const ActiveSet& a = held_->active();
    for (std::size_t v = 0; v < a.variable.size(); ++v)
      look_at(a.variable[v], a.to_lower[v], a.to_upper[v], a.multiplier[v],
              std::array{response.to_lower[v], response.to_upper[v], response.multiplier[v]}, v, /*row=*/false);
    for (std::size_t r = 0; r < a.row.size(); ++r) {
      if (reduced_.nlp.row_lower[r] == reduced_.nlp.row_upper[r]) continue;
      look_at(a.row[r], a.row_to_lower[r], a.row_to_upper[r], a.row_multiplier[r],
              std::array{response.row_to_lower[r], response.row_to_upper[r], response.row_multiplier[r]}, r, /*row=*/true);
    }
    if (!std::isfinite(out.step)) return out;
    abi::Finding place = is_row ? place_of_row(*own_, full_.w, static_cast<std::size_t>(reduced_.row[which]))
                                : place_of_variable(*own_, full_.w, static_cast<std::size_t>(reduced_.variable[which]));
    out.of = place.name;
    out.time = place.time;
    return out;
  }

  bolza_problem& problem_;
  const abi::Solution& stored_;
  TranscribeOptions options_;
  std::unique_ptr<Transcription> own_;
  nlp::Iterate full_, iterate_;
  nlp::Reduced reduced_;
  std::unique_ptr<HeldActiveSet> held_;
};

/// Why a result has no such slopes; "" where it may.
std::string refusal_of(const bolza_problem& problem, const abi::Solution& stored) {
  if (problem.is_static) return "the problem has no time";
  if (stored.phases.size() != problem.n_phases) return "the file has other phases";
  for (const abi::PhaseSolution& phase : stored.phases)
    if (phase.mesh.size() < 2) return "the file does not say on which mesh";
  for (std::size_t m = 0; m < problem.n_models; ++m)
    for (std::size_t c = 0; c < problem.models[m]->n_u; ++c)
      if (problem.models[m]->u[c].type != 0) return "controls take whole numbers";
  return "";
}

}  // namespace

TrajectorySensitivity trajectory_sensitivity(bolza_problem& problem, const abi::Solution& stored,
                                             std::span<const abi::NeighbourProblems> neighbours) {
  TrajectorySensitivity out;
  out.why = refusal_of(problem, stored);
  if (!out.why.empty()) return out;
  Sensitivities all(problem, stored);
  out.why = all.prepare(out.solution);
  if (!out.why.empty()) return out;
  for (const abi::NeighbourProblems& n : neighbours) out.slopes.push_back(all.of(n));
  return out;
}

}  // namespace bolza::transcribe
