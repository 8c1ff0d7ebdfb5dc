// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/own_flow.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "runtime/linalg/collocation_points.h"
#include "runtime/linalg/lagrange.h"

namespace bolza::verify {
namespace {

constexpr double converged = 1e-10;   ///< of sizes: the last correction
constexpr double good_enough = 1e-7;  ///< the same, where rounding stops the iteration
constexpr int corrections = 12;       ///< with one factorisation
constexpr int factorisations = 4;
constexpr std::size_t fewest_stages = 5, most_stages = 9;
constexpr std::size_t more_stages = 2;       ///< than the solve had points: an order of four more
constexpr Eigen::Index most_unknowns = 900;  ///< of one piece: beyond, there are fewer stages,
constexpr Eigen::Index enough_stages = 3;    ///< but no fewer than these: order 5
constexpr double diverged = 1e3;             ///< sizes, of one correction: from stored values it is 1 at most

/// More stages than points of any piece, so that the order is higher than the solve's.
Eigen::Index stages_for(const StoredPhase& phase) {
  std::size_t most = 0;
  for (const StoredPiece& piece : phase.pieces) most = std::max(most, piece.samples.size());
  auto wanted = static_cast<Eigen::Index>(std::clamp(most + more_stages, fewest_stages, most_stages));
  return std::min(wanted, most_stages_of(phase.model.n_x));
}

Eigen::VectorXd lagrange_at(const std::vector<double>& nodes, double place) {
  std::vector<double> weights = linalg::lagrange_values(nodes, place);
  return Eigen::Map<Eigen::VectorXd>(weights.data(), static_cast<Eigen::Index>(weights.size()));
}

/// Mean values of the Lagrange polynomials of some nodes over a stretch.
Eigen::VectorXd lagrange_means(const std::vector<double>& nodes, double from, double to) {
  std::vector<double> until = linalg::lagrange_integrals(nodes, to), before = linalg::lagrange_integrals(nodes, from);
  Eigen::VectorXd out(static_cast<Eigen::Index>(nodes.size()));
  for (std::size_t k = 0; k < nodes.size(); ++k) out(static_cast<Eigen::Index>(k)) = (until[k] - before[k]) / (to - from);
  return out;
}

/// The beginning of a piece and its stages.
std::vector<double> with_start(const std::vector<double>& places) {
  std::vector<double> nodes{0};
  nodes.insert(nodes.end(), places.begin(), places.end());
  return nodes;
}

}  // namespace

RadauRule::RadauRule(Eigen::Index stages)
    : places(linalg::radau_points(static_cast<std::size_t>(stages))),
      A(stages, stages) {
  for (Eigen::Index r = 0; r < stages; ++r) {
    std::vector<double> row = linalg::lagrange_integrals(places, places[static_cast<std::size_t>(r)]);
    A.row(r) = Eigen::Map<Eigen::RowVectorXd>(row.data(), stages);
  }
  b = A.row(stages - 1);
}

Eigen::Index most_stages_of(std::size_t states) {
  auto most = static_cast<Eigen::Index>(most_stages);
  return states == 0 ? most : std::clamp(most_unknowns / static_cast<Eigen::Index>(states), enough_stages, most);
}

struct OwnFlow::Lu {
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXd>> of;  // [pieces]
};

OwnFlow::OwnFlow(const StoredPhase& phase) : phase_(phase), rule_(stages_for(phase)), lu_(std::make_unique<Lu>()) {}
OwnFlow::~OwnFlow() = default;

double OwnFlow::weight(std::size_t piece, Eigen::Index stage) const {
  return (phase_.pieces[piece].to - phase_.pieces[piece].from) * rule_.b(stage);
}

/// The stored trajectory at our stages.
void OwnFlow::begin() {
  const abi::Trajectories& y = phase_.stored.trajectories;
  auto pieces = static_cast<Eigen::Index>(phase_.pieces.size());
  Eigen::Index nx = phase_.nx(), nz = phase_.nz(), S = stages();
  points_.resize(1 + nx + nz + phase_.nu(), S * pieces);
  starts_.resize(nx, pieces);
  for (Eigen::Index i = 0; i < pieces; ++i) {
    const StoredPiece& piece = phase_.pieces[static_cast<std::size_t>(i)];
    auto block = points_.middleCols(S * i, S);
    for (Eigen::Index r = 0; r < S; ++r)
      block(0, r) = piece.from + rule_.places[static_cast<std::size_t>(r)] * (piece.to - piece.from);
    block.middleRows(1, nx) = phase_.at(y.x, piece, rule_.places);
    block.middleRows(1 + nx, nz) = phase_.inside_at(y.z, piece, rule_.places);
    block.bottomRows(phase_.nu()) = phase_.inside_at(y.u, piece, rule_.places);
    for (Eigen::Index a = 0; a < nx; ++a) starts_(a, i) = y.x[static_cast<std::size_t>(a)][piece.samples.front()];
  }
}

void OwnFlow::factor() {
  Eigen::Index nx = phase_.nx(), S = stages();
  slopes_ = total_slopes(phase_, points_, /*parameters=*/true);
  lu_->of.clear();
  for (std::size_t i = 0; i < phase_.pieces.size(); ++i) {
    double h = phase_.pieces[i].to - phase_.pieces[i].from;
    Eigen::MatrixXd M = Eigen::MatrixXd::Identity(S * nx, S * nx);
    for (Eigen::Index k = 0; k < S; ++k) {
      const TotalSlopes& at = slopes_[i * static_cast<std::size_t>(S) + static_cast<std::size_t>(k)];
      for (Eigen::Index r = 0; r < S; ++r)
        M.block(r * nx, k * nx, nx, nx) -= h * rule_.A(r, k) * at.rows.block(0, 1, nx, nx);
    }
    lu_->of.emplace_back(M);
  }
}

/// One simplified Newton step of all pieces; the largest correction, of sizes.
double OwnFlow::correct() {
  Eigen::Index nx = phase_.nx(), nz = phase_.nz(), S = stages();
  rates_ = phase_.rates.at(points_);
  Eigen::MatrixXd h_values = phase_.residuals.at(points_);
  double largest = 0;
  for (std::size_t i = 0; i < phase_.pieces.size(); ++i) {
    auto first = static_cast<Eigen::Index>(i) * S;
    double h = phase_.pieces[i].to - phase_.pieces[i].from;
    Eigen::MatrixXd f = rates_.block(0, first, nx, S), dz(nz, S);
    for (Eigen::Index k = 0; k < S && nz > 0; ++k) {
      const TotalSlopes& at = slopes_[static_cast<std::size_t>(first + k)];
      dz.col(k) = -at.inverse * h_values.col(first + k).head(nz);
      f.col(k) += at.by_z.topRows(nx) * dz.col(k);
    }
    Eigen::MatrixXd x = points_.block(1, first, nx, S);
    Eigen::MatrixXd rest = x.colwise() - starts_.col(static_cast<Eigen::Index>(i));
    rest -= h * f * rule_.A.transpose();
    Eigen::VectorXd dx = -lu_->of[i].solve(rest.reshaped());
    for (Eigen::Index k = 0; k < S; ++k) {
      Eigen::VectorXd own = dx.segment(k * nx, nx);
      points_.block(1, first + k, nx, 1) += own;
      if (nx > 0) largest = std::max(largest, (own.cwiseAbs().array() / phase_.x_size.array()).maxCoeff());
      if (nz == 0) continue;
      dz.col(k) += slopes_[static_cast<std::size_t>(first + k)].algebraic.middleCols(1, nx) * own;
      points_.block(1 + nx, first + k, nz, 1) += dz.col(k);
      largest = std::max(largest, (dz.col(k).cwiseAbs().array() / phase_.z_size.array()).maxCoeff());
    }
    if (!dx.allFinite() || !dz.allFinite()) return infinity;
  }
  return largest;
}

bool OwnFlow::integrate(std::string& message) {
  begin();
  double moved = infinity;
  for (int round = 0; round < factorisations && moved > good_enough; ++round) {
    factor();
    for (const TotalSlopes& at : slopes_)
      if (!at.regular) {
        auto k = static_cast<Eigen::Index>(&at - slopes_.data());
        message = "the equations have no finite derivatives at t = " + shown(points_(0, k));
        return false;
      }
    moved = infinity;
    double before = infinity;
    for (int k = 0; k < corrections && moved > converged; ++k) {
      moved = correct();
      if (!(moved < before) && moved < good_enough) break;
      if (!std::isfinite(moved) || moved > diverged) {
        message = "the integration with the stored controls does not converge";
        return false;
      }
      before = moved;
    }
  }
  rates_ = phase_.rates.at(points_);
  if (moved > good_enough || !rates_.allFinite()) {
    message = "the integration with the stored controls does not converge";
    return false;
  }
  estimate_error();
  return true;
}

Eigen::MatrixXd OwnFlow::nodes_of(std::size_t piece) const {
  Eigen::MatrixXd nodes(phase_.nx(), stages() + 1);
  nodes << starts_.col(static_cast<Eigen::Index>(piece)),
      points_.block(1, static_cast<Eigen::Index>(piece) * stages(), phase_.nx(), stages());
  return nodes;
}

Eigen::VectorXd OwnFlow::state_at(std::size_t piece, double place) const {
  return nodes_of(piece) * lagrange_at(with_start(rule_.places), place);
}

void OwnFlow::estimate_error() {
  Eigen::Index nx = phase_.nx(), nz = phase_.nz(), S = stages();
  if (nx == 0) return;
  std::size_t last = rule_.places.size() - 1;
  double between = 0.5 * (rule_.places[last - 1] + rule_.places[last]);
  std::vector<double> nodes = with_start(rule_.places), slope = linalg::lagrange_slopes(nodes, between);
  Eigen::VectorXd at = lagrange_at(nodes, between), z_at = lagrange_at(rule_.places, between);
  auto pieces = static_cast<Eigen::Index>(phase_.pieces.size());
  Eigen::MatrixXd middle(points_.rows(), pieces);
  for (Eigen::Index i = 0; i < pieces; ++i) {
    const StoredPiece& piece = phase_.pieces[static_cast<std::size_t>(i)];
    middle.col(i) << piece.from + between * (piece.to - piece.from), nodes_of(static_cast<std::size_t>(i)) * at,
        points_.block(1 + nx, i * S, nz, S) * z_at, phase_.inside_at(phase_.stored.trajectories.u, piece, {&between, 1});
  }
  Eigen::MatrixXd f = phase_.rates.at(middle);
  Eigen::Map<Eigen::VectorXd> slopes(slope.data(), S + 1);
  for (Eigen::Index i = 0; i < pieces; ++i) {
    const StoredPiece& piece = phase_.pieces[static_cast<std::size_t>(i)];
    Eigen::VectorXd off = nodes_of(static_cast<std::size_t>(i)) * slopes - (piece.to - piece.from) * f.col(i).head(nx);
    double share = rule_.b(S - 1) * (off.cwiseAbs().array() / phase_.x_size.array()).maxCoeff();
    own_error_ = std::isfinite(share) ? std::max(own_error_, share) : infinity;
  }
}

PieceCostates OwnFlow::backwards(std::size_t piece, const Eigen::VectorXd& end, const Eigen::VectorXd& weights,
                                 const std::vector<const Impulse*>& impulses) const {
  Eigen::Index nx = phase_.nx(), S = stages();
  Eigen::MatrixXd gradient = Eigen::MatrixXd::Zero(nx, S);
  Eigen::VectorXd at_start = Eigen::VectorXd::Zero(nx);
  for (Eigen::Index k = 0; k < S; ++k) {
    const TotalSlopes& at = slopes_[piece * static_cast<std::size_t>(S) + static_cast<std::size_t>(k)];
    gradient.col(k) = weight(piece, k) * (weights.transpose() * at.rows.block(nx, 1, phase_.nq(), nx)).transpose();
  }
  std::vector<double> nodes = with_start(rule_.places);
  for (const Impulse* impulse : impulses) {
    Eigen::VectorXd share =
        impulse->to > impulse->from ? lagrange_means(nodes, impulse->from, impulse->to) : lagrange_at(nodes, impulse->place);
    Eigen::VectorXd own = impulse->row.segment(1, nx).transpose();
    at_start += share(0) * own;
    gradient += own * share.tail(S).transpose();
  }
  gradient.col(S - 1) += end;
  Eigen::VectorXd right = -gradient.reshaped();
  Eigen::VectorXd mu = lu_->of[piece].transpose().solve(right);
  PieceCostates out{at_start, Eigen::MatrixXd::Zero(nx, S)};
  for (Eigen::Index r = 0; r < S; ++r) {
    out.start -= mu.segment(r * nx, nx);
    for (Eigen::Index k = 0; k < S; ++k) out.stages.col(k) -= rule_.A(r, k) / rule_.b(k) * mu.segment(r * nx, nx);
  }
  return out;
}

Eigen::MatrixXd OwnFlow::solve(std::size_t piece, const Eigen::MatrixXd& right) const { return lu_->of[piece].solve(right); }

OwnFlow::Sensitivity OwnFlow::sensitivity(std::size_t piece) const {
  Eigen::Index nx = phase_.nx(), nu = phase_.nu(), S = stages();
  double h = phase_.pieces[piece].to - phase_.pieces[piece].from;
  Eigen::MatrixXd starts(S * nx, nx), controls = Eigen::MatrixXd::Zero(S * nx, S * nu);
  for (Eigen::Index r = 0; r < S; ++r) {
    starts.middleRows(r * nx, nx).setIdentity();
    for (Eigen::Index k = 0; k < S; ++k) {
      const TotalSlopes& at = slopes_[piece * static_cast<std::size_t>(S) + static_cast<std::size_t>(k)];
      controls.block(r * nx, k * nu, nx, nu) = h * rule_.A(r, k) * at.rows.block(0, 1 + nx, nx, nu);
    }
  }
  return {solve(piece, starts), solve(piece, controls)};
}

}  // namespace bolza::verify
