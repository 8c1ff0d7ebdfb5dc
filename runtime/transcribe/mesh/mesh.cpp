// SPDX-License-Identifier: Apache-2.0
#include "runtime/transcribe/mesh/mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/expects.h"

namespace bolza::transcribe {
namespace {

constexpr double same_time = 1e-10;  // of the horizon: closer mesh points would make intervals of rounding errors

/// Intervals of each segment: proportional to its length, at least one, the largest remainders get what is left.
std::vector<std::size_t> share_out(std::size_t n, const std::vector<double>& lengths, double total) {
  std::vector<std::size_t> count(lengths.size(), 1);
  std::size_t used = lengths.size();
  while (used < n) {
    std::size_t coarsest = 0;
    for (std::size_t k = 1; k < lengths.size(); ++k)
      if (lengths[k] / static_cast<double>(count[k]) >
          (1 + 1e-12) * lengths[coarsest] / static_cast<double>(count[coarsest]))
        coarsest = k;
    // Whole shares at once keep this linear in the number of segments; the rest goes one by one.
    auto whole = static_cast<std::size_t>(static_cast<double>(n) * lengths[coarsest] / total);
    std::size_t more = std::clamp<std::size_t>(whole > count[coarsest] ? whole - count[coarsest] : 1, 1, n - used);
    count[coarsest] += more;
    used += more;
  }
  return count;
}

std::vector<AffineTime> corners(const Horizon& horizon, std::vector<AffineTime> breakpoints) {
  auto time = [&](const AffineTime& t) { return t.at(horizon.t0, horizon.tf); };
  std::stable_sort(breakpoints.begin(), breakpoints.end(),
                   [&](const AffineTime& a, const AffineTime& b) { return time(a) < time(b); });
  std::vector<AffineTime> result{{1, 0, 0}};
  double tolerance = same_time * std::abs(horizon.tf - horizon.t0);
  for (const AffineTime& t : breakpoints)
    if (time(t) > time(result.back()) + tolerance && time(t) < horizon.tf - tolerance) result.push_back(t);
  result.push_back({0, 1, 0});
  return result;
}

}  // namespace

double within_interval(double place) {
  constexpr double margin = 1e-10;
  return std::clamp(place, margin, 1 - margin);
}

AffineTime between(const AffineTime& a, const AffineTime& b, double s) {
  if (s == 0) return a;
  if (s == 1) return b;
  return {(1 - s) * a.start + s * b.start, (1 - s) * a.final + s * b.final, (1 - s) * a.constant + s * b.constant};
}

Mesh make_mesh(const Horizon& horizon, std::size_t n, std::span<const double> fractions,
               std::vector<AffineTime> breakpoints) {
  expects(n >= 1 || fractions.size() >= 2, "a mesh has at least one interval");
  std::vector<AffineTime> corner = corners(horizon, std::move(breakpoints));
  double length = horizon.tf - horizon.t0, tolerance = same_time * std::abs(length);
  Mesh mesh;
  std::vector<double> lengths;
  for (std::size_t k = 0; k + 1 < corner.size(); ++k) {
    mesh.segment.push_back(corner[k + 1] - corner[k]);
    lengths.push_back(mesh.segment.back().at(horizon.t0, horizon.tf));
  }
  mesh.point.push_back(corner.front());
  std::vector<std::size_t> count = fractions.empty() ? share_out(n, lengths, length) : std::vector<std::size_t>();
  for (std::size_t k = 0; k + 1 < corner.size(); ++k) {
    double left = corner[k].at(horizon.t0, horizon.tf);
    if (fractions.empty()) {
      for (std::size_t i = 1; i < count[k]; ++i)
        mesh.point.push_back(between(corner[k], corner[k + 1], static_cast<double>(i) / static_cast<double>(count[k])));
    } else {
      for (double fraction : fractions) {
        double time = horizon.t0 + fraction * length;
        if (time > left + tolerance && time < left + lengths[k] - tolerance)
          mesh.point.push_back(between(corner[k], corner[k + 1], (time - left) / lengths[k]));
      }
    }
    mesh.point.push_back(corner[k + 1]);
  }
  return mesh;
}

void insert(Mesh& mesh, std::span<const AffineTime> points, const Horizon& horizon) {
  std::vector<double> fractions;
  double length = horizon.tf - horizon.t0;
  for (const AffineTime& t : points)
    fractions.push_back(length > 0 ? (t.at(horizon.t0, horizon.tf) - horizon.t0) / length : 0);
  insert_fractions(mesh, fractions, horizon);
}

std::string objection_to_horizon(const Horizon& horizon, std::uint32_t intervals, const char* phase) {
  std::string name = "the final time of phase `" + std::string(phase ? phase : "") + "` is not ";
  if (!(horizon.tf > horizon.t0)) return name + "after its start time";
  constexpr double roundings = 100;  // the least that an interval is to be
  double spacing = std::numeric_limits<double>::epsilon() * std::max(std::abs(horizon.t0), std::abs(horizon.tf));
  double least = std::max(roundings * spacing, std::numeric_limits<double>::min());
  if (std::isfinite(horizon.tf - horizon.t0) && horizon.tf - horizon.t0 > least * std::max(1u, intervals)) return {};
  return name + "far enough from its start time, or too far, for " + std::to_string(intervals) + " intervals of doubles";
}

void insert_fractions(Mesh& mesh, std::span<const double> fractions, const Horizon& horizon) {
  double length = horizon.tf - horizon.t0, tolerance = same_time * std::abs(length);
  for (double fraction : fractions) {
    double time = horizon.t0 + fraction * length;
    auto later = std::find_if(mesh.point.begin() + 1, mesh.point.end() - 1,
                              [&](const AffineTime& t) { return t.at(horizon.t0, horizon.tf) > time - tolerance; });
    double left = (later - 1)->at(horizon.t0, horizon.tf), right = later->at(horizon.t0, horizon.tf);
    if (time <= left + tolerance || time >= right - tolerance) continue;
    mesh.point.insert(later, between(*(later - 1), *later, (time - left) / (right - left)));
  }
}

std::vector<std::size_t> places_in(const Mesh& mesh, std::span<const AffineTime> points, const Horizon& horizon) {
  std::vector<std::size_t> places;
  for (const AffineTime& point : points) {
    auto distance = [&](const AffineTime& t) { return std::abs((t - point).at(horizon.t0, horizon.tf)); };
    auto nearest = std::min_element(mesh.point.begin(), mesh.point.end(),
                                    [&](const AffineTime& a, const AffineTime& b) { return distance(a) < distance(b); });
    places.push_back(static_cast<std::size_t>(nearest - mesh.point.begin()));
  }
  expects(std::is_sorted(places.begin(), places.end(), std::less_equal<>()), "points of a grid are different mesh points");
  return places;
}

double share_of_horizon(const Mesh& mesh, std::size_t interval, const Horizon& horizon) {
  double length = (mesh.point[interval + 1] - mesh.point[interval]).at(horizon.t0, horizon.tf);
  return horizon.tf > horizon.t0 ? length / (horizon.tf - horizon.t0) : 0;
}

}  // namespace bolza::transcribe
