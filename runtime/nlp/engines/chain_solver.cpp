// SPDX-License-Identifier: Apache-2.0
#include "runtime/nlp/engines/chain_solver.h"

#include <coin/HSLLoader.h>

#include <algorithm>
#include <vector>

#include "runtime/nlp/engines/chain_factors.h"
#include "runtime/nlp/stages.h"

namespace bolza::nlp {
namespace {

/// Where IPOPT's variables (x, slacks of inequalities, multipliers of equations, of inequalities) are.
struct Numbers {
  std::size_t n = 0, equations = 0, inequalities = 0;
  std::size_t order() const { return n + 2 * inequalities + equations; }
};

/// The rows as IPOPT has them: equations, then inequalities, each in their order.
std::vector<std::int32_t> rows_of(const Nlp& nlp, Numbers& numbers) {
  std::vector<std::int32_t> rows, inequalities;
  for (std::size_t r = 0; r < nlp.m(); ++r)
    (nlp.row_lower[r] == nlp.row_upper[r] ? rows : inequalities).push_back(static_cast<std::int32_t>(r));
  numbers = {nlp.n(), rows.size(), inequalities.size()};
  rows.insert(rows.end(), inequalities.begin(), inequalities.end());
  return rows;
}

/// One matrix of IPOPT whose places stay the same: the slacks are eliminated, the rest is the chain's.
///
/// With [Σ, k; k, −δ] of a slack and the multiplier of its row, s = (r_s − k y)/Σ, and the row has δ + k²/Σ on its diagonal.
class System {
 public:
  System(const Numbers& numbers, const kkt::ChainShape& stages, std::size_t order, const ipfint* row, const ipfint* col,
         std::size_t entries, LinearAlgebra& used)
      : numbers_(numbers),
        shape_(stages),
        to_(entries),
        fits_(numbers.order() == order) {
    place_all(row, col);
    if (!fits_) {  // none of ours: MUMPS takes it as it is
      hessian_places_ = {};
      jacobian_places_ = {};
      numbers_ = {order, 0, 0};
      shape_ = {};
      shape_.n = order;
      shape_.variable_stage.assign(order, kkt::border);
      shape_.is_free.assign(order, 0);
      place_all(row, col);
    }
    hessian_.resize(hessian_places_.size());
    jacobian_.resize(jacobian_places_.size());
    shape_.hessian = {hessian_places_.row, hessian_places_.col};
    shape_.jacobian = {jacobian_places_.row, jacobian_places_.col};
    Dx_.assign(numbers_.n, 0.0);
    factors_ = chain_factors(shape_, hessian_places_, jacobian_places_, used);
  }

  struct Result {
    std::size_t negative = 0;
    bool singular = false;
  };
  /// @param threshold  for pivots: IPOPT raises it where it was not content with solutions
  Result factor(const double* values, double threshold) {
    sort(values);
    if (threshold_ > 0 && threshold > threshold_) factors_->take_more_care();
    threshold_ = threshold;
    auto zeros = std::count(slack_.begin(), slack_.end(), 0.0);
    if (zeros > 0) return {0, true};
    bool good = factors_->factor(hessian_, jacobian_, Dx_, Dc_);
    auto downwards = std::count_if(slack_.begin(), slack_.end(), [](double s) { return s < 0; });
    return {factors_->inertia().negative + static_cast<std::size_t>(downwards), !good};
  }

  /// rhs := K⁻¹ rhs of IPOPT's order.
  void solve(double* rhs) {
    std::size_t n = numbers_.n, d = numbers_.inequalities, c = numbers_.equations;
    const double* of_slacks = rhs + n;
    reduced_.assign(rhs, rhs + n);
    reduced_.insert(reduced_.end(), rhs + n + d, rhs + n + d + c + d);
    for (std::size_t i = 0; i < d; ++i) reduced_[n + c + i] -= link_[i] * of_slacks[i] / slack_[i];
    factors_->solve(reduced_);
    std::copy_n(reduced_.begin(), n, rhs);
    for (std::size_t i = 0; i < d; ++i) rhs[n + i] = (of_slacks[i] - link_[i] * reduced_[n + c + i]) / slack_[i];
    std::copy(reduced_.begin() + static_cast<std::ptrdiff_t>(n), reduced_.end(), rhs + n + d);
  }

 private:
  enum class Target : std::uint8_t { hessian, jacobian, slack, link, diagonal };
  struct To {
    Target target;
    std::size_t index;
  };

  void place_all(const ipfint* row, const ipfint* col) {
    for (std::size_t e = 0; e < to_.size(); ++e)
      place(static_cast<std::size_t>(std::max(row[e], col[e])) - 1, static_cast<std::size_t>(std::min(row[e], col[e])) - 1,
            to_[e]);
  }
  /// @param i, j  i >= j
  void place(std::size_t i, std::size_t j, To& to) {
    std::size_t n = numbers_.n, d = numbers_.inequalities, c = numbers_.equations, rows = n + d;
    auto add = [&](Pattern& pattern, std::size_t row, std::size_t col) {
      pattern.row.push_back(static_cast<std::int32_t>(row));
      pattern.col.push_back(static_cast<std::int32_t>(col));
      return pattern.size() - 1;
    };
    if (i < n) to = {Target::hessian, add(hessian_places_, i, j)};
    else if (i < rows && i == j) to = {Target::slack, i - n};
    else if (i >= rows && j < n) to = {Target::jacobian, add(jacobian_places_, i - rows, j)};
    else if (i >= rows && i == j) to = {Target::diagonal, i - rows};
    else if (i >= rows + c && i - rows - c == j - n && j < rows && j - n < d) to = {Target::link, j - n};
    else {
      to = {Target::diagonal, 0};
      fits_ = false;
    }
  }

  void sort(const double* values) {
    std::size_t m = numbers_.equations + numbers_.inequalities;
    slack_.assign(numbers_.inequalities, 0.0);
    link_.assign(numbers_.inequalities, 0.0);
    Dc_.assign(m, 0.0);
    for (std::size_t e = 0; e < to_.size(); ++e) switch (to_[e].target) {
        case Target::hessian:
          hessian_[to_[e].index] = values[e];
          break;
        case Target::jacobian:
          jacobian_[to_[e].index] = values[e];
          break;
        case Target::slack:
          slack_[to_[e].index] += values[e];
          break;
        case Target::link:
          link_[to_[e].index] += values[e];
          break;
        case Target::diagonal:
          Dc_[to_[e].index] -= values[e];
          break;
      }
    for (std::size_t i = 0; i < slack_.size(); ++i)
      if (slack_[i] != 0) Dc_[numbers_.equations + i] += link_[i] * link_[i] / slack_[i];
  }

  Numbers numbers_;
  kkt::ChainShape shape_;
  std::vector<To> to_;  // [entries]
  bool fits_;           // the matrix has the entries of a barrier step of the problem
  Pattern hessian_places_, jacobian_places_;
  std::vector<double> hessian_, jacobian_, Dx_, Dc_, slack_, link_, reduced_;
  std::unique_ptr<ChainFactors> factors_;
  double threshold_ = 0;  // of the last factorisation
};

}  // namespace

class ChainSolver::Work {
 public:
  explicit Work(const Nlp& nlp) { stages_ = stages_of(nlp, rows_of(nlp, numbers_)); }

  int add(std::size_t order, const ipfint* row, const ipfint* col, std::size_t entries) {
    systems_.push_back(std::make_unique<System>(numbers_, stages_, order, row, col, entries, used));
    return static_cast<int>(systems_.size()) - 1;
  }
  System& system(int id) { return *systems_[static_cast<std::size_t>(id)]; }

  LinearAlgebra used;

 private:
  Numbers numbers_;
  kkt::ChainShape stages_;
  std::vector<std::unique_ptr<System>> systems_;
};

namespace {

thread_local ChainSolver::Work* current = nullptr;

constexpr int singular_matrix_of_ma57 = 4;

void begin(double* cntl, ipfint* icntl) {
  std::fill_n(cntl, 5, 0.0);
  std::fill_n(icntl, 20, 0);
}
void analyse(ipfint* n, ipfint* entries, const ipfint* row, const ipfint* col, ipfint*, ipfint* keep, ipfint*, ipfint*,
             ipfint* info, double*) {
  keep[0] = current->add(static_cast<std::size_t>(*n), row, col, static_cast<std::size_t>(*entries));
  info[0] = 0;
  info[8] = 1;  // lengths of the factors' arrays, which are elsewhere
  info[9] = 1;
}
void factorise(ipfint*, ipfint*, double* values, double*, ipfint*, ipfint* ifact, ipfint*, ipfint*, ipfint* keep, ipfint*,
               ipfint*, double* cntl, ipfint* info, double*) {
  ifact[0] = keep[0];
  System::Result result = current->system(keep[0]).factor(values, cntl[0]);
  info[0] = result.singular ? singular_matrix_of_ma57 : 0;
  info[23] = static_cast<ipfint>(result.negative);
}
void substitute(ipfint*, ipfint*, double*, ipfint*, ipfint* ifact, ipfint*, ipfint* columns, double* rhs, ipfint* leading,
                double*, ipfint*, ipfint*, ipfint*, ipfint* info) {
  for (ipfint c = 0; c < *columns; ++c) current->system(ifact[0]).solve(rhs + c * *leading);
  info[0] = 0;
}
void enlarge(ipfint*, ipfint*, ipfint*, double*, ipfint*, double*, ipfint*, ipfint*, ipfint*, ipfint*, ipfint*,
             ipfint* info) {
  info[0] = -1;  // never asked for
}

}  // namespace

ChainSolver::ChainSolver(std::unique_ptr<Work> work) : work_(std::move(work)) {
  current = work_.get();
  LSL_setMA57(analyse, factorise, substitute, enlarge, begin);
}

ChainSolver::~ChainSolver() {
  current = nullptr;
  LSL_setMA57(nullptr, nullptr, nullptr, nullptr, nullptr);
}

LinearAlgebra ChainSolver::used() const { return work_->used; }

std::unique_ptr<ChainSolver> ChainSolver::make(const Nlp& nlp, const EngineOptions& options) {
  if (options.hessian == Hessian::lbfgs) return nullptr;
  const Pattern& hessian = options.hessian == Hessian::gauss_newton ? nlp.gauss_newton : nlp.hessian;
  if (!takes_chain(options.linear_solver, nlp, hessian)) return nullptr;
  auto work = std::make_unique<Work>(nlp);
  return std::unique_ptr<ChainSolver>(new ChainSolver(std::move(work)));
}

}  // namespace bolza::nlp
