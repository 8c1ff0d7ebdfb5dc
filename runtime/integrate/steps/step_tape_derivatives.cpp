// SPDX-License-Identifier: Apache-2.0
// Tangent and adjoint of the operations of steps. Each adjoint is what lemma 2 of [GOMEZ] gives for the operation alone:
// with ψ the multiplier of its defining equation, found from the derivative by its result, the derivatives by its arguments
// follow.
#include "runtime/integrate/index.h"
#include "runtime/integrate/steps/step_tape.h"

#include <algorithm>

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

}  // namespace

bool StepTape::adjoint(StepModel& model, VectorXd& lambda, const Sink& sink, double& by_length, const AtEnd& at_end) {
  by_length = 0;
  if (ends_.empty()) return true;
  Bars bars{end(), {lambda}};
  if (!adjoint(model, bars, sink, by_length, at_end)) return false;
  lambda = bars.by[0].size() ? bars.by[0] : VectorXd::Zero(at(model.n));
  return lambda.allFinite();
}

StepTape::Coefficients StepTape::coefficients(std::size_t k) const {
  const Op& op = ops_[k];
  Coefficients out{op.point.place, op.a, op.b, {}};
  for (const Term& term : op.terms) out.terms.push_back(term.weight);
  return out;
}

bool StepTape::adjoint(StepModel& model, Bars& bars, const Sink& sink, double& by_length, const AtEnd& at_end,
                       const CoefficientSink& coefficients) {
  model_ = &model;
  trouble_ = Trouble::none;
  is_at_ = false;
  Index n = at(model.n), nx = at(model.n_x), nu = at(model.n_u), np = at(model.n_p);
  std::vector<VectorXd> bar(values_.size());
  auto add = [&](Slot slot, const VectorXd& v) {
    VectorXd& to = bar[slot - forgotten_];
    if (to.size() == 0) to = v;
    else to += v;
  };
  Coefficients own;  // derivatives by the numbers of the operation
  auto add_terms = [&](const Terms& terms, const VectorXd& psi) {
    for (const Term& term : terms) {
      if (coefficients) own.terms.push_back(power(term.power) * psi.dot(value(term.slot)));
      add(term.slot, (term.weight * power(term.power)) * psi);
      if (term.power) by_length += term.weight * term.power * power(term.power - 1) * psi.dot(value(term.slot));
    }
  };
  PointGradient gradient{0, std::vector<double>(1 + model.n_u + model.n_p), std::vector<double>(model.n_u)};
  // by [columns], without the state's part
  auto give = [&](double place, const VectorXd& by, const VectorXd& by_slope) {
    if (coefficients) own.place = length_ * (by[0] + by.segment(1 + nx, nu).dot(slope_));
    gradient.place = place;
    gradient.by[0] = by[0];
    for (Index k = 0; k < nu + np; ++k) gradient.by[static_cast<std::size_t>(1 + k)] = by[1 + nx + k];
    for (Index k = 0; k < nu; ++k) gradient.by_slope[static_cast<std::size_t>(k)] = by_slope[k];
    sink(gradient);
  };
  auto add_state = [&](Slot slot, const VectorXd& by) {
    VectorXd v = VectorXd::Zero(n);
    v.head(nx) = by.segment(1, nx);
    add(slot, v);
  };
  VectorXd none = VectorXd::Zero(nu), by;
  // psiᵀ d(J d)/d(t, x, u, p) with d held; J_ and the model stand at the point
  auto curved = [&](const VectorXd& psi, const VectorXd& d) {
    return model.second(psi, d, by) || fail(Trouble::not_finite);
  };

  for (std::size_t k = 0; k < bars.by.size(); ++k)
    if (bars.by[k].size()) add(bars.first + k, bars.by[k]);
  std::size_t end = ends_.size();
  for (std::size_t k = ops_.size(); k-- > 0;) {
    const Op& op = ops_[k];
    Slot out = op.out - forgotten_;
    if (end > 0 && ends_[end - 1].state == op.out) {
      --end;
      if (bar[out].size() == 0) bar[out] = VectorXd::Zero(n);
      if (at_end) at_end(end, bar[out]);
    }
    if (op.kind == Kind::series) {
      std::vector<VectorXd> weight(op.order, VectorXd::Zero(n)), c;
      bool any = false;
      for (std::size_t j = 0; j < op.order; ++j)
        if (bar[out + j].size()) {
          weight[j] = std::move(bar[out + j]);
          bar[out + j].resize(0);
          any = true;
        }
      if (!any) continue;
      VectorXd by_slope;
      if (!model.series(time(op.point.place), value(op.point.state), op.order, SeriesModel::Derivatives::first, c) ||
          !model.series().adjoint(weight, by, by_slope))
        return fail(Trouble::not_finite);
      add_state(op.point.state, by);
      give(op.point.place, by, by_slope);
      continue;
    }
    VectorXd psi = std::move(bar[out]);
    bar[out].resize(0);
    if (psi.size() == 0 || psi.isZero(0)) continue;
    own = {};
    switch (op.kind) {
      case Kind::combine:
        add_terms(op.terms, psi);
        break;
      case Kind::rate:
        if (coefficients && !linearise_once(op.point)) return false;  // which want the inputs' slopes
        if (!model.pull_back(time(op.point.place), value(op.point.state), psi, by)) return fail(Trouble::not_finite);
        add_state(op.point.state, by);
        give(op.point.place, by, none);
        break;
      case Kind::along: {
        if (!stand_at(op.point)) return false;
        double sigma = op.a * power(op.power);
        VectorXd d = direction(sigma, sum(op.terms)), back = J_.transposed_times(psi), v = VectorXd::Zero(n);
        if (!curved(psi, d)) return false;
        add_state(op.point.state, by);
        give(op.point.place, by, sigma * back.segment(1 + nx, nu));
        v.head(nx) = back.segment(1, nx);
        add_terms(op.terms, v);
        own.a = power(op.power) * (back[0] + back.segment(1 + nx, nu).dot(slope_));
        if (op.power) by_length += op.a * op.power * power(op.power - 1) * (back[0] + back.segment(1 + nx, nu).dot(slope_));
        break;
      }
      case Kind::solve: {
        if (!stand_at(op.point)) return false;
        double w = op.a * length_;
        if (!factorise_once(w)) return false;
        MatrixXd all = psi, back;
        matrix_.adjoint(all, back);
        psi = all;
        const VectorXd& K = value(op.out);
        if (!curved(psi, direction(0, K))) return false;
        by *= w;
        add_state(op.point.state, by);
        give(op.point.place, by, none);
        own.a = length_ * back.col(0).dot(K.head(nx));
        by_length += op.a / length_ * own.a;
        add_terms(op.terms, psi);
        break;
      }
      case Kind::implicit: {
        double w1 = op.a * length_, w2 = op.b * power(2);
        VectorXd F;
        if (w2 != 0 && !model.rates(time(op.point.place), value(op.out), F)) return fail(Trouble::not_finite);
        if (!linearise(op.point.place, op.out)) return false;
        RateJacobian::Sparse S_dot;
        if (w2 != 0 && !curvature(direction(1, F), S_dot)) return false;
        if (w2 == 0 && !model.rates(time(op.point.place), value(op.out), F)) return fail(Trouble::not_finite);
        factorised_ = 0;
        if (!matrix_.compute(J_, std::move(S_dot), w1, w2)) return fail(Trouble::diverged);
        MatrixXd all = psi, back;
        matrix_.adjoint(all, back);
        psi = all;
        by = matrix_.transposed_times(all, back);
        VectorXd by_slope = none;
        if (w2 != 0) by_slope = w2 * J_.transposed_times(psi).middleRows(1 + nx, nu);
        give(op.point.place, by, by_slope);
        own.a = length_ * psi.dot(F);
        own.b = w2 != 0 ? power(2) * psi.dot(J_.times(direction(1, F)).col(0)) : 0;
        by_length += (op.a * own.a + 2 * op.b * own.b) / length_;
        add_terms(op.terms, psi);
        break;
      }
      case Kind::series:
        break;
    }
    if (coefficients) coefficients(k, own);
  }
  bar.resize(ops_.empty() ? bar.size() : ops_.front().out - forgotten_);
  bars = {forgotten_, std::move(bar)};
  return std::all_of(bars.by.begin(), bars.by.end(), [](const VectorXd& v) { return v.allFinite(); });
}

MatrixXd StepTape::moved(const Terms& terms, const std::vector<MatrixXd>& dots, const RowVectorXd& length) const {
  MatrixXd out = MatrixXd::Zero(at(model_->n), length.size());
  for (const Term& term : terms) {
    out += (term.weight * power(term.power)) * dots[term.slot - forgotten_];
    if (term.power) out += (term.weight * term.power * power(term.power - 1)) * (*this)[term.slot] * length;
  }
  return out;
}

/// Of (t, x, u, p) at a point.
MatrixXd StepTape::moved(const Point& point, const PointDirections& given, const std::vector<MatrixXd>& dots) const {
  Index nx = at(model_->n_x), behind = at(model_->n_u + model_->n_p);
  MatrixXd out = MatrixXd::Zero(at(model_->columns()), given.by.cols());
  out.row(0) = given.by.row(0);
  if (dots[point.state - forgotten_].size()) out.middleRows(1, nx) = dots[point.state - forgotten_].topRows(nx);
  out.bottomRows(behind) = given.by.bottomRows(behind);
  return out;
}

bool StepTape::tangent(StepModel& model, MatrixXd& dy, const RowVectorXd& length, const Directions& directions) {
  std::vector<MatrixXd> dots{dy};
  if (!tangent(model, dots, length, directions)) return false;
  dy = dots[end() - forgotten_];
  return dy.allFinite();
}

bool StepTape::tangent(StepModel& model, std::vector<MatrixXd>& dot, const RowVectorXd& length,
                       const Directions& directions) {
  model_ = &model;
  trouble_ = Trouble::none;
  is_at_ = false;
  Index nx = at(model.n_x), nu = at(model.n_u), m = length.size();
  dot.resize(values_.size());
  for (const Op& op : ops_) {
    MatrixXd& out = dot[op.out - forgotten_];
    if (op.kind == Kind::combine) {
      out = moved(op.terms, dot, length);
      continue;
    }
    PointDirections given = directions(op.point.place);
    if (op.kind == Kind::series) {
      std::vector<VectorXd> c;
      std::vector<MatrixXd> moves;
      if (!model.series(time(op.point.place), value(op.point.state), op.order, SeriesModel::Derivatives::first, c) ||
          !model.series().tangent(moved(op.point, given, dot), given.slope, moves))
        return fail(Trouble::not_finite);
      for (std::size_t k = 0; k < op.order; ++k) dot[op.out + k - forgotten_] = std::move(moves[k]);
      continue;
    }
    VectorXd F;
    if (op.kind == Kind::implicit && !model.rates(time(op.point.place), value(op.out), F)) return fail(Trouble::not_finite);
    if (!stand_at(op.point)) return false;
    RateJacobian::Sparse S_dot;
    if (op.kind == Kind::rate) {
      out = J_.times(moved(op.point, given, dot));
    } else if (op.kind == Kind::along) {
      double sigma = op.a * power(op.power);
      MatrixXd d = MatrixXd::Zero(at(model.columns()), m);  // of the direction
      d.middleRows(1, nx) = moved(op.terms, dot, length).topRows(nx);
      d.middleRows(1 + nx, nu) = sigma * given.slope;
      if (op.power) {
        double by = op.a * op.power * power(op.power - 1);
        d.row(0) += by * length;
        d.middleRows(1 + nx, nu) += by * slope_ * length;
      }
      if (!curvature(direction(sigma, sum(op.terms)), S_dot)) return false;
      out = J_.curved_times(S_dot, moved(op.point, given, dot)) + J_.times(d);
    } else if (op.kind == Kind::solve) {
      double w = op.a * length_;
      const VectorXd& K = value(op.out);
      if (!curvature(direction(0, K), S_dot) || !factorise_once(w)) return false;
      out = moved(op.terms, dot, length) + w * J_.curved_times(S_dot, moved(op.point, given, dot)) +
            op.a * J_.times(direction(0, K)) * length;
      matrix_.tangent(MatrixXd::Zero(at(model.columns()), m), out);
    } else {
      double w1 = op.a * length_, w2 = op.b * power(2);
      VectorXd by = op.a * F;
      out = moved(op.terms, dot, length);
      if (w2 != 0) {
        VectorXd d = direction(1, F);
        if (!curvature(d, S_dot)) return false;
        by += 2 * op.b * length_ * J_.times(d);
        MatrixXd slopes = MatrixXd::Zero(at(model.columns()), m);
        slopes.middleRows(1 + nx, nu) = given.slope;
        out += w2 * J_.times(slopes);
      }
      factorised_ = 0;
      if (!matrix_.compute(J_, std::move(S_dot), w1, w2)) return fail(Trouble::diverged);
      MatrixXd held = moved(op.point, given, dot);
      held.middleRows(1, nx).setZero();  // what the operation gives is not an argument of it
      out += by * length;
      matrix_.tangent(held, out);
    }
  }
  return true;
}

}  // namespace bolza::integrate
