// SPDX-License-Identifier: Apache-2.0
#include "runtime/estimate/statistics/design.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "base/expects.h"
#include "runtime/linalg/dense_decompositions.h"

namespace bolza::estimate {
namespace {

constexpr double singular_design = std::numeric_limits<double>::infinity();

std::vector<Eigen::MatrixXd> informations_of(const DesignProblem& problem) {
  std::vector<Eigen::MatrixXd> out;
  for (const Eigen::MatrixXd& rows : problem.candidates) out.push_back(rows.transpose() * rows);
  return out;
}

// While too few are chosen to determine the parameters, a little is added everywhere, so that a first choice can be
// compared.
Eigen::MatrixXd start_of(const DesignProblem& problem, const std::vector<Eigen::MatrixXd>& informations) {
  Eigen::Index n = problem.candidates[0].cols();
  Eigen::MatrixXd f = problem.known.size() ? problem.known : Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd all = f.diagonal();
  for (const Eigen::MatrixXd& one : informations) all += one.diagonal();
  f.diagonal() += 1e-9 * all;
  return f;
}

std::vector<std::size_t> greedy(const DesignProblem& problem, const std::vector<Eigen::MatrixXd>& informations,
                                std::size_t count, Criterion criterion) {
  Eigen::MatrixXd f = start_of(problem, informations);
  std::vector<bool> taken(informations.size(), false);
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    std::size_t best = informations.size();
    double least = singular_design;
    for (std::size_t i = 0; i < informations.size(); ++i) {
      if (taken[i]) continue;
      double value = criterion_of(f + informations[i], criterion);
      if (best == informations.size() || value < least) {
        best = i;
        least = value;
      }
    }
    taken[best] = true;
    chosen.push_back(best);
    f += informations[best];
  }
  return chosen;
}

std::vector<std::size_t> drawn(std::size_t candidates, std::size_t count, std::mt19937& random) {
  std::vector<std::size_t> all(candidates);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t k = 0; k < count; ++k) std::swap(all[k], all[k + random() % (candidates - k)]);
  all.resize(count);
  return all;
}

// One is exchanged for another as long as that is better.
Design exchanged(const DesignProblem& problem, const std::vector<Eigen::MatrixXd>& informations, Criterion criterion,
                 std::vector<std::size_t> start) {
  Design out{std::move(start), 0, 0};
  Eigen::Index n = problem.candidates[0].cols();
  Eigen::MatrixXd f = problem.known.size() ? problem.known : Eigen::MatrixXd::Zero(n, n);
  std::vector<bool> taken(informations.size(), false);
  for (std::size_t i : out.chosen) {
    f += informations[i];
    taken[i] = true;
  }
  out.value = criterion_of(f, criterion);
  for (bool better = true; better;) {
    better = false;
    for (std::size_t& place : out.chosen) {
      std::size_t best = place;
      Eigen::MatrixXd without = f - informations[place];
      for (std::size_t i = 0; i < informations.size(); ++i) {
        if (taken[i]) continue;
        double value = criterion_of(without + informations[i], criterion);
        double least = out.value - 1e-12 * std::fabs(out.value);
        if (value < least) {
          out.value = value;
          best = i;
        }
      }
      if (best == place) continue;
      taken[place] = false;
      taken[best] = true;
      place = best;
      better = true;
      ++out.exchanges;
      f = without + informations[best];
    }
  }
  std::sort(out.chosen.begin(), out.chosen.end());
  return out;
}

// So many starts that they take a second or two together.
int starts_for(const DesignProblem& problem, std::size_t count) {
  constexpr double most = 24, operations = 1e9;
  double n = static_cast<double>(problem.candidates[0].cols());
  double pass = static_cast<double>(count * problem.candidates.size()) * 30 * n * n * n;
  return static_cast<int>(std::clamp(operations / pass, 1.0, most));
}

// tr(F⁻¹ F_i) for d, tr(F⁻² F_i) for a: how much the criterion gains from candidate i.
std::vector<double> gains(const DesignProblem& problem, const Eigen::MatrixXd& inverse) {
  std::vector<double> out;
  for (const Eigen::MatrixXd& rows : problem.candidates) {
    Eigen::MatrixXd half = rows * inverse;
    out.push_back(problem.criterion == Criterion::d ? half.cwiseProduct(rows).sum() : half.squaredNorm());
  }
  return out;
}

}  // namespace

double criterion_of(const Eigen::MatrixXd& information, Criterion criterion) {
  auto eigen = linalg::spectrum(information);
  if (!eigen) return singular_design;
  const Eigen::VectorXd& values = eigen->values;
  double smallest = values[0], largest = values[values.size() - 1];
  if (!(smallest > 1e-15 * largest)) return singular_design;
  switch (criterion) {
    case Criterion::a:
      return values.cwiseInverse().sum();
    case Criterion::d:
      return -values.array().log().sum();
    case Criterion::e:
      return 1 / smallest;
    case Criterion::modified_e:
      return largest / smallest;
  }
  return singular_design;
}

// Criteria have many local optima over exchanges: a greedy choice is one start, what is best for the volume another, and
// random choices are the others.
Design best_subset(const DesignProblem& problem, std::size_t count) {
  expects(count <= problem.candidates.size() && count > 0, "a choice of some of the candidates");
  std::vector<Eigen::MatrixXd> informations = informations_of(problem);
  auto from = [&](std::vector<std::size_t> start) {
    return exchanged(problem, informations, problem.criterion, std::move(start));
  };
  Design best = from(greedy(problem, informations, count, problem.criterion));
  auto take = [&](Design next) {
    if (next.value < best.value - 1e-12 * std::fabs(best.value)) best = std::move(next);
  };
  if (problem.criterion != Criterion::d) {
    std::vector<std::size_t> start = greedy(problem, informations, count, Criterion::d);
    take(from(exchanged(problem, informations, Criterion::d, std::move(start)).chosen));
  }
  std::mt19937 random(1);
  for (int k = 1; k < starts_for(problem, count); ++k) take(from(drawn(informations.size(), count, random)));
  return best;
}

Weights best_weights(const DesignProblem& problem, double tolerance, int most_iterations) {
  expects(problem.criterion == Criterion::a || problem.criterion == Criterion::d, "criteria with a gradient");
  std::size_t n = problem.candidates.size();
  bool by_volume = problem.criterion == Criterion::d;
  Weights out{std::vector<double>(n, 1 / static_cast<double>(n)), singular_design, 0, 0};
  Eigen::Index parameters = problem.candidates[0].cols();
  for (; out.iterations < most_iterations; ++out.iterations) {
    Eigen::MatrixXd f = Eigen::MatrixXd::Zero(parameters, parameters);
    for (std::size_t i = 0; i < n; ++i)
      f.noalias() += out.share[i] * problem.candidates[i].transpose() * problem.candidates[i];
    out.value = criterion_of(f, problem.criterion);
    if (!std::isfinite(out.value)) return out;
    Eigen::MatrixXd inverse = linalg::inverse(f);
    std::vector<double> gain = gains(problem, inverse);
    double mean = by_volume ? static_cast<double>(parameters) : inverse.trace();  // Σ share × gain
    out.efficiency = mean / *std::max_element(gain.begin(), gain.end());
    if (out.efficiency > 1 - tolerance) break;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += out.share[i] *= by_volume ? gain[i] / mean : std::sqrt(gain[i] / mean);
    for (double& share : out.share) share /= sum;
  }
  return out;
}

}  // namespace bolza::estimate
