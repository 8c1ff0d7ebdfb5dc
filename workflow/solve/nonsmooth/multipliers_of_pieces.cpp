// SPDX-License-Identifier: Apache-2.0
#include "workflow/solve/nonsmooth/multipliers_of_pieces.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bolza::workflow {
namespace {

using Ranges = std::span<const std::pair<std::size_t, std::size_t>>;
using Spread = std::vector<abi::SpreadMultiplier>;

const bolza_model& model_of(const bolza_problem& problem, std::size_t phase) {
  return *problem.models[problem.phases[phase].model];
}

bool is_alike(const bolza_model& piece, const bolza_model& phase) {
  return piece.n_x == phase.n_x && piece.n_z == phase.n_z && piece.n_u == phase.n_u && piece.n_g == phase.n_g &&
         piece.n_initial <= phase.n_initial;
}

bool is_same_place(const bolza_row& a, const bolza_row& b) {
  auto text = [](const char* name) { return name ? name : ""; };
  return a.source.line == b.source.line && a.source.column == b.source.column &&
         std::strcmp(text(a.source.file), text(b.source.file)) == 0;
}

/// Multipliers of the point constraints in the order of the model; none where one of them is not found. Rows that were
/// written as one, with several elements, follow each other.
std::optional<std::vector<double>> point_multipliers(const bolza_problem& pieces, const abi::Solution& solution,
                                                     const bolza_problem& problem) {
  std::vector<double> out;
  if (solution.point_multipliers.size() != pieces.n_k) return {};
  std::vector<bool> taken(pieces.n_k);
  for (std::size_t k = 0; k < problem.n_k; ++k) {
    std::size_t found = 0;
    while (found < pieces.n_k && (taken[found] || !is_same_place(pieces.point->rows[1 + found], problem.point->rows[1 + k])))
      ++found;
    if (found == pieces.n_k) return {};
    taken[found] = true;
    out.push_back(solution.point_multipliers[found]);
  }
  return out;
}

std::vector<double> parameter_multipliers(const bolza_problem& pieces, const abi::Solution& solution,
                                          const bolza_problem& problem) {
  std::map<std::string, double> known;
  for (std::size_t i = 0; i < pieces.n_parameters && i < solution.parameter_multipliers.size(); ++i)
    if (pieces.parameters[i].name) known.emplace(pieces.parameters[i].name, solution.parameter_multipliers[i]);
  std::vector<double> out(problem.n_parameters, 0.0);
  for (std::size_t i = 0; i < problem.n_parameters; ++i)
    if (auto at = problem.parameters[i].name ? known.find(problem.parameters[i].name) : known.end(); at != known.end())
      out[i] = at->second;
  return out;
}

/// Joins the pieces of one phase.
class JoinedMultipliers {
 public:
  explicit JoinedMultipliers(abi::PhaseSolution& whole) : whole_(whole) {}

  void add(const abi::PhaseSolution& piece) {
    double length = whole_.final_time - whole_.start_time;
    shift_ = (piece.start_time - whole_.start_time) / length;
    stretch_ = (piece.final_time - piece.start_time) / length;
    abi::PhaseMultipliers& to = whole_.multipliers;
    const abi::PhaseMultipliers& from = piece.multipliers;
    for (Spread abi::PhaseMultipliers::* list : lists) append(from.*list, to.*list);
    if (to.initial.empty()) to.initial = from.initial;
  }

 private:
  static constexpr std::array<Spread abi::PhaseMultipliers::*, 5> lists{
      &abi::PhaseMultipliers::x, &abi::PhaseMultipliers::z, &abi::PhaseMultipliers::u, &abi::PhaseMultipliers::algebraic,
      &abi::PhaseMultipliers::path};

  void append(const Spread& from, Spread& to) const {
    to.resize(std::max(to.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i)
      for (std::size_t k = 0; k < from[i].amount.size(); ++k) {
        to[i].from.push_back(shift_ + stretch_ * from[i].from[k]);
        to[i].to.push_back(shift_ + stretch_ * from[i].to[k]);
        to[i].amount.push_back(from[i].amount[k]);
      }
  }

  abi::PhaseSolution& whole_;
  double shift_ = 0, stretch_ = 1;
};

}  // namespace

void carry_multipliers(const Model& pieces, const abi::Solution& solution, Ranges ranges, const Model& model,
                       abi::Solution& whole) {
  for (std::size_t p = 0; p < ranges.size(); ++p)
    for (std::size_t k = ranges[p].first; k < ranges[p].second; ++k)
      if (!is_alike(model_of(pieces.abi(), k), model_of(model.abi(), p))) return;
  auto of_points = point_multipliers(pieces.abi(), solution, model.abi());
  if (!of_points) return;
  whole.point_multipliers = *std::move(of_points);
  whole.parameter_multipliers = parameter_multipliers(pieces.abi(), solution, model.abi());
  for (std::size_t p = 0; p < ranges.size(); ++p) {
    whole.phases[p].multipliers = {};
    JoinedMultipliers joined(whole.phases[p]);
    for (std::size_t k = ranges[p].first; k < ranges[p].second; ++k) joined.add(solution.phases[k]);
  }
}

}  // namespace bolza::workflow
