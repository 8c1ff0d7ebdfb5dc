// SPDX-License-Identifier: Apache-2.0
// Second derivatives of the operations of steps: their adjoints differentiated along directions. With ψ the multiplier of an
// operation's equation, H(ψ) = ∇²(ψ'F), T(ψ; d, ṗ) how H(ψ) d moves with the point, a dot for how a thing moves:
//
//   by = J'ψ            moves by  J'ψ̇ + H(ψ) ṗ
//   by = H(ψ) d         moves by  H(ψ̇) d + H(ψ) ḋ + T(ψ; d, ṗ)
#include <algorithm>

#include "runtime/integrate/index.h"
#include "runtime/integrate/steps/step_tape.h"

namespace bolza::integrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

}  // namespace

bool StepTape::second(StepModel& model, const std::vector<MatrixXd>& dots, Bars& bars, std::vector<MatrixXd>& moves,
                      const RowVectorXd& length, const Directions& directions, const SecondSink& sink,
                      RowVectorXd& by_length) {
  model_ = &model;
  trouble_ = Trouble::none;
  is_at_ = false;
  Index n = at(model.n), nx = at(model.n_x), nu = at(model.n_u), np = at(model.n_p), m = length.size();
  std::vector<VectorXd> bar(values_.size());
  std::vector<MatrixXd> bar_dot(values_.size());
  auto add = [&](Slot slot, const VectorXd& v, const MatrixXd& v_dot) {
    VectorXd& to = bar[slot - forgotten_];
    MatrixXd& to_dot = bar_dot[slot - forgotten_];
    if (to.size() == 0) {
      to = v;
      to_dot = v_dot;
    } else {
      to += v;
      to_dot += v_dot;
    }
  };
  auto add_terms = [&](const Terms& terms, const VectorXd& psi, const MatrixXd& psi_dot) {
    for (const Term& term : terms) {
      double w = term.weight * power(term.power), k = term.power;
      const MatrixXd& y_dot = dots[term.slot - forgotten_];
      if (!term.power) {
        add(term.slot, w * psi, w * psi_dot);
        continue;
      }
      double slope = term.weight * k * power(term.power - 1),
             bend = term.power > 1 ? slope * (k - 1) / length_ : 0;  // by the length
      add(term.slot, w * psi, w * psi_dot + slope * psi * length);
      by_length += slope * (value(term.slot).transpose() * psi_dot + psi.transpose() * y_dot) +
                   bend * psi.dot(value(term.slot)) * length;
    }
  };
  auto add_state = [&](Slot slot, const VectorXd& by, const MatrixXd& by_dot) {
    VectorXd v = VectorXd::Zero(n);
    MatrixXd v_dot = MatrixXd::Zero(n, m);
    v.head(nx) = by.segment(1, nx);
    v_dot.topRows(nx) = by_dot.middleRows(1, nx);
    add(slot, v, v_dot);
  };
  PointGradient gradient{0, std::vector<double>(1 + model.n_u + model.n_p), std::vector<double>(model.n_u)};
  PointMoves gradient_dot{MatrixXd(1 + nu + np, m), MatrixXd(nu, m)};
  auto give = [&](double place, const VectorXd& by, const MatrixXd& by_dot, const VectorXd& slope,
                  const MatrixXd& slope_dot) {
    gradient.place = place;
    gradient.by[0] = by[0];
    for (Index k = 0; k < nu + np; ++k) gradient.by[static_cast<std::size_t>(1 + k)] = by[1 + nx + k];
    for (Index k = 0; k < nu; ++k) gradient.by_slope[static_cast<std::size_t>(k)] = slope[k];
    gradient_dot.by << by_dot.row(0), by_dot.bottomRows(nu + np);
    gradient_dot.by_slope = slope_dot;
    sink(gradient, gradient_dot);
  };
  const VectorXd no_slope = VectorXd::Zero(nu);
  const MatrixXd no_slope_dot = MatrixXd::Zero(nu, m);

  for (std::size_t k = 0; k < bars.by.size(); ++k)
    if (bars.by[k].size()) add(bars.first + k, bars.by[k], moves[k]);
  for (std::size_t k = ops_.size(); k-- > 0;) {
    const Op& op = ops_[k];
    Slot out = op.out - forgotten_;
    double t = time(op.point.place);
    if (op.kind == Kind::series) {
      std::vector<VectorXd> weight(op.order, VectorXd::Zero(n)), weight_dot(op.order);
      std::vector<MatrixXd> all(op.order, MatrixXd::Zero(n, m));
      bool any = false;
      for (std::size_t j = 0; j < op.order; ++j)
        if (bar[out + j].size()) {
          weight[j] = std::move(bar[out + j]);
          all[j] = std::move(bar_dot[out + j]);
          any = true;
          bar[out + j].resize(0);
        }
      if (!any) continue;
      PointDirections given = directions(op.point.place);
      const VectorXd& y = value(op.point.state);
      VectorXd by, by_slope, own, own_slope;
      MatrixXd by_dot, by_slope_dot;
      if (!model.series_second(t, y, weight, moved(op.point, given, dots), given.slope, by_dot, by_slope_dot) ||
          !model.series().adjoint(weight, by, by_slope))
        return fail(Trouble::not_finite);
      for (Index d = 0; d < m; ++d) {
        for (std::size_t j = 0; j < op.order; ++j) weight_dot[j] = all[j].col(d);
        if (!model.series().adjoint(weight_dot, own, own_slope)) return fail(Trouble::not_finite);
        by_dot.col(d) += own;
        by_slope_dot.col(d) += own_slope;
      }
      add_state(op.point.state, by, by_dot);
      give(op.point.place, by, by_dot, by_slope, by_slope_dot);
      continue;
    }
    VectorXd psi = std::move(bar[out]);
    MatrixXd psi_dot = std::move(bar_dot[out]);
    bar[out].resize(0);
    bar_dot[out].resize(0, 0);
    if (psi.size() == 0 || (psi.isZero(0) && psi_dot.isZero(0))) continue;
    if (op.kind == Kind::combine) {
      add_terms(op.terms, psi, psi_dot);
      continue;
    }
    PointDirections given = directions(op.point.place);
    MatrixXd p_dot = moved(op.point, given, dots), by_dot, bent, third;
    VectorXd F, by;
    const VectorXd& y = value(op.point.state);
    if (!model.rates(t, y, F) || !linearise(op.point.place, op.point.state)) return fail(Trouble::not_finite);
    const RateJacobian J = J_;
    const VectorXd slope = slope_;
    // J'ψ and how it moves with the point alone
    VectorXd back = J.transposed_times(psi);
    if (!model.second(psi, MatrixXd(), p_dot, bent)) return fail(Trouble::not_finite);
    if (op.kind == Kind::rate) {
      by_dot = J.transposed_times(psi_dot) + bent;
      add_state(op.point.state, back, by_dot);
      give(op.point.place, back, by_dot, no_slope, no_slope_dot);
      continue;
    }
    // H(ψ) d and how it moves, but for ψ̇
    auto curve = [&](const VectorXd& d, const MatrixXd& d_dot) {
      return model.second(psi, d, by) && model.second(psi, MatrixXd(), d_dot, by_dot) &&
             model.third(t, y, psi, d, p_dot, third) && (by_dot += third, true);
    };
    auto curve_dot = [&](const VectorXd& d, const MatrixXd& of) {  // H(ψ̇) d
      MatrixXd out_dot(J.columns(), m);
      VectorXd column;
      bool good = true;
      for (Index i = 0; i < m; ++i) {
        good = good && model.second(VectorXd(of.col(i)), d, column);
        if (good) out_dot.col(i) = column;
      }
      if (!good) fail(Trouble::not_finite);
      return out_dot;
    };
    if (op.kind == Kind::along) {
      double sigma = op.a * power(op.power), by_L = op.power ? op.a * op.power * power(op.power - 1) : 0,
             bend = op.power > 1 ? by_L * (op.power - 1) / length_ : 0;
      VectorXd d = direction(sigma, sum(op.terms));
      MatrixXd d_dot = MatrixXd::Zero(J.columns(), m), v_dot = MatrixXd::Zero(n, m);
      d_dot.row(0) = by_L * length;
      d_dot.middleRows(1, nx) = moved(op.terms, dots, length).topRows(nx);
      d_dot.middleRows(1 + nx, nu) = by_L * slope * length + sigma * given.slope;
      if (!curve(d, d_dot)) return fail(Trouble::not_finite);
      by_dot += curve_dot(d, psi_dot);
      if (trouble_ != Trouble::none) return false;
      MatrixXd back_dot = J.transposed_times(psi_dot) + bent;
      add_state(op.point.state, by, by_dot);
      give(op.point.place, by, by_dot, sigma * back.segment(1 + nx, nu),
           sigma * back_dot.middleRows(1 + nx, nu) + by_L * back.segment(1 + nx, nu) * length);
      VectorXd v = VectorXd::Zero(n);
      v.head(nx) = back.segment(1, nx);
      v_dot.topRows(nx) = back_dot.middleRows(1, nx);
      add_terms(op.terms, v, v_dot);
      by_length += bend * (back[0] + back.segment(1 + nx, nu).dot(slope)) * length +
                   by_L * (back_dot.row(0) + slope.transpose() * back_dot.middleRows(1 + nx, nu) +
                           back.segment(1 + nx, nu).transpose() * given.slope);
    } else if (op.kind == Kind::solve) {
      double w = op.a * length_;
      RowVectorXd w_dot = op.a * length;
      const VectorXd& K = value(op.out);
      const MatrixXd& K_dot = dots[out];
      matrix_.compute(J, {}, w, 0);
      factorised_ = 0;
      MatrixXd all = psi, solved;
      matrix_.adjoint(all, solved);
      psi = all;
      back = J.transposed_times(psi);
      if (!linearise(op.point.place, op.point.state) || !model.second(psi, MatrixXd(), p_dot, bent))
        return fail(Trouble::not_finite);
      psi_dot.topRows(nx) += w * bent.middleRows(1, nx) + back.segment(1, nx) * w_dot;
      matrix_.adjoint(psi_dot, solved);
      VectorXd d = direction(0, K);
      MatrixXd d_dot = MatrixXd::Zero(J.columns(), m);
      d_dot.middleRows(1, nx) = K_dot.topRows(nx);
      if (!curve(d, d_dot)) return fail(Trouble::not_finite);
      by_dot = (w * (by_dot + curve_dot(d, psi_dot)) + by * w_dot).eval();
      by *= w;
      if (trouble_ != Trouble::none) return false;
      add_state(op.point.state, by, by_dot);
      give(op.point.place, by, by_dot, no_slope, no_slope_dot);
      by_length += op.a * (J.times(direction(0, K)).transpose() * psi_dot + K.head(nx).transpose() * bent.middleRows(1, nx) +
                           back.segment(1, nx).transpose() * K_dot.topRows(nx));
      add_terms(op.terms, psi, psi_dot);
    } else {
      double w1 = op.a * length_, w2 = op.b * power(2);
      RowVectorXd w1_dot = op.a * length, w2_dot = 2 * op.b * length_ * length;
      VectorXd d = direction(1, F), E = J.times(d);
      MatrixXd d_dot = MatrixXd::Zero(J.columns(), m), F_dot = J.times(p_dot);
      d_dot.middleRows(1, nx) = F_dot.topRows(nx);
      d_dot.middleRows(1 + nx, nu) = given.slope;
      RateJacobian::Sparse S_dot;
      if (w2 != 0 && !curvature(d, S_dot)) return false;
      matrix_.compute(J, std::move(S_dot), w1, w2);
      factorised_ = 0;
      MatrixXd all = psi, solved, solved_dot;
      matrix_.adjoint(all, solved);
      psi = all;
      back = J.transposed_times(psi);
      back.segment(1, nx) = solved;
      if (!model.second(psi, MatrixXd(), p_dot, bent)) return fail(Trouble::not_finite);
      // B'ψ moves, ψ held
      MatrixXd held = w1 * bent + back * w1_dot;
      VectorXd inner = VectorXd::Zero(n);
      inner.head(nx) = back.segment(1, nx);
      if (w2 != 0) {
        MatrixXd inner_dot = MatrixXd::Zero(n, m), own;
        inner_dot.topRows(nx) = bent.middleRows(1, nx);
        if (!curve(d, d_dot)) return fail(Trouble::not_finite);
        if (!model.second(inner, inner_dot, p_dot, own)) return fail(Trouble::not_finite);
        held += w2 * (by_dot + own) + (by + J.transposed_times(inner)) * w2_dot;
      }
      psi_dot.topRows(nx) += held.middleRows(1, nx);
      matrix_.adjoint(psi_dot, solved_dot);
      MatrixXd back_dot = J.transposed_times(psi_dot) + bent;
      VectorXd whole = matrix_.transposed_times(all, solved);
      MatrixXd whole_dot = matrix_.transposed_times(psi_dot, solved_dot) + held;
      give(op.point.place, whole, whole_dot, w2 * back.segment(1 + nx, nu),
           w2 * back_dot.middleRows(1 + nx, nu) + back.segment(1 + nx, nu) * w2_dot);
      by_length += op.a * (F.transpose() * psi_dot + psi.transpose() * F_dot);
      if (w2 != 0)
        by_length +=
            2 * op.b *
            (psi.dot(E) * length + length_ * (E.transpose() * psi_dot + by.transpose() * p_dot + back.transpose() * d_dot));
      add_terms(op.terms, psi, psi_dot);
    }
  }
  std::size_t live = ops_.empty() ? bar.size() : ops_.front().out - forgotten_;
  bar.resize(live);
  bar_dot.resize(live);
  bars = {forgotten_, std::move(bar)};
  moves = std::move(bar_dot);
  return std::all_of(moves.begin(), moves.end(), [](const MatrixXd& v) { return v.allFinite(); });
}

}  // namespace bolza::integrate
