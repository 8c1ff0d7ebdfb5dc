// SPDX-License-Identifier: Apache-2.0
// Options whose values are words, as enumerations; engines and integrators are names of rows, not words
// (docs/decisions/names-of-rows.md).
#pragma once
#include <cstdint>
#include <string_view>

#include "base/words.h"
#include "compiler/driver/option_table.h"
#include "runtime/nlp/nlp.h"

namespace bolza::workflow {

/// `guess`: the trajectories to start from.
enum class Guess : std::uint8_t {
  automatic,  ///< data that the objective compares with, else constant
  constant,   ///< start values and initial guesses
  simulated,
  linear,    ///< straight lines to end values
  perturbed  ///< moved by random functions
};
inline constexpr Words<Guess, 5> guesses{{{{"auto", Guess::automatic},
                                           {"constant", Guess::constant},
                                           {"simulate", Guess::simulated},
                                           {"linear", Guess::linear},
                                           {"perturbed", Guess::perturbed}}}};

/// `control`, `phase-control`: what a control is within a mesh interval.
enum class ControlForm : std::uint8_t {
  collocated,  ///< a polynomial through the collocation points
  constant,    ///< one value
  structure    ///< collocated first, then with a piece of the horizon for each arc; not of single phases
};
inline constexpr Words<ControlForm, 3> control_forms{
    {{{"collocated", ControlForm::collocated}, {"constant", ControlForm::constant}, {"structure", ControlForm::structure}}}};

/// `path-constraints`: where they hold in shooting.
enum class PathConstraintsOption : std::uint8_t { sampled, maxima, integrated };
inline constexpr Words<PathConstraintsOption, 3> path_constraint_ways{{{{"sampled", PathConstraintsOption::sampled},
                                                                        {"maxima", PathConstraintsOption::maxima},
                                                                        {"integrated", PathConstraintsOption::integrated}}}};

/// `costates`: what an indirect method starts from.
enum class CostateStart : std::uint8_t { direct, random };
inline constexpr Words<CostateStart, 2> costate_starts{
    {{{"direct", CostateStart::direct}, {"random", CostateStart::random}}}};

/// `places`: how timed values between mesh points are had.
enum class PlaceReading : std::uint8_t { mesh, polynomial };
inline constexpr Words<PlaceReading, 2> place_ways{
    {{{"mesh", PlaceReading::mesh}, {"polynomial", PlaceReading::polynomial}}}};

inline constexpr Words<nlp::Hessian, 3> hessians{
    {{{"exact", nlp::Hessian::exact}, {"lbfgs", nlp::Hessian::lbfgs}, {"gauss-newton", nlp::Hessian::gauss_newton}}}};
inline constexpr Words<nlp::IntegerMethod, 3> integer_methods{{{{"branch", nlp::IntegerMethod::branch},
                                                                {"sum-up", nlp::IntegerMethod::sum_up},
                                                                {"relax", nlp::IntegerMethod::relax}}}};
inline constexpr Words<nlp::LinearSolver, 3> linear_solvers{
    {{{"auto", nlp::LinearSolver::automatic}, {"chain", nlp::LinearSolver::chain}, {"mumps", nlp::LinearSolver::mumps}}}};

/// The value of an option that has these words; the option table lets no others through.
template <typename Value, std::size_t n>
Value chosen(const driver::Options& options, std::string_view name, const Words<Value, n>& words) {
  return *words.find(options.text(name));
}

/// Whether the trajectories of a transcription are integrated, and in how many pieces. Other transcriptions are rows of
/// schemes in the solver library.
enum class Shooting : std::uint8_t { none, single, multiple };
inline constexpr Words<Shooting, 2> shooting_ways{
    {{{"single-shooting", Shooting::single}, {"multiple-shooting", Shooting::multiple}}}};
inline Shooting shooting_of(std::string_view transcription) {
  return shooting_ways.find(transcription).value_or(Shooting::none);
}
inline Shooting shooting_of(const driver::Options& options) { return shooting_of(options.text("transcription")); }

}  // namespace bolza::workflow
