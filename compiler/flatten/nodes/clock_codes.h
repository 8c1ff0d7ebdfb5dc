// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

/// What is said of clocks and clocked equations. E4.., W4..
namespace bolza::flatten {

inline constexpr Code clock_factor_varies{
    "E464", "factors, counters and resolutions of clocks must be known when the model is compiled",
    "Which equations belong to which clock, and when they tick, is settled before the model runs. Only the counter of "
    "`Clock(intervalCounter, resolution)` may be a clocked variable.\n\n  y = subSample(u, 3);      // a number, or a "
    "parameter with a value"};
inline constexpr Code clock_factor_small{
    "E465", "factors, counters and resolutions of clocks are Integers of at least {0}, this one is {1}",
    "`subSample(u, 4)` ticks at every fourth tick of `u`, `shiftSample(u, 1, 3)` a third of an interval later. A factor of "
    "0 "
    "is one that follows from the clocks on both sides."};
inline constexpr Code no_solver_method{
    "E466", "there is no solver method `{0}`",
    "The methods for differential equations in a clocked partition are `External`, `ExplicitEuler`, `ExplicitMidPoint2`, "
    "`ExplicitRungeKutta4`, `ImplicitEuler` and `ImplicitTrapezoid`; an empty text stands for none."};
inline constexpr Code clock_resolution{"E467", "a resolution goes with an Integer counter, not with a Real interval",
                                       "`Clock(3, 1000)` ticks every 3 ms, `Clock(0.003)` too. The first is exact, so that "
                                       "several such clocks can be compared."};
inline constexpr Code clock_interval_component{
    "E468", "the interval of a clock is an expression that changes",
    "An interval may change from tick to tick when it is a variable on that very clock; `previous` of it is known at the "
    "tick. Give the expression to a variable:\n\n  Real next(start = 0.1);\nequation\n  when Clock(next) then\n    next = "
    "1.1*previous(next);\n  end when;"};
inline constexpr Code clock_interval_positive{"E469", "the interval of a clock must be positive",
                                              "`Clock(0.1)` ticks at the start and every 0.1 s."};
inline constexpr Code clocked_component{
    "E470", "`{0}` needs the name of a clocked variable, this is an expression",
    "`previous(u)`, `hold(u)` and `backSample(u)` give the start value of `u` before its first tick, and an expression has "
    "none. Give the expression to a variable with a start value, and name that."};
inline constexpr Code clock_choice_varies{
    "E471", "which clock is meant must be known when the model is compiled",
    "An `if` between clocks needs a condition of constants and parameters with values."};
inline constexpr Code clocked_when{
    "E472", "a clocked when-clause {0}",
    "`when c then … end when` with a clock c holds equations of that clock. It has no `elsewhen`, does not stand in another "
    "`when`, in an initial equation or in an algorithm: its equations may be written beside each other as well, and an `if` "
    "chooses between values."};
inline constexpr Code clocks_differ{
    "E473", "these equations belong to two clocks that do not fit: {0} and {1}",
    "All equations and variables that are connected, but through `sample`, `hold`, `subSample`, `superSample`, "
    "`shiftSample`, "
    "`backSample` and `noClock`, have one clock. Clocks that are connected through the last five must be rational multiples "
    "of each "
    "other, so only clocks `Clock(i, r)` of Integers may meet there. Put one of these operators between, or leave one of "
    "the clocks out: it is inferred."};
inline constexpr Code clocked_and_continuous{"E474",
                                             "`{0}` has a clock and `{1}` is continuous, but they are in one equation",
                                             "A clocked variable has a value at the ticks of its clock only. Continuous "
                                             "equations read it through `hold(y)`, and clocked "
                                             "equations read continuous variables through `sample(x)`."};
inline constexpr Code clock_factor_unsolvable{
    "E475", "the clocks on both sides of `{0}` do not fit",
    "The intervals of both sides are given by other equations, and their quotient is not the factor that stands here, or no "
    "whole number, or their shifts differ."};
inline constexpr Code clock_before_start{"E476", "this clock ticks before the clock it is derived from",
                                         "`backSample(u, k, r)` takes back what `shiftSample` has shifted, and no more: no "
                                         "clock ticks before its base clock starts."};
inline constexpr Code event_clock_between{"E477", "between the ticks of this clock there are no others",
                                          "An event clock ticks when its condition becomes true; nobody knows when it will "
                                          "next. It can be sub-sampled and shifted "
                                          "by whole ticks, but not super-sampled."};
inline constexpr Code no_solver_for_clock{
    "E478", "`{0}` is differentiated on a clock that has no solver method",
    "Differential equations with a clock are integrated from tick to tick by a method that the clock names:\n\n  Clock c = "
    "Clock(Clock(1, 10), solverMethod = \"ImplicitEuler\");\n\nIf the equation was meant to be continuous, something in it "
    "needs `hold`."};
inline constexpr Code solver_methods_differ{
    "E479", "these equations get two solver methods: {0} and {1}",
    "A clocked partition is integrated by the one method that its clock names, or that of the clocks it is derived from."};
inline constexpr Code not_clocked{
    "E490", "`{0}` needs a clocked variable, `{1}` is continuous",
    "`hold`, `previous`, `subSample`, `superSample`, `shiftSample`, `backSample`, `noClock`, `interval` and `firstTick` are "
    "about "
    "clocked variables: those that `sample` gives, and what is computed from them. Use `sample(x, c)`."};
inline constexpr Code not_in_clocked{
    "E491", "{0} cannot stand in equations that have a clock",
    "Equations with a clock hold at its ticks. Initial values of clocked states are their start values; events of clocked "
    "equations are ticks."};
inline constexpr Code clocked_index{
    "E494", "`{0}` is differentiated on a clock, but other equations there determine it",
    "A solver method goes from tick to tick by the derivatives of all states, which the equations of its clock have to "
    "give: "
    "their index is at most 1. Where a state is prescribed, as in the inverse of a model, its equations have to be "
    "differentiated by hand:\n\n  x = ref;\n  der(x) = u;        // instead: u = derivative of ref"};
inline constexpr Code default_clock{
    "W418", "no clock is given for these equations: they tick every second",
    "Equations that are clocked, through `previous`, `Clock()` or one of the other operators, but have no clock and are not "
    "connected to one that is given, get Clock(1.0), the fastest of them. Write `when Clock(1, 10) then`, or `sample(u, "
    "Clock(1, 10))`."};

inline constexpr std::array clock_codes{&clock_factor_varies,
                                        &clock_factor_small,
                                        &no_solver_method,
                                        &clock_resolution,
                                        &clock_interval_component,
                                        &clock_interval_positive,
                                        &clocked_component,
                                        &clock_choice_varies,
                                        &clocked_when,
                                        &clocks_differ,
                                        &clocked_and_continuous,
                                        &clock_factor_unsolvable,
                                        &clock_before_start,
                                        &event_clock_between,
                                        &no_solver_for_clock,
                                        &solver_methods_differ,
                                        &not_clocked,
                                        &not_in_clocked,
                                        &clocked_index,
                                        &default_clock};

}  // namespace bolza::flatten
