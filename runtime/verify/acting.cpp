// SPDX-License-Identifier: Apache-2.0
// Where stored multipliers act, and what they limit there.
#include <algorithm>
#include <cmath>

#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

using Kind = ActingMultiplier::Kind;
constexpr double next_to = 1e-9;  ///< of the horizon: at the same time

/// A stretch that reaches over a mesh point belongs to that point; else to the sample in it that is nearest to its middle.
double time_of_action(const StoredPhase& phase, double from, double to) {
  double room = next_to * phase.length();
  if (to - from <= room) return from;
  double middle = 0.5 * (from + to), best = middle, distance = phase.length();
  for (const StoredPiece& piece : phase.pieces) {
    if (piece.from > from + room && piece.from < to - room) return piece.from;
    for (std::size_t k : piece.samples) {
      double t = phase.stored.trajectories.time[k];
      if (t < from - room || t > to + room || std::abs(t - middle) >= distance) continue;
      distance = std::abs(t - middle);
      best = t;
    }
  }
  return best;
}

void place_in(const StoredPhase& phase, ActingMultiplier& m) {
  double room = next_to * phase.length();
  std::size_t k = phase.piece_at(m.time, /*left=*/m.to <= m.time + room && m.time > phase.stored.start_time + room);
  const StoredPiece& piece = phase.pieces[k];
  m.impulse.piece = k;
  m.impulse.place = std::clamp((m.time - piece.from) / (piece.to - piece.from), 0.0, 1.0);
  if (m.time <= piece.from + room) m.boundary = k;
  if (m.time >= piece.to - room) m.boundary = k + 1;
}

void add_all(const StoredPhase& phase, Kind kind, const std::vector<abi::SpreadMultiplier>& list,
             std::vector<ActingMultiplier>& out) {
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t k = 0; k < list[i].amount.size(); ++k) {
      ActingMultiplier m;
      m.kind = kind;
      m.index = static_cast<Eigen::Index>(i);
      m.amount = list[i].amount[k];
      m.from = phase.stored.start_time + list[i].from[k] * phase.length();
      m.to = phase.stored.start_time + list[i].to[k] * phase.length();
      m.time = time_of_action(phase, m.from, m.to);
      place_in(phase, m);
      m.impulse.is_path = kind == Kind::path;
      out.push_back(std::move(m));
    }
}

/// Value, limits and slopes of what is limited, at the time of action.
void give_slopes(const StoredPhase& phase, std::vector<ActingMultiplier>& all) {
  Eigen::MatrixXd points(1 + phase.nx() + phase.nz() + phase.nu(), static_cast<Eigen::Index>(all.size()));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const StoredPiece& piece = phase.pieces[all[k].impulse.piece];
    points.col(static_cast<Eigen::Index>(k)) = phase.point_at(all[k].time, all[k].time > 0.5 * (piece.from + piece.to));
  }
  std::vector<TotalSlopes> slopes = total_slopes(phase, points, /*parameters=*/true);
  Eigen::MatrixXd values = phase.residuals.at(points);
  for (std::size_t k = 0; k < all.size(); ++k) {
    ActingMultiplier& m = all[k];
    auto at = static_cast<Eigen::Index>(k);
    auto index = static_cast<std::size_t>(m.index);
    const TotalSlopes& own = slopes[k];
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(own.rows.cols());
    auto limits = [&](double lower, double upper) {
      m.lower = lower;
      m.upper = upper;
    };
    switch (m.kind) {
      case Kind::state:
        row(1 + m.index) = 1;
        m.value = points(1 + m.index, at);
        limits(phase.model.x[index].min, phase.model.x[index].max);
        break;
      case Kind::algebraic:
        row = own.algebraic.row(m.index);
        m.value = points(1 + phase.nx() + m.index, at);
        limits(phase.model.z[index].min, phase.model.z[index].max);
        break;
      case Kind::control:
        row(1 + phase.nx() + m.index) = 1;
        m.value = points(1 + phase.nx() + phase.nz() + m.index, at);
        limits(phase.model.u[index].min, phase.model.u[index].max);
        break;
      case Kind::path: {
        row = own.rows.row(phase.nx() + phase.nq() + m.index);
        m.value = values(phase.nz() + m.index, at);
        const bolza_row& limit = phase.model.residuals->rows[phase.model.n_z + index];
        limits(limit.lower, limit.upper);
        break;
      }
    }
    m.impulse.row = m.amount * row;
  }
}

}  // namespace

std::vector<ActingMultiplier> acting_multipliers(const StoredPhase& phase, const abi::PhaseMultipliers& multipliers) {
  std::vector<ActingMultiplier> out;
  add_all(phase, Kind::state, multipliers.x, out);
  add_all(phase, Kind::algebraic, multipliers.z, out);
  add_all(phase, Kind::control, multipliers.u, out);
  add_all(phase, Kind::path, multipliers.path, out);
  if (!out.empty()) give_slopes(phase, out);
  return out;
}

std::vector<Impulse> point_impulses(const Subject& subject, std::size_t number) {
  const bolza_problem& problem = subject.problem;
  const StoredPhase& phase = *subject.phases[number];
  std::vector<Impulse> out;
  for (std::size_t v = 0; v < problem.n_values; ++v) {
    const bolza_value_at& value = problem.values[v];
    if (value.quantity == BOLZA_INTEGRAL || static_cast<std::size_t>(problem.places[value.place].phase) != number) continue;
    double time = time_of(problem, subject.stored, problem.places[value.place]);
    bool left = time > phase.stored.start_time + next_to * phase.length();
    Impulse impulse;
    impulse.piece = phase.piece_at(time, left);
    const StoredPiece& piece = phase.pieces[impulse.piece];
    impulse.place = std::clamp((time - piece.from) / (piece.to - piece.from), 0.0, 1.0);
    TotalSlopes slopes = total_slopes(phase, phase.point_at(time, left), /*parameters=*/true).front();
    auto index = static_cast<Eigen::Index>(value.index);
    impulse.row = Eigen::RowVectorXd::Zero(slopes.rows.cols());
    if (value.quantity == BOLZA_STATE) impulse.row(1 + index) = 1;
    if (value.quantity == BOLZA_ALGEBRAIC) impulse.row = slopes.algebraic.row(index);
    if (value.quantity == BOLZA_CONTROL) impulse.row(1 + phase.nx() + index) = 1;
    if (value.quantity == BOLZA_RATE) impulse.row = slopes.rows.row(index);
    impulse.row *= subject.point.by_value(static_cast<Eigen::Index>(v));
    out.push_back(std::move(impulse));
  }
  return out;
}

}  // namespace bolza::verify
