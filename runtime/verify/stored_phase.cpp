// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/stored_phase.h"

#include <algorithm>
#include <cmath>

#include "runtime/linalg/lagrange.h"

namespace bolza::verify {
namespace {

constexpr std::size_t most_samples = 10;  ///< of a piece that is one polynomial
constexpr double same_time = 1e-9;        ///< of the horizon

std::vector<double> shared_of_phase(const bolza_problem& problem, const abi::Solution& solution, std::size_t number) {
  const bolza_phase& phase = problem.phases[number];
  const bolza_model& model = *problem.models[phase.model];
  std::vector<double> shared(phase.shared_values, phase.shared_values + model.n_shared);
  for (std::size_t k = 0; k < model.n_global; ++k)
    shared[k] = solution.parameters[static_cast<std::size_t>(phase.parameter[k])];
  return shared;
}

StoredPiece piece_between(const std::vector<double>& time, std::size_t first, std::size_t last) {
  StoredPiece piece{time[first], time[last], {}, {}, {}, {}};
  for (std::size_t k = first; k <= last; ++k) {
    piece.samples.push_back(k);
    piece.places.push_back((time[k] - piece.from) / (piece.to - piece.from));
  }
  return piece;
}

/// Which samples have controls of a piece. At a mesh point that stands once, a method that collocates no point there has the
/// values of the interval before it (Radau) or after it (Gauss).
void give_inside(StoredPiece& piece, const abi::PhaseSolution& stored) {
  const std::vector<double>& time = stored.trajectories.time;
  bool is_radau = stored.transcription == "radau", is_gauss = stored.transcription == "gauss";
  std::size_t first = 0, last = piece.samples.size();
  if (piece.samples.size() > 2) {
    std::size_t begin = piece.samples.front(), end = piece.samples.back();
    bool own_begin = begin > 0 && time[begin - 1] == time[begin],
         own_end = end + 1 < time.size() && time[end + 1] == time[end];
    if ((is_radau || is_gauss) && !own_begin) first = 1;
    if (is_gauss && !own_end) --last;
  }
  for (std::size_t k = first; k < last; ++k) {
    piece.inside.push_back(piece.samples[k]);
    piece.inside_places.push_back(piece.places[k]);
  }
}

/// Rows by the polynomial through some samples of a piece.
Eigen::MatrixXd through(const std::vector<std::vector<double>>& rows, const std::vector<std::size_t>& samples,
                        const std::vector<double>& nodes, std::span<const double> places) {
  Eigen::MatrixXd values =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(places.size()));
  for (std::size_t k = 0; k < places.size(); ++k) {
    std::vector<double> weight = linalg::lagrange_values(nodes, places[k]);
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < weight.size(); ++j)
        values(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(k)) += weight[j] * rows[r][samples[j]];
  }
  return values;
}

/// Mesh points as times; the ends of the trajectory alone where the mesh is not known.
std::vector<double> mesh_times(const abi::PhaseSolution& stored) {
  std::vector<double> out;
  for (double fraction : stored.mesh) out.push_back(stored.start_time + fraction * (stored.final_time - stored.start_time));
  if (out.size() < 2) out = {stored.trajectories.time.front(), stored.trajectories.time.back()};
  return out;
}

std::vector<StoredPiece> pieces_of_phase(const abi::PhaseSolution& stored) {
  const std::vector<double>& time = stored.trajectories.time;
  std::vector<StoredPiece> out;
  if (time.size() < 2 || !(time.back() > time.front())) return out;
  double room = same_time * (time.back() - time.front());
  auto add = [&](std::size_t first, std::size_t last) {
    if (time[last] - time[first] <= room) return;
    out.push_back(piece_between(time, first, last));
    give_inside(out.back(), stored);
  };
  std::vector<double> mesh = mesh_times(stored);
  for (std::size_t i = 0; i + 1 < mesh.size(); ++i) {
    auto after = std::ranges::upper_bound(time, mesh[i] + room);
    auto end = std::ranges::lower_bound(time, mesh[i + 1] - room);
    std::size_t first = after == time.begin() ? 0 : static_cast<std::size_t>(after - time.begin()) - 1;
    std::size_t last = end == time.end() ? time.size() - 1 : static_cast<std::size_t>(end - time.begin());
    if (last <= first) continue;  // such a mesh is not one of this trajectory
    bool jumps = std::ranges::adjacent_find(time.begin() + static_cast<std::ptrdiff_t>(first),
                                            time.begin() + static_cast<std::ptrdiff_t>(last) + 1, [&](double a, double b) {
                                              return b - a <= room;
                                            }) != time.begin() + static_cast<std::ptrdiff_t>(last) + 1;
    if (last - first < most_samples && !jumps) add(first, last);
    else
      for (std::size_t k = first; k < last; ++k) add(k, k + 1);
  }
  return out;
}

Eigen::VectorXd sizes(const bolza_variable* variables, const std::vector<std::vector<double>>& rows) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    bool given = variables[k].has_nominal && variables[k].nominal != 0;
    out(static_cast<Eigen::Index>(k)) = given ? std::abs(variables[k].nominal) : size_of(rows[k]);
  }
  return out;
}

}  // namespace

double size_of(std::span<const double> values) {
  double largest = 0;
  for (double v : values)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  return largest > 0 ? largest : 1;
}

StoredPhase::StoredPhase(const bolza_problem& problem, const abi::Solution& solution, std::size_t which)
    : model(*problem.models[problem.phases[which].model]),
      stored(solution.phases[which]),
      number(which),
      rates(problem, model.rates, shared_of_phase(problem, solution, which)),
      residuals(problem, model.residuals, shared_of_phase(problem, solution, which)),
      pieces(pieces_of_phase(stored)) {
  const abi::Trajectories& y = stored.trajectories;
  x_size = sizes(model.x, y.x);
  z_size = sizes(model.z, y.z);
  u_size = sizes(model.u, y.u);
  g_size = Eigen::VectorXd::Ones(ng());
  if (ng() == 0 || !residuals.possible()) return;
  Eigen::MatrixXd values = residuals.at(points());
  for (Eigen::Index g = 0; g < ng(); ++g) {
    const bolza_row& row = model.residuals->rows[model.n_z + static_cast<std::size_t>(g)];
    double size = values.row(nz() + g).cwiseAbs().maxCoeff();
    for (double limit : {row.lower, row.upper})
      if (std::isfinite(limit)) size = std::max(size, std::abs(limit));
    if (size > 0 && std::isfinite(size)) g_size(g) = size;
  }
}

std::string StoredPhase::name_of_state(Eigen::Index a) const { return model.x[static_cast<std::size_t>(a)].name; }
std::string StoredPhase::name_of_algebraic(Eigen::Index b) const { return model.z[static_cast<std::size_t>(b)].name; }
std::string StoredPhase::name_of_control(Eigen::Index c) const { return model.u[static_cast<std::size_t>(c)].name; }
std::string StoredPhase::name_of_limit(Eigen::Index g) const {
  const char* name = model.residuals->rows[model.n_z + static_cast<std::size_t>(g)].name;
  return name ? name : "";
}

Eigen::MatrixXd StoredPhase::at(const std::vector<std::vector<double>>& rows, const StoredPiece& piece,
                                std::span<const double> places) const {
  return through(rows, piece.samples, piece.places, places);
}

Eigen::MatrixXd StoredPhase::inside_at(const std::vector<std::vector<double>>& rows, const StoredPiece& piece,
                                       std::span<const double> places) const {
  return through(rows, piece.inside, piece.inside_places, places);
}

Eigen::MatrixXd StoredPhase::points() const {
  const abi::Trajectories& y = stored.trajectories;
  Eigen::MatrixXd out(1 + nx() + nz() + nu(), static_cast<Eigen::Index>(y.time.size()));
  Eigen::Index row = 0;
  auto put = [&](const std::vector<double>& values) {
    for (std::size_t k = 0; k < values.size(); ++k) out(row, static_cast<Eigen::Index>(k)) = values[k];
    ++row;
  };
  put(y.time);
  for (const auto* list : {&y.x, &y.z, &y.u})
    for (const std::vector<double>& values : *list) put(values);
  return out;
}

std::size_t StoredPhase::piece_at(double time, bool left) const {
  double room = same_time * length();
  double wanted = left ? time - room : time + room;
  std::size_t k = 0;
  while (k + 1 < pieces.size() && pieces[k].to <= wanted) ++k;
  return k;
}

Eigen::VectorXd StoredPhase::point_at(double time, bool left) const {
  const StoredPiece& piece = pieces[piece_at(time, left)];
  const double place = std::clamp((time - piece.from) / (piece.to - piece.from), 0.0, 1.0);
  const abi::Trajectories& y = stored.trajectories;
  Eigen::VectorXd out(1 + nx() + nz() + nu());
  out << time, at(y.x, piece, {&place, 1}), inside_at(y.z, piece, {&place, 1}), inside_at(y.u, piece, {&place, 1});
  return out;
}

}  // namespace bolza::verify
