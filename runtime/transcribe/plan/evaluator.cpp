// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/plan/evaluator.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/crew.h"
#include "base/vectorise.h"
#include "runtime/abi/evaluate.h"
#include "runtime/transcribe/plan/scatter.h"

namespace bolza::transcribe {
namespace {

struct Sizes {
  std::size_t point = 0, out = 0, weight = 0;
};

Sizes largest(const EvaluationPlan& plan) {
  Sizes sizes;
  auto look = [&](const Task& task) {
    for (std::size_t t = task.first_term; t < task.last_term; ++t) {
      const EvaluationTerm& term = plan.terms[t];
      const bolza_function& f = *term.function;
      std::size_t ld = abi::padded(term.stages * (task.end - task.begin));
      sizes.point = std::max(sizes.point, f.n_point * ld);
      for (const bolza_kernels* kernels : f.kernels)
        if (kernels) sizes.out = std::max(sizes.out, kernels->n_out * ld);
      sizes.weight = std::max(sizes.weight, f.n_rows * ld);
    }
  };
  for (const Task& task : plan.tasks) look(task);
  for (const Task& task : plan.serial) look(task);
  return sizes;
}

void gather(const EvaluationTerm& term, const Task& task, const Times* times, const std::vector<double>& w, double* point,
            std::size_t ld) {
  std::size_t count = task.end - task.begin;
  for (std::size_t c = 0; c < term.function->n_point; ++c)
    for (std::size_t j = 0; j < term.stages; ++j) {
      double* to = point + c * ld + j * count;
      std::size_t v = term.base[c * term.stages + j];
      if (v != none) std::copy_n(w.data() + v + task.begin, count, to);
      else if (c == 0 && times) std::copy_n(times->t.data() + j * term.intervals + task.begin, count, to);
      else std::fill_n(to, count, 0.0);
    }
}

void gather_weights(const EvaluationTerm& term, const Task& task, double sigma, const double* lambda, double* weight,
                    std::size_t ld) {
  std::size_t count = task.end - task.begin;
  std::fill_n(weight, term.function->n_rows * ld, 0.0);
  for (const Contribution& c : term.contributions) {
    double* to = weight + c.row * ld + c.stage * count;
    if (c.target == objective)
      for (std::size_t i = 0; i < count; ++i) to[i] += c.weight * sigma;
    else
      for (std::size_t i = 0; i < count; ++i) to[i] += c.weight * lambda[c.target + task.begin + i];
  }
}

/// Lanes beyond the last point repeat it, so that padding never makes a kernel see a singular point.
void pad(double* rows, std::size_t n_rows, std::size_t n, std::size_t ld) {
  for (std::size_t r = 0; r < n_rows; ++r) std::fill(rows + r * ld + n, rows + (r + 1) * ld, rows[r * ld + n - 1]);
}

}  // namespace

Evaluator::Evaluator(const bolza_problem& problem, EvaluationPlan& plan, unsigned threads)
    : problem_(problem),
      plan_(plan),
      threads_(std::max(1u, threads)) {
  Sizes sizes = largest(plan);
  for (unsigned t = 0; t < threads_; ++t)
    workspaces_.push_back(
        {abi::AlignedDoubles(sizes.point), abi::AlignedDoubles(sizes.out), abi::AlignedDoubles(sizes.weight)});
  w_.resize(plan.numbering.n);
  for (std::size_t p = 0; p < problem.n_phases; ++p) {
    const bolza_phase& phase = problem.phases[p];
    shared_.emplace_back(phase.shared_values, phase.shared_values + problem.models[phase.model]->n_shared);
  }
  point_shared_.resize(problem.point->n_shared);
  for (std::size_t k = problem.n_parameters; k < point_shared_.size(); ++k)
    point_shared_[k] = problem.point_data[k - problem.n_parameters];
  slots_ = std::max({std::size_t{1}, plan.gradient_sums.size() + 1, plan.hessian_sums, plan.gauss_newton_sums});
  partial_.resize((plan.tasks.size() + plan.serial.size()) * slots_);
  g_.reserve(1);
  g_.resize(plan.numbering.m);  // no array is null, not even an empty one: null says "not finite"
  jacobian_.reserve(1);
  jacobian_.resize(plan.jacobian.size());
  std::copy(plan.constant_values.begin(), plan.constant_values.end(), jacobian_.begin());
  gradient_entries_.resize(plan.gradient_entries);
  gradient_.reserve(1);
  gradient_.resize(plan.numbering.n);
  hessian_.reserve(1);
  hessian_.resize(plan.hessian.size());
  gauss_newton_.reserve(1);
  gauss_newton_.resize(plan.gauss_newton.size());
}

void Evaluator::move_to(std::span<const double> w) {
  if (variable_scale_.empty()) std::copy(w.begin(), w.end(), w_.begin());
  else
    for (std::size_t k = 0; k < w_.size(); ++k) w_[k] = w[k] * variable_scale_[k];
  values_known_ = jacobian_known_ = false;
  for (std::size_t p = 0; p < problem_.n_phases; ++p) {
    const bolza_phase& phase = problem_.phases[p];
    for (std::size_t k = 0; k < problem_.models[phase.model]->n_global; ++k)
      shared_[p][k] = w_[static_cast<std::size_t>(phase.parameter[k])];
  }
  std::copy_n(w_.begin(), problem_.n_parameters, point_shared_.begin());
  for (Times& times : plan_.times) {
    const bolza_phase& phase = problem_.phases[times.phase];
    double t0 = w_[static_cast<std::size_t>(phase.parameter[0])], tf = w_[static_cast<std::size_t>(phase.parameter[1])];
    for (std::size_t k = 0; k < times.t.size(); ++k) times.t[k] = times.time[k].at(t0, tf);
    for (std::size_t i = 0; i < times.h.size(); ++i) {
      times.h[i] = times.length[i].at(t0, tf);
      for (std::size_t k = 0; k < 2; ++k) times.half_log_dh[k][i] = times.h[i] == 0 ? 0 : times.dh[k][i] / (2 * times.h[i]);
    }
  }
}

double Evaluator::total(std::size_t slot) const {
  double sum = 0;
  for (std::size_t task = 0; task < partial_.size() / slots_; ++task) sum += partial_[task * slots_ + slot];
  return sum;
}

/// y[i] += Σ a[k]·x[k][i] over four k: y is read and written once.
BOLZA_VECTORISE static void axpy4(const double* a, const double* const* x, double* __restrict y, std::size_t n) {
  const double* __restrict x0 = x[0], * __restrict x1 = x[1], * __restrict x2 = x[2], * __restrict x3 = x[3];
  double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  for (std::size_t i = 0; i < n; ++i) y[i] += (a0 * x0[i] + a1 * x1[i]) + (a2 * x2[i] + a3 * x3[i]);
}
BOLZA_VECTORISE static void axpy(double a, const double* __restrict x, double* __restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

/// Constant entries times variables of one block of intervals; the rows were zero. Blocks of one row stand next to each
/// other.
void Evaluator::linear_part(std::size_t phase, std::size_t begin, std::size_t end) {
  const std::vector<ConstantBlock>& blocks = plan_.constants;
  for (std::size_t k = 0; k < blocks.size();) {
    if (blocks[k].phase != phase) {
      ++k;
      continue;
    }
    double a[4];
    const double* x[4];
    std::size_t row = blocks[k].row, count = 0;
    for (; count < 4 && k + count < blocks.size(); ++count) {
      const ConstantBlock& block = blocks[k + count];
      if (block.phase != phase || block.row != row) break;
      a[count] = block.row_factor;
      x[count] = w_.data() + block.col + begin;
    }
    double* y = g_.data() + row + begin;
    if (count == 4) axpy4(a, x, y, end - begin);
    else
      for (std::size_t j = 0; j < count; ++j) axpy(a[j], x[j], y, end - begin);
    k += count;
  }
}
void Evaluator::single_linear_part() {
  std::fill(g_.begin(), g_.end(), 0.0);
  for (const ConstantBlock& block : plan_.constants)
    if (block.phase == none) axpy(block.row_factor, w_.data() + block.col, g_.data() + block.row, block.count);
}

bool Evaluator::rescale(std::span<const double> variable, std::span<const double> row, double objective_scale) {
  auto uniform = [](const auto& blocks, std::span<const double> scale) {
    for (const auto& block : blocks)
      for (std::size_t i = 1; i < block.count; ++i)
        if (scale[block.first + i] != scale[block.first]) return false;
    return true;
  };
  bool undo = variable.empty();
  if (!undo && !(uniform(plan_.numbering.variables, variable) && uniform(plan_.numbering.rows, row))) return false;
  variable_scale_.assign(variable.begin(), variable.end());
  auto of_variable = [&](std::size_t v) { return undo || v == none ? 1 : variable[v]; };
  auto of_row = [&](std::size_t r) { return undo ? 1 : r == transcribe::objective ? objective_scale : row[r]; };
  for (EvaluationTerm& term : plan_.terms)
    for (Contribution& c : term.contributions) c.weight = c.coefficient / of_row(c.target);
  for (TermScatters& scatters : plan_.scatters) {
    for (std::vector<Scatter>* list : {&scatters.values, &scatters.jacobian, &scatters.gradient})
      for (Scatter& p : *list) p.coefficient = p.unscaled * of_variable(p.of[1]) / of_row(p.of[0]);
    for (Scatter& p : scatters.hessian) p.coefficient = p.unscaled * of_variable(p.of[0]) * of_variable(p.of[1]);
    for (Scatter& p : scatters.gauss_newton)
      p.coefficient = p.unscaled * of_variable(p.of[0]) * of_variable(p.of[1]) / of_row(transcribe::objective);
  }
  std::size_t k = 0;
  for (ConstantBlock& block : plan_.constants) {
    block.row_factor = block.value / of_row(block.row);
    for (std::size_t i = 0; i < block.count; ++i) jacobian_[k++] = block.row_factor * of_variable(block.col);
  }
  values_known_ = jacobian_known_ = false;
  return true;
}

bool Evaluator::run(const Job& job) {
  std::fill(partial_.begin(), partial_.end(), 0.0);
  nonfinite_task_ = none;
  std::atomic<std::size_t> next{0};
  std::atomic<int> status{0};
  auto work = [&](std::size_t thread) {
    for (std::size_t k; (k = next.fetch_add(1)) < plan_.tasks.size();)
      status |= run_task(plan_.tasks[k], k, job, workspaces_[thread]);
  };
  in_crew(std::max<std::size_t>(1, std::min<std::size_t>(threads_, plan_.tasks.size() / 4)), work);
  for (std::size_t k = 0; k < plan_.serial.size(); ++k)
    status |= run_task(plan_.serial[k], plan_.tasks.size() + k, job, workspaces_[0]);
  if (status == 0) ever_good_ = true;
  return status == 0;
}

int Evaluator::run_task(const Task& task, std::size_t number, const Job& job, Workspace& workspace) {
  int status = 0;
  if (task.phase != none && (job.sweep == Sweep::values || job.sweep == Sweep::jacobian))
    linear_part(task.phase, task.begin, task.end);
  for (std::size_t t = task.first_term; t < task.last_term; ++t) status |= run_term(t, task, number, job, workspace);
  return status;
}

int Evaluator::run_term(std::size_t t, const Task& task, std::size_t number, const Job& job, Workspace& workspace) {
  const EvaluationTerm& term = plan_.terms[t];
  const TermScatters& scatters = plan_.scatters[t];
  const Times* times = term.times == none ? nullptr : &plan_.times[term.times];
  if (job.sweep == Sweep::hessian && scatters.hessian.empty()) return 0;
  if (job.sweep == Sweep::gauss_newton && scatters.gauss_newton.empty()) return 0;
  if ((job.sweep == Sweep::values || job.sweep == Sweep::jacobian) && scatters.values.empty()) return 0;
  const bolza_function& f = *term.function;
  std::size_t n = term.stages * (task.end - task.begin), ld = abi::padded(n);
  gather(term, task, times, w_, workspace.point.data(), ld);
  pad(workspace.point.data(), f.n_point, n, ld);
  if (job.sweep == Sweep::hessian) {
    gather_weights(term, task, job.sigma, job.lambda, workspace.weight.data(), ld);
    pad(workspace.weight.data(), f.n_rows, n, ld);
  }
  bolza_kind kind = job.sweep == Sweep::hessian                            ? BOLZA_HESSIAN
                    : job.sweep == Sweep::values && f.kernels[BOLZA_VALUE] ? BOLZA_VALUE
                                                                           : BOLZA_JACOBIAN;
  abi::Evaluation evaluation{.n = n,
                             .ld = ld,
                             .point = workspace.point.data(),
                             .shared = shared(term.phase).data(),
                             .weight = workspace.weight.data(),
                             .out = workspace.out.data()};
  int status = abi::evaluate(f, kind, evaluation);
  if (status != 0) note_nonfinite(term, task, number, job, status, workspace, ld);
  scatter(t, task, number, job, workspace.out.data(), ld);
  return status;
}

void Evaluator::scatter(std::size_t t, const Task& task, std::size_t number, const Job& job, const double* out,
                        std::size_t ld) {
  const EvaluationTerm& term = plan_.terms[t];
  const TermScatters& scatters = plan_.scatters[t];
  const Times* times = term.times == none ? nullptr : &plan_.times[term.times];
  BlockOutputs block{out, ld, task.begin, task.end - task.begin, times};
  double* slots = sums(number);
  Target rows{g_.data() + task.begin, 1, slots};
  auto matrix = [&](std::vector<double>& entries, const std::vector<Region>& regions) {
    if (task.phase == none) return Target{entries.data(), 1, slots};
    const Region& region = regions[task.phase];
    if (entries.empty()) return Target{nullptr, block.count, slots};
    return Target{entries.data() + region.first + task.begin * region.runs, block.count, slots};
  };
  switch (job.sweep) {
    case Sweep::values:
      transcribe::scatter(scatters.values, block, rows);
      return;
    case Sweep::jacobian:
      transcribe::scatter(scatters.values, block, rows);
      transcribe::scatter(scatters.jacobian, block, matrix(jacobian_, plan_.jacobian_regions));
      transcribe::scatter(scatters.gradient, block,
                          {gradient_entries_.empty() ? nullptr : gradient_entries_.data() + task.begin, 1, slots + 1});
      return;
    case Sweep::hessian:
      transcribe::scatter(scatters.hessian, block, matrix(hessian_, plan_.hessian_regions));
      return;
    case Sweep::gauss_newton:
      transcribe::scatter(scatters.gauss_newton, block, matrix(gauss_newton_, plan_.gauss_newton_regions));
      return;
  }
}

bool Evaluator::ensure_values() {
  if (values_known_) return values_good_;
  single_linear_part();
  values_good_ = run({.sweep = Sweep::values});
  f_ = total(0);
  values_known_ = true;
  return values_good_;
}

bool Evaluator::ensure_jacobian() {
  if (jacobian_known_) return jacobian_good_;
  single_linear_part();
  jacobian_good_ = run({.sweep = Sweep::jacobian});
  f_ = total(0);
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  for (const GradientRun& run : plan_.gradient)
    for (std::size_t i = 0; i < run.count; ++i) gradient_[run.col + i] += gradient_entries_[run.first + i];
  for (std::size_t k = 0; k < plan_.gradient_sums.size(); ++k) gradient_[plan_.gradient_sums[k]] += total(k + 1);
  jacobian_known_ = values_known_ = true;
  values_good_ = jacobian_good_;
  return jacobian_good_;
}

bool Evaluator::objective(double& f) {
  bool good = ensure_values();
  f = f_;
  return good && std::isfinite(f_);
}
const double* Evaluator::constraints() { return ensure_values() ? g_.data() : nullptr; }
const double* Evaluator::gradient() { return ensure_jacobian() ? gradient_.data() : nullptr; }
const double* Evaluator::jacobian() { return ensure_jacobian() ? jacobian_.data() : nullptr; }

const double* Evaluator::hessian(double sigma, std::span<const double> lambda) {
  if (!run({.sweep = Sweep::hessian, .sigma = sigma, .lambda = lambda.data()})) return nullptr;
  double* border = hessian_.data() + hessian_.size() - plan_.hessian_sums;
  for (std::size_t k = 0; k < plan_.hessian_sums; ++k) border[k] = total(k);
  return hessian_.data();
}

const double* Evaluator::gauss_newton(double sigma) {
  if (!run({.sweep = Sweep::gauss_newton})) return nullptr;
  double* border = gauss_newton_.data() + gauss_newton_.size() - plan_.gauss_newton_sums;
  for (std::size_t k = 0; k < plan_.gauss_newton_sums; ++k) border[k] = total(k);
  for (double& v : gauss_newton_) v *= sigma;
  return gauss_newton_.data();
}

void Evaluator::note_nonfinite(const EvaluationTerm& term, const Task& task, std::size_t number, const Job& job, int status,
                               Workspace& workspace, std::size_t ld) {
  std::scoped_lock lock(nonfinite_mutex_);
  if (number >= nonfinite_task_ && nonfinite_task_ != none) return;
  nonfinite_task_ = number;
  const bolza_function& f = *term.function;
  std::size_t n = term.stages * (task.end - task.begin);
  std::size_t rows =
      job.sweep == Sweep::hessian ? f.hess_nnz + f.grad_nnz : f.n_rows + (job.sweep == Sweep::values ? 0 : f.jac_nnz);
  std::size_t bad_row = none, bad_point = 0;
  for (std::size_t r = 0; r < rows && bad_row == none; ++r)
    for (std::size_t i = 0; i < n && bad_row == none; ++i)
      if (!std::isfinite(workspace.out.data()[r * ld + i])) {
        bad_row = r;
        bad_point = i;
      }
  nonfinite_ = {
      .seen = true, .function = f.name ? f.name : "", .phase = term.phase, .at_start = !ever_good_, .kernel_status = status};
  nonfinite_.time = std::numeric_limits<double>::quiet_NaN();
  if (bad_row != none && job.sweep != Sweep::hessian) {
    bool derivative = bad_row >= f.n_rows;
    nonfinite_.row = derivative ? f.jac_row[bad_row - f.n_rows] : static_cast<std::int32_t>(bad_row);
    if (derivative) nonfinite_.column = f.jac_col[bad_row - f.n_rows];
  }
  for (std::size_t c = 0; c < f.n_point; ++c) nonfinite_.point.push_back(workspace.point.data()[c * ld + bad_point]);
  if (term.times != none) nonfinite_.time = nonfinite_.point.front();
  nonfinite_.shared = shared(term.phase);
}

}  // namespace bolza::transcribe
