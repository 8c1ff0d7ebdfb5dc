// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "base/codes.h"
#include "base/diagnostics.h"

namespace bolza::workflow {

inline constexpr Code bad_chain{
    "E905", "the chain cannot be read here: {0}",
    "A chain is a list of stages joined by `->`; a stage is a method with settings in parentheses:\n"
    "    --chain \"euler(n=20, tol=1e-3) -> radau(mesh=100) -> ipopt+cvodes\"\n"
    "Each stage starts from what the one before it found."};
inline constexpr Code library_missing{
    "E906", "`{0}` cannot be opened: {1}",
    "bolza loads its compiler back end (libbolza_jit.so) and its solvers (libbolza_solver.so) when they are first needed, "
    "from\n"
    "the folder lib next to the one that holds the program. The installation is not complete, or files were moved apart."};
inline constexpr Code guess_unreadable{"E907", "`{0}` cannot be the initial guess: {1}",
                                       "`--init-from` reads a result file (.mat or .csv) that bolza wrote. Variables are "
                                       "matched by name; at least one state, control\n"
                                       "or algebraic variable of the model must be in the file."};
inline constexpr Code guess_incomplete{"W907", "`{0}` has no `{1}`: its guess or start value is used",
                                       "The result file given with `--init-from` lacks a variable of the model. The solve "
                                       "goes on with the variable's own guess."};
inline constexpr Code not_an_optimization{"E908", "`{0}` states no optimisation problem",
                                          "`bolza solve` needs an objective: an `optimization` class, a `minimize` element, "
                                          "or a model with `isMayer` or `isLagrange`\n"
                                          "annotations. A plain model can be checked and simulated: `bolza simulate FILE`."};
inline constexpr Code cannot_combine{"E910", "these settings do not go together: {0}",
                                     "Not every method can be combined with every setting; the message says which and why."};
inline constexpr Code conditions_unread{
    "E925", "the conditions of an optimum of `{0}` cannot be compiled: {1}",
    "An indirect method writes Pontryagin's conditions as a class and reads it (`flatten --pontryagin` shows it for "
    "the "
    "whole\nhorizon). The arcs that were taken from the direct solution may have no control to satisfy them with."};
inline constexpr Code bad_arcs{"E926", "the arcs cannot be read: {0}",
                               "`--arcs \"u: max, singular, min\"` says what determines each control from the "
                               "start to the final time: its upper "
                               "or lower\nbound, the zero of dH/du (`free`), or where H is an affine function of the "
                               "control, a singular arc. Controls that "
                               "are not named have\nthe arcs of the direct solution. Times are found; those to start from "
                               "are the direct solution's, or "
                               "even ones."};
inline constexpr Code bad_continuation{"E927", "the branch cannot be followed: {0}",
                                       "`--continue k=0.1..10` solves the conditions of an indirect method for k = 0.1 and "
                                       "follows their solutions as k changes, "
                                       "past\nfolds, until k leaves the interval. k is a parameter that the size of no "
                                       "array and no choice of equations depends "
                                       "on."};
inline constexpr Code without_effect{"W910", "the option `{0}` has no effect: {1}",
                                     "The option belongs to methods other than the chosen one. One-step schemes such as "
                                     "`trapezoidal` have their own points and\n"
                                     "an order that is fixed; `--points` counts for `radau`, `gauss` and `lobatto`. More "
                                     "intervals (`--mesh`) make them more exact."};
inline constexpr Code input_missing{"E914", "`{0}` has no column `{1}`",
                                    "`--input` reads a .csv (or .mat) with a column `time` and one for every input of the "
                                    "model, which is linear between the times."};
inline constexpr Code empty_horizon{
    "E915", "the stop time {1} comes before the start time {0}",
    "`--start` and `--stop`, or the `experiment` annotation, give the horizon of a simulation. Where both are the same the "
    "model\n"
    "is initialised, the events of that time happen, and the result has its values only."};
inline constexpr Code refinement_stopped{"W918",
                                         "the mesh was not refined to {0}: {1}; the error left is {2}, of `{3}` at t = {4}",
                                         "`refine` estimates how well the solution satisfies the model between its "
                                         "collocation points, cuts the intervals where it does\n"
                                         "not, and solves again. It stops at `max-refinements` rounds, at `max-mesh` "
                                         "intervals, or when a finer mesh is not solved; the\n"
                                         "result is then that of the last mesh that was. Beside a jump of the control the "
                                         "error falls only in proportion to the interval:\n"
                                         "more rounds help, or `--control constant`. In shooting it is the grids of the "
                                         "controls that are made finer, and the error is that of the objective,\n"
                                         "relative to it."};
inline constexpr Code no_such_direction{
    "E916", "there is no free parameter, state or control `{0}` to differentiate by",
    "`--with-respect-to` names parameters, states (which stand for their initial values) and controls of the model. A "
    "parameter\n"
    "is freed for the purpose; an initial value that an initial equation determines is not a direction of its own."};
inline constexpr Code no_such_way{
    "E917", "there is no way `{0}` to a gradient",
    "`--by adjoint` integrates the adjoint of the continuous equations backwards, `--by forward` the sensitivity "
    "equations,\n"
    "`--by discrete` takes the adjoint of the integrator's own steps, `--by differences` takes difference quotients."};
inline constexpr Code no_such_output{
    "E919", "`{0}` has no derivatives here: {1}",
    "`--of` names what is differentiated: `objective`, `constraints` (all point constraints of the model), `residuals` (of "
    "a "
    "sum of\n"
    "squares), or expressions of values at a time: `x(2.5)`, `y(finalTime) - 2*k`. A name alone stands for its value at the "
    "final time.\n"
    "An integral over the horizon is `integral(x^2)`."};
inline constexpr Code assertion_in_solution{
    "W920", "an assertion does not hold in the solution at t = {0}: {1}",
    "An optimiser does not see assertions: it looks for the best point of the equations, bounds and constraints. After the\n"
    "solution they are looked at while the model is integrated with the optimal controls; each is reported once, at the "
    "first\n"
    "time. A constraint that says the same keeps the solution where the model holds."};
inline constexpr Code start_not_held{
    "W921", "the optimum does not start at `{0}` = {1}, its start value, but at {2}: it is not `fixed`",
    "A start value is a condition where `fixed = true` says so, `Real x(start = 1, fixed = true)`; else the optimum may "
    "start "
    "from\nanywhere within the bounds. Where that is meant, `initialGuess` in the place of `start` says it."};
inline constexpr Code kinks_of_tables{
    "W922", "{0} made of straight lines, which have no derivative at their points: {1}",
    "A table of straight lines has a kink at each of its points, and a line of kinks for each row and column where it has "
    "two\n"
    "arguments. An optimum is often on one, where derivatives of either side say something else, and engines for smooth\n"
    "problems stall there. `Bolza.Tables.Table` and `Table2D` are smooth (`kind = Bolza.Tables.Kind.akima`), and so are "
    "those\n"
    "of the library with `smoothness = Modelica.Blocks.Types.Smoothness.ContinuousDerivative`. `solve` tries round corners\n"
    "itself, as `--smooth EPS` asks for: over so much of the distance of the points on either side, once continuously\n"
    "differentiable. Tables of time alone are no trouble: the mesh has points there."};
inline constexpr Code bad_term{"E944", "`{0}` is not a term",
                               "A term is 1, or a product of powers of operating conditions: `--terms \"1, c2, c2^2, c2*c3, "
                               "c2/c3\"`, for one parameter "
                               "alone\n`--terms \"p1 = 1, c2\"`."};
inline constexpr Code condition_missing{
    "E945", "terms name `{0}`, which has no value for {1}",
    "The table given with `--conditions` has a row for each data set, called as the measurements call it, and a column for "
    "each\ncondition that terms name."};
inline constexpr Code start_missing{
    "E946", "`{0}` has no row for the data set `{1}`",
    "The table given with `--starts` has a column `condition` and a row for each data set; without that column its last row "
    "counts\nfor all."};
inline constexpr Code nothing_selectable{
    "E947", "no free parameter of `{0}` is selectable, so that no term can leave",
    "Write `parameter Real A[8, 3](each free = true, each selectable = true)` in the model, or state the terms with "
    "`--terms`.\n`--all-terms` fits all of them."};
inline constexpr Code not_a_class_name{
    "E922", "`{0}` cannot be the name of a class",
    "`bolza new NAME` writes the class NAME to NAME.mop. A name begins with a letter or `_`, goes on with letters, digits "
    "and `_`,\nand is not a word of the language, such as `model`."};
inline constexpr Code file_exists{
    "E923", "`{0}` is there already, and stays as it is",
    "`bolza new` and `bolza import` never write over a file, and `bolza compile` not over a header that it did not "
    "write. Choose\nanother name, or take the file away first."};
inline constexpr Code file_not_written{"E924", "`{0}` cannot be written",
                                       "The folder is not there, or its permissions do not allow to write in it."};
inline constexpr Code unknown_observable{
    "E934", "the model has no variable `{0}` to be compared with measurements",
    "A column of measurements is called as the variable of the model that it measures, or as an observable "
    "that `--observe` states:\n    --observe \"total = A + B\""};
inline constexpr Code not_positive{
    "E935", "`{0}` is not positive, as `{1}` has to be",
    "Standard deviations are positive, weights not negative, and what is compared on a logarithmic scale has "
    "positive measurements."};
inline constexpr Code unknown_word{"E936", "`{0}` is none of: {1}", "Only the words that are listed mean something here."};
inline constexpr Code bad_free{
    "E937", "`{0}` cannot be read: {1}",
    "Parameters are freed by `--free k1=1[0,10],k2[log10],k3`: a name, a start value, and in brackets bounds and the "
    "scale on which\nit is searched (lin, log, log10). Observables are stated by `--observe \"log10 z = A + B\"`, their "
    "standard deviations by\n`--noise \"z = 0.1*z + s0\"`, with `laplace z` or `huber z` for other distributions and "
    "losses;\nwhat is known of parameters beforehand by `--prior \"k1 = normal(2, 0.5)\"`."};
inline constexpr Code no_such_fit_name{
    "E938", "`{0}` is {1}",
    "Conditions, placeholders and `--free` name parameters, inputs and states of the model, or parameters that "
    "are estimated.\nA parameter on which the structure of the model depends (a size, a condition) cannot be estimated."};
inline constexpr Code bad_bounds{
    "E939", "the bounds of `{0}` do not hold: {1}",
    "Lower bounds are below upper bounds, the start lies between them, and on a logarithmic scale all three are "
    "positive."};
inline constexpr Code start_at_bound{
    "W939", "the start of `{0}` is 0, which a logarithmic scale does not have: its lower bound {1} takes its place",
    "On a logarithmic scale the bounds say how small a parameter can become. Give a positive start value, or the scale "
    "`lin`."};
inline constexpr Code no_such_condition{
    "E940", "there is no condition `{0}`",
    "Measurements name the condition they were made under; the table given with `--conditions` has a row for each."};
inline constexpr Code never_measured{
    "W940", "nothing was measured under the condition `{0}`",
    "A row of the table of conditions is an experiment only when a measurement names it, in its column `condition` or "
    "`equilibration`.\nThe row counts nothing; perhaps a name in one of the tables is misspelt."};
inline constexpr Code nothing_to_fit{
    "E941", "there is nothing to fit: {0}",
    "A fit needs measurements (`--data`), and parameters that may move (`--free`, `--parameters`, or `free = true` in "
    "the model)."};
inline constexpr Code time_before_start{
    "E942", "the time {0} comes before the start of the experiment, {1}",
    "Experiments begin at the start time of the model's `experiment` annotation, or at 0; `--start` says otherwise."};
inline constexpr Code starts_long_before{
    "W942", "the experiment starts at {0}, long before its first measurement at {1}",
    "Experiments begin at the start time of the model's `experiment` annotation, or at 0, with the model's initial values; "
    "the "
    "interval up to the first\nmeasurement is simulated as well. Where times are counted from elsewhere (years, hours of "
    "the "
    "day), `--start 1900` or a column\n`startTime` of `--conditions` says when the experiment begins."};
inline constexpr Code input_not_given{
    "W943", "the input `{0}` is given by nothing in {1}, and stays at {2}",
    "An input of the model gets its values from a column of the measurements that is called as the input, or from one of "
    "`--conditions`;\nwithout them it is its `start`, or 0. Give `start` in the model where that is meant."};
inline constexpr Code observable_not_measured{
    "W944", "nothing was measured of `{0}`",
    "`--observe` and `--noise` state an observable, and measurements name it: by the header of a column, or in the column "
    "`observable`.\nWhat is stated of one that nobody measured counts nothing; perhaps the data call it by another name."};
inline constexpr Code same_experiments{
    "W945", "nothing differs between the experiments {0}",
    "The column `condition` names experiments, and no `--conditions` says what holds in them, nor do inputs that were "
    "measured: "
    "all of them\nare the same simulation, as replicates are. Give the table of conditions where that is not meant."};
inline constexpr Code input_held{
    "W946",
    "inputs of {0} are given from {1} to {2}, and the experiment lasts from {3} to {4}: they keep their first and last "
    "values",
    "Inputs are linear between the times at which they were measured. What they were before and after, nobody knows; they "
    "are held.\nAdd rows that say it: a row may have inputs alone."};
inline constexpr Code unit_differs{"E949", "the column `{0}` is in `{1}`, and `{2}` of the model in `{3}`",
                                   "A unit in the header of a table, `level [m]`, is compared with the variable's attribute "
                                   "`unit`, letter by letter; nothing "
                                   "is\nconverted. Where variables of the model have units, its time is in `s`. Convert the "
                                   "numbers, or leave the unit out of the header."};
inline constexpr Code measured_twice{
    "W949", "`{0}` is measured twice at the time {1}",
    "Both values count, as replicates. Where a row was copied by mistake, take it out; replicates of an experiment are told "
    "apart\nby a column `condition`, or by files of their own."};
inline constexpr Code journal_refused{
    "E943", "{0}",
    "`--journal` keeps the finished starts of `bolza fit --starts N` and goes on where it was interrupted, with the same "
    "model, data,\noptions, `--seed` and `--starts`. Give another search another file."};
inline constexpr Code settings_refused{
    "E948", "the settings `{0}` {1}",
    "The settings say which folders hold models that you trust:\n\n"
    "  # models of our group\n"
    "  trust = /home/me/models\n\n"
    "Who can write this file decides what runs on your machine, so it must be yours, and nobody else may write it "
    "(`bolza explain E257`)."};
inline constexpr Code output_is_input{
    "E968", "`{0}` would be overwritten: it is {1}",
    "An output (`-o`, `--csv`, `--report`, …) must not be the model, the data or the result that the command reads. Give it "
    "another name."};
inline constexpr Code bad_arguments{
    "E969", "{0}",
    "The arguments of the command do not have the form that it needs. `bolza COMMAND --help` lists them. With --json this, "
    "too, is a JSON object."};
inline constexpr Code took_too_long{
    "E970", "the command took longer than {0} s (--max-time)",
    "`--max-time` bounds the time of a command. A solver or a simulation is interrupted then, and writes what it has; "
    "everything else ends without a result. A larger limit, a coarser mesh or a looser tolerance helps."};
inline constexpr Code took_too_much_memory{
    "E971", "the command needs more memory than {0}",
    "`--max-memory` bounds what a command takes, and so does the system. Models are counted in scalars: about 1 kB each "
    "for `check`, more with their derivatives. A coarser mesh (`--mesh`), fewer outputs (`--step`) or smaller arrays need "
    "less."};
inline constexpr Code nests_too_deep{
    "E972", "the input nests too deeply for a stack of {0} MB",
    "Expressions, classes or functions lie in each other so deeply that the stack ends. Where this is meant, `ulimit -s` "
    "gives more room; programs that write models should write long sums and chains without parentheses."};
inline constexpr Code too_many_outputs{
    "E973", "{0} output times of {1} variables take {2} MB, more than {3} MB",
    "A trajectory is kept in memory until it is written. `--step` larger, or `--max-result MB` where there is room for it."};
inline constexpr Code no_sandbox{
    "E978", "no sandbox: {0}",
    "`--sandbox` runs a command inside bubblewrap (`apt install bubblewrap`), which needs namespaces of the system. In a "
    "container they may be forbidden; allow them, or let the container itself be the wall and use `--trust`. The result "
    "needs a name, `-o FILE`, as nothing but the outputs that are named leaves a sandbox. Nothing was run, unless it is "
    "the output that could not be written."};
inline constexpr Code sandbox_ended{
    "E980", "what ran in the sandbox was ended by force, without a result",
    "Foreign code took no notice of the limit of time (`--max-time`), or all processes of the sandbox together took more "
    "than "
    "twice the memory of `--max-memory`, or than the machine has. Its outputs are left as they were."};
inline constexpr Code bad_objectives{
    "E979", "the objectives cannot be used: {0}",
    "`--objectives` takes one expression, which is minimised (`0.3*energy + 0.7*time`), several in their order "
    "(`time > energy`), or several\nfor a front (`energy, time` with `--pareto N`). Names are variables of the class, whose "
    "values at the final time are meant, and parameters;\n`time` is the final time, `integral(u^2)` an integral, `-profit` "
    "what is maximised."};

inline constexpr Code no_jump_modes{
    "E981", "`reinit` cannot end a mode of `{0}`: {1}",
    "A problem whose model jumps (`when h < 0 then reinit(v, -e*pre(v)); end when`) is solved as a sequence of modes, each "
    "from jump to jump, with free times\nbetween them; the sequence is that of a simulation of the guess. Give guesses and "
    "bounds with which the simulation does what the solution is to do,\nwrite the modes as phases, or take out what else "
    "remembers events."};
inline constexpr Code result_not_finite{
    "E974", "`{0}` is {1} at t = {2}",
    "A value of the result is infinite or not a number: a quotient by zero, a root or logarithm of a negative number, an "
    "overflow, a subscript outside its array; or an Integer is beyond ±2^53, from where on `n + 1` equals `n`; or an "
    "enumeration has a number that none of its literals has. The integration itself went on because no "
    "state depends on it. The result is written, so that it can be "
    "looked at; the exit code is 1.\n\nWhere the value means nothing, let the model say so: `y = if x > 0 then sqrt(x) else "
    "0`."};
inline constexpr Code formula_mistake{
    "E982", "in the formula of {0}: {1}",
    "Formulas of observables and of standard deviations, on the command line or in tables, are Modelica expressions over "
    "the "
    "variables and\nparameters of the model and what is estimated. Those of PEtab's tables are translated first; the "
    "message "
    "shows what became of them.\nExamples: `--observe \"total = A + B\"`, `--noise \"total = 0.1*total0 + s\"`."};
inline constexpr Code fit_reads_past{
    "E983", "`{0}` reads its past, which `fit` and `identify` do not integrate",
    "Derivatives of a fit go through the equations of the present; a `delay` has the past of every state in them.\n`solve` "
    "does: make an optimization class with the measurements in arrays and the objective\n`sum((x(t[i]) - z[i])^2 for i in "
    "1:n)`; its free parameters, delays among them, are found by collocation or by shooting."};
inline constexpr Code model_unknown{
    "E990", "`{0}` does not say of which model it is the result",
    "`bolza verify` loads the model that a result names, with the settings it was solved with. Results of `bolza solve` in "
    "the form .mat name it; others do not. `--model FILE` says which."};
inline constexpr Code no_such_parameter{
    "E991", "`{0}` is no parameter whose value is given",
    "`--sensitivity` names Real parameters of the model, startTime and finalTime. What is optimised has no value that is "
    "given, and constants and final parameters cannot be moved."};
inline constexpr Code not_a_receipt{
    "E992", "`{0}` is not a receipt: {1}",
    "`bolza verify RESULT --receipt FILE` writes a receipt; without a result it checks the one that it is given."};
inline constexpr Code nothing_to_differentiate{
    "E995", "what is to be differentiated has no value: {0}",
    "A value at a time, `n(finalTime)`, is one of continuous variables; what changes at events has one before and one\n"
    "after them, and jumps where an event moves past the time. A state that follows has derivatives: `der(x) = n` for\n"
    "what is summed up, `reinit` for what an event sets."};
inline constexpr Code no_sbml_for{
    "E977", "`{0}` cannot be written as SBML: {1}",
    "Models of ordinary differential equations are written: states, parameters, and variables that follow from them by\n"
    "formulas. What has to be solved for, events, discrete variables, the past and functions with statements are not. SBML\n"
    "has no name for a part of a formula, so what formulas share is written out each time, up to 10 MB of a formula."};
inline constexpr std::array all_codes_of_workflow{&nothing_to_differentiate,
                                                  &no_sbml_for,
                                                  &no_such_parameter,
                                                  &not_a_receipt,
                                                  &model_unknown,
                                                  &formula_mistake,
                                                  &fit_reads_past,
                                                  &took_too_long,
                                                  &took_too_much_memory,
                                                  &nests_too_deep,
                                                  &too_many_outputs,
                                                  &result_not_finite,
                                                  &output_is_input,
                                                  &bad_arguments,
                                                  &settings_refused,
                                                  &journal_refused,
                                                  &bad_term,
                                                  &condition_missing,
                                                  &start_missing,
                                                  &nothing_selectable,
                                                  &table_unreadable,
                                                  &table_malformed,
                                                  &number_expected,
                                                  &column_missing,
                                                  &unknown_observable,
                                                  &not_positive,
                                                  &unknown_word,
                                                  &bad_free,
                                                  &no_such_fit_name,
                                                  &bad_bounds,
                                                  &no_such_condition,
                                                  &nothing_to_fit,
                                                  &time_before_start,
                                                  &not_a_class_name,
                                                  &file_exists,
                                                  &file_not_written,
                                                  &bad_chain,
                                                  &library_missing,
                                                  &guess_unreadable,
                                                  &guess_incomplete,
                                                  &not_an_optimization,
                                                  &cannot_combine,
                                                  &no_sandbox,
                                                  &sandbox_ended,
                                                  &without_effect,
                                                  &conditions_unread,
                                                  &bad_arcs,
                                                  &bad_continuation,
                                                  &input_missing,
                                                  &empty_horizon,
                                                  &no_such_direction,
                                                  &no_such_way,
                                                  &refinement_stopped,
                                                  &no_such_output,
                                                  &assertion_in_solution,
                                                  &start_not_held,
                                                  &kinks_of_tables,
                                                  &unit_differs,
                                                  &measured_twice,
                                                  &start_at_bound,
                                                  &never_measured,
                                                  &bad_objectives,
                                                  &no_jump_modes,
                                                  &starts_long_before,
                                                  &input_not_given,
                                                  &observable_not_measured,
                                                  &same_experiments,
                                                  &input_held};

}  // namespace bolza::workflow
