// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/diagnostics.h"

namespace bolza::passes {

inline constexpr Code parameter_cycle{
    "E401", "the value of `{0}` depends on itself: {1}",
    "Parameters get their values in the order of their dependencies, so these must not form a circle.\n"
    "    parameter Real a = 2*b;\n    parameter Real b = a + 1;\n"
    "Give one of them a value of its own."};
inline constexpr Code not_finite{"E403", "{0} of `{1}` is {2}",
                                 "A parameter or an attribute has been evaluated and the result is not a number. Usually a "
                                 "division by zero, the root of\n"
                                 "a negative number, or a function outside its domain."};
inline constexpr Code integer_overflow{
    "E437", "{0} is {1}, beyond the Integers from -2^53 to 2^53",
    "Integers are exact from -2^53 to 2^53 (9007199254740992); beyond, `n + 1` equals `n`, and no size, index or count of "
    "theirs means\nanything. Declare what is a quantity as Real."};
inline constexpr Code bounds_crossed{"E404", "`{0}` has min = {1} above max = {2}",
                                     "No value can satisfy both bounds. For variables that are equal to each other (`a = "
                                     "b`, `connect`) the bounds of all of\n"
                                     "them count; the notes say where they are."};
inline constexpr Code start_infeasible{
    "E440", "infeasible: `{0}` starts at {1}, outside its bounds [{2}, {3}]",
    "A fixed start value (`start = 1, fixed = true`), or an initial equation that gives one, holds at the start of the\n"
    "horizon, where the bounds `min` and `max` hold, too: no trajectory has both. Correct the start or the bounds. A limit\n"
    "that is meant for a part of the horizon alone, such as the final time, is a constraint: `x(finalTime) >= 0.5`."};
inline constexpr Code angle_not_in_radians{
    "E441", "`{0}` takes an angle in rad; {1} is in {2}",
    "Sine, cosine and tangent are those of angles in rad. A variable with `unit = \"deg\"` holds degrees, so that "
    "`cos(angle)`\n"
    "would be the cosine of another angle. Convert it, `cos(angle*Modelica.Constants.pi/180)`, or declare the variable in "
    "rad\n"
    "and show it in degrees: `Real angle(unit = \"rad\", displayUnit = \"deg\")`. `--units ignore` leaves the check out."};
inline constexpr Code nominal_zero{
    "E405", "the nominal value of `{0}` is zero",
    "Variables are divided by their nominal value, so it must be the size of typical values, not zero. Leave `nominal` out\n"
    "when you do not know."};
inline constexpr Code fixed_conflict{"E406", "`{0}` and `{1}` are equal but start at {2} and {3}",
                                     "Both variables have fixed=true and the equations say that they are the same (up to "
                                     "sign and a constant), but the start\n"
                                     "values contradict each other. Fix one of them."};
inline constexpr Code unbalanced{
    "E407", "the model has {0} for {1}",
    "As many equations are needed as there are unknowns: variables that are neither parameters, inputs nor states, and the\n"
    "derivatives of the states. The notes name the equations that have too few unknowns, and the unknowns that too few\n"
    "equations determine. A top-level `input` without a binding counts as known."};
inline constexpr Code singular{
    "E408", "a part of the model has {0} for {1}",
    "The number of equations is right, but a part of the model has more equations than unknowns, so another part has too\n"
    "few. The notes name both parts. Often an equation was written twice, or for the wrong variable."};
inline constexpr Code higher_index{
    "E409", "an equation would have to be differentiated more than {0} times: the index is beyond reach",
    "Equations that constrain states are differentiated until the derivatives can be computed from them. A chain of "
    "integrators\n"
    "that is prescribed at its end (`y = sin(time)` with x1' = x2, x2' = x3, …, y = x1) needs one differentiation more for "
    "each\n"
    "of them. Shorten the chain, or prescribe what is at its start."};
inline constexpr Code time_not_affine{
    "E411", "the time of `{0}` is not of the form a*startTime + b*finalTime + c",
    "The value of a variable at a time is taken at a place of the mesh, which moves with startTime and finalTime. So the\n"
    "time must be an affine expression of them, with numbers or fixed parameters as coefficients.\n"
    "    x(finalTime), x((startTime + finalTime)/2), x(t1 + 0.5)\n"
    "In a problem without phases of its own free parameters may be in it too: then the horizon is cut there. A time that is "
    "a product or\na function of what is free gets a parameter of its own, and a constraint:\n"
    "    parameter Real t1(free = true); … constraint t1 = p^2;\n"
    "In a problem with phases end a phase at that time."};
inline constexpr Code time_outside{"E412", "`{0}` is read at t = {1}, outside the horizon from {2} to {3}",
                                   "Values of variables exist between startTime and finalTime only."};
inline constexpr Code untimed{
    "E413", "`{0}` varies with time and is not allowed in {1}",
    "An objective or a point constraint is a number, so the variables in it need a time: x(finalTime), x(startTime).\n"
    "What is to be integrated over time goes into `objectiveIntegrand` or `integral(...)`."};
inline constexpr Code never_satisfied{
    "E414", "the constraint can never hold: {0}",
    "Both sides consist of numbers and fixed parameters, or have become numbers because variables are constant, and the\n"
    "relation is false."};
inline constexpr Code phases_mixed{
    "E428", "this {0} holds at every time, but `{1}` is in phase `{2}` and `{3}` in phase `{4}`",
    "Phases have different times, so an equation, a path constraint or an integrand is of one phase. Values of several\n"
    "phases meet in point constraints and objectives, each at a time of its own:\n"
    "    constraint\n      coast.m(startTime) = climb.m(finalTime) - dry;"};
inline constexpr Code outside_phases{"E429", "`{0}` varies with time, but belongs to no phase",
                                     "The class around phases has parameters, constraints and an objective. What varies "
                                     "with time belongs to a phase: declare "
                                     "it\nin the phase's class, or give it an equation with variables of one phase only. A "
                                     "component is a phase when it is given\na time: `Coast coast(finalTime = 30)`."};
inline constexpr Code names_no_phase{
    "E430", "this {0} holds at every time, but names no variable of a phase",
    "An integrand or a path constraint of several phases has to say over which of them it is meant. Write it into the class "
    "of the\nphase, or give it to the phase: `Ascent climb(objectiveIntegrand = 1)`."};
inline constexpr Code time_of_no_phase{
    "E431", "`{0}` is of no phase here",
    "Each phase has a horizon of its own. As the time of a variable `finalTime` is that of the variable's phase, "
    "`climb.m(finalTime)`;\nelsewhere the phase has to be named: `climb.finalTime`."};
inline constexpr Code phases_at_once{
    "E432", "`{0}` has phases, which cannot be simulated together",
    "A simulation has one horizon. Solve the problem (`bolza solve`): the result has the trajectories of all phases, and "
    "each "
    "of\nthem is simulated again with the controls found. The class of one phase can be simulated alone."};
inline constexpr Code link_without_time{
    "E433", "`{0}` needs a time in this constraint with phase `{1}`",
    "An equality of a variable at every time and a value of another phase at one time would hold the variable constant. "
    "Ends "
    "of\nphases are linked at times:\n    constraint\n      coast.m(startTime) = climb.m(finalTime);"};
inline constexpr Code phase_ends_early{
    "E434", "the phase `{0}` ends at {1}, not after its start at {2}",
    "Values or bounds of the two times leave no time between them. A phase without a startTime starts where the phase "
    "before it\nends; phases that do not follow each other need a startTime of their own."};
inline constexpr Code phases_in_circle{
    "E438", "the phases {0} start in a circle: each waits for the end of another",
    "The startTime of a phase may be the finalTime of another one, but not by way of its own end: one of them needs a "
    "startTime of its\nown. Periodic ends are constraints between values: `b.x(finalTime) = a.x(startTime)`."};
inline constexpr Code too_many_phases{
    "E439", "`{0}` has {1} phases, more than 2000",
    "Each phase knows the times of all others, so that time and memory grow with the square of their number. What repeats "
    "that "
    "often is\none phase with a longer horizon, or a model with events."};
inline constexpr Code dwell_in_free_horizon{
    "E435", "the dwell time {0} is part of a horizon that is not known",
    "How many mesh intervals a control keeps its value follows from their lengths, which a free start or final time "
    "changes. "
    "Fix the\nhorizon; or make each value a phase of its own, with a free length that is bounded from below."};
inline constexpr Code dwell_beyond_horizon{
    "E436", "the dwell time {0} is longer than the horizon, {1}",
    "A control keeps its first value for the dwell time, too, so that it could not change at all. If that is meant, "
    "`maxSwitches(u, 0)` says so."};
inline constexpr Code static_integrand{"E415", "a static problem has no time to integrate over",
                                       "With static=true the problem is one point. Write the integrand as the objective."};

inline constexpr Code contradiction{
    "E416", "the equation contradicts others: after inserting them it reads {0} = {1}",
    "Equations that say that variables are equal (up to sign and a constant) form a circle that does not close.\n"
    "    x = y + 1;  y = x;"};

inline constexpr Code differentiated_input{
    "E417", "the derivative of the input `{0}` is needed",
    "The equation constrains states, so it has to be differentiated, and with it the input. Inputs and controls may jump, "
    "and no\n"
    "derivative of them is known; only in an optimisation problem does an input become a state, and its derivative the "
    "control.\nMake the input a state and its derivative the input,\n"
    "    input Real v_u; Real u(start = 0, fixed = true); equation der(u) = v_u;\n"
    "or give it a smooth binding, `Real u = sin(time)`, which is differentiated."};
inline constexpr Code always_demoted{
    "E418", "`{0}` has stateSelect = StateSelect.always but cannot be a state",
    "Constraints between variables leave fewer states than variables whose derivatives occur. Here more of them have\n"
    "StateSelect.always than there are states, or the equations give the value of one; the notes name the constraint. Use\n"
    "StateSelect.prefer."};
inline constexpr Code never_impossible{
    "E427", "`{0}` has stateSelect = StateSelect.never, but nothing can be a state in its place",
    "Its derivative occurs, and no equation ties its value to another variable that could be integrated instead. Use\n"
    "StateSelect.avoid, or leave the attribute out."};
inline constexpr Code dependent_constraints{
    "E419", "constraints between states depend on each other, whatever the values",
    "Each of the equations has to be differentiated, but one of them follows from the others (or contradicts them), so the\n"
    "derivatives cannot be computed: a mechanism that is held twice, a circuit whose node potentials are given by a loop "
    "of\n"
    "ideal voltage sources. Remove one of the named equations, or make a connection compliant."};
inline constexpr Code not_differentiable{"E420", "the derivative of `{0}` is needed, which is {1}",
                                         "The equation constrains states, so it has to be differentiated. Integer and "
                                         "Boolean variables and delayed values have no\n"
                                         "derivatives."};
inline constexpr Code event_in_solve{
    "E421", "{0} changes at events only, which an optimisation problem cannot have",
    "Relations in `if` expressions are taken as they stand, or made smooth with `--smooth EPS`; discrete variables that "
    "are\n"
    "functions of the present (b = x > 1) are too. What remembers an event or jumps (when, pre, sample, reinit, terminate) "
    "has\n"
    "no smooth form: write the relation into an `if` expression, or remove this part from the model that is optimised.\n"
    "`bolza simulate` takes the model as it is."};
inline constexpr Code delay_varies{"E455", "the time of a delay in an optimisation problem varies with `{0}`",
                                   "In `solve` a delay is a number or an expression of parameters: `delay(x, tau)`. `bolza "
                                   "simulate` takes delays that depend "
                                   "on\nvariables."};
inline constexpr Code transport_in_solve{
    "E515", "an optimisation problem has no `spatialDistribution`: how long it delays depends on the flow",
    "`bolza simulate` runs it. In `solve` a delay is made of parameters: where the flow does not change, `delay(in, "
    "length/v)` "
    "is the\nsame; where it does, divide the pipe into volumes, `der(T[i]) = v*(T[i - 1] - T[i])*n/length`."};
inline constexpr Code free_delay_unbounded{
    "E461", "a delay depends on the free `{0}`, which has no lower bound: values of the future are not known",
    "A delay that is sought, `delay(x, tau)`, has a bound: `parameter Real tau(free = true, min = 0, max = 2)`. The smaller "
    "the "
    "range\nbetween its bounds, the fewer intervals of the mesh each delayed value depends on."};
inline constexpr Code free_delay_of_control{
    "E462", "a delay that is sought is one of what is continuous, and reads the control `{0}`",
    "`delay(u, tau)` with a tau that is sought makes u a state and its rate `der(u)` the control. Integer and Boolean "
    "controls "
    "jump, and\nvariables that equal a control are not seen through: fix the delay and solve for several of them with "
    "`--set`, or "
    "delay the\ncontrol itself. A bound `der(u) <= 10` makes a control a state, too."};
inline constexpr Code free_delay_not_linear{"E463", "a delay that is sought reads what is not linear in states",
                                            "With a tau that is sought `delay(x, tau)` is moved over the polynomials of "
                                            "states. What is a function of them is made of "
                                            "their delayed\nvalues: `delay(x, tau)^2` and not `delay(x^2, tau)`. Algebraic "
                                            "variables that no expression gives cannot "
                                            "be delayed so: give\ntau a value, and solve for several with `--set`."};
inline constexpr Code delay_negative{"E458", "the time of a delay is {0}, and values of the future are not known",
                                     "`delay(x, tau)` is x of tau ago, with a tau that is a number and not negative."};
inline constexpr Code delay_beyond_horizon{
    "E459", "a delay of {0} is longer than the horizon from {1} to {2}: it reads nothing but the value at the start",
    "Before the start of its horizon `delay(x, tau)` is the value at the start, so that a delay longer than the horizon is "
    "no delay.\nCorrect its time or the horizon, both in the same unit; for another history write "
    "`if time <= tau then history else delay(x, tau)`."};
inline constexpr Code delay_in_free_horizon{
    "E460", "a problem with a `delay` has a fixed start and final time, and `{0}` is free",
    "Delayed values are read at places of the mesh, which stay where they are only while the horizon does. Fix it and solve "
    "for\nseveral horizons with `--set`; with a normalised time, `der(x) = T*f(x, delay(x, tau/T))`, the delay would be "
    "free."};
inline constexpr Code delay_without_time{
    "E456", "a problem without time has no past for `delay`",
    "`delay(x, tau)` is x of tau ago: give the optimization class a startTime and a finalTime."};
inline constexpr Code nothing_to_sample{"E457",
                                        "`samples` (DOML: `Steps`) takes samples of an integral, and the objective has none",
                                        "With `samples = N` the integral of the objective becomes a sum over N + 1 "
                                        "equidistant times, both ends among them. It is\n"
                                        "written as `objectiveIntegrand = (x - y)^2`, or as `minimize err(finalTime)` with "
                                        "`der(err) = (x - y)^2`, where nothing\n"
                                        "else reads `err`."};
inline constexpr Code discrete_unbalanced{
    "E422", "the discrete part of the model has {0} for {1}",
    "Every discrete variable needs one equation that determines it: `b = ...`, an assignment in a `when`, or in an "
    "algorithm.\n"
    "The notes name the equations that determine nothing more, and the variables that no equation determines.\n"
    "    Boolean on; equation on = x > 1;"};
inline constexpr Code reinit_not_state{"E423", "`reinit` sets `{0}`, which is not a state",
                                       "`reinit(x, e)` gives a state a new value at an event. `{0}` is not a state: "
                                       "equations make it a function of time or of\n"
                                       "other states. Set one of those."};
inline constexpr Code initial_not_assignment{"E424", "this initial equation determines no discrete variable",
                                             "Among discrete variables an initial equation gives the value of one of them, "
                                             "or what it was before the start: one side is\n"
                                             "the variable or `pre` of it, and no other initial equation gives the same.\n"
                                             "    initial equation pre(on) = false;"};

inline constexpr Code default_parameter{
    "W401", "parameter `{0}` has no value; its start value {1} is used",
    "A parameter should have a binding (`parameter Real k = 2`). Its start value takes the place, as Modelica says."};
inline constexpr Code missing_parameter{
    "W402", "parameter `{0}` has neither value nor start value; 0 is used",
    "Modelica's default start value is 0. That is rarely what a model means: give the parameter a value."};
inline constexpr Code guess_outside{
    "W403", "the {0} {1} of `{2}` is outside its bounds [{3}, {4}]",
    "The optimiser starts from the nearest point inside the bounds. Correct the guess or the bounds."};
inline constexpr Code odd_nominal{
    "W414", "the nominal value {0} of `{1}` is far from its {2} {3}",
    "Tolerances are shares of the nominal value: with `nominal = 1e300` a variable near 1 counts as zero, and whatever is "
    "found\nmay be called a solution. Give the size of typical values, or leave `nominal` out."};
inline constexpr Code start_overrides{
    "W404", "initial equations of a static problem are not used",
    "With static=true all derivatives are zero and the values are found by the optimiser, so nothing starts."};
inline constexpr Code link_to_fixed_start{
    "W415", "`{0}` starts at {1} in any case, so that this constraint links nothing",
    "A state with `fixed = true` has its start value. A constraint that sets it as well is one on the other phase: that "
    "this "
    "ends just\nthere. For a link the start is left to the constraint: `Stage second(x(fixed = false))`."};
inline constexpr Code start_left_open{
    "W416", "the phase `{0}` begins where another one ends, and nothing says where {1} starts",
    "Nothing is continuous from phase to phase unless a constraint says so, and an initial value that nothing holds is a "
    "decision:\n    constraint\n      second.x(startTime) = first.x(finalTime);\nWhere that is meant, a constraint that is "
    "wide enough says it, `second.x(startTime) >= 0`."};
inline constexpr Code delay_without_history{
    "W417", "before the delay is over this is the control's value at the start alone, which is free",
    "What a control is at one instant costs nothing, and here it acts as long as the delay lasts: the optimum makes it as "
    "large as it\ncan. Say what the control was before the start, `if time <= tau then 0 else delay(u, tau)`, or give it "
    "its "
    "value there:\n`input Real u(start = 0, fixed = true)`."};
inline constexpr Code discrete_at_a_time{
    "W419", "`{0}` changes at events: what reads its value at a time is not evaluated",
    "An objective or a constraint at a time, `n(finalTime)`, is one of continuous variables. The simulation goes on without "
    "it. A\nstate that follows may stand for it: `der(x) = n` for what is summed up."};
inline constexpr Code horizon_reversed{"E442", "`finalTime` = {0} is not after `startTime` = {1}",
                                       "A horizon goes forward in time: `optimization M(startTime = 0, finalTime = 5)`. For "
                                       "a problem that runs backwards write "
                                       "the\nequations in the time that is left, tau = T - time."};
inline constexpr Code horizon_not_stated{
    "W990", "nothing says where the horizon ends: `finalTime` = {0} is taken",
    "`optimization M(objectiveIntegrand = x^2, finalTime = 10)` says it, `finalTime(free = true, max = 20)` lets the "
    "optimum "
    "choose it,\n`--stop 10` says it for one run. A problem without time is `optimization M(static = true)`."};
inline constexpr Code no_objective{"W405", "the problem has no objective: any feasible point is an optimum",
                                   "Add `objective = ...` or `minimize ...`."};

inline constexpr Code redundant_equation{
    "W406", "the equation says nothing new and is left out",
    "It follows from others that say that variables are equal. Often an equation or a `connect` was written twice."};

inline constexpr Code never_kept{
    "W407", "`{0}` has stateSelect = StateSelect.never but is a state",
    "Its derivative occurs in the equations, no constraint gives its value, and what could be integrated in its place is "
    "tied\n"
    "to it by equations that are not smooth or read inputs, or the model is an optimisation, where it makes no difference."};

inline constexpr Code too_many_initial{
    "W408", "more initial equations than can be satisfied in general: {0} too many",
    "Initial equations, fixed starts and the equations themselves determine more than there is to determine when the "
    "simulation\n"
    "starts. Constraints between states count: of two shafts that are connected rigidly only one can have a fixed speed. If "
    "the\n"
    "equations agree the simulation starts all the same; if not, it stops with the one that is off."};

inline constexpr Code not_smooth{
    "W409", "the equation is not smooth: a relation of variables decides in it",
    "Optimisation uses first and second derivatives, which jump where the relation changes. That often works when the "
    "solution stays\n"
    "on one side, or crosses quickly. `--smooth EPS` replaces a < b by a smooth step of width eps in the units of a and b,\n"
    "|x|, min and max by functions with round corners, and says how far the model with the relations as written is from "
    "that."};

inline constexpr Code has_kink{
    "W411", "`{0}` has a kink, where first derivatives jump",
    "Optimisation uses first and second derivatives. A solution that stays on one side of the kink, or crosses it quickly, "
    "is "
    "found all the same; one that sits on it often is not. `--smooth EPS` gives |x|, min and max round corners of width "
    "eps.\n"
    "Where the kink is multiplied away, as in max(x, 0)^2 and |x|*x, nothing is said: first derivatives do not jump there.\n"
    "In an objective they can be written without a kink: for |u|, `u = up - um` with `up >= 0`, `um >= 0`, and the cost "
    "`up + um`; for max(a, b), a variable s with the constraints `s >= a` and `s >= b`, and the cost s."};
inline constexpr Code free_switch{
    "W412", "`{0}` changes at a time that is to be optimised, and its derivative by that time is zero",
    "Inside a mesh interval only the points before or after the change count, so moving it a little changes nothing: the "
    "optimiser sees no reason to move it, and where it ends means nothing. Write the time of each stretch as its own: with "
    "s from 0 to 1, one set of states for each stretch, `der(x1) = t1*f1(x1)`, `der(x2) = (tf - t1)*f2(x2)`, and "
    "constraints `x2(startTime) = x1(finalTime)`. A smooth change does as well: `0.5*(1 + tanh((t1 - time)/eps))`, or "
    "`--smooth EPS`. `solve` tries that itself, with widths of 0.1, 0.01 and 0.001 of the horizon, and says so."};
inline constexpr Code order_by_guess{
    "W413", "`{0}` stays before `{1}`, as their guesses say",
    "The horizon is cut at free times, whose order is kept while the problem is solved. Neither bounds nor constraints tell "
    "it here, so\nthe guesses do; where the order is not known, solve with both. A constraint `t1 <= t2` says it in the "
    "model."};
inline constexpr Code call_left_out{
    "W410", "the call does nothing here: calls for their effect are made by `simulate` only",
    "Calls that print, write files or act outside are made when the model is simulated: by when-clauses that fire, at the "
    "start,\nat events. An optimisation evaluates the model at many points in no order of time, so they are left out "
    "there."};

inline constexpr Code units_differ{
    "E425", "{0} and {1} have different units: {2} and {3}",
    "What is added, compared or equated must be of one kind. Units come from the `unit` attributes; a variable without one "
    "gets "
    "the\nunit that an equation gives it, literals fit everywhere. This is a warning, unless `--units strict` asks for an "
    "error; "
    "`--units ignore`\nleaves the check out.\n\n  Real s(unit = \"m\"), v(unit = \"m/s\");\nequation\n  der(s) = v;   // "
    "m/s on both sides\n  s = 2*v;      // m and m/s"};

inline constexpr Code unit_not_read{
    "W991", "the unit \"{0}\" of `{1}` is not one that is read, so that it is not checked",
    "Units are written as Modelica writes them: factors joined by `.`, whole exponents after them, one `/`: \"m/s2\", "
    "\"J/(kg.K)\",\n\"rev/min\", \"1\" for a number. This is said of a unit that looks like one that is known; others, such "
    "as \"EUR\", fit\neverywhere in silence."};
inline constexpr Code not_a_scenario_value{
    "E480", "`{0}` has no value that a scenario could set",
    "A column of a table of scenarios is named after a parameter with a value, `k` or `k[2]`, or after a start, `x.start`. "
    "Free and\nfinal parameters, constants, and parameters on which sizes of arrays depend have none; inputs and horizons "
    "belong to all scenarios."};
inline constexpr Code shared_depends{
    "E481", "`{0}` is shared by all scenarios, and would depend on the scenario",
    "Controls, free parameters and the horizon are chosen once for all scenarios, so their bounds and guesses must not "
    "depend on\nwhat a scenario sets. For horizons of their own make the scenarios phases of one problem."};
inline constexpr Code scenarios_with_phases{
    "E482", "the scenarios of a problem with phases do not take {0}",
    "Each phase has a time and integrals of its own. For the worst case make integrals states, `der(J) = ...` in each "
    "phase, and "
    "their\nends the objective, `b.J(finalTime)`. In the place of a branch let phases that begin there be scenarios, "
    "`Rest s[3](k = {1, 2, 3})`."};
inline constexpr Code order_not_told{
    "E488", "nothing tells which of the free times `{0}` and `{1}` comes first: {2}",
    "The horizon is cut at free times, and what holds in each piece depends on their order, which stays as it is while the "
    "problem is\nsolved. Bounds tell it, a constraint `t1 <= t2`, a constant distance (`t1 + 0.3`), else guesses."};
inline constexpr Code time_beyond_horizon{
    "E486", "the free time `{0}` is outside the horizon by its {1}: that is from {2} to {3}",
    "A free time at which a variable is read or a relation changes lies between startTime and finalTime. Correct its bounds "
    "or its\n`initialGuess`, or leave the relation out. What is free counts at its guess in the message."};
inline constexpr Code past_in_pieces{
    "E487", "the horizon is cut at the free time `{0}`, and `{1}` needs the past",
    "Values that change at events and delays are not carried from one piece of a horizon to the next. Take `{1}` out, fix "
    "the time,\nor write the pieces as phases."};
inline constexpr Code no_modes{
    "E489", "the horizon of `{0}` cannot be cut into modes: {1}",
    "With `--nonsmooth modes` the horizon, or each phase, is cut where a relation changes sides, "
    "so that every piece has smooth equations.\nDelays, values at times within a phase, limits on "
    "how often a control changes and what only events can change do not go together with it: "
    "write\nthe modes as phases, or take `--nonsmooth smooth` or `complementarity`."};
inline constexpr Code no_conditions{
    "E498", "the conditions of an optimum of `{0}` cannot be derived: {1}",
    "They are derived from x' = f(t, x, z, u, p), 0 = h and bounds of states, controls and constraints, with point "
    "constraints "
    "of\nstates at both ends. A direct method (`--method radau`, `hqp+rk4`) takes what they do not."};
inline constexpr Code no_complementarity{
    "E492", "the relations of `{0}` decide on what is compared or rounded in turn",
    "With `--nonsmooth complementarity` a relation is a number between 0 and 1, and `gear == 1` or `floor(x)` of what it "
    "decides "
    "on means\nnothing then. Write the values themselves into the `if`, or take `--nonsmooth modes`."};
inline constexpr Code scenarios_without_problem{
    "E483", "`{0}` has no objective that scenarios could share",
    "Scenarios are for `optimization` classes: one choice of controls for all of them. To simulate a model with several "
    "values of a\nparameter, run `bolza simulate --set k=…` for each."};
inline constexpr Code too_many_copies{
    "E493", "with a copy for each scenario the model has {0} scalars, more than {1}",
    "Each scenario has its own states and algebraic variables. Fewer rows in the table are often enough; where there is "
    "room for all\nof them, `--max-scalars` raises the limit."};
inline constexpr Code branch_of_rate{"E484", "`{0}` cannot branch, because its rate is in the problem",
                                     "Where `der(u)` occurs, the control u is continuous, so that a new one cannot begin at "
                                     "the branch. Leave `--branch` out, "
                                     "or bound\nthe control instead of its rate."};

inline constexpr Code branch_of_switching{
    "E485", "a control with a dwell time or a number of switches cannot branch",
    "After the branch each scenario has controls of its own, and what was before counts for all of them. Leave `--branch` "
    "out: then\nthe control is shared over the whole horizon."};

inline constexpr std::array all_codes{&parameter_cycle,
                                      &not_finite,
                                      &integer_overflow,
                                      &bounds_crossed,
                                      &start_infeasible,
                                      &angle_not_in_radians,
                                      &horizon_reversed,
                                      &nominal_zero,
                                      &fixed_conflict,
                                      &unbalanced,
                                      &singular,
                                      &higher_index,
                                      &time_not_affine,
                                      &time_outside,
                                      &untimed,
                                      &never_satisfied,
                                      &phases_mixed,
                                      &outside_phases,
                                      &names_no_phase,
                                      &time_of_no_phase,
                                      &phases_at_once,
                                      &link_without_time,
                                      &phase_ends_early,
                                      &phases_in_circle,
                                      &too_many_phases,
                                      &dwell_in_free_horizon,
                                      &dwell_beyond_horizon,
                                      &static_integrand,
                                      &contradiction,
                                      &differentiated_input,
                                      &always_demoted,
                                      &never_impossible,
                                      &dependent_constraints,
                                      &not_differentiable,
                                      &event_in_solve,
                                      &delay_varies,
                                      &transport_in_solve,
                                      &delay_negative,
                                      &delay_beyond_horizon,
                                      &delay_in_free_horizon,
                                      &free_delay_unbounded,
                                      &free_delay_of_control,
                                      &free_delay_not_linear,
                                      &delay_without_time,
                                      &nothing_to_sample,
                                      &not_a_scenario_value,
                                      &shared_depends,
                                      &scenarios_with_phases,
                                      &scenarios_without_problem,
                                      &too_many_copies,
                                      &no_modes,
                                      &no_conditions,
                                      &no_complementarity,
                                      &branch_of_rate,
                                      &branch_of_switching,
                                      &order_not_told,
                                      &time_beyond_horizon,
                                      &past_in_pieces,
                                      &discrete_unbalanced,
                                      &reinit_not_state,
                                      &initial_not_assignment,
                                      &default_parameter,
                                      &missing_parameter,
                                      &guess_outside,
                                      &odd_nominal,
                                      &start_overrides,
                                      &link_to_fixed_start,
                                      &start_left_open,
                                      &delay_without_history,
                                      &discrete_at_a_time,
                                      &horizon_not_stated,
                                      &no_objective,
                                      &redundant_equation,
                                      &never_kept,
                                      &too_many_initial,
                                      &not_smooth,
                                      &has_kink,
                                      &free_switch,
                                      &order_by_guess,
                                      &call_left_out,
                                      &units_differ,
                                      &unit_not_read};

}  // namespace bolza::passes
