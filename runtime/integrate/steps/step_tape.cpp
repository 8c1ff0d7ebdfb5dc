// SPDX-License-Identifier: Apache-2.0
#include "runtime/integrate/steps/step_tape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "runtime/integrate/index.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int most_operation_iterations = 12, most_exact_iterations = 30;

}  // namespace

double StepTape::power(int k) const {
  double out = 1;
  for (; k > 0; --k) out *= length_;
  return out;
}

VectorXd StepTape::sum(const Terms& terms) const {
  VectorXd out = VectorXd::Zero(at(model_->n));
  for (const Term& term : terms) out += (term.weight * power(term.power)) * (*this)[term.slot];
  return out;
}

StepTape::Slot StepTape::start(VectorXd y) {
  resume(0, {std::move(y)}, 0, 1, 0, 1);
  return 0;
}

void StepTape::resume(Slot first, std::vector<VectorXd> live, double unit_begin, double unit, double begin, double length) {
  ops_.clear();
  values_.clear();
  ends_.clear();
  forgotten_ = first;
  forgotten_ops_ = forgotten_ends_ = 0;
  trouble_ = Trouble::none;
  iteration_.good = is_at_ = false;
  unit_begin_ = unit_begin;
  unit_ = unit;
  begin_ = begin;
  length_ = length;
  for (VectorXd& value : live) values_.push_back(std::move(value));
}

StepTape::Slot StepTape::write(Op op, std::size_t slots) {
  op.out = forgotten_ + values_.size();
  if (op.kind == Kind::implicit) op.point.state = op.out;
  if (unit_ != 1 || unit_begin_ != 0) to_fractions(op);
  for (std::size_t k = 0; k < slots; ++k) values_.emplace_back(VectorXd::Zero(at(model_->n)));
  ops_.push_back(std::move(op));
  if (trouble_ == Trouble::none && ops_.back().kind != Kind::implicit) run(ops_.back());
  return ops_.back().out;
}

StepTape::Slot StepTape::combine(Terms terms) { return write({.kind = Kind::combine, .terms = std::move(terms)}); }
StepTape::Slot StepTape::rate(Point point) { return write({.kind = Kind::rate, .point = point}); }
StepTape::Slot StepTape::along(Point point, double time, int time_power, Terms direction) {
  return write({.kind = Kind::along, .terms = std::move(direction), .point = point, .a = time, .power = time_power});
}
StepTape::Slot StepTape::solve(Point point, double weight, Slot b) {
  return write({.kind = Kind::solve, .terms = {{1, 0, b}}, .point = point, .a = weight});
}
StepTape::Slot StepTape::implicit(double place, double by_rate, double by_slope, Terms b, const VectorXd& guess) {
  Slot slot = write({.kind = Kind::implicit, .terms = std::move(b), .point = {place, 0}, .a = by_rate, .b = by_slope});
  value(slot) = guess;
  if (trouble_ == Trouble::none) run(ops_.back());
  return slot;
}
StepTape::Slot StepTape::series(Point point, std::size_t order) {
  return write({.kind = Kind::series, .point = point, .order = order}, order);
}

StepTape::Mark StepTape::mark() {
  newton_ = 0;
  return {forgotten_ops_ + ops_.size(), forgotten_ + values_.size(), forgotten_ends_ + ends_.size()};
}

void StepTape::rewind(const Mark& mark) {
  ops_.resize(mark.ops - forgotten_ops_);
  values_.resize(mark.slots - forgotten_);
  ends_.resize(mark.ends - forgotten_ends_);
  trouble_ = Trouble::none;
  is_at_ = false;
}

void StepTape::forget_before(Slot slot) {
  while (!ops_.empty() && ops_.front().out < slot) {
    ops_.pop_front();
    ++forgotten_ops_;
  }
  while (forgotten_ < slot && !values_.empty()) {
    values_.pop_front();
    ++forgotten_;
  }
  while (!ends_.empty() && ends_.front().state < slot) {
    ends_.pop_front();
    ++forgotten_ends_;
  }
}

std::size_t StepTape::bytes() const {
  constexpr std::size_t terms = 4, block = 32;  // of an operation; what an allocation costs besides its content
  return ops_.size() * (sizeof(Op) + terms * sizeof(Term) + block) +
         values_.size() * (model_->n * sizeof(double) + sizeof(VectorXd) + block);
}

void StepTape::to_fractions(Op& op) const {
  auto inverse = [&](int k) {
    double out = 1;
    for (; k > 0; --k) out /= unit_;
    return out;
  };
  for (Term& term : op.terms) term.weight *= inverse(term.power);
  op.point.place = place_of(op.point.place);
  if (op.kind == Kind::along) op.a *= inverse(op.power);
  if (op.kind == Kind::solve) op.a *= inverse(1);
  if (op.kind == Kind::implicit) {
    op.a *= inverse(1);
    op.b *= inverse(2);
  }
}

void StepTape::rescale(double begin, double length) {
  unit_begin_ = begin;
  unit_ = length;
  for (Op& op : ops_) to_fractions(op);
  for (Point& end : ends_) end.place = place_of(end.place);
  begin_ = begin;
  length_ = length;
}

bool StepTape::replay(StepModel& model, double begin, double length, VectorXd& y) {
  model_ = &model;
  begin_ = begin;
  length_ = length;
  exactly_ = true;
  trouble_ = Trouble::none;
  is_at_ = false;
  value(0) = y;
  for (const Op& op : ops_)
    if (!run(op)) return false;
  y = value(end());
  return y.allFinite();
}

bool StepTape::linearise_once(Point point) {
  if (is_at_ && at_.place == point.place && at_.state == point.state) return true;
  return linearise(point.place, point.state);
}

bool StepTape::linearise(double place, Slot state) {
  at_ = {place, state};
  is_at_ = true;
  factorised_ = 0;
  return model_->jacobian(time(place), value(state), J_, slope_) || fail(Trouble::not_finite);
}

bool StepTape::stand_at(Point point) {
  bool there = is_at_ && at_.place == point.place && at_.state == point.state;
  if (!there) return linearise(point.place, point.state);
  return model_->move_to(time(point.place), value(point.state)) || fail(Trouble::not_finite);
}

bool StepTape::factorise_once(double w) {
  if (factorised_ == w && w != 0) return true;
  factorised_ = w;
  return matrix_.compute(J_, {}, w, 0) || (factorised_ = 0, fail(Trouble::diverged));
}

// (σ, v, σ u', 0): the direction of D.
VectorXd StepTape::direction(double sigma, const VectorXd& v) const {
  VectorXd d = VectorXd::Zero(at(model_->columns()));
  d[0] = sigma;
  d.segment(1, at(model_->n_x)) = v.head(at(model_->n_x));
  d.segment(at(1 + model_->n_x), at(model_->n_u)) = sigma * slope_;
  return d;
}

// Of d(J direction)/d(t, x, u, p) with the direction held.
bool StepTape::curvature(const VectorXd& direction, RateJacobian::Sparse& S_dot) {
  return model_->jacobian_along(J_, direction, S_dot) || fail(Trouble::not_finite);
}

bool StepTape::run(const Op& op) {
  Index nx = at(model_->n_x);
  switch (op.kind) {
    case Kind::combine:
      value(op.out) = sum(op.terms);
      return true;
    case Kind::rate:
      return model_->rates(time(op.point.place), value(op.point.state), value(op.out)) || fail(Trouble::not_finite);
    case Kind::along:
      if (!linearise_once(op.point)) return false;
      value(op.out) = J_.times(direction(op.a * power(op.power), sum(op.terms)));
      return true;
    case Kind::solve: {
      if (!linearise_once(op.point)) return false;
      double w = op.a * length_;
      if (!factorise_once(w)) return false;
      VectorXd b = sum(op.terms), K = matrix_.solve(b.head(nx));
      if (b.size() > nx) b.tail(b.size() - nx) += w * J_.times(direction(0, K)).bottomRows(b.size() - nx);
      b.head(nx) = K;
      value(op.out) = b;
      return b.allFinite() || fail(Trouble::diverged);
    }
    case Kind::implicit:
      return run_implicit(op);
    case Kind::series:
      return run_series(op);
  }
  return false;
}

// Newton's method from what the slot holds. Not exactly: with w₂ = 0 the matrix of before serves while it contracts, else
// the matrix leaves f_xx out; both change nothing but the speed.
bool StepTape::run_implicit(const Op& op) {
  Index n = at(model_->n), nx = at(model_->n_x);
  double t = time(op.point.place), w1 = op.a * length_, w2 = op.b * power(2), before = INFINITY;
  VectorXd b = sum(op.terms), y = value(op.out), F(n), D = VectorXd::Zero(n);
  auto evaluate = [&] {
    if (!model_->rates(t, y, F)) return fail(Trouble::not_finite);
    if (w2 == 0) return true;
    if (!model_->jacobian(t, y, J_, slope_)) return fail(Trouble::not_finite);
    D = J_.times(direction(1, F));
    return true;
  };
  auto factorise = [&] {
    if (w2 == 0 && !model_->jacobian(t, y, J_, slope_)) return fail(Trouble::not_finite);
    RateJacobian::Sparse S_dot;
    if (w2 != 0 && exactly_ && !curvature(direction(1, F), S_dot)) return false;
    if (!iteration_.matrix.compute(J_, std::move(S_dot), w1, w2)) return fail(Trouble::diverged);
    iteration_.by_rate = w1;
    iteration_.by_slope = w2;
    iteration_.good = iteration_.fresh = true;
    return true;
  };
  auto size_of = [&](const VectorXd& change) {
    double size = 0;
    if (!exactly_ && scale_.size() >= nx)
      return change.cwiseProduct(scale_.head(nx)).norm() / std::sqrt(static_cast<double>(nx));
    for (Index i = 0; i < nx; ++i)
      size = std::max(size,
                      std::fabs(change[i]) / std::max(nonlinear::size_of(model_->reduced().model().x[i]), std::fabs(y[i])));
    return size;
  };
  iteration_.fresh = is_at_ = false;
  factorised_ = 0;
  for (int k = 0;; ++k) {
    ++newton_;
    if (!evaluate()) return false;
    bool anew = exactly_ || w2 != 0 || !iteration_.good || iteration_.by_rate != w1 || iteration_.by_slope != w2;
    if (anew && !factorise()) return false;
    VectorXd residual = (y - b - w1 * F - w2 * D).head(nx), change = iteration_.matrix.solve(residual);
    if (!change.allFinite()) return fail(Trouble::diverged);
    double size = size_of(change), ratio = size / before;
    if (k > 0 && ratio > 0.9 && size > (exactly_ ? 1e-10 : 1e-6)) {
      if (exactly_ ? k < most_exact_iterations : iteration_.fresh) {
        if (!exactly_) return fail(Trouble::diverged);
      } else if (!factorise()) {
        return false;
      } else {  // the old matrix did not contract: begin again from here with a new one
        y.head(nx) -= iteration_.matrix.solve(residual);
        before = INFINITY;
        continue;
      }
    }
    y.head(nx) -= change;
    bool done = exactly_ ? size <= 1e-14 || (size < 1e-10 && size >= 0.5 * before)
                         : size <= 1e-6 || (k > 0 && size * ratio / (1 - std::min(ratio, 0.9)) <= tolerance_);
    if (done) break;
    if (k >= (exactly_ ? most_exact_iterations : most_operation_iterations)) {
      iteration_.good = false;
      return fail(Trouble::diverged);
    }
    before = size;
  }
  if (n > nx) {
    if (!evaluate()) return false;
    y.tail(n - nx) = (b + w1 * F + w2 * D).tail(n - nx);
  }
  value(op.out) = y;
  return true;
}

VectorXd StepTape::filtered(VectorXd v) const {
  Index nx = at(model_->n_x);
  if (iteration_.good) v.head(nx) = iteration_.matrix.solve(v.head(nx)).eval();
  return v;
}

bool StepTape::run_series(const Op& op) {
  std::vector<VectorXd> c;
  if (!model_->series(time(op.point.place), value(op.point.state), op.order, SeriesModel::Derivatives::none, c))
    return fail(Trouble::not_finite);
  for (std::size_t k = 0; k < op.order; ++k) value(op.out + k) = c[k];
  return true;
}

}  // namespace bolza::integrate
