// SPDX-License-Identifier: Apache-2.0
// What the adapters of COIN's solvers, IPOPT and BONMIN, share.
#pragma once
#include <algorithm>
#include <charconv>
#include <string_view>

#include "runtime/nlp/nlp.h"

namespace bolza::nlp {

inline constexpr double coin_infinite = 1e20;  ///< IPOPT's own limit is 1e19

/// Copies; false where there is nothing because a value was not finite.
/// False, too, where a number is so large that IPOPT's own products of it overflow, which its code does not survive.
inline bool give(const double* from, std::size_t count, double* to) {
  constexpr double largest = 1e150;
  if (from) std::copy_n(from, count, to);
  return from && std::all_of(from, from + count, [](double value) { return value > -largest && value < largest; });
}
inline bool give(const Pattern& pattern, int* row, int* col) {
  std::copy(pattern.row.begin(), pattern.row.end(), row);
  std::copy(pattern.col.begin(), pattern.col.end(), col);
  return true;
}

/// The places of the second derivatives that are evaluated.
inline const Pattern& evaluated_second(const Nlp& nlp, Hessian kind) {
  static const Pattern nothing;
  if (kind == Hessian::lbfgs) return nothing;
  return kind == Hessian::gauss_newton ? nlp.gauss_newton : nlp.hessian;
}

/// False: the text is not a number, or more than one.
template <class T>
bool number_in(std::string_view text, T& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace bolza::nlp
