// SPDX-License-Identifier: Apache-2.0
// A segment on IDAS: the equations and their sensitivities as one system.    [SUNDIALS, 6.2.6]
#include <idas/idas_ls.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocated.h"
#include "runtime/integrate/index.h"
#include "runtime/integrate/segment/idas_internal.h"
#include "runtime/integrate/sundials/block_solver.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::integrate {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

void no_messages(int, const char*, const char*, char*, void*) {}

}  // namespace

IdasSegment::Forward::Forward(IdasSegment& segment, std::size_t directions, Corrections corrections)
    : w(segment),
      m(directions),
      n(segment.block_ * (1 + directions)),
      y(make_vector(n, segment.context_.get())),
      yp(make_vector(n, segment.context_.get())),
      atol(n),
      share(n),
      pieces(segment.options.method_options, n, 8) {
  if (corrections == Corrections::staggered) make_matrix();
  else make_newton();
  allocated(make());
}

void IdasSegment::Forward::make_newton() {
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  auto add = [&](std::size_t row, std::size_t col) {
    places.emplace_back(static_cast<std::int32_t>(row), static_cast<std::int32_t>(col));
  };
  w.places([&](bool rate, std::size_t row, std::size_t col) {
    if (w.by_unknown(col)) add(!rate ? w.n_x + row : row < w.n_x ? row : w.n_z_ + row, col - 1);
  });
  for (std::size_t i = 0; i < w.block_; ++i) add(i, i);
  newton = std::make_unique<NewtonSystem>(w.block_, std::move(places), w.y_.get(), w.context_.get(),
                                          direct_only(w.options.method_options));
  if (m)
    solver.reset(make_block_solver(
        newton->solver(), w.block_, 1 + m, [this](const double* x, double* b) { return behind(x, b); }, w.context_.get()));
}

bool IdasSegment::Forward::make() {
  memory.reset(IDACreate(w.context_.get()));
  void* mem = memory.get();
  if (!mem || IDASetErrHandlerFn(mem, no_messages, nullptr) < 0 || IDAInit(mem, residual, 0, y.get(), yp.get()) < 0)
    return false;
  // `id` says here whose errors are tested
  Vector tested = make_vector(n, w.context_.get());
  const MethodOptions& o = w.options.method_options;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t of = i % w.block_;
    bool test = of < w.n_x || (of < w.n_ ? !w.is_index2() && !(o.suppress_algebraics > 0) : o.quadrature_error_control > 0);
    view(tested.get())[i] = test && (i < w.block_ || o.sensitivity_error_control > 0);
  }
  IDASetUserData(mem, this);
  IDAWFtolerances(mem, error_weights);
  if (std::any_of(view(tested.get()).begin(), view(tested.get()).end(), [](double test) { return test == 0; })) {
    IDASetId(mem, tested.get());
    IDASetSuppressAlg(mem, 1);
  }
  IDASetMaxNumSteps(mem, w.options.max_steps);
  if (matrix) {
    corrector =
        make_step_corrector(mem, [this](const Prediction& to, double* e) { return correct(to, e); }, w.context_.get());
    return corrector && IDASetNonlinearSolver(mem, corrector.get()) >= 0;
  }
  return IDASetLinearSolver(mem, m ? solver.get() : newton->solver(), newton->matrix()) >= 0 &&
         IDASetJacFn(mem, jacobian) >= 0;
}

// The norm's square is the sum of those of states, integrals, and of either's sensitivities.
int IdasSegment::Forward::error_weights(N_Vector y, N_Vector out, void* user) {
  const Forward& f = *static_cast<Forward*>(user);
  const double* at_y = N_VGetArrayPointer(y);
  double* o = N_VGetArrayPointer(out);
  for (std::size_t i = 0; i < f.n; ++i) o[i] = 1 / (f.share[i] * (f.w.options.rtol * std::fabs(at_y[i]) + f.atol[i]));
  return 0;
}

// Of sensitivities: rtol / |p̄| of each direction.
void IdasSegment::Forward::set_tolerances(const Segment::Directions* d) {
  auto part = [&](std::size_t of) { return std::sqrt(static_cast<double>(of) / static_cast<double>(n)); };
  for (std::size_t k = 0; k <= m; ++k) {
    double size = k && d->sizes.size() == m && d->sizes[k - 1] > 0 ? d->sizes[k - 1] : 1;
    double tolerance = w.options.rtol * (k ? w.options.method_options.sensitivity_tolerance / size : 1);
    for (std::size_t i = 0; i < w.block_; ++i) {
      atol[k * w.block_ + i] = tolerance * (i < w.n_ ? w.size_of(i) : 1);
      share[k * w.block_ + i] = part((i < w.n_ ? w.n_ : w.n_q) * (k ? m : 1));
    }
  }
}

double IdasSegment::Forward::by_length(std::size_t k) const { return direct(at(w.length_input()), at(k)); }

void IdasSegment::Forward::move(double s, const double* unknowns) {
  direction.row(0) = direct.row(at(w.begin_input())) + s * direct.row(at(w.length_input()));
  for (std::size_t k = 0; k < m; ++k)
    direction.col(at(k)).segment(1, at(w.n_)) = Eigen::Map<const Eigen::VectorXd>(unknowns + (1 + k) * w.block_, at(w.n_));
  for (std::size_t i = 0; i < w.n_u; ++i) {
    auto row = direction.row(at(1 + w.n_ + i));
    row = (w.options.linear_control ? 1 - s : 1) * direct.row(at(i));
    if (w.options.linear_control) row += s * direct.row(at(w.n_u + i));
  }
}

// How (f, q, h) move there.
bool IdasSegment::Forward::differentiate(const Point& p) {
  std::size_t rates = w.n_x + w.n_q;
  change.setZero(at(rates + w.n_z_), at(m));
  return w.entries(p, [&](bool rate, std::size_t row, std::size_t col, double v) {
    if (at(col) < direction.rows()) change.row(at(rate ? row : rates + row)) += v * direction.row(at(col));
  });
}

int IdasSegment::Forward::residual(double s, N_Vector y, N_Vector yp, N_Vector out, void* user) {
  Forward& self = *static_cast<Forward*>(user);
  IdasSegment& w = self.w;
  double *o = N_VGetArrayPointer(out), h = w.times.length;
  const double *unknowns = N_VGetArrayPointer(y), *slope = N_VGetArrayPointer(yp);
  Point p = w.point(s, unknowns);
  if (!w.find_rates(p)) return 1;
  if (w.n_z_ && !w.model.at().value(Part::residuals, p, {o + w.n_x, w.n_z_})) return 1;
  auto unknown = [&](std::size_t rate) { return rate < w.n_x ? rate : w.n_z_ + rate; };
  std::size_t rates = w.n_x + w.n_q;
  for (std::size_t i = 0; i < rates; ++i) o[unknown(i)] = slope[unknown(i)] - h * w.rates_[i];
  std::fill(o + w.block_, o + self.n, 0.0);  // see `behind`
  self.iterate.s = s;
  self.iterate.unknowns = unknowns;
  self.iterate.slopes = slope;
  return 0;
}

double IdasSegment::Iterate::scale(void* memory) const {
  double c = matrix_coefficient;
  IDAGetCurrentCj(memory, &c);
  return 2 / (1 + c / matrix_coefficient);
}

// Minus the residuals of sensitivities where the correction leads the states.
bool IdasSegment::Forward::behind(const double* correction, double* right) {
  double scale = iterate.scale(memory.get()), h = w.times.length;
  corrected.assign(iterate.unknowns, iterate.unknowns + w.block_);
  for (std::size_t i = 0; i < w.block_; ++i) corrected[i] += scale * correction[i];
  Point p = w.point(iterate.s, corrected.data());
  move(iterate.s, iterate.unknowns);
  if (!differentiate(p) || !w.find_rates(p)) return false;
  std::size_t rates = w.n_x + w.n_q;
  for (std::size_t k = 0; k < m; ++k, right += w.block_) {
    auto moved = [&](std::size_t row) { return change(at(row), at(k)); };
    const double* slope = iterate.slopes + (1 + k) * w.block_;
    for (std::size_t i = 0; i < rates; ++i) {
      std::size_t of = i < w.n_x ? i : w.n_z_ + i;
      right[of] = h * moved(i) + by_length(k) * w.rates_[i] - slope[of];
    }
    for (std::size_t i = 0; i < w.n_z_; ++i) right[w.n_x + i] = -moved(rates + i);
  }
  return true;
}

int IdasSegment::Forward::jacobian(double s, double c, N_Vector y, N_Vector, N_Vector, SUNMatrix J, void* user, N_Vector,
                                   N_Vector, N_Vector) {
  Forward& self = *static_cast<Forward*>(user);
  IdasSegment& w = self.w;
  self.iterate.matrix_coefficient = c;
  double* data = self.newton->clear(J);
  auto slot = self.newton->slot().begin();
  if (!w.entries(w.point(s, N_VGetArrayPointer(y)), [&](bool rate, std::size_t, std::size_t col, double v) {
        if (w.by_unknown(col)) data[*slot++] += rate ? -w.times.length * v : v;
      }))
    return 1;
  for (std::size_t i = 0; i < w.block_; ++i, ++slot)
    if (w.is_differential(i)) data[*slot] += c;
  return 0;
}

// Algebraics move along h_z s_z = −(h_x s_x + …) at the start, and the derivatives of states with their equations.
bool IdasSegment::Forward::place_sensitivities(const Segment::Directions& d) {
  Index nx = at(w.n_x), nz = at(w.n_z_), rates = nx + at(w.n_q);
  for (std::size_t k = 0; k < m; ++k) {
    std::fill_n(block(1 + k), w.block_, 0.0);
    std::copy_n(d.x.col(at(k)).data(), w.n_x, block(1 + k));
  }
  Point p = w.point(0, block(0));
  move(0, block(0));
  if (!differentiate(p)) return false;
  if (nz) {
    MatrixXd h_z;
    if (!w.by_algebraics(p, h_z)) return false;
    MatrixXd moved = linalg::solve(h_z, -change.bottomRows(nz));
    if (!moved.allFinite()) return false;
    for (std::size_t k = 0; k < m; ++k) std::copy_n(moved.col(at(k)).data(), w.n_z_, block(1 + k) + w.n_x);
    move(0, block(0));
    if (!differentiate(p)) return false;
  }
  if (!w.find_rates(p)) return false;
  for (std::size_t k = 0; k < m; ++k) {
    double* slope = N_VGetArrayPointer(yp.get()) + (1 + k) * w.block_;
    for (Index i = 0; i < rates; ++i)
      slope[i < nx ? i : nz + i] = w.times.length * change(i, at(k)) + by_length(k) * w.rates_[static_cast<std::size_t>(i)];
  }
  return direction.allFinite() && change.allFinite();
}

bool IdasSegment::Forward::begin(const Segment::Directions* d) {
  N_VConst(0, yp.get());
  std::copy(view(w.y_.get()).begin(), view(w.y_.get()).end(), block(0));
  std::copy(view(w.yp_.get()).begin(), view(w.yp_.get()).end(), N_VGetArrayPointer(yp.get()));
  set_tolerances(d);
  w.set_steps(memory.get(), Towards::end);
  if (!d) return true;
  direct = d->direct;
  matrix_stands = false;
  direction.resize(at(1 + w.n_ + w.n_u + w.n_p), at(m));
  direction.bottomRows(at(w.n_p)) = direct.middleRows(at(w.controls()), at(w.n_p));
  return place_sensitivities(*d);
}

bool IdasSegment::Forward::run() {
  double reached = 0;
  void* mem = memory.get();
  return IDAReInit(mem, 0, y.get(), yp.get()) >= 0 && IDASetStopTime(mem, 1) >= 0 &&
         IDASolve(mem, 1, &reached, y.get(), yp.get(), IDA_NORMAL) >= 0;
}

bool IdasSegment::Forward::record() {
  bool hermite = w.options.method_options.checkpoint_interpolation == "hermite";
  if (!recorded && IDAAdjInit(memory.get(), pieces.steps_between(), hermite ? IDA_HERMITE : IDA_POLYNOMIAL) < 0)
    return false;
  AdjointPieces::Run steps = recording();
  std::vector<double> numbers;
  steps.numbers(numbers);
  if (!pieces.forward(steps, std::move(numbers), w.allowed_steps())) return false;
  w.came_to_its_end(pieces.steps());
  return true;
}

// Numbers: unknowns and their slopes.
AdjointPieces::Run IdasSegment::Forward::recording() {
  return {.begin =
              [this](double s, std::span<const double> numbers) {
                void* mem = memory.get();
                std::copy_n(numbers.begin(), n, view(y.get()).begin());
                std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(n), n, view(yp.get()).begin());
                bool again = std::exchange(recorded, true);
                return IDAReInit(mem, s, y.get(), yp.get()) >= 0 && IDASetStopTime(mem, 1) >= 0 &&
                       (!again || IDAAdjReInit(mem) >= 0);
              },
          .step =
              [this](double& s) {
                int checkpoints = 0;
                return IDASolveF(memory.get(), 1, &s, y.get(), yp.get(), IDA_ONE_STEP, &checkpoints) >= 0;
              },
          .numbers =
              [this](std::vector<double>& numbers) {
                numbers.assign(view(y.get()).begin(), view(y.get()).end());
                numbers.insert(numbers.end(), view(yp.get()).begin(), view(yp.get()).end());
              }};
}

}  // namespace bolza::integrate
