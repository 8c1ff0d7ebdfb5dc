// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::integrate {

inline constexpr Code simulation_failed{
    "E601", "the simulation stopped at t = {0}: {1}",
    "The integrator could not go on. The message names the variable or equation with the largest error and what was "
    "tried.\n\n"
    "Frequent reasons: a value leaves the domain of a function (a root or logarithm of a negative number), a solution that "
    "grows without "
    "bound, start values far from what the equations allow, a tolerance below what double precision can give."};
inline constexpr Code initialisation_failed{"E602", "no consistent initial values were found: {0}",
                                            "Before a simulation the algebraic and initial equations are solved together "
                                            "for the algebraic variables and for the states that "
                                            "are not `fixed`. The equation named has the largest residual at the "
                                            "end.\n\nBetter `start` values help, and equations that "
                                            "contradict fixed starts have to go."};
inline constexpr Code no_such_integrator{"E603", "there is no integrator `{0}`",
                                         "`bolza methods` lists the integrators. Models with algebraic equations need "
                                         "`idas`; `cvodes` takes models whose derivatives are explicit."};
inline constexpr Code integrator_cannot{"E604", "the integrator `{0}` cannot take this model: {1}",
                                        "An integrator for explicit differential equations was chosen for a model with "
                                        "algebraic equations. Leave the choice to Bolza or name `idas`."};

inline constexpr Code bad_integrator_option{
    "E605", "the integrator's option `{0}` cannot be `{1}`: {2}",
    "`bolza simulate --option NAME=VALUE` sets what an integrator offers: steps, orders, linear solvers, constants of its\n"
    "Newton iteration. `bolza methods` lists the names, what they take and their defaults."};
inline constexpr Code assertion_warning{"W601", "an assertion does not hold at t = {0}: {1}",
                                        "`assert` with AssertionLevel.warning says when the model leaves the range for "
                                        "which it was made. The simulation goes on;\n"
                                        "each assertion is reported once, at the first time."};
inline constexpr Code terminated{
    "W602", "the model ended the simulation at t = {0}: {1}",
    "`terminate(message)` ends a simulation successfully; the result holds the trajectory up to that time."};

inline constexpr Code undetermined{
    "W603", "nothing determines {0} at t = {1}",
    "The equations hold for other values of these variables as well: one equation says what others say already, or says "
    "nothing, as\n`y = y` in a branch of an `if`. The simulation goes on with the values that are nearest to the last ones; "
    "the exit code is 4."};
inline constexpr Code branch_left{
    "W604", "the solution for `{0}` ends at t = {1}: it jumps from {2} to {3}",
    "The algebraic equations have several solutions, and the one that was followed ends there: beyond, no neighbouring "
    "values "
    "fulfil\nthem. The simulation goes on from another solution, which the model does not say to be the one that is meant; "
    "the "
    "exit code is 4.\n\nA state, as the charge of a small capacitance or the inertia of a valve, says how it gets there."};
inline constexpr Code relation_undecided{
    "W605", "whether `{0}` changes at t = {1} cannot be told: it comes as near as the simulation is accurate, and turns",
    "The two sides of a relation come closer than the error that the tolerance allows, and part again without having met.\n"
    "With another tolerance the events of that moment may be there or not. A smaller tolerance, `--tol 1e-9`, decides it, "
    "or\n"
    "a `nominal` that says how large its variables are. The exit code is 4."};

inline constexpr Code grown_from_noise{
    "W994", "`{0}` sank below its tolerance of {1} at t = {2} and grew out of it by itself: its digits are lost",
    "A state that decays below its absolute tolerance is not followed there, and one whose rate is proportional to itself "
    "grows again\nfrom the error that is left: x' = r(t) x with r < 0 first and r > 0 then. The simulation is one of the "
    "model, but not the one\nthat starts where it says. A `nominal` as small as the state becomes, or a smaller tolerance "
    "(`--tol 1e-12`), keeps its digits; so\ndoes its logarithm as the state. The exit code is 4."};

inline constexpr Code input_short{"W995", "`{0}` has inputs from t = {1} to {2}, the simulation goes from {3} to {4}",
                                  "Before the first and after the last row of a table of `--input` their values hold. Add "
                                  "rows, or simulate the time of the "
                                  "table:\n`--start`, `--stop`."};

inline constexpr std::array all_codes{&simulation_failed,  &initialisation_failed, &no_such_integrator,
                                      &integrator_cannot,  &bad_integrator_option, &assertion_warning,
                                      &terminated,         &undetermined,          &branch_left,
                                      &relation_undecided, &grown_from_noise,      &input_short};

}  // namespace bolza::integrate
