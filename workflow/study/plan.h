// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workflow/study/axis.h"
#include "workflow/study/sequence.h"

namespace bolza::workflow {

/// How the points of a study are asked for.
struct PlanRequest {
  std::vector<std::string> settings;  ///< those with one value count at every point
  std::size_t samples = 0;            ///< of the axes that are drawn
  PointSampling sampling = PointSampling::random;
  std::uint64_t seed = 1;
  std::size_t guesses = 0;   ///< every point from so many starts; 0: from the usual one
  std::string continuation;  ///< the axis along which each point starts from its neighbour, "" none
};

/// The points of a study: all combinations of what is listed, each with every sample of what is drawn, each from every
/// guess. A point is had from its number; nothing is kept for it, so that plans of 10⁸ points cost nothing.
class Plan {
 public:
  /// Errors  E984, E985: nothing to vary, drawn axes without a number of samples, more points than `most_points`, …
  static Result<Plan> make(const PlanRequest& request, Diagnostics& diagnostics);
  /// The same from what `json` gives, as text. Errors  E985.
  static Result<Plan> read(const std::string& json, Diagnostics& diagnostics);

  std::size_t size() const { return size_; }
  const std::vector<StudyAxis>& axes() const { return axes_; }
  const std::vector<std::string>& common() const { return common_; }  ///< settings of every point
  bool has_guesses() const { return request_.guesses > 0; }
  bool is_sampled() const { return request_.samples > 0; }
  std::optional<std::size_t> along() const { return along_; }  ///< axis of the continuation

  /// Texts of the values at a point. [axes]
  std::vector<std::string> values(std::size_t point) const;
  /// Numbers of them; NaN: it is none. [axes]
  std::vector<double> numbers(std::size_t point) const;
  /// "k=0.1", …: one for each axis.
  std::vector<std::string> settings(std::size_t point) const;
  std::string setting(std::size_t axis, const std::string& value) const;
  /// Which of the values of a listed axis it is, from 0.
  std::size_t digit(std::size_t point, std::size_t axis) const;
  /// From 0, the usual one.
  std::size_t guess(std::size_t point) const;
  std::uint64_t seed_of_guess(std::size_t point) const { return request_.seed + guess(point); }
  /// The point that it is continued from; none at the beginning of a line.
  std::optional<std::size_t> before(std::size_t point) const;
  /// The one that is continued from it.
  std::optional<std::size_t> after(std::size_t point) const;
  /// Number of the line along the continuation; without one every point is its own.
  std::size_t line(std::size_t point) const;

  /// What makes the plan what it is.
  nlohmann::ordered_json json() const;

  static constexpr std::size_t most_points = 100'000'000;

 private:
  double share(std::size_t point, std::size_t axis) const;
  Result<Done> count(Diagnostics& diagnostics);
  Result<Done> find_continuation(Diagnostics& diagnostics);

  PlanRequest request_;
  std::vector<StudyAxis> axes_;
  std::vector<std::string> common_;
  std::vector<std::size_t> stride_;  ///< [axes] of the listed ones: points from one value to the next
  std::vector<std::size_t> place_;   ///< [axes] of the drawn ones: which axis of the sequence
  std::size_t guesses_ = 1, size_ = 0;
  std::optional<std::size_t> along_;
  Sequence sequence_;
};

}  // namespace bolza::workflow
