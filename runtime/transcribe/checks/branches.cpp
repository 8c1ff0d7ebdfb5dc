#include "runtime/transcribe/checks/branches.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/integrate/model/reduced_model.h"

namespace bolza::transcribe {
namespace {

constexpr double branch_gap = 1e-3;      ///< of the size of an algebraic: what two solutions differ by at least
constexpr double beside_largest = 1e-6;  ///< an algebraic that stays below this share of the largest counts as zero
constexpr int patience = 20;             ///< samples that cannot be followed, after which no other is

/// One sample of a phase.
struct Sample {
  double t;
  std::vector<double> x, z, u;
};

Sample sample_of(const abi::Trajectories& y, std::size_t k) {
  auto column = [k](const std::vector<std::vector<double>>& rows) {
    std::vector<double> out;
    for (const std::vector<double>& row : rows) out.push_back(row[k]);
    return out;
  };
  return {y.time[k], column(y.x), column(y.z), column(y.u)};
}

class Follower {
 public:
  Follower(const bolza_problem& problem, std::size_t phase, const abi::Solution& solution)
      : model_(*problem.models[problem.phases[phase].model]),
        reduced_(problem, model_) {
    reduced_.at().shared = nonlinear::shared_of(problem, phase, solution.parameters);
    double largest = 0;
    for (const std::vector<double>& row : solution.phases[phase].trajectories.z) {
      size_.push_back(0);
      for (double v : row)
        if (std::isfinite(v)) size_.back() = std::max(size_.back(), std::abs(v));
      largest = std::max(largest, size_.back());
    }
    for (double& size : size_) size = std::max({size, beside_largest * largest, 1e-300});
  }

  /// The algebraic that is further than `branch_gap` from the branch of `from`, and where that branch leads; none: it is on
  /// it.
  std::optional<BranchJump> look(const Sample& from, const Sample& to) {
    if (lost_ > patience || furthest(from.z, to.z).second <= branch_gap) return {};
    std::optional<std::vector<double>> before;
    for (int steps : {1, 8, 32}) {
      std::optional<std::vector<double>> z = follow(from, to, steps);
      if (!z) return ++lost_, std::nullopt;
      auto [worst, distance] = furthest(*z, to.z);
      if (distance <= branch_gap) return {};
      bool agree = before && furthest(*before, *z).second <= branch_gap;
      if (agree) return BranchJump{model_.z[worst].name, to.t, from.z[worst], to.z[worst], (*z)[worst]};
      before = steps == 1 ? std::nullopt : std::move(z);
    }
    return {};
  }

 private:
  std::pair<std::size_t, double> furthest(const std::vector<double>& a, const std::vector<double>& b) const {
    std::pair<std::size_t, double> worst{0, 0};
    for (std::size_t i = 0; i < size_.size(); ++i) {
      double distance = std::abs(a[i] - b[i]) / size_[i];
      if (distance > worst.second) worst = {i, distance};
    }
    return worst;
  }

  /// z at `to`, followed from that at `from` along a line.
  std::optional<std::vector<double>> follow(const Sample& from, const Sample& to, int steps) {
    std::vector<double> x(from.x), u(from.u);
    reduced_.start_from(from.z);
    for (int k = 1; k <= steps; ++k) {
      double s = static_cast<double>(k) / steps;
      auto between = [s](double a, double b) { return (1 - s) * a + s * b; };
      std::transform(from.x.begin(), from.x.end(), to.x.begin(), x.begin(), between);
      std::transform(from.u.begin(), from.u.end(), to.u.begin(), u.begin(), between);
      if (!reduced_.move_to(between(from.t, to.t), x, u)) return {};
    }
    return reduced_.z();
  }

  const bolza_model& model_;
  integrate::ReducedModel reduced_;
  std::vector<double> size_;  // [n_z] largest values
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
    Sample last = sample_of(y, 0);
    for (std::size_t k = 1; k < y.time.size(); ++k) {
      Sample next = sample_of(y, k);
      std::optional<BranchJump> jump = follower.look(last, next);
      last = std::move(next);
      if (!jump) continue;
      if (first) ++first->jumps;
      else first = std::move(jump);
    }
  }
  return first;
}

}  // namespace bolza::transcribe
