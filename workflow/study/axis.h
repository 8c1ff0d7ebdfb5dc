// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/result.h"

namespace bolza::workflow {

/// Where values that are drawn come from.
struct Distribution {
  enum class Kind : std::uint8_t { uniform, loguniform, triangular, normal, lognormal } kind = Kind::uniform;
  /// Lower and upper; lower, mode and upper; mean and standard deviation, of lognormal those of the natural logarithm.
  double first = 0, second = 1, third = 0;
  std::optional<double> least, most;  ///< draws stay between: the distribution is conditional on it

  /// The value below which a share of the draws lies. Requires  0 < share < 1.
  double quantile(double share) const;
};

/// So many numbers between two, both included: at equal distances, or in equal ratios.
struct NumberRange {
  double from = 0, to = 0;
  std::size_t count = 1;
  bool by_ratio = false;
  /// Requires  k < count.
  double at(std::size_t k) const;
};

/// What one `--set` of a study ranges over: numbers of a range, values that are named, or a distribution from which they are
/// drawn.
struct StudyAxis {
  std::string name;                   ///< "k", "x(start)": what stands before the value
  std::string before, after;          ///< of the value in the setting: "k=", ")"
  std::vector<std::string> choices;   ///< as they are written into the model; empty: a range, or drawn
  NumberRange range;                  ///< where there are no choices
  std::optional<Distribution> drawn;  ///< absent: listed
  std::string text;                   ///< "range(0.1, 2, 20)", for messages

  /// Values of what is listed, from 0 on.
  std::size_t count() const { return choices.empty() ? range.count : choices.size(); }
  std::string value(std::size_t k) const;
  double number(std::size_t k) const;  ///< NaN: the value is none
  bool is_numeric() const;
};

/// The axis that a setting describes; none: it is a setting like others, with one value.
/// Errors  E984: not the arguments that the word takes, numbers that are not finite, more than one range in a setting.
Result<std::optional<StudyAxis>> read_axis(std::string_view setting, Diagnostics& diagnostics);

/// The most values that one axis may list.
inline constexpr std::size_t most_listed = 100'000'000;

}  // namespace bolza::workflow
