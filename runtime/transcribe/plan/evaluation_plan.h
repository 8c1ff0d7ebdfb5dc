// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/abi/bolza.h"
#include "runtime/transcribe/plan/layout.h"

namespace bolza::transcribe {

inline constexpr std::size_t objective = none - 1;  ///< as a target row

/// Times and step sizes of a set of points [stages × intervals], and their derivatives by t0 (k = 0) and tf (k = 1).
/// Stage-major.
struct Times {
  std::size_t stages = 0, intervals = 0;
  std::vector<AffineTime> time, length;            ///< [stages × intervals], [intervals]
  std::array<std::vector<double>, 2> dt, dh;       ///< [stages × intervals], [intervals]
  std::vector<double> t, h;                        ///< at the present t0 and tf
  std::array<std::vector<double>, 2> half_log_dh;  ///< (dh/dθ)/(2h) for Gauss-Newton
  std::int32_t phase = 0;
};

/// coefficient · h^e · (row of the function at a stage) is added to a row of the NLP, interval by interval.
struct Contribution {
  std::size_t row = 0, stage = 0, target = 0;
  double coefficient = 1;
  double weight = coefficient;  ///< of the target's multiplier: the coefficient over the target's scale
};

/// One function at one set of points, and where its rows go. Everything nonlinear in the NLP is a list of terms.
struct EvaluationTerm {
  bolza_function* function = nullptr;
  std::int32_t phase = -1;   ///< -1: the point function
  std::size_t times = none;  ///< of EvaluationPlan.times; none: row 0 of `point` is not a time
  std::size_t stages = 1, intervals = 1;
  bool times_h = false;
  std::vector<std::size_t> base;  ///< [n_point × stages] variable of interval 0, none: the input is 0 (or time)
  std::array<std::size_t, 2> theta{none, none};  ///< variables t0 and tf where they are free
  std::vector<std::size_t> global;               ///< [n_global] variable of each global entry of `shared` where it is free
  std::vector<Contribution> contributions;
  std::vector<Contribution> squares;  ///< rows whose half squares are the objective: for Gauss-Newton
};

/// A factor of a scatter, one value per point or interval.
enum class Factor : std::uint8_t { one, h, dt0, dt1, dh0, dh1, half_log_dh0, half_log_dh1 };

/// target[i] (= or +=) coefficient · factors[i] · out[source][i] (· out[second][i]) for all intervals of a block; `sum`:
/// added over intervals into a slot. `target` is a row of the NLP (values), a place among the gradient's entries, or a run
/// of matrix entries (see Region).
struct Scatter {
  std::uint32_t source = 0, second = no_row;
  std::uint32_t stage = 0;
  std::array<Factor, 4> factors{};
  bool store = false, sum = false;
  double coefficient = 1;  ///< with scales
  std::size_t target = 0;
  double unscaled = 1;
  std::array<std::size_t, 2> of{none, none};  ///< what scales apply: row and variable, or two variables

  static constexpr std::uint32_t no_row = 0xffffffff;
};

struct TermScatters {
  std::vector<Scatter> values, jacobian, gradient, hessian, gauss_newton;
};

/// Matrix entries of the collocation points of one phase: `runs` runs of one entry per interval each, stored block by block
/// (Task), within a block run by run: a sweep writes one stretch of memory per block. Entries of other terms are single and
/// follow the last region.
struct Region {
  std::size_t first = 0, runs = 0;
};

/// Entry runs of the gradient of the objective: variables col … col+count-1.
struct GradientRun {
  std::size_t col = 0, count = 0, first = 0;
  bool of_point = false;  ///< of the point function
};

/// A part of the work of a sweep: some terms of one phase over some intervals.
struct Task {
  std::size_t first_term = 0, last_term = 0;
  std::size_t phase = none;        ///< whose regions its entries belong to; none: single entries
  std::size_t begin = 0, end = 0;  ///< intervals
};

/// The NLP's functions as data: constants, terms, and the scatters that add kernel outputs to their entries.
struct EvaluationPlan {
  Numbering numbering;
  std::vector<ConstantBlock> constants;
  std::vector<Times> times;
  std::vector<EvaluationTerm> terms;   ///< those of one phase's collocation points next to each other
  std::vector<TermScatters> scatters;  ///< [terms]
  std::vector<Task> tasks;             ///< shared out among threads
  std::vector<Task> serial;            ///< afterwards, in order
  nlp::Pattern jacobian, hessian, gauss_newton;
  std::vector<Region> jacobian_regions, hessian_regions, gauss_newton_regions;  ///< [n_phases]
  std::size_t constant_entries = 0;
  std::vector<double> constant_values;
  std::vector<GradientRun> gradient;
  std::size_t gradient_entries = 0;
  std::vector<std::size_t> gradient_sums;               ///< variable of each slot
  std::size_t hessian_sums = 0, gauss_newton_sums = 0;  ///< slots; they are the last entries of the pattern
  bool is_sum_of_squares = false;
};

/// Writes the scatters, patterns and tasks of a plan whose terms and constants are there. `main` terms come first:
/// main_terms[k] of phase k.
void compile_scatters(EvaluationPlan& plan, const std::vector<std::size_t>& main_terms, bool with_hessian,
                      bool with_gauss_newton);

}  // namespace bolza::transcribe
