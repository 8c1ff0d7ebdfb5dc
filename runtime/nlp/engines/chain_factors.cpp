// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/chain_factors.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "runtime/nlp/stages.h"

namespace bolza::nlp {
namespace {

constexpr double good_solution = 1e-9;  ///< residual, relative; callers refine from there

/// Chains whose factors cost less than a sparse solver's: blocks that are dense enough for their size.
bool pays(const kkt::Chain::Sizes& sizes) {
  constexpr std::size_t least_stages = 12, most_others = 4, largest_stage = 150, widest_border = 40;
  return sizes.stages >= least_stages && sizes.in_lanes + most_others >= sizes.stages &&
         sizes.largest_stage <= largest_stage && sizes.border <= widest_border;
}

/// How much is done for a matrix, in the order in which it is tried.
enum class Effort : std::uint8_t { lanes, pivots, mumps };

Effort more_than(Effort effort) { return effort == Effort::lanes ? Effort::pivots : Effort::mumps; }

class Ladder final : public ChainFactors {
 public:
  /// @param chain  null: MUMPS does everything
  Ladder(const kkt::ChainShape& shape, const Pattern& hessian, const Pattern& jacobian, LinearAlgebra& used,
         std::unique_ptr<kkt::Chain> chain)
      : n_(shape.n),
        hessian_places_(hessian),
        jacobian_places_(jacobian),
        used_(used),
        chain_(std::move(chain)),
        least_(chain_ ? Effort::lanes : Effort::mumps) {}

  bool is_chain() const override { return chain_ != nullptr; }
  void take_more_care() override { least_ = more_than(least_); }

  bool factor(std::span<const double> hessian, std::span<const double> jacobian, std::span<const double> sigma,
              std::span<const double> delta) override {
    hessian_.assign(hessian.begin(), hessian.end());
    jacobian_.assign(jacobian.begin(), jacobian.end());
    sigma_.assign(sigma.begin(), sigma.end());
    delta_.assign(delta.begin(), delta.end());
    now_ = least_;
    return factor_now();
  }
  Inertia inertia() const override { return inertia_; }
  double residual() const override { return residual_; }

  void solve(std::span<double> rhs) override {
    for (;;) {
      work_.assign(rhs.begin(), rhs.end());
      if (now_ == Effort::mumps) {
        solve_by_mumps();
        break;
      }
      if (is_whole_) residual_ = chain_->solve(work_);
      if (is_whole_ && residual_ <= good_solution) break;
      now_ = is_whole_ ? more_than(now_) : Effort::mumps;
      if (!factor_now()) break;
    }
    std::copy(work_.begin(), work_.end(), rhs.begin());
  }

 private:
  bool factor_now() {
    for (; now_ != Effort::mumps; now_ = more_than(now_)) {
      ++(now_ == Effort::lanes ? used_.chain : used_.pivots);
      kkt::Factored f =
          chain_->factor(hessian_, jacobian_, sigma_, delta_, now_ == Effort::lanes ? kkt::Care::fast : kkt::Care::pivots);
      inertia_ = {f.negative, f.outcome == kkt::Outcome::singular};
      is_whole_ = f.outcome == kkt::Outcome::ok;
      if (f.outcome == kkt::Outcome::ok || f.outcome == kkt::Outcome::too_many_negative) return true;
      if (f.outcome == kkt::Outcome::singular && now_ == Effort::pivots) return false;
    }
    ++used_.mumps;
    bool good = mumps().factor(hessian_, jacobian_, sigma_, delta_);
    inertia_ = mumps().inertia();
    return good;
  }
  /// work_ := K⁻¹ work_, refined while the residual falls.
  void solve_by_mumps() {
    constexpr int most_refinements = 3;
    constexpr double good = 1e-12;
    sides_ = work_;
    mumps().solve(work_);
    residual_ = left_by(work_);
    for (int k = 0; k < most_refinements && residual_ > good; ++k) {
      mumps().solve(left_);
      for (std::size_t i = 0; i < left_.size(); ++i) left_[i] += work_[i];
      std::swap(left_, work_);  // the solution before is kept
      solution_ = left_;
      double refined = left_by(work_);
      if (!(refined < residual_)) {
        work_ = solution_;
        break;
      }
      residual_ = refined;
    }
  }
  /// left_ := sides_ − K x; the largest entry relative to x and sides.
  double left_by(const std::vector<double>& x) {
    left_ = sides_;
    auto take = [&](std::size_t i, std::size_t j, double value) {
      left_[i] -= value * x[j];
      if (i != j) left_[j] -= value * x[i];
    };
    auto at = [](std::int32_t k) { return static_cast<std::size_t>(k); };
    for (std::size_t e = 0; e < hessian_places_.size(); ++e)
      take(at(hessian_places_.row[e]), at(hessian_places_.col[e]), hessian_[e]);
    for (std::size_t e = 0; e < jacobian_places_.size(); ++e)
      take(n_ + at(jacobian_places_.row[e]), at(jacobian_places_.col[e]), jacobian_[e]);
    for (std::size_t v = 0; v < n_; ++v) take(v, v, sigma_[v]);
    for (std::size_t r = 0; r < delta_.size(); ++r) take(n_ + r, n_ + r, -delta_[r]);
    auto largest = [](const std::vector<double>& values) {
      double most = 0;
      for (double value : values) most = std::max(most, std::fabs(value));
      return most;
    };
    constexpr double most_of_x = 1e6, least = 1e-300;
    double b = largest(sides_);
    return largest(left_) / (std::min(largest(x), most_of_x * b) + b + least);
  }
  KktFactors& mumps() {
    if (!mumps_) mumps_ = mumps_kkt_factors(n_, delta_.size(), hessian_places_, jacobian_places_);
    return *mumps_;
  }

  std::size_t n_;
  Pattern hessian_places_, jacobian_places_;
  LinearAlgebra& used_;
  std::unique_ptr<kkt::Chain> chain_;
  std::unique_ptr<KktFactors> mumps_;
  Effort least_, now_ = Effort::lanes;  // of every matrix, of this one
  bool is_whole_ =
      false;  // the chain's factors: too many negative eigenvalues end a factorisation, whose inertia tells enough
  std::vector<double> hessian_, jacobian_, sigma_, delta_, work_, sides_, left_, solution_;
  double residual_ = 0;
  Inertia inertia_;
};

}  // namespace

std::unique_ptr<ChainFactors> chain_factors(const kkt::ChainShape& shape, const Pattern& hessian, const Pattern& jacobian,
                                            LinearAlgebra& used) {
  return std::make_unique<Ladder>(shape, hessian, jacobian, used, kkt::Chain::analyse(shape));
}

bool takes_chain(LinearSolver choice, const Nlp& nlp, const Pattern& hessian) {
  if (choice == LinearSolver::mumps) return false;
  std::unique_ptr<kkt::Chain> chain = kkt::Chain::analyse(chain_of(nlp, hessian));
  return chain && (choice == LinearSolver::chain || pays(chain->sizes()));
}

std::unique_ptr<KktFactors> step_factors(const Nlp& nlp, LinearSolver choice, const Pattern& hessian, LinearAlgebra& used) {
  constexpr std::size_t small = 150;
  kkt::ChainShape shape = chain_of(nlp, hessian);
  std::unique_ptr<kkt::Chain> chain;
  if (choice != LinearSolver::mumps) chain = kkt::Chain::analyse(shape);
  if (chain && choice == LinearSolver::automatic && !pays(chain->sizes())) chain = nullptr;
  used.is_chain = chain != nullptr || choice != LinearSolver::chain;
  if (!chain && choice != LinearSolver::mumps && nlp.n() + nlp.m() <= small) {
    std::fill(shape.variable_stage.begin(), shape.variable_stage.end(), 0);
    std::fill(shape.row_stage.begin(), shape.row_stage.end(), 0);
    chain = kkt::Chain::analyse(shape);
  }
  return std::make_unique<Ladder>(shape, hessian, nlp.jacobian, used, std::move(chain));
}

std::unique_ptr<KktFactors> kkt_factors_of(const Nlp& nlp, LinearSolver choice, LinearAlgebra& used) {
  return step_factors(nlp, choice, nlp.hessian, used);
}

}  // namespace bolza::nlp
