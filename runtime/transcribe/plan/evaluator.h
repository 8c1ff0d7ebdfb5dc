// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/abi/aligned.h"
#include "runtime/nlp/nlp.h"
#include "runtime/transcribe/options.h"
#include "runtime/transcribe/plan/evaluation_plan.h"

namespace bolza::transcribe {

/// Runs a plan: gathers inputs block by block, calls the kernels, scatters the outputs to their entries. After construction
/// nothing is allocated but scratch of Programs. Results do not depend on the number of threads.
class Evaluator final : public nlp::Functions {
 public:
  /// The plan and the problem must outlive the evaluator; the kernels that will be used must be compiled.
  Evaluator(const bolza_problem& problem, EvaluationPlan& plan, unsigned threads);

  void move_to(std::span<const double> w) override;
  bool objective(double& f) override;
  const double* gradient() override;
  const double* constraints() override;
  const double* jacobian() override;
  const double* hessian(double sigma, std::span<const double> lambda) override;
  const double* gauss_newton(double sigma) override;
  /// Scales must be the same along every run of variables and rows.
  bool rescale(std::span<const double> variable, std::span<const double> row, double objective) override;

  /// Entries of EvaluationPlan::gradient after `gradient()`.
  const double* gradient_entries() const { return gradient_entries_.data(); }
  const NonfiniteReport& nonfinite() const { return nonfinite_; }
  void forget_nonfinite() { nonfinite_ = {}; }
  std::span<const double> point() const { return w_; }
  const Times& times(std::size_t k) const { return plan_.times[k]; }
  /// `shared` of a phase (-1: of the point function) at the present point.
  const std::vector<double>& shared(std::int32_t phase) const {
    return phase < 0 ? point_shared_ : shared_[static_cast<std::size_t>(phase)];
  }

 private:
  enum class Sweep { values, jacobian, hessian, gauss_newton };
  struct Workspace {
    abi::AlignedDoubles point, out, weight;
  };
  struct Job {
    Sweep sweep;
    double sigma = 1;
    const double* lambda = nullptr;
  };

  bool run(const Job& job);
  int run_task(const Task& task, std::size_t number, const Job& job, Workspace& workspace);
  int run_term(std::size_t term, const Task& task, std::size_t number, const Job& job, Workspace& workspace);
  void scatter(std::size_t term, const Task& task, std::size_t number, const Job& job, const double* out, std::size_t ld);
  void linear_part(std::size_t phase, std::size_t begin, std::size_t end);
  void single_linear_part();
  bool ensure_values();
  bool ensure_jacobian();
  void note_nonfinite(const EvaluationTerm& term, const Task& task, std::size_t number, const Job& job, int status,
                      Workspace& workspace, std::size_t ld);
  double* sums(std::size_t number) { return partial_.data() + number * slots_; }
  double total(std::size_t slot) const;

  const bolza_problem& problem_;
  EvaluationPlan& plan_;
  unsigned threads_;
  std::vector<Workspace> workspaces_;
  std::vector<double> w_, variable_scale_;  // scales: empty when there are none
  std::vector<std::vector<double>> shared_;
  std::vector<double> point_shared_;
  std::size_t slots_ = 1;
  std::vector<double> partial_;  // [tasks × slots]
  double f_ = 0;
  std::vector<double> g_, jacobian_, gradient_entries_, gradient_, hessian_, gauss_newton_;
  bool values_known_ = false, values_good_ = false, jacobian_known_ = false, jacobian_good_ = false, ever_good_ = false;
  std::mutex nonfinite_mutex_;
  std::size_t nonfinite_task_ = 0;
  NonfiniteReport nonfinite_;
};

}  // namespace bolza::transcribe
