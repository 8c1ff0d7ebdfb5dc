// SPDX-License-Identifier: Apache-2.0
// A reduced gradient along few directions where there are many, and difference quotients.
#include <algorithm>
#include <numeric>

#include "runtime/transcribe/gradient/reduced_gradient_internal.h"

namespace bolza::transcribe {

using Eigen::Index;
using Eigen::MatrixXd;

/// Columns of `probes_` and what the first way and those like it find along them.
bool Gradients::make_probes(const Directions& d, ReducedGradient& report) {
  const std::vector<double>& g = report.ways[0].gradient;
  std::size_t n = d.list.size(), rows = gradient_.rows.size();
  if (!report.ways[0].good) return false;
  if (report.probes.empty()) {
    probes_ = MatrixXd::Zero(static_cast<Index>(main_->nlp.n()), static_cast<Index>(random_probes + largest_probes));
    std::uint64_t state = 1;  // of a linear congruence: the same directions on every machine
    for (std::size_t k = 0; k < random_probes; ++k) {
      report.probes.push_back("random " + std::to_string(k + 1));
      for (std::size_t v : d.variables) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        probes_(static_cast<Index>(v), static_cast<Index>(k)) = (state >> 63 ? 1 : -1) * size_of(v);
      }
    }
    std::vector<double> moves(n);  // of the row that moves most, each over its own largest
    for (std::size_t r = 0; r < rows; ++r) {
      auto of = [&](std::size_t k) { return std::abs(g[r * n + k]) * size_of(d.variables[k]); };
      double largest = 0;
      for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, of(k));
      for (std::size_t k = 0; k < n && largest > 0; ++k) moves[k] = std::max(moves[k], of(k) / largest);
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return moves[a] > moves[b]; });
    for (std::size_t k = 0; k < largest_probes; ++k) {
      report.probes.push_back(d.list[order[k]].name);
      probes_(static_cast<Index>(d.variables[order[k]]), static_cast<Index>(random_probes + k)) = 1;
    }
  }
  for (WayResult& way : report.ways) {
    if (!way.along.empty() || way.gradient.empty()) continue;
    for (std::size_t r = 0; r < rows; ++r)
      for (Index c = 0; c < probes_.cols(); ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += way.gradient[r * n + k] * probes_(static_cast<Index>(d.variables[k]), c);
        way.along.push_back(sum);
      }
  }
  return true;
}

/// Derivatives along directions of the variables by forward sensitivities; initial values that equations determine follow.
/// [rows × columns of V]
std::vector<double> Gradients::sensitivities(const Directions& d, const MatrixXd& V, ReducedGradient& report) {
  std::unique_ptr<Shooting> shooting = make(ShootingGradient::forward, gradient_.forward_of_steps);
  MatrixXd T, out;
  main_->move_to(main_->nlp.start);
  shooting->move_to(main_->nlp.start);
  if (!movements(*main_, d, T)) {
    report.trouble = main_->trouble;
    return std::vector<double>{};
  }
  MatrixXd moved(static_cast<Index>(d.variables.size()), V.cols());
  for (std::size_t k = 0; k < d.variables.size(); ++k)
    moved.row(static_cast<Index>(k)) = V.row(static_cast<Index>(d.variables[k]));
  if (!shooting->point_rows_along(gradient_.rows, T * moved, out)) {
    report.trouble = shooting->trouble;
    return std::vector<double>{};
  }
  MatrixXd by_row = out.transpose();
  return {by_row.data(), by_row.data() + by_row.size()};
}

bool Gradients::rows_at(std::vector<double> w, const Directions& d, std::vector<double>& values) {
  if (!d.determined.empty() && !settle(*main_, d, w)) return false;
  main_->move_to(w);
  return main_->point_rows(gradient_.rows, values);
}

/// With steps that are held the objective is known to rounding, else to the tolerance.
double Gradients::relative_step() const { return discrete_ ? 1e-5 : std::cbrt(std::max(gradient_.rtol, 1e-12)); }

/// Central difference quotients along the columns of V [n × m], of the variables of the NLP. [rows × m]
/// With steps that are held they are of fourth order, (8 (J(h) − J(−h)) − (J(2h) − J(−2h)))/12h: truncation and rounding are
/// then both near 1e-12 of the objective, where those of second order lose 1e-7 of a small derivative. Where the model has
/// no solution on one side of a value (an amount that must not be negative starts at zero), steps become smaller.
std::vector<double> Gradients::quotients(const Directions& d, const MatrixXd& V) {
  std::size_t m = static_cast<std::size_t>(V.cols());
  std::size_t rows = gradient_.rows.size();
  std::vector<double> result(rows * m), values;
  struct Node {
    double at, weight;
  };
  const std::vector<Node> nodes = discrete_ ? std::vector<Node>{{1, 2. / 3}, {-1, -2. / 3}, {2, -1. / 12}, {-2, 1. / 12}}
                                            : std::vector<Node>{{1, .5}, {-1, -.5}};
  main_->move_to(main_->nlp.start);
  double here = 0;
  if (discrete_ && !main_->objective(here)) return {};
  main_->repeat_steps(discrete_);
  for (std::size_t c = 0; c < m; ++c) {
    announce("differences", c + 1, m);
    auto column = V.col(static_cast<Index>(c));
    double fastest = 0;
    for (std::size_t v : d.variables)
      if (double move = column[static_cast<Index>(v)]; move != 0) fastest = std::max(fastest, std::abs(move) / size_of(v));
    double h = (discrete_ ? 3e-4 : relative_step()) / fastest;
    auto take_quotients = [&](double step) {
      for (std::size_t r = 0; r < rows; ++r) result[r * m + c] = 0;
      for (const Node& node : nodes) {
        std::vector<double> w = main_->nlp.start;
        for (std::size_t v : d.variables) w[v] += node.at * step * column[static_cast<Index>(v)];
        if (!rows_at(w, d, values)) return false;
        for (std::size_t r = 0; r < rows; ++r) result[r * m + c] += node.weight * values[r] / step;
      }
      return true;
    };
    constexpr double smaller = 0.1;
    constexpr int most_steps = 4;
    int steps = 1;
    for (; steps <= most_steps && !take_quotients(h); ++steps) h *= smaller;
    if (steps > most_steps) return {};
  }
  main_->repeat_steps(false);
  main_->move_to(main_->nlp.start);
  return result;
}

}  // namespace bolza::transcribe
