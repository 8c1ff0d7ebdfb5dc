// SPDX-License-Identifier: Apache-2.0
// The costate equations, piece by piece backwards, and what joins the pieces: jumps where multipliers act between them.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "runtime/linalg/dense_decompositions.h"
#include "runtime/verify/subject.h"

namespace bolza::verify {
namespace {

constexpr double of_costates = 10;  ///< times the tolerance: costates converge more slowly than states
constexpr std::size_t groups = 3;   ///< of impulses between pieces: of bounds, of path constraints, of point terms

/// How a stored costate at a boundary stands to an impulse there: it is the one before it, the one after it, or the file
/// has both values.
enum class Stands : std::uint8_t { before, after, both };

class CostatesOfPhase {
 public:
  CostatesOfPhase(const Subject& subject, std::size_t number)
      : s_(subject),
        phase_(*subject.phases[number]),
        flow_(*subject.flows[number]),
        weights_(subject.weights[number]),
        inside_(phase_.pieces.size()) {
    for (auto& group : between_) group.assign(phase_.pieces.size() + 1, Eigen::VectorXd::Zero(phase_.nx()));
    spread_.resize(phase_.pieces.size());
    at_points_.resize(phase_.pieces.size() + 1, Eigen::VectorXd::Zero(phase_.nx()));
    for (const ActingMultiplier& m : subject.acting[number]) {
      if (m.kind == ActingMultiplier::Kind::control) continue;
      add(m.impulse, m.boundary, m.impulse.is_path ? 1 : 0);
      if (m.to > m.from) spread(m);
    }
    points_ = point_impulses(subject, number);
    for (const Impulse& impulse : points_) add(impulse, boundary_of(impulse), 2);
    scale_ = scales();
  }

  /// The costates with which the residual is least, over how stored values stand to impulses.
  std::vector<PieceCostates> solve() {
    std::array<Stands, groups> stands{Stands::before, Stands::after, Stands::both};
    double least = measure(stands);
    for (std::size_t g = 0; g < groups; ++g)
      for (Stands other : {Stands::before, Stands::after, Stands::both}) {
        if (!any(g) || (other == Stands::both && g != 2)) continue;
        std::array<Stands, groups> trial = stands;
        trial[g] = other;
        double value = measure(trial);
        if (value >= least) continue;
        least = value;
        stands = trial;
      }
    stands_ = stands;
    return run(stands);
  }

  /// The same, multipliers with a stretch spread over it. Requires  `solve` was called.
  std::vector<PieceCostates> solve_evenly() const {
    std::vector<PieceCostates> out;
    for (std::size_t i = 0; i < phase_.pieces.size(); ++i) {
      std::vector<const Impulse*> impulses;
      for (const Impulse* impulse : inside_[i])
        if (!is_spread_.contains(impulse)) impulses.push_back(impulse);
      for (const Impulse& impulse : spread_[i]) impulses.push_back(&impulse);
      out.push_back(flow_.backwards(i, end_of(i, stands_) - at_points_[i + 1], weights_, impulses));
    }
    return out;
  }

  void report(const std::vector<PieceCostates>& own, Worst& pieces, Worst& end) const {
    for (std::size_t i = 0; i < own.size(); ++i) look(residual(i, own[i], stands_), phase_.pieces[i].from, pieces);
    look(end_residual(stands_), phase_.stored.final_time, end);
  }

  /// All of λ at the start, impulses there included.
  Eigen::VectorXd at_start(const std::vector<PieceCostates>& own) const {
    Eigen::VectorXd out = own.front().start;
    for (const auto& group : between_) out += group.front();
    return out;
  }
  const Eigen::VectorXd& scale() const { return scale_; }

 private:
  std::size_t boundary_of(const Impulse& impulse) const {
    constexpr double room = 1e-9;
    if (impulse.place <= room) return impulse.piece;
    if (impulse.place >= 1 - room) return impulse.piece + 1;
    return ActingMultiplier::npos;
  }
  void add(const Impulse& impulse, std::size_t boundary, std::size_t group) {
    if (boundary == ActingMultiplier::npos) inside_[impulse.piece].push_back(&impulse);
    else between_[group][boundary] += impulse.row.segment(1, phase_.nx()).transpose();
  }
  /// Over the parts of its stretch that lie in pieces.
  void spread(const ActingMultiplier& m) {
    if (m.boundary == ActingMultiplier::npos) is_spread_.insert(&m.impulse);
    else at_points_[m.boundary] += m.impulse.row.segment(1, phase_.nx()).transpose();
    std::size_t first = m.impulse.piece;
    while (first > 0 && phase_.pieces[first - 1].to > m.from) --first;
    for (std::size_t i = first; i < phase_.pieces.size() && phase_.pieces[i].from < m.to; ++i) {
      const StoredPiece& piece = phase_.pieces[i];
      double from = std::max(m.from, piece.from), to = std::min(m.to, piece.to), length = piece.to - piece.from;
      if (to <= from) continue;
      Impulse part = m.impulse;
      part.piece = i;
      part.row *= (to - from) / (m.to - m.from);
      part.from = (from - piece.from) / length;
      part.to = (to - piece.from) / length;
      spread_[i].push_back(std::move(part));
    }
  }
  bool any(std::size_t group) const {
    return std::ranges::any_of(between_[group], [](const Eigen::VectorXd& v) { return v.size() > 0 && !v.isZero(0); });
  }
  Eigen::VectorXd stored(std::size_t sample) const {
    Eigen::VectorXd out(phase_.nx());
    for (Eigen::Index a = 0; a < out.size(); ++a)
      out(a) = phase_.stored.trajectories.costate[static_cast<std::size_t>(a)][sample];
    return out;
  }
  /// Whether the file has what is wanted of a boundary: both values inside the horizon, the inner one at its ends.
  bool is_told(std::size_t boundary) const {
    if (boundary == 0 || boundary == phase_.pieces.size()) return true;
    return phase_.pieces[boundary - 1].samples.back() != phase_.pieces[boundary].samples.front();
  }
  /// What is between the stored value at a boundary and the one before (or after) it.
  Eigen::VectorXd missing(std::size_t boundary, Stands wanted, const std::array<Stands, groups>& stands) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(phase_.nx());
    for (std::size_t g = 0; g < groups; ++g) {
      Stands own = stands[g];
      if (own == Stands::both) own = is_told(boundary) ? wanted : Stands::before;
      if (own != wanted) out += between_[g][boundary];
    }
    return out;
  }
  /// λ at the end of a piece, impulses of its boundary included.
  Eigen::VectorXd end_of(std::size_t piece, const std::array<Stands, groups>& stands) const {
    return stored(phase_.pieces[piece].samples.back()) + missing(piece + 1, Stands::before, stands);
  }
  std::vector<PieceCostates> run(const std::array<Stands, groups>& stands) const {
    std::vector<PieceCostates> out;
    for (std::size_t i = 0; i < phase_.pieces.size(); ++i)
      out.push_back(flow_.backwards(i, end_of(i, stands), weights_, inside_[i]));
    return out;
  }
  Eigen::VectorXd residual(std::size_t i, const PieceCostates& own, const std::array<Stands, groups>& stands) const {
    return stored(phase_.pieces[i].samples.front()) - missing(i, Stands::after, stands) - own.start;
  }
  /// λ(tf) is what acts there.
  Eigen::VectorXd end_residual(const std::array<Stands, groups>& stands) const {
    std::size_t n = phase_.pieces.size();
    Eigen::VectorXd all = Eigen::VectorXd::Zero(phase_.nx());
    for (const auto& group : between_) all += group[n];
    return stored(phase_.pieces.back().samples.back()) + missing(n, Stands::before, stands) - all;
  }
  double measure(const std::array<Stands, groups>& stands) const {
    std::vector<PieceCostates> own = run(stands);
    double sum = (end_residual(stands).array() / scale_.array()).matrix().squaredNorm();
    for (std::size_t i = 0; i < own.size(); ++i)
      sum += (residual(i, own[i], stands).array() / scale_.array()).matrix().squaredNorm();
    return sum;
  }
  /// The largest of each costate, but no less than what moves the objective by a thousandth where its state moves by its
  /// size.
  Eigen::VectorXd scales() const {
    constexpr double least = 1e-3;
    Eigen::VectorXd out(phase_.nx());
    for (Eigen::Index a = 0; a < out.size(); ++a) {
      double largest = 0;
      for (double v : phase_.stored.trajectories.costate[static_cast<std::size_t>(a)])
        largest = std::max(largest, std::abs(v));
      out(a) = std::max(largest, least * s_.size / phase_.x_size(a));
    }
    return out;
  }
  void look(const Eigen::VectorXd& off, double time, Worst& worst) const {
    for (Eigen::Index a = 0; a < off.size(); ++a)
      worst.look(std::abs(off(a)) / scale_(a), "costate(" + phase_.name_of_state(a) + ")", time);
  }

  const Subject& s_;
  const StoredPhase& phase_;
  const OwnFlow& flow_;
  const Eigen::VectorXd& weights_;
  std::vector<std::vector<const Impulse*>> inside_;
  std::array<std::vector<Eigen::VectorXd>, groups> between_;
  std::vector<Impulse> points_;
  std::vector<std::vector<Impulse>> spread_;  // [pieces] parts of multipliers with a stretch
  std::vector<Eigen::VectorXd> at_points_;    // [pieces + 1] of these, what acts at boundaries where it is not spread
  std::set<const Impulse*> is_spread_;        // of those within pieces
  std::array<Stands, groups> stands_{};
  Eigen::VectorXd scale_;
};

/// What of slopes by open initial states no multipliers of the initial equations take up, by least squares.
Eigen::VectorXd without_initial_equations(const Subject& s, const StoredPhase& phase, const std::vector<Eigen::Index>& open,
                                          const Eigen::VectorXd& scale, const Eigen::VectorXd& left) {
  FunctionValues initial(s.problem, phase.model.initial, phase.rates.shared());
  if (!initial.possible()) return left;
  Eigen::MatrixXd point = phase.points().leftCols(1);
  TotalSlopes slopes = total_slopes(phase, point).front();
  Eigen::MatrixXd by_z(initial.rows(), phase.nz()), columns(left.size(), initial.rows());
  for (Eigen::Index b = 0; b < phase.nz(); ++b) by_z.col(b) = initial.slope(point, 1 + phase.nx() + b, phase.z_size(b));
  for (std::size_t k = 0; k < open.size(); ++k) {
    Eigen::VectorXd row = initial.slope(point, 1 + open[k], phase.x_size(open[k])).col(0);
    row += by_z * slopes.algebraic.col(1 + open[k]);
    columns.row(static_cast<Eigen::Index>(k)) = row.transpose() / scale(open[k]);
  }
  return left - columns * linalg::least_squares(columns, left);
}

/// λ(t0) of states that are free there is what initial equations make of it: the rest in the least squares.
void look_at_start(const Subject& s, std::size_t number, const Eigen::VectorXd& costate, const Eigen::VectorXd& scale,
                   Worst& worst) {
  const StoredPhase& phase = *s.phases[number];
  std::vector<Eigen::Index> open;
  for (Eigen::Index a = 0; a < phase.nx(); ++a)
    if (!phase.model.x[a].fixed) open.push_back(a);
  if (open.empty()) return;
  Eigen::VectorXd left(static_cast<Eigen::Index>(open.size()));
  for (std::size_t k = 0; k < open.size(); ++k) left(static_cast<Eigen::Index>(k)) = costate(open[k]) / scale(open[k]);
  if (phase.model.n_initial > 0) left = without_initial_equations(s, phase, open, scale, left);
  for (std::size_t k = 0; k < open.size(); ++k)
    worst.look(std::abs(left(static_cast<Eigen::Index>(k))), "costate(" + phase.name_of_state(open[k]) + ")",
               phase.stored.start_time);
}

}  // namespace

void check_costates(Subject& s, Certificate& out) {
  Worst pieces, end, start;
  for (std::size_t p = 0; p < s.phases.size(); ++p) {
    CostatesOfPhase phase(s, p);
    s.costates.push_back(phase.solve());
    s.even_costates.push_back(phase.solve_evenly());
    phase.report(s.costates.back(), pieces, end);
    s.start_costates.push_back(phase.at_start(s.costates.back()));
    look_at_start(s, p, s.start_costates.back(), phase.scale(), start);
  }
  double limit = of_costates * s.tolerance;
  out.checks.push_back(pieces.check("costates", limit, "of its size"));
  out.checks.push_back(end.check("transversality at the end", limit, "of its size"));
  out.checks.push_back(start.check("transversality at the start", limit, "of its size"));
}

}  // namespace bolza::verify
