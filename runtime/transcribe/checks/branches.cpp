// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/checks/branches.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/transcribe/checks/algebraic_branch.h"

namespace bolza::transcribe {
namespace {

constexpr double branch_gap = 1e-3;      ///< of the size of an algebraic: what two solutions differ by at least
constexpr double beside_largest = 1e-6;  ///< an algebraic that stays below this share of the largest counts as zero
constexpr double holds_within = 1e-4;    ///< of the size: as near to a solution is a sample at which the equations hold
constexpr int patience = 20;             ///< samples that cannot be followed, after which no other is

/// One sample of a phase at which the algebraic equations hold.
struct Sample {
  AlgebraicBranch::Inputs at;
  std::vector<double> z;
};

std::vector<double> sizes_of(const std::vector<std::vector<double>>& z) {
  std::vector<double> size;
  double largest = 0;
  for (const std::vector<double>& row : z) {
    size.push_back(0);
    for (double v : row)
      if (std::isfinite(v)) size.back() = std::max(size.back(), std::abs(v));
    largest = std::max(largest, size.back());
  }
  for (double& s : size) s = std::max({s, beside_largest * largest, 1e-300});
  return size;
}

class Follower {
 public:
  Follower(const bolza_problem& problem, std::size_t phase, const abi::Solution& solution)
      : model_(*problem.models[problem.phases[phase].model]),
        solved_(solution.phases[phase].trajectories),
        branch_(problem, model_, nonlinear::shared_of(problem, phase, solution.parameters), sizes_of(solved_.z)) {}

  /// Sample k with the solution of the equations that it has; none where they do not hold: z between the points of a scheme
  /// is that of a polynomial, and discrete values may have changed.
  std::optional<Sample> sample(std::size_t k) {
    auto column = [k](const std::vector<std::vector<double>>& rows) {
      std::vector<double> out;
      for (const std::vector<double>& row : rows) out.push_back(row[k]);
      return out;
    };
    Sample s{{solved_.time[k], column(solved_.x), column(solved_.u)}, {}};
    std::vector<double> z = column(solved_.z);
    std::optional<std::vector<double>> own = branch_.solution_at(s.at, z);
    if (!own || branch_.distance(*own, z).value > holds_within) return {};
    s.z = *std::move(own);
    return s;
  }

  /// The algebraic that is further than `branch_gap` from the branch of `from`, and where that branch leads; none: it is on
  /// it, or the branch of `to` leads back to `from`.
  std::optional<BranchJump> look(const Sample& from, const Sample& to) {
    if (lost_ > patience || branch_.distance(from.z, to.z).value <= branch_gap) return {};
    std::optional<std::vector<double>> ahead = branch_.follow(from.at, from.z, to.at);
    if (!ahead) {
      ++lost_;
      return std::nullopt;
    }
    auto [worst, distance] = branch_.distance(*ahead, to.z);
    if (distance <= branch_gap) return {};
    std::optional<std::vector<double>> back = branch_.follow(to.at, to.z, from.at);
    if (back && branch_.distance(*back, from.z).value <= branch_gap) return {};
    return BranchJump{model_.z[worst].name, to.at.t, from.z[worst], to.z[worst], (*ahead)[worst]};
  }

 private:
  const bolza_model& model_;
  const abi::Trajectories& solved_;
  AlgebraicBranch branch_;
  int lost_ = 0;
};

}  // namespace

std::optional<BranchJump> branch_jump(const bolza_problem& problem, const abi::Solution& solution) {
  std::optional<BranchJump> first;
  for (std::size_t p = 0; p < problem.n_phases && p < solution.phases.size() && !problem.is_static; ++p) {
    const bolza_model& m = *problem.models[problem.phases[p].model];
    const abi::Trajectories& y = solution.phases[p].trajectories;
    if (m.n_z == 0 || y.z.size() != m.n_z || y.time.empty()) continue;
    Follower follower(problem, p, solution);
    std::optional<Sample> last = follower.sample(0);
    for (std::size_t k = 1; k < y.time.size(); ++k) {
      std::optional<Sample> next = follower.sample(k);
      if (!next) continue;
      std::optional<BranchJump> jump = last ? follower.look(*last, *next) : std::nullopt;
      last = std::move(next);
      if (!jump) continue;
      if (first) ++first->jumps;
      else first = std::move(jump);
    }
  }
  return first;
}

}  // namespace bolza::transcribe
